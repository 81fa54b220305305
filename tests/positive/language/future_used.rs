// Futures that something waits for, or that are left out on purpose: no statement of these is warned about.
async fn later(x: usize) -> usize {
    x + 1
}

fn spawned() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.spawn(later(1));
    runtime.block_on(later(2));
}

#[tokio::main]
async fn main() {
    later(3).await;
    let _ = later(4);
    let kept = later(5);
    tokio::spawn(later(6));
    tokio::join!(later(7), later(8));
    kept.await;
    spawned();
}
