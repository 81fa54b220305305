// A number of more than 64 bits stands where a type has room for it, and in no other place.
use furiosa_visa_std::prelude::*;

fn f() -> u128 {
    let a: i128 = 170141183460469231731687303715884105728; // expect error: E0460 which ends at 170141183460469231731687303715884105727
    let b: u64 = 18446744073709551616; // expect error: E0460 which ends at 18446744073709551615
    let c = 18446744073709551616; // expect error: E0460 does not fit in i32
    let d: i128 = -170141183460469231731687303715884105728;
    let e = 340282366920938463463374607431768211455u128;
    let _ = (a, b, c, d);
    e
}
