// Operands that apply to one group of elements only, and what happens to the others.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

#[device(chip = 1)]
fn odd_lanes(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![S, A]>) -> HbmTensor<i32, m![1], m![S, A]> {
    let dm = input.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    let out = ctx
        .main
        .begin(dm.view())
        .fetch::<i32, m![1], m![A]>()
        .collect::<m![1], m![A]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::AxisToggle { axis: Ident::A })
        .vector_fxp(FxpBinaryOp::AddFxp, [VeBranchOperand::group(1000, GroupId::One), VeBranchOperand::always(1)])
        .vector_final()
        .commit::<m![A]>(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn leaky(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![S, A]>) -> HbmTensor<i32, m![1], m![S, A]> {
    let dm = input.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    let out = ctx
        .main
        .begin(dm.view())
        .fetch::<i32, m![1], m![A]>()
        .collect::<m![1], m![A]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Comparison([
            InputCmp::I32(InputCmpI32::False),
            InputCmp::I32(InputCmpI32::False),
            InputCmp::I32(InputCmpI32::False),
            InputCmp::I32(InputCmpI32::Less { boundary: 0 }),
        ]))
        .vector_fxp(FxpBinaryOp::ArithRightShift, (4, GroupId::One))
        .vector_final()
        .commit::<m![A]>(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

fn input() -> HostTensor<i32, m![S, A]> {
    HostTensor::from_buf((0..2048).map(|x| Opt::Init(x - 1000)).collect())
}

#[tokio::test]
async fn every_other_lane() {
    let mut ctx = Context::acquire();
    let hbm = input().to_hbm(&mut ctx.pdma, 0).await;
    let out = launch(odd_lanes, (&mut *ctx, &hbm)).await.to_host::<m![S, A]>(&mut ctx.pdma).await;
    let expected: Vec<Opt<i32>> = (0..2048).map(|x| Opt::Init(x - 1000 + if x % 2 == 1 { 1001 } else { 1 })).collect();
    assert_eq!(out.to_buf(), expected);
}

#[tokio::test]
async fn negative_values_only() {
    let mut ctx = Context::acquire();
    let hbm = input().to_hbm(&mut ctx.pdma, 0).await;
    let out = launch(leaky, (&mut *ctx, &hbm)).await.to_host::<m![S, A]>(&mut ctx.pdma).await;
    let expected: Vec<Opt<i32>> = (-1000..1048).map(|x: i32| Opt::Init(if x < 0 { x >> 4 } else { x })).collect();
    assert_eq!(out.to_buf(), expected);
}
