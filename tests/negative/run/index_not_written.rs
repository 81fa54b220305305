// command: run --random 1
// The index tensor is lent to be written, and nobody writes it.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8, V = 1024];

#[device(chip = 1)]
fn by_row(
    ctx: &mut Context,
    rows: &HbmTensor<i32, m![1], m![S, A]>,
    index: &mut HbmTensor<i32, m![1], m![S]>, // expect warning: E0576 as check says
    table: &mut HbmTensor<i32, m![1], m![V, A]>,
) {
    let dm = rows.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    dm.dma_scatter::<m![S], _, _>(index, table, false); // expect error: E0903 index
}
