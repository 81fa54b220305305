// A buffer lists only what is there: 63 values for 64 positions, 5 for 8.
use furiosa_visa_std::prelude::*;

axes![A = 7, B = 9, E = 5];

#[test]
fn trailing_padding() {
    let values: Vec<Opt<i8>> = (0..63).map(|x| Opt::Init(x as i8)).collect();
    let tensor = HostTensor::<i8, m![[A, B] # 64]>::from_buf(values.clone());
    assert_eq!(tensor.to_buf().len(), 63);
    assert_eq!(tensor.to_buf(), values);
}

#[test]
fn padding_in_rows() {
    let tensor = HostTensor::<i32, m![A, E # 8]>::from_buf((0..35).map(Opt::Init).collect());
    assert_eq!(tensor.to_buf()[34], Opt::Init(34));
    let plain: Tensor<i32, m![A, E]> = tensor.into_inner().transpose(false);
    assert_eq!(plain.to_buf(), (0..35).map(Opt::Init).collect::<Vec<_>>());
}

#[tokio::test]
async fn padding_in_hbm() {
    let mut ctx = Context::acquire();
    let host = HostTensor::<i32, m![A, E]>::from_buf((0..35).map(Opt::Init).collect());
    let hbm = host.to_hbm::<m![1], m![A # 8, E # 8]>(&mut ctx.pdma, 0).await;
    let back = hbm.to_host::<m![A, E]>(&mut ctx.pdma).await;
    assert_eq!(back.to_buf(), host.to_buf());
}
