// Whole numbers at the ends of their types, in a build without checks for overflow.
use std::hint::black_box;

#[test]
fn wrapping() {
    assert_eq!(black_box(255u8) + 1, 0);
    assert_eq!(black_box(-128i8) - 1, 127);
    assert_eq!(black_box(i64::MAX) + 1, i64::MIN);
    assert_eq!(black_box(0u64) - 1, u64::MAX);
    assert_eq!(black_box(i32::MIN) * -1, i32::MIN);
    assert_eq!(-black_box(i16::MIN), i16::MIN);
    assert_eq!(black_box(u64::MAX) * u64::MAX, 1);
    assert_eq!(black_box(i64::MIN).abs(), i64::MIN);
    assert_eq!(black_box(10u8).pow(3), 232);
    assert_eq!([200u8, 100].iter().sum::<u8>(), 44);
}

#[test]
fn shifting() {
    assert_eq!(black_box(1u8) << black_box(9), 2);
    assert_eq!(black_box(1u32) << black_box(32), 1);
    assert_eq!(black_box(-1i32) >> black_box(33), -1);
    assert_eq!(black_box(0x80u8) >> black_box(7), 1);
    assert_eq!(black_box(-128i8) >> 7, -1);
    assert_eq!(black_box(1i64) << 63, i64::MIN);
    assert_eq!(black_box(u64::MAX) >> 63, 1);
    assert_eq!(black_box(0x81u8) << 1, 2);
    assert_eq!(1u8.wrapping_shl(8), 1);
    assert_eq!(1u8.checked_shl(8), None);
    assert_eq!(0x81u8.rotate_left(1), 3);
    assert_eq!(0x81u8.rotate_right(9), 0xc0);
    assert_eq!(1i16.rotate_right(1), i16::MIN);
    assert_eq!((-1i8).leading_zeros(), 0);
    assert_eq!(1i8.leading_zeros(), 7);
    assert_eq!(0u16.trailing_zeros(), 16);
    assert_eq!((-1i32).count_ones(), 32);
}

#[test]
fn dividing() {
    assert_eq!(-7 / 2, -3);
    assert_eq!(-7 % 2, -1);
    assert_eq!((-7i32).div_euclid(2), -4);
    assert_eq!((-7i32).rem_euclid(-2), 1);
    assert_eq!(7i32.div_euclid(-2), -3);
    assert_eq!((-7i32).div_euclid(-2), 4);
    assert_eq!(i64::MIN.wrapping_div(-1), i64::MIN);
    assert_eq!(i64::MIN.checked_rem(-1), None);
    assert_eq!(i8::MIN.wrapping_rem_euclid(-1), 0);
    assert_eq!(i8::MIN.saturating_div(-1), 127);
    assert_eq!(u64::MAX / 10, 1844674407370955161);
    assert_eq!(u64::MAX % 10, 5);
    assert_eq!(u64::MAX.div_ceil(2), 1 << 63);
    assert_eq!(13u8.next_multiple_of(5), 15);
    assert_eq!(254u8.checked_next_multiple_of(5), Some(255));
    assert_eq!(255u8.checked_next_multiple_of(2), None);
    assert_eq!(7u32.checked_div(0), None);
}

#[test]
fn casting_floats() {
    assert_eq!(300.7 as u8, 255);
    assert_eq!(-5.0 as u8, 0);
    assert_eq!(-129.0 as i8, -128);
    assert_eq!(127.9 as i8, 127);
    assert_eq!(-0.9 as i32, 0);
    assert_eq!(f64::NAN as i64, 0);
    assert_eq!(1e20 as i64, i64::MAX);
    assert_eq!(-1e20 as i64, i64::MIN);
    assert_eq!(1e20 as u64, u64::MAX);
    assert_eq!(18446744073709549568.0 as u64, 18446744073709549568);
    assert_eq!(9223372036854775808.0 as i64, i64::MAX);
    assert_eq!(f32::INFINITY as u16, 65535);
    assert_eq!(u64::MAX as f64, 18446744073709551616.0);
    assert_eq!(u64::MAX as f32, 18446744073709551616.0);
    assert_eq!(16777217i32 as f32, 16777216.0);
    assert_eq!(9007199254740993u64 as f64, 9007199254740992.0);
    assert_eq!(9007199791611905i64 as f32, 9007200328482816.0);
    assert_eq!(i64::MIN as f64, -9223372036854775808.0);
}

