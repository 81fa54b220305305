// One loop of a sequencer turns at most 65536 times, and a prime number of turns is no two loops. All of X is added up, so
// that no command can do with less.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, X = 65537, A = 4];

fn read<'l, const T: Tu>(
    input: BeginTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]>,
) -> DmTensor<i32, m![1], m![1 # 2], m![S], m![A]> {
    input
        .fetch::<i32, m![X], m![A]>() // expect error: E0204 a loop of 65537 turns, at most 65536
        .collect::<m![X], m![A # 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![A]>()
        .vector_intra_slice_reduce::<X, m![1], m![A]>(IntraSliceReduceOpI32::AddSat)
        .vector_pad_way8::<m![A # 8]>()
        .vector_final()
        .commit(0)
}
