// Seven elements of half a byte are no whole bytes.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 7, V = 1024];

#[device(chip = 1)]
fn store(
    ctx: &mut Context,
    data: &HbmTensor<i4, m![1], m![S, A # 16]>,
    index: &HbmTensor<i32, m![1], m![S]>,
    table: &mut HbmTensor<i4, m![1], m![V, A # 8]>,
    dense: &mut HbmTensor<i4, m![1], m![V, A]>,
    uneven: &mut HbmTensor<i4, m![1], m![V, A # 9]>,
) {
    let dm = data.to_dm::<m![1 # 2], m![S], m![A # 16]>(&mut ctx.tdma, 0);
    dm.dma_scatter::<m![S], _, _>(index, table, false);
    dm.dma_scatter::<m![S], _, _>(index, dense, false); // expect error: E0537 runs of 3.5 bytes
    dm.dma_scatter::<m![S], _, _>(index, uneven, false); // expect error: E0538 9 elements apart
}
