// command: run --random 1
// Nobody outside has the `self` to call it with.
use furiosa_visa_std::prelude::*;

axes![S = 256];

struct Layer;

impl Layer {
    #[device(chip = 1)]
    fn forward(&self, _ctx: &mut Context, input: HbmTensor<i32, m![1], m![S]>) -> HbmTensor<i32, m![1], m![S]> { // expect error: E0967 a method
        input
    }
}
