// What is split goes through the Contraction and the Vector Engine, and reads its weights and operands in parts, too.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 2, B = 2, C = 2, D = 2, E = 2, F = 2, G = 2, H = 2, K = 64, N = 4, P = 8];

type Chip = m![1];
type Cluster = m![1 # 2];

// Ten loops over the data, of which K stays in every command; the weights have H, too.
#[device(chip = 1)]
fn products(
    ctx: &mut Context,
    input: &HbmTensor<i8, Chip, m![S, A, B, C, D, E, F, G, H, K]>,
    weights: &HbmTensor<i8, Chip, m![S, N, H, A, K]>,
) -> HbmTensor<i32, Chip, m![S, H, G, F, E, D, C, B, A, N]> {
    let dm = input.to_dm::<Cluster, m![S], m![A, B, C, D, E, F, G, H, K]>(&mut ctx.tdma, 0);
    let w = weights.to_dm::<Cluster, m![S], m![N, H, A, K]>(&mut ctx.tdma, 0x10000);
    let w: TrfTensor<i8, Chip, Cluster, m![S], m![N], m![H, A, K]> = ctx
        .sub
        .begin(w.view())
        .fetch::<i8, m![N, H, A], m![K]>()
        .collect::<m![N, H, A, K / 32], m![K % 32]>()
        .to_trf(TrfAddress::Full);
    let out: DmTensor<i32, Chip, Cluster, m![S], m![H, G, F, E, D, C, B, A, N]> = ctx
        .main
        .begin(dm.view())
        .fetch::<i8, m![H, G, F, E, D, C, B, A], m![K]>()
        .collect::<m![H, G, F, E, D, C, B, A, K / 32], m![K % 32]>()
        .align::<m![H, G, F, E, D, C, B, A], m![K], _, _>(&w)
        .contract::<m![1]>()
        .accumulate::<m![H, G, F, E, D, C, B, A], m![N # 8]>(AccumulationKind::Interleaved)
        .commit(0x20000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// An operand for each A and H.
#[device(chip = 1)]
fn sums(
    ctx: &mut Context,
    input: &HbmTensor<i32, Chip, m![S, A, B, C, D, E, F, G, H, P]>,
    operand: &HbmTensor<i32, Chip, m![S, A, H, P]>,
) -> HbmTensor<i32, Chip, m![S, H, G, F, E, D, C, B, A, P]> {
    let dm = input.to_dm::<Cluster, m![S], m![A, B, C, D, E, F, G, H, P]>(&mut ctx.tdma, 0);
    let operand = operand.to_dm::<Cluster, m![S], m![A, H, P]>(&mut ctx.tdma, 0x10000);
    let operand: VrfTensor<i32, Chip, Cluster, m![S], m![A, H, P]> = ctx
        .sub
        .begin(operand.view())
        .fetch::<i32, m![A, H], m![P]>()
        .collect::<m![A, H], m![P]>()
        .to_vrf(0);
    let out: DmTensor<i32, Chip, Cluster, m![S], m![H, G, F, E, D, C, B, A, P]> = ctx
        .main
        .begin(dm.view())
        .fetch::<i32, m![H, G, F, E, D, C, B, A], m![P]>()
        .collect::<m![H, G, F, E, D, C, B, A], m![P]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::AddFxp, &operand)
        .vector_final()
        .commit(0x20000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// A load of weights whose order is not that of DM: nine loops, in two commands.
#[device(chip = 1)]
fn loads(
    ctx: &mut Context,
    input: &HbmTensor<i8, Chip, m![S, N, P]>,
    weights: &HbmTensor<i8, Chip, m![S, A, B, C, D, E, F, G, H, N, P]>,
) -> HbmTensor<i32, Chip, m![S, A, B, C, D, E, F, G, H]> {
    let x = input.to_dm::<Cluster, m![S], m![N, P]>(&mut ctx.tdma, 0);
    let w = weights.to_dm::<Cluster, m![S], m![A, B, C, D, E, F, G, H, N, P]>(&mut ctx.tdma, 0x1000);
    let w: TrfTensor<i8, Chip, Cluster, m![S], m![H, G, F], m![E, D, C, B, A, N, P]> = ctx
        .sub
        .begin(w.view())
        .fetch::<i8, m![H, G, F, E, D, C, B, A], m![N, P]>()
        .collect::<m![H, G, F, E, D, C, B, A], m![N, P]>()
        .to_trf(TrfAddress::Full);
    let out: DmTensor<i32, Chip, Cluster, m![S], m![A, B, C, D, E, H, G, F]> = ctx
        .main
        .begin(x.view())
        .fetch::<i8, m![1], m![N, P]>()
        .collect::<m![1], m![N, P]>()
        .align::<m![A, B, C, D, E], m![[N, P] # 64], _, _>(&w)
        .contract::<m![1]>()
        .accumulate::<m![A, B, C, D, E], m![H, G, F]>(AccumulationKind::Interleaved)
        .commit(0x8000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}
