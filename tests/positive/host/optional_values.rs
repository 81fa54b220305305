// Values that may be missing: arithmetic, mapping, matching, and what an unread element looks like.
use furiosa_visa_std::prelude::*;

axes![A = 4];

fn describe(a: Opt<i32>, b: Opt<i32>) -> i32 {
    match (a, b) {
        (Opt::Init(x), Opt::Init(y)) => x + y,
        (Opt::Init(x), _) => x,
        (_, Opt::Init(y)) => -y,
        _ => 0,
    }
}

#[test]
fn arithmetic() {
    let (two, three, none) = (Opt::Init(2), Opt::Init(3), Opt::<i32>::Uninit);
    assert_eq!(two + three, Opt::Init(5));
    assert_eq!(two * three - two, Opt::Init(4));
    assert_eq!(two + none, Opt::Uninit);
    assert_eq!(Opt::Init(i32::MAX) + Opt::Init(1), Opt::Init(i32::MIN));
    assert_eq!(Opt::Init(100i8) * Opt::Init(3i8), Opt::Init(44i8));
}

#[test]
fn mapping_and_zipping() {
    assert_eq!(Opt::Init(2).map(|x| x as f32 * 0.5), Opt::Init(1.0f32));
    assert_eq!(Opt::<i32>::Uninit.map(|x| x + 1), Opt::Uninit);
    assert_eq!(Opt::Init(2).zip_map(Opt::Init(5), |a, b| a.max(b)), Opt::Init(5));
    assert_eq!(Opt::Init(2).zip_map(Opt::<i32>::Uninit, |a, b| a.max(b)), Opt::Uninit);
}

#[test]
fn matching() {
    assert_eq!(describe(Opt::Init(1), Opt::Init(2)), 3);
    assert_eq!(describe(Opt::Init(1), Opt::Uninit), 1);
    assert_eq!(describe(Opt::Uninit, Opt::Init(2)), -2);
    assert_eq!(describe(Opt::Uninit, Opt::Uninit), 0);
}

#[test]
fn tensors_start_empty() {
    assert_eq!(HostTensor::<i32, m![A]>::uninit().to_buf(), vec![Opt::Uninit; 4]);
    assert_eq!(HostTensor::<i32, m![A]>::zero().to_buf(), vec![Opt::Init(0); 4]);
}
