// A whole number fits in the type of the generic or variable it is for, with its sign.
fn signed<const N: i32>() -> i32 {
    N
}

fn byte<const N: u8>() -> u8 {
    N
}

fn all() -> i32 {
    let right = signed::<-2147483648>() + signed::<2147483647>() + byte::<255>() as i32;
    let cut = byte::<{ 300i32 as u8 }>();
    let large = signed::<99999999999>(); // expect error: E0460 i32, which ends at 2147483647
    let small = signed::<-2147483649>(); // expect error: E0460 i32, which begins at -2147483648
    let wide = byte::<256>(); // expect error: E0460 u8, which ends at 255
    let sum = byte::<{ 200 + 100 }>(); // expect error: E0460 u8, which ends at 255
    let negative: u8 = -1; // expect error: E0460 u8, which begins at 0
    let size: usize = -5; // expect error: E0460 usize, which begins at 0
    let low: i8 = -129; // expect error: E0460 i8, which begins at -128
    let lowest: i8 = -128;
    let said = -1u8; // expect error: E0440
    right
}
