//! Transposing small matrices on their way through the pipeline.
//!
//! Every slice holds four matrices of 8 by 8 bytes. The Transpose Engine collects eight flits, one row of eight bytes
//! in each, and sends the columns out as flits of their own: the axis Line moves from time into the packet and Column
//! the other way. Each outgoing flit has eight bytes of data, and only these are committed.
//!
//! Engines: DMA, Fetch, Collect, Transpose, Commit.
//! Memory in a slice: input at 0, result at 0x1000 (256 bytes each).

use furiosa_visa_std::prelude::*;

axes![S = 256, Matrix = 4, Line = 8, Column = 8];

type Chip = m![1];
type Cluster = m![1 # 2];

#[device(chip = 1)]
fn transpose(
    ctx: &mut Context,
    input: &HbmTensor<i8, Chip, m![S, Matrix, Line, Column]>,
) -> HbmTensor<i8, Chip, m![S, Matrix, Column, Line]> {
    let dm = input.to_dm::<Cluster, m![S], m![Matrix, Line, Column]>(&mut ctx.tdma, 0);
    let out: DmTensor<i8, Chip, Cluster, m![S], m![Matrix, Column, Line]> = ctx
        .main
        .begin(dm.view())
        .fetch::<i8, m![Matrix, Line], m![Column]>() // packets of eight bytes
        .collect::<m![Matrix, Line], m![Column # 32]>() // padded to a flit
        .transpose::<m![Matrix, Column], m![Line # 32]>()
        .commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// Runs the kernel on the chip.
async fn run(values: Vec<i8>) -> Vec<i8> {
    let mut ctx = Context::acquire();
    let input = HostTensor::<i8, m![S, Matrix, Line, Column]>::from_buf(values.into_iter().map(Opt::Init).collect());
    let in_hbm = input.to_hbm(&mut ctx.pdma, 0).await;
    let out_hbm = launch(transpose, (&mut *ctx, &in_hbm)).await;
    let out = out_hbm.to_host::<m![S, Matrix, Column, Line]>(&mut ctx.pdma).await;
    out.to_buf().into_iter().map(|value| value.unwrap()).collect()
}

#[tokio::main]
async fn main() {
    let out = run((0..65536).map(|e| (e % 64) as i8).collect()).await;
    println!("the lines 0 1 2 .., 8 9 10 .. become {} {} {} .., {} {} ..", out[0], out[1], out[2], out[8], out[9]);
    assert_eq!((out[1], out[2], out[8], out[9]), (8, 16, 1, 9));
}

#[tokio::test]
async fn lines_and_columns_change_places() {
    let values: Vec<i8> = (0..65536).map(|e| (e * 31 % 127) as i8).collect();
    let out = run(values.clone()).await;
    for matrix in 0..1024 {
        for line in 0..8 {
            for column in 0..8 {
                assert_eq!(out[64 * matrix + 8 * column + line], values[64 * matrix + 8 * line + column]);
            }
        }
    }
}

#[tokio::test]
async fn twice_is_nothing() {
    let values: Vec<i8> = (0..65536).map(|e| (e % 251) as i8).collect();
    let once = run(values.clone()).await;
    assert_eq!(run(once).await, values);
}
