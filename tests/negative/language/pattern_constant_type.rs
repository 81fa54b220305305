// The constant of the pattern is of another type than the value.
const FIRST: i32 = 0;

fn is_first(index: u64) -> bool {
    match index {
        FIRST => true, // expect error: E0439 an i32 for a u64
        _ => false,
    }
}
