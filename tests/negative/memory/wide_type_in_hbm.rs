// What the fetch adapter makes of i8 is stored nowhere.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

fn place(stored: &HbmTensor<i9, m![1], m![S, A]>) -> u64 { // expect error: E0506 i9 is no type of HBM
    stored.address()
}
