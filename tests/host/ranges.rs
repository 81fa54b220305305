#[test]
fn ends_of_types() {
    let mut n = 0u64;
    for x in (u64::MAX - 3)..=u64::MAX {
        n = n.wrapping_add(x);
    }
    assert_eq!(n, 0u64.wrapping_sub(10));
    assert_eq!((0..=u64::MAX).next_back(), Some(u64::MAX));
    assert_eq!((u64::MAX - 3..=u64::MAX).rev().collect::<Vec<_>>(), [u64::MAX, u64::MAX - 1, u64::MAX - 2, u64::MAX - 3]);
    assert_eq!((i64::MAX - 1..=i64::MAX).collect::<Vec<_>>(), [9223372036854775806, 9223372036854775807]);
    assert_eq!((i64::MIN..=i64::MAX).step_by(1 << 62).collect::<Vec<_>>().len(), 4);
    assert_eq!((0u8..=255).count(), 256);
    assert_eq!((0u8..=255).map(|x| x as u32).sum::<u32>(), 32640);
    assert_eq!((-128i8..=127).rev().last(), Some(-128));
    assert_eq!((0..=u64::MAX).rev().step_by(1 << 63).collect::<Vec<_>>(), [u64::MAX, (1 << 63) - 1]);
    assert_eq!((0..=u64::MAX).step_by(1 << 63).collect::<Vec<_>>(), [0, 1 << 63]);
    assert_eq!((0..u64::MAX).step_by(1 << 63).rev().collect::<Vec<_>>(), [1 << 63, 0]);
    assert_eq!((1u64 << 63..(1 << 63) + 2).collect::<Vec<_>>(), [9223372036854775808, 9223372036854775809]);
    assert_eq!((5..5u64).next(), None);
    assert_eq!((u64::MAX..0).next(), None);
    assert_eq!((u64::MAX..=0).next(), None);
    assert_eq!((250u8..).take(8).collect::<Vec<_>>(), [250, 251, 252, 253, 254, 255, 0, 1]);
    assert_eq!((0..u64::MAX).nth(1 << 40), Some(1 << 40));
    assert_eq!((0..u64::MAX).nth_back(1), Some(u64::MAX - 2));
    assert_eq!((0..10u64).nth(usize::MAX), None);
}

#[test]
fn sizes() {
    assert_eq!((0..usize::MAX).len(), usize::MAX);
    assert_eq!((3..3usize).len(), 0);
    assert_eq!((0u8..=255).len(), 256);
    assert_eq!((0..=u64::MAX).size_hint(), (usize::MAX, None));
    assert_eq!((0..u64::MAX).size_hint(), (usize::MAX, Some(usize::MAX)));
    assert_eq!((0..).size_hint(), (usize::MAX, None));
    assert_eq!((1u64 << 63..=u64::MAX).size_hint(), (1 << 63, Some(1 << 63)));
    assert!((9..3).is_empty());
    assert!((9..=8u64).is_empty());
    assert!(!(u64::MAX..=u64::MAX).is_empty());
    assert_eq!(*(2..=u64::MAX).end(), u64::MAX);
    assert_eq!((2..u64::MAX).end, u64::MAX);
    assert_eq!((0..usize::MAX).count(), usize::MAX);
    assert_eq!((0..u64::MAX).last(), Some(u64::MAX - 1));
    assert_eq!((0..u64::MAX).max(), Some(u64::MAX - 1));
    assert_eq!((0..u64::MAX).min(), Some(0));
}

#[test]
fn membership() {
    assert!((0..=u64::MAX).contains(&u64::MAX));
    assert!(!(0..u64::MAX).contains(&u64::MAX));
    assert!((1 << 63..u64::MAX).contains(&(u64::MAX - 1)));
    assert!(!(1 << 63..u64::MAX).contains(&1));
    assert!((..5).contains(&-3));
    assert!((..=5u8).contains(&5));
    assert!((250u8..).contains(&255));
    assert!(('a'..='z').contains(&'q'));
    assert!(!('a'..'z').contains(&'z'));
    assert!((0.5..1.5).contains(&1.0));
    assert!(!(..0.5).contains(&0.5));
    assert!((0.5..).contains(&f64::INFINITY));
    let word = match u64::MAX {
        0..=9 => "small",
        10..=0x7fff_ffff_ffff_ffff => "middle",
        0x8000_0000_0000_0000.. => "large",
    };
    assert_eq!(word, "large");
}

