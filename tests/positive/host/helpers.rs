// Tests with helpers of their own: async functions, structs that bundle tensors, addresses as constants.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

type InHbm = HbmTensor<i32, m![1], m![S, A]>;

const INPUTS: u64 = 0;
const OUTPUT: u64 = 2 << 28;

struct Operands {
    left: InHbm,
    right: InHbm,
}

impl Operands {
    async fn new(ctx: &mut Context, seed: i32) -> Operands {
        let left = upload(ctx, seed, INPUTS).await;
        let right = upload(ctx, seed + 1, INPUTS + (1 << 28)).await;
        Operands { left, right }
    }
}

async fn upload(ctx: &mut Context, seed: i32, address: u64) -> InHbm {
    let host = HostTensor::<i32, m![S, A]>::from_buf((0..2048).map(|x| Opt::Init(x + seed)).collect());
    host.to_hbm(&mut ctx.pdma, address).await
}

async fn download(ctx: &mut Context, tensor: &InHbm) -> Vec<Opt<i32>> {
    tensor.to_host::<m![S, A]>(&mut ctx.pdma).await.to_buf()
}

#[device(chip = 1)]
fn difference(ctx: &mut Context, x: &InHbm, y: &InHbm) -> InHbm {
    let x = x.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    let y = y.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0x1000);
    let y: VrfTensor<i32, m![1], m![1 # 2], m![S], m![A]> =
        ctx.sub.begin(y.view()).fetch::<i32, m![1], m![A]>().collect::<m![1], m![A]>().to_vrf(0);
    let out = ctx
        .main
        .begin(x.view())
        .fetch::<i32, m![1], m![A]>()
        .collect::<m![1], m![A]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::SubFxp, &y)
        .vector_final()
        .commit::<m![A]>(0x2000);
    out.to_hbm(&mut ctx.tdma, OUTPUT)
}

#[tokio::test]
async fn differences_are_minus_one() {
    let mut ctx = Context::acquire();
    let operands = Operands::new(&mut ctx, 100).await;
    assert_eq!(operands.right.address(), 1 << 28);
    let out = launch(difference, (&mut *ctx, &operands.left, &operands.right)).await;
    assert_eq!(out.address(), OUTPUT);
    assert_eq!(download(&mut ctx, &out).await, vec![Opt::Init(-1); 2048]);
}
