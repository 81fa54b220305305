// prints: 3
// prints: 4
// prints: true
// prints: 5
// prints: 9
async fn f() -> i32 {
    3
}
fn main() {
    let rt = tokio::runtime::Runtime::new().unwrap();
    println!("{}", rt.block_on(f()));
    println!("{}", rt.block_on(async { f().await + 1 }));
    let r = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        tokio::runtime::Runtime::new().unwrap().block_on(async {
            panic!("z");
        })
    }));
    println!("{}", r.is_err());
    let h = rt.spawn(async { 5 });
    println!("{}", rt.block_on(h).unwrap());
    println!("{}", futures::executor::block_on(async { 9 }));
}
