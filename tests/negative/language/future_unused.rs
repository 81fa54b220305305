// Statements that make futures and do nothing with them; what is waited for otherwise is not meant.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 64];

type Chip = m![1];

#[device(chip = 1)]
fn copy(ctx: &mut Context, x: &HbmTensor<i8, Chip, m![S, A]>) -> HbmTensor<i8, Chip, m![S, A]> {
    x.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0).to_hbm(&mut ctx.tdma, 1 << 20)
}

async fn later() -> usize {
    3
}

#[tokio::main]
async fn main() {
    let mut ctx = Context::acquire();
    let host = HostTensor::<i8, m![S, A]>::from_buf((0..256 * 64).map(|x| Opt::Init(x as i8)).collect());
    let x = host.to_hbm::<Chip, m![S, A]>(&mut ctx.pdma, 0).await;
    launch(copy, (&mut *ctx, &x)); // expect warning: E0473 launches nothing
    host.to_hbm::<Chip, m![S, A]>(&mut ctx.pdma, 1 << 22); // expect warning: E0473 moves nothing
    later(); // expect warning: E0473 is not called
    later().await;
    let _ = later();
    let kept = later();
    tokio::spawn(later());
    println!("{}", kept.await);
}
