// A kernel counts on what another one left in DM; the launch panics, which a test or catch_unwind sees.
// reports: E0863
use furiosa_visa_std::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use tokio::runtime::Runtime;

axes![S = 256, A = 32];

type Chip = m![1];
type Cluster = m![1 # 2];
type Rows = HbmTensor<i8, Chip, m![S, A]>;
type Buffer = DmTensor<i8, Chip, Cluster, m![S], m![A]>;

fn copy(ctx: &mut Context, from: &Buffer, address: u64) -> Buffer {
    ctx.main
        .begin(from.view())
        .fetch::<i8, m![1], m![A]>()
        .collect::<m![1], m![A]>()
        .commit(address)
}

#[device(chip = 1)]
fn leaves(ctx: &mut Context, x: &Rows) -> Rows {
    let dm = x.to_dm::<Cluster, m![S], m![A]>(&mut ctx.tdma, 0);
    copy(ctx, &dm, 0x1000).to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn finds(ctx: &mut Context) -> Rows {
    let dm = unsafe { Buffer::from_addr(0x1000) };
    copy(ctx, &dm, 0x2000).to_hbm(&mut ctx.tdma, 1 << 29)
}

#[tokio::test]
async fn fault() {
    let mut ctx = Context::acquire();
    let x = HostTensor::<i8, m![S, A]>::from_buf((0..8192).map(|i| Opt::Init((i % 100) as i8)).collect());
    let x = x.to_hbm(&mut ctx.pdma, 0).await;
    let _kept = launch(leaves, (&mut *ctx, &x)).await;
    let _found = launch(finds, &mut *ctx).await;
}

#[tokio::test]
async fn clean() {
    let mut ctx = Context::acquire();
    let x = HostTensor::<i8, m![S, A]>::from_buf((0..8192).map(|i| Opt::Init((i % 100) as i8)).collect());
    let x = x.to_hbm(&mut ctx.pdma, 0).await;
    let y = launch(leaves, (&mut *ctx, &x)).await;
    let _z = launch(leaves, (&mut *ctx, &y)).await;
}

#[test]
fn the_panic_is_caught() {
    let result = catch_unwind(AssertUnwindSafe(|| {
        Runtime::new().unwrap().block_on(async {
            let mut ctx = Context::acquire();
            let _found = launch(finds, &mut *ctx).await;
        })
    }));
    assert!(result.is_err());
}

#[tokio::test]
#[should_panic]
async fn the_panic_is_expected() {
    let mut ctx = Context::acquire();
    let _found = launch(finds, &mut *ctx).await;
}
