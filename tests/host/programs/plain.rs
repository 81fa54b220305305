// prints: 3 primes below 7: [2, 3, 5]
// prints:   16|ab   |0x2a|+1.50
// prints: Point { x: 1, y: -1 }
//! A program without kernels.

#[derive(Debug)]
#[allow(dead_code)]
struct Point {
    x: i32,
    y: i32,
}

fn primes(below: u32) -> Vec<u32> {
    (2..below).filter(|n| (2..*n).all(|d| n % d != 0)).collect()
}

fn main() {
    let found = primes(7);
    println!("{} primes below {}: {found:?}", found.len(), 7);
    print!("{:>4}|{:<5}|", 16, "ab");
    println!("{:#x}|{:+.2}", 42, 1.5);
    println!("{:?}", Point { x: 1, y: -1 });
}
