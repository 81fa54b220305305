// Attributes that change nothing here are read and skipped.
#![allow(unused_variables, dead_code)]
#![expect(clippy::type_complexity, reason = "mappings are long")]
#![feature(register_tool)]
#![register_tool(tcp)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

#[allow(clippy::too_many_arguments)]
#[expect(unused_mut, reason = "shown for its own sake")]
#[device(chip = 1)]
#[inline]
pub(crate) fn load(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![S, A]>) {
    let mut dm = input.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
}
