// The tuple given to launch has one entry for every parameter of the kernel.
use furiosa_visa_std::prelude::*;

axes![A = 2048];

#[device(chip = 1)]
fn load(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![A]>, scale: &HbmTensor<i32, m![1], m![A]>) {
    let _dm = input.to_dm::<m![1 # 2], m![A / 8], m![A % 8]>(&mut ctx.tdma, 0);
    let _ = scale;
}

#[tokio::main]
async fn main() {
    let mut ctx = Context::acquire();
    let host = HostTensor::<i32, m![A]>::zero();
    let hbm: HbmTensor<i32, m![1], m![A]> = host.to_hbm(&mut ctx.pdma, 0).await;
    launch(load, (&mut *ctx, &hbm)).await; // expect error: E0435 load takes 3 arguments, 2 given
}
