// expect: 1 passed, 4 failed, 0 ignored
// options: --timeout 60
// says: exhausting.rs:
use furiosa_visa_std::prelude::*;
axes![Huge = 1099511627776];
fn down(n: u64) -> u64 {
    down(n + 1) + 1
}
#[test]
fn recursion_without_end() { let _ = down(0); }

#[test]
fn a_list_without_end() {
    let mut v: Vec<u64> = Vec::new();
    loop { v.push(v.len() as u64); }
}

#[test]
fn an_allocation_too_large() {
    let n = 1usize << 60;
    let v = vec![1u8; n];
    assert_eq!(v.len(), n);
}

#[test]
fn the_others_still_run() {
    assert_eq!((1..=10).sum::<i32>(), 55);
}

#[test]
fn a_tensor_too_large() {
    let t = HostTensor::<i32, m![Huge]>::zero();
    assert_eq!(t.to_buf().len(), <m![Huge]>::SIZE);
}
