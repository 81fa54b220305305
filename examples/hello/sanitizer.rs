//! A kernel that every rule accepts and that is wrong all the same, and how the sanitizer finds it.
//!
//! A buffer in DM is made by naming an address: nothing is written there by that. The kernel doubles the rows of a
//! matrix in two halves, each into its half of the buffer, and sends the buffer to HBM with another pass. `forgets` does
//! so for the first half only. On the chip the second half then holds whatever was there before: today perhaps zeros,
//! tomorrow the rows of another kernel. No rule about shapes or addresses is broken, so `contra check` accepts both.
//!
//!     contra test examples/hello/sanitizer.rs
//!
//! watches every access to the memories of the simulated chips (`contra run --sanitize` does, too). The pass that reads
//! the buffer is refused: E0861, with the first element that nobody wrote, its address, the line, and the call and launch
//! that led there. A launch that is refused panics; the test below expects that. Take its `should_panic` away to see the
//! report, and try `contra explain E0861`. With `--no-sanitize` the launch succeeds, and that test fails.
//!
//! Engines: DMA, Fetch, Collect, Vector (fixed point), Commit (into a part of a tensor).
//! Memory in a slice: input at 0, the buffer at 0x1000, the result at 0x2000 (512 bytes each).

use furiosa_visa_std::prelude::*;

axes![Slices = 256, Rows = 16, N = 8];

type Chip = m![1];
type Cluster = m![1 # 2];
type Matrix = HbmTensor<i32, Chip, m![Slices, Rows, N]>;
type Buffer = DmTensor<i32, Chip, Cluster, m![Slices], m![Rows, N]>;

// Rows 0 to 7, or 8 to 15, of one buffer into the same rows of another.
fn double_half(ctx: &mut Context, from: &Buffer, to: &mut Buffer, half: usize) {
    ctx.main
        .begin(from.view().tile::<m![Rows / 8], 1, m![1 # 2, Rows % 8, N]>(half))
        .fetch::<i32, m![1 # 2, Rows % 8], m![N]>()
        .collect::<m![1 # 2, Rows % 8], m![N]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::MulInt, 2)
        .vector_final()
        .commit_view(to.view_mut().tile::<m![Rows / 8], 1, m![1 # 2, Rows % 8, N]>(half));
}

// All of it, one more.
fn add_one(ctx: &mut Context, from: &Buffer) -> Buffer {
    ctx.main
        .begin(from.view())
        .fetch::<i32, m![Rows], m![N]>()
        .collect::<m![Rows], m![N]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::AddFxp, 1)
        .vector_final()
        .commit(0x2000)
}

#[device(chip = 1)]
fn forgets(ctx: &mut Context, x: &Matrix) -> Matrix {
    let x = x.to_dm::<Cluster, m![Slices], m![Rows, N]>(&mut ctx.tdma, 0);
    let mut doubled = unsafe { Buffer::from_addr(0x1000) };
    double_half(ctx, &x, &mut doubled, 0); // and the other half?
    add_one(ctx, &doubled).to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn remembers(ctx: &mut Context, x: &Matrix) -> Matrix {
    let x = x.to_dm::<Cluster, m![Slices], m![Rows, N]>(&mut ctx.tdma, 0);
    let mut doubled = unsafe { Buffer::from_addr(0x1000) };
    for half in 0..2 {
        double_half(ctx, &x, &mut doubled, half);
    }
    add_one(ctx, &doubled).to_hbm(&mut ctx.tdma, 1 << 28)
}

fn numbers() -> HostTensor<i32, m![Slices, Rows, N]> {
    HostTensor::from_buf((0..256 * 16 * 8).map(Opt::Init).collect())
}

#[tokio::main]
async fn main() {
    let mut ctx = Context::acquire();
    let x = numbers().to_hbm(&mut ctx.pdma, 0).await;
    let out = launch(remembers, (&mut *ctx, &x)).await.to_host::<m![Slices, Rows, N]>(&mut ctx.pdma).await.to_buf();
    println!("2 i + 1 for i = 0, 1, 2 .. 32767: {}, {}, {} .. {}", out[0].unwrap(), out[1].unwrap(), out[2].unwrap(), out[32767].unwrap());
}

#[tokio::test]
async fn both_halves_are_written() {
    let mut ctx = Context::acquire();
    let x = numbers().to_hbm(&mut ctx.pdma, 0).await;
    let out = launch(remembers, (&mut *ctx, &x)).await.to_host::<m![Slices, Rows, N]>(&mut ctx.pdma).await.to_buf();
    assert_eq!(out, (0..256 * 16 * 8).map(|i| Opt::Init(2 * i + 1)).collect::<Vec<_>>());
}

#[tokio::test]
#[should_panic(expected = "nobody wrote")]
async fn the_sanitizer_finds_the_other_half() {
    let mut ctx = Context::acquire();
    let x = numbers().to_hbm(&mut ctx.pdma, 0).await;
    let _out = launch(forgets, (&mut *ctx, &x)).await;
}
