// What `as` converts, and what is written instead where it does not.
use furiosa_visa_std::prelude::*;

#[derive(Clone, Copy)]
enum Row {
    First,
    Second = 4,
}

fn numbers(a: bf16, b: i4, flag: bool, letter: char) -> f64 {
    let x = a.to_f32() as f64 + b.to_i32() as f64;
    let y = flag as u8 as char as u32 + letter as u32 + 97 as char as u32 + Row::Second as u32;
    let z = 300 as u8 as i8 as f32 as i32;
    let w = bf16::from_f32(0.5f64 as f32);
    x + y as f64 + z as f64 + w.to_f32() as f64 + (0..4).map(|i| i as f64).sum::<f64>()
}
