// Iterators of one's own have all that iterators have.
struct Countdown(u32);

impl Iterator for Countdown {
    type Item = u32;
    fn next(&mut self) -> Option<Self::Item> {
        if self.0 == 0 { None } else {
            self.0 -= 1;
            Some(self.0)
        }
    }
}

struct Fib { a: u64, b: u64 }

impl Iterator for Fib {
    type Item = u64;
    fn next(&mut self) -> Option<u64> {
        let r = self.a;
        self.a = self.b;
        self.b += r;
        Some(r)
    }
}

struct Bag { items: Vec<i32> }

impl IntoIterator for Bag {
    type Item = i32;
    type IntoIter = std::vec::IntoIter<i32>;
    fn into_iter(self) -> Self::IntoIter {
        self.items.into_iter()
    }
}

impl<'a> IntoIterator for &'a Bag {
    type Item = &'a i32;
    type IntoIter = std::slice::Iter<'a, i32>;
    fn into_iter(self) -> Self::IntoIter {
        self.items.iter()
    }
}

impl FromIterator<i32> for Bag {
    fn from_iter<I: IntoIterator<Item = i32>>(iter: I) -> Self {
        Bag { items: iter.into_iter().collect() }
    }
}

fn sum(iter: impl Iterator<Item = u32>) -> u32 {
    iter.sum()
}

#[test]
fn works() {
    let v: Vec<u32> = Countdown(3).collect();
    assert_eq!(v, vec![2, 1, 0]);
    assert_eq!(Countdown(4).map(|x| x * 2).filter(|x| x > &2).sum::<u32>(), 10);
    for x in Countdown(2) {
        assert!(x < 2);
    }
    assert_eq!(Fib { a: 0, b: 1 }.take_while(|&x| x < 50).last(), Some(34));
    assert_eq!(Fib { a: 0, b: 1 }.skip(5).step_by(2).take(3).collect::<Vec<_>>(), [5, 13, 34]);
    for (x, y) in Countdown(3).zip(Fib { a: 1, b: 1 }) {
        assert!(x as u64 + y > 0);
    }
    assert_eq!(sum(Countdown(3)), 3);
    let bag: Bag = (0..3).collect();
    for x in &bag {
        assert!(*x < 3);
    }
    let mut t = 0;
    for x in bag {
        t += x;
    }
    assert_eq!(t, 3);
    let mut c = Countdown(2);
    while let Some(x) = c.next() {
        println!("{x}");
    }
    let mut it = Countdown(5);
    assert_eq!(it.by_ref().take(2).count(), 2);
}