#[test]
fn characters() {
    assert_eq!(('a'..='e').collect::<String>(), "abcde");
    assert_eq!(('\u{d7fe}'..='\u{e001}').count(), 4);
    assert_eq!(('\u{d7ff}'..='\u{e000}').rev().collect::<Vec<_>>(), ['\u{e000}', '\u{d7ff}']);
    assert_eq!((b'x'..=b'z').map(char::from).collect::<Vec<_>>(), ['x', 'y', 'z']);
}

#[test]
fn written() {
    assert_eq!(format!("{:?}", ..=3), "..=3");
    assert_eq!(format!("{:?}", 1..), "1..");
    assert_eq!(format!("{:?}", ..), "..");
    assert_eq!(format!("{:?}", ..7), "..7");
    assert_eq!(format!("{:?}", 2..=5), "2..=5");
    assert_eq!(format!("{:?}", 2..5), "2..5");
    assert_eq!(format!("{:?}", 0..=u64::MAX), "0..=18446744073709551615");
    assert_eq!(format!("{:?}", i8::MIN..=i8::MAX), "-128..=127");
    assert_eq!(format!("{:?}", 'a'..='z'), "'a'..='z'");
    assert_eq!(format!("{:?}", 0.5..1.0), "0.5..1.0");
    assert_eq!(format!("{:?}", Some(1..2)), "Some(1..2)");
    assert_eq!(format!("{:02x?}", 1..10), "01..0a");
}

#[test]
fn parts_of_lists() {
    let list = [1, 2, 3, 4];
    assert_eq!(list[1..=2], [2, 3]);
    assert_eq!(list[..=3], [1, 2, 3, 4]);
    assert_eq!(list[4..].len(), 0);
    assert_eq!(list.get(1..usize::MAX), None);
    assert_eq!(list.get(..=usize::MAX), None);
    assert_eq!(list.get(3..=2), Some(&[][..]));
    assert_eq!("hello".get(1..=usize::MAX), None);
    assert_eq!(list.iter().take(usize::MAX).count(), 4);
    assert_eq!(list.iter().skip(usize::MAX).count(), 0);
    assert_eq!(list.iter().step_by(usize::MAX).count(), 1);
    assert_eq!(list.get(usize::MAX), None);
    assert_eq!(list.chunks(usize::MAX).count(), 1);
    assert_eq!(list.windows(usize::MAX).count(), 0);
    let mut map = std::collections::BTreeMap::new();
    for k in [-5i64, -1, 0, 4, 9] {
        map.insert(k, k * k);
    }
    assert_eq!(map.range(-5..=4).count(), 4);
    assert_eq!(map.range(..0).map(|(k, _)| *k).collect::<Vec<_>>(), [-5, -1]);
    assert_eq!(map.range(4..).count(), 2);
}

#[test]
#[should_panic(expected = "range end index 9 out of range for slice of length 3")]
fn end_outside() {
    let list = [1, 2, 3];
    let _ = &list[1..9];
}

#[test]
#[should_panic(expected = "range start index 5 out of range for slice of length 3")]
fn start_outside() {
    let list = [1, 2, 3];
    let _ = &list[5..];
}

#[test]
#[should_panic(expected = "slice index starts at 2 but ends at 1")]
fn ends_before_it_starts() {
    let list = [1, 2, 3];
    let (from, to) = (2, 1);
    let _ = &list[from..to];
}

#[test]
#[should_panic(expected = "range end index 18446744073709551615 out of range for slice of length 3")]
fn end_far_outside() {
    let list = [1, 2, 3];
    let _ = &list[..usize::MAX];
}

#[test]
#[should_panic(expected = "attempted to index slice up to maximum usize")]
fn end_behind_every_place() {
    let list = [1, 2, 3];
    let _ = &list[..=usize::MAX];
}

#[test]
#[should_panic(expected = "index out of bounds: the len is 3 but the index is 18446744073709551615")]
fn index_far_outside() {
    let list = [1, 2, 3];
    let at = list.len().wrapping_sub(4);
    let _ = list[at];
}

#[test]
#[should_panic(expected = "byte index 2 is not a char boundary; it is inside 'ü' (bytes 1..3) of `für`")]
fn inside_a_character() {
    let _ = &"für"[2..];
}

#[test]
#[should_panic(expected = "byte index 9 is out of bounds of `für`")]
fn text_outside() {
    let _ = &"für"[..9];
}
