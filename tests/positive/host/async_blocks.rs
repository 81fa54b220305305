// Blocks, closures and methods that are awaited.
use furiosa_visa_std::prelude::*;
struct Client { n: i32 }

impl Client {
    async fn get(&self) -> i32 {
        self.n
    }
    async fn put(&mut self, n: i32) -> Result<(), String> {
        self.n = n;
        Ok(())
    }
}

async fn helper(x: i32) -> i32 {
    x + 1
}

async fn tries() -> Result<i32, String> {
    let mut c = Client { n: 0 };
    c.put(2).await?;
    Ok(c.get().await)
}

#[tokio::test]
async fn works() {
    let c = Client { n: 3 };
    let a = async { c.get().await + 1 };
    let b = async move { helper(2).await };
    assert_eq!(a.await + b.await, 7);
    let f = |x: i32| async move { helper(x).await };
    assert_eq!(f(1).await, 2);
    assert_eq!(tries().await.unwrap(), 2);
    let r = async {
        if helper(1).await > 1 {
            return 5;
        }
        6
    }.await;
    assert_eq!(r, 5);
    let q: Result<i32, String> = async {
        let x = tries().await?;
        Ok(x)
    }.await;
    assert!(q.is_ok());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn more() {
    let rt = 1;
    assert_eq!(rt, 1);
}

#[test]
fn blocking() {
    let rt = tokio::runtime::Runtime::new().unwrap();
    let x = rt.block_on(async { helper(1).await });
    assert_eq!(x, 2);
}
