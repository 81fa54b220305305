// A function that would collect elements forever does not do so when it is only checked.
use std::collections::{BTreeMap, HashSet};

fn letters() -> String {
    std::iter::repeat('x').collect()
}

fn more_letters(text: &mut String) {
    text.extend(std::iter::repeat('y'));
}

fn pairs() -> BTreeMap<u64, u64> {
    (0..).zip(1..).collect()
}

fn numbers() -> HashSet<u64> {
    (0..).collect()
}

fn split() -> (Vec<u64>, Vec<u64>) {
    (0..).zip(1..).unzip()
}

fn called() {
    let mut text = String::new();
    letters();
    more_letters(&mut text);
    pairs();
    numbers();
    split();
}
