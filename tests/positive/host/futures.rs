// A future may be kept, passed on and awaited later; blocks and closures make futures, too.
use furiosa_visa_std::prelude::*;
use std::future::Future;
use tokio::runtime::Runtime;

axes![S = 256, A = 64];

type Chip = m![1];

async fn size() -> usize {
    <m![S, A]>::SIZE
}

fn later() -> impl Future<Output = usize> {
    async move { size().await + 1 }
}

struct Sizes {
    each: usize,
}

impl Sizes {
    async fn all(&self) -> usize {
        self.each * 2
    }
}

fn waits() -> usize {
    let runtime = Runtime::new().unwrap();
    let inner = runtime.block_on(async {
        if size().await == 0 {
            return 0;
        }
        later().await
    });
    inner + runtime.block_on(size())
}

#[tokio::test]
async fn keeps() {
    let mut ctx = Context::acquire();
    let first = size();
    let each = |n: usize| async move { n * size().await };
    let total: usize = first.await + each(2).await + (size()).await + Sizes { each: 3 }.all().await;
    assert_eq!(total, 3);
    let host = HostTensor::<i8, m![S, A]>::zero();
    let sent = host.to_hbm::<Chip, m![S, A]>(&mut ctx.pdma, 0);
    let back = sent.await.to_host::<m![S, A]>(&mut ctx.pdma).await.to_buf();
    assert_eq!(back.len(), waits());
}
