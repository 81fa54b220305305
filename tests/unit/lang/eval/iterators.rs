// Adapters and consumers of iterators.
struct Countdown {
    left: u32,
}
impl Iterator for Countdown {
    type Item = u32;
    fn next(&mut self) -> Option<u32> {
        if self.left == 0 {
            return None;
        }
        self.left -= 1;
        Some(self.left)
    }
}

fn main() {
    let v = vec![3, 1, 4, 1, 5, 9, 2, 6];
    println!("{:?}", v.iter().map(|x| x * 2).collect::<Vec<i32>>()); //> [6, 2, 8, 2, 10, 18, 4, 12]
    println!("{:?}", v.iter().filter(|x| **x > 3).collect::<Vec<_>>()); //> [4, 5, 9, 6]
    println!("{:?}", v.iter().filter_map(|&x| if x % 2 == 0 { Some(x / 2) } else { None }).collect::<Vec<_>>()); //> [2, 1, 3]
    println!("{:?}", (1..4).flat_map(|x| vec![x; x as usize]).collect::<Vec<i32>>()); //> [1, 2, 2, 3, 3, 3]
    println!("{:?}", vec![vec![1], vec![], vec![2, 3]].into_iter().flatten().collect::<Vec<i32>>()); //> [1, 2, 3]
    println!("{:?}", vec![Some(1), None, Some(3)].into_iter().flatten().collect::<Vec<i32>>()); //> [1, 3]
    println!("{:?}", "ab".chars().enumerate().collect::<Vec<_>>()); //> [(0, 'a'), (1, 'b')]
    println!("{:?}", v.iter().zip("xyz".chars()).collect::<Vec<_>>()); //> [(3, 'x'), (1, 'y'), (4, 'z')]
    println!("{:?}", (0..2).chain(5..7).rev().collect::<Vec<i32>>()); //> [6, 5, 1, 0]
    println!("{:?}", v.iter().skip(2).step_by(3).copied().collect::<Vec<i32>>()); //> [4, 9]
    println!("{:?}", (0..10).step_by(3).rev().collect::<Vec<_>>()); //> [9, 6, 3, 0]
    println!("{:?}", v.iter().take_while(|x| **x < 5).count()); //> 4
    println!("{:?}", v.iter().skip_while(|x| **x != 5).collect::<Vec<_>>()); //> [5, 9, 2, 6]
    println!("{:?}", v.iter().map_while(|x| if *x < 5 { Some(x + 1) } else { None }).collect::<Vec<_>>()); //> [4, 2, 5, 2]
    println!("{:?}", [1, 2, 3].iter().cycle().take(7).collect::<Vec<_>>()); //> [1, 2, 3, 1, 2, 3, 1]
    println!("{:?}", v.iter().enumerate().rev().take(2).collect::<Vec<_>>()); //> [(7, 6), (6, 2)]
    println!("{:?}", (1..=4).scan(0, |sum, x| { *sum += x; Some(*sum) }).collect::<Vec<i32>>()); //> [1, 3, 6, 10]
    println!("{} {}", v.iter().sum::<i32>(), (1..=5).product::<i32>()); //> 31 120
    println!("{:?} {:?}", v.iter().min(), v.iter().max()); //> Some(1) Some(9)
    println!("{:?}", v.iter().enumerate().max_by_key(|(_, x)| **x)); //> Some((5, 9))
    println!("{:?}", [1.5, 0.5, 2.5].iter().copied().fold(f64::NEG_INFINITY, f64::max)); //> 2.5
    println!("{:?}", [1.5f32, 0.5].iter().min_by(|a, b| a.partial_cmp(b).unwrap())); //> Some(0.5)
    println!("{:?}", [1.0f32, 3.0, 2.0].iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)).unwrap().0); //> 1
    println!("{} {}", v.iter().all(|x| *x > 0), v.iter().any(|&x| x == 7)); //> true false
    println!("{:?} {:?}", v.iter().find(|x| **x > 4), v.iter().position(|&x| x == 1)); //> Some(5) Some(1)
    println!("{:?} {:?}", v.iter().rposition(|&x| x == 1), v.iter().find_map(|x| x.checked_sub(5))); //> Some(3) Some(-2)
    println!("{}", v.iter().fold(String::new(), |s, x| s + &x.to_string())); //> 31415926
    println!("{:?} {:?}", (1..5).reduce(|a, b| a * b), (0..0).reduce(|a: i32, b| a + b)); //> Some(24) None
    println!("{:?}", [1, 2, 3].iter().try_fold(0i8, |sum, &x| sum.checked_add(x))); //> Some(6)
    println!("{:?}", [100, 27, 1].iter().try_fold(0i8, |sum, &x| sum.checked_add(x))); //> None
    println!("{:?} {:?} {:?}", v.iter().last(), v.iter().nth(2), v.iter().nth(20)); //> Some(6) Some(4) None
    let (even, odd): (Vec<i32>, Vec<i32>) = v.iter().partition(|x| **x % 2 == 0);
    println!("{even:?} {odd:?}"); //> [4, 2, 6] [3, 1, 1, 5, 9]
    let (a, b): (Vec<i32>, Vec<char>) = vec![(1, 'a'), (2, 'b')].into_iter().unzip();
    println!("{a:?} {b:?}"); //> [1, 2] ['a', 'b']
    let mut peek = [1, 1, 2].iter().peekable();
    let mut ones = 0;
    while peek.next_if(|x| **x == 1).is_some() {
        ones += 1;
    }
    println!("{ones} {:?} {:?} {:?}", peek.peek(), peek.next(), peek.next()); //> 2 Some(2) Some(2) None
    let mut it = 0..5;
    println!("{:?} {:?} {:?}", it.next(), it.next_back(), it.len()); //> Some(0) Some(4) 3
    println!("{:?}", it.by_ref().take(2).collect::<Vec<_>>()); //> [1, 2]
    println!("{:?}", it.next()); //> Some(3)
    println!("{:?}", (0..4).size_hint()); //> (4, Some(4))
    println!("{:?}", std::iter::successors(Some(1u32), |x| if *x < 50 { Some(x * 3) } else { None }).collect::<Vec<_>>()); //> [1, 3, 9, 27, 81]
    println!("{:?}", std::iter::repeat(7).take(3).collect::<Vec<_>>()); //> [7, 7, 7]
    println!("{:?}", std::iter::once(1).chain(std::iter::empty()).collect::<Vec<i32>>()); //> [1]
    println!("{:?}", std::iter::repeat_n("x", 3).collect::<String>()); //> "xxx"
    let mut n = 0;
    println!("{:?}", std::iter::from_fn(|| { n += 1; if n < 4 { Some(n) } else { None } }).collect::<Vec<_>>()); //> [1, 2, 3]
    println!("{:?}", ["1", "2", "x"].iter().map(|s| s.parse::<i32>()).collect::<Result<Vec<_>, _>>().is_err()); //> true
    println!("{:?}", ["1", "2"].iter().map(|s| s.parse::<i32>().ok()).collect::<Option<Vec<_>>>()); //> Some([1, 2])
    println!("{} {}", [1, 2].iter().eq([1, 2].iter()), [1, 2].iter().lt([1, 3].iter())); //> true true
    println!("{:?}", [1, 2].iter().cmp([1, 2, 0].iter())); //> Less
    println!("{:?}", Countdown { left: 5 }.filter(|x| x % 2 == 0).collect::<Vec<_>>()); //> [4, 2, 0]
    for x in (Countdown { left: 2 }) {
        println!("{x}"); //> 1
    } //> 0
    println!("{}", Countdown { left: 4 }.map(|x| x + 1).sum::<u32>()); //> 10
    println!("{:?}", (0..3).map(|i| (0..i).map(move |j| i * 10 + j).collect::<Vec<i32>>()).collect::<Vec<_>>()); //> [[], [10], [20, 21]]
    println!("{:?}", [3.0f64, 1.0].iter().sum::<f64>() / 2.0); //> 2.0
    println!("{:?}", ["a", "b"].iter().rev().cloned().collect::<Vec<&str>>().concat()); //> "ba"
    println!("{:?}", (0..6).collect::<Vec<_>>().chunks(4).map(|c| c.iter().sum::<i32>()).collect::<Vec<_>>()); //> [6, 9]
    println!("{:?}", [1, 2, 3, 4].windows(2).map(|w| w[1] - w[0]).collect::<Vec<i32>>()); //> [1, 1, 1]
    let mut total = 0;
    (1..=3).for_each(|x| total += x);
    println!("{total} {}", [1, 2, 2, 9].is_sorted()); //> 6 true
    println!("{:?}", (1..=3).map(Some).collect::<Vec<Option<i32>>>()); //> [Some(1), Some(2), Some(3)]
    println!("{:?}", [4.0f32, 9.0].iter().copied().map(f32::sqrt).collect::<Vec<_>>()); //> [2.0, 3.0]
    println!("{:?}", ["a", "b"].map(String::from)); //> ["a", "b"]
    println!("{}", [1, 5, 3].iter().copied().fold(0, i32::max)); //> 5
}
