// command: run
// The tensors of the caller lie above; the help must not suggest to write over them.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

type Rows = HbmTensor<i32, m![1], m![S, A]>;

fn store(ctx: &mut Context, dm: &DmTensor<i32, m![1], m![1 # 2], m![S], m![A]>, address: u64) -> Rows {
    dm.to_hbm(&mut ctx.tdma, address) // expect error: E0571 the second call writes over the first
}

#[device(chip = 1)]
fn spill(ctx: &mut Context, a: &Rows, b: &Rows) -> (Rows, Rows) {
    let a = a.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    let b = b.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0x1000);
    let one = store(ctx, &a, 1 << 28);
    let two = store(ctx, &b, (1 << 28) + 256);
    (one, two)
}

#[tokio::main]
async fn main() {
    let mut ctx = Context::acquire();
    let x = HostTensor::<i32, m![S, A]>::from_buf((0..2048).map(|i| Opt::Init(i)).collect());
    let y = x.to_hbm(&mut ctx.pdma, 1 << 29).await;
    let z = x.to_hbm(&mut ctx.pdma, (1 << 29) + 8192).await;
    let (p, q) = launch(spill, (&mut *ctx, &y, &z)).await;
}
