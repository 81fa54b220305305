// Views of one cluster, one chip, and half of the slices.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![C = 4, L = 2, S = 256, A = 32];

fn units(dm: &DmTensor<i8, m![C], m![L], m![S], m![A]>) {
    let view = dm.view();
    let _chip = view.chip_tile::<m![C], 1, m![1 # 4]>(3);
    let _cluster = view.cluster_tile::<m![L], 1, Padding<Identity, 2>>(1);
    let _half = view.slice_tile::<m![S], 128, m![S = 128 # 256]>(128);
    let _block = view.slice_tile::<m![S / 128], 1, m![1 # 2, S % 128]>(1);
    let _element = view.tile::<m![A / 8], 1, m![1 # 4, A % 8]>(2);
}

fn writable(dm: &mut DmTensor<i8, m![C], m![L], m![S], m![A]>) {
    let mut view = dm.view_mut();
    let _first = view.cluster_tile::<m![L], 1, m![1 # 2]>(0);
    let _second = view.cluster_tile::<m![L], 1, m![1 # 2]>(1);
    let _chip = view.chip_tile::<m![C], 1, m![1 # 4]>(0);
}
