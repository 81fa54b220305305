// From the host to HBM every axis needs a place.
use furiosa_visa_std::prelude::*;

axes![A = 64, B = 4];

#[tokio::main]
async fn main() {
    let mut ctx = Context::acquire();
    let host = HostTensor::<i32, m![A, B]>::zero();
    let _hbm = host
        .to_hbm::<m![1], m![A]>(&mut ctx.pdma, 0) // expect error: E0535 axis B of the source is not in the target
        .await;
}
