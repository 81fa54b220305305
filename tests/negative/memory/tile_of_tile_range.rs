// The first tile left four rows; the second starts at the fourth.
use furiosa_visa_std::prelude::*;

axes![A = 8, B = 512];

#[device(chip = 1)]
fn cut(ctx: &mut Context, data: &HbmTensor<bf16, m![1], m![A, B]>) {
    let _ = ctx;
    let upper = data.view().tile::<m![A / 4], 1, m![1 # 2, A % 4, B]>(1);
    let _last = upper
        .tile::<m![A % 4], 2, m![1 # 2, A % 4 = 2 # 4, B]>(3); // expect error: E0123 3 + 2 is beyond 4
}
