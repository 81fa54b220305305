// Only async code waits.
async fn size() -> usize {
    64
}

fn twice() -> usize {
    2 * size().await // expect error: E0471 twice is not async
}

async fn many() -> usize {
    let each = |n: usize| n * size().await; // expect error: E0471 nor is the closure
    each(2)
}

fn both() -> (usize, usize) {
    tokio::join!(size(), size()) // expect error: E0471 nor is this
}
