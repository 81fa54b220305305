// Numbers in all their spellings: hexadecimal, digit separators, shifts, products, floats with exponent and suffix.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8, B = 2];

const MIB: u64 = 1024 * 1024;

#[device(chip = 1)]
fn addresses(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![S, A]>) {
    let _a = input.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0x0);
    let _b = input.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 1 << 12);
    let _c = input.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 128 * 1024);
    let _d = input.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, (256 * 1024 + 32) - 0x20);
    let _e = input.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 4_096 * 3);
    let _f: HbmTensor<i32, m![1], m![S, A]> = _a.to_hbm(&mut ctx.tdma, 0x936ad000);
    let _g: HbmTensor<i32, m![1], m![S, A]> = _b.to_hbm(&mut ctx.tdma, MIB * 64);
}

#[device(chip = 1)]
fn constants(ctx: &mut Context, input: &HbmTensor<f32, m![1], m![S, B]>) -> HbmTensor<f32, m![1], m![S, B]> {
    let dm = input.to_dm::<m![1 # 2], m![S], m![B]>(&mut ctx.tdma, 0);
    let out = ctx
        .main
        .begin(dm.view())
        .fetch::<f32, m![1], m![B]>()
        .collect::<m![1], m![B # 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![B # 4]>()
        .vector_fp_ternary(FpTernaryOp::FmaF, (2.5f32, 6.25e-8f32))
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), 1e3)
        .vector_pad_way8::<m![B # 8]>()
        .vector_clip(ClipBinaryOpF32::Max, -3.39e38f32)
        .vector_clip(ClipBinaryOpF32::Min, 1_000.5)
        .vector_final()
        .commit::<m![B]>(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}
