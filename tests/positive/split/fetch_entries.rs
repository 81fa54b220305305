// More loops than a sequencer has entries: a command for each value of an axis that goes through to the end.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 2, B = 2, C = 2, D = 2, E = 3, F = 2, G = 2, H = 2, I = 2, J = 2, P = 8, Q = 32];

// Ten loops with the packet, nine of them in Time: a command for each of two values, twice.
#[device(chip = 1)]
fn reversed(
    ctx: &mut Context,
    input: &HbmTensor<i8, m![1], m![S, A, B, C, D, E, F, G, H, I, P]>,
) -> HbmTensor<i8, m![1], m![S, I, H, G, F, E, D, C, B, A, P]> {
    let dm = input.to_dm::<m![1 # 2], m![S], m![A, B, C, D, E, F, G, H, I, P]>(&mut ctx.tdma, 0);
    let out: DmTensor<i8, m![1], m![1 # 2], m![S], m![I, H, G, F, E, D, C, B, A, P]> = ctx
        .main
        .begin(dm.view())
        .fetch::<i8, m![I, H, G, F, E, D, C, B, A], m![P]>()
        .collect::<m![I, H, G, F, E, D, C, B, A], m![P # 32]>()
        .commit(0x10000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// Nine loops in all.
#[device(chip = 1)]
fn nine(
    ctx: &mut Context,
    input: &HbmTensor<i8, m![1], m![S, A, B, C, D, E, F, G, H, Q]>,
) -> HbmTensor<i8, m![1], m![S, H, G, F, E, D, C, B, A, Q]> {
    let dm = input.to_dm::<m![1 # 2], m![S], m![A, B, C, D, E, F, G, H, Q]>(&mut ctx.tdma, 0);
    let out: DmTensor<i8, m![1], m![1 # 2], m![S], m![H, G, F, E, D, C, B, A, Q]> = ctx
        .main
        .begin(dm.view())
        .fetch::<i8, m![H, G, F, E, D, C, B, A], m![Q]>()
        .collect::<m![H, G, F, E, D, C, B, A], m![Q]>()
        .commit(0x10000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// The fetch is straight, and the commit is not.
#[device(chip = 1)]
fn written(
    ctx: &mut Context,
    input: &HbmTensor<i8, m![1], m![S, A, B, C, D, E, F, G, H, Q]>,
) -> HbmTensor<i8, m![1], m![S, H, G, F, E, D, C, B, A, Q]> {
    let dm = input.to_dm::<m![1 # 2], m![S], m![A, B, C, D, E, F, G, H, Q]>(&mut ctx.tdma, 0);
    let out: DmTensor<i8, m![1], m![1 # 2], m![S], m![H, G, F, E, D, C, B, A, Q]> = ctx
        .main
        .begin(dm.view())
        .fetch::<i8, m![A, B, C, D, E, F, G, H], m![Q]>()
        .collect::<m![A, B, C, D, E, F, G, H], m![Q]>()
        .commit(0x10000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// Into a part of a tensor, from a part of one.
#[device(chip = 1)]
fn of_tiles(
    ctx: &mut Context,
    input: &HbmTensor<i8, m![1], m![S, J, A, B, C, D, E, F, G, H, Q]>,
) -> HbmTensor<i8, m![1], m![S, H, G, F, E, D, C, B, J, A, Q]> {
    let dm = input.to_dm::<m![1 # 2], m![S], m![J, A, B, C, D, E, F, G, H, Q]>(&mut ctx.tdma, 0);
    let mut out =
        unsafe { DmTensor::<i8, m![1], m![1 # 2], m![S], m![H, G, F, E, D, C, B, J, A, Q]>::from_addr(0x10000) };
    for j in 0..2 {
        ctx.main
            .begin(dm.view().tile::<m![J], 1, m![1 # 2, A, B, C, D, E, F, G, H, Q]>(j))
            .fetch::<i8, m![H, G, F, E, D, C, B, A], m![Q]>()
            .collect::<m![H, G, F, E, D, C, B, A], m![Q]>()
            .commit_view(out.view_mut().tile::<m![J], 1, m![H, G, F, E, D, C, B, 1 # 2, A, Q]>(j));
    }
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}
