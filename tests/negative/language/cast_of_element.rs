// Elements of the chip are no numbers of Rust: they have functions instead.
use furiosa_visa_std::prelude::*;

fn sum(a: bf16, b: i4, c: &f8e4m3) -> f32 {
    let first = a as f32; // expect error: E0440 to_f32
    let second = b as i64; // expect error: E0440 to_i32
    let third = *c as f64; // expect error: E0440 to_f32
    first + second as f32 + third as f32
}

fn rounded(x: f32) -> bf16 {
    x as bf16 // expect error: E0440 from_f32
}

fn others(flag: bool, n: u64, x: f32) -> u64 {
    let a = flag as f32; // expect error: E0440 a bool is no float
    let b = n as bool; // expect error: E0440 nor is a number a bool
    let c = n as char; // expect error: E0440 only a u8 is one
    let d = (n, n) as u64; // expect error: E0440 a tuple
    let values: Vec<bf16> = Vec::new();
    for v in values.iter() {
        let e = *v as f32; // expect error: E0440 to_f32
    }
    d
}
