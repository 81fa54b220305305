// Slices can be tiled on a read-only view; a mutable view has chip_tile, cluster_tile and tile only.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 32];

fn half(dm: &mut DmTensor<i8, m![1], m![1 # 2], m![S], m![A]>) {
    let _ = dm
        .view_mut()
        .slice_tile::<m![S], 128, m![S = 128 # 256]>(0); // expect error: E0434 no slice_tile on a mutable view
}
