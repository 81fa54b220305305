// prints: 2048 values, the last is Init(2050)
// prints: largest difference: 3
//! A program with a kernel: a context, a launch, results that are printed.

use furiosa_visa_std::prelude::*;

axes![S = 256, L = 8];

type Chip = m![1];
type Cluster = m![1 # 2];

#[device(chip = 1)]
fn add_three(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, L]>) -> HbmTensor<i32, Chip, m![S, L]> {
    let dm = x.to_dm::<Cluster, m![S], m![L]>(&mut ctx.tdma, 0);
    let y: DmTensor<i32, Chip, Cluster, m![S], m![L]> = ctx
        .main
        .begin(dm.view())
        .fetch::<i32, m![1], m![L]>()
        .collect::<m![1], m![L]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::AddFxp, 3)
        .vector_final()
        .commit(0x1000);
    y.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[tokio::main]
async fn main() {
    let mut ctx = Context::acquire();
    let x = HostTensor::<i32, m![S, L]>::from_buf((0..<m![S, L]>::SIZE).map(|i| Opt::Init(i as i32)).collect());
    let x_hbm = x.to_hbm(&mut ctx.pdma, 0).await;
    let y = launch(add_three, (&mut *ctx, &x_hbm)).await.to_host::<m![S, L]>(&mut ctx.pdma).await.to_buf();
    println!("{} values, the last is {:?}", y.len(), y.last().unwrap());
    let differences = y.iter().zip(x.to_buf()).map(|(y, x)| (*y - x).unwrap());
    println!("largest difference: {}", differences.max().unwrap());
}
