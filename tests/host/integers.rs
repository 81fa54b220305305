//! Integers of a host program: widths, wrap-around, shifts, casts. The profile is release: plain operators wrap.

/// Hides a value from whoever would work it out before the program runs.
fn seen<T>(value: T) -> T {
    value
}

#[test]
fn plain_operators_wrap_in_every_width() {
    assert_eq!(seen(255u8) + 1, 0);
    assert_eq!(seen(0u8) - 1, u8::MAX);
    assert_eq!(seen(127i8) + 1, -128);
    assert_eq!(seen(-128i8) - 1, i8::MAX);
    assert_eq!(seen(i16::MAX) + 2, i16::MIN + 1);
    assert_eq!(seen(65_535u16) * 2, 65_534);
    assert_eq!(seen(i32::MAX) + 1, i32::MIN);
    assert_eq!(seen(u32::MAX) * u32::MAX, 1);
    assert_eq!(seen(i64::MIN) - 1, i64::MAX);
    assert_eq!(seen(u64::MAX) + 3, 2);
    assert_eq!(seen(0usize) - 1, usize::MAX);
}

#[test]
fn wrapping_methods() {
    assert_eq!(200u8.wrapping_add(100), 44);
    assert_eq!(100i8.wrapping_add(100), -56);
    assert_eq!(i32::MIN.wrapping_sub(1), i32::MAX);
    assert_eq!(0x1234_5678i32.wrapping_mul(0x10), 0x2345_6780);
    assert_eq!(i32::MIN.wrapping_neg(), i32::MIN);
    assert_eq!(i32::MIN.wrapping_abs(), i32::MIN);
    assert_eq!(1u32.wrapping_shl(33), 2);
    assert_eq!((-8i32).wrapping_shr(34), -2);
    assert_eq!(3u64.wrapping_pow(41), 18_026_252_303_461_234_787);
}

#[test]
fn saturating_methods() {
    assert_eq!(200u8.saturating_add(100), 255);
    assert_eq!(20u8.saturating_sub(100), 0);
    assert_eq!((-100i8).saturating_sub(100), -128);
    assert_eq!(i32::MAX.saturating_add(1), i32::MAX);
    assert_eq!(i32::MIN.saturating_mul(2), i32::MIN);
    assert_eq!((-5i32).saturating_mul(i32::MIN), i32::MAX);
    assert_eq!(i16::MIN.saturating_neg(), i16::MAX);
}

#[test]
fn checked_methods_answer_with_an_option() {
    assert_eq!(250u8.checked_add(5), Some(255));
    assert_eq!(250u8.checked_add(6), None);
    assert_eq!(0u32.checked_sub(1), None);
    assert_eq!(65_536i32.checked_mul(65_536), None);
    assert_eq!(7i32.checked_div(0), None);
    assert_eq!(7i32.checked_rem(4), Some(3));
    assert_eq!(i32::MIN.checked_div(-1), None);
    assert_eq!(1u8.checked_shl(8), None);
}

#[test]
fn overflowing_methods_answer_with_a_flag() {
    assert_eq!(255u8.overflowing_add(1), (0, true));
    assert_eq!(5i32.overflowing_sub(6), (-1, false));
    assert_eq!(i32::MIN.overflowing_neg(), (i32::MIN, true));
    let (product, lost) = 0x8000_0000u32.overflowing_mul(2);
    assert!(lost && product == 0);
}

#[test]
fn division_truncates_towards_zero() {
    assert_eq!(-7 / 2, -3);
    assert_eq!(-7 % 2, -1);
    assert_eq!(7 / -2, -3);
    assert_eq!(7 % -2, 1);
    assert_eq!((-7i32).div_euclid(2), -4);
    assert_eq!((-7i32).rem_euclid(2), 1);
    assert_eq!(10u32.div_ceil(3), 4);
}

#[test]
fn shift_amounts_are_taken_modulo_the_width() {
    let by = seen(35u32);
    assert_eq!(1i32 << by, 8);
    assert_eq!(1u8 << seen(9), 2);
    assert_eq!(1u64 << by, 1 << 35);
    assert_eq!(-16i32 >> seen(2), -4);
    assert_eq!(0xf000_0000u32 >> seen(28), 15);
}

#[test]
fn casts_keep_the_low_bits() {
    assert_eq!(300i32 as u8, 44);
    assert_eq!(200i32 as i8, -56);
    assert_eq!(-1i32 as u8, 255);
    assert_eq!(-1i8 as u32, u32::MAX);
    assert_eq!(-1i8 as u8 as u32, 255);
    assert_eq!(0x1_0000_0001u64 as i32, 1);
    assert_eq!(70_000i32 as i16, 4464);
    assert_eq!(u64::MAX as i64, -1);
    assert_eq!(-2isize as usize, usize::MAX - 1);
}

#[test]
fn casts_from_floats_saturate() {
    assert_eq!(3.99f32 as i32, 3);
    assert_eq!(-3.99f32 as i32, -3);
    assert_eq!(-1.5f32 as u8, 0);
    assert_eq!(1e10f32 as i32, i32::MAX);
    assert_eq!(-1e10f64 as i32, i32::MIN);
    assert_eq!(300.7f32 as u8, 255);
    assert_eq!(f32::NAN as i32, 0);
    assert_eq!(f64::INFINITY as i64, i64::MAX);
    assert_eq!(f32::NEG_INFINITY as i8, -128);
}

#[test]
fn casts_to_floats_round_to_even() {
    assert_eq!(16_777_217i32 as f32, 16_777_216.0);
    assert_eq!(16_777_219i32 as f32, 16_777_220.0);
    assert_eq!(i32::MAX as f32, 2_147_483_648.0);
    assert_eq!(u64::MAX as f64, 18_446_744_073_709_551_616.0);
    assert_eq!(7u8 as f32 / 2.0, 3.5);
}

