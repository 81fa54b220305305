// A reshape renames positions one by one, level by level.
use furiosa_visa_std::prelude::*;

axes![S = 256, P = 16, Q = 16, X = 16, Y = 16, A = 64, B = 64, M = 64];

fn rename(dm: DmTensor<i8, m![1], m![1 # 2], m![S], m![A]>) -> DmTensor<i8, m![1], m![1 # 2], m![S], m![B]> {
    unsafe { dm.reshape() }
}

fn same_axis_in_two_parts(
    dm: DmTensor<i8, m![1], m![1 # 2], m![S], m![M]>,
) -> DmTensor<i8, m![1], m![1 # 2], m![S], m![M / 8, M % 8]> {
    unsafe { dm.reshape() }
}

fn slices_too(
    dm: DmTensor<i8, m![1], m![1 # 2], m![P, Q], m![A]>,
) -> DmTensor<i8, m![1], m![1 # 2], m![X, Y], m![B]> {
    unsafe { dm.reshape() }
}
