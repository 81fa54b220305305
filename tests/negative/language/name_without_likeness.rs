// Nothing is suggested for a name that is like no other, nor a variable whose block has ended.
use furiosa_visa_std::prelude::*;

fn sum(values: &[usize]) -> usize {
    {
        let remainder = values.len();
        println!("{remainder}");
    }
    let zebra = remaindre; // expect error: E0420 no longer in scope
    zebra + yard_sticks // expect error: E0420 like nothing here
}
