// The output has room for one row only, so there is nothing to scatter over.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

#[device(chip = 1)]
fn store(
    ctx: &mut Context,
    data: &HbmTensor<i32, m![1], m![S, A]>,
    index: &HbmTensor<i32, m![1], m![S]>,
    table: &mut HbmTensor<i32, m![1], m![A]>,
) {
    let dm = data.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    dm.dma_scatter::<m![S], _, _>(index, table, false); // expect error: E0563 the output has no axis to scatter over
}
