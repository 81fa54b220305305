// expect: 3 passed, 8 failed, 0 ignored
// says: error[E0922]: assertion `left == right` failed
// says: 2 of 500 elements differ, first at [317]: left 317, right 7
// says: left from [314]: .., 314, 315, 316, 317, 318, 319, 320, ..
// says: right from [314]: .., 314, 315, 316, 7, 318, 319, 320, ..
// says: assertion `left == right` failed: of row 3
// says: 1 of 600 elements differ, first at [12][5]: left 0.0, right 2.5
// says: right from [12][2]: .., 0.0, 0.0, 0.0, 2.5, 0.0, 0.0, 0.0, ..
// says: left has 200 elements, right 199; 0 of 199 elements differ of those that both have
// says: left has 501 characters, right 500; the first that differs is at [250]
// says:  left: .."xxxxxxxxxxxxxxxxxxxxxxxxyxxxxxxxxxxxxxxxxxxxxxxx"..
// says: assertion `left != right` failed
// says: both are [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,..
// says: 1 of 300 elements differ, first at [299]: left Init(299), right Uninit
// says: left from [296]: .., Init(296), Init(297), Init(298), Init(299)
// says: long_sides.rs:32
// says:   left: [1, 2, 3]
// says:  right: [1, 2, 4]
// says: it panicked with `assertion `left == right` failed`, which has no `something else` in it
// says: the first that differs is at
// lacks: 100, 101, 102, 103, 104, 105, 106, 107, 108
// lacks: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
use furiosa_visa_std::prelude::*;

// Long lists and texts are not shown whole: what differs is.
#[test]
fn lists() {
    let left: Vec<i32> = (0..500).collect();
    let mut right = left.clone();
    right[317] = 7;
    right[400] = 8;
    assert_eq!(left, right);
}

#[test]
fn lists_of_lists() {
    let left = vec![vec![0.0f32; 20]; 30];
    let mut right = left.clone();
    right[12][5] = 2.5;
    assert_eq!(left, right, "of row {}", 3);
}

#[test]
fn lengths() {
    let left: Vec<u64> = (0..200).map(|x| x * 1000).collect();
    assert_eq!(left, left[..199]);
}

#[test]
fn texts() {
    let left = format!("{}y{}", "x".repeat(250), "x".repeat(250));
    assert_eq!(left, "x".repeat(500));
}

#[test]
fn equal_sides() {
    let all = [1; 300];
    assert_ne!(all, all);
}

#[test]
fn elements() {
    let left: Vec<Opt<i32>> = (0..300).map(Opt::Init).collect();
    let mut right = left.clone();
    right[299] = Opt::Uninit;
    assert_eq!(left, right);
}

#[test]
fn short_sides_are_whole() {
    assert_eq!(vec![1, 2, 3], [1, 2, 4]);
}

#[derive(Debug, PartialEq)]
struct Table {
    name: String,
    rows: Vec<i32>,
}

#[test]
#[should_panic(expected = "something else")]
fn structures() {
    let table = |last| Table { name: "t".to_string(), rows: (1000..1200).chain([last]).collect() };
    assert_eq!(table(1), table(2));
}

#[test]
#[should_panic(expected = "left: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14")]
fn the_text_of_the_language() {
    let left: Vec<i32> = (0..500).collect();
    assert_eq!(left, []);
}

#[test]
fn caught() {
    let left: Vec<i32> = (0..500).collect();
    assert!(std::panic::catch_unwind(|| assert_eq!(left, [])).is_err());
}

#[test]
fn afterwards() {
    assert_eq!(1 + 1, 2);
}
