use crate::common::Shape;
use furiosa_visa_std::prelude::*;
use rand::SeedableRng;
use rand::rngs::SmallRng;
use vectors::kernels::scale::scale;
use vectors::shapes::wide::*;

async fn scaled(factor: i32, seed: u64) -> (Vec<Opt<i32>>, Vec<Opt<i32>>) {
    let mut ctx = Context::acquire();
    let mut rng = SmallRng::seed_from_u64(seed);
    let x = HostTensor::<i32, m![Rows, Width]>::rand(&mut rng);
    let x_hbm = x.to_hbm(&mut ctx.pdma, 0).await;
    let mut out = unsafe { HbmTensor::from_addr(1 << 28) };
    launch(scale, (&mut *ctx, &x_hbm, factor, &mut out)).await;
    (x.to_buf(), out.to_host::<m![Rows, Width]>(&mut ctx.pdma).await.to_buf())
}

#[tokio::test]
async fn by_three() {
    let (x, y) = scaled(3, 42).await;
    let want: Vec<_> = x.iter().map(|v| v.map(|v| v.wrapping_mul(3))).collect();
    assert_eq!(y, want);
}

#[tokio::test]
async fn by_many_factors() {
    for (i, factor) in [0, -1, 1 << 20, i32::MIN].into_iter().enumerate() {
        let (x, y) = scaled(factor, i as u64).await;
        assert!(x.iter().zip(&y).all(|(x, y)| *x * Opt::Init(factor) == *y), "factor {factor}");
    }
}

#[test]
fn shapes_compare() {
    let shape = Shape { sizes: vec![<m![Rows]>::SIZE, <m![Width]>::SIZE], ..Default::default() };
    assert_eq!(shape.positions(), 8192);
    assert_ne!(shape, Shape { label: "other", ..shape.clone() });
}
