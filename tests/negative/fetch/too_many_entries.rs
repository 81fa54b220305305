// Bits of A in reverse order, all of which are added up: nine loops and the packet, no two merge, and no command can do
// with less than all of A.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 512, B = 4];

fn read<'l, const T: Tu>(
    input: BeginTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A, B]>,
) -> DmTensor<i32, m![1], m![1 # 2], m![S], m![B]> {
    input
        .fetch::<i32, m![A % 2, A / 2 % 2, A / 4 % 2, A / 8 % 2, A / 16 % 2, A / 32 % 2, A / 64 % 2, A / 128 % 2, A / 256], m![B]>() // expect error: E0203 ten sequencer entries, at most eight
        .collect::<m![A % 2, A / 2 % 2, A / 4 % 2, A / 8 % 2, A / 16 % 2, A / 32 % 2, A / 64 % 2, A / 128 % 2, A / 256], m![B # 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![B]>()
        .vector_intra_slice_reduce::<A, m![1], m![B]>(IntraSliceReduceOpI32::AddSat)
        .vector_pad_way8::<m![B # 8]>()
        .vector_final()
        .commit(0)
}
