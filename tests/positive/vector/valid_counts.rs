// As much as the Valid Count Generator can follow: axes, counters, whole clusters, parts of an axis.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 3, B = 3, C = 3, D = 3, E = 2, F = 2, G = 2, H = 2, P = 7, Q = 8, R = 509, U = 8];

// One axis in Packet, three others.
fn four_axes<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![A # 4, B # 4, C # 4], m![P # 8]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![A # 4, B # 4, C # 4], m![P # 8]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::ValidCount)
        .vector_fxp(FxpBinaryOp::AddFxp, (1, GroupId::Zero))
        .vector_final()
}

// All packets are full: the fourth axis in Time takes the place of the one in Packet.
fn four_axes_of_time<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![A # 4, B # 4, C # 4, D # 4], m![Q]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![A # 4, B # 4, C # 4, D # 4], m![Q]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::ValidCount)
        .vector_fxp(FxpBinaryOp::AddFxp, (1, GroupId::Zero))
        .vector_final()
}

// Four parts of R and four axes between and around them: eight counters, eight accumulators.
fn eight_counters<'l, const T: Tu>(
    input: CollectTensor<
        'l,
        T,
        f32,
        m![1],
        m![1 # 2],
        m![S],
        m![H, R # 512 / 256, E, R # 512 / 128 % 2, F, R # 512 / 64 % 2, G, R # 512 % 64],
        m![1 # 8],
    >,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![H, E, F, G], m![1 # 8]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![1 # 4]>()
        .vector_intra_slice_reduce::<R, m![H, E, F, G], m![1 # 4]>(IntraSliceReduceOpF32::Add)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
}

// The second cluster is empty, and the first one full.
fn whole_clusters<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![U # 16 / 8], m![S], m![U # 16 % 8], m![1 # 8]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![U # 16 / 8], m![S], m![1], m![1 # 8]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![1 # 4]>()
        .vector_intra_slice_reduce::<U, m![1], m![1 # 4]>(IntraSliceReduceOpF32::Add)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
}

// Every fourth value is left out: one limit, since the axis itself has no padding.
fn three_of_four<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![U / 4, U % 4 = 3 # 4], m![1 # 8]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![1 # 8]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![1 # 4]>()
        .vector_intra_slice_reduce::<U, m![1], m![1 # 4]>(IntraSliceReduceOpF32::Add)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
}

// Two axes are padded together, and not cut.
fn group<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![[A, B] # 16], m![Q]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![[A, B] # 16], m![Q]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::ValidCount)
        .vector_fxp(FxpBinaryOp::AddFxp, (1, GroupId::Zero))
        .vector_final()
}
