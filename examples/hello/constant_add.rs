//! Adding a constant: the shortest way through the Tensor Unit.
//!
//! 4096 integers lie in HBM. The DMA spreads them over the 256 slices of one cluster, 16 to a slice. Each slice then
//! sends its own data through the pipeline: the Fetch Engine reads packets of eight integers, the Collect Engine makes
//! a flit of 32 bytes of each, the Vector Engine adds 5, and the Commit Engine writes the flits back to data memory
//! (DM). A second DMA brings the result to HBM.
//!
//! Engines: DMA, Fetch, Collect, Vector (fixed point), Commit.
//! Memory in a slice: input at 0 (64 bytes), result at 0x1000 (64 bytes).

use furiosa_visa_std::prelude::*;

axes![Values = 4096];

type Chip = m![1];
type Cluster = m![1 # 2]; // a chip has two clusters, one is used
type Slice = m![Values / 16]; // 256 slices
type Element = m![Values % 16]; // what one slice holds

#[device(chip = 1)]
fn add_five(ctx: &mut Context, input: &HbmTensor<i32, Chip, m![Values]>) -> HbmTensor<i32, Chip, m![Values]> {
    let dm = input.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let sum: DmTensor<i32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(dm.view())
        .fetch::<i32, m![Values / 8 % 2], m![Values % 8]>() // two packets of 32 bytes
        .collect::<m![Values / 8 % 2], m![Values % 8]>() // each is one flit already
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional) // every element takes part
        .vector_fxp(FxpBinaryOp::AddFxp, 5)
        .vector_final()
        .commit(0x1000);
    sum.to_hbm(&mut ctx.tdma, 1 << 28)
}

// Runs the kernel on the chip: numbers of the host in, numbers of the host out.
async fn run(values: Vec<i32>) -> Vec<i32> {
    let mut ctx = Context::acquire();
    let input = HostTensor::<i32, m![Values]>::from_buf(values.into_iter().map(Opt::Init).collect());
    let in_hbm = input.to_hbm(&mut ctx.pdma, 0).await;
    let out_hbm = launch(add_five, (&mut *ctx, &in_hbm)).await;
    let out = out_hbm.to_host::<m![Values]>(&mut ctx.pdma).await;
    out.to_buf().into_iter().map(|value| value.unwrap()).collect()
}

#[tokio::main]
async fn main() {
    let out = run((0..4096).collect()).await;
    println!("0, 1, 2 .. 4095, plus five: {}, {}, {} .. {}", out[0], out[1], out[2], out[4095]);
    assert_eq!(out, (5..4101).collect::<Vec<i32>>());
}

#[tokio::test]
async fn adds_five_to_every_number() {
    let values: Vec<i32> = (0..4096).map(|i| i * i - 7 * i).collect();
    let expected: Vec<i32> = values.iter().map(|v| *v + 5).collect();
    assert_eq!(run(values).await, expected);
}

// AddFxp wraps around; AddFxpSat would stay at the largest number.
#[tokio::test]
async fn wraps_around() {
    let out = run((0..4096).map(|i| i32::MAX - i).collect()).await;
    for i in 0..4096 {
        assert_eq!(out[i], (i32::MAX - i as i32).wrapping_add(5));
    }
}
