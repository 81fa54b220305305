// What asks for more memory than there can be ends at once, and as the language says it.
// options: --timeout 20
use std::collections::{BTreeMap, HashMap, VecDeque};

#[test]
#[should_panic(expected = "capacity overflow")]
fn text_repeated() {
    let _ = "x".repeat(usize::MAX);
}

#[test]
#[should_panic(expected = "capacity overflow")]
fn list_repeated() {
    let _ = vec![1u32, 2].repeat(1 << 62);
}

#[test]
#[should_panic(expected = "capacity overflow")]
fn list_ahead() {
    let _ = Vec::<i32>::with_capacity(usize::MAX);
}

#[test]
#[should_panic(expected = "capacity overflow")]
fn queue_ahead() {
    let _ = VecDeque::<u64>::with_capacity(usize::MAX / 2);
}

#[test]
#[should_panic(expected = "capacity overflow")]
fn text_ahead() {
    let _ = String::with_capacity(usize::MAX);
}

#[test]
#[should_panic(expected = "capacity overflow")]
fn filled_list() {
    let _ = vec![0; usize::MAX];
}

#[test]
#[should_panic(expected = "capacity overflow")]
fn resized_list() {
    let mut list = vec![1u16];
    list.resize(usize::MAX, 2);
}

#[test]
#[should_panic(expected = "capacity overflow")]
fn numbers_without_end() {
    let _ = (0..).collect::<Vec<_>>();
}

#[test]
#[should_panic(expected = "capacity overflow")]
fn numbers_up_to_the_last() {
    let _: Vec<u64> = (0..u64::MAX).map(|x| x ^ 1).collect();
}

#[test]
#[should_panic(expected = "capacity overflow")]
fn the_same_without_end() {
    let _: Vec<_> = std::iter::repeat(7).enumerate().skip(3).collect();
}

#[test]
#[should_panic(expected = "capacity overflow")]
fn round_and_round() {
    let _: VecDeque<_> = [1, 2].iter().cycle().collect();
}

#[test]
#[should_panic(expected = "capacity overflow")]
fn letters_without_end() {
    let _: String = std::iter::repeat('x').collect();
}

#[test]
#[should_panic(expected = "capacity overflow")]
fn extended_without_end() {
    let mut list = vec![1u8];
    list.extend(2..);
}

#[test]
#[should_panic(expected = "capacity overflow")]
fn pairs_without_end() {
    let _: BTreeMap<_, _> = (0..).zip(1..).collect();
}

#[test]
#[should_panic(expected = "memory allocation of 1152921504606846976 bytes failed")]
fn more_than_any_machine_has() {
    let _ = vec![1u8; 1 << 60];
}

#[test]
fn what_ends() {
    let none: [i32; 0] = [];
    assert_eq!(none.iter().cycle().collect::<Vec<_>>().len(), 0);
    assert_eq!("".repeat(usize::MAX), "");
    assert_eq!(none.repeat(usize::MAX).len(), 0);
    assert_eq!((0..).take(3).collect::<Vec<_>>(), [0, 1, 2]);
    assert_eq!((0..).take_while(|x| x * x < 50).collect::<Vec<_>>().len(), 8);
    assert_eq!((1..).map_while(|x| if x < 4 { Some(x * x) } else { None }).collect::<Vec<_>>(), [1, 4, 9]);
    assert_eq!((0..).zip("abc".chars()).collect::<Vec<_>>(), [(0, 'a'), (1, 'b'), (2, 'c')]);
    assert_eq!(std::iter::repeat(2).take(3).collect::<Vec<_>>(), [2, 2, 2]);
    assert_eq!([1, 2].iter().cycle().take(5).sum::<i32>(), 7);
    let odd: Result<Vec<i32>, i32> = (0..).map(|x| if x < 5 { Ok(x) } else { Err(x) }).collect();
    assert_eq!(odd, Err(5));
    let mut list = Vec::with_capacity(1 << 20);
    list.push(1u8);
    list.truncate(usize::MAX);
    assert_eq!(list.len(), 1);
    let map: HashMap<i32, i32> = HashMap::with_capacity(100);
    assert!(map.is_empty());
    let mut text = String::with_capacity(10);
    text.push_str("abc");
    text.truncate(usize::MAX);
    assert_eq!(text, "abc");
    assert_eq!(vec![(); 3].len(), 3);
}
