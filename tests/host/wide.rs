// Whole numbers of 128 bits.
#[test]
fn casts() {
    assert_eq!(u64::MAX as i128, 18446744073709551615);
    assert_eq!(u64::MAX as u128, 0xffff_ffff_ffff_ffffu128);
    assert_eq!(-1i64 as i128, -1);
    assert_eq!(-1i64 as u128, u128::MAX);
    assert_eq!(-1i8 as u128, u128::MAX);
    assert_eq!(u128::MAX as i128, -1);
    assert_eq!(i128::MIN as u128, 1u128 << 127);
    assert_eq!((1u128 << 64) as u64, 0);
    assert_eq!(((1u128 << 64) + 7) as u8, 7);
    assert_eq!((300i128) as i8, 44);
    assert_eq!(-1i128 as u32, u32::MAX);
    assert_eq!('z' as u128, 122);
    assert_eq!(true as i128, 1);
    assert_eq!(u128::MAX as f64, 340282366920938463463374607431768211455.0);
    assert_eq!((1u128 << 100) as f32, 1267650600228229401496703205376.0f32);
    assert!((u128::MAX as f32).is_infinite());
    assert_eq!(i128::MIN as f64, -170141183460469231731687303715884105728.0);
    assert_eq!(1e30f64 as i128, 1000000000000000019884624838656);
    assert_eq!(-1.5f64 as u128, 0);
    assert_eq!(-1.5f64 as i128, -1);
    assert_eq!(f64::INFINITY as i128, i128::MAX);
    assert_eq!(f64::NEG_INFINITY as i128, i128::MIN);
    assert_eq!(f64::NAN as u128, 0);
    assert_eq!(1e39f64 as u128, u128::MAX);
}

#[test]
fn limits() {
    assert_eq!(i128::MAX, 170141183460469231731687303715884105727);
    assert_eq!(i128::MIN, -170141183460469231731687303715884105728);
    assert_eq!(u128::MAX, 340282366920938463463374607431768211455);
    assert_eq!(u128::MIN, 0);
    assert_eq!(u128::BITS, 128);
    assert_eq!(i128::BITS, 128u32);
    assert_eq!(u128::default(), 0);
    assert_eq!(i128::from(u64::MAX) + 1, 0x1_0000_0000_0000_0000);
    assert_eq!(u128::from(7u8), 7);
    let wide: i128 = i64::MIN.into();
    assert_eq!(wide, -9223372036854775808);
}

#[test]
fn arithmetic() {
    let a = u64::MAX as u128;
    assert_eq!(a * a, 340282366920938463426481119284349108225);
    assert_eq!(a * a / a, a);
    assert_eq!((a * a + 5) % a, 5);
    assert_eq!(a + 1 - a, 1);
    let b = -170141183460469231731687303715884105728i128;
    assert_eq!(b / 2, -85070591730234615865843651857942052864);
    assert_eq!(b % 7, -2);
    assert_eq!(-(b + 1), i128::MAX);
    assert_eq!(!0u128, u128::MAX);
    assert_eq!(!0i128, -1);
    assert_eq!(b ^ -1, i128::MAX);
    assert_eq!(b | 1, b + 1);
    assert_eq!(b & i128::MAX, 0);
    let mut n = 1u128;
    for i in 1..=30u128 {
        n *= i;
    }
    assert_eq!(n, 265252859812191058636308480000000);
    n >>= 60;
    n -= 1;
    n <<= 2;
    n |= 1;
    assert_eq!(n, 920280725972381);
    assert_eq!(1i128 + 2 * 3 - 4, 3);
}

#[test]
fn shifts() {
    let one = 1u128;
    assert_eq!(one << 127u8 >> 126i64, 2);
    assert_eq!(one << 100, 1267650600228229401496703205376);
    assert_eq!(i128::MIN >> 127, -1);
    assert_eq!(u128::MAX >> 127, 1);
    assert_eq!(1u64 << 40u128, 1099511627776);
    assert_eq!(one.wrapping_shl(130), 4);
    assert_eq!(one.checked_shl(127), Some(1 << 127));
    assert_eq!(one.checked_shl(128), None);
    assert_eq!(one.overflowing_shr(129), (0, true));
}

