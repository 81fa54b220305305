// Three entries of the index, then padding, against four keys: no loops walk both.
use furiosa_visa_std::prelude::*;

axes![S = 256, K = 4, A = 8, V = 1024, J = 400, I = 3];

#[device(chip = 1)]
fn store(
    ctx: &mut Context,
    data: &HbmTensor<i32, m![1], m![S, K, A]>,
    index: &HbmTensor<i32, m![1], m![J, I # 4]>,
    table: &mut HbmTensor<i32, m![1], m![V, A]>,
) {
    let dm = data.to_dm::<m![1 # 2], m![S], m![K, A]>(&mut ctx.tdma, 0);
    dm.dma_scatter::<m![S, K], _, _>(index, table, false); // expect error: E0564 padding between entries
}
