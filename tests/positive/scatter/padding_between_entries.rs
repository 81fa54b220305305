// Padding between the entries of an index is stepped over: by keys of one axis, or of as many.
use furiosa_visa_std::prelude::*;

axes![S = 256, K = 4, A = 8, V = 1024, J = 400, I = 3, M = 256];

#[device(chip = 1)]
fn of_one_axis(
    ctx: &mut Context,
    data: &HbmTensor<i32, m![1], m![S, A]>,
    index: &HbmTensor<i32, m![1], m![J, I # 4]>,
    table: &mut HbmTensor<i32, m![1], m![V, A]>,
) {
    let dm = data.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    dm.dma_scatter::<m![S], _, _>(index, table, false);
}

#[device(chip = 1)]
fn of_as_many(
    ctx: &mut Context,
    data: &HbmTensor<i32, m![1], m![S, K, A]>,
    index: &HbmTensor<i32, m![1], m![M, K # 8]>,
    table: &mut HbmTensor<i32, m![1], m![V, A]>,
) {
    let dm = data.to_dm::<m![1 # 2], m![S], m![K, A]>(&mut ctx.tdma, 0);
    dm.dma_scatter::<m![S, K], _, _>(index, table, true);
}

#[device(chip = 1)]
fn half_bytes(
    ctx: &mut Context,
    data: &HbmTensor<i4, m![1], m![S, A # 16]>,
    index: &HbmTensor<i32, m![1], m![S]>,
    table: &mut HbmTensor<i4, m![1], m![V, A]>,
) {
    let dm = data.to_dm::<m![1 # 2], m![S], m![A # 16]>(&mut ctx.tdma, 0);
    dm.dma_scatter::<m![S], _, _>(index, table, false);
}
