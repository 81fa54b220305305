//! What `contra bench` runs on the device: kernels of every kind, each beside C for the same work.

use furiosa_visa_std::prelude::*;

// products
axes![X = 512, Y = 512, Z = 2048];
axes![L = 4096, M = 4096, N = 4096];
// passes and moves over 64 MiB
axes![V = 16777216];
axes![A = 512, B = 512, C = 256];
axes![P = 4096, Q = 4096, S = 8192, T = 8192];
// rows of numbers
axes![R = 1024, E = 4096, Which = 2];

type Chip = m![1];

// ---- products: each slice has a tile of the result, the rows of the register file are columns of it

#[device(chip = 1)]
fn gemm_bf16(
    ctx: &mut Context,
    a: &HbmTensor<bf16, Chip, m![X, Z]>,
    b: &HbmTensor<bf16, Chip, m![Y, Z]>,
    c: &mut HbmTensor<bf16, Chip, m![X, Y]>,
) {
    let a = a.to_dm::<m![1 # 2], m![X / 32, Y / 32], m![X % 32, Z]>(&mut ctx.tdma, 0);
    for half in 0..2 {
        let b: DmTensor<bf16, Chip, m![1 # 2], m![X / 32, Y / 32], m![Y % 16, Z]> = b
            .view()
            .tile::<m![Y / 16 % 2], 1, m![Y / 32, 1 # 2, Y % 16, Z]>(half)
            .to_dm(&mut ctx.tdma, 0x20000);
        let b: TrfTensor<bf16, Chip, m![1 # 2], m![X / 32, Y / 32], m![Y % 8], m![Y / 8 % 2, Z]> = ctx
            .sub
            .begin(b.view())
            .fetch::<bf16, m![Y % 8, Y / 8 % 2], m![Z]>()
            .collect::<m![Y % 8, Y / 8 % 2, Z / 16], m![Z % 16]>()
            .to_trf(TrfAddress::Full);
        let tile: DmTensor<bf16, Chip, m![1 # 2], m![X / 32, Y / 32], m![X % 32, Y % 16]> = ctx
            .main
            .begin(a.view())
            .fetch::<bf16, m![X % 32, Y / 8 % 2], m![Z]>()
            .collect::<m![X % 32, Y / 8 % 2, Z / 16], m![Z % 16]>()
            .align::<m![X % 32, Y / 8 % 2, Z / 32], m![Z % 32], _, _>(&b)
            .contract::<m![1]>()
            .accumulate::<m![X % 32, Y / 8 % 2], m![Y % 8]>(AccumulationKind::Interleaved)
            .cast::<bf16, m![Y % 8 # 16]>()
            .commit(0x40000);
        tile.view()
            .to_hbm_view(&mut ctx.tdma, c.view_mut().tile::<m![Y / 16 % 2], 1, m![X, Y / 32, 1 # 2, Y % 16]>(half));
    }
}

#[device(chip = 1)]
fn gemm_i8(
    ctx: &mut Context,
    a: &HbmTensor<i8, Chip, m![X, Z]>,
    b: &HbmTensor<i8, Chip, m![Y, Z]>,
) -> HbmTensor<i32, Chip, m![X, Y]> {
    let a = a.to_dm::<m![1 # 2], m![X / 32, Y / 32], m![X % 32, Z]>(&mut ctx.tdma, 0);
    let b = b.to_dm::<m![1 # 2], m![X / 32, Y / 32], m![Y % 32, Z]>(&mut ctx.tdma, 0x20000);
    let b: TrfTensor<i8, Chip, m![1 # 2], m![X / 32, Y / 32], m![Y % 8], m![Y / 8 % 4, Z]> = ctx
        .sub
        .begin(b.view())
        .fetch::<i8, m![Y % 8, Y / 8 % 4], m![Z]>()
        .collect::<m![Y % 8, Y / 8 % 4, Z / 32], m![Z % 32]>()
        .to_trf(TrfAddress::Full);
    let c: DmTensor<i32, Chip, m![1 # 2], m![X / 32, Y / 32], m![X % 32, Y % 32]> = ctx
        .main
        .begin(a.view())
        .fetch::<i8, m![X % 32, Y / 8 % 4], m![Z]>()
        .collect::<m![X % 32, Y / 8 % 4, Z / 32], m![Z % 32]>()
        .align::<m![X % 32, Y / 8 % 4, Z / 64], m![Z % 64], _, _>(&b)
        .contract::<m![1]>()
        .accumulate::<m![X % 32, Y / 8 % 4], m![Y % 8]>(AccumulationKind::Interleaved)
        .commit(0x40000);
    c.to_hbm(&mut ctx.tdma, 1 << 28)
}

// The depth goes in 4 parts: of each, 128 rows of A stay in DM while 8 times 32 rows of B meet all of them; what
// the parts give is added up in DM.
#[device(chip = 1)]
fn large_bf16(
    ctx: &mut Context,
    a: &HbmTensor<bf16, Chip, m![L, N]>,
    b: &HbmTensor<bf16, Chip, m![M, N]>,
    c: &mut HbmTensor<bf16, Chip, m![L, M]>,
) {
    let mut sums = Vec::new();
    for part in 0..4 {
        let a: DmTensor<bf16, Chip, m![L / 2048], m![L / 128 % 16, M / 256], m![L % 128, N % 1024]> = a
            .view()
            .tile::<m![N / 1024], 1, m![L, 1 # 4, N % 1024]>(part)
            .to_dm(&mut ctx.tdma, 0);
        for columns in 0..8 {
            let b: DmTensor<bf16, Chip, m![L / 2048], m![L / 128 % 16, M / 256], m![M % 32, N % 1024]> = b
                .view()
                .tile::<m![N / 1024], 1, m![M, 1 # 4, N % 1024]>(part)
                .tile::<m![M / 32 % 8], 1, m![M / 256, 1 # 8, M % 32, 1 # 4, N % 1024]>(columns)
                .to_dm(&mut ctx.tdma, 0x40000);
            let b: TrfTensor<bf16, Chip, m![L / 2048], m![L / 128 % 16, M / 256], m![M % 8], m![M / 8 % 4, N % 1024]> = ctx
                .sub
                .begin(b.view())
                .fetch::<bf16, m![M % 8, M / 8 % 4], m![N % 1024]>()
                .collect::<m![M % 8, M / 8 % 4, N % 1024 / 16], m![N % 16]>()
                .to_trf(TrfAddress::Full);
            let place = 0x54000 + ((columns + 10 - part) % 9) as u64 * 0x4000; // the one that is free
            let products: DmTensor<f32, Chip, m![L / 2048], m![L / 128 % 16, M / 256], m![L % 128, M % 32]> = ctx
                .main
                .begin(a.view())
                .fetch::<bf16, m![L % 128, M / 8 % 4], m![N % 1024]>()
                .collect::<m![L % 128, M / 8 % 4, N % 1024 / 16], m![N % 16]>()
                .align::<m![L % 128, M / 8 % 4, N % 1024 / 32], m![N % 32], _, _>(&b)
                .contract::<m![1]>()
                .accumulate::<m![L % 128, M / 8 % 4], m![M % 8]>(AccumulationKind::Interleaved)
                .commit(if part == 0 { place } else { 0x50000 });
            if part == 0 {
                sums.push(products);
                continue;
            }
            let both = ctx
                .main
                .begin_interleaved::<Which, _, _, _, _, _>(sums[columns].view(), products.view())
                .fetch::<f32, m![L % 128, M % 32 / 8, Which], m![M % 8]>()
                .collect::<m![L % 128, M % 32 / 8, Which], m![M % 8]>()
                .vector_init()
                .vector_intra_slice_unzip::<Which, m![L % 128, M % 32 / 8, 1 # 2], m![L % 128, M % 32 / 8]>()
                .vector_clip_zip(ClipBinaryOpF32::Add)
                .vector_final();
            if part < 3 {
                sums[columns] = both.commit(place);
                continue;
            }
            let tile: DmTensor<bf16, Chip, m![L / 2048], m![L / 128 % 16, M / 256], m![L % 128, M % 32]> = both
                    .cast::<bf16, m![M % 8 # 16]>()
                .commit(0x78000);
            tile.view().to_hbm_view(
                &mut ctx.tdma,
                c.view_mut().tile::<m![M / 32 % 8], 1, m![L, M / 256, 1 # 8, M % 32]>(columns),
            );
        }
    }
}

// The depth goes in 2 parts: of each, 128 rows of A stay in DM while 8 times 32 rows of B meet all of them; what
// the parts give is added up in DM.
#[device(chip = 1)]
fn large_i8(
    ctx: &mut Context,
    a: &HbmTensor<i8, Chip, m![L, N]>,
    b: &HbmTensor<i8, Chip, m![M, N]>,
    c: &mut HbmTensor<i32, Chip, m![L, M]>,
) {
    let mut sums = Vec::new();
    for part in 0..2 {
        let a: DmTensor<i8, Chip, m![L / 2048], m![L / 128 % 16, M / 256], m![L % 128, N % 2048]> = a
            .view()
            .tile::<m![N / 2048], 1, m![L, 1 # 2, N % 2048]>(part)
            .to_dm(&mut ctx.tdma, 0);
        for columns in 0..8 {
            let b: DmTensor<i8, Chip, m![L / 2048], m![L / 128 % 16, M / 256], m![M % 32, N % 2048]> = b
                .view()
                .tile::<m![N / 2048], 1, m![M, 1 # 2, N % 2048]>(part)
                .tile::<m![M / 32 % 8], 1, m![M / 256, 1 # 8, M % 32, 1 # 2, N % 2048]>(columns)
                .to_dm(&mut ctx.tdma, 0x40000);
            let b: TrfTensor<i8, Chip, m![L / 2048], m![L / 128 % 16, M / 256], m![M % 8], m![M / 8 % 4, N % 2048]> = ctx
                .sub
                .begin(b.view())
                .fetch::<i8, m![M % 8, M / 8 % 4], m![N % 2048]>()
                .collect::<m![M % 8, M / 8 % 4, N % 2048 / 32], m![N % 32]>()
                .to_trf(TrfAddress::Full);
            let place = 0x54000 + ((columns + 10 - part) % 9) as u64 * 0x4000; // the one that is free
            let products: DmTensor<i32, Chip, m![L / 2048], m![L / 128 % 16, M / 256], m![L % 128, M % 32]> = ctx
                .main
                .begin(a.view())
                .fetch::<i8, m![L % 128, M / 8 % 4], m![N % 2048]>()
                .collect::<m![L % 128, M / 8 % 4, N % 2048 / 32], m![N % 32]>()
                .align::<m![L % 128, M / 8 % 4, N % 2048 / 64], m![N % 64], _, _>(&b)
                .contract::<m![1]>()
                .accumulate::<m![L % 128, M / 8 % 4], m![M % 8]>(AccumulationKind::Interleaved)
                .commit(if part == 0 { place } else { 0x50000 });
            if part == 0 {
                sums.push(products);
                continue;
            }
            let both = ctx
                .main
                .begin_interleaved::<Which, _, _, _, _, _>(sums[columns].view(), products.view())
                .fetch::<i32, m![L % 128, M % 32 / 8, Which], m![M % 8]>()
                .collect::<m![L % 128, M % 32 / 8, Which], m![M % 8]>()
                .vector_init()
                .vector_intra_slice_unzip::<Which, m![L % 128, M % 32 / 8, 1 # 2], m![L % 128, M % 32 / 8]>()
                .vector_clip_zip(ClipBinaryOpI32::AddFxp)
                .vector_final();
            if part < 1 {
                sums[columns] = both.commit(place);
                continue;
            }
            let tile: DmTensor<i32, Chip, m![L / 2048], m![L / 128 % 16, M / 256], m![L % 128, M % 32]> = both
                .commit(0x78000);
            tile.view().to_hbm_view(
                &mut ctx.tdma,
                c.view_mut().tile::<m![M / 32 % 8], 1, m![L, M / 256, 1 # 8, M % 32]>(columns),
            );
        }
    }
}

// ---- passes over everything that DM holds

#[device(chip = 1)]
fn elementwise(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![V]>) -> HbmTensor<f32, Chip, m![V]> {
    let x = x.to_dm::<m![V / 8388608], m![V / 32768 % 256], m![V % 32768]>(&mut ctx.tdma, 0);
    let y: DmTensor<f32, Chip, m![V / 8388608], m![V / 32768 % 256], m![V % 32768]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![1], m![V % 32768]>()
        .collect::<m![V % 32768 / 8], m![V % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![V % 32768 / 4], m![V % 4]>()
        .vector_fp_ternary(FpTernaryOp::FmaF, (1.5f32, 0.25f32))
        .vector_concat::<m![V % 32768 / 8], m![V % 8]>()
        .vector_clip(ClipBinaryOpF32::Max, 0.0f32)
        .vector_final()
        .commit(0x20000);
    y.to_hbm(&mut ctx.tdma, 1 << 30)
}

// ---- moves

#[device(chip = 1)]
fn relayout(ctx: &mut Context, x: &HbmTensor<i8, Chip, m![A, B, C]>) -> HbmTensor<i8, Chip, m![B, A, C]> {
    x.to_hbm(&mut ctx.tdma, 1 << 30)
}

#[device(chip = 1)]
fn transpose_i8(ctx: &mut Context, x: &HbmTensor<i8, Chip, m![S, T]>) -> HbmTensor<i8, Chip, m![T, S]> {
    x.to_hbm(&mut ctx.tdma, 1 << 30)
}

#[device(chip = 1)]
fn transpose_f32(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![P, Q]>) -> HbmTensor<f32, Chip, m![Q, P]> {
    x.to_hbm(&mut ctx.tdma, 1 << 30)
}

// ---- rows

#[device(chip = 1)]
fn softmax(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![R, E]>) -> HbmTensor<f32, Chip, m![R, E]> {
    let x = x.to_dm::<m![R / 512], m![R / 2 % 256], m![R % 2, E]>(&mut ctx.tdma, 0);
    let largest: VrfTensor<f32, Chip, m![R / 512], m![R / 2 % 256], m![R % 2]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![R % 2], m![E]>()
        .collect::<m![R % 2, E / 8], m![E % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![R % 2, E / 4], m![E % 4]>()
        .vector_intra_slice_reduce::<E, m![R % 2], m![1 # 4]>(IntraSliceReduceOpF32::Max)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .to_vrf(0);
    let powers: DmTensor<f32, Chip, m![R / 512], m![R / 2 % 256], m![R % 2, E]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![R % 2], m![E]>()
        .collect::<m![R % 2, E / 8], m![E % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![R % 2, E / 4], m![E % 4]>()
        .vector_fp_binary(FpBinaryOp::SubF, &largest)
        .vector_fp_unary(FpUnaryOp::Exp)
        .vector_concat::<m![R % 2, E / 8], m![E % 8]>()
        .vector_final()
        .commit(0x10000);
    let sum: VrfTensor<f32, Chip, m![R / 512], m![R / 2 % 256], m![R % 2]> = ctx
        .main
        .begin(powers.view())
        .fetch::<f32, m![R % 2], m![E]>()
        .collect::<m![R % 2, E / 8], m![E % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![R % 2, E / 4], m![E % 4]>()
        .vector_intra_slice_reduce::<E, m![R % 2], m![1 # 4]>(IntraSliceReduceOpF32::Add)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .to_vrf(0x100);
    let shares: DmTensor<f32, Chip, m![R / 512], m![R / 2 % 256], m![R % 2, E]> = ctx
        .main
        .begin(powers.view())
        .fetch::<f32, m![R % 2], m![E]>()
        .collect::<m![R % 2, E / 8], m![E % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![R % 2, E / 4], m![E % 4]>()
        .vector_fp_div(FpDivBinaryOp::DivF.with_mode(BinaryArgMode::Mode01), VeRhs::vrf(&sum))
        .vector_concat::<m![R % 2, E / 8], m![E % 8]>()
        .vector_final()
        .commit(0x20000);
    shares.to_hbm(&mut ctx.tdma, 1 << 30)
}

#[device(chip = 1)]
fn rms_norm(
    ctx: &mut Context,
    x: &HbmTensor<f32, Chip, m![R, E]>,
    gain: &HbmTensor<f32, Chip, m![E]>,
) -> HbmTensor<f32, Chip, m![R, E]> {
    let x = x.to_dm::<m![R / 512], m![R / 2 % 256], m![R % 2, E]>(&mut ctx.tdma, 0);
    let gain = gain.to_dm::<m![R / 512], m![R / 2 % 256], m![R % 2, E]>(&mut ctx.tdma, 0x10000);
    let squares: DmTensor<f32, Chip, m![R / 512], m![R / 2 % 256], m![R % 2, 1 # 8]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![R % 2], m![E]>()
        .collect::<m![R % 2, E / 8], m![E % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![R % 2, E / 4], m![E % 4]>()
        .vector_fp_binary_with_mode(FpBinaryOp::MulF(FpMulAlu::Mul0), BinaryArgMode::Mode00, 0.0f32)
        .vector_intra_slice_reduce::<E, m![R % 2], m![1 # 4]>(IntraSliceReduceOpF32::Add)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .commit(0x20000);
    let root: VrfTensor<f32, Chip, m![R / 512], m![R / 2 % 256], m![R % 2]> = ctx
        .main
        .begin(squares.view())
        .fetch::<f32, m![R % 2], m![1 # 8]>()
        .collect::<m![R % 2], m![1 # 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![1 # 4]>()
        .vector_fp_ternary(FpTernaryOp::FmaF, (0.000244140625f32, 0.00001f32)) // the mean, and a little
        .vector_fp_unary(FpUnaryOp::Sqrt)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .to_vrf(0);
    let scaled: DmTensor<f32, Chip, m![R / 512], m![R / 2 % 256], m![R % 2, E]> = ctx
        .main
        .begin_interleaved::<Which, _, _, _, _, _>(x.view(), gain.view())
        .fetch::<f32, m![R % 2, E / 8, Which], m![E % 8]>()
        .collect::<m![R % 2, E / 8, Which], m![E % 8]>()
        .vector_init()
        .vector_intra_slice_unzip::<Which, m![R % 2, E / 8, 1 # 2], m![R % 2, E / 8]>()
        .vector_split::<m![R % 2, E / 4], m![E % 4]>()
        .vector_fp_zip(FpBinaryOp::MulF(FpMulAlu::Mul0))
        .vector_fp_div(FpDivBinaryOp::DivF.with_mode(BinaryArgMode::Mode01), VeRhs::vrf(&root))
        .vector_concat::<m![R % 2, E / 8], m![E % 8]>()
        .vector_final()
        .commit(0x40000);
    scaled.to_hbm(&mut ctx.tdma, 1 << 30)
}

// Sums over 64 slices: E = 64 x 64.
#[device(chip = 1)]
fn slice_sum(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![R, E]>) -> HbmTensor<f32, Chip, m![R, E % 64]> {
    let x = x.to_dm::<m![R / 512], m![R / 128 % 4, E / 64], m![R % 128, E % 64]>(&mut ctx.tdma, 0);
    let sum: DmTensor<f32, Chip, m![R / 512], m![R / 128 % 4, 1 # 64], m![R % 128, E % 64]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![R % 128], m![E % 64]>()
        .collect::<m![R % 128, E % 64 / 8], m![E % 8]>()
        .vector_init()
        .vector_inter_slice_reduce::<m![R / 128 % 4, 1 # 64], m![R % 128, E % 64 / 8]>(InterSliceReduceOpF32::Add)
        .vector_final()
        .commit(0x20000);
    sum.to_hbm(&mut ctx.tdma, 1 << 30)
}
