// Nests beyond one command, of which no part can be left to another.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 2, B = 2, C = 2, D = 2, E = 2, F = 2, G = 2, H = 2, L = 4099, P = 32, Q = 4, R = 128, U = 2];

// One axis alone reaches the end, and a command for each of its values is too many.
fn too_many_commands<'l, const T: Tu>(
    input: CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![L, A, B, C, D, E, F, G, H], m![P]>,
    trf: &TrfTensor<i8, m![1], m![1 # 2], m![S], m![1], m![H, G, F, E, D, C, B, A, P]>,
) -> AccumulationTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![L], m![1 # 8]> {
    input
        .align::<m![L, A, B, C, D, E, F, G, H], m![P # 64], _, _>(trf) // expect error: E0658 nine loops, eight entries
        .contract::<m![1]>()
        .accumulate::<m![L], m![1 # 8]>(AccumulationKind::Interleaved)
}

// In a command of its own, every value of U would be the first.
fn toggled<'l, const T: Tu>(
    input: BeginTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![U, R, Q]>,
) -> DmTensor<i32, m![1], m![1 # 2], m![S], m![U, Q]> {
    input
        .fetch::<i32, m![U, R % 2, R / 2 % 2, R / 4 % 2, R / 8 % 2, R / 16 % 2, R / 32 % 2, R / 64], m![Q]>() // expect error: E0203 nine entries
        .collect::<m![U, R % 2, R / 2 % 2, R / 4 % 2, R / 8 % 2, R / 16 % 2, R / 32 % 2, R / 64], m![Q # 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::AxisToggle { axis: Ident::U })
        .vector_trim_way4::<m![Q]>()
        .vector_intra_slice_reduce::<R, m![U], m![Q]>(IntraSliceReduceOpI32::AddSat)
        .vector_pad_way8::<m![Q # 8]>()
        .vector_final()
        .commit(0)
}
