// A kernel is launched by the host, never called: shared code lives in ordinary functions.
use furiosa_visa_std::prelude::*;

axes![A = 2048];

#[device(chip = 1)]
fn inner(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![A]>) {
    let _dm = input.to_dm::<m![1 # 2], m![A / 8], m![A % 8]>(&mut ctx.tdma, 0);
}

#[device(chip = 1)]
fn outer(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![A]>) {
    inner(ctx, input); // expect error: E0445 a device function cannot be called
}
