// command: run --random 1 --check-oracle --relax=overlap
// With the rule relaxed, `second` takes half of the bytes of `first` while that is still needed. The device has memories and
// addresses: what it sends to HBM is what lies there by then. The oracle has tensors: it sends what was meant.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

fn send(ctx: &mut Context, what: &DmTensor<i32, m![1], m![1 # 2], m![S], m![A]>) -> HbmTensor<i32, m![1], m![S, A]> {
    what.to_hbm(&mut ctx.tdma, 1 << 28) // expect error: E0910 in element [A 4, S 0]
}

#[device(chip = 1)]
fn both(
    ctx: &mut Context,
    a: &HbmTensor<i32, m![1], m![S, A]>,
    b: &HbmTensor<i32, m![1], m![S, A]>,
) -> HbmTensor<i32, m![1], m![S, A]> {
    let first = a.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    let _second = b.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 16); // expect warning: E0571 over bytes 16..32
    send(ctx, &first)
}
