// The text of a number says nothing while a kernel is traced.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

#[device(chip = 1)]
fn copy(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![S, A]>) -> HbmTensor<i32, m![1], m![S, A]> {
    let address = 4096.to_string().len() as u64; // expect warning: E0462 the address is not known
    let dm = input.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, address);
    dm.to_hbm(&mut ctx.tdma, 1 << 28)
}
