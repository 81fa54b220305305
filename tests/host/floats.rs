//! Floating-point numbers of a host program: exact results, special values, the narrow formats, and how they print.

use furiosa_visa_std::prelude::*;

#[test]
fn single_precision_is_kept() {
    assert_eq!(0.1f32 + 0.2f32, 0.3f32);
    assert_ne!(0.1f64 + 0.2f64, 0.3f64);
    assert_eq!(16_777_216.0f32 + 1.0, 16_777_216.0);
    assert_eq!(1.0f32 / 3.0, 0.33333334);
    assert_eq!((1.0f32 / 3.0) as f64, 0.3333333432674408);
    assert_eq!(3.0e38f32 * 10.0, f32::INFINITY);
    assert_eq!(1e-46f64 as f32, 0.0);
}

#[test]
fn methods_of_f32() {
    assert_eq!(2.25f32.sqrt(), 1.5);
    assert_eq!(0.0f32.exp(), 1.0);
    assert_eq!((-2.5f32).abs(), 2.5);
    assert_eq!(2.0f32.powi(10), 1024.0);
    assert_eq!(9.0f32.powf(0.5), 3.0);
    assert_eq!(3.0f32.hypot(4.0), 5.0);
    assert_eq!(8.0f32.log2(), 3.0);
    assert_eq!(4.0f32.recip(), 0.25);
    assert_eq!(1.0f32.ln(), 0.0);
    assert_eq!(0.0f32.tanh(), 0.0);
    assert_eq!(0.0f32.sin() + 0.0f32.cos(), 1.0);
    assert_eq!((-3.0f32).copysign(1.0), 3.0);
    assert_eq!((-3.0f32).signum(), -1.0);
}

#[test]
fn more_methods() {
    assert_eq!(27.0f32.cbrt(), 3.0);
    assert_eq!((-8.0f64).cbrt(), -2.0);
    assert_eq!(1.0f32.next_up(), 1.0 + f32::EPSILON);
    assert_eq!(1.0f64.next_up().next_down(), 1.0);
    assert_eq!((-0.0f32).next_up(), f32::from_bits(1));
    assert_eq!(f32::INFINITY.next_down(), f32::MAX);
    assert_eq!((1.0f32.atan2(1.0), 2.0f32.clamp(0.0, 1.0)), (std::f32::consts::FRAC_PI_4, 1.0));
    assert_eq!(vec![-1.0f32, 1.0].into_iter().map(f32::cbrt).sum::<f32>(), 0.0);
    assert_eq!((f32::MIN_EXP, f32::MAX_EXP, f32::MIN_10_EXP, f32::MAX_10_EXP), (-125, 128, -37, 38));
    assert_eq!((f64::MIN_EXP, f64::MAX_EXP, f64::MIN_10_EXP, f64::MAX_10_EXP), (-1021, 1024, -307, 308));
}

#[test]
fn rounding_in_four_ways() {
    assert_eq!(2.5f32.round(), 3.0);
    assert_eq!((-2.5f32).round(), -3.0);
    assert_eq!(2.5f32.round_ties_even(), 2.0);
    assert_eq!((-2.5f32).floor(), -3.0);
    assert_eq!((-2.5f32).ceil(), -2.0);
    assert_eq!((-2.7f32).trunc(), -2.0);
    assert_eq!(2.75f32.fract(), 0.75);
    assert_eq!(-7.5f32 % 2.0, -1.5);
    assert_eq!((-7.5f32).rem_euclid(2.0), 0.5);
}

#[test]
fn mul_add_rounds_once() {
    let a = 1.0f32 + 1.0 / 4096.0;
    let twice = a * a - 1.0;
    let once = a.mul_add(a, -1.0);
    assert_eq!(once, 0.0004883408546447754);
    assert_eq!(twice, 0.00048828125);
}