#[test]
fn casting() {
    assert_eq!(-1i8 as u64, u64::MAX);
    assert_eq!(200u8 as i8, -56);
    assert_eq!(0x1_0000_00ffu64 as u8, 255);
    assert_eq!(-1i32 as usize, usize::MAX);
    assert_eq!(u32::MAX as i32, -1);
    assert_eq!(u32::MAX as i64, 4294967295);
    assert_eq!(255u8 as char, 'ÿ');
    assert_eq!('é' as u8, 233);
    assert_eq!('€' as u8, 0xac);
    assert_eq!('😀' as u32, 0x1f600);
    assert_eq!(true as u8 + false as u8, 1);
    assert_eq!(char::from_u32(0xd800), None);
    assert_eq!(char::from_u32(0x110000), None);
    assert_eq!(char::from_u32(0x10ffff), Some('\u{10ffff}'));
    assert_eq!(char::from_u32(u32::MAX), None);
    assert_eq!(char::from_digit(35, 36), Some('z'));
    assert_eq!(char::from_digit(10, 10), None);
    assert_eq!('Z'.to_digit(36), Some(35));
    assert_eq!('8'.to_digit(8), None);
    assert!(u8::try_from('€').is_err());
    assert_eq!(u8::try_from('a'), Ok(97));
    assert!(i64::try_from(u64::MAX).is_err());
    assert!(u32::try_from(-1i64).is_err());
    assert_eq!(usize::try_from(5i32), Ok(5));
}

#[test]
fn roots_and_logarithms() {
    assert_eq!(99u8.isqrt(), 9);
    assert_eq!(u64::MAX.isqrt(), 4294967295);
    assert_eq!(i64::MAX.isqrt(), 3037000499);
    assert_eq!(0i8.isqrt(), 0);
    assert_eq!(u64::MAX.ilog2(), 63);
    assert_eq!(u64::MAX.ilog10(), 19);
    assert_eq!(1u8.ilog2(), 0);
    assert_eq!(125u32.ilog(5), 3);
    assert_eq!(124u32.ilog(5), 2);
    assert_eq!(0u32.checked_ilog2(), None);
    assert_eq!((-5i32).checked_ilog10(), None);
    assert_eq!(5u32.checked_ilog(1), None);
    assert_eq!(u8::MAX.next_power_of_two(), 0);
    assert_eq!(129u8.checked_next_power_of_two(), None);
    assert_eq!(0u32.next_power_of_two(), 1);
    assert_eq!(u64::MAX.checked_next_power_of_two(), None);
    assert_eq!((1u64 << 63).next_power_of_two(), 1 << 63);
}

#[test]
fn distances() {
    assert_eq!(i8::MIN.abs_diff(i8::MAX), 255);
    assert_eq!(i64::MIN.abs_diff(i64::MAX), u64::MAX);
    assert_eq!(3u8.abs_diff(200), 197);
    assert_eq!(i64::MIN.unsigned_abs(), 1 << 63);
    assert_eq!(u64::MAX.midpoint(u64::MAX - 2), u64::MAX - 1);
    assert_eq!(i64::MIN.signum(), -1);
    assert_eq!(u64::MAX.saturating_add(1), u64::MAX);
    assert_eq!(i64::MIN.saturating_sub(1), i64::MIN);
    assert_eq!(i64::MIN.saturating_mul(-1), i64::MAX);
    assert_eq!(i32::MAX.overflowing_add(1), (i32::MIN, true));
    assert_eq!(u8::MAX.overflowing_mul(2), (254, true));
    assert_eq!(5u8.overflowing_sub(6), (255, true));
    assert_eq!(3u64.checked_pow(41), None);
    assert_eq!(3u64.checked_pow(40), Some(12157665459056928801));
    assert_eq!((-3i32).saturating_pow(21), i32::MIN);
    assert_eq!(2u64.pow(0), 1);
    assert_eq!(0u8.pow(0), 1);
    assert_eq!(u64::MAX.max(1), u64::MAX);
    assert_eq!(u64::MAX.clamp(1, 1 << 63), 1 << 63);
}

