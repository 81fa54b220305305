// Sizes and addresses whose next multiple does not fit in 63 bits: the helps must not compute it.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8, E = 0x7fffffffffffffff, F = 0x7ffffffffffffffe];

#[device(chip = 1)]
fn odd_nibbles(_ctx: &mut Context, _nibbles: &HbmTensor<i4, m![1], m![E]>) {} // expect error: E0507 half a byte

#[device(chip = 1)]
fn last_address(ctx: &mut Context) {
    let input = unsafe { HbmTensor::<i32, m![1], m![S, A]>::from_addr(0x7fffffffffffffff) }; // expect error: E0510 beyond HBM
    let _dm = input.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0); // expect error: E0539 not a multiple of 8
}

#[device(chip = 1)]
fn last_commit(ctx: &mut Context, x: &HbmTensor<i32, m![1], m![S, A]>) {
    let x = x.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    let _y: DmTensor<i32, m![1], m![1 # 2], m![S], m![A]> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, m![1], m![A]>()
        .collect::<m![1], m![A]>()
        .commit(9223372036854775807); // expect error: E0510 beyond DM
}

#[device(chip = 1)]
fn many_bytes(_ctx: &mut Context, _bytes: &HbmTensor<i8, m![1], m![F]>) {} // expect error: E0510 no HBM has them
