// prints: popped
// prints: drop 0
// prints: removed
// prints: drop 1
// prints: cleared
// prints: got 2
// prints: drop 2
// prints: after iflet
// prints: small 5
// prints: drop 5
// prints: after match
// prints: x 10
// prints: drop 10
// prints: after e
// prints: 20 3
// prints: 30
// prints: drop 30
// prints: drop 31
// prints: 310
// prints: drop 41
// prints: a 40
// prints: taken true
// prints: drop 50
// prints: drop 51
// prints: none
// prints: cl 20
// prints: cl 20
// prints: drop 20
// prints: closure gone
// prints: next
// prints: drop 61
// prints: drop 62
// prints: it gone
// prints: drop 60
// prints: drop 70
// prints: brk
// prints: drop 71
// prints: drop 72
// prints: loop
// prints: drop 80
// prints: drop 81
// prints: [80, 81]
// prints: drop 90
// prints: kept 1
// prints: drop 101
// prints: drop 100
// prints: true
// prints: old 110
// prints: z 120
// prints: drop 131
// prints: drop 132
// prints: trunc
// prints: drop 130
// prints: ret
// prints: un 140
// prints: drop 140
// prints: drop 120
// prints: drop 111
// prints: drop 91
// prints: drop 40
// prints: drop 11
struct D(i32);
impl Drop for D {
    fn drop(&mut self) {
        println!("drop {}", self.0);
    }
}
enum E {
    A(D, D),
    B,
}
struct H {
    d: D,
    n: i32,
}
fn mk(n: i32) -> D {
    D(n)
}
impl D {
    fn val(&self) -> i32 {
        self.0
    }
    fn into(self) -> i32 {
        self.0 * 10
    }
}
fn opt(n: i32) -> Option<D> {
    if n > 0 { Some(D(n)) } else { None }
}
fn main() {
    let mut v = Vec::new();
    for i in 0..3 {
        v.push(D(i));
    }
    let last = v.pop();
    println!("popped");
    v.remove(0);
    println!("removed");
    v.clear();
    println!("cleared");
    if let Some(d) = last {
        println!("got {}", d.0);
    }
    println!("after iflet");
    match opt(5) {
        Some(d) if d.0 > 9 => println!("big"),
        Some(d) => println!("small {}", d.0),
        None => {}
    }
    println!("after match");
    let e = E::A(D(10), D(11));
    if let E::A(x, _) = e {
        println!("x {}", x.0);
    }
    println!("after e");
    let h = H { d: D(20), n: 3 };
    let dd = h.d;
    println!("{} {}", dd.0, h.n);
    println!("{}", mk(30).val());
    println!("{}", mk(31).into());
    let (a, _) = (D(40), D(41));
    println!("a {}", a.0);
    let mut o = Some(D(50));
    let tk = o.take();
    println!("taken {}", o.is_none());
    drop(tk);
    o = Some(D(51));
    o = None;
    println!("none");
    let b = E::B;
    let _c = b;
    let f = move || println!("cl {}", dd.val());
    f();
    f();
    drop(f);
    println!("closure gone");
    let mut it = vec![D(60), D(61), D(62)].into_iter();
    let first = it.next();
    println!("next");
    drop(it);
    println!("it gone");
    drop(first);
    for d in vec![D(70), D(71), D(72)] {
        if d.0 == 71 {
            println!("brk");
            break;
        }
    }
    println!("loop");
    let mapped: Vec<i32> = vec![D(80), D(81)].into_iter().map(|d| d.0).collect();
    println!("{mapped:?}");
    let kept: Vec<D> = vec![D(90), D(91)].into_iter().filter(|d| d.0 == 91).collect();
    println!("kept {}", kept.len());
    let r = std::panic::catch_unwind(|| {
        let _q = D(100);
        let _r = D(101);
        panic!("boom");
    });
    println!("{}", r.is_err());
    let mut s = D(110);
    let old = std::mem::replace(&mut s, D(111));
    println!("old {}", old.0);
    std::mem::forget(old);
    let z = {
        let inner = D(120);
        inner
    };
    println!("z {}", z.0);
    let mut vv = vec![D(130), D(131), D(132)];
    vv.truncate(1);
    println!("trunc");
    vv.retain(|d| d.0 == 0);
    println!("ret");
    let bd: Box<dyn std::any::Any> = Box::new(5);
    let _ = bd;
    let nested = Some(Box::new(D(140)));
    let un = nested.unwrap();
    println!("un {}", un.0);
}
