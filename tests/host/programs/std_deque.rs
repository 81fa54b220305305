// prints: [0, 1, 2, 3] Some(0) Some(3)
// prints: Some(0) Some(3) 2
// prints: 2 [1, 2]
// prints: [1, 2]
// prints: Some(9) true
// prints: [9, 2]
// prints: false
// prints: 2
// prints: [1, 3] Some(1)
// prints: [2, 6, 0, 0] [6, 0]
// prints: [0, 0]
// prints: 3 7 
use std::collections::VecDeque;
fn main() {
    let mut d: VecDeque<i32> = VecDeque::new();
    d.push_back(1);
    d.push_front(0);
    d.extend([2, 3]);
    println!("{d:?} {:?} {:?}", d.front(), d.back());
    println!("{:?} {:?} {}", d.pop_front(), d.pop_back(), d.len());
    d.rotate_left(1);
    println!("{} {:?}", d[0], d.iter().rev().collect::<Vec<_>>());
    d.swap(0, 1);
    d.make_contiguous().sort();
    println!("{d:?}");
    if let Some(x) = d.get_mut(0) {
        *x = 9;
    }
    println!("{:?} {}", d.get(0), d.contains(&9));
    let v: Vec<i32> = d.into();
    println!("{v:?}");
    let e = VecDeque::from(vec![1, 2]);
    let f: VecDeque<_> = e.iter().map(|x| x + 1).collect();
    println!("{}", e == f);
    let (a, b) = f.as_slices();
    println!("{}", a.len() + b.len());
    let mut g = VecDeque::from([1, 2, 3, 4]);
    g.truncate(3);
    g.retain(|x| x % 2 == 1);
    println!("{g:?} {:?}", g.iter().position(|x| *x == 3));
    g.iter_mut().for_each(|x| *x *= 2);
    g.resize(4, 0);
    println!("{g:?} {:?}", g.range(1..3).collect::<Vec<_>>());
    println!("{:?}", g.split_off(2));
    for x in &mut g {
        *x += 1;
    }
    for x in g {
        print!("{x} ");
    }
    println!();
}
