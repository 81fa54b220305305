// Only whole HBM tensors go back to the host.
use furiosa_visa_std::prelude::*;

axes![A = 4, B = 8];

#[tokio::main]
async fn main() {
    let mut ctx = Context::acquire();
    let host = HostTensor::<i32, m![A, B]>::zero();
    let hbm: HbmTensor<i32, m![1], m![A, B]> = host.to_hbm(&mut ctx.pdma, 0).await;
    let _row = hbm
        .view()
        .to_host::<m![A, B]>(&mut ctx.pdma) // expect error: E0434 no to_host on a view
        .await;
}
