// prints: S { a: 0, b: "", c: None, d: [], e: (0, false), f: [0, 0, 0], g: B }
// prints: 3
// prints: G { x: 0 }
// prints: T2(0, "")
// prints: true
#[derive(Default, Debug, Clone, PartialEq)]
struct S {
    a: i32,
    b: String,
    c: Option<u8>,
    d: Vec<f32>,
    e: (i8, bool),
    f: [u8; 3],
    g: K,
}
#[derive(Default, Debug, Clone, PartialEq)]
enum K {
    A,
    #[default]
    B,
}
#[derive(Default, Debug)]
struct G<T> {
    x: T,
}
#[derive(Default, Debug)]
struct T2(i32, String);
fn main() {
    println!("{:?}", S::default());
    let s = S {
        a: 3,
        ..Default::default()
    };
    println!("{}", s.a);
    println!("{:?}", G::<u8>::default());
    println!("{:?}", T2::default());
    let x: S = Default::default();
    println!("{}", x == S::default());
}
