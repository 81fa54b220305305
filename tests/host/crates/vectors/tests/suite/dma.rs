use crate::common::*;
use furiosa_visa_std::prelude::*;

axes![A = 6, B = 16];

type Chip = m![1];

#[device(chip = 1)]
fn reorder(ctx: &mut Context, x: HbmTensorView<'_, i8, Chip, m![A, B]>, out: HbmTensorViewMut<'_, i8, Chip, m![B, A]>) {
    x.to_hbm_view(&mut ctx.tdma, out);
}

mod nested {
    use super::*;

    #[test]
    fn sizes() {
        let shape = Shape { sizes: vec![6, 16], label: "ab" };
        assert_eq!(shape.positions(), <m![A, B]>::SIZE);
    }
}

#[tokio::test]
async fn views_are_passed_by_value() {
    let mut ctx = Context::acquire();
    let x = HostTensor::<i8, m![A, B]>::from_buf((0..96).map(|v| Opt::Init(v as i8)).collect());
    let x_hbm = x.to_hbm::<Chip, m![A, B]>(&mut ctx.pdma, 0).await;
    let mut out = unsafe { HbmTensor::<i8, Chip, m![B, A]>::from_addr(0x10000) };
    launch(reorder, (&mut *ctx, x_hbm.view(), out.view_mut())).await;
    let got = out.to_host::<m![A, B]>(&mut ctx.pdma).await;
    assert_eq!(got.to_buf(), x.to_buf());
}
