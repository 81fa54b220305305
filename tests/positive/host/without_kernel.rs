// The host moves data between layouts of HBM without any kernel, over either DMA.
use furiosa_visa_std::prelude::*;

axes![A = 4, B = 8];

#[tokio::test]
async fn relayout() {
    let mut ctx = Context::acquire();
    let host = HostTensor::<i16, m![A, B]>::from_buf((0..32).map(|x| Opt::Init(x as i16)).collect());
    let rows = host.to_hbm::<m![1], m![A, B]>(&mut ctx.pdma, 0).await;
    let columns = rows.to_hbm::<{ Dma::Tensor }, m![B, A]>(&mut ctx.tdma, 1 << 20);
    let padded: HbmTensor<i16, m![1], m![B # 16, A]> = columns.to_hbm(&mut ctx.pdma, 2 << 20);
    let back = padded.to_host::<m![A, B]>(&mut ctx.pdma).await;
    assert_eq!(back.to_buf(), host.to_buf());
    let view = rows.view().tile::<m![A], 1, m![1 # 4, B]>(2);
    assert_eq!(view.address(), rows.address());
}