#[test]
fn truth_and_letters_become_numbers() {
    assert_eq!(true as i32 + true as i32, 2);
    assert_eq!(false as u8, 0);
    assert_eq!('A' as u32, 65);
    assert_eq!(b'a' - b'A', 32);
    assert_eq!(98u8 as char, 'b');
    assert_eq!((b'0' + 7) as char, '7');
}

#[test]
fn bits_are_counted_and_turned() {
    assert_eq!(0b1011_0000u8.count_ones(), 3);
    assert_eq!(0u32.leading_zeros(), 32);
    assert_eq!(1u16.leading_zeros(), 15);
    assert_eq!(0b1000u32.trailing_zeros(), 3);
    assert_eq!(0x8000_0001u32.rotate_left(4), 0x18);
    assert_eq!(0x12u8.rotate_right(4), 0x21);
    assert_eq!(0x1234_5678u32.swap_bytes(), 0x7856_3412);
    assert_eq!(0b0000_0110u8.reverse_bits(), 0b0110_0000);
    assert_eq!(!0u16, 65_535);
    assert_eq!(!5i32, -6);
    assert_eq!(0b1100 ^ 0b1010, 0b0110);
    assert_eq!(0b1100 & !0b0100 | 1, 0b1001);
}

#[test]
fn powers_of_two_and_others() {
    assert!(4096usize.is_power_of_two());
    assert!(!0u32.is_power_of_two());
    assert_eq!(100usize.next_power_of_two(), 128);
    assert_eq!(3i32.pow(4), 81);
    assert_eq!((-2i32).pow(5), -32);
    assert_eq!(1000u32.ilog2(), 9);
    assert_eq!(1000u32.ilog10(), 3);
    assert_eq!(17u32.isqrt(), 4);
    assert_eq!(13usize.next_multiple_of(8), 16);
    assert_eq!(10u32.abs_diff(13), 3);
    assert_eq!((-100i8).abs_diff(100), 200u8);
    assert_eq!((-4i32).signum() + 9i32.signum() + 0i32.signum(), 0);
    assert_eq!((-4i32).abs(), 4);
    assert_eq!((-4i32).unsigned_abs(), 4u32);
}

#[test]
fn smallest_largest_and_clamped() {
    assert_eq!(3i32.max(7), 7);
    assert_eq!(3i8.min(-7), -7);
    assert_eq!(500i32.clamp(-128, 127), 127);
    assert_eq!(std::cmp::max(1, 2) + std::cmp::min(1, 2), 3);
    assert_eq!(i32::max(4, 5), 5);
    assert_eq!(i32::MIN, -2_147_483_648);
    assert_eq!(u8::MAX as usize + 1, 1 << u8::BITS);
}

#[test]
fn literals_in_all_bases() {
    assert_eq!(0xff, 255);
    assert_eq!(0o17, 15);
    assert_eq!(0b1111_0000u8, 0xf0);
    assert_eq!(1_000_000, 10i32.pow(6));
    assert_eq!(0x936a_d000u64 >> 12, 0x936ad);
    assert_eq!(0 << 28, 0);
    assert_eq!(1 << 28, 268_435_456);
    assert_eq!(b'\n', 10);
    assert_eq!(b"ab", &[97, 98]);
}

#[test]
fn bytes_of_integers() {
    assert_eq!(0x0102_0304i32.to_le_bytes(), [4, 3, 2, 1]);
    assert_eq!(0x0102u16.to_be_bytes(), [1, 2]);
    assert_eq!(i32::from_le_bytes([0xff, 0xff, 0xff, 0x7f]), i32::MAX);
    assert_eq!(u32::from_be_bytes([0, 0, 1, 0]), 256);
    let bytes = vec![1u8, 0, 0, 0, 2, 0, 0, 0];
    let second = u32::from_le_bytes(bytes[4..8].try_into().unwrap());
    assert_eq!(second, 2);
}

#[test]
fn conversions_that_can_fail() {
    assert_eq!(u8::try_from(300i32).is_err(), true);
    assert_eq!(i8::try_from(-128i32), Ok(-128));
    let small: Result<u16, _> = 70_000u32.try_into();
    assert!(small.is_err());
    let wide: i64 = i64::from(-5i32) + i64::from(200u8);
    assert_eq!(wide, 195);
    let back: usize = 9u8.into();
    assert_eq!(back, 9);
}

#[test]
fn numbers_from_text() {
    assert_eq!("42".parse::<i32>(), Ok(42));
    assert_eq!("-7".parse::<i8>().unwrap(), -7);
    assert!("300".parse::<u8>().is_err());
    assert!("4x".parse::<i32>().is_err());
    assert_eq!(i64::from_str_radix("-ff", 16), Ok(-255));
    let n: usize = " 12 ".trim().parse().unwrap();
    assert_eq!(n, 12);
}

#[test]
fn assignment_operators() {
    let mut x = 10i32;
    x += 5;
    x -= 1;
    x *= 3;
    x /= 4;
    x %= 7;
    x <<= 4;
    x >>= 1;
    x |= 1;
    x &= 0x1f;
    x ^= 2;
    assert_eq!(x, 27);
}

#[test]
fn checksums_wrap_on_purpose() {
    let fnv = "tensor".bytes().fold(0x811c_9dc5u32, |hash, byte| (hash ^ byte as u32).wrapping_mul(0x0100_0193));
    assert_eq!(fnv, 0x1572_5f24);
    let mut lcg = 12345u64;
    for _ in 0..3 {
        lcg = lcg * 6_364_136_223_846_793_005 + 1_442_695_040_888_963_407;
    }
    assert_eq!(lcg, 0xe2b8_4105_1066_8fa6);
}
