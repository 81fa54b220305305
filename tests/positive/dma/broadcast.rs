// One vector goes to every slice and to both clusters: an axis the source lacks is filled with copies.
use furiosa_visa_std::prelude::*;

axes![L = 2, S = 256, J = 64];

#[device(chip = 1)]
fn spread(ctx: &mut Context, vector: &HbmTensor<i8, m![1], m![J]>) {
    let _everywhere = vector.to_dm::<m![L], m![S], m![J]>(&mut ctx.tdma, 0);
}
