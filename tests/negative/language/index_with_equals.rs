// An index names its axis and its value with a colon.
use furiosa_visa_std::prelude::*;

axes![A = 8, B = 512];

#[test]
fn last() {
    assert_eq!(<m![A]>::map(7), Some(i![A = 7])); // expect error: E0401 i! separates with a colon
}
