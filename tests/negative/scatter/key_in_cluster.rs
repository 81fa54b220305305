// Rows are looked up by slice and element; a key that is split over clusters is out of reach.
use furiosa_visa_std::prelude::*;

axes![L = 2, S = 256, A = 8, V = 1024];

#[device(chip = 1)]
fn store(
    ctx: &mut Context,
    data: &HbmTensor<i32, m![1], m![L, S, A]>,
    index: &HbmTensor<i32, m![1], m![L]>,
    table: &mut HbmTensor<i32, m![1], m![V, S, A]>,
) {
    let dm = data.to_dm::<m![L], m![S], m![A]>(&mut ctx.tdma, 0);
    dm.dma_scatter::<m![L], _, _>(index, table, false); // expect error: E0561 the key must lie in Slice and Element
}
