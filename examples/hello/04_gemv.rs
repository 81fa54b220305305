//! A matrix times a vector: one row of the matrix in every slice.
//!
//! The matrix has 256 rows, as many as a cluster has slices, so the row index I becomes the slice and the column index
//! J stays inside. The vector has no I: when the DMA writes it to a layout with I in the slices, every slice gets a
//! copy. All slices then compute their dot product at the same time.
//!
//! Engines: DMA (with a broadcast), Fetch, Collect, Contraction, Cast, Commit.
//! Memory in a slice: row at 0 (1 KiB), vector at 0x1000 (1 KiB), result at 0x2000 (8 bytes).

use furiosa_visa_std::prelude::*;
use rand::SeedableRng;
use rand::rngs::SmallRng;

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

#[tokio::main]
async fn main() {
    let mut ctx = Context::acquire();
    let mut rng = SmallRng::seed_from_u64(4);
    let matrix = HostTensor::<bf16, m![I, J]>::rand(&mut rng);
    let vector = HostTensor::<bf16, m![J]>::rand(&mut rng);

    let weights_on_chip = matrix.to_hbm(&mut ctx.pdma, 0 << 28).await;
    let vector_on_chip = vector.to_hbm(&mut ctx.pdma, 1 << 28).await;
    let out_hbm = launch(gemv, (&mut *ctx, &weights_on_chip, &vector_on_chip)).await;
    let out = out_hbm.to_host::<m![I]>(&mut ctx.pdma).await.to_buf();

    let (matrix, vector) = (matrix.to_buf(), vector.to_buf());
    for i in 0..256 {
        let exact: f32 = (0..512).map(|j| matrix[512 * i + j].unwrap().to_f32() * vector[j].unwrap().to_f32()).sum();
        let got = out[i].unwrap().to_f32();
        // bf16 keeps eight bits of the sum
        assert!((got - exact).abs() <= 0.01 * exact.abs().max(1.0), "row {i}: {got} is not {exact}");
    }
}
