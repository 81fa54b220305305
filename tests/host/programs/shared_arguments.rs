// fails: error[E0575]: `x` (HBM 0..8192) and `out` (HBM 0..8192) are arguments of one launch and share bytes
use furiosa_visa_std::prelude::*;

axes![S = 256, L = 8];

#[device(chip = 1)]
fn over(ctx: &mut Context, x: &HbmTensor<i32, m![1], m![S, L]>, out: &mut HbmTensor<i32, m![1], m![S, L]>) {
    let dm = x.to_dm::<m![1 # 2], m![S], m![L]>(&mut ctx.tdma, 0);
    dm.view().to_hbm_view(&mut ctx.tdma, out.view_mut());
}

#[tokio::main]
async fn main() {
    let mut ctx = Context::acquire();
    let host: HostTensor<i32, m![S, L]> = HostTensor::from_buf(vec![Opt::Init(1); 2048]);
    let a: HbmTensor<i32, m![1], m![S, L]> = host.to_hbm(&mut ctx.pdma, 0).await;
    let mut b: HbmTensor<i32, m![1], m![S, L]> = host.to_hbm(&mut ctx.pdma, 0).await;
    launch(over, (&mut *ctx, &a, &mut b)).await;
}
