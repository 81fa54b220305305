//! Matrix products with one, two, four and eight rows, in both orders of the accumulator, in every type it multiplies.
use furiosa_visa_std::prelude::*;

axes![S = 256, I = 4, K = 128, Two = 2, Four = 4, Eight = 8];

type Chip = m![1];
type Cluster = m![1 # 2];
type Slice = m![S];

#[device(chip = 1)]
fn bf16_rows1_interleaved(
    ctx: &mut Context,
    x: &HbmTensor<bf16, Chip, m![S, I, K]>,
    w: &HbmTensor<bf16, Chip, m![K]>,
) -> HbmTensor<f32, Chip, m![S, I]> {
    let x = x.to_dm::<Cluster, Slice, m![I, K]>(&mut ctx.tdma, 0);
    let w = w.to_dm::<Cluster, Slice, m![K]>(&mut ctx.tdma, 0x1000); // the same for every slice
    let w: TrfTensor<bf16, Chip, Cluster, Slice, m![1], m![K]> = ctx
        .sub
        .begin(w.view())
        .fetch::<bf16, m![1], m![K]>()
        .collect::<m![K / 16], m![K % 16]>()
        .to_trf(TrfAddress::Full);
    let out: DmTensor<f32, Chip, Cluster, Slice, m![I, 1 # 2]> = ctx
        .main
        .begin(x.view())
        .fetch::<bf16, m![I], m![K]>()
        .collect::<m![I, K / 16], m![K % 16]>()
        .align::<m![I, K / 32], m![K % 32], _, _>(&w)
        .contract::<m![1]>()
        .accumulate::<m![I], m![1 # 8]>(AccumulationKind::Interleaved)
        .commit(0x2000);
    out.to_hbm(&mut ctx.tdma, 2 << 28)
}

#[device(chip = 1)]
fn bf16_rows1_sequential(
    ctx: &mut Context,
    x: &HbmTensor<bf16, Chip, m![S, I, K]>,
    w: &HbmTensor<bf16, Chip, m![K]>,
) -> HbmTensor<f32, Chip, m![S, I]> {
    let x = x.to_dm::<Cluster, Slice, m![I, K]>(&mut ctx.tdma, 0);
    let w = w.to_dm::<Cluster, Slice, m![K]>(&mut ctx.tdma, 0x1000); // the same for every slice
    let w: TrfTensor<bf16, Chip, Cluster, Slice, m![1], m![K]> = ctx
        .sub
        .begin(w.view())
        .fetch::<bf16, m![1], m![K]>()
        .collect::<m![K / 16], m![K % 16]>()
        .to_trf(TrfAddress::Full);
    let out: DmTensor<f32, Chip, Cluster, Slice, m![I, 1 # 2]> = ctx
        .main
        .begin(x.view())
        .fetch::<bf16, m![I], m![K]>()
        .collect::<m![I, K / 16], m![K % 16]>()
        .align::<m![I, K / 32], m![K % 32], _, _>(&w)
        .contract::<m![1]>()
        .accumulate::<m![I], m![1 # 8]>(AccumulationKind::Sequential)
        .commit(0x2000);
    out.to_hbm(&mut ctx.tdma, 2 << 28)
}

#[device(chip = 1)]
fn bf16_rows2_interleaved(
    ctx: &mut Context,
    x: &HbmTensor<bf16, Chip, m![S, I, K]>,
    w: &HbmTensor<bf16, Chip, m![Two, K]>,
) -> HbmTensor<f32, Chip, m![S, I, Two]> {
    let x = x.to_dm::<Cluster, Slice, m![I, K]>(&mut ctx.tdma, 0);
    let w = w.to_dm::<Cluster, Slice, m![Two, K]>(&mut ctx.tdma, 0x1000); // the same for every slice
    let w: TrfTensor<bf16, Chip, Cluster, Slice, m![Two], m![K]> = ctx
        .sub
        .begin(w.view())
        .fetch::<bf16, m![Two], m![K]>()
        .collect::<m![Two, K / 16], m![K % 16]>()
        .to_trf(TrfAddress::FirstHalf);
    let out: DmTensor<f32, Chip, Cluster, Slice, m![I, Two]> = ctx
        .main
        .begin(x.view())
        .fetch::<bf16, m![I], m![K]>()
        .collect::<m![I, K / 16], m![K % 16]>()
        .align::<m![I, K / 32], m![K % 32], _, _>(&w)
        .contract::<m![1]>()
        .accumulate::<m![I], m![Two # 8]>(AccumulationKind::Interleaved)
        .commit(0x2000);
    out.to_hbm(&mut ctx.tdma, 2 << 28)
}

#[device(chip = 1)]
fn bf16_rows2_sequential(
    ctx: &mut Context,
    x: &HbmTensor<bf16, Chip, m![S, I, K]>,
    w: &HbmTensor<bf16, Chip, m![Two, K]>,
) -> HbmTensor<f32, Chip, m![S, I, Two]> {
    let x = x.to_dm::<Cluster, Slice, m![I, K]>(&mut ctx.tdma, 0);
    let w = w.to_dm::<Cluster, Slice, m![Two, K]>(&mut ctx.tdma, 0x1000); // the same for every slice
    let w: TrfTensor<bf16, Chip, Cluster, Slice, m![Two], m![K]> = ctx
        .sub
        .begin(w.view())
        .fetch::<bf16, m![Two], m![K]>()
        .collect::<m![Two, K / 16], m![K % 16]>()
        .to_trf(TrfAddress::FirstHalf);
    let out: DmTensor<f32, Chip, Cluster, Slice, m![I, Two, 1 # 2]> = ctx
        .main
        .begin(x.view())
        .fetch::<bf16, m![I], m![K]>()
        .collect::<m![I, K / 16], m![K % 16]>()
        .align::<m![I, K / 32], m![K % 32], _, _>(&w)
        .contract::<m![1]>()
        .accumulate::<m![I, Two], m![1 # 8]>(AccumulationKind::Sequential)
        .commit(0x2000);
    out.to_hbm(&mut ctx.tdma, 2 << 28)
}

#[device(chip = 1)]
fn bf16_rows4_interleaved(
    ctx: &mut Context,
    x: &HbmTensor<bf16, Chip, m![S, I, K]>,
    w: &HbmTensor<bf16, Chip, m![Four, K]>,
) -> HbmTensor<f32, Chip, m![S, I, Four]> {
    let x = x.to_dm::<Cluster, Slice, m![I, K]>(&mut ctx.tdma, 0);
    let w = w.to_dm::<Cluster, Slice, m![Four, K]>(&mut ctx.tdma, 0x1000); // the same for every slice
    let w: TrfTensor<bf16, Chip, Cluster, Slice, m![Four], m![K]> = ctx
        .sub
        .begin(w.view())
        .fetch::<bf16, m![Four], m![K]>()
        .collect::<m![Four, K / 16], m![K % 16]>()
        .to_trf(TrfAddress::SecondHalf);
    let out: DmTensor<f32, Chip, Cluster, Slice, m![I, Four]> = ctx
        .main
        .begin(x.view())
        .fetch::<bf16, m![I], m![K]>()
        .collect::<m![I, K / 16], m![K % 16]>()
        .align::<m![I, K / 32], m![K % 32], _, _>(&w)
        .contract::<m![1]>()
        .accumulate::<m![I], m![Four # 8]>(AccumulationKind::Interleaved)
        .commit(0x2000);
    out.to_hbm(&mut ctx.tdma, 2 << 28)
}

#[device(chip = 1)]
fn bf16_rows4_sequential(
    ctx: &mut Context,
    x: &HbmTensor<bf16, Chip, m![S, I, K]>,
    w: &HbmTensor<bf16, Chip, m![Four, K]>,
) -> HbmTensor<f32, Chip, m![S, I, Four]> {
    let x = x.to_dm::<Cluster, Slice, m![I, K]>(&mut ctx.tdma, 0);
    let w = w.to_dm::<Cluster, Slice, m![Four, K]>(&mut ctx.tdma, 0x1000); // the same for every slice
    let w: TrfTensor<bf16, Chip, Cluster, Slice, m![Four], m![K]> = ctx
        .sub
        .begin(w.view())
        .fetch::<bf16, m![Four], m![K]>()
        .collect::<m![Four, K / 16], m![K % 16]>()
        .to_trf(TrfAddress::SecondHalf);
    let out: DmTensor<f32, Chip, Cluster, Slice, m![I, Four, 1 # 2]> = ctx
        .main
        .begin(x.view())
        .fetch::<bf16, m![I], m![K]>()
        .collect::<m![I, K / 16], m![K % 16]>()
        .align::<m![I, K / 32], m![K % 32], _, _>(&w)
        .contract::<m![1]>()
        .accumulate::<m![I, Four], m![1 # 8]>(AccumulationKind::Sequential)
        .commit(0x2000);
    out.to_hbm(&mut ctx.tdma, 2 << 28)
}

#[device(chip = 1)]
fn bf16_rows8_interleaved(
    ctx: &mut Context,
    x: &HbmTensor<bf16, Chip, m![S, I, K]>,
    w: &HbmTensor<bf16, Chip, m![Eight, K]>,
) -> HbmTensor<f32, Chip, m![S, I, Eight]> {
    let x = x.to_dm::<Cluster, Slice, m![I, K]>(&mut ctx.tdma, 0);
    let w = w.to_dm::<Cluster, Slice, m![Eight, K]>(&mut ctx.tdma, 0x1000); // the same for every slice
    let w: TrfTensor<bf16, Chip, Cluster, Slice, m![Eight], m![K]> = ctx
        .sub
        .begin(w.view())
        .fetch::<bf16, m![Eight], m![K]>()
        .collect::<m![Eight, K / 16], m![K % 16]>()
        .to_trf(TrfAddress::Full);
    let out: DmTensor<f32, Chip, Cluster, Slice, m![I, Eight]> = ctx
        .main
        .begin(x.view())
        .fetch::<bf16, m![I], m![K]>()
        .collect::<m![I, K / 16], m![K % 16]>()
        .align::<m![I, K / 32], m![K % 32], _, _>(&w)
        .contract::<m![1]>()
        .accumulate::<m![I], m![Eight]>(AccumulationKind::Interleaved)
        .commit(0x2000);
    out.to_hbm(&mut ctx.tdma, 2 << 28)
}

#[device(chip = 1)]
fn bf16_rows8_sequential(
    ctx: &mut Context,
    x: &HbmTensor<bf16, Chip, m![S, I, K]>,
    w: &HbmTensor<bf16, Chip, m![Eight, K]>,
) -> HbmTensor<f32, Chip, m![S, I, Eight]> {
    let x = x.to_dm::<Cluster, Slice, m![I, K]>(&mut ctx.tdma, 0);
    let w = w.to_dm::<Cluster, Slice, m![Eight, K]>(&mut ctx.tdma, 0x1000); // the same for every slice
    let w: TrfTensor<bf16, Chip, Cluster, Slice, m![Eight], m![K]> = ctx
        .sub
        .begin(w.view())
        .fetch::<bf16, m![Eight], m![K]>()
        .collect::<m![Eight, K / 16], m![K % 16]>()
        .to_trf(TrfAddress::Full);
    let out: DmTensor<f32, Chip, Cluster, Slice, m![I, Eight, 1 # 2]> = ctx
        .main
        .begin(x.view())
        .fetch::<bf16, m![I], m![K]>()
        .collect::<m![I, K / 16], m![K % 16]>()
        .align::<m![I, K / 32], m![K % 32], _, _>(&w)
        .contract::<m![1]>()
        .accumulate::<m![I, Eight], m![1 # 8]>(AccumulationKind::Sequential)
        .commit(0x2000);
    out.to_hbm(&mut ctx.tdma, 2 << 28)
}

#[device(chip = 1)]
fn i8_rows8_interleaved(
    ctx: &mut Context,
    x: &HbmTensor<i8, Chip, m![S, I, K]>,
    w: &HbmTensor<i8, Chip, m![Eight, K]>,
) -> HbmTensor<i32, Chip, m![S, I, Eight]> {
    let x = x.to_dm::<Cluster, Slice, m![I, K]>(&mut ctx.tdma, 0);
    let w = w.to_dm::<Cluster, Slice, m![Eight, K]>(&mut ctx.tdma, 0x1000); // the same for every slice
    let w: TrfTensor<i8, Chip, Cluster, Slice, m![Eight], m![K]> = ctx
        .sub
        .begin(w.view())
        .fetch::<i8, m![Eight], m![K]>()
        .collect::<m![Eight, K / 32], m![K % 32]>()
        .to_trf(TrfAddress::Full);
    let out: DmTensor<i32, Chip, Cluster, Slice, m![I, Eight]> = ctx
        .main
        .begin(x.view())
        .fetch::<i8, m![I], m![K]>()
        .collect::<m![I, K / 32], m![K % 32]>()
        .align::<m![I, K / 64], m![K % 64], _, _>(&w)
        .contract::<m![1]>()
        .accumulate::<m![I], m![Eight]>(AccumulationKind::Interleaved)
        .commit(0x2000);
    out.to_hbm(&mut ctx.tdma, 2 << 28)
}

#[device(chip = 1)]
fn i8_rows4_sequential(
    ctx: &mut Context,
    x: &HbmTensor<i8, Chip, m![S, I, K]>,
    w: &HbmTensor<i8, Chip, m![Four, K]>,
) -> HbmTensor<i32, Chip, m![S, I, Four]> {
    let x = x.to_dm::<Cluster, Slice, m![I, K]>(&mut ctx.tdma, 0);
    let w = w.to_dm::<Cluster, Slice, m![Four, K]>(&mut ctx.tdma, 0x1000); // the same for every slice
    let w: TrfTensor<i8, Chip, Cluster, Slice, m![Four], m![K]> = ctx
        .sub
        .begin(w.view())
        .fetch::<i8, m![Four], m![K]>()
        .collect::<m![Four, K / 32], m![K % 32]>()
        .to_trf(TrfAddress::Full);
    let out: DmTensor<i32, Chip, Cluster, Slice, m![I, Four, 1 # 2]> = ctx
        .main
        .begin(x.view())
        .fetch::<i8, m![I], m![K]>()
        .collect::<m![I, K / 32], m![K % 32]>()
        .align::<m![I, K / 64], m![K % 64], _, _>(&w)
        .contract::<m![1]>()
        .accumulate::<m![I, Four], m![1 # 8]>(AccumulationKind::Sequential)
        .commit(0x2000);
    out.to_hbm(&mut ctx.tdma, 2 << 28)
}

#[device(chip = 1)]
fn i4_rows8_interleaved(
    ctx: &mut Context,
    x: &HbmTensor<i4, Chip, m![S, I, K]>,
    w: &HbmTensor<i4, Chip, m![Eight, K]>,
) -> HbmTensor<i32, Chip, m![S, I, Eight]> {
    let x = x.to_dm::<Cluster, Slice, m![I, K]>(&mut ctx.tdma, 0);
    let w = w.to_dm::<Cluster, Slice, m![Eight, K]>(&mut ctx.tdma, 0x1000); // the same for every slice
    let w: TrfTensor<i4, Chip, Cluster, Slice, m![Eight], m![K]> = ctx
        .sub
        .begin(w.view())
        .fetch::<i4, m![Eight], m![K]>()
        .collect::<m![Eight, K / 64], m![K % 64]>()
        .to_trf(TrfAddress::Full);
    let out: DmTensor<i32, Chip, Cluster, Slice, m![I, Eight]> = ctx
        .main
        .begin(x.view())
        .fetch::<i4, m![I], m![K]>()
        .collect::<m![I, K / 64], m![K % 64]>()
        .align::<m![I], m![K], _, _>(&w)
        .contract::<m![1]>()
        .accumulate::<m![I], m![Eight]>(AccumulationKind::Interleaved)
        .commit(0x2000);
    out.to_hbm(&mut ctx.tdma, 2 << 28)
}

#[device(chip = 1)]
fn i4_rows2_sequential(
    ctx: &mut Context,
    x: &HbmTensor<i4, Chip, m![S, I, K]>,
    w: &HbmTensor<i4, Chip, m![Two, K]>,
) -> HbmTensor<i32, Chip, m![S, I, Two]> {
    let x = x.to_dm::<Cluster, Slice, m![I, K]>(&mut ctx.tdma, 0);
    let w = w.to_dm::<Cluster, Slice, m![Two, K]>(&mut ctx.tdma, 0x1000); // the same for every slice
    let w: TrfTensor<i4, Chip, Cluster, Slice, m![Two], m![K]> = ctx
        .sub
        .begin(w.view())
        .fetch::<i4, m![Two], m![K]>()
        .collect::<m![Two, K / 64], m![K % 64]>()
        .to_trf(TrfAddress::Full);
    let out: DmTensor<i32, Chip, Cluster, Slice, m![I, Two, 1 # 2]> = ctx
        .main
        .begin(x.view())
        .fetch::<i4, m![I], m![K]>()
        .collect::<m![I, K / 64], m![K % 64]>()
        .align::<m![I], m![K], _, _>(&w)
        .contract::<m![1]>()
        .accumulate::<m![I, Two], m![1 # 8]>(AccumulationKind::Sequential)
        .commit(0x2000);
    out.to_hbm(&mut ctx.tdma, 2 << 28)
}

#[device(chip = 1)]
fn f8e4m3_rows8_interleaved(
    ctx: &mut Context,
    x: &HbmTensor<f8e4m3, Chip, m![S, I, K]>,
    w: &HbmTensor<f8e4m3, Chip, m![Eight, K]>,
) -> HbmTensor<f32, Chip, m![S, I, Eight]> {
    let x = x.to_dm::<Cluster, Slice, m![I, K]>(&mut ctx.tdma, 0);
    let w = w.to_dm::<Cluster, Slice, m![Eight, K]>(&mut ctx.tdma, 0x1000); // the same for every slice
    let w: TrfTensor<f8e4m3, Chip, Cluster, Slice, m![Eight], m![K]> = ctx
        .sub
        .begin(w.view())
        .fetch::<f8e4m3, m![Eight], m![K]>()
        .collect::<m![Eight, K / 32], m![K % 32]>()
        .to_trf(TrfAddress::Full);
    let out: DmTensor<f32, Chip, Cluster, Slice, m![I, Eight]> = ctx
        .main
        .begin(x.view())
        .fetch::<f8e4m3, m![I], m![K]>()
        .collect::<m![I, K / 32], m![K % 32]>()
        .align::<m![I, K / 64], m![K % 64], _, _>(&w)
        .contract::<m![1]>()
        .accumulate::<m![I], m![Eight]>(AccumulationKind::Interleaved)
        .commit(0x2000);
    out.to_hbm(&mut ctx.tdma, 2 << 28)
}

#[device(chip = 1)]
fn f8e4m3_rows1_sequential(
    ctx: &mut Context,
    x: &HbmTensor<f8e4m3, Chip, m![S, I, K]>,
    w: &HbmTensor<f8e4m3, Chip, m![K]>,
) -> HbmTensor<f32, Chip, m![S, I]> {
    let x = x.to_dm::<Cluster, Slice, m![I, K]>(&mut ctx.tdma, 0);
    let w = w.to_dm::<Cluster, Slice, m![K]>(&mut ctx.tdma, 0x1000); // the same for every slice
    let w: TrfTensor<f8e4m3, Chip, Cluster, Slice, m![1], m![K]> = ctx
        .sub
        .begin(w.view())
        .fetch::<f8e4m3, m![1], m![K]>()
        .collect::<m![K / 32], m![K % 32]>()
        .to_trf(TrfAddress::Full);
    let out: DmTensor<f32, Chip, Cluster, Slice, m![I, 1 # 2]> = ctx
        .main
        .begin(x.view())
        .fetch::<f8e4m3, m![I], m![K]>()
        .collect::<m![I, K / 32], m![K % 32]>()
        .align::<m![I, K / 64], m![K % 64], _, _>(&w)
        .contract::<m![1]>()
        .accumulate::<m![I], m![1 # 8]>(AccumulationKind::Sequential)
        .commit(0x2000);
    out.to_hbm(&mut ctx.tdma, 2 << 28)
}
