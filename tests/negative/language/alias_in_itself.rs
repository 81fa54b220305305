// Neither alias ends at a type.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

type Rows = Columns; // expect error: E0426 Rows is Columns is Rows
type Columns = Rows;

fn first(a: &HbmTensor<i32, m![1], Rows>) -> u64 {
    a.address()
}
