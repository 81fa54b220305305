//! Kernels that are launched from tests: data goes to HBM, through the kernel, and back.

use furiosa_visa_std::prelude::*;
use rand::SeedableRng;
use rand::rngs::SmallRng;

axes![N = 4096, S = 256, L = 8, K = 64, W = 16];

type Chip = m![1];
type Cluster = m![1 # 2];

#[device(chip = 1)]
fn add_seven(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![N]>) -> HbmTensor<i32, Chip, m![N]> {
    let dm = x.to_dm::<Cluster, m![N / 16], m![N % 16]>(&mut ctx.tdma, 0);
    let y: DmTensor<i32, Chip, Cluster, m![N / 16], m![N % 16]> = ctx
        .main
        .begin(dm.view())
        .fetch::<i32, m![N / 8 % 2], m![N % 8]>()
        .collect::<m![N / 8 % 2], m![N % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::AddFxp, 7)
        .vector_final()
        .commit(0x1000);
    y.to_hbm(&mut ctx.tdma, 1 << 28)
}

/// The result through an out-parameter.
#[device(chip = 1)]
fn scale_into(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, L]>, out: &mut HbmTensor<i32, Chip, m![S, L]>) {
    let dm = x.to_dm::<Cluster, m![S], m![L]>(&mut ctx.tdma, 0);
    let y: DmTensor<i32, Chip, Cluster, m![S], m![L]> = ctx
        .main
        .begin(dm.view())
        .fetch::<i32, m![1], m![L]>()
        .collect::<m![1], m![L]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::MulInt, 3)
        .vector_final()
        .commit(0x1000);
    y.view().to_hbm_view(&mut ctx.tdma, out.view_mut());
}

