// Tiles keep the room of what they cut: single rows, blocks, overlapping blocks, tiles of tiles.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8, B = 512];

#[device(chip = 1)]
fn cuts(ctx: &mut Context, data: &HbmTensor<bf16, m![1], m![A, B]>) {
    let _ = ctx;
    let view = data.view();
    let _row = view.tile::<m![A], 1, m![1 # 8, B]>(7);
    let _pair = view.tile::<m![B], 2, m![A, B = 2 # 512]>(510);
    for i in 0..15 {
        let _blocks = view.tile::<m![B / 32], 2, m![A, B / 32 = 2 # 16, B % 32]>(i);
    }
    let upper = view.tile::<m![A / 4], 1, m![1 # 2, A % 4, B]>(1);
    let _last = upper.tile::<m![A % 4], 2, m![1 # 2, A % 4 = 2 # 4, B]>(2);
}
