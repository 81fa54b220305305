// prints: [1, 1, 3, 4]
// prints: 2 b
// prints: Some(4) false
// prints: Some(9)
// prints: 6
// prints: 0
// prints: 4
// prints: 10
use std::cmp::Reverse;
use std::collections::BinaryHeap;
fn main() {
    let mut h = BinaryHeap::from(vec![3, 1, 4]);
    h.push(1);
    println!("{:?}", h.into_sorted_vec());
    let mut g = BinaryHeap::new();
    g.push(Reverse((5, "a")));
    g.push(Reverse((2, "b")));
    if let Some(Reverse((d, n))) = g.pop() {
        println!("{d} {n}");
    }
    let h2: BinaryHeap<i32> = (0..5).collect();
    println!("{:?} {}", h2.peek(), h2.is_empty());
    let mut k = h2.clone();
    k.extend([9, 8]);
    println!("{:?}", k.pop());
    println!("{:?}", k.into_vec().len());
    let mut q = BinaryHeap::with_capacity(3);
    q.push(1u8);
    q.clear();
    println!("{}", q.len());
    let mut dd: BinaryHeap<u32> = BinaryHeap::new();
    dd.push(4);
    for x in dd.drain() {
        println!("{x}");
    }
    println!("{}", h2.iter().sum::<i32>());
}
