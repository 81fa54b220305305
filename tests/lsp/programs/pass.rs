use furiosa_visa_std::prelude::*;

axes![R = 8, C = 64, H = 2];

type Chip = m![1];
type Cluster = m![1 # 2];
/// A row for every 32 slices.
type Slice = m![R, 1 # 32];
type Row = m![C / 8, C % 8 # 16];

/// How a kernel ends.
enum Ending {
    /// In HBM.
    Stored,
    Left { address: u64 },
}

struct Plan {
    ending: Ending,
    steps: i32,
}

impl Plan {
    /// All steps together.
    fn total(&self, each: i32) -> i32 {
        self.steps * each
    }
}

/// Adds 1, and doubles.
#[device(chip = 1)]
fn double(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![R, C]>) -> HbmTensor<i32, Chip, m![R, C]> {
    let x = x.to_dm::<Cluster, Slice, m![C]>(&mut ctx.tdma, 0);
    let y: DmTensor<i32, Chip, Cluster, Slice, m![C]> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, m![1], m![C]>()
        .collect::<m![C / 8], m![C % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::AddFxp, 1)
        .vector_fxp(FxpBinaryOp::MulInt, 2)
        .vector_final()
        .commit(0x1000);
    y.to_hbm(&mut ctx.tdma, 1 << 28)
}

fn sum<T: Copy, const N: usize>(values: &[i32], plan: &Plan, of: T) -> i32 {
    let start = plan.total(N as i32);
    values.iter().fold(start, |all, value| all + value)
}

fn wrong() -> i32 {
    let width: i32 = "three";
    width
}
