// Ranges, closures and adapters that tests build their data with.
use furiosa_visa_std::prelude::*;

axes![A = 16, B = 4];

#[test]
fn ranges() {
    let plain: Vec<Opt<i32>> = (0..16).map(Opt::Init).collect();
    let sized = (0..<m![A]>::SIZE).map(|x| Opt::Init(x as i32)).collect::<Vec<_>>();
    assert_eq!(plain, sized);
    let inclusive: Vec<i32> = (1..=4).collect();
    assert_eq!(inclusive, vec![1, 2, 3, 4]);
    let first: Vec<i32> = (10..100).take(3).collect();
    assert_eq!(first, [10, 11, 12]);
}

#[test]
fn wrapping_casts() {
    let bytes: Vec<Opt<i8>> = (0..300).map(|x| Opt::Init(x as i8)).take(300).collect();
    assert_eq!(bytes[200], Opt::Init(-56));
    assert_eq!((3.99f32 as i32, -1i32 as usize as u8, 300usize as i8), (3, 255, 44));
}

#[test]
fn adapters() {
    let doubled: Vec<i32> = (0..3).flat_map(|x| [x, x * 10]).collect();
    assert_eq!(doubled, vec![0, 0, 1, 10, 2, 20]);
    let scores = [0.5f32, 2.5, 1.5];
    let best = scores.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)).unwrap().0;
    assert_eq!(best, 1);
    let sums: Vec<i32> = (0..4).zip(10..14).map(|(a, b)| a + b).collect();
    assert!(sums.iter().all(|v| *v >= 10));
    let total: i32 = sums.iter().sum();
    assert_eq!(total, 52);
}

#[test]
fn collected_by_a_parameter() {
    fn length(values: Vec<Opt<i8>>) -> usize {
        values.len()
    }
    assert_eq!(length((0..7).map(|x| Opt::Init(x as i8)).collect()), 7);
    let tensor = HostTensor::<i8, m![A, B]>::from_buf((0..64).map(|x| Opt::Init([1, 2, 3, 0][x as usize % 4])).collect());
    assert_eq!(tensor.to_buf()[..4], [Opt::Init(1), Opt::Init(2), Opt::Init(3), Opt::Init(0)]);
}
