// prints: 18
// prints: [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)]
// prints: [1, 3, 5]
// prints: [1, 2, 3, 4, 5, 4, 5]
// prints: 12345
// prints: Some(5) Some(3) Some(5)
// prints: [1, 2]
// prints: Some(1)
// prints: Some(3)
// prints: true false Some(2)
// prints: ([2, 4], [1, 3, 5])
// prints: Some(3)
// prints: [1, 3, 6, 10, 15]
// prints: 10
// prints: 4
// prints: 5
// prints: Some(15)
// prints: 5
struct C {
    n: u32,
}
impl Iterator for C {
    type Item = u32;
    fn next(&mut self) -> Option<u32> {
        if self.n < 5 {
            self.n += 1;
            Some(self.n)
        } else {
            None
        }
    }
}
fn main() {
    let s: u32 = C { n: 0 }
        .zip(C { n: 0 }.skip(1))
        .map(|(a, b)| a * b)
        .filter(|x| x % 3 == 0)
        .sum();
    println!("{s}");
    println!("{:?}", C { n: 0 }.enumerate().collect::<Vec<_>>());
    println!("{:?}", C { n: 0 }.step_by(2).collect::<Vec<_>>());
    println!("{:?}", C { n: 0 }.chain(C { n: 3 }).collect::<Vec<_>>());
    println!("{:?}", C { n: 0 }.fold(0, |a, b| a * 10 + b));
    println!(
        "{:?} {:?} {:?}",
        C { n: 0 }.max(),
        C { n: 0 }.min_by_key(|x| (*x as i32 - 3).abs()),
        C { n: 0 }.last()
    );
    println!("{:?}", C { n: 0 }.take_while(|x| *x < 3).collect::<Vec<_>>());
    println!("{:?}", C { n: 0 }.peekable().peek());
    let mut c = C { n: 0 };
    c.by_ref().take(2).for_each(drop);
    println!("{:?}", c.next());
    println!(
        "{} {} {:?}",
        C { n: 0 }.any(|x| x == 3),
        C { n: 0 }.all(|x| x == 3),
        C { n: 0 }.position(|x| x == 3)
    );
    println!("{:?}", C { n: 0 }.partition::<Vec<u32>, _>(|x| x % 2 == 0));
    println!("{:?}", C { n: 0 }.nth(2));
    println!(
        "{:?}",
        C { n: 0 }
            .scan(0, |a, x| {
                *a += x;
                Some(*a)
            })
            .collect::<Vec<_>>()
    );
    println!("{:?}", C { n: 0 }.flat_map(|x| vec![x; 2]).count());
    for x in (C { n: 3 }) {
        println!("{x}");
    }
    println!("{:?}", C { n: 0 }.reduce(|a, b| a + b));
    println!("{:?}", C { n: 0 }.cycle_ok());
}
trait X {
    fn cycle_ok(self) -> usize;
}
impl<I: Iterator> X for I {
    fn cycle_ok(self) -> usize {
        self.count()
    }
}
