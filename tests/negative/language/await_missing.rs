// A call of an async function is no value yet.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 64];

type Chip = m![1];

#[device(chip = 1)]
fn copy(ctx: &mut Context, x: &HbmTensor<i8, Chip, m![S, A]>) -> HbmTensor<i8, Chip, m![S, A]> {
    x.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0).to_hbm(&mut ctx.tdma, 1 << 20)
}

async fn size() -> usize {
    <m![S, A]>::SIZE
}

fn total(x: &HbmTensor<i8, Chip, m![S, A]>) -> u64 {
    x.address()
}

#[tokio::test]
async fn copies() {
    let mut ctx = Context::acquire();
    let data = (0..size()).map(|x| Opt::Init(x as i8)).collect(); // expect error: E0430 size is a future
    let host = HostTensor::<i8, m![S, A]>::from_buf(data);
    let x = host.to_hbm::<Chip, m![S, A]>(&mut ctx.pdma, 0);
    let y: HbmTensor<i8, Chip, m![S, A]> = launch(copy, (&mut ctx, &x.await)); // expect error: E0430 launch is awaited
    let z = host.to_hbm::<Chip, m![S, A]>(&mut ctx.pdma, 1 << 20).await;
    let back = z.to_host::<m![S, A]>(&mut ctx.pdma).to_buf(); // expect error: E0434 to_buf of the result
    assert_eq!(size(), 3); // expect error: E0471 compares a future
    let sum = total(&host.to_hbm::<Chip, m![S, A]>(&mut ctx.pdma, 1 << 21)); // expect error: E0430 a tensor, not its future
    let more = size() + 1; // expect error: E0440 adds to a future
}
