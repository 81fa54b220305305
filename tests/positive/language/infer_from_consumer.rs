// A tensor without a type gets it from the function it is handed to, or from the tuple it is returned in.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

type InHbm = HbmTensor<i32, m![1], m![S, A]>;
type Buffer = DmTensor<i32, m![1], m![1 # 2], m![S], m![A]>;

fn read(buffer: &Buffer) {
    let _ = buffer.view();
}

fn write(buffer: &mut Buffer) {
    let _ = buffer.view_mut();
}

#[device(chip = 1)]
fn kernel(ctx: &mut Context, input: &InHbm) -> (InHbm, InHbm) {
    let dm = input.to_dm(&mut ctx.tdma, 0);
    read(&dm);
    let partly = input.to_dm::<m![1 # 2], _, m![A]>(&mut ctx.tdma, 0x1000);
    read(&partly);
    let mut scratch = unsafe { DmTensor::from_addr(0x2000) };
    write(&mut scratch);
    let first = dm.to_hbm(&mut ctx.tdma, 1 << 28);
    (first, partly.to_hbm(&mut ctx.tdma, 2 << 28))
}
