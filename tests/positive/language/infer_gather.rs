// A gather takes the layout of its result from the variable and from the return type.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8, V = 1024];

fn rows(
    table: &HbmTensor<i32, m![1], m![V, A]>,
    index: &HbmTensor<i32, m![1], m![S]>,
) -> DmTensor<i32, m![1], m![1 # 2], m![S], m![A]> {
    table.dma_gather(index, 0)
}

#[device(chip = 1)]
fn lookup(
    ctx: &mut Context,
    table: &HbmTensor<i32, m![1], m![V, A]>,
    index: &HbmTensor<i32, m![1], m![S]>,
) -> HbmTensor<i32, m![1], m![S, A]> {
    let _again: DmTensor<i32, m![1], m![1 # 2], m![S], m![A]> = table.dma_gather(index, 0x1000);
    let dm = rows(table, index);
    dm.to_hbm(&mut ctx.tdma, 1 << 28)
}
