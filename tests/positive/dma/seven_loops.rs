//! Seven loops and the packet: all eight entries of a DMA sequencer. One more loop takes several commands
//! (tests/negative/dma/many_loops.rs).
use furiosa_visa_std::prelude::*;

axes![A = 2, B = 3, C = 2, D = 3, E = 2, F = 3, G = 2, P = 8];

#[device(chip = 1)]
fn turn(ctx: &mut Context, x: &HbmTensor<i8, m![1], m![G, F, E, D, C, B, A, P]>) -> HbmTensor<i8, m![1], m![A, B, C, D, E, F, G, P]> {
    x.to_hbm(&mut ctx.tdma, 0x10000)
}
