// prints: [1, 2, 3]
// prints: [1, 3, 9, 27, 81, 243]
// prints: [1, 7, 7, 3]
// prints: [(1, "a"), (2, "b")]
// prints: [5]
// prints: [1, 1]
// prints: [0, 1, 4, 9]
// prints: [0.5, 1.0, 1.5]
use std::iter;
fn main() {
    let mut c = 0;
    let v: Vec<i32> = iter::from_fn(|| {
        c += 1;
        if c < 4 { Some(c) } else { None }
    })
    .collect();
    println!("{v:?}");
    println!(
        "{:?}",
        iter::successors(Some(1u32), |x| if *x < 100 { Some(x * 3) } else { None }).collect::<Vec<_>>()
    );
    println!(
        "{:?}",
        iter::once(1)
            .chain(iter::empty())
            .chain(iter::repeat_n(7, 2))
            .chain(iter::repeat(3).take(1))
            .collect::<Vec<i32>>()
    );
    println!("{:?}", iter::zip([1, 2], ["a", "b"]).collect::<Vec<_>>());
    println!("{:?}", iter::once_with(|| 5).collect::<Vec<_>>());
    println!("{:?}", iter::repeat_with(|| 1).take(2).collect::<Vec<_>>());
    println!("{:?}", std::array::from_fn::<usize, 4, _>(|i| i * i));
    let a: [i32; 3] = std::array::from_fn(|i| i as i32 + 1);
    println!("{:?}", a.map(|x| x as f32 * 0.5));
}
