// Constants may branch, match and loop over other constants.
use furiosa_visa_std::prelude::*;

axes![Row = 8];

const HALF: usize = Row::SIZE / 2;

const _: () = if HALF > 4 {
    panic!("more than four")
};
const _: () = match HALF {
    4 => (),
    _ => panic!("not four"),
};
const _: () = {
    let mut rounds = 0;
    while rounds < HALF {
        rounds += 1;
    }
    assert!(rounds == 4);
};

static TABLE: std::sync::LazyLock<Vec<i32>> = std::sync::LazyLock::new(|| vec![1, 2]);

fn main() {
    println!("{}", TABLE.len());
}
