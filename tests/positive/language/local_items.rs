// Aliases, axes and imports inside a function body; a tensor made through its alias.
use furiosa_visa_std::prelude::*;

#[device(chip = 1)]
fn scratch(ctx: &mut Context) {
    use furiosa_visa_std::prelude::TrfAddress as Half;
    axes![Rows = 256, Cols = 32];
    type Cluster = m![1 # 2];
    type Buffer = DmTensor<bf16, m![1], Cluster, m![Rows], m![Cols]>;
    let buffer = unsafe { Buffer::from_addr(0x4000) };
    let _trf: TrfTensor<bf16, m![1], Cluster, m![Rows], m![1], m![Cols]> = ctx
        .sub
        .begin(buffer.view())
        .fetch::<bf16, m![1], m![Cols]>()
        .collect::<m![Cols / 16], m![Cols % 16]>()
        .to_trf(Half::SecondHalf);
}
