// prints: 1.0039063 0.0009765625 4.5849438e4
// prints: 1.2621775e-29 1.5474251e26 1.2379401e27
// prints: 5.684341886080802e-14 5e-324
// prints: 000NaN 000inf +000inf -00inf
// prints: Subnormal Nan Zero
fn main() {
    // in the middle between two shortest texts: the upper one; C rounds to the even digit
    println!("{} {:?} {:e}", 1.00390625f32, 0.0009765625f32, 45849.4375f32);
    // below a power of two the next float is closer than above it
    println!("{:e} {:e} {:e}", f32::from_bits(31 << 23), f32::from_bits(214 << 23), f32::from_bits(217 << 23));
    println!("{:e} {:?}", f64::from_bits(979 << 52), 5e-324);
    println!("{:06} {:06.1} {:+07} {:06}", f32::NAN, f64::INFINITY, f64::INFINITY, f32::NEG_INFINITY);
    println!("{:?} {:?} {:?}", 1e-40f32.classify(), f64::NAN.classify(), 0f32.classify());
}
