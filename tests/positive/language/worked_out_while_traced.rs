// Places that take arithmetic, a list, a loop, a recursion that ends and an assertion that holds.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

const STEPS: [u64; 4] = [1, 2, 4, 8];

fn halvings(place: u64) -> u64 {
    if place > 1 { 1 + halvings(place / 2) } else { 0 }
}

#[device(chip = 1)]
fn copy(ctx: &mut Context, a: &HbmTensor<i32, m![1], m![S, A]>) {
    assert!(<m![S, A]>::SIZE >= 2048);
    let mut place = 0;
    while place < 3 {
        let _part = a.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 64 / STEPS[place + 1]);
        place += 1;
    }
    let _part = a.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, halvings(1 << 24));
}
