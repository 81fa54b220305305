// Numbers of the wrong type: with the suggested casts the program is right.
fn next(at: u64) -> u64 {
    at + 1
}

fn casts(count: usize, small: u32, table: &[i32]) -> i32 {
    let first = next(count); // expect error: E0430 an argument
    let second = next(count * 2); // expect error: E0430 a sum
    let third = next(-3i64 + 5); // expect error: E0430 a difference
    let fourth = table[small]; // expect error: E0430 an index
    for step in first..small { // expect error: E0430 the end of a range
        println!("{step} {second} {third}");
    }
    let fifth: i32 = if count > 3 { fourth } else { 0 };
    let sixth: f32 = fifth; // expect error: E0430 a variable
    println!("{sixth}");
    count // expect error: E0430 a result
}

struct Place {
    row: u64,
    column: u64,
}

fn branches(count: u64, small: u32) -> u64 {
    let first = if small > 3 { count } else { small }; // expect error: E0430 a branch
    let second = match small {
        0 => { first }
        1 => { small } // expect error: E0430 an arm
        _ => small * 2, // expect error: E0430 an arm without a block
    };
    let row = small;
    let place = Place { row, column: second }; // expect error: E0430 a field
    place.row + place.column
}
