// Random numbers: the same on every run, and in their ranges. The first draws of xoshiro256++ with
// the state of SplitMix64(0) are known: 0x53175d61490b23df, 0x61da6f3dc380d507, ..
use rand::prelude::*;
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
fn main() {
    let mut rng = SmallRng::seed_from_u64(0);
    println!("{:#x} {:#x}", rng.next_u64(), rng.next_u64()); //> 0x53175d61490b23df 0x61da6f3dc380d507
    let mut a = SmallRng::seed_from_u64(42);
    let mut b = SmallRng::seed_from_u64(42);
    println!("{}", (0..100).all(|_| a.random::<u32>() == b.random::<u32>())); //> true
    let v: Vec<i32> = (0..1000).map(|_| a.random_range(-3..=3)).collect();
    println!("{:?} {:?}", v.iter().min(), v.iter().max()); //> Some(-3) Some(3)
    println!("{}", (0..1000).all(|_| (0.5..2.0).contains(&a.random_range(0.5f32..2.0)))); //> true
    println!("{}", (0..1000).all(|_| (0.0..1.0).contains(&a.random::<f64>()))); //> true
    println!("{} {}", a.random_bool(0.0), a.random_bool(1.0)); //> false true
    let mut list: Vec<usize> = (0..20).collect();
    list.shuffle(&mut a);
    let moved = list.iter().enumerate().filter(|(i, x)| i != *x).count();
    list.sort();
    println!("{} {}", moved > 5, list == (0..20).collect::<Vec<_>>()); //> true true
    println!("{}", list.choose(&mut a).is_some()); //> true
    let mut bytes = [0u8; 16];
    a.fill(&mut bytes[..]);
    println!("{}", bytes.iter().any(|x| *x != 0)); //> true
    let copy = a.clone().random::<u64>();
    println!("{}", copy == a.random::<u64>()); //> true
    let t: (u8, bool, f32) = b.random();
    println!("{} {}", t.2 < 1.0, rand::rng().random_range(0..1usize)); //> true 0
}
