// A stream is committed into a part of a larger tensor, whose room its time keeps, and straight from a fetch.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 16, B = 32];

fn rows<'l, const T: Tu>(
    input: CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![A % 4], m![B]>,
    target: DmTensorViewMut<'l, i8, m![1], m![1 # 2], m![S], m![A % 4, B]>,
) {
    input.commit_view(target);
}

fn straight_from_fetch<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![A], m![B]>,
) -> DmTensor<i8, m![1], m![1 # 2], m![S], m![A, B]> {
    input.commit(0)
}

#[device(chip = 1)]
fn by_quarters(ctx: &mut Context, input: &HbmTensor<i8, m![1], m![S, A, B]>) -> HbmTensor<i8, m![1], m![S, A, B]> {
    let dm = input.to_dm::<m![1 # 2], m![S], m![A, B]>(&mut ctx.tdma, 0);
    let mut out = unsafe { DmTensor::<i8, m![1], m![1 # 2], m![S], m![A, B]>::from_addr(0x1000) };
    for quarter in 0..4 {
        ctx.main
            .begin(dm.view().tile::<m![A / 4], 1, m![1 # 4, A % 4, B]>(quarter))
            .fetch::<i8, m![1 # 4, A % 4], m![B]>()
            .collect::<m![1 # 4, A % 4], m![B]>()
            .commit_view(out.view_mut().tile::<m![A / 4], 1, m![1 # 4, A % 4, B]>(quarter));
    }
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}
