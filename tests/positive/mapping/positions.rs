// What every position of a mapping holds: symbols, pairs, blocks, padding, prefixes, groups.
use furiosa_visa_std::prelude::*;

axes![A = 8, B = 512, C = 13, D = 61, E = 5];

type Rows = m![C, D # 64];
type Shuffled = m![B / 64, B % 32, B / 32 % 2];

#[test]
fn a_symbol_counts_up() {
    for i in 0..<m![A]>::SIZE {
        assert_eq!(<m![A]>::map(i), Some(i![A: i]));
    }
    assert_eq!(<m![A]>::map(8), None);
}

#[test]
fn the_last_axis_is_the_fastest() {
    assert_eq!(<m![A, B]>::SIZE, 4096);
    assert_eq!(<m![A, B]>::map(519), Some(i![A: 1, B: 7]));
}

#[test]
fn padding_holds_nothing() {
    assert_eq!(Rows::SIZE, 13 * 64);
    assert_eq!(Rows::map(60), Some(i![C: 0, D: 60]));
    assert_eq!(Rows::map(61), None);
    assert_eq!(Rows::map(64), Some(i![C: 1]));
}

#[test]
fn a_prefix_ends_early() {
    assert_eq!(<m![C, D = 2]>::SIZE, 26);
    assert_eq!(<m![C, D = 2]>::map(3), Some(i![C: 1, D: 1]));
    assert_eq!(<m![E = 8]>::map(5), None);
}

#[test]
fn blocks_can_change_places() {
    for i in 0..8 {
        for j in 0..32 {
            for k in 0..2 {
                assert_eq!(Shuffled::map(64 * i + 2 * j + k), Some(i![B: 64 * i + j + 32 * k]));
            }
        }
    }
}

#[test]
fn a_cut_padding_keeps_its_holes() {
    assert_eq!(<m![E # 8 / 4, E # 8 % 4]>::map(4), Some(i![E: 4]));
    assert_eq!(<m![E # 8 / 4, E # 8 % 4]>::map(5), None);
}

#[test]
fn one_is_a_single_position() {
    assert_eq!(<m![1]>::map(0), Some(i![]));
    assert_eq!(<m![1 # 4]>::SIZE, 4);
    assert_eq!(<m![1 # 4]>::map(1), None);
}
