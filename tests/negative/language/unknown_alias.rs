// The alias is called Slice.
use furiosa_visa_std::prelude::*;

axes![A = 2048];

type Chip = m![1];
type Cluster = m![1 # 2];
type Slice = m![A / 8];

#[device(chip = 1)]
fn load(ctx: &mut Context, input: &HbmTensor<i32, Chip, m![A]>) {
    let _dm = input.to_dm::<Cluster, Slise, m![A % 8]>(&mut ctx.tdma, 0); // expect error: E0420 unknown type Slise
}
