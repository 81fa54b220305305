// prints: drop never
// prints: dropped
// prints: hold yes
// prints: drop yes
// prints: 1
// prints: Err("bad")
// prints: 10
// prints: later made
// prints: later ran
// prints: 2
// prints: 8
// prints: 0
// prints: 1
// prints: 1 1
// prints: spawned
// prints: t1
// prints: t2
// prints: 2 1
// prints: true
// prints: hold j
// prints: drop j
// prints: 1 2 1
// prints: [0, 1, 4]
// prints: Ok((1, 2))
// prints: 7
// prints: later made
// prints: 1
// prints: later ran
// prints: 6
use std::cell::RefCell;
use std::rc::Rc;
struct D(&'static str);
impl Drop for D {
    fn drop(&mut self) {
        println!("drop {}", self.0);
    }
}
async fn hold(d: D) -> i32 {
    println!("hold {}", d.0);
    1
}
async fn fail() -> Result<i32, String> {
    Err("bad".to_string())
}
async fn q() -> Result<i32, String> {
    let x = fail().await?;
    Ok(x)
}
async fn rec(n: u32) -> u32 {
    if n == 0 { 0 } else { n + Box::pin(rec(n - 1)).await }
}
fn later(x: i32) -> impl std::future::Future<Output = i32> {
    println!("later made");
    async move {
        println!("later ran");
        x + 1
    }
}
struct S;
impl S {
    async fn m(&self, x: i32) -> i32 {
        x * 2
    }
}
#[tokio::main]
async fn main() {
    let f = hold(D("never"));
    drop(f);
    println!("dropped");
    let g = hold(D("yes"));
    println!("{}", g.await);
    println!("{:?}", q().await);
    println!("{}", rec(4).await);
    let l = later(1);
    println!("{}", l.await);
    println!("{}", S.m(4).await);
    let log = Rc::new(RefCell::new(vec![]));
    let l2 = log.clone();
    let fut = async move {
        l2.borrow_mut().push(1);
        l2.borrow().len()
    };
    println!("{}", log.borrow().len());
    println!("{}", fut.await);
    println!("{} {}", log.borrow().len(), Rc::strong_count(&log));
    let h1 = tokio::spawn(async {
        println!("t1");
        1
    });
    let h2 = tokio::spawn(async {
        println!("t2");
        2
    });
    println!("spawned");
    println!("{} {}", h2.await.unwrap(), h1.await.unwrap());
    let p = tokio::spawn(async {
        if true {
            panic!("in task");
        }
        3
    });
    println!("{}", p.await.is_err());
    let (a, b, c) = tokio::join!(async { 1 }, S.m(1), hold(D("j")));
    println!("{a} {b} {c}");
    let v = futures::future::join_all((0..3).map(|i| async move { i * i })).await;
    println!("{v:?}");
    let r: Result<(i32, i32), String> = tokio::try_join!(async { Ok(1) }, async { Ok(2) });
    println!("{r:?}");
    let x: i32 = {
        let y = async {
            let z = 5;
            if z > 3 {
                return 7;
            }
            z
        };
        y.await
    };
    println!("{x}");
    let fs: Vec<std::pin::Pin<Box<dyn std::future::Future<Output = i32>>>> =
        vec![Box::pin(async { 1 }), Box::pin(later(5))];
    for f in fs {
        println!("{}", f.await);
    }
}
