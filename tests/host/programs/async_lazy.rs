// prints: made
// prints: run 2
// prints: 3
// prints: run 1
// prints: 2
// prints: before
// prints: blk
// prints: 5
// prints: run 3
// prints: run 4
// prints: 4 5
// prints: Err("no")
// prints: run 5
// prints: 6
// prints: run 0
// prints: 1
// prints: run 1
// prints: 2
// prints: 1
// prints: 8
use std::cell::Cell;
async fn f(x: i32) -> i32 {
    println!("run {x}");
    x + 1
}
async fn r(ok: bool) -> Result<i32, String> {
    if ok { Ok(1) } else { Err("no".into()) }
}
#[tokio::main]
async fn main() {
    let a = f(1);
    let b = f(2);
    println!("made");
    println!("{}", b.await);
    println!("{}", a.await);
    let _unused = f(9);
    drop(f(10));
    let blk = async {
        println!("blk");
        5
    };
    println!("before");
    println!("{}", blk.await);
    let (x, y) = tokio::join!(f(3), f(4));
    println!("{x} {y}");
    let t: Result<(i32, i32), String> = tokio::try_join!(r(true), r(false));
    println!("{t:?}");
    let h = tokio::spawn(async move { f(5).await });
    println!("{}", h.await.unwrap());
    let fs: Vec<_> = (0..2).map(f).collect();
    for q in fs {
        println!("{}", q.await);
    }
    let mv = {
        let s = String::from("s");
        async move { s.len() }
    };
    println!("{}", mv.await);
    let cl = async |z: i32| z * 2;
    println!("{}", cl(4).await);
}
