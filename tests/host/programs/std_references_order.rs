// prints: 9 3 7 y
// prints: 8 (1, 3)
// prints: Length(3.5) Length(3.5)
// prints: [3, 2, 1, 0] Some(3)
// prints: [4, 3, 2, 1]
// prints: Some(31) Some(10) [30, 21, 20, 11]
// prints: ["ab", "c", "d"]
// prints: ["a"] 123
// prints: 144 -2 true
// prints: ["w", "k: v"] [(0, "ab"), (3, "ab")]
// prints: "he" "llo world"
// prints: l--wo "rld" Word xy
// prints: Err(PosOverflow) Err(Empty)
use std::iter::{Peekable, Sum};
use std::num::Wrapping;
use std::str::Chars;

#[derive(Debug, Clone, Copy, PartialEq)]
struct Length(f64);

impl Sum for Length {
    fn sum<I: Iterator<Item = Self>>(items: I) -> Self {
        items.fold(Length(0.0), |a, b| Length(a.0 + b.0))
    }
}

impl<'a> Sum<&'a Length> for Length {
    fn sum<I: Iterator<Item = &'a Self>>(items: I) -> Self {
        items.copied().sum()
    }
}

struct Span {
    low: i32,
    high: i32,
}

impl Iterator for Span {
    type Item = i32;
    fn next(&mut self) -> Option<i32> {
        (self.low < self.high).then(|| {
            self.low += 1;
            self.low - 1
        })
    }
}

impl DoubleEndedIterator for Span {
    fn next_back(&mut self) -> Option<i32> {
        (self.low < self.high).then(|| {
            self.high -= 1;
            self.high
        })
    }
}

struct Words<'a> {
    rest: Peekable<Chars<'a>>,
}

impl Iterator for Words<'_> {
    type Item = String;
    fn next(&mut self) -> Option<String> {
        while self.rest.next_if(|c| c.is_whitespace()).is_some() {}
        let mut word = String::new();
        while let Some(c) = self.rest.next_if(|c| !c.is_whitespace()) {
            word.push(c);
        }
        (!word.is_empty()).then_some(word)
    }
}

trait Join {
    fn join(&self, other: &Self) -> Self;
    fn all<'a>(first: Self, items: impl IntoIterator<Item = &'a Self>) -> Self
    where
        Self: Sized + 'a,
    {
        let mut joined = first;
        for item in items {
            joined = joined.join(item);
        }
        joined
    }
}

impl Join for i32 {
    fn join(&self, other: &i32) -> i32 {
        self * 10 + other
    }
}

fn first_of<T: Clone>(items: &[T]) -> Vec<T> {
    let mut first = Vec::new();
    first.push(items[0].clone());
    first
}

fn capital(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map_or_else(String::new, |c| c.to_uppercase().collect::<String>() + chars.as_str())
}

fn main() {
    let (a, b) = (&3i64, &9);
    println!("{} {} {} {}", *a.max(b), a.min(b), a.max(&7), "x".max("y"));
    println!("{:?} {:?}", [4, 8, 6].iter().fold(&0, |m, x| m.max(x)), (1, 2).max((1, 3)));
    let lengths = [Length(1.5), Length(2.0)];
    println!("{:?} {:?}", lengths.iter().sum::<Length>(), lengths.into_iter().sum::<Length>());
    println!("{:?} {:?}", Span { low: 0, high: 4 }.rev().collect::<Vec<_>>(), Span { low: 0, high: 6 }.rev().nth(2));
    println!("{:?}", [[1, 2], [3, 4]].iter().flatten().rev().collect::<Vec<_>>());
    let mut ends = (1..4).flat_map(|i| i * 10..i * 10 + 2);
    println!("{:?} {:?} {:?}", ends.next_back(), ends.next(), ends.rev().collect::<Vec<_>>());
    println!("{:?}", Words { rest: " ab  c\nd".chars().peekable() }.collect::<Vec<_>>());
    println!("{:?} {}", first_of(&["a", "b"]), i32::all(1, &[2, 3]));
    let mut wrapped = Wrapping(250u8) + Wrapping(10);
    wrapped *= Wrapping(100);
    println!("{wrapped} {:?} {}", Wrapping(3i8) - Wrapping(5), wrapped > Wrapping(3));
    println!("{:?} {:?}", "k: v: w".rsplitn(2, ": ").collect::<Vec<_>>(), "abcab".match_indices("ab").collect::<Vec<_>>());
    let mut text = String::from("hello world");
    println!("{:?} {:?}", text.drain(..2).collect::<String>(), text);
    text.replace_range(1..4, "--");
    println!("{text} {:?} {} {}", text.split_off(5), capital("word"), String::from_iter(["x", "y"]));
    println!("{:?} {:?}", "300".parse::<u8>().map_err(|e| e.kind().clone()), "".parse::<i8>().map_err(|e| e.kind().clone()));
}
