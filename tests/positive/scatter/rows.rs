// Rows are written where an index tensor says, addressed by row number or by byte.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8, V = 1024];

#[device(chip = 1)]
fn by_row(
    ctx: &mut Context,
    rows: &HbmTensor<i32, m![1], m![S, A]>,
    index: &HbmTensor<i32, m![1], m![S]>,
    table: &mut HbmTensor<i32, m![1], m![V, A]>,
) {
    let dm = rows.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    dm.dma_scatter::<m![S], _, _>(index, table, false);
}

#[device(chip = 1)]
fn by_byte(
    ctx: &mut Context,
    rows: &HbmTensor<i32, m![1], m![S, A]>,
    index: &HbmTensor<i32, m![1], m![S]>,
    table: &mut HbmTensor<i32, m![1], m![V, A]>,
) {
    let dm = rows.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    dm.dma_scatter::<m![S], _, _>(index, table, true);
}
