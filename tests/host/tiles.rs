//! Products and sums in parts: zero points, tiles of the weights, chips in a ring, tables and ids.

use furiosa_visa_std::prelude::*;

axes![Z = 4, K = 256, N = 32, M = 1024, Q = 8, I = 2, S = 256, A = 32];

type Chip = m![1];
type Cluster = m![1 # 2];
type Slice = m![M / 4];

// (x - zx) * (w - zw), with both zero points taken off while fetching.
#[device(chip = 1)]
fn zero_point_gemm(
    ctx: &mut Context,
    x: &HbmTensor<i8, Chip, m![M, K]>,
    w: &HbmTensor<i8, Chip, m![N, K]>,
) -> HbmTensor<i32, Chip, m![M, N]> {
    let x = x.to_dm::<Cluster, Slice, m![M % 4, K]>(&mut ctx.tdma, 0);
    let w = w.to_dm::<Cluster, Slice, m![N, K]>(&mut ctx.tdma, 0x2000);
    let w: TrfTensor<i8, Chip, Cluster, Slice, m![N / 4], m![N % 4, K]> = ctx
        .sub
        .begin(w.view())
        .fetch_with_zero_point::<i8, m![N], m![K]>(3)
        .collect::<m![N, K / 32], m![K % 32]>()
        .to_trf(TrfAddress::Full);
    let y: DmTensor<i32, Chip, Cluster, Slice, m![M % 4, N % 4, N / 4]> = ctx
        .main
        .begin(x.view())
        .fetch_with_zero_point::<i8, m![M % 4], m![K]>(-5)
        .collect::<m![M % 4, K / 32], m![K % 32]>()
        .align::<m![M % 4, K / 32, N % 4], m![K % 32 # 64], _, _>(&w)
        .contract::<m![1]>()
        .accumulate::<m![M % 4, N % 4], m![N / 4]>(AccumulationKind::Interleaved)
        .commit(0x4000);
    y.to_hbm(&mut ctx.tdma, 2 << 28)
}

#[tokio::test]
async fn zero_points() {
    let x = |m: usize, k: usize| ((m * 7 + k * 13) % 100) as i8 - 50;
    let w = |n: usize, k: usize| ((n * 29 + k * 5) % 90) as i8 - 45;
    let mut ctx = Context::acquire();
    let xs = HostTensor::<i8, m![M, K]>::from_buf((0..1024 * 256).map(|e| Opt::Init(x(e / 256, e % 256))).collect())
        .to_hbm(&mut ctx.pdma, 0)
        .await;
    let ws = HostTensor::<i8, m![N, K]>::from_buf((0..32 * 256).map(|e| Opt::Init(w(e / 256, e % 256))).collect())
        .to_hbm(&mut ctx.pdma, 1 << 28)
        .await;
    let out = launch(zero_point_gemm, (&mut *ctx, &xs, &ws)).await.to_host::<m![M, N]>(&mut ctx.pdma).await.to_buf();
    for m in [0, 1, 77, 1023] {
        for n in 0..32 {
            let sum: i32 = (0..256).map(|k| (x(m, k) as i32 + 5) * (w(n, k) as i32 - 3)).sum();
            assert_eq!(out[m * 32 + n].unwrap(), sum, "{m} {n}");
        }
    }
}

fn add(
    ctx: &mut Context,
    x: &DmTensor<i32, m![Z], Cluster, m![S], m![A]>,
    y: &DmTensor<i32, m![Z], Cluster, m![S], m![A]>,
    address: u64,
) -> DmTensor<i32, m![Z], Cluster, m![S], m![A]> {
    ctx.main
        .begin_interleaved::<I, _, _, _, _, _>(x.view(), y.view())
        .fetch::<i32, m![A / 8, I], m![A % 8]>()
        .collect::<m![A / 8, I], m![A % 8]>()
        .vector_init()
        .vector_intra_slice_unzip::<I, m![A / 8, 1 # 2], m![A / 8]>()
        .vector_fxp_zip(FxpBinaryOp::AddFxp)
        .vector_final()
        .commit(address)
}

// Every chip ends with the sum of all: a ring of three turns.
#[device(chip = 4)]
fn all_reduce(ctx: &mut Context, x: &HbmTensor<i32, m![Z], m![S, A]>) -> HbmTensor<i32, m![Z], m![S, A]> {
    let own = x.to_dm::<Cluster, m![S], m![A]>(&mut ctx.tdma, 0x1000);
    let mut sum = own.to_dm::<m![S], m![A]>(&mut ctx.tdma, 0x2000);
    for turn in 1..4usize {
        let pattern = [turn % 4, (1 + turn) % 4, (2 + turn) % 4, (3 + turn) % 4];
        let other = ctx.tdma.dm_chip_shuffle::<_, 4, _, _, _, _>(own.view(), &pattern);
        sum = add(ctx, &sum, &other, if turn % 2 == 1 { 0x3000 } else { 0x2000 });
    }
    sum.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[tokio::test]
async fn all_chips_have_the_sum() {
    let mut ctx = Context::acquire();
    let x = HostTensor::<i32, m![Z, S, A]>::from_buf((0..4 * 256 * 32).map(Opt::Init).collect())
        .to_hbm(&mut ctx.pdma, 0)
        .await;
    let out = launch(all_reduce, (&mut *ctx, &x)).await.to_host::<m![Z, S, A]>(&mut ctx.pdma).await.to_buf();
    for (e, v) in out.iter().enumerate() {
        let i = (e % 8192) as i32;
        assert_eq!(*v, Opt::Init(4 * i + 6 * 8192));
    }
}

// Weights come in tiles of K, into the two halves of the TRF in turn, while the sums grow.
#[device(chip = 1)]
fn double_buffered(
    ctx: &mut Context,
    x: &HbmTensor<i8, Chip, m![M, K]>,
    w: &HbmTensor<i8, Chip, m![Q, K]>,
) -> HbmTensor<i32, Chip, m![M, Q]> {
    let x = x.to_dm::<Cluster, m![M / 4], m![M % 4, K]>(&mut ctx.tdma, 0);
    let mut total: DmTensor<i32, Chip, Cluster, m![M / 4], m![M % 4, Q]> = unsafe { DmTensor::from_addr(0x8000) };
    for i in 0..4usize {
        let tile = w.view().tile::<m![K / 64], 1, m![Q, 1 # 4, K % 64]>(i);
        let w: DmTensor<i8, Chip, Cluster, m![M / 4], m![Q, K % 64]> = tile.to_dm(&mut ctx.tdma, 0x2000 + 0x1000 * (i as u64 % 2));
        let half = if i % 2 == 0 { TrfAddress::FirstHalf } else { TrfAddress::SecondHalf };
        let w: TrfTensor<i8, Chip, Cluster, m![M / 4], m![Q], m![K % 64]> = ctx
            .sub
            .begin(w.view())
            .fetch::<i8, m![Q], m![K % 64]>()
            .collect::<m![Q, K % 64 / 32], m![K % 32]>()
            .to_trf(half);
        let part: DmTensor<i32, Chip, Cluster, m![M / 4], m![M % 4, Q]> = ctx
            .main
            .begin(x.view().tile::<m![K / 64], 1, m![M % 4, 1 # 4, K % 64]>(i))
            .fetch::<i8, m![M % 4], m![K % 64]>()
            .collect::<m![M % 4, K % 64 / 32], m![K % 32]>()
            .align::<m![M % 4], m![K % 64], _, _>(&w)
            .contract::<m![1]>()
            .accumulate::<m![M % 4], m![Q]>(AccumulationKind::Interleaved)
            .commit(0x4000 + 0x1000 * (i as u64 % 2));
        if i == 0 {
            total = part;
        } else {
            total = ctx
                .main
                .begin_interleaved::<I, _, _, _, _, _>(total.view(), part.view())
                .fetch::<i32, m![M % 4, I], m![Q]>()
                .collect::<m![M % 4, I], m![Q]>()
                .vector_init()
                .vector_intra_slice_unzip::<I, m![M % 4, 1 # 2], m![M % 4]>()
                .vector_clip_zip(ClipBinaryOpI32::AddFxp)
                .vector_final()
                .commit(0x6000 + 0x1000 * (i as u64 % 2));
        }
    }
    total.to_hbm(&mut ctx.tdma, 2 << 28)
}

#[tokio::test]
async fn tiles_add_up() {
    let x = |m: usize, k: usize| ((m * 7 + k * 13) % 100) as i8 - 50;
    let w = |n: usize, k: usize| ((n * 29 + k * 5) % 90) as i8 - 45;
    let mut ctx = Context::acquire();
    let xs = HostTensor::<i8, m![M, K]>::from_buf((0..1024 * 256).map(|e| Opt::Init(x(e / 256, e % 256))).collect())
        .to_hbm(&mut ctx.pdma, 0)
        .await;
    let ws = HostTensor::<i8, m![Q, K]>::from_buf((0..8 * 256).map(|e| Opt::Init(w(e / 256, e % 256))).collect())
        .to_hbm(&mut ctx.pdma, 1 << 28)
        .await;
    let out = launch(double_buffered, (&mut *ctx, &xs, &ws)).await.to_host::<m![M, Q]>(&mut ctx.pdma).await.to_buf();
    for m in [0, 1, 77, 1023] {
        for n in 0..8 {
            let sum: i32 = (0..256).map(|k| x(m, k) as i32 * w(n, k) as i32).sum();
            assert_eq!(out[m * 8 + n].unwrap(), sum, "{m} {n}");
        }
    }
}

// Weights stored [K, N] are turned round in the Transpose Engine before they are loaded.
#[device(chip = 1)]
fn transposed_weights(
    ctx: &mut Context,
    x: &HbmTensor<i8, Chip, m![M, K % 64]>,
    w: &HbmTensor<i8, Chip, m![K % 64, Q]>,
) -> HbmTensor<i32, Chip, m![M, Q]> {
    let x = x.to_dm::<Cluster, m![M / 4], m![M % 4, K % 64]>(&mut ctx.tdma, 0);
    let w = w.to_dm::<Cluster, m![M / 4], m![K % 64, Q]>(&mut ctx.tdma, 0x1000);
    let w: DmTensor<i8, Chip, Cluster, m![M / 4], m![K % 64 / 8, Q, K % 8]> = ctx
        .main
        .begin(w.view())
        .fetch::<i8, m![K % 64], m![Q]>()
        .collect::<m![K % 64], m![Q # 32]>()
        .transpose::<m![K % 64 / 8, Q], m![K % 8 # 32]>()
        .commit(0x2000);
    let w: TrfTensor<i8, Chip, Cluster, m![M / 4], m![Q], m![K % 64]> = ctx
        .sub
        .begin(w.view())
        .fetch::<i8, m![Q, K % 64 / 32], m![K % 32]>()
        .collect::<m![Q, K % 64 / 32], m![K % 32]>()
        .to_trf(TrfAddress::Full);
    let y: DmTensor<i32, Chip, Cluster, m![M / 4], m![M % 4, Q]> = ctx
        .main
        .begin(x.view())
        .fetch::<i8, m![M % 4], m![K % 64]>()
        .collect::<m![M % 4, K % 64 / 32], m![K % 32]>()
        .align::<m![M % 4], m![K % 64], _, _>(&w)
        .contract::<m![1]>()
        .accumulate::<m![M % 4], m![Q]>(AccumulationKind::Interleaved)
        .commit(0x3000);
    y.to_hbm(&mut ctx.tdma, 2 << 28)
}

#[tokio::test]
async fn weights_turn_round() {
    let x = |m: usize, k: usize| ((m * 7 + k * 13) % 100) as i8 - 50;
    let w = |k: usize, n: usize| ((n * 29 + k * 5) % 90) as i8 - 45;
    let mut ctx = Context::acquire();
    let xs = HostTensor::<i8, m![M, K % 64]>::from_buf((0..1024 * 64).map(|e| Opt::Init(x(e / 64, e % 64))).collect())
        .to_hbm(&mut ctx.pdma, 0)
        .await;
    let ws = HostTensor::<i8, m![K % 64, Q]>::from_buf((0..8 * 64).map(|e| Opt::Init(w(e / 8, e % 8))).collect())
        .to_hbm(&mut ctx.pdma, 1 << 28)
        .await;
    let out = launch(transposed_weights, (&mut *ctx, &xs, &ws))
        .await
        .to_host::<m![M, Q]>(&mut ctx.pdma)
        .await
        .to_buf();
    for m in [0, 1, 77, 1023] {
        for n in 0..8 {
            let sum: i32 = (0..64).map(|k| x(m, k) as i32 * w(k, n) as i32).sum();
            assert_eq!(out[m * 8 + n].unwrap(), sum, "{m} {n}");
        }
    }
}

// A table instead of arithmetic, and ids that an earlier pass left in the registers.
#[device(chip = 1)]
fn looked_up(ctx: &mut Context, x: &HbmTensor<i4, Chip, m![S, A]>) -> HbmTensor<i8, Chip, m![S, A]> {
    let x = x.to_dm::<Cluster, m![S], m![A]>(&mut ctx.tdma, 0);
    let cubes = LookupTable::new(&[0, 1, 8, 27, 64, 125, 100, 99, -8, -7, -6, -5, -64, -27, -8, -1]);
    let y: DmTensor<i8, Chip, Cluster, m![S], m![A]> =
        ctx
            .main
            .begin(x.view())
            .fetch_with_table::<i8, m![1], m![A]>(&cubes)
            .collect::<m![1], m![A]>()
            .commit(0x1000);
    y.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[tokio::test]
async fn looks_up() {
    let mut ctx = Context::acquire();
    let xs = HostTensor::<i4, m![S, A]>::from_buf((0..256 * 32).map(|e| Opt::Init(i4::from_i32(e))).collect())
        .to_hbm(&mut ctx.pdma, 0)
        .await;
    let out = launch(looked_up, (&mut *ctx, &xs)).await.to_host::<m![S, A]>(&mut ctx.pdma).await.to_buf();
    let t = [0, 1, 8, 27, 64, 125, 100, 99, -8, -7, -6, -5, -64, -27, -8, -1];
    for e in 0..256 * 32 { assert_eq!(out[e].unwrap(), t[e % 16]); }
}

#[device(chip = 1)]
fn by_ids(
    ctx: &mut Context,
    x: &HbmTensor<i32, Chip, m![S, A]>,
    ids: &HbmTensor<i32, Chip, m![A % 8]>,
) -> HbmTensor<i32, Chip, m![S, A]> {
    let x = x.to_dm::<Cluster, m![S], m![A]>(&mut ctx.tdma, 0);
    let ids = ids.to_dm::<Cluster, m![S], m![A % 8]>(&mut ctx.tdma, 0x1000);
    let ids: VrfTensor<i32, Chip, Cluster, m![S], m![A % 8]> =
        ctx.sub.begin(ids.view()).fetch::<i32, m![1], m![A % 8]>().collect::<m![1], m![A % 8]>().to_vrf(0);
    let y: DmTensor<i32, Chip, Cluster, m![S], m![A]> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, m![A / 8], m![A % 8]>()
        .collect::<m![A / 8], m![A % 8]>()
        .vector_init()
        .vector_intra_slice_branch_with_vrf(&ids)
        .vector_fxp(FxpBinaryOp::AddFxp, [VeBranchOperand::group(100, GroupId::One), VeBranchOperand::group(-1, GroupId::Zero)])
        .vector_final()
        .commit(0x2000);
    y.to_hbm(&mut ctx.tdma, 2 << 28)
}

#[tokio::test]
async fn ids_from_registers() {
    let mut ctx = Context::acquire();
    let xs = HostTensor::<i32, m![S, A]>::from_buf((0..256 * 32).map(Opt::Init).collect())
        .to_hbm(&mut ctx.pdma, 0)
        .await;
    let ids = HostTensor::<i32, m![A % 8]>::from_buf([0, 8, 3, 15, 16, 24, 7, 9].map(Opt::Init).to_vec())
        .to_hbm(&mut ctx.pdma, 1 << 28)
        .await;
    let out = launch(by_ids, (&mut *ctx, &xs, &ids)).await.to_host::<m![S, A]>(&mut ctx.pdma).await.to_buf();
    let one = [false, true, false, true, false, true, false, true];
    for e in 0..256 * 32 { assert_eq!(out[e].unwrap(), e as i32 + if one[e % 8] { 100 } else { -1 }); }
}

// AxisToggle of an axis that is not there: everything is in group 0.
#[device(chip = 1)]
fn toggle_nothing(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, A]>) -> HbmTensor<i32, Chip, m![S, A]> {
    let x = x.to_dm::<Cluster, m![S], m![A]>(&mut ctx.tdma, 0);
    let y: DmTensor<i32, Chip, Cluster, m![S], m![A]> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, m![A / 8], m![A % 8]>()
        .collect::<m![A / 8], m![A % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::AxisToggle { axis: Q::NAME })
        .vector_fxp(FxpBinaryOp::AddFxp, (100, GroupId::One))
        .vector_clip(ClipBinaryOpI32::AddFxp, (-1, GroupId::Zero))
        .vector_final()
        .commit(0x2000);
    y.to_hbm(&mut ctx.tdma, 2 << 28)
}
#[tokio::test]
async fn toggles_nothing() {
    let mut ctx = Context::acquire();
    let xs = HostTensor::<i32, m![S, A]>::from_buf((0..256 * 32).map(Opt::Init).collect())
        .to_hbm(&mut ctx.pdma, 0)
        .await;
    let out = launch(toggle_nothing, (&mut *ctx, &xs)).await.to_host::<m![S, A]>(&mut ctx.pdma).await.to_buf();
    for e in 0..256 * 32 { assert_eq!(out[e].unwrap(), e as i32 - 1); }
}
