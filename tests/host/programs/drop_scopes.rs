// prints: in
// prints: drop z
// prints: consume
// prints: drop y
// prints: after consume
// prints: drop m1
// prints: assigned
// prints: drop m2
// prints: dropped
// prints: drop temp
// prints: stmt
// prints: drop under
// prints: u
// prints: id
// prints: w
// prints: drop a1
// prints: b1
// prints: drop b1
// prints: drop a1
// prints: ign
// prints: drop i
// prints: drop l0
// prints: drop l1
// prints: end 2 true
// prints: drop box
// prints: drop t1
// prints: drop t2
// prints: drop r1
// prints: drop r2
// prints: drop c1
// prints: drop U
// prints: drop b1
// prints: drop w
// prints: drop o
// prints: drop v1
// prints: drop v2
// prints: drop P
// prints: drop pa
// prints: drop pb
// prints: drop x
struct D(&'static str);
impl Drop for D {
    fn drop(&mut self) {
        println!("drop {}", self.0);
    }
}
struct P {
    a: D,
    b: D,
}
impl Drop for P {
    fn drop(&mut self) {
        println!("drop P");
    }
}
struct U;
impl Drop for U {
    fn drop(&mut self) {
        println!("drop U");
    }
}
fn id(d: D) -> D {
    println!("id");
    d
}
fn consume(_d: D) {
    println!("consume");
}
fn ign(_: D) {
    println!("ign");
}
fn early(x: bool) -> D {
    let _a = D("a1");
    let b = D("b1");
    if x {
        return b;
    }
    D("c1")
}
fn main() {
    let _x = D("x");
    let y = D("y");
    {
        let _z = D("z");
        println!("in");
    }
    consume(y);
    println!("after consume");
    let mut m = D("m1");
    m = D("m2");
    println!("assigned");
    drop(m);
    println!("dropped");
    let _p = P {
        a: D("pa"),
        b: D("pb"),
    };
    D("temp");
    println!("stmt");
    let _ = D("under");
    println!("u");
    let v = vec![D("v1"), D("v2")];
    let o = Some(D("o"));
    let bx = Box::new(D("box"));
    let t = (D("t1"), D("t2"));
    let w = id(D("w"));
    println!("{}", w.0);
    let e = early(true);
    println!("{}", e.0);
    let f = early(false);
    ign(D("i"));
    let _u = U;
    let arr = [D("r1"), D("r2")];
    for i in 0..2 {
        let _l = D(if i == 0 { "l0" } else { "l1" });
        if i == 1 {
            break;
        }
    }
    println!("end {} {}", v.len(), o.is_some());
    let _k = (bx, t, arr, f);
}