#[test]
fn order() {
    assert!(u128::MAX > i128::MAX as u128);
    assert!(i128::MIN < -1);
    assert!(u128::MAX > u64::MAX as u128);
    assert!(1u128 << 127 > 1);
    assert_eq!(u128::MAX.max(3), u128::MAX);
    assert_eq!(i128::MIN.min(3), i128::MIN);
    assert_eq!(i128::MIN.cmp(&0), std::cmp::Ordering::Less);
    assert_eq!((1u128 << 127).partial_cmp(&1), Some(std::cmp::Ordering::Greater));
    assert_eq!(i128::MAX.clamp(-5, 5), 5);
    let mut all = vec![u128::MAX, 0, 1 << 64, 1 << 127, 5];
    all.sort();
    assert_eq!(all, [0, 5, 1 << 64, 1 << 127, u128::MAX]);
    assert_eq!(all.iter().max(), Some(&u128::MAX));
    assert_eq!(all.binary_search(&(1 << 64)), Ok(2));
    let text = match u128::MAX - 1 {
        0..=0xff => "small",
        340282366920938463463374607431768211454 => "last but one",
        _ => "other",
    };
    assert_eq!(text, "last but one");
    let sign = match i128::MIN {
        i128::MIN..=-1 => -1,
        0 => 0,
        1.. => 1,
    };
    assert_eq!(sign, -1);
}

#[test]
fn four_ways() {
    assert_eq!(u128::MAX.wrapping_add(2), 1);
    assert_eq!(u128::MAX.checked_add(1), None);
    assert_eq!((u128::MAX - 1).checked_add(1), Some(u128::MAX));
    assert_eq!(u128::MAX.saturating_add(1), u128::MAX);
    assert_eq!(u128::MAX.overflowing_add(1), (0, true));
    assert_eq!(0u128.wrapping_sub(1), u128::MAX);
    assert_eq!(0u128.checked_sub(1), None);
    assert_eq!(0u128.saturating_sub(1), 0);
    assert_eq!(i128::MAX.wrapping_add(1), i128::MIN);
    assert_eq!(i128::MIN.saturating_sub(1), i128::MIN);
    assert_eq!(i128::MIN.checked_neg(), None);
    assert_eq!(i128::MIN.wrapping_neg(), i128::MIN);
    assert_eq!(i128::MIN.saturating_neg(), i128::MAX);
    assert_eq!(i128::MIN.wrapping_abs(), i128::MIN);
    assert_eq!(i128::MIN.checked_abs(), None);
    assert_eq!(i128::MIN.unsigned_abs(), 1u128 << 127);
    assert_eq!(i128::MIN.checked_div(-1), None);
    assert_eq!(i128::MIN.wrapping_div(-1), i128::MIN);
    assert_eq!(i128::MIN.overflowing_rem(-1), (0, true));
    assert_eq!(u128::MAX.checked_mul(2), None);
    assert_eq!((1u128 << 100).wrapping_mul(1 << 30), 0);
    assert_eq!((1u128 << 100).saturating_mul(1 << 30), u128::MAX);
    assert_eq!((-1i128 << 100).saturating_mul(1 << 30), i128::MIN);
    assert_eq!(i128::MIN.checked_mul(-1), None);
    assert_eq!(i128::MAX.checked_mul(-1), Some(i128::MIN + 1));
    assert_eq!(5u128.checked_add_signed(-6), None);
    assert_eq!(5u128.checked_add_signed(-5), Some(0));
    assert_eq!(i128::MAX.checked_sub_unsigned(u128::MAX), Some(i128::MIN));
    assert_eq!(i128::MIN.checked_add_unsigned(u128::MAX), Some(i128::MAX));
}

#[test]
fn powers() {
    assert_eq!(10i128.pow(38), 100000000000000000000000000000000000000);
    assert_eq!(10u128.checked_pow(39), None);
    assert_eq!(3u128.wrapping_pow(81), 103144121322099306484875023187381681347);
    assert_eq!((-2i128).pow(127), i128::MIN);
    assert_eq!((-2i128).checked_pow(128), None);
    assert_eq!((-2i128).saturating_pow(129), i128::MIN);
    assert_eq!(u128::MAX.isqrt(), u64::MAX as u128);
    assert_eq!(i128::MAX.isqrt(), 13043817825332782212);
    assert_eq!(u128::MAX.ilog2(), 127);
    assert_eq!(u128::MAX.ilog10(), 38);
    assert_eq!(u128::MAX.ilog(16), 31);
    assert_eq!(0u128.checked_ilog2(), None);
    assert!((1u128 << 99).is_power_of_two());
    assert!(!((1u128 << 99) + 1).is_power_of_two());
    assert_eq!(((1u128 << 99) + 1).next_power_of_two(), 1 << 100);
    assert_eq!(u128::MAX.checked_next_power_of_two(), None);
    assert_eq!(u128::MAX.abs_diff(1), u128::MAX - 1);
    assert_eq!(i128::MIN.abs_diff(i128::MAX), u128::MAX);
    assert_eq!(u128::MAX.midpoint(u128::MAX - 2), u128::MAX - 1);
    assert_eq!((-7i128).rem_euclid(3), 2);
    assert_eq!((-7i128).div_euclid(3), -3);
    assert_eq!((-7i128).signum(), -1);
    assert_eq!(u128::MAX.div_ceil(2), 1 << 127);
}