#[test]
fn reading() {
    assert_eq!(i8::from_str_radix("-80", 16), Ok(-128));
    assert!(i8::from_str_radix("80", 16).is_err());
    assert_eq!(u64::from_str_radix("zz", 36), Ok(1295));
    assert_eq!(u8::from_str_radix("11111111", 2), Ok(255));
    assert!(u8::from_str_radix("100000000", 2).is_err());
    assert!(u8::from_str_radix("2", 2).is_err());
    assert_eq!("18446744073709551615".parse::<u64>(), Ok(u64::MAX));
    assert!("18446744073709551616".parse::<u64>().is_err());
    assert_eq!("-9223372036854775808".parse::<i64>(), Ok(i64::MIN));
    assert!("-9223372036854775809".parse::<i64>().is_err());
    assert_eq!("+5".parse::<u8>(), Ok(5));
    assert_eq!("-0".parse::<i32>(), Ok(0));
    assert_eq!(format!("{:?}", "".parse::<i32>()), "Err(ParseIntError { kind: Empty })");
    assert_eq!(format!("{:?}", "-".parse::<i32>()), "Err(ParseIntError { kind: InvalidDigit })");
    assert_eq!(format!("{:?}", "-1".parse::<u32>()), "Err(ParseIntError { kind: InvalidDigit })");
    assert_eq!(format!("{:?}", "256".parse::<u8>()), "Err(ParseIntError { kind: PosOverflow })");
    assert_eq!(format!("{:?}", "-129".parse::<i8>()), "Err(ParseIntError { kind: NegOverflow })");
}

#[test]
#[should_panic(expected = "attempt to divide with overflow")]
fn least_by_minus_one() {
    let _ = black_box(i8::MIN) / black_box(-1);
}

#[test]
#[should_panic(expected = "attempt to calculate the remainder with overflow")]
fn rest_of_the_least_by_minus_one() {
    let _ = black_box(i64::MIN) % black_box(-1);
}

#[test]
#[should_panic(expected = "attempt to divide with overflow")]
fn least_by_minus_one_rounded_down() {
    let _ = black_box(i32::MIN).div_euclid(-1);
}

#[test]
#[should_panic(expected = "attempt to calculate the remainder with a divisor of zero")]
fn rest_by_zero() {
    let _ = black_box(7u32) % black_box(0);
}

#[test]
#[should_panic(expected = "argument of integer square root cannot be negative")]
fn root_of_less_than_nothing() {
    let _ = black_box(-1i32).isqrt();
}

#[test]
#[should_panic(expected = "argument of integer logarithm must be positive")]
fn logarithm_of_nothing() {
    let _ = black_box(0u32).ilog2();
}

#[test]
#[should_panic(expected = "base of integer logarithm must be at least 2")]
fn logarithm_to_one() {
    let _ = black_box(5u32).ilog(1);
}

#[test]
#[should_panic(expected = "radix must lie in the range `[2, 36]`")]
fn radix_beyond() {
    let _ = u8::from_str_radix("1", 37);
}

#[test]
#[should_panic(expected = "to_digit: invalid radix")]
fn digit_of_no_radix() {
    let _ = '1'.to_digit(37);
}

#[test]
#[should_panic(expected = "out of range integral type conversion attempted")]
fn too_large_to_convert() {
    let _ = u8::try_from(256i32).unwrap_or_else(|error| panic!("{error}"));
}

#[allow(dead_code)]
enum Level {
    Low = -3,
    Next,
    High = 1 << 4,
    Last = BASE + 2,
}
const BASE: isize = 40;

#[test]
fn numbers_of_variants() {
    assert_eq!(Level::Low as i32, -3);
    assert_eq!(Level::Low as u8, 253);
    assert_eq!(Level::Next as i64, -2);
    assert_eq!(Level::High as usize, 16);
    assert_eq!(Level::Last as i128, 42);
}
