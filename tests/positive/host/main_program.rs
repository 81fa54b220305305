// A whole host program: random input, a kernel, the result compared with a sum made on the host.
use furiosa_visa_std::prelude::*;
use rand::SeedableRng;
use rand::rngs::SmallRng;

axes![A = 2048];

type Chip = m![1];
type Cluster = m![1 # 2];
type Slice = m![A / 8];

#[device(chip = 1)]
fn negate(ctx: &mut Context, input: &HbmTensor<i32, Chip, m![A]>) -> HbmTensor<i32, Chip, m![A]> {
    let held = input.to_dm::<Cluster, Slice, m![A % 8]>(&mut ctx.tdma, 0);
    let out = ctx
        .main
        .begin(held.view())
        .fetch::<i32, m![1], m![A % 8]>()
        .collect::<m![1], m![A % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp_with_mode(FxpBinaryOp::SubFxp, BinaryArgMode::Mode10, 0)
        .vector_final()
        .commit::<m![A % 8]>(1 << 12);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[tokio::main]
async fn main() {
    let mut ctx = Context::acquire();
    let mut rng = SmallRng::seed_from_u64(7);
    let input = HostTensor::<i32, m![A]>::rand(&mut rng);
    let in_hbm = input.to_hbm(&mut ctx.pdma, 0).await;
    let out_hbm = launch(negate, (&mut ctx, &in_hbm)).await;
    let out = out_hbm.to_host::<m![A]>(&mut ctx.pdma).await;
    let expected = input.into_inner().map(|x| x.map(|v| 0i32.wrapping_sub(v)));
    assert_eq!(out.to_buf(), expected.to_buf());
}