#[test]
fn bits() {
    assert_eq!(u128::MAX.count_ones(), 128);
    assert_eq!((-1i128).count_zeros(), 0);
    assert_eq!(1u128.leading_zeros(), 127);
    assert_eq!(0u128.leading_zeros(), 128);
    assert_eq!((1u128 << 70).trailing_zeros(), 70);
    assert_eq!(0i128.trailing_zeros(), 128);
    assert_eq!((u128::MAX << 64).leading_ones(), 64);
    assert_eq!((u64::MAX as u128).trailing_ones(), 64);
    assert_eq!(0x0123u128.rotate_right(8), 0x2300_0000_0000_0000_0000_0000_0000_0001);
    assert_eq!((1u128 << 127).rotate_left(1), 1);
    assert_eq!(1u128.reverse_bits(), 1 << 127);
    assert_eq!(0x0102030405060708090a0b0c0d0e0f10u128.swap_bytes(), 0x100f0e0d0c0b0a090807060504030201);
    let bytes = 0x0102030405060708090a0b0c0d0e0f10u128.to_be_bytes();
    assert_eq!(bytes, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
    assert_eq!(u128::from_be_bytes(bytes), 0x0102030405060708090a0b0c0d0e0f10);
    assert_eq!(i128::from_le_bytes([0xff; 16]), -1);
    assert_eq!((-2i128).to_le_bytes()[0], 0xfe);
    assert_eq!((-2i128).to_le_bytes()[15], 0xff);
}

#[test]
fn texts() {
    assert_eq!(format!("{}", u128::MAX), "340282366920938463463374607431768211455");
    assert_eq!(format!("{:?}", i128::MIN), "-170141183460469231731687303715884105728");
    assert_eq!(format!("{:x}", u128::MAX), "ffffffffffffffffffffffffffffffff");
    assert_eq!(format!("{:#X}", -1i128), "0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF");
    assert_eq!(format!("{:o}", 1u128 << 99), "1000000000000000000000000000000000");
    assert_eq!(format!("{:b}", (1u128 << 70) + 1).len(), 71);
    assert_eq!(format!("{:#b}", i128::MIN), format!("0b1{}", "0".repeat(127)));
    assert_eq!(format!("{:>42}|", u128::MAX), "   340282366920938463463374607431768211455|");
    assert_eq!(format!("{:+042}", i128::MAX), "+00170141183460469231731687303715884105727");
    assert_eq!(format!("{:<5}|{:^5}|{:05}", 1u128, 2i128, -3i128), "1    |  2  |-0003");
    assert_eq!(format!("{:#034x}", 1u128 << 64), "0x00000000000000010000000000000000");
    assert_eq!(format!("{:e}", 10u128.pow(30)), "1e30");
    assert_eq!("340282366920938463463374607431768211455".parse::<u128>(), Ok(u128::MAX));
    assert!("340282366920938463463374607431768211456".parse::<u128>().is_err());
    assert_eq!("-170141183460469231731687303715884105728".parse::<i128>(), Ok(i128::MIN));
    assert!("170141183460469231731687303715884105728".parse::<i128>().is_err());
    assert_eq!(u128::from_str_radix("ffffffffffffffffffffffffffffffff", 16), Ok(u128::MAX));
    assert_eq!(i128::from_str_radix("-80000000000000000000000000000000", 16), Ok(i128::MIN));
    assert_eq!(u128::MAX.to_string().len(), 39);
}

#[test]
fn sequences() {
    let base = u64::MAX as u128;
    let all: Vec<u128> = (base - 1..=base + 1).collect();
    assert_eq!(all, [18446744073709551614, 18446744073709551615, 18446744073709551616]);
    assert_eq!(all.iter().sum::<u128>(), base * 3);
    assert_eq!((1..=25u128).product::<u128>(), 15511210043330985984000000);
    assert_eq!((u128::MAX - 1..=u128::MAX).count(), 2);
    assert_eq!((i128::MIN..).take(2).last(), Some(i128::MIN + 1));
    assert_eq!((0..u128::MAX).rev().next(), Some(u128::MAX - 1));
    assert_eq!((0..u128::MAX).step_by(3).nth(4), Some(12));
    assert!((0..=u128::MAX).contains(&u128::MAX));
    assert!(!(i128::MIN..0).contains(&0));
    assert_eq!(format!("{:?}", 1..u128::MAX), "1..340282366920938463463374607431768211455");
    assert_eq!([1i128, -2, 3].iter().map(|x| x * x).sum::<i128>(), 14);
    assert_eq!([5u128; 3].iter().copied().fold(0, |a, b| a + b), 15);
    let mut seen = std::collections::HashMap::new();
    *seen.entry(u128::MAX).or_insert(0) += 1;
    *seen.entry(u128::MAX).or_insert(0) += 1;
    *seen.entry(0u128).or_insert(0) += 1;
    assert_eq!(seen[&u128::MAX], 2);
}

#[test]
fn conversions() {
    assert_eq!(u8::try_from(255u128), Ok(255));
    assert!(u8::try_from(256u128).is_err());
    assert!(u64::try_from(-1i128).is_err());
    assert_eq!(u64::try_from(u64::MAX as i128), Ok(u64::MAX));
    assert!(i128::try_from(u128::MAX).is_err());
    let small: Result<i32, _> = (1i128 << 40).try_into();
    assert!(small.is_err());
    let wide: Result<u128, _> = (-1i32).try_into();
    assert!(wide.is_err());
    let wide: Result<u128, _> = 9i32.try_into();
    assert_eq!(wide, Ok(9));
    assert_eq!(Some(u128::MAX).map(|x| x >> 64), Some(u64::MAX as u128));
    assert_eq!((u128::MAX, -1i128), (340282366920938463463374607431768211455, -1));
}

const LARGE: u128 = 1 << 90;
struct Money {
    cents: i128,
}
fn halves<const N: u128>() -> u128 {
    N / 2
}

#[test]
fn places() {
    let mut money = Money { cents: i128::MAX };
    money.cents -= 7;
    assert_eq!(money.cents, 170141183460469231731687303715884105720);
    assert_eq!(LARGE >> 89, 2);
    assert_eq!(halves::<10>(), 5u128);
    let total = &mut money.cents;
    *total /= 1 << 100;
    assert_eq!(*total, 134217727);
    assert_eq!(std::mem::size_of::<u128>(), 16);
}

#[test]
#[should_panic(expected = "attempt to divide with overflow")]
fn division_beyond() {
    let least = i128::MIN;
    let _ = least / -1;
}

#[test]
#[should_panic(expected = "attempt to divide by zero")]
fn division_by_zero() {
    let zero = 0u128;
    let _ = 1 / zero;
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Entry {
    key: u128,
    rest: Option<i128>,
}

impl std::ops::Add for Entry {
    type Output = Entry;
    fn add(self, other: Entry) -> Entry {
        Entry { key: self.key + other.key, rest: None }
    }
}

fn square<T: std::ops::Mul<Output = T> + Copy>(x: T) -> T {
    x * x
}

#[test]
fn in_types_of_the_program() {
    let entry = Entry { key: u128::MAX, rest: Some(-1) };
    assert_eq!(format!("{entry:?}"), "Entry { key: 340282366920938463463374607431768211455, rest: Some(-1) }");
    assert!(entry > Entry { key: 1, rest: None });
    assert!(Entry { key: 1, rest: None } < Entry { key: 1, rest: Some(i128::MIN) });
    assert_eq!((Entry { key: 3, rest: None } + entry).key, 2);
    assert_eq!(square(1u128 << 60), 1 << 120);
    let mut map = std::collections::BTreeMap::new();
    for (key, name) in [(1u128 << 127, "high"), (1, "low"), (1 << 64, "middle")] {
        map.insert(key, name);
    }
    assert_eq!(map.values().copied().collect::<Vec<_>>(), ["low", "middle", "high"]);
    assert_eq!(map.range(2..).count(), 2);
    let number: Option<u128> = "12".parse().ok();
    let Some(found @ 10..=20) = number else { panic!("{number:?}") };
    assert_eq!(found, 12);
    let mut rest = 123_456_789_012_345_678_901_234_567_890u128;
    let mut digits = Vec::new();
    while rest > 0 {
        digits.push((rest % 10) as u8);
        rest /= 10;
    }
    assert_eq!(digits[..5], [0, 9, 8, 7, 6]);
    assert_eq!(digits.len(), 30);
    assert_eq!(std::time::Duration::from_millis(1001).as_millis(), 1001u128);
    assert_eq!(i128::from(true) + i128::from(-3i8), -2);
}
