// `#[cfg(..)]` also removes parameters and parts of patterns.
struct Pair {
    left: i32,
    right: i32,
}

fn sized<#[cfg(windows)] const N: usize>() -> usize {
    N // expect error: E0420 N is left out
}

fn parts(pair: Pair) -> i32 {
    let Pair {
        left,
        #[cfg(windows)]
        right,
        ..
    } = pair;
    left + right // expect error: E0420 right is left out
}

fn scaled() -> i32 {
    let scale = |value: i32, #[cfg(windows)] by: i32| value * by; // expect error: E0420 by is left out
    scale(2)
}
