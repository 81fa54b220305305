//! Not a test of its own: a module that tests include.

use furiosa_visa_std::prelude::*;

pub fn counted<E: M>(from: i32) -> HostTensor<i32, E> {
    HostTensor::from_buf((0..E::SIZE as i32).map(|i| Opt::Init(from + i)).collect())
}

#[allow(dead_code)]
pub fn differences(a: &[Opt<i32>], b: &[Opt<i32>]) -> Vec<i32> {
    let mut found: Vec<i32> = a.iter().zip(b).map(|(a, b)| b.unwrap() - a.unwrap()).collect();
    found.sort();
    found.dedup();
    found
}
