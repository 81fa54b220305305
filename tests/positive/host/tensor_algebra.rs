// Expected values computed on the host: element by element, reduced, relaid, contracted.
use furiosa_visa_std::prelude::*;

axes![A = 4, B = 8, C = 2];

fn counting() -> Tensor<i32, m![A, B]> {
    Tensor::from_buf((0..32).map(Opt::Init).collect())
}

#[test]
fn element_by_element() {
    let x = counting();
    let squares = x.zip_with(&x, |a, b| a * b);
    assert_eq!(squares.to_buf()[5], Opt::Init(25));
    let halves: Tensor<f32, m![A, B]> = x.map(|v| v.map(|n| n as f32 / 2.0));
    assert_eq!(halves.to_buf()[3], Opt::Init(1.5));
}

#[test]
fn reductions() {
    let rows: Tensor<i32, m![A]> = counting().reduce_add();
    assert_eq!(rows.to_buf(), [28, 92, 156, 220].map(Opt::Init).to_vec());
    let largest: Tensor<i32, m![B]> = counting().reduce(|a, b| a.zip_map(b, |x, y| x.max(y)), Opt::Init(i32::MIN));
    assert_eq!(largest.to_buf()[0], Opt::Init(24));
}

#[test]
fn new_layouts() {
    let turned = Tensor::<i32, m![B, A]>::from_buf(counting().transpose::<m![B, A]>(false).to_buf());
    assert_eq!(turned.to_buf()[1], Opt::Init(8));
    let bias: Tensor<i32, m![B]> = Tensor::from_buf((0..8).map(|x| Opt::Init(x * 100)).collect());
    let shifted = counting().zip_with(&bias.transpose(true), |a, b| a + b);
    assert_eq!(shifted.to_buf()[9], Opt::Init(109));
}

#[test]
fn contraction() {
    let left = counting();
    let right: Tensor<i32, m![C, B]> = Tensor::from_buf((0..16).map(|x| Opt::Init(x / 8 + 1)).collect());
    let product: Tensor<_, m![A, C]> = Tensor::contraction::<m![A, B, C], _, _>(&left, &right);
    assert_eq!(product.to_buf()[..2], [Opt::Init(28), Opt::Init(56)]);
}

#[test]
fn host_and_tensor() {
    let host: HostTensor<i32, m![A, B]> = counting().into();
    let same = host.clone().into_inner();
    assert_eq!(same.to_buf(), host.to_buf());
}
