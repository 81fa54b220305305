// prints: [5]
// prints: 14 [5]
fn main() {
    let v = [1, 2, 3, 4, 5];
    let c = v.chunks_exact(2);
    let r = c.remainder();
    println!("{r:?}");
    let mut c2 = v.chunks_exact(2);
    let s: i32 = c2.by_ref().map(|x| x[0] * x[1]).sum();
    println!("{} {:?}", s, c2.remainder());
}
