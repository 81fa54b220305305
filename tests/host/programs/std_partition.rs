// prints: [0, 2, 4, 6, 8] [1, 3, 5, 7, 9]
// prints: [2, 3] [1]
fn main() {
    let (a, b) = (0..10).partition::<Vec<_>, _>(|x| x % 2 == 0);
    println!("{a:?} {b:?}");
    let (c, d): (Vec<i32>, Vec<i32>) = vec![1, 2, 3].into_iter().partition(|&x| x > 1);
    println!("{c:?} {d:?}");
}
