// options: --rules=reference --no-sanitize
//! Padding that no mask leaves out is summed as it lies in DM, which is what a chip does. `--rules=reference` only warns.

use furiosa_visa_std::prelude::*;

axes![A = 11, B = 5, K = 16, N = 8, P = 3, Q = 5, R = 4, C = 8];

type Cluster = m![1 # 2];
type Slice = m![1 # 256];
type Rows = HbmTensor<bf16, m![1], m![A, K]>;
type Next = HbmTensor<bf16, m![1], m![B, K]>;
type Weights = HbmTensor<bf16, m![1], m![N, K]>;
type Full = HbmTensor<i8, m![1], m![R, C]>;
type FullWeights = HbmTensor<i8, m![1], m![N, R, C]>;

/// `y` lies right after `x`: the five steps of padding in Time read it.
#[device(chip = 1)]
fn five_steps(ctx: &mut Context, x: &Rows, y: &Next, w: &Weights) -> HbmTensor<f32, m![1], m![N]> {
    let x = x.to_dm::<Cluster, Slice, m![A, K]>(&mut ctx.tdma, 0);
    let y = y.to_dm::<Cluster, Slice, m![B, K]>(&mut ctx.tdma, 352);
    let w = w.to_dm::<Cluster, Slice, m![N, K]>(&mut ctx.tdma, 0x4000);
    let w: TrfTensor<bf16, m![1], Cluster, Slice, m![N], m![K]> =
        ctx.sub.begin(w.view()).fetch::<bf16, m![N], m![K]>().collect::<m![N], m![K]>().to_trf(TrfAddress::Full);
    let sums: DmTensor<f32, m![1], Cluster, Slice, m![N]> = ctx
        .main
        .begin(x.view())
        .fetch::<bf16, m![A # 16], m![K]>()
        .collect::<m![A # 16], m![K]>()
        .align::<m![A # 16], m![K # 32], _, _>(&w)
        .contract::<m![1]>()
        .accumulate::<m![1], m![N]>(AccumulationKind::Interleaved)
        .commit(0x8000);
    let _kept: HbmTensor<bf16, m![1], m![B, K]> = y.to_hbm(&mut ctx.tdma, 1 << 30);
    sums.to_hbm(&mut ctx.tdma, 1 << 29)
}

/// The same with one step of padding, the last: that can be masked.
#[device(chip = 1)]
fn last_step(ctx: &mut Context, x: &Rows, y: &Next, w: &Weights) -> HbmTensor<f32, m![1], m![N]> {
    let x = x.to_dm::<Cluster, Slice, m![A, K]>(&mut ctx.tdma, 0);
    let y = y.to_dm::<Cluster, Slice, m![B, K]>(&mut ctx.tdma, 352);
    let w = w.to_dm::<Cluster, Slice, m![N, K]>(&mut ctx.tdma, 0x4000);
    let w: TrfTensor<bf16, m![1], Cluster, Slice, m![N], m![K]> =
        ctx.sub.begin(w.view()).fetch::<bf16, m![N], m![K]>().collect::<m![N], m![K]>().to_trf(TrfAddress::Full);
    let sums: DmTensor<f32, m![1], Cluster, Slice, m![N]> = ctx
        .main
        .begin(x.view())
        .fetch::<bf16, m![A # 12], m![K]>()
        .collect::<m![A # 12], m![K]>()
        .align::<m![A # 12], m![K # 32], _, _>(&w)
        .contract::<m![1]>()
        .accumulate::<m![1], m![N]>(AccumulationKind::Interleaved)
        .commit(0x8000);
    let _kept: HbmTensor<bf16, m![1], m![B, K]> = y.to_hbm(&mut ctx.tdma, 1 << 30);
    sums.to_hbm(&mut ctx.tdma, 1 << 29)
}

/// Two padded axes in one packet, of tensors whose padding was written before.
#[device(chip = 1)]
fn two_axes(ctx: &mut Context, x: &Full, w: &FullWeights) -> HbmTensor<i32, m![1], m![N]> {
    let _x = x.to_dm::<Cluster, Slice, m![R, C]>(&mut ctx.tdma, 0);
    let _w = w.to_dm::<Cluster, Slice, m![N, R, C]>(&mut ctx.tdma, 0x4000);
    let x = unsafe { DmTensor::<i8, m![1], Cluster, Slice, m![P # 4, Q # 8]>::from_addr(0) };
    let w = unsafe { DmTensor::<i8, m![1], Cluster, Slice, m![N, P # 4, Q # 8]>::from_addr(0x4000) };
    let w: TrfTensor<i8, m![1], Cluster, Slice, m![N], m![P # 4, Q # 8]> = ctx
        .sub
        .begin(w.view())
        .fetch::<i8, m![N], m![P # 4, Q # 8]>()
        .collect::<m![N], m![P # 4, Q # 8]>()
        .to_trf(TrfAddress::Full);
    let sums: DmTensor<i32, m![1], Cluster, Slice, m![N]> = ctx
        .main
        .begin(x.view())
        .fetch::<i8, m![1], m![P # 4, Q # 8]>()
        .collect::<m![1], m![P # 4, Q # 8]>()
        .align::<m![1], m![[P # 4, Q # 8] # 64], _, _>(&w)
        .contract::<m![1]>()
        .accumulate::<m![1], m![N]>(AccumulationKind::Interleaved)
        .commit(0x8000);
    sums.to_hbm(&mut ctx.tdma, 1 << 29)
}

/// The same as one padded group: that can be masked.
#[device(chip = 1)]
fn one_group(ctx: &mut Context, x: &Full, w: &FullWeights) -> HbmTensor<i32, m![1], m![N]> {
    let _x = x.to_dm::<Cluster, Slice, m![R, C]>(&mut ctx.tdma, 0);
    let _w = w.to_dm::<Cluster, Slice, m![N, R, C]>(&mut ctx.tdma, 0x4000);
    let x = unsafe { DmTensor::<i8, m![1], Cluster, Slice, m![[P, Q] # 32]>::from_addr(0) };
    let w = unsafe { DmTensor::<i8, m![1], Cluster, Slice, m![N, [P, Q] # 32]>::from_addr(0x4000) };
    let w: TrfTensor<i8, m![1], Cluster, Slice, m![N], m![[P, Q] # 32]> = ctx
        .sub
        .begin(w.view())
        .fetch::<i8, m![N], m![[P, Q] # 32]>()
        .collect::<m![N], m![[P, Q] # 32]>()
        .to_trf(TrfAddress::Full);
    let sums: DmTensor<i32, m![1], Cluster, Slice, m![N]> = ctx
        .main
        .begin(x.view())
        .fetch::<i8, m![1], m![[P, Q] # 32]>()
        .collect::<m![1], m![[P, Q] # 32]>()
        .align::<m![1], m![[P, Q] # 64], _, _>(&w)
        .contract::<m![1]>()
        .accumulate::<m![1], m![N]>(AccumulationKind::Interleaved)
        .commit(0x8000);
    sums.to_hbm(&mut ctx.tdma, 1 << 29)
}

fn floats(count: usize, value: impl Fn(usize) -> f32) -> Vec<Opt<bf16>> {
    (0..count).map(|i| Opt::Init(bf16::from_f32(value(i)))).collect()
}

/// Rows of 32 bytes: what is data, and what is padding.
fn bytes(rows: usize, is_data: impl Fn(usize) -> bool, data: i8, padding: i8) -> Vec<Opt<i8>> {
    (0..32 * rows).map(|i| Opt::Init(if is_data(i % 32) { data } else { padding })).collect()
}

#[tokio::test]
async fn steps_beyond_the_data_are_read() {
    let mut ctx = Context::acquire();
    let x: Rows = HostTensor::<bf16, m![A, K]>::from_buf(floats(176, |_| 1.0)).to_hbm(&mut ctx.pdma, 0).await;
    let y: Next = HostTensor::<bf16, m![B, K]>::from_buf(floats(80, |_| 1000.0)).to_hbm(&mut ctx.pdma, 1 << 20).await;
    let w: Weights =
        HostTensor::<bf16, m![N, K]>::from_buf(floats(128, |i| (i / 16 + 1) as f32)).to_hbm(&mut ctx.pdma, 1 << 21).await;
    let unmasked = launch(five_steps, (&mut *ctx, &x, &y, &w)).await.to_host::<m![N]>(&mut ctx.pdma).await.to_buf();
    let masked = launch(last_step, (&mut *ctx, &x, &y, &w)).await.to_host::<m![N]>(&mut ctx.pdma).await.to_buf();
    for n in 0..8 {
        // 11 x 16 ones and 5 x 16 thousands
        assert_eq!(unmasked[n].unwrap(), (176 + 80_000) as f32 * (n + 1) as f32);
        assert_eq!(masked[n].unwrap(), 176.0 * (n + 1) as f32);
    }
}

#[tokio::test]
async fn what_lies_in_the_padding_is_read() {
    let mut ctx = Context::acquire();
    let of_axes = |i: usize| i / 8 < 3 && i % 8 < 5;
    let x: Full = HostTensor::<i8, m![R, C]>::from_buf(bytes(1, of_axes, 1, 9)).to_hbm(&mut ctx.pdma, 0).await;
    let w: FullWeights = HostTensor::<i8, m![N, R, C]>::from_buf(bytes(8, of_axes, 3, 2)).to_hbm(&mut ctx.pdma, 1 << 20).await;
    let unmasked = launch(two_axes, (&mut *ctx, &x, &w)).await.to_host::<m![N]>(&mut ctx.pdma).await.to_buf();
    let of_group = |i: usize| i < 15;
    let x: Full = HostTensor::<i8, m![R, C]>::from_buf(bytes(1, of_group, 1, 9)).to_hbm(&mut ctx.pdma, 1 << 21).await;
    let w: FullWeights = HostTensor::<i8, m![N, R, C]>::from_buf(bytes(8, of_group, 3, 2)).to_hbm(&mut ctx.pdma, 1 << 22).await;
    let masked = launch(one_group, (&mut *ctx, &x, &w)).await.to_host::<m![N]>(&mut ctx.pdma).await.to_buf();
    for n in 0..8 {
        // 15 x 1 x 3 of data, and 17 x 9 x 2 of padding
        assert_eq!(unmasked[n].unwrap(), 45 + 306);
        assert_eq!(masked[n].unwrap(), 45);
    }
}
