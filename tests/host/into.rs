//! A tensor of the host becomes one that can be sent.

use furiosa_visa_std::prelude::*;

axes![A = 8];

#[tokio::test]
async fn a_tensor_is_sent_after_into() {
    let mut ctx = Context::acquire();
    let sum: Tensor<i32, m![A]> = Tensor::from_buf((0..8).map(|x| Opt::Init(x * x)).collect());
    let host: HostTensor<i32, m![A]> = sum.into();
    let there = host.to_hbm::<m![1], m![A]>(&mut ctx.pdma, 0).await;
    let back = there.to_host::<m![A]>(&mut ctx.pdma).await;
    assert_eq!(back.to_buf()[3], Opt::Init(9));
}
