// Two modules declare an axis A, of 8 and of 16.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

mod wide {
    use furiosa_visa_std::prelude::*;

    axes![A = 16];

    pub type Row = m![A];
}

#[device(chip = 1)]
fn copy(ctx: &mut Context, a: &HbmTensor<i32, m![1], m![S, A]>) {
    let _dm = a.to_dm::<m![1 # 2], m![S], wide::Row>(&mut ctx.tdma, 0); // expect error: E0535 the other A
}
