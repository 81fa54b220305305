//! Contractions of other shapes: partial sums that stay, axes of the weights that the stream lacks and the reverse,
//! odd sizes, and sums over time that are interrupted by other axes.
use furiosa_visa_std::prelude::*;

axes![S = 256, B = 4, K = 64, N = 8, M = 4, O = 2, L = 2, J = 16, H = 5, P = 63, W = 32, F = 80, G = 3];

type Chip = m![1];
type Cluster = m![1 # 2];
type Slice = m![S];

// Sums of eight products stay apart, five packets are added: Time is [F / 16, G], so each of G needs its own accumulators.
#[device(chip = 1)]
fn partial_interleaved(
    ctx: &mut Context,
    x: &HbmTensor<bf16, Chip, m![S, F / 16, G, F % 16]>,
    w: &HbmTensor<bf16, Chip, m![N, F]>,
) -> HbmTensor<f32, Chip, m![S, G, F / 8 % 2, N]> {
    let x = x.to_dm::<Cluster, Slice, m![F / 16, G, F % 16]>(&mut ctx.tdma, 0);
    let w = w.to_dm::<Cluster, Slice, m![N, F]>(&mut ctx.tdma, 0x1000);
    let w: TrfTensor<bf16, Chip, Cluster, Slice, m![N], m![F]> = ctx
        .sub
        .begin(w.view())
        .fetch::<bf16, m![N], m![F]>()
        .collect::<m![N, F / 16], m![F % 16]>()
        .to_trf(TrfAddress::Full);
    let out: DmTensor<f32, Chip, Cluster, Slice, m![G, F / 8 % 2, N]> = ctx
        .main
        .begin(x.view())
        .fetch::<bf16, m![F / 16, G], m![F % 16]>()
        .collect::<m![F / 16, G], m![F % 16]>()
        .align::<m![F / 16, G], m![F % 16 # 32], _, _>(&w)
        .contract::<m![F / 8 % 2]>()
        .accumulate::<m![G, F / 8 % 2], m![N]>(AccumulationKind::Interleaved)
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 2 << 28)
}

// The same sums in the other order.
#[device(chip = 1)]
fn partial_sequential(
    ctx: &mut Context,
    x: &HbmTensor<bf16, Chip, m![S, F / 16, G, F % 16]>,
    w: &HbmTensor<bf16, Chip, m![N, F]>,
) -> HbmTensor<f32, Chip, m![S, G, N, F / 8 % 2]> {
    let x = x.to_dm::<Cluster, Slice, m![F / 16, G, F % 16]>(&mut ctx.tdma, 0);
    let w = w.to_dm::<Cluster, Slice, m![N, F]>(&mut ctx.tdma, 0x1000);
    let w: TrfTensor<bf16, Chip, Cluster, Slice, m![N], m![F]> = ctx
        .sub
        .begin(w.view())
        .fetch::<bf16, m![N], m![F]>()
        .collect::<m![N, F / 16], m![F % 16]>()
        .to_trf(TrfAddress::Full);
    let out: DmTensor<f32, Chip, Cluster, Slice, m![G, N, F / 8 % 2]> = ctx
        .main
        .begin(x.view())
        .fetch::<bf16, m![F / 16, G], m![F % 16]>()
        .collect::<m![F / 16, G], m![F % 16]>()
        .align::<m![F / 16, G], m![F % 16 # 32], _, _>(&w)
        .contract::<m![F / 8 % 2]>()
        .accumulate::<m![G, N], m![F / 8 % 2 # 8]>(AccumulationKind::Sequential)
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 2 << 28)
}

// Two flits side by side, each with sums of its own; the weights are read twice, and in another order than stored. Half of
// the rows are in use.
#[device(chip = 1)]
fn batched(
    ctx: &mut Context,
    x: &HbmTensor<bf16, Chip, m![S, H, G, L, J]>,
    w: &HbmTensor<bf16, Chip, m![B, G, H, J]>,
) -> HbmTensor<f32, Chip, m![S, H, G, L, B]> {
    let x = x.to_dm::<Cluster, Slice, m![H, G, L, J]>(&mut ctx.tdma, 0);
    let w = w.to_dm::<Cluster, Slice, m![B, G, H, J]>(&mut ctx.tdma, 0x1000);
    let w: TrfTensor<bf16, Chip, Cluster, Slice, m![B], m![G, H, J]> = ctx
        .sub
        .begin(w.view())
        .fetch::<bf16, m![B, G, H], m![J]>()
        .collect::<m![B, G, H], m![J]>()
        .to_trf(TrfAddress::FirstHalf);
    let out: DmTensor<f32, Chip, Cluster, Slice, m![H, G, L, B]> = ctx
        .main
        .begin(x.view())
        .fetch::<bf16, m![H, G, L], m![J]>()
        .collect::<m![H, G, L], m![J]>()
        .align::<m![H, G], m![L, J], _, _>(&w)
        .contract::<m![L]>()
        .accumulate::<m![H, G, L], m![B # 8]>(AccumulationKind::Interleaved)
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 2 << 28)
}

// Five sets of weights for each packet of the stream: the stream is repeated in time.
#[device(chip = 1)]
fn repeated_stream(
    ctx: &mut Context,
    x: &HbmTensor<bf16, Chip, m![S, M, J]>,
    w: &HbmTensor<bf16, Chip, m![N, H, J]>,
) -> HbmTensor<f32, Chip, m![S, M, H, N]> {
    let x = x.to_dm::<Cluster, Slice, m![M, J]>(&mut ctx.tdma, 0);
    let w = w.to_dm::<Cluster, Slice, m![N, H, J]>(&mut ctx.tdma, 0x1000);
    let w: TrfTensor<bf16, Chip, Cluster, Slice, m![N], m![H, J]> = ctx
        .sub
        .begin(w.view())
        .fetch::<bf16, m![N, H], m![J]>()
        .collect::<m![N, H], m![J]>()
        .to_trf(TrfAddress::Full);
    let out: DmTensor<f32, Chip, Cluster, Slice, m![M, H, N]> = ctx
        .main
        .begin(x.view())
        .fetch::<bf16, m![M], m![J]>()
        .collect::<m![M], m![J]>()
        .align::<m![M, H], m![J # 32], _, _>(&w)
        .contract::<m![1]>()
        .accumulate::<m![M, H], m![N]>(AccumulationKind::Interleaved)
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 2 << 28)
}

// Two flits of the stream in each packet, and each packet five times: L leaves Time, H is innermost in what is left.
#[device(chip = 1)]
fn packed_and_repeated(
    ctx: &mut Context,
    x: &HbmTensor<bf16, Chip, m![S, M, L, J]>,
    w: &HbmTensor<bf16, Chip, m![N, H, J]>,
) -> HbmTensor<f32, Chip, m![S, M, H, L, N]> {
    let x = x.to_dm::<Cluster, Slice, m![M, L, J]>(&mut ctx.tdma, 0);
    let w = w.to_dm::<Cluster, Slice, m![N, H, J]>(&mut ctx.tdma, 0x1000);
    let w: TrfTensor<bf16, Chip, Cluster, Slice, m![N], m![H, J]> = ctx
        .sub
        .begin(w.view())
        .fetch::<bf16, m![N, H], m![J]>()
        .collect::<m![N, H], m![J]>()
        .to_trf(TrfAddress::Full);
    let out: DmTensor<f32, Chip, Cluster, Slice, m![M, H, L, N]> = ctx
        .main
        .begin(x.view())
        .fetch::<bf16, m![M, L], m![J]>()
        .collect::<m![M, L], m![J]>()
        .align::<m![M, H], m![L, J], _, _>(&w)
        .contract::<m![L]>()
        .accumulate::<m![M, H, L], m![N]>(AccumulationKind::Interleaved)
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 2 << 28)
}

// Packets of one axis cut into two flits, repeated over two axes that the weights keep in another order; one of the two is
// summed over time, with the other inside it.
#[device(chip = 1)]
fn packed_and_repeated_twice(
    ctx: &mut Context,
    x: &HbmTensor<bf16, Chip, m![S, M, W]>,
    w: &HbmTensor<bf16, Chip, m![N, O, H, W]>,
) -> HbmTensor<f32, Chip, m![S, M, O, N]> {
    let x = x.to_dm::<Cluster, Slice, m![M, W]>(&mut ctx.tdma, 0);
    let w = w.to_dm::<Cluster, Slice, m![N, O, H, W]>(&mut ctx.tdma, 0x2000);
    let w: TrfTensor<bf16, Chip, Cluster, Slice, m![N], m![O, H, W]> = ctx
        .sub
        .begin(w.view())
        .fetch::<bf16, m![N, O, H], m![W]>()
        .collect::<m![N, O, H, W / 16], m![W % 16]>()
        .to_trf(TrfAddress::Full);
    let out: DmTensor<f32, Chip, Cluster, Slice, m![M, O, N]> = ctx
        .main
        .begin(x.view())
        .fetch::<bf16, m![M], m![W]>()
        .collect::<m![M, W / 16], m![W % 16]>()
        .align::<m![M, H, O], m![W], _, _>(&w)
        .contract::<m![1]>()
        .accumulate::<m![M, O], m![N]>(AccumulationKind::Interleaved)
        .commit(0x8000);
    out.to_hbm(&mut ctx.tdma, 2 << 28)
}

// No spatial sum at all: 32 products go to the accumulator side by side and are added over B.
#[device(chip = 1)]
fn products_over_time(
    ctx: &mut Context,
    x: &HbmTensor<bf16, Chip, m![S, B, W]>,
    w: &HbmTensor<bf16, Chip, m![O, B, W]>,
) -> HbmTensor<f32, Chip, m![S, O, W]> {
    let x = x.to_dm::<Cluster, Slice, m![B, W]>(&mut ctx.tdma, 0);
    let w = w.to_dm::<Cluster, Slice, m![O, B, W]>(&mut ctx.tdma, 0x1000);
    let w: TrfTensor<bf16, Chip, Cluster, Slice, m![O], m![B, W]> = ctx
        .sub
        .begin(w.view())
        .fetch::<bf16, m![O, B], m![W]>()
        .collect::<m![O, B, W / 16], m![W % 16]>()
        .to_trf(TrfAddress::Full);
    let out: DmTensor<f32, Chip, Cluster, Slice, m![O, W]> = ctx
        .main
        .begin(x.view())
        .fetch::<bf16, m![B], m![W]>()
        .collect::<m![B, W / 16], m![W % 16]>()
        .align::<m![B], m![W], _, _>(&w)
        .contract::<m![W]>()
        .accumulate::<m![O, W / 8], m![W % 8]>(AccumulationKind::Sequential)
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 2 << 28)
}