#[device(chip = 1)]
fn clip_bytes(ctx: &mut Context, x: &HbmTensor<i8, Chip, m![S, L]>) -> HbmTensor<i8, Chip, m![S, L]> {
    let dm = x.to_dm::<Cluster, m![S], m![L]>(&mut ctx.tdma, 0);
    let y: DmTensor<i8, Chip, Cluster, m![S], m![L]> = ctx
        .main
        .begin(dm.view())
        .fetch::<i32, m![1], m![L]>()
        .collect::<m![1], m![L]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_clip(ClipBinaryOpI32::Max, -10)
        .vector_clip(ClipBinaryOpI32::Min, 10)
        .vector_final()
        .cast::<i8, m![L # 32]>()
        .commit(0x1000);
    y.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn halve(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![S, L]>) -> HbmTensor<f32, Chip, m![S, L]> {
    let dm = x.to_dm::<Cluster, m![S], m![L]>(&mut ctx.tdma, 0);
    let y: DmTensor<f32, Chip, Cluster, m![S], m![L]> = ctx
        .main
        .begin(dm.view())
        .fetch::<f32, m![1], m![L]>()
        .collect::<m![1], m![L]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![L / 4], m![L % 4]>()
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), 0.5f32)
        .vector_concat::<m![1], m![L]>()
        .vector_final()
        .commit(0x1000);
    y.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn copy_bf16(ctx: &mut Context, x: &HbmTensor<bf16, Chip, m![S, W]>) -> HbmTensor<bf16, Chip, m![S, W]> {
    let dm = x.to_dm::<Cluster, m![S], m![W]>(&mut ctx.tdma, 0);
    dm.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn copy_u8(ctx: &mut Context, x: &HbmTensor<u8, Chip, m![N]>) -> HbmTensor<u8, Chip, m![N]> {
    let dm = x.to_dm::<Cluster, m![N / 16], m![N % 16]>(&mut ctx.tdma, 0);
    dm.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn swap_axes(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![K, L]>) -> HbmTensor<i32, Chip, m![L, K]> {
    x.to_hbm(&mut ctx.tdma, 1 << 28)
}

/// A matrix times a vector: i8 products added up in i32.
#[device(chip = 1)]
fn dots(ctx: &mut Context, x: &HbmTensor<i8, Chip, m![S, K]>, w: &HbmTensor<i8, Chip, m![K]>) -> HbmTensor<i32, Chip, m![S]> {
    let x = x.to_dm::<Cluster, m![S], m![K]>(&mut ctx.tdma, 0);
    let w = w.to_dm::<Cluster, m![S], m![K]>(&mut ctx.tdma, 0x1000);
    let w: TrfTensor<i8, Chip, Cluster, m![S], m![1], m![K]> = ctx
        .sub
        .begin(w.view())
        .fetch::<i8, m![1], m![K]>()
        .collect::<m![K / 32], m![K % 32]>()
        .to_trf(TrfAddress::Full);
    let y: DmTensor<i32, Chip, Cluster, m![S], m![1 # 2]> = ctx
        .main
        .begin(x.view())
        .fetch::<i8, m![1], m![K]>()
        .collect::<m![K / 32], m![K % 32]>()
        .align::<m![1], m![K], _, _>(&w)
        .contract::<m![1]>()
        .accumulate::<m![1], m![1 # 8]>(AccumulationKind::Interleaved)
        .commit(0x2000);
    y.to_hbm(&mut ctx.tdma, 2 << 28)
}

fn counted<E: M>() -> HostTensor<i32, E> {
    HostTensor::from_buf((0..E::SIZE).map(|x| Opt::Init(x as i32)).collect())
}

#[tokio::test]
async fn the_mapping_comes_from_the_kernel() {
    let mut ctx = Context::acquire();
    let x = HostTensor::<i32, m![N]>::from_buf((0..<m![N]>::SIZE).map(|i| Opt::Init(i as i32 * 3)).collect::<Vec<_>>());
    let x_hbm = x.to_hbm(&mut ctx.pdma, 0 << 28).await;
    let y_hbm = launch(add_seven, (&mut *ctx, &x_hbm)).await;
    let y = y_hbm.to_host::<m![N]>(&mut ctx.pdma).await.to_buf();
    assert_eq!(y.len(), 4096);
    assert_eq!(y[0], Opt::Init(7));
    assert_eq!(y, (0..4096).map(|i| Opt::Init(3 * i + 7)).collect::<Vec<_>>());
}

#[tokio::test]
async fn the_mapping_is_written_out() {
    let mut ctx = Context::acquire();
    let x_hbm = counted::<m![N]>().to_hbm::<Chip, m![N]>(&mut ctx.pdma, 0x4000_0000).await;
    assert_eq!(x_hbm.address(), 0x4000_0000);
    let y = launch(add_seven, (&mut *ctx, &x_hbm)).await.to_host::<m![N]>(&mut ctx.pdma).await;
    assert_eq!(y.to_buf()[4095].unwrap(), 4102);
}

#[tokio::test]
async fn the_context_is_borrowed_in_two_ways() {
    let mut ctx = Context::acquire();
    let x = counted::<m![N]>().to_hbm(&mut ctx.pdma, 0).await;
    let once = launch(add_seven, (&mut *ctx, &x)).await;
    let twice = launch(add_seven, (&mut ctx, &once)).await;
    assert_eq!(twice.to_host::<m![N]>(&mut ctx.pdma).await.to_buf()[1], Opt::Init(15));
}

#[tokio::test]
async fn results_through_an_output_parameter() {
    let mut ctx = Context::acquire();
    let x: HbmTensor<i32, Chip, m![S, L]> = counted::<m![S, L]>().to_hbm(&mut ctx.pdma, 0 << 28).await;
    let mut out = unsafe { HbmTensor::<i32, Chip, m![S, L]>::from_addr(1 << 28) };
    launch(scale_into, (&mut *ctx, &x, &mut out)).await;
    let got = out.to_host::<m![S, L]>(&mut ctx.pdma).await.to_buf();
    let want: Vec<_> = (0..2048).map(|v| Opt::Init(v * 3)).collect();
    assert_eq!(got, want, "each value is three times its index");
}

#[tokio::test]
async fn an_output_nobody_wrote_has_no_values() {
    let mut ctx = Context::acquire();
    let out = unsafe { HbmTensor::<i8, Chip, m![L]>::from_addr(1 << 20) };
    let got = out.to_host::<m![L]>(&mut ctx.pdma).await;
    assert_eq!(got.to_buf(), vec![Opt::Uninit; 8]);
}

#[tokio::test]
async fn bytes_wrap_on_their_way_in() {
    let mut ctx = Context::acquire();
    let x = HostTensor::<i8, m![S, L]>::from_buf((0..<m![S, L]>::SIZE).map(|x| Opt::Init(x as i8)).collect());
    let x_hbm = x.to_hbm(&mut ctx.pdma, 0).await;
    let y = launch(clip_bytes, (&mut *ctx, &x_hbm)).await.to_host::<m![S, L]>(&mut ctx.pdma).await;
    let want = x.into_inner().map(|x| x.map(|v| v.clamp(-10, 10)));
    assert_eq!(y.to_buf(), want.to_buf());
    assert_eq!(y.to_buf()[200], Opt::Init(-10));
}

#[tokio::test]
async fn floats_keep_their_bits() {
    let mut ctx = Context::acquire();
    let special = [f32::NAN, f32::INFINITY, -0.0, 1.0e-38, 3.0, f32::MAX, f32::MIN_POSITIVE, -2.5];
    let x = HostTensor::<f32, m![S, L]>::from_buf((0..2048).map(|i| Opt::Init(special[i % 8])).collect());
    let x_hbm = x.to_hbm(&mut ctx.pdma, 0).await;
    let y = launch(halve, (&mut *ctx, &x_hbm)).await.to_host::<m![S, L]>(&mut ctx.pdma).await.to_buf();
    for (i, v) in y.iter().enumerate() {
        let want = special[i % 8] * 0.5;
        let got = v.unwrap();
        assert!(got.to_bits() == want.to_bits() || (got.is_nan() && want.is_nan()), "{i}: {got} is not {want}");
    }
}

#[tokio::test]
async fn half_floats_travel() {
    let mut ctx = Context::acquire();
    let mut rng = SmallRng::seed_from_u64(42);
    let x = HostTensor::<bf16, m![S, W]>::rand(&mut rng);
    let x_hbm = x.to_hbm(&mut ctx.pdma, 0).await;
    let y = launch(copy_bf16, (&mut *ctx, &x_hbm)).await.to_host::<m![S, W]>(&mut ctx.pdma).await;
    assert_eq!(y.to_buf(), x.to_buf());
}

#[tokio::test]
async fn unsigned_bytes_travel() {
    let mut ctx = Context::acquire();
    let x = HostTensor::<u8, m![N]>::from_buf((0..4096).map(|i| Opt::Init((i % 256) as u8)).collect());
    let x_hbm = x.to_hbm(&mut ctx.pdma, 0).await;
    let y = launch(copy_u8, (&mut *ctx, &x_hbm)).await.to_host::<m![N]>(&mut ctx.pdma).await;
    assert_eq!(x.to_buf(), y.to_buf());
}

#[tokio::test]
async fn axes_change_places() {
    let mut ctx = Context::acquire();
    let x = counted::<m![K, L]>();
    let x_hbm = x.to_hbm(&mut ctx.pdma, 0).await;
    let y = launch(swap_axes, (&mut *ctx, &x_hbm)).await.to_host::<m![L, K]>(&mut ctx.pdma).await;
    assert_eq!(y.to_buf(), x.into_inner().transpose::<m![L, K]>(false).to_buf());
    assert_eq!(y.to_buf()[1], Opt::Init(8));
}

#[tokio::test]
async fn a_contraction_against_the_host() {
    let mut ctx = Context::acquire();
    let mut rng = SmallRng::seed_from_u64(42);
    let x = HostTensor::<i8, m![S, K]>::rand(&mut rng);
    let w = HostTensor::<i8, m![K]>::rand(&mut rng);
    let x_hbm = x.to_hbm(&mut ctx.pdma, 0 << 28).await;
    let w_hbm = w.to_hbm(&mut ctx.pdma, 1 << 28).await;
    let y = launch(dots, (&mut *ctx, &x_hbm, &w_hbm)).await.to_host::<m![S]>(&mut ctx.pdma).await;

    let x = x.into_inner().map(|v| v.map(|v| v as i32));
    let w = w.into_inner().map(|v| v.map(|v| v as i32));
    let want: Tensor<i32, m![S]> = Tensor::contraction::<m![S, K], _, _>(&x, &w);
    assert_eq!(y.to_buf(), want.to_buf());
}

#[tokio::test]
async fn missing_elements_stay_missing() {
    let mut ctx = Context::acquire();
    let mut data: Vec<Opt<i32>> = (0..2048).map(Opt::Init).collect();
    data[5] = Opt::Uninit;
    let x = HostTensor::<i32, m![S, L]>::from_buf(data);
    let x_hbm = x.to_hbm(&mut ctx.pdma, 0).await;
    let mut out = unsafe { HbmTensor::<i32, Chip, m![S, L]>::from_addr(1 << 28) };
    launch(scale_into, (&mut *ctx, &x_hbm, &mut out)).await;
    let got = out.to_host::<m![S, L]>(&mut ctx.pdma).await.to_buf();
    assert_eq!(got[4..7], [Opt::Init(12), Opt::Uninit, Opt::Init(18)]);
}

#[tokio::test]
async fn the_host_may_repeat_a_tensor() {
    let mut ctx = Context::acquire();
    let row = HostTensor::<i32, m![L]>::from_buf((0..8).map(Opt::Init).collect());
    let all = row.to_hbm::<Chip, m![S, L]>(&mut ctx.pdma, 0).await;
    let mut out = unsafe { HbmTensor::from_addr(1 << 28) };
    launch(scale_into, (&mut *ctx, &all, &mut out)).await;
    let got = out.to_host::<m![S, L]>(&mut ctx.pdma).await.to_buf();
    assert!(got.iter().enumerate().all(|(i, v)| *v == Opt::Init(i as i32 % 8 * 3)));
}

#[tokio::test]
async fn without_a_kernel() {
    let mut ctx = Context::acquire();
    let x = counted::<m![K, L]>().to_hbm::<Chip, m![K, L]>(&mut ctx.pdma, 0).await;
    let y = x.to_hbm::<{ Dma::Tensor }, m![L, K]>(&mut ctx.tdma, 1 << 28);
    let z = y.to_hbm::<{ Dma::Pcie }, m![L / 2, K, L % 2]>(&mut ctx.pdma, 2 << 28);
    let got = z.to_host::<m![K, L]>(&mut ctx.pdma).await;
    assert_eq!(got.to_buf(), counted::<m![K, L]>().to_buf());
    assert_eq!(z.address(), 2 << 28);
    assert_eq!(HbmTensor::<i32, Chip, m![K, L]>::size(), 2048);
}

async fn roundtrip(ctx: &mut Context, values: Vec<Opt<i32>>) -> Vec<Opt<i32>> {
    let x = HostTensor::<i32, m![N]>::from_buf(values).to_hbm(&mut ctx.pdma, 0).await;
    launch(add_seven, (&mut *ctx, &x)).await.to_host::<m![N]>(&mut ctx.pdma).await.to_buf()
}

#[tokio::test]
async fn helpers_are_async_too() {
    let mut ctx = Context::acquire();
    let once = roundtrip(&mut ctx, (0..4096).map(Opt::Init).collect()).await;
    let twice = roundtrip(&mut *ctx, once.clone()).await;
    for (a, b) in once.iter().zip(&twice) {
        assert_eq!(*a + Opt::Init(7), *b);
    }
}

#[tokio::test]
async fn launched_in_a_loop() {
    let mut ctx = Context::acquire();
    let mut x = counted::<m![N]>().to_hbm::<Chip, m![N]>(&mut ctx.pdma, 0).await;
    for _ in 0..5 {
        x = launch(add_seven, (&mut *ctx, &x)).await;
    }
    assert_eq!(x.to_host::<m![N]>(&mut ctx.pdma).await.to_buf()[100], Opt::Init(135));
}

#[tokio::test]
async fn the_guard_is_given_back() {
    {
        let mut ctx = Context::acquire();
        let _ = roundtrip(&mut ctx, vec![Opt::Init(1); 4096]).await;
    }
    let mut ctx = Context::acquire();
    let second = roundtrip(&mut ctx, vec![Opt::Init(2); 4096]).await;
    assert_eq!(second[17], Opt::Init(9));
    drop(ctx);
    let _again = Context::acquire();
}

#[tokio::test]
async fn wrapping_in_the_engine_and_on_the_host() {
    let mut ctx = Context::acquire();
    let edge: Vec<Opt<i32>> = (0..4096).map(|i| Opt::Init(i32::MAX - (i % 16))).collect();
    let got = roundtrip(&mut ctx, edge.clone()).await;
    let want: Vec<_> = edge.iter().map(|x| x.map(|v| v.wrapping_add(7))).collect();
    assert_eq!(got, want);
    assert_eq!(got[0], Opt::Init(i32::MIN + 6));
}

#[test]
fn a_runtime_of_ones_own() {
    let rt = tokio::runtime::Runtime::new().unwrap();
    let first = rt.block_on(async {
        let mut ctx = Context::acquire();
        roundtrip(&mut ctx, vec![Opt::Init(0); 4096]).await[0]
    });
    assert_eq!(first, Opt::Init(7));
}
