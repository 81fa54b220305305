// A name that is similar to no other gets no suggestion. A variable whose block has ended is not suggested.
use furiosa_visa_std::prelude::*;

fn sum(values: &[usize]) -> usize {
    {
        let remainder = values.len();
        println!("{remainder}");
    }
    let zebra = remaindre; // expect error: E0420 no longer in scope
    zebra + yard_sticks // expect error: E0420 like nothing here
}
