// Addresses from a constant array, walked with their number.
use furiosa_visa_std::prelude::*;

axes![S = 256, G = 4, A = 8];

const ADDRESSES: [u64; 4] = [0x0, 0x1000, 0x2_000, 12 * 1024];
const STEP: u64 = 0x100;

#[device(chip = 1)]
fn spread(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![G, S, A]>, out: &mut HbmTensor<i32, m![1], m![G, S, A]>) {
    for (g, address) in ADDRESSES.iter().enumerate() {
        let dm: DmTensor<i32, m![1], m![1 # 2], m![S], m![A]> =
            input.view().tile::<m![G], 1, m![1 # 4, S, A]>(g).to_dm(&mut ctx.tdma, *address + STEP);
        dm.view().to_hbm_view(&mut ctx.tdma, out.view_mut().tile::<m![G], 1, m![1 # 4, S, A]>(g));
    }
}
