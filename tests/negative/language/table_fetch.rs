// A fetch through a lookup table is described in the manual but has no definition, so it is not in the language.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 32];

fn lookup<'l, const T: Tu>(
    input: BeginTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![1], m![A]>,
) -> FetchTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![1], m![A]> {
    input.fetch_with_table(7) // expect error: E0430 fetch_with_table is not in the language
}
