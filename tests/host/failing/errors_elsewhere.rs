// expect: 5 passed, 10 failed, 0 ignored
// says: `/ 2` needs a size that is a multiple of 2, and `Odd` has size 3
// says: `# 2` pads to 2 positions in all, and `Row` has 4 already
// says: the size of axis `Unsized` must be a literal
// says: there is no value or function `unknown` in scope
// says: there is no type, axis or module `Missing` in scope
// says: found `;` where an expression should stand
// says: tests that do not depend on them ran anyway
// lacks: internal
// lacks: Unheard
use furiosa_visa_std::prelude::*;

axes![Row = 4, Odd = 3, Unsized = 2 + 2];

type Half = m![Odd / 2];
type Shrunk = m![Row # 2];
type Through = m![{ Shrunk }, Odd];
type Squared = m![Row, Row];

struct Crooked {
    size: Missing,
}

const BROKEN: usize = NOWHERE;

fn nobody_calls(_x: &HbmTensor<i32, m![1], m![Row, Row]>) -> Unheard {
    let x: i32 = "text";
    x.unheard()
}

fn syntax() -> i32 {
    let x = ;
    x
}

fn mistyped() -> i32 {
    "text"
}

fn through() -> i32 {
    mistyped()
}

#[device(chip = 1)]
fn crooked_kernel(ctx: &mut Context, x: &HbmTensor<i32, m![1], m![Row]>) -> HbmTensor<i32, m![1], m![Row]> {
    unknown(x)
}

#[test]
fn uses_nothing() {
    assert_eq!(1 + 1, 2);
}

#[test]
fn passes_a_bad_mapping_on() {
    fn size(_t: &HostTensor<i32, Squared>) -> usize {
        16
    }
    assert_eq!(size(&HostTensor::<i32, Squared>::uninit()), 16);
}

#[test]
fn never_needs_the_mapping() {
    let none: Option<HostTensor<i32, Half>> = None;
    assert!(none.is_none());
}

#[test]
#[should_panic]
fn expects_the_repeated_axis_to_panic() {
    let t = HostTensor::<i32, Squared>::uninit();
    let _values = t.to_buf();
}

#[test]
#[should_panic]
fn expects_the_bad_mapping_to_panic() {
    let _t = HostTensor::<i32, Half>::uninit();
}

#[test]
#[should_panic]
fn a_type_error_is_not_a_panic() {
    mistyped();
}

#[test]
fn moves_through_a_repeated_axis() {
    let t = HostTensor::<i32, Squared>::uninit();
    println!("{}", t.to_buf().len());
}

#[test]
fn asks_for_the_size() {
    assert_eq!(Half::SIZE, 1);
}

#[test]
fn asks_for_the_size_through_an_alias() {
    assert_eq!(Through::SIZE, 6);
}

#[test]
fn calls_what_cannot_be_parsed() {
    syntax();
}

#[test]
fn calls_through_another() {
    through();
}

#[test]
fn has_a_crooked_value() {
    let c: Option<Crooked> = None;
    assert!(c.is_none());
}

#[test]
fn asks_for_the_constant() {
    assert_eq!(BROKEN, 0);
}

#[test]
fn counts_the_axis() {
    assert_eq!(Unsized::SIZE, 4);
}

#[tokio::test]
async fn launches_the_kernel() {
    let mut ctx = Context::acquire();
    let x = HostTensor::<i32, m![Row]>::uninit();
    let x = x.to_hbm(&mut ctx.pdma, 0).await;
    launch(crooked_kernel, (&mut *ctx, &x)).await;
}
