// A kernel that depends on an argument: most rows exist, row 9 does not, and only a launch can tell.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8, B = 8];

#[device(chip = 1)]
fn pick(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![S, A, B]>, row: usize) -> HbmTensor<i32, m![1], m![S, B]> {
    let dm: DmTensor<i32, m![1], m![1 # 2], m![S], m![B]> =
        input.view().tile::<m![A], 1, m![S, 1 # 8, B]>(row).to_dm(&mut ctx.tdma, 0);
    dm.to_hbm(&mut ctx.tdma, 1 << 28)
}

fn counting() -> HostTensor<i32, m![S, A, B]> {
    HostTensor::from_buf((0..<m![S, A, B]>::SIZE).map(|x| Opt::Init(x as i32)).collect())
}

#[tokio::test]
async fn the_last_row() {
    let mut ctx = Context::acquire();
    let input = counting().to_hbm(&mut ctx.pdma, 0).await;
    let out = launch(pick, (&mut *ctx, &input, 7)).await.to_host::<m![S, B]>(&mut ctx.pdma).await;
    assert_eq!(out.to_buf()[..2], [Opt::Init(56), Opt::Init(57)]);
}

#[tokio::test]
#[should_panic]
async fn a_row_too_far() {
    let mut ctx = Context::acquire();
    let input = counting().to_hbm(&mut ctx.pdma, 0).await;
    launch(pick, (&mut *ctx, &input, 9)).await;
}
