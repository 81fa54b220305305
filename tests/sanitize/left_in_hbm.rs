// A kernel counts on what another one had in HBM for itself; what that one gave back may be read, by its address, too.
// reports: E0863
use furiosa_visa_std::prelude::*;

axes![S = 256, L = 8];

type Chip = m![1];
type Cluster = m![1 # 2];
type Rows = HbmTensor<i32, Chip, m![S, L]>;

const SCRATCH: u64 = 1 << 28;
const RESULT: u64 = 1 << 29;

#[device(chip = 1)]
fn detour(ctx: &mut Context, x: &Rows) -> Rows {
    let there: Rows = x.to_hbm(&mut ctx.tdma, SCRATCH);
    there.to_hbm(&mut ctx.tdma, RESULT)
}

#[device(chip = 1)]
fn found(ctx: &mut Context, address: u64) -> Rows {
    let dm = unsafe { Rows::from_addr(address) }.to_dm::<Cluster, m![S], m![L]>(&mut ctx.tdma, 0);
    let copy: DmTensor<i32, Chip, Cluster, m![S], m![L]> =
        ctx.main.begin(dm.view()).fetch::<i32, m![1], m![L]>().collect::<m![1], m![L]>().commit(0x1000);
    copy.to_hbm(&mut ctx.tdma, 0)
}

async fn found_behind_a_detour(address: u64) -> Opt<i32> {
    let mut ctx = Context::acquire();
    let x = HostTensor::<i32, m![S, L]>::from_buf(vec![Opt::Init(5); 2048]);
    let x: Rows = x.to_hbm(&mut ctx.pdma, 1 << 20).await;
    let there = launch(detour, (&mut *ctx, &x)).await;
    drop(there);
    let found = launch(found, (&mut *ctx, address)).await;
    found.to_host::<m![S, L]>(&mut ctx.pdma).await.to_buf()[0]
}

#[tokio::test]
async fn fault() {
    let _ = found_behind_a_detour(SCRATCH).await;
}

#[tokio::test]
async fn clean() {
    assert_eq!(found_behind_a_detour(RESULT).await, Opt::Init(5));
}