// 63 of 64 bytes are data; the masked fetch makes the last one zero.
#[device(chip = 1)]
fn odd_length(
    ctx: &mut Context,
    x: &HbmTensor<i8, Chip, m![S, B, P # 64]>,
    w: &HbmTensor<i8, Chip, m![M, P # 64]>,
) -> HbmTensor<i32, Chip, m![S, B, M]> {
    let x = x.to_dm::<Cluster, Slice, m![B, P # 64]>(&mut ctx.tdma, 0);
    let w = w.to_dm::<Cluster, Slice, m![M, P # 64]>(&mut ctx.tdma, 0x1000);
    let w: TrfTensor<i8, Chip, Cluster, Slice, m![M], m![P # 64]> = ctx
        .sub
        .begin(w.view())
        .fetch::<i8, m![M], m![P # 64]>()
        .collect::<m![M, P # 64 / 32], m![P # 64 % 32]>()
        .to_trf(TrfAddress::Full);
    let out: DmTensor<i32, Chip, Cluster, Slice, m![B, M]> = ctx
        .main
        .begin(x.view())
        .fetch::<i8, m![B], m![P # 64]>()
        .collect::<m![B, P # 64 / 32], m![P # 64 % 32]>()
        .align::<m![B], m![P # 64], _, _>(&w)
        .contract::<m![1]>()
        .accumulate::<m![B], m![M # 8]>(AccumulationKind::Interleaved)
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 2 << 28)
}

// The sums of a packet of 32 values in groups of eight, four of them a row.
#[device(chip = 1)]
fn block_sums(
    ctx: &mut Context,
    x: &HbmTensor<f8e4m3, Chip, m![S, B, K]>,
    w: &HbmTensor<f8e4m3, Chip, m![O, K]>,
) -> HbmTensor<f32, Chip, m![S, B, O, K / 8]> {
    let x = x.to_dm::<Cluster, Slice, m![B, K]>(&mut ctx.tdma, 0);
    let w = w.to_dm::<Cluster, Slice, m![O, K]>(&mut ctx.tdma, 0x1000);
    let w: TrfTensor<f8e4m3, Chip, Cluster, Slice, m![O], m![K]> = ctx
        .sub
        .begin(w.view())
        .fetch::<f8e4m3, m![O], m![K]>()
        .collect::<m![O, K / 32], m![K % 32]>()
        .to_trf(TrfAddress::SecondHalf);
    let out: DmTensor<f32, Chip, Cluster, Slice, m![B, O, K / 8]> = ctx
        .main
        .begin(x.view())
        .fetch::<f8e4m3, m![B], m![K]>()
        .collect::<m![B, K / 32], m![K % 32]>()
        .align::<m![B], m![K], _, _>(&w)
        .contract::<m![K / 8]>()
        .accumulate::<m![B, O], m![K / 8]>(AccumulationKind::Sequential)
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 2 << 28)
}

// A long sum in one slice only: 64 values a packet, and a wrapping i32.
#[device(chip = 1)]
fn wrapping(
    ctx: &mut Context,
    x: &HbmTensor<i8, Chip, m![S, M, K]>,
    w: &HbmTensor<i8, Chip, m![S, M, K]>,
) -> HbmTensor<i32, Chip, m![1]> {
    let x = x.to_dm::<Cluster, m![1 # 256], m![S, M, K]>(&mut ctx.tdma, 0);
    let w = w.to_dm::<Cluster, m![1 # 256], m![S, M, K]>(&mut ctx.tdma, 0x20000);
    let w: TrfTensor<i8, Chip, Cluster, m![1 # 256], m![1], m![S, M, K]> = ctx
        .sub
        .begin(w.view())
        .fetch::<i8, m![S, M], m![K]>()
        .collect::<m![S, M, K / 32], m![K % 32]>()
        .to_trf(TrfAddress::Full);
    let out: DmTensor<i32, Chip, Cluster, m![1 # 256], m![1 # 2]> = ctx
        .main
        .begin(x.view())
        .fetch::<i8, m![S, M], m![K]>()
        .collect::<m![S, M, K / 32], m![K % 32]>()
        .align::<m![S, M], m![K], _, _>(&w)
        .contract::<m![1]>()
        .accumulate::<m![1], m![1 # 8]>(AccumulationKind::Interleaved)
        .commit(0x40000);
    out.to_hbm(&mut ctx.tdma, 2 << 28)
}

// The quarter sums of all slices of a ring come together behind the accumulator.
#[device(chip = 1)]
fn over_slices(
    ctx: &mut Context,
    x: &HbmTensor<bf16, Chip, m![S / 4, K, S % 4, J]>,
    w: &HbmTensor<bf16, Chip, m![N, S % 4, J]>,
) -> HbmTensor<f32, Chip, m![S / 4, K, N]> {
    let x = x.to_dm::<Cluster, Slice, m![K, J]>(&mut ctx.tdma, 0);
    let w = w.to_dm::<Cluster, Slice, m![N, J]>(&mut ctx.tdma, 0x1000);
    let w: TrfTensor<bf16, Chip, Cluster, Slice, m![N], m![J]> = ctx
        .sub
        .begin(w.view())
        .fetch::<bf16, m![N], m![J]>()
        .collect::<m![N], m![J]>()
        .to_trf(TrfAddress::Full);
    let out: DmTensor<f32, Chip, Cluster, m![S / 4, 1 # 4], m![K, N]> = ctx
        .main
        .begin(x.view())
        .fetch::<bf16, m![K], m![J]>()
        .collect::<m![K], m![J]>()
        .align::<m![K], m![J # 32], _, _>(&w)
        .contract::<m![1]>()
        .accumulate::<m![K], m![N]>(AccumulationKind::Interleaved)
        .vector_init()
        .vector_inter_slice_reduce::<m![S / 4, 1 # 4], m![K]>(InterSliceReduceOpF32::Add)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 2 << 28)
}
