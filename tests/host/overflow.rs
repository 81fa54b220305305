// Numbers wrap around, as in a release build; a test that expects the panic of a debug build gets it.
use std::hint::black_box;

fn add(a: i8, b: i8) -> i8 {
    a + b
}

#[test]
fn numbers_wrap() {
    assert_eq!(add(127, black_box(1)), -128);
    assert_eq!(black_box(0usize) - 1, usize::MAX);
    assert_eq!(-black_box(i32::MIN), i32::MIN);
    assert_eq!(1u8 << black_box(9), 2);
    assert_eq!([200u8, 100].iter().sum::<u8>(), 44);
    assert_eq!(black_box(10i32).pow(10), 1410065408);
}

#[test]
#[should_panic(expected = "attempt to add with overflow")]
fn a_sum() {
    add(127, black_box(1));
}

#[test]
#[should_panic(expected = "attempt to subtract with overflow")]
fn below_zero() {
    let v: Vec<i32> = vec![];
    let _last = v.len() - 1;
}

#[test]
#[should_panic(expected = "attempt to multiply with overflow")]
fn an_assignment() {
    let mut product = 1i32;
    for i in 1..=20 {
        product *= black_box(i);
    }
}

#[test]
#[should_panic(expected = "attempt to multiply with overflow")]
fn a_power() {
    black_box(10i32).pow(10);
}

#[test]
#[should_panic(expected = "attempt to add with overflow")]
fn a_sum_of_many() {
    let _ = [200u8, 100].iter().sum::<u8>();
}

#[test]
#[should_panic(expected = "attempt to negate with overflow")]
fn a_sign() {
    let _ = -black_box(i64::MIN);
}

#[test]
#[should_panic(expected = "attempt to shift left with overflow")]
fn a_shift() {
    let _ = 1u32 << black_box(32);
}

#[test]
#[should_panic(expected = "attempt to add with overflow")]
fn of_128_bits() {
    let _ = black_box(u128::MAX) + 1;
}

#[test]
#[should_panic(expected = "attempt to subtract with overflow")]
fn what_fits_and_what_wraps_on_purpose_goes_on() {
    assert_eq!(add(100, 27), 127);
    assert_eq!(127i8.wrapping_add(1), -128);
    assert_eq!(black_box(-128i8) + 1, -127);
    assert_eq!(black_box(u64::MAX) - 1 + 1, u64::MAX);
    assert_eq!(black_box(1u64) << 63 >> 63, 1);
    assert_eq!(black_box(i64::MIN) + i64::MAX, -1);
    assert_eq!(black_box(200u8) as i8 - 1, -57);
    let _ = black_box(0u8) - 1;
}
