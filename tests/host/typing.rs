//! Where a type comes from: the target of a buffer, a later use, a parameter, a sibling operand.

use furiosa_visa_std::prelude::*;

axes![A = 4, B = 128, N = 512];

#[test]
fn the_tensor_says_what_the_range_counts() {
    let t = HostTensor::<i32, m![N]>::from_buf((0..512).map(Opt::Init).collect());
    assert_eq!(t.to_buf()[511], Opt::Init(511));
    let u = HostTensor::<u8, m![A]>::from_buf((250..254).map(Opt::Init).collect());
    assert_eq!(u.to_buf()[3], Opt::Init(253u8));
    let f = HostTensor::<f32, m![A]>::from_buf([0.5, 1.5, 2.5, 3.5].into_iter().map(Opt::Init).collect());
    assert_eq!(f.to_buf()[1], Opt::Init(1.5f32));
}

#[test]
fn a_cast_wraps_whatever_the_range_is() {
    let by_default = HostTensor::<i8, m![N]>::from_buf((0..512).map(|x| Opt::Init(x as i8)).collect::<Vec<_>>());
    let by_size = HostTensor::<i8, m![N]>::from_buf((0..<m![N]>::SIZE).map(|x| Opt::Init(x as i8)).collect::<Vec<_>>());
    assert_eq!(by_default.to_buf(), by_size.to_buf());
    assert_eq!(by_size.to_buf()[200], Opt::Init(-56));
    let signed = (-3..3).map(|x| x as u8).collect::<Vec<_>>();
    assert_eq!(signed, [253, 254, 255, 0, 1, 2]);
}

#[test]
fn a_later_use_decides() {
    let n = 4 * 128;
    let mut buffer = vec![Opt::Init(0i8); n];
    let data = (0..n).map(|i| Opt::Init(i as i32)).collect::<Vec<_>>();
    for i in 0..4 {
        for j in 0..128 {
            buffer[i * 128 + j] = Opt::Init((i + j) as i8);
        }
    }
    assert_eq!(buffer.len(), data.len());
    assert_eq!(buffer[3 * 128 + 127], Opt::Init(-126));
    let mut total = 0;
    for x in [1u8, 200, 100] {
        total += x;
    }
    assert_eq!(total, 45);
    let mut list = Vec::new();
    list.push(1i16);
    assert_eq!(list[0].wrapping_shl(15), i16::MIN);
}

#[test]
fn a_parameter_says_what_to_collect() {
    fn length(values: Vec<Opt<bf16>>) -> usize {
        values.len()
    }
    fn sum(values: &[f64]) -> f64 {
        values.iter().sum()
    }
    assert_eq!(length((0..3).map(|x| Opt::Init(bf16::from_f32(x as f32))).collect()), 3);
    assert_eq!(sum(&(1..=4).map(f64::from).collect::<Vec<_>>()), 10.0);
    assert_eq!(sum(&[1.0, 2.5]), 3.5);
}

#[test]
fn a_return_type_says_what_to_collect() {
    fn squares(n: u16) -> Vec<u16> {
        (0..n).map(|x| x * x).collect()
    }
    fn pick<const LEN: usize>(from: &[i32]) -> [i32; LEN] {
        from[..LEN].try_into().unwrap()
    }
    assert_eq!(squares(4), [0, 1, 4, 9]);
    assert_eq!(squares(300)[299], 23_865);
    let two: [i32; 2] = pick(&[5, 6, 7]);
    assert_eq!(two, [5, 6]);
}

#[test]
fn a_let_says_what_to_reduce_to() {
    let t = Tensor::<i32, m![A, B]>::from_buf((0..512).map(Opt::Init).collect());
    let rows: Tensor<i32, m![A]> = t.reduce_add();
    let top: Tensor<_, m![B]> = t.reduce(|a, b| a.zip_map(b, |a, b| a.max(b)), Opt::Init(i32::MIN));
    assert_eq!(rows.to_buf()[0], Opt::Init(127 * 64));
    assert_eq!(top.to_buf()[0].unwrap(), 384);
    let split: HostTensor<i32, m![A, B]> = t.into();
    assert_eq!(split.to_buf().len(), 512);
}

#[test]
fn defaults_are_i32_and_f64() {
    let n = 3;
    let x = 0.1;
    assert_eq!(size_of_val(&n), 4);
    assert_eq!(size_of_val(&x), 8);
    assert_eq!(x + 0.2, 0.30000000000000004);
    let y: f32 = 0.1;
    assert_eq!(y + 0.2, 0.3);
    let big = 1 << 31;
    assert_eq!(big, i32::MIN);
    let wide = 1u64 << 31;
    assert_eq!(wide, 2_147_483_648);
}

#[test]
fn closures_take_their_types_from_the_call() {
    let table = [1, 2, 3, 0];
    let next: Vec<i32> = (0..4).map(|i| table[i as usize]).map(|x| x * 10).collect();
    assert_eq!(next, [10, 20, 30, 0]);
    let pairs: Vec<(usize, f32)> = [0.5f32, 0.25].iter().copied().enumerate().collect();
    assert_eq!(pairs.iter().map(|&(i, x)| x * i as f32).sum::<f32>(), 0.25);
    let add = |a, b| a + b;
    assert_eq!(add(200u8, 100), 44);
}

#[test]
fn wide_sums_of_narrow_values() {
    let bytes: Vec<i8> = (0..256).map(|x| x as i8).collect();
    let sum: i32 = bytes.iter().map(|&b| b as i32).sum();
    assert_eq!(sum, -128);
    let product: i64 = [100_000i64, 100_000].iter().product();
    assert_eq!(product, 10_000_000_000);
    let mean = bytes.iter().map(|&b| f64::from(b)).sum::<f64>() / bytes.len() as f64;
    assert_eq!(mean, -0.5);
    let wrapped: u8 = [200u8, 100].iter().fold(0, |a, b| a + b);
    assert_eq!(wrapped, 44);
}

#[test]
fn float_to_fixed_rounds_half_away() {
    let fixed: Vec<i32> = [0.5f32, -0.5, 1.5, 2.5, -2.5].iter().map(|x| x.round() as i32).collect();
    assert_eq!(fixed, [1, -1, 2, 3, -3]);
    let q31: Vec<i32> = [0.5f64, -1.0, 1.0].iter().map(|x| (x * 2f64.powi(31)).round() as i32).collect();
    assert_eq!(q31, [1 << 30, i32::MIN, i32::MAX]);
}

#[test]
fn one_buffer_for_two_tensors() {
    let data: Vec<Opt<i32>> = (0..512).map(|x| Opt::Init(x % 17)).collect();
    let a = HostTensor::<i32, m![A, B]>::from_buf(data.clone());
    let b = HostTensor::<i32, m![N]>::from_buf(data);
    assert_eq!(a.to_buf(), b.to_buf());
}

#[test]
fn sixty_three_of_sixty_four() {
    axes![Q = 7, R = 9];
    let t = HostTensor::<i32, m![[Q, R] # 64]>::from_buf((0..63).map(Opt::Init).collect());
    assert_eq!(<m![[Q, R] # 64]>::SIZE, 64);
    assert_eq!(t.to_buf().len(), 63);
    assert_eq!(t.to_buf().last(), Some(&Opt::Init(62)));
}
