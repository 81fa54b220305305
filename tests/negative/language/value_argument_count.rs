// to_dm takes the DMA context and an address.
use furiosa_visa_std::prelude::*;

axes![A = 2048];

#[device(chip = 1)]
fn load(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![A]>) {
    let _dm = input
        .to_dm::<m![1 # 2], m![A / 8], m![A % 8]>(&mut ctx.tdma); // expect error: E0435 to_dm takes 2 arguments, 1 given
}
