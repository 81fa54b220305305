// HBM belongs to a chip as a whole.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

#[device(chip = 1)]
fn swap(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![S, A]>) {
    let _swapped = ctx
        .tdma
        .hbm_cluster_shuffle(input, &[1, 0]); // expect error: E0555 HBM has no clusters
}
