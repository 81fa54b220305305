// prints: Some(0.5)
// prints: 2.5
// prints: Some("ccc")
// prints: 4.5
// prints: 6
// prints: [1, 2] ['a', 'b']
// prints: None
// prints: Ok(6)
// prints: 2 Some(2)
// prints: Some(2)
// prints: Ok([1, 2])
// prints: None
// prints: ba
// prints: Some(3)
// prints: [(1, 0), (2, 0), (2, 1)]
// prints: [8, 5, 2]
// prints: [1, 2, 3, 1, 2, 3, 1]
// prints: Some(2)
// prints: [1, 2, 3]
// prints: [2, 4]
// prints: Break(4)
// prints: Less
// prints: 1,2,3
// prints: {"a", "b"}
// prints: false
// prints: 10
// prints: [6, 9]
// prints: 1 3
// prints: Some(1)
// prints: [Some(0), Some(1), Some(2)]
// prints: 2
// prints: [1]
// prints: 4321
// prints: 2
// prints: true
// prints: [4, 10]
// prints: Some(6)
// prints: 10
use std::collections::*;
use std::ops::ControlFlow;
fn main() {
    let v = vec![1.5f32, 0.5, 2.5];
    println!("{:?}", v.iter().min_by(|a, b| a.partial_cmp(b).unwrap()));
    println!("{:?}", v.iter().copied().fold(f32::NEG_INFINITY, f32::max));
    println!("{:?}", ["aa", "b", "ccc"].iter().max_by_key(|s| s.len()));
    let s: f32 = v.iter().sum();
    println!("{s}");
    let p: i32 = [1, 2, 3].iter().product();
    println!("{p}");
    let (a, b): (Vec<i32>, Vec<char>) = vec![(1, 'a'), (2, 'b')].into_iter().unzip();
    println!("{a:?} {b:?}");
    println!("{:?}", (1..5).try_fold(0i8, |a, x| a.checked_add(x * 30)));
    println!(
        "{:?}",
        (1..4).try_fold(0, |a, x| if x < 9 { Ok(a + x) } else { Err("big") })
    );
    let mut it = [1, 1, 2, 3].iter().peekable();
    let mut n = 0;
    while it.next_if(|x| **x == 1).is_some() {
        n += 1;
    }
    println!("{n} {:?}", it.peek());
    println!("{:?}", it.next_if_eq(&&2));
    let r: Result<Vec<i32>, String> = vec!["1", "2"]
        .into_iter()
        .map(|s| s.parse::<i32>().map_err(|e| e.to_string()))
        .collect();
    println!("{r:?}");
    let o: Option<Vec<i32>> = vec![Some(1), None].into_iter().collect();
    println!("{o:?}");
    let st: String = vec!['a', 'b'].into_iter().rev().collect();
    println!("{st}");
    let su: Option<i32> = [Some(1), Some(2)].into_iter().sum();
    println!("{su:?}");
    println!(
        "{:?}",
        (0..3)
            .flat_map(|i| (0..i).map(move |j| (i, j)))
            .collect::<Vec<_>>()
    );
    println!("{:?}", (0..10).rev().skip(1).step_by(3).collect::<VecDeque<_>>());
    println!("{:?}", (1..=3).cycle().take(7).collect::<Vec<_>>());
    println!("{:?}", [3, 1, 2].iter().min_by_key(|x| (**x as i32 - 2).abs()));
    println!(
        "{:?}",
        vec![vec![1], vec![2, 3]]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
    );
    println!(
        "{:?}",
        [1, 2, 3, 4]
            .iter()
            .map_while(|x| if *x < 3 { Some(x * 2) } else { None })
            .collect::<Vec<_>>()
    );
    let r = (1..10).try_for_each(|x| {
        if x == 4 {
            ControlFlow::Break(x)
        } else {
            ControlFlow::Continue(())
        }
    });
    println!("{r:?}");
    println!("{:?}", [1, 2].iter().cmp([1, 3].iter()));
    println!("{}", (1..4).map(|x| x.to_string()).collect::<Vec<_>>().join(","));
    println!(
        "{:?}",
        "a b".split(' ').map(str::to_owned).collect::<BTreeSet<String>>()
    );
    println!("{:?}", [1, 5, 2].iter().is_sorted());
    println!("{:?}", (0..5).sum::<i32>());
    println!(
        "{:?}",
        (0..6)
            .collect::<Vec<_>>()
            .chunks(4)
            .map(|c| c.iter().sum::<i32>())
            .collect::<Vec<_>>()
    );
    let (mn, mx) = [3, 1, 2]
        .iter()
        .fold((i32::MAX, i32::MIN), |(a, b), &x| (a.min(x), b.max(x)));
    println!("{mn} {mx}");
    println!("{:?}", [1, 2, 3].iter().rev().last());
    println!("{:?}", (0..3).map(Some).collect::<Vec<_>>());
    println!("{:?}", [Some(1), None, Some(3)].iter().flatten().count());
    println!(
        "{:?}",
        ["1", "x"]
            .iter()
            .filter_map(|s| s.parse::<i32>().ok())
            .collect::<Vec<_>>()
    );
    println!("{:?}", (1..=4).rfold(0, |a, x| a * 10 + x));
    println!(
        "{:?}",
        [(1, 'a'), (2, 'b')].into_iter().collect::<HashMap<_, _>>().len()
    );
    println!("{:?}", (0..4).map(|x| x as f64).map(f64::sqrt).sum::<f64>() > 3.0);
    println!(
        "{:?}",
        [4, 5].iter().zip(1..).map(|(a, b)| a * b).collect::<Vec<i32>>()
    );
    println!("{:?}", (0..20).min_by(|a, b| (a % 7).cmp(&(b % 7)).reverse()));
    println!("{:?}", [1, 2, 3, 4].iter().array_sum());
}
trait A {
    fn array_sum(self) -> i32;
}
impl<'a, I: Iterator<Item = &'a i32>> A for I {
    fn array_sum(self) -> i32 {
        self.sum()
    }
}
