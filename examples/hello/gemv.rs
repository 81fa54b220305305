//! A matrix times a vector: one row of the matrix in every slice.
//!
//! The matrix has 256 rows, as many as a cluster has slices, so the row index I becomes the slice and the column index
//! J stays inside. The vector has no I: when the DMA writes it to a layout with I in the slices, every slice gets a
//! copy. All slices then compute their dot product at the same time.
//!
//! Engines: DMA (with a broadcast), Fetch, Collect, Contraction, Cast, Commit.
//! Memory in a slice: row at 0 (1 KiB), vector at 0x1000 (1 KiB), result at 0x2000 (8 bytes).

use furiosa_visa_std::prelude::*;

axes![I = 256, J = 512];

type Chip = m![1];
type Cluster = m![1 # 2];
type Slice = m![I];

#[device(chip = 1)]
fn gemv(
    ctx: &mut Context,
    matrix: &HbmTensor<bf16, Chip, m![I, J]>,
    vector: &HbmTensor<bf16, Chip, m![J]>,
) -> HbmTensor<bf16, Chip, m![I]> {
    let matrix = matrix.to_dm::<Cluster, Slice, m![J]>(&mut ctx.tdma, 0);
    let vector = vector.to_dm::<Cluster, Slice, m![J]>(&mut ctx.tdma, 0x1000); // 256 copies

    let vector: TrfTensor<bf16, Chip, Cluster, Slice, m![1], m![J]> = ctx
        .sub
        .begin(vector.view())
        .fetch::<bf16, m![1], m![J]>()
        .collect::<m![J / 16], m![J % 16]>()
        .to_trf(TrfAddress::Full);

    let result: DmTensor<bf16, Chip, Cluster, Slice, m![1 # 4]> = ctx
        .main
        .begin(matrix.view())
        .fetch::<bf16, m![J / 16], m![J % 16]>()
        .collect::<m![J / 16], m![J % 16]>()
        .align::<m![J / 32], m![J % 32], _, _>(&vector)
        .contract::<m![1]>()
        .accumulate::<m![1], m![1 # 8]>(AccumulationKind::Interleaved)
        .cast::<bf16, m![1 # 16]>() // back to 16 bits, still one flit
        .commit(0x2000); // one value and three of padding: eight bytes
    result.to_hbm(&mut ctx.tdma, 2 << 28)
}

// Runs the kernel on the chip: a matrix row by row and a vector in, a vector out.
async fn run(matrix: Vec<f32>, vector: Vec<f32>) -> Vec<f32> {
    let mut ctx = Context::acquire();
    let matrix = HostTensor::<bf16, m![I, J]>::from_buf(matrix.iter().map(|v| Opt::Init(bf16::from_f32(*v))).collect());
    let vector = HostTensor::<bf16, m![J]>::from_buf(vector.iter().map(|v| Opt::Init(bf16::from_f32(*v))).collect());
    let matrix_there = matrix.to_hbm(&mut ctx.pdma, 0 << 28).await;
    let vector_there = vector.to_hbm(&mut ctx.pdma, 1 << 28).await;
    let out_hbm = launch(gemv, (&mut *ctx, &matrix_there, &vector_there)).await;
    let out = out_hbm.to_host::<m![I]>(&mut ctx.pdma).await;
    out.to_buf().into_iter().map(|value| value.unwrap().to_f32()).collect()
}

#[tokio::main]
async fn main() {
    // Row i holds i quarters, the vector holds ones: row i sums to 128 i.
    let out = run((0..256 * 512).map(|e| (e / 512) as f32 * 0.25).collect(), vec![1.0; 512]).await;
    println!("rows 0, 1, 2 and 255 of the product: {}, {}, {}, {}", out[0], out[1], out[2], out[255]);
    for i in 0..256 {
        assert_eq!(out[i], 128.0 * i as f32);
    }
}

// Small whole numbers: the sums are exact, and bf16 has room for all of them below 256.
#[tokio::test]
async fn rows_meet_the_vector() {
    let entry = |i: usize, j: usize| ((i * 3 + j * 7) % 5) as f32 - 2.0;
    let weight = |j: usize| if j % 8 == 0 { 1.0 } else { 0.0 };
    let matrix = (0..256 * 512).map(|e| entry(e / 512, e % 512)).collect();
    let out = run(matrix, (0..512).map(weight).collect()).await;
    for i in 0..256 {
        let expected: f32 = (0..512).map(|j| entry(i, j) * weight(j)).sum();
        assert_eq!(out[i], expected, "row {i}");
    }
}

// The sum is an f32; only the result is rounded to bf16.
#[tokio::test]
async fn rounds_once() {
    let out = run(vec![1.0; 256 * 512], (0..512).map(|j| if j == 0 { 0.5 } else { 1.0 }).collect()).await;
    for i in 0..256 {
        assert_eq!(out[i], bf16::from_f32(511.5).to_f32());
    }
}