#[test]
fn not_a_number_compares_with_nothing() {
    let nan = f32::NAN;
    assert!(nan != nan);
    assert!(!(nan < 1.0) && !(nan > 1.0) && !(nan == 1.0));
    assert!((nan + 1.0).is_nan());
    assert_eq!(f32::max(nan, 2.0), 2.0);
    assert_eq!(2.0f32.min(nan), 2.0);
    assert!((0.0f32 / 0.0f32).is_nan());
    assert!(f32::INFINITY.is_infinite() && !f32::INFINITY.is_finite());
    assert_eq!(nan.partial_cmp(&1.0), None);
}

#[test]
fn signed_zero() {
    assert_eq!(0.0f32, -0.0f32);
    assert!((-0.0f32).is_sign_negative());
    assert_eq!(1.0f32 / -0.0, f32::NEG_INFINITY);
    assert_eq!((-0.0f32).to_bits(), 0x8000_0000);
    assert_eq!((-0.0f32).total_cmp(&0.0), std::cmp::Ordering::Less);
}

#[test]
fn bits_of_floats() {
    assert_eq!(1.0f32.to_bits(), 0x3f80_0000);
    assert_eq!(f32::from_bits(0x4049_0fdb), std::f32::consts::PI);
    assert_eq!(1.5f64.to_bits(), 0x3ff8_0000_0000_0000);
    assert_eq!(f32::from_le_bytes([0, 0, 0x80, 0xbf]), -1.0);
    assert_eq!(2.0f32.to_le_bytes(), [0, 0, 0, 0x40]);
    assert_eq!(f32::EPSILON, 2.0f32.powi(-23));
    assert_eq!(f32::MIN_POSITIVE.to_bits(), 0x0080_0000);
    assert_eq!(f32::MAX.to_bits(), 0x7f7f_ffff);
}

#[test]
fn wider_and_narrower() {
    assert_eq!(f64::from(0.1f32), 0.10000000149011612);
    assert_eq!(f64::from(7i32), 7.0);
    assert_eq!(f32::from(3i8), 3.0);
    assert_eq!(0.1f64 as f32, 0.1f32);
    assert_eq!(1.5_f64.max(f64::from(2u8)), 2.0);
    let zero = 0.0f32;
    assert!((-zero).max(zero).is_sign_negative() && zero.max(-zero).is_sign_positive());
    assert!((-zero).min(zero).is_sign_negative() && zero.min(-zero).is_sign_positive());
    assert!(f32::NAN.max(1.0) == 1.0 && 1.0f64.min(f64::NAN) == 1.0);
    assert_eq!(1e300f64 as f32, f32::INFINITY);
}

#[test]
fn literals_with_exponents() {
    assert_eq!(6.25e-2f32, 0.0625);
    assert_eq!(1e3, 1000.0);
    assert_eq!(2.5E+1f64, 25.0);
    assert_eq!(1_000.5f32, 1000.5);
    assert_eq!(7f32, 7.0);
    assert_eq!(-3.39e38f32 as f64, -3.38999991291338e38);
}

#[test]
fn how_floats_print() {
    assert_eq!(format!("{} {:?}", 1.0f32, 1.0f32), "1 1.0");
    assert_eq!(format!("{}", 0.1f32 + 0.2f32), "0.3");
    assert_eq!(format!("{}", 0.1f64 + 0.2f64), "0.30000000000000004");
    assert_eq!(format!("{:.3}", 2.0f32 / 3.0), "0.667");
    assert_eq!(format!("{:.0} {:.0} {:.0}", 0.5, 1.5, 2.5), "0 2 2");
    assert_eq!(format!("{:8.2}|{:<8.2}|{:+.1}", 3.14159, -2.5, 1.0), "    3.14|-2.50   |+1.0");
    assert_eq!(format!("{:08.3}", -1.5), "-001.500");
    assert_eq!(format!("{:e} {:E}", 1234.5f32, 0.00012), "1.2345e3 1.2E-4");
    assert_eq!(format!("{:?} {:?} {:?}", f32::NAN, f32::INFINITY, -f64::INFINITY), "NaN inf -inf");
    assert_eq!(format!("{} {:?}", -0.0f32, -0.0f32), "-0 -0.0");
}

