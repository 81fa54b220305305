//! Random tensors: the generator, its draws and the order in which a tensor is filled.

use furiosa_visa_std::prelude::*;
use rand::rngs::SmallRng;
use rand::{Rng, RngCore, SeedableRng};

axes![A = 2, B = 4, N = 8];

#[test]
fn the_generator_is_fixed() {
    let mut rng = SmallRng::seed_from_u64(42);
    assert_eq!(rng.next_u64(), 0xd076_4d4f_4476_689f);
    assert_eq!(rng.next_u64(), 0x519e_4174_576f_3791);
    assert_eq!(rng.next_u64(), 0xfbe0_7cfb_0c24_ed8c);
    let mut zero = SmallRng::seed_from_u64(0);
    assert_eq!(zero.next_u64(), 5_987_356_902_031_041_503);
    assert_eq!(zero.next_u64(), 7_051_070_477_665_621_255);
    assert_eq!(zero.next_u64(), 6_633_766_593_972_829_180);
}

#[test]
fn half_a_word_is_the_upper_half() {
    let mut rng = SmallRng::seed_from_u64(42);
    assert_eq!(rng.next_u32(), 0xd076_4d4f);
    assert_eq!(rng.random::<i32>(), 1_369_325_940);
    assert_eq!(rng.random::<i8>(), -5);
}

#[test]
fn bytes() {
    let mut rng = SmallRng::seed_from_u64(42);
    let t = HostTensor::<i8, m![N]>::rand(&mut rng);
    let expected: Vec<Opt<i8>> = [79, 116, -5, 96, 56, 0, -1, 7].into_iter().map(Opt::Init).collect();
    assert_eq!(t.to_buf(), expected);
    let mut rng = SmallRng::seed_from_u64(42);
    let t: HostTensor<u8, m![N]> = HostTensor::rand(&mut rng);
    assert_eq!(t.to_buf()[2], Opt::Init(251));
}

#[test]
fn words() {
    let mut rng = SmallRng::seed_from_u64(42);
    let t = HostTensor::<i32, m![B]>::rand(&mut rng).to_buf();
    assert_eq!(t, [-797553329, 1369325940, -69174021, -1283612832].map(Opt::Init));
    let mut rng = SmallRng::seed_from_u64(42);
    let t = HostTensor::<i16, m![B]>::rand(&mut rng).to_buf();
    assert_eq!(t[0], Opt::Init(0x4d4f));
    assert_eq!(t[3], Opt::Init(0x9f60u16 as i16));
}

#[test]
fn floats() {
    let mut rng = SmallRng::seed_from_u64(42);
    let t = HostTensor::<f32, m![N]>::rand(&mut rng).to_buf();
    let bits: Vec<u32> = t.iter().take(4).map(|x| x.unwrap().to_bits()).collect();
    assert_eq!(bits, [0x3f50764d, 0x3ea33c82, 0x3f7be07c, 0x3f337d9f]);
    assert!(t.iter().all(|x| (0.0..1.0).contains(&x.unwrap())));
}

#[test]
fn bfloats() {
    let mut rng = SmallRng::seed_from_u64(42);
    let t = HostTensor::<bf16, m![N]>::rand(&mut rng);
    let bits: Vec<u16> = t.to_buf().iter().map(|x| x.unwrap().to_bits()).collect();
    assert_eq!(bits, [0x3f21, 0xbeba, 0x3f78, 0x3ece, 0x3f16, 0x3e34, 0xbf40, 0x3e57]);
}

#[test]
fn one_generator_for_several_tensors() {
    let mut rng = SmallRng::seed_from_u64(42);
    let first = HostTensor::<i8, m![B]>::rand(&mut rng);
    let second = HostTensor::<i8, m![B]>::rand(&mut rng);
    assert_eq!(first.to_buf(), [79, 116, -5, 96].map(Opt::Init));
    assert_eq!(second.to_buf(), [56, 0, -1, 7].map(Opt::Init));
}

#[test]
fn filled_in_the_order_of_names() {
    let mut rng = SmallRng::seed_from_u64(42);
    let t = HostTensor::<i8, m![B, A]>::rand(&mut rng);
    // A is the outer loop of the draws, whatever the mapping says.
    assert_eq!(t.to_buf(), [79, 56, 116, 0, -5, -1, 96, 7].map(Opt::Init));
    let straight = t.into_inner().transpose::<m![A, B]>(false);
    assert_eq!(straight.to_buf(), [79, 116, -5, 96, 56, 0, -1, 7].map(Opt::Init));
}

#[test]
fn padding_takes_no_draw() {
    let mut rng = SmallRng::seed_from_u64(42);
    let t = HostTensor::<i8, m![B # 8]>::rand(&mut rng);
    assert_eq!(t.to_buf(), [79, 116, -5, 96].map(Opt::Init));
    assert_eq!(rng.random::<i8>(), 56);
}

#[test]
fn the_same_seed_gives_the_same_tensor() {
    fn draw(seed: u64) -> Vec<Opt<f32>> {
        let mut rng = SmallRng::seed_from_u64(seed);
        Tensor::<f32, m![A, B, N]>::rand(&mut rng).to_buf()
    }
    assert_eq!(draw(7), draw(7));
    assert_ne!(draw(7), draw(8));
}

fn noise<E: M>(rng: &mut impl Rng) -> HostTensor<i32, E> {
    HostTensor::<i32, E>::rand(rng)
}

#[test]
fn helpers_pass_the_generator_on() {
    let mut rng = SmallRng::seed_from_u64(42);
    let a = noise::<m![A]>(&mut rng);
    let b = noise::<m![A]>(&mut rng);
    assert_eq!(a.to_buf()[1], Opt::Init(1369325940));
    assert_eq!(b.to_buf()[0], Opt::Init(-69174021));
}
