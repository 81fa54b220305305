// Only async code waits for several futures.
async fn one() -> i32 {
    1
}

fn both() -> (i32, i32) {
    tokio::join!(one(), one()) // expect error: E0471 both is not async
}
