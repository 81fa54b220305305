// Tests that must fail: by a panic of their own, by an assertion, by reading what was never written.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

#[device(chip = 1)]
fn copy(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![S, A]>) -> HbmTensor<i32, m![1], m![S, A]> {
    let dm = input.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    dm.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[test]
#[should_panic(expected = "row 3 is missing")]
fn own_message() {
    let rows = [1, 2, 3];
    let index = 3;
    if index >= rows.len() {
        panic!("row {index} is missing in {rows:?}");
    }
}

#[test]
#[should_panic(expected = "left == right")]
fn assertion() {
    assert_eq!(1 + 1, 3);
}

#[test]
#[should_panic]
fn missing_value() {
    let tensor = HostTensor::<i32, m![A]>::uninit();
    let _ = tensor.to_buf()[0].unwrap();
}

#[test]
#[should_panic]
fn too_few_values() {
    let _ = HostTensor::<i32, m![A]>::from_buf(vec![Opt::Init(1)]);
}

#[tokio::test]
async fn the_next_test_still_runs() {
    let mut ctx = Context::acquire();
    let host = HostTensor::<i32, m![S, A]>::zero();
    let hbm = host.to_hbm(&mut ctx.pdma, 0).await;
    let out = launch(copy, (&mut *ctx, &hbm)).await;
    assert_eq!(out.to_host::<m![S, A]>(&mut ctx.pdma).await.to_buf(), host.to_buf());
}
