// Operands, conditions and modes written out with their types and fields.
use furiosa_visa_std::prelude::*;
axes![S = 256, A = 32, I = 2];
type Chip = m![1];
type Cluster = m![1 # 2];
type Slice = m![S];
fn ops(
    ctx: &mut Context,
    x: &DmTensor<f32, Chip, Cluster, Slice, m![A]>,
    v: &VrfTensor<f32, Chip, Cluster, Slice, m![A]>,
) -> DmTensor<f32, Chip, Cluster, Slice, m![A]> {
    ctx.main.begin(x.view()).fetch::<f32, m![A / 8], m![A % 8]>().collect::<m![A / 8], m![A % 8]>()
        .vector_init().vector_intra_slice_branch(BranchMode::AxisToggle { axis: A::NAME })
        .vector_logic(LogicBinaryOpF32::BitAnd, VeBranchOperand { operand: VeRhs::Const { v: 1.5 }, valid_branch_ids: ValidBranchIds::ValidAlways })
        .vector_stash()
        .vector_split::<m![A / 4], m![A % 4]>()
        .vector_fp_binary(FpBinaryOp::AddF, ArrayVec::new([VeBranchOperand::group(VeRhs::constant(1.0), GroupId::One)]))
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), (VeRhs::vrf(v), GroupId::Zero))
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul1), (Stash, ValidBranchIds::from(GroupId::Zero)))
        .vector_fp_div_with_mode(FpDivBinaryOp::DivF, BinaryArgMode::default(), (2.0, ValidBranchIds::ValidGroup { id: GroupId::One }))
        .vector_concat::<m![A / 8], m![A % 8]>()
        .vector_clip(ClipBinaryOpF32::Add, VeBranchOperand::stash_group(GroupId::One))
        .vector_clip(ClipBinaryOpF32::Max, VeRhs::Stash)
        .vector_final().commit(0x4000)
}
fn ternary(
    ctx: &mut Context,
    x: &DmTensor<f32, Chip, Cluster, Slice, m![A]>,
    v: &VrfTensor<f32, Chip, Cluster, Slice, m![A]>,
) -> DmTensor<f32, Chip, Cluster, Slice, m![A]> {
    ctx.main.begin(x.view()).fetch::<f32, m![A / 8], m![A % 8]>().collect::<m![A / 8], m![A % 8]>()
        .vector_init().vector_intra_slice_branch(BranchMode::default())
        .vector_split::<m![A / 4], m![A % 4]>()
        .vector_fp_ternary(FpTernaryOp::FmaF, TernaryOperand { operand0: VeRhs::vrf(v), operand1: 2.0, valid_branch_ids: ValidBranchIds::default() })
        .vector_concat::<m![A / 8], m![A % 8]>()
        .vector_final().commit(0x4000)
}
fn pair(
    ctx: &mut Context,
    x: &DmTensor<i32, Chip, Cluster, Slice, m![A]>,
    y: &DmTensor<i32, Chip, Cluster, Slice, m![A]>,
) -> DmTensor<i32, Chip, Cluster, Slice, m![A]> {
    ctx
        .main
        .begin_interleaved::<I, _, _, _, _, _>(x.view(), y.view())
        .fetch::<i32, m![A / 8, I], m![A % 8]>()
        .collect::<m![A / 8, I], m![A % 8]>()
        .vector_init().vector_intra_slice_unzip::<I, m![A / 8, 1 # 2], m![A / 8]>()
        .vector_fxp(FxpBinaryOp::MulInt, Some(VeBranchOperand::always(3)), None)
        .vector_fxp_zip_with_mode(FxpBinaryOp::SubFxp, BinaryArgMode::Mode10)
        .vector_final().commit(0x4000)
}
fn op(b: bool) -> FxpBinaryOp { if b { FxpBinaryOp::AddFxp } else { FxpBinaryOp::SubFxp } }
fn chosen(
    ctx: &mut Context,
    x: &DmTensor<i32, Chip, Cluster, Slice, m![A]>,
) -> DmTensor<i32, Chip, Cluster, Slice, m![A]> {
    let group: ValidBranchIds = GroupId::One.into();
    ctx.main.begin(x.view()).fetch::<i32, m![A / 8], m![A % 8]>().collect::<m![A / 8], m![A % 8]>()
        .vector_init().vector_intra_slice_branch(BranchMode::AxisToggle { axis: Ident::new("A") })
        .vector_fxp(op(true), (1, group))
        .vector_final().commit(0x4000)
}
fn picky(
    ctx: &mut Context,
    x: &DmTensor<i32, Chip, Cluster, Slice, m![A]>,
) -> DmTensor<i32, Chip, Cluster, Slice, m![A]> {
    let operand: VeBranchOperand<i32> = VeBranchOperand::always(3);
    let address = if operand.is_stash() { 0 } else { 0x4000 };
    ctx.main.begin(x.view()).fetch::<i32, m![A / 8], m![A % 8]>().collect::<m![A / 8], m![A % 8]>()
        .vector_init().vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::AddFxp, operand)
        .vector_final().commit(address)
}
fn generic<F: DeviceFn<()>, B: Backend>() {}
