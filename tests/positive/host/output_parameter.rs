// The kernel writes into a tensor that the host made from an address.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

#[device(chip = 1)]
fn copy_into(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![S, A]>, output: &mut HbmTensor<i32, m![1], m![A, S]>) {
    let dm = input.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    dm.view().to_hbm_view(&mut ctx.tdma, output.view_mut());
}

#[tokio::test]
async fn written_in_place() {
    let mut ctx = Context::acquire();
    let host = HostTensor::<i32, m![S, A]>::from_buf((0..<m![S, A]>::SIZE).map(|x| Opt::Init(x as i32)).collect());
    let input = host.to_hbm(&mut ctx.pdma, 0 << 28).await;
    let mut output = unsafe { HbmTensor::<i32, m![1], m![A, S]>::from_addr(1 << 28) };
    launch(copy_into, (&mut *ctx, &input, &mut output)).await;
    let result = output.to_host::<m![A, S]>(&mut ctx.pdma).await;
    assert_eq!(result.to_buf()[1], Opt::Init(8), "element S = 1, A = 0");
    assert_eq!(result.into_inner().transpose::<m![S, A]>(false).to_buf(), host.to_buf());
}
