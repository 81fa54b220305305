// Whole numbers and floats.
fn main() {
    println!("{} {} {}", 250u8.wrapping_add(10), i8::MIN.wrapping_neg(), 200u8.wrapping_mul(3)); //> 4 -128 88
    println!("{:?} {:?} {:?}", 250u8.checked_add(5), 250u8.checked_add(6), 5u32.checked_sub(6)); //> Some(255) None None
    println!("{} {} {}", 250u8.saturating_add(10), (-100i8).saturating_sub(100), 3u8.saturating_sub(5)); //> 255 -128 0
    println!("{} {}", i32::MAX.saturating_mul(-2), i8::MIN.saturating_neg()); //> -2147483648 127
    println!("{:?} {:?}", i32::MAX.overflowing_add(1), 5u8.overflowing_sub(6)); //> (-2147483648, true) (255, true)
    println!("{} {} {}", 2i32.pow(10), 3u64.pow(30), 2u8.wrapping_pow(9)); //> 1024 205891132094649 0
    println!("{:?} {:?}", 10i32.checked_pow(10), 2i64.checked_pow(62)); //> None Some(4611686018427387904)
    println!("{} {} {}", (-7i32).rem_euclid(3), (-7i32).div_euclid(3), (-7) / 3); //> 2 -3 -2
    println!("{} {} {}", 7u32.div_ceil(2), 13usize.next_multiple_of(8), 17u32.next_power_of_two()); //> 4 16 32
    println!("{} {} {}", 99u32.isqrt(), 1000u32.ilog10(), 1025u64.ilog2()); //> 9 3 10
    println!("{} {} {}", 5u8.abs_diff(9), (-5i32).abs_diff(7), (-128i8).unsigned_abs()); //> 4 12 128
    println!("{} {} {} {}", 1u32.leading_zeros(), 8u8.trailing_zeros(), 0u16.leading_zeros(), (-1i64).count_ones()); //> 31 3 16 64
    println!("{} {}", 0x12u8.rotate_left(4), 0x1234u16.swap_bytes()); //> 33 13330
    println!("{:?} {:?}", 258u16.to_le_bytes(), 258u32.to_be_bytes()); //> [2, 1] [0, 0, 1, 2]
    println!("{} {}", u32::from_le_bytes([1, 0, 0, 1]), i16::from_be_bytes([0xff, 0xfe])); //> 16777217 -2
    println!("{:?} {:?}", i32::from_str_radix("-ff", 16), u8::from_str_radix("100000000", 2).is_err()); //> Ok(-255) true
    println!("{} {} {}", 5.min(3), 5i64.max(7), 15i32.clamp(0, 10)); //> 3 7 10
    println!("{} {} {}", (-3i32).signum(), 0i32.signum(), (-4i32).is_negative()); //> -1 0 true
    println!("{} {} {}", u64::MAX, i64::MIN, usize::BITS); //> 18446744073709551615 -9223372036854775808 64
    println!("{} {}", u64::MAX > 1, u64::MAX / 3); //> true 6148914691236517205
    println!("{} {} {}", 300i32 as u8, -1i32 as u32, 3.99f32 as i32); //> 44 4294967295 3
    println!("{} {} {}", -1.5f32 as u8, 1e10f64 as i32, f32::NAN as i32); //> 0 2147483647 0
    println!("{:?} {:?}", u8::try_from(256i32).is_err(), i8::try_from(-128i32)); //> true Ok(-128)
    println!("{} {}", i64::from(5i32), f64::from(2.5f32)); //> 5 2.5
    println!("{} {}", 'a' as u32, (b'a' + 2) as char); //> 97 c
    println!("{} {} {}", 2.0f64.sqrt(), 2.5f32.round(), (-2.5f32).round()); //> 1.4142135623730951 3 -3
    println!("{} {} {}", 2.5f32.round_ties_even(), 2.7f64.floor(), (-2.7f64).trunc()); //> 2 2 -2
    println!("{} {}", 2.0f32.powi(-2), 2.0f64.powf(0.5)); //> 0.25 1.4142135623730951
    println!("{} {}", 2.0f32.mul_add(3.0, 4.0), 3.0f64.hypot(4.0)); //> 10 5
    println!("{:?} {:?}", 1.0f32.max(f32::NAN), f64::NAN.min(2.0)); //> 1.0 2.0
    println!("{} {} {}", f32::NAN.is_nan(), (1.0f32 / 0.0).is_infinite(), (-0.0f32).is_sign_negative()); //> true true true
    println!("{} {}", 1.0f32.to_bits(), f64::from_bits(4607182418800017408)); //> 1065353216 1
    println!("{:?} {:?}", 1.5f32.to_le_bytes(), f32::from_le_bytes([0, 0, 192, 63])); //> [0, 0, 192, 63] 1.5
    println!("{:?} {:?}", (-0.0f64).total_cmp(&0.0), 1.0.partial_cmp(&f64::NAN)); //> Less None
    println!("{} {}", std::f64::consts::PI, std::f32::consts::E); //> 3.141592653589793 2.7182817
    println!("{:?} {:?} {:?}", f32::MAX, f32::MIN_POSITIVE, f32::EPSILON); //> 3.4028235e38 1.1754944e-38 1.1920929e-7
    println!("{} {} {}", 1.0f64.exp(), 10f64.ln(), 8f64.log2()); //> 2.718281828459045 2.302585092994046 3
    println!("{:?}", (1.0f64.sin() * 1e6).round() / 1e6); //> 0.841471
    println!("{} {}", 7.5f64 % 2.0, (-7.5f64).rem_euclid(2.0)); //> 1.5 0.5
    println!("{} {}", 5.0f32.signum(), (-3.0f32).copysign(1.0)); //> 1 3
    println!("{:?} {:?}", "3.5".parse::<f32>(), "abc".parse::<f64>().is_err()); //> Ok(3.5) true
    println!("{} {}", 1u32 << 5, -16i32 >> 2); //> 32 -4
    println!("{} {} {}", !0u8, 6 & 3, 6 ^ 3); //> 255 2 5
    println!("{} {}", i32::MAX.wrapping_add(1), 1u8.wrapping_shl(9)); //> -2147483648 2
    println!("{:?} {:?}", 10u32.checked_div(0), 10i32.checked_rem(3)); //> None Some(1)
    println!("{:?}", 5u32.checked_add_signed(-6)); //> None
    println!("{} {}", (0.1f64 + 0.2), 1.0f32 / 3.0); //> 0.30000000000000004 0.33333334
    println!("{} {}", 16777217i32 as f32, u64::MAX as f64); //> 16777216 18446744073709552000
}
