// Number types and their functions as tests use them.
use furiosa_visa_std::prelude::*;

#[test]
fn integers() {
    assert_eq!(i32::MAX.wrapping_add(1), i32::MIN);
    assert_eq!(i32::MAX.saturating_add(1), i32::MAX);
    assert_eq!((-7i32).wrapping_mul(3), -21);
    assert_eq!((5i32.min(3), 5i32.max(3), 300i32.clamp(-128, 127)), (3, 5, 127));
    assert_eq!(0x7fi32 << 24 >> 24, 127);
    assert_eq!(-17 / 5, -3);
    assert_eq!(-17 % 5, -2);
    assert_eq!(1u64 << 28, 268_435_456);
}

#[test]
fn floats() {
    assert_eq!(2.25f32.sqrt(), 1.5);
    assert_eq!(f32::max(1.0, 2.0), 2.0);
    assert_eq!(2.0f32.mul_add(3.0, 4.0), 10.0);
    assert_eq!(((2.5f32).round(), (-2.5f32).round(), (-2.5f32).abs()), (3.0, -3.0, 2.5));
    assert_eq!(0.0f32.exp(), 1.0);
    assert!(f32::NEG_INFINITY < f32::INFINITY);
    assert_eq!(1.5_f64.max(f64::from(0.5f32)), 1.5);
    assert_eq!((7 as f32 / 2.0, 7i32 as f64), (3.5, 7.0));
}

#[test]
fn small_types() {
    assert_eq!(bf16::from_f32(1.00390625).to_f32(), 1.0);
    assert_eq!(bf16::from_f32(1.01171875).to_f32(), 1.015625);
    assert_eq!(i4::from_i32(9).to_i32(), -7);
    assert_eq!(i4::from_i32(-8).to_i32(), -8);
}
