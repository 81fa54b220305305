// A part that was given away can be put back; the others stay; ways that exclude each other each
// have all of it.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 64];

type Dm = DmTensor<i8, m![1], m![1 # 2], m![S], m![A]>;

struct Pair {
    first: Dm,
    second: Dm,
    size: u64,
}

enum Mode {
    Near,
    Far(u64),
    Off,
}

fn load(ctx: &mut Context, x: &HbmTensor<i8, m![1], m![S, A]>, at: u64) -> Dm {
    x.to_dm(&mut ctx.tdma, at)
}

fn take(dm: Dm) {}
fn look(pair: &Pair) -> u64 {
    pair.size
}
fn take_pair(pair: Pair) -> Dm {
    pair.second
}

#[device(chip = 1)]
fn parts(ctx: &mut Context, x: &HbmTensor<i8, m![1], m![S, A]>) {
    let mut pair = Pair { first: load(ctx, x, 0), second: load(ctx, x, 0x1000), size: 2 };
    take(pair.first);
    let size = pair.size;
    pair.first = load(ctx, x, size * 0x1000);
    assert_eq!(look(&pair), 2);
    let again = pair;
    let Pair { size, .. } = &again;
    assert_eq!(*size, 2);
    take(take_pair(again));
}

#[device(chip = 1)]
fn ways(ctx: &mut Context, x: &HbmTensor<i8, m![1], m![S, A]>, flag: bool, index: u64) {
    let pair = Pair { first: load(ctx, x, 0), second: load(ctx, x, 0x1000), size: 2 };
    if flag {
        take(pair.first);
    } else {
        take_pair(pair);
    }
    let pair = Pair { first: load(ctx, x, 0), second: load(ctx, x, 0x1000), size: 2 };
    match index {
        0 => take(pair.first),
        1 => take(take_pair(pair)),
        n if n > 8 => {
            take(pair.first);
            return;
        }
        _ => take(pair.second),
    }
}

fn mode(index: u64) -> Mode {
    match index {
        0 => Mode::Near,
        1..=8 => Mode::Far(index),
        _ => Mode::Off,
    }
}

// One address for both ways, and for what follows a way that does not come back.
#[device(chip = 1)]
fn one_address(ctx: &mut Context, x: &HbmTensor<i8, m![1], m![S, A]>, y: &mut HbmTensor<i8, m![1], m![S, A]>, flag: bool, index: u64) {
    let dm = if flag { load(ctx, x, 0) } else { load(ctx, x, 0) };
    dm.view().to_hbm_view(&mut ctx.tdma, y.view_mut());
    let kept = load(ctx, x, 0x1000);
    let other = match mode(index) {
        Mode::Near => load(ctx, x, 0),
        Mode::Far(rows) => load(ctx, x, 0),
        Mode::Off => {
            let last = load(ctx, x, 0x1000);
            last.view().to_hbm_view(&mut ctx.tdma, y.view_mut());
            return;
        }
    };
    other.view().to_hbm_view(&mut ctx.tdma, y.view_mut());
    kept.view().to_hbm_view(&mut ctx.tdma, y.view_mut());
}

// Numbers that the ways disagree about are not known behind them.
#[device(chip = 1)]
fn disagree(ctx: &mut Context, x: &HbmTensor<i8, m![1], m![S, A]>, flag: bool, index: u64) {
    let given = if index > 3 { Some(index) } else { None };
    let mut at = 0;
    if flag {
        at = 1;
    }
    let Some(n) = given else { return };
    let items = [1u64, 2];
    if at == 1 {
        assert_eq!(items[at - 1], 1);
    }
    let list = match (n, at) {
        (0, 0) => 1,
        (0, _) => 2,
        (_, at) => at,
    };
    assert!(list < 8);
}
