// The file of `kernels` is not there: whatever could come from it is left alone.
use furiosa_visa_std::prelude::*;

mod kernels; // expect error: E0423 no file for module kernels

use kernels::*;
use kernels::{Rows, tile as tile_of};

axes![S = 256, A = 8];

#[device(chip = 1)]
fn copy(ctx: &mut Context, a: &HbmTensor<i32, m![1], m![S, A]>) -> HbmTensor<i32, m![1], Rows> {
    let places = places_of(a);
    for place in &places {
        let part: Part<m![Wide]> = a.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, place + kernels::OFFSET);
        let _ = part.len() * 2;
    }
    if let Some(last) = places.last() {
        let _ = last.address;
    }
    tile_of(kernels::gather(a), Wide::SIZE)
}
