// Types of the program that are looped over: by value, by reference, by mutable reference; and the
// names that the standard library gives to what adapters make.

#[derive(Debug, Clone)]
struct Bag<T> {
    items: Vec<T>,
}
impl<T> IntoIterator for Bag<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;
    fn into_iter(self) -> Self::IntoIter {
        self.items.into_iter()
    }
}
impl<'a, T> IntoIterator for &'a Bag<T> {
    type Item = &'a T;
    type IntoIter = Backwards<'a, T>;
    fn into_iter(self) -> Backwards<'a, T> {
        Backwards { rest: &self.items }
    }
}
impl<'a, T> IntoIterator for &'a mut Bag<T> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.items.iter_mut()
    }
}
struct Backwards<'a, T> {
    rest: &'a [T],
}
impl<'a, T> Iterator for Backwards<'a, T> {
    type Item = &'a T;
    fn next(&mut self) -> Option<&'a T> {
        let (last, rest) = self.rest.split_last()?;
        self.rest = rest;
        Some(last)
    }
}

#[test]
fn each_kind_of_reference_has_its_own() {
    let mut bag = Bag { items: vec![1, 2, 3] };
    for x in &mut bag {
        *x *= 2;
    }
    let mut seen = vec![];
    for x in &bag {
        seen.push(*x);
    }
    assert_eq!(seen, [6, 4, 2]);
    assert_eq!((&bag).into_iter().enumerate().map(|(i, x)| i as i32 * x).sum::<i32>(), 8);
    let mut all = vec![0];
    all.extend(&bag);
    assert_eq!(all, [0, 6, 4, 2]);
    assert_eq!(vec![1].into_iter().chain(bag).collect::<Vec<i32>>(), [1, 2, 4, 6]);
}

struct Countdown(u32);
impl IntoIterator for Countdown {
    type Item = u32;
    type IntoIter = std::iter::Rev<std::ops::Range<u32>>;
    fn into_iter(self) -> Self::IntoIter {
        (0..self.0).rev()
    }
}
struct Reader<'a> {
    chars: std::iter::Peekable<std::str::Chars<'a>>,
    places: std::iter::Enumerate<std::slice::Iter<'a, i32>>,
    steps: std::iter::StepBy<std::ops::Range<usize>>,
    pairs: std::iter::Zip<std::ops::Range<u8>, std::vec::IntoIter<char>>,
}

#[test]
fn adapters_have_names() {
    assert_eq!(Countdown(3).into_iter().collect::<Vec<_>>(), [2, 1, 0]);
    let list = [5, 6];
    let mut reader = Reader {
        chars: "ab".chars().peekable(),
        places: list.iter().enumerate(),
        steps: (0..9).step_by(4),
        pairs: (0..2u8).zip(vec!['x', 'y']),
    };
    assert_eq!(reader.chars.peek(), Some(&'a'));
    assert_eq!(reader.places.next(), Some((0, &5)));
    assert_eq!(reader.steps.next_back(), Some(8));
    assert_eq!(reader.pairs.last(), Some((1, 'y')));
}

#[test]
fn unzip_may_name_all_it_makes() {
    let (a, b) = (0..3).map(|i| (i, i * i)).unzip::<_, _, Vec<i32>, Vec<_>>();
    assert_eq!((a, b), (vec![0, 1, 2], vec![0, 1, 4]));
    assert_eq!([(1u8, 'a')].into_iter().unzip::<u8, char, Vec<u8>, String>(), (vec![1], "a".to_string()));
}
