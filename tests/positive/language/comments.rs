//! Comments in every place, 줄마다 하나씩: arrows → ⇒ ↦ and letters é ü 한글 belong to comments only.
#![allow(unused)]

/// A documentation comment → before an import list.
use furiosa_visa_std::prelude::{
    // the macros
    axes, // declares
    m,    // maps
    /* and the rest */ device, BranchMode, Context, DmTensor, FxpBinaryOp, HbmTensor,
};

axes![
    // 256 slices
    S = 256, /* eight lanes */ A = 8, // trailing comma, then a comment
];

/* a block comment
   over several lines /* with another one inside */ and on */
#[device(chip = 1)]
fn bump(
    ctx: &mut Context, // the context
    /* the input */ input: &HbmTensor<i32, /* chip */ m![1], m![S, /* lanes */ A]>,
) -> HbmTensor<i32, m![1], m![S, A]> {
    let dm = input.to_dm::<
        m![1 # 2], // cluster
        m![S],     // slice
        m![A],     // element
    >(&mut ctx.tdma, 0);
    let out: DmTensor<i32, m![1], m![1 # 2], m![S], m![A]> = ctx
        .main
        // begin → fetch → collect
        .begin(dm.view())
        .fetch::<i32, m![1], m![A]>() // no time
        .collect::<m![1], m![A]>()
        /* vector */
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(
            FxpBinaryOp::AddFxp, // the operation
            1,                   // its operand
        )
        .vector_final()
        .commit(0x1000);
    // the end
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}
