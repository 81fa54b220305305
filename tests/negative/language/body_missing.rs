// Only a trait declares a function without its body.
use furiosa_visa_std::prelude::*;

axes![A = 256];

#[device(chip = 1)]
fn copy(ctx: &mut Context, input: &HbmTensor<i8, m![1], m![A]>) -> HbmTensor<i8, m![1], m![A]>; // expect error: E0416 a kernel without a body

fn twice(value: i32) -> i32; // expect error: E0416 a function without a body

struct Counter(i32);

impl Counter {
    fn next(&self) -> i32; // expect error: E0416 a method without a body
}