#[test]
fn large_and_small_floats_print() {
    assert_eq!(format!("{}", 1e20f64), "100000000000000000000");
    assert_eq!(format!("{:?}", 1e20f64), "1e20");
    assert_eq!(format!("{:?}", 1e15f64), "1000000000000000.0");
    assert_eq!(format!("{:?}", 1e-7f64), "1e-7");
    assert_eq!(format!("{}", 1e-7f64), "0.0000001");
    assert_eq!(format!("{:?}", 0.0001f32), "0.0001");
    assert_eq!(f32::MAX.to_string(), "340282350000000000000000000000000000000");
    assert_eq!(format!("{:?}", f32::MIN_POSITIVE), "1.1754944e-38");
}

#[test]
fn bf16_rounds_to_even() {
    assert_eq!(bf16::from_f32(1.0).to_bits(), 0x3f80);
    assert_eq!(bf16::from_f32(1.00390625).to_f32(), 1.0); // a tie, down to even
    assert_eq!(bf16::from_f32(1.01171875).to_f32(), 1.015625); // a tie, up to even
    assert_eq!(bf16::from_f32(3.4e38).to_f32(), f32::INFINITY);
    assert!(bf16::from_f32(f32::NAN).to_f32().is_nan());
    assert_eq!(bf16::from_f32(-0.0), bf16::from_f32(0.0));
    let wide: f32 = bf16::from_f32(-2.5).into();
    assert_eq!(wide, -2.5);
}

#[test]
fn bf16_arithmetic_rounds_each_result() {
    let one = bf16::from_f32(1.0);
    let tiny = bf16::from_f32(0.00390625);
    assert_eq!(one + tiny, one);
    assert_eq!((one * bf16::from_f32(3.0)).to_f32(), 3.0);
    assert_eq!((bf16::from_f32(10.0) / bf16::from_f32(4.0)).to_f32(), 2.5);
    let sum = Opt::Init(bf16::from_f32(256.0)) + Opt::Init(one);
    assert_eq!(sum, Opt::Init(bf16::from_f32(256.0)));
    assert!(one < bf16::from_f32(1.5));
}

#[test]
fn i4_keeps_four_bits() {
    for (wide, narrow) in [(0, 0), (7, 7), (8, -8), (15, -1), (16, 0), (-8, -8), (-9, 7), (100, 4)] {
        assert_eq!(i4::from_i32(wide).to_i32(), narrow, "{wide}");
    }
    let sum = Opt::Init(i4::from_i32(5)) + Opt::Init(i4::from_i32(6));
    assert_eq!(sum, Opt::Init(i4::from_i32(-5)));
    let wide: i32 = i4::from_i32(-3).into();
    assert_eq!(wide, -3);
}

#[test]
fn f8e4m3_saturates() {
    assert_eq!(f8e4m3::from_f32(1.0).to_f32(), 1.0);
    assert_eq!(f8e4m3::from_f32(1000.0).to_f32(), 448.0);
    assert_eq!(f8e4m3::from_f32(f32::NEG_INFINITY).to_f32(), -448.0);
    assert_eq!(f8e4m3::from_f32(1.0625).to_f32(), 1.0); // a tie, down to even
    assert_eq!(f8e4m3::from_f32(1.1875).to_f32(), 1.25); // a tie, up to even
    assert_eq!(f8e4m3::from_f32(0.001).to_f32(), 0.001953125);
    assert!(f8e4m3::from_f32(f32::NAN).to_f32().is_nan());
}

#[test]
fn sizes_of_scalars() {
    assert_eq!(size_of::<bf16>(), 2);
    assert_eq!(std::mem::size_of::<f32>() + size_of::<i8>(), 5);
    assert_eq!(size_of::<f64>(), 8);
    assert_eq!(size_of::<[i32; 6]>(), 24);
    assert_eq!(size_of::<f8e4m3>() + size_of::<i4>(), 2);
}
