// command: run --kernel same --random 1 // expect error: E0966 first::same, second::same
// Two modules have a kernel of this name.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

mod first {
    use super::*;

    #[device(chip = 1)]
    pub fn same(_ctx: &mut Context, input: HbmTensor<i32, m![1], m![S, A]>) -> HbmTensor<i32, m![1], m![S, A]> {
        input
    }
}

mod second {
    use super::*;

    #[device(chip = 1)]
    pub fn same(_ctx: &mut Context, input: HbmTensor<i32, m![1], m![A, S]>) -> HbmTensor<i32, m![1], m![A, S]> {
        input
    }
}
