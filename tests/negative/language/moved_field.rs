// What a structure holds is given away like anything else.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 64];

type Dm = DmTensor<i8, m![1], m![1 # 2], m![S], m![A]>;

struct Pair {
    first: Dm,
    second: Dm,
}

fn load(ctx: &mut Context, x: &HbmTensor<i8, m![1], m![S, A]>, at: u64) -> Dm {
    x.to_dm(&mut ctx.tdma, at)
}

fn take(dm: Dm) {}
fn take_pair(pair: Pair) {}

#[device(chip = 1)]
fn into_struct(ctx: &mut Context, x: &HbmTensor<i8, m![1], m![S, A]>) {
    let first = load(ctx, x, 0);
    let pair = Pair { first, second: load(ctx, x, 0x1000) };
    take(first); // expect error: E0458 it is in the pair
    take_pair(pair);
}

#[device(chip = 1)]
fn out_of_struct(ctx: &mut Context, x: &HbmTensor<i8, m![1], m![S, A]>) {
    let pair = Pair { first: load(ctx, x, 0), second: load(ctx, x, 0x1000) };
    take(pair.first);
    take(pair.second);
    take(pair.first); // expect error: E0458 a second time
}

#[device(chip = 1)]
fn part_then_whole(ctx: &mut Context, x: &HbmTensor<i8, m![1], m![S, A]>) {
    let pair = Pair { first: load(ctx, x, 0), second: load(ctx, x, 0x1000) };
    let first = pair.first;
    take_pair(pair); // expect error: E0458 without its first part
    take(first);
}

#[device(chip = 1)]
fn whole_then_part(ctx: &mut Context, x: &HbmTensor<i8, m![1], m![S, A]>) {
    let pair = Pair { first: load(ctx, x, 0), second: load(ctx, x, 0x1000) };
    take_pair(pair);
    take(pair.second); // expect error: E0458 the pair is gone
}

#[device(chip = 1)]
fn one_way(ctx: &mut Context, x: &HbmTensor<i8, m![1], m![S, A]>, flag: bool) {
    let pair = Pair { first: load(ctx, x, 0), second: load(ctx, x, 0x1000) };
    let mut other = load(ctx, x, 0x2000);
    if flag {
        take(pair.first);
    } else {
        other = pair.second;
    }
    take(other);
    take(pair.first); // expect error: E0458 if the flag was set
}
