//! A million elements: what must not take long.

use furiosa_visa_std::prelude::*;
use rand::SeedableRng;
use rand::rngs::SmallRng;

axes![N = 1048576, R = 1024, C = 1024];

type Chip = m![1];
type Cluster = m![1 # 2];
type Slice = m![N / 4096];
type Element = m![N % 4096];

#[device(chip = 1)]
fn affine(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![N]>) -> HbmTensor<i32, Chip, m![N]> {
    let dm = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let y: DmTensor<i32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(dm.view())
        .fetch::<i32, m![N / 8 % 512], m![N % 8]>()
        .collect::<m![N / 8 % 512], m![N % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::MulInt, 5)
        .vector_fxp(FxpBinaryOp::AddFxp, -3)
        .vector_final()
        .commit(0x8000);
    y.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn turned(ctx: &mut Context, x: &HbmTensor<i8, Chip, m![R, C]>) -> HbmTensor<i8, Chip, m![R / 4, C, R % 4]> {
    let dm = x.to_dm::<Cluster, m![R / 4], m![R % 4, C]>(&mut ctx.tdma, 0);
    let back = dm.to_hbm::<m![R, C]>(&mut ctx.tdma, 1 << 28);
    back.to_hbm(&mut ctx.tdma, 2 << 28)
}

#[tokio::test]
async fn a_million_integers() {
    let mut ctx = Context::acquire();
    let x = HostTensor::<i32, m![N]>::from_buf((0..<m![N]>::SIZE).map(|i| Opt::Init(i as i32)).collect());
    let x_hbm = x.to_hbm(&mut ctx.pdma, 0).await;
    let y = launch(affine, (&mut *ctx, &x_hbm)).await.to_host::<m![N]>(&mut ctx.pdma).await;
    let want = x.into_inner().map(|v| v.map(|v| v * 5 - 3));
    assert_eq!(y.to_buf(), want.to_buf());
}

#[tokio::test]
async fn a_million_random_integers() {
    let mut ctx = Context::acquire();
    let mut rng = SmallRng::seed_from_u64(42);
    let x = HostTensor::<i32, m![N]>::rand(&mut rng);
    let x_hbm = x.to_hbm(&mut ctx.pdma, 0).await;
    let y = launch(affine, (&mut *ctx, &x_hbm)).await.to_host::<m![N]>(&mut ctx.pdma).await.to_buf();
    let x = x.to_buf();
    let wrong = (0..y.len()).find(|&i| y[i] != x[i].map(|v| v.wrapping_mul(5).wrapping_sub(3)));
    assert_eq!(wrong, None);
}

#[tokio::test]
async fn a_million_bytes_change_places() {
    let mut ctx = Context::acquire();
    let x = HostTensor::<i8, m![R, C]>::from_buf((0..1 << 20).map(|i| Opt::Init((i % 251) as i8)).collect());
    let x_hbm = x.to_hbm(&mut ctx.pdma, 0).await;
    let y = launch(turned, (&mut *ctx, &x_hbm)).await.to_host::<m![R, C]>(&mut ctx.pdma).await;
    assert_eq!(y.to_buf(), x.to_buf());
}

#[test]
fn a_million_elements_on_the_host() {
    let t = Tensor::<i32, m![R, C]>::from_buf((0..1 << 20).map(|i| Opt::Init(i & 0xff)).collect());
    let rows: Tensor<i32, m![R]> = t.reduce_add();
    assert!(rows.to_buf().iter().all(|v| *v == Opt::Init(4 * 255 * 128)));
    let turned = t.transpose::<m![C, R]>(false).to_buf();
    assert_eq!(turned[1024], Opt::Init(1));
    let sum: i64 = turned.iter().map(|v| v.unwrap() as i64).sum();
    assert_eq!(sum, 1024 * 4 * 255 * 128);
}

#[test]
fn a_loop_of_a_million_rounds() {
    let mut hash = 0u64;
    for i in 0..1_000_000u64 {
        hash = (hash ^ i).wrapping_mul(0x100_0000_01b3).rotate_left(5);
    }
    assert_eq!(hash, 0x8404_3776_9ddf_97ff);
    let sieve = {
        let mut prime = vec![true; 100_000];
        prime[0] = false;
        prime[1] = false;
        let mut p = 2;
        while p * p < prime.len() {
            if prime[p] {
                for m in (p * p..prime.len()).step_by(p) {
                    prime[m] = false;
                }
            }
            p += 1;
        }
        prime
    };
    assert_eq!(sieve.iter().filter(|p| **p).count(), 9592);
}

fn lent(numbers: &Vec<i32>, at: usize) -> i64 {
    numbers[at] as i64
}

// To lend a list takes no longer for a longer one.
#[test]
fn a_million_integers_are_lent_often() {
    let numbers: Vec<i32> = (0..1048576).collect();
    let sum: i64 = (0..100000).map(|at| lent(&numbers, at)).sum();
    assert_eq!(sum, 4999950000);
}
