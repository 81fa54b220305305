// The same seed gives the same tensor, another seed another one.
use furiosa_visa_std::prelude::*;
use rand::SeedableRng;
use rand::rngs::SmallRng;

axes![A = 64];

#[test]
fn seeds_decide() {
    let mut one = SmallRng::seed_from_u64(42);
    let mut two = SmallRng::seed_from_u64(42);
    let mut three = SmallRng::seed_from_u64(43);
    let a = HostTensor::<i32, m![A]>::rand(&mut one);
    let b = HostTensor::<i32, m![A]>::rand(&mut two);
    let c = HostTensor::<i32, m![A]>::rand(&mut three);
    assert_eq!(a.to_buf(), b.to_buf());
    assert!(a.to_buf() != c.to_buf());
    let again: HostTensor<i32, m![A]> = HostTensor::rand(&mut one);
    assert!(again.to_buf() != a.to_buf(), "the generator moves on");
}

#[test]
fn floats_are_in_range() {
    let mut rng = SmallRng::seed_from_u64(1);
    let unit = HostTensor::<f32, m![A]>::rand(&mut rng);
    assert!(unit.to_buf().iter().all(|v| v.unwrap() >= 0.0 && v.unwrap() < 1.0));
    let signed = HostTensor::<bf16, m![A]>::rand(&mut rng);
    assert!(signed.to_buf().iter().all(|v| v.unwrap().to_f32() >= -1.0 && v.unwrap().to_f32() <= 1.0));
}
