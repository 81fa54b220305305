// Values read from a file of little-endian words that is compiled into the test.
use furiosa_visa_std::prelude::*;

axes![A = 8];

const WORDS: &[u8] = include_bytes!("words.bin");

#[test]
fn words_become_a_tensor() {
    assert_eq!(WORDS.len(), <m![A]>::SIZE * size_of::<i32>());
    let values: Vec<Opt<i32>> = (0..8)
        .map(|i| Opt::Init(i32::from_le_bytes(WORDS[4 * i..4 * i + 4].try_into().unwrap())))
        .collect();
    let tensor = HostTensor::<i32, m![A]>::from_buf(values);
    assert_eq!(tensor.to_buf(), [1, -2, 3, -4, 500, -600, 70000, i32::MIN].map(Opt::Init).to_vec());
}

#[test]
fn halves_of_the_file() {
    let (front, back) = (&WORDS[..16], &WORDS[16..]);
    assert_eq!(front.len(), back.len());
    assert_eq!(front[0], 1);
    assert_eq!(size_of::<bf16>(), 2);
}
