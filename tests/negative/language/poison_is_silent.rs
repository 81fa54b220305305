// One name is not known; loops, patterns and fields over what it gives say nothing more.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

#[device(chip = 1)]
fn copy(ctx: &mut Context, a: &HbmTensor<i32, m![1], m![S, A]>) {
    let places = planned(4); // expect error: E0420 planned is not declared
    for place in &places {
        let _part = a.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, place + 8);
    }
    for (i, place) in places.iter().enumerate() {
        let _sum = place.start[i] + i;
    }
    if let Some((first, rest)) = places.split_first() {
        let _both = first.end * rest.len();
    }
    let [low, high] = places;
    let _part = a.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, low + high);
}
