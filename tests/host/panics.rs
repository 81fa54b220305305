//! Tests that are meant to panic, and panics that are caught.

use furiosa_visa_std::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use tokio::runtime::Runtime;

axes![N = 4096];

type Chip = m![1];

#[test]
#[should_panic]
fn any_panic_will_do() {
    panic!();
}

#[test]
#[should_panic(expected = "boom")]
fn a_part_of_the_message() {
    panic!("a boom of {}", 7);
}

#[test]
#[should_panic(expected = "boom of 7 at [1, 2]")]
fn a_message_with_values() {
    let at = vec![1, 2];
    panic!("a boom of {} at {at:?}", 7);
}

#[test]
#[should_panic = "short form"]
fn the_short_form() {
    panic!("the short form");
}

#[test]
#[should_panic(expected = "assertion failed: x > 3")]
fn an_assertion_names_its_condition() {
    let x = 2;
    assert!(x > 3);
}

#[test]
#[should_panic(expected = "2 is too small")]
fn an_assertion_with_words() {
    let x = 2;
    assert!(x > 3, "{x} is too small");
}

#[test]
#[should_panic(expected = "left: 4\n right: 5")]
fn an_equality_shows_both_sides() {
    assert_eq!(2 + 2, 5);
}

#[test]
#[should_panic(expected = "assertion `left == right` failed: sums differ at 3")]
fn an_equality_with_words() {
    assert_eq!(vec![1], [2], "sums differ at {}", 3);
}

#[test]
#[should_panic(expected = "assertion `left != right` failed")]
fn an_inequality() {
    assert_ne!("a", "a");
}

#[test]
#[should_panic(expected = "index out of bounds: the len is 3 but the index is 5")]
fn an_index_too_large() {
    let v = vec![1, 2, 3];
    let i = v.len() + 2;
    let _ = v[i];
}

#[test]
#[should_panic(expected = "range end index 9 out of range for slice of length 3")]
fn a_slice_too_long() {
    let v = vec![1, 2, 3];
    let n = v.len() * 3;
    let _ = &v[..n];
}

#[test]
#[should_panic(expected = "attempt to divide by zero")]
fn a_division_by_zero() {
    let zero = "".len() as i32;
    let _ = 7 / zero;
}

#[test]
#[should_panic(expected = "attempt to calculate the remainder with a divisor of zero")]
fn a_remainder_by_zero() {
    let zero = "".len();
    let _ = 7 % zero;
}

#[test]
#[should_panic(expected = "attempt to divide with overflow")]
fn a_division_that_overflows() {
    let least = [i32::MIN];
    let _ = least[0] / -(least.len() as i32);
}

#[test]
#[should_panic(expected = "called `Option::unwrap()` on a `None` value")]
fn nothing_to_unwrap() {
    let empty: Vec<i32> = vec![];
    empty.iter().max().unwrap();
}

#[test]
#[should_panic(expected = "there is a first")]
fn nothing_as_expected() {
    let empty: Vec<i32> = vec![];
    empty.first().expect("there is a first");
}

#[test]
#[should_panic(expected = "called `Result::unwrap()` on an `Err` value: \"bad\"")]
fn an_error_to_unwrap() {
    let r: Result<i32, &str> = Err("bad");
    r.unwrap();
}

#[test]
#[should_panic(expected = "size: \"bad\"")]
fn an_error_as_expected() {
    let r: Result<i32, &str> = Err("bad");
    r.expect("size");
}

#[test]
#[should_panic(expected = "not yet implemented: later")]
fn something_to_do() {
    todo!("later");
}

#[test]
#[should_panic(expected = "internal error: entered unreachable code: never 3")]
fn somewhere_unreachable() {
    unreachable!("never {}", 3);
}

#[test]
#[should_panic(expected = "not implemented")]
fn something_unimplemented() {
    unimplemented!();
}

#[test]
#[should_panic(expected = "from a helper")]
fn deep_inside() {
    fn helper(n: u32) -> u32 {
        if n == 0 { panic!("from a helper") } else { helper(n - 1) }
    }
    let f = |n| helper(n);
    f(5);
}

#[tokio::test]
#[should_panic(expected = "after an await")]
async fn an_async_panic() {
    async fn later() -> i32 {
        3
    }
    let n = later().await;
    assert_eq!(n, 4, "after an await");
}

#[test]
fn a_panic_is_caught() {
    let good = catch_unwind(|| 21 * 2);
    assert_eq!(good.unwrap(), 42);
    let bad = catch_unwind(|| {
        if "".is_empty() {
            panic!("empty");
        }
        1
    });
    assert!(bad.is_err());
}

#[test]
fn changes_before_a_panic_remain() {
    let mut log = vec![];
    let result = catch_unwind(AssertUnwindSafe(|| {
        log.push(1);
        let v: Vec<i32> = Vec::new();
        log.push(v[0]);
        log.push(3);
    }));
    assert!(result.is_err());
    assert_eq!(log, [1]);
}

#[test]
fn a_panic_in_a_future_is_caught() {
    let result = catch_unwind(AssertUnwindSafe(|| {
        Runtime::new().unwrap().block_on(async {
            let mut ctx = Context::acquire();
            let x = HostTensor::<i32, m![N]>::zero().to_hbm::<Chip, m![N]>(&mut ctx.pdma, 0).await;
            let y = x.to_host::<m![N]>(&mut ctx.pdma).await;
            assert_eq!(y.to_buf()[0], Opt::Init(1));
        })
    }));
    assert!(result.is_err());
    // The guard is gone with the panic: the next one does not wait.
    let _ctx = Context::acquire();
}

#[test]
fn the_words_of_a_panic() {
    let n = 5;
    let error = catch_unwind(|| panic!("number {n}")).unwrap_err();
    assert_eq!(error.downcast_ref::<String>().unwrap(), "number 5");
    let plain = catch_unwind(|| panic!("plain")).unwrap_err();
    assert_eq!(*plain.downcast_ref::<&str>().unwrap(), "plain");
}

#[test]
fn after_all_these_panics_the_context_is_free() {
    let first = Context::acquire();
    drop(first);
    let _second = Context::acquire();
}
