// Growing, filling, indexing and slicing vectors; nested loops.
use furiosa_visa_std::prelude::*;

axes![A = 4, B = 8];

#[test]
fn filled_by_hand() {
    let rows = 4;
    let cols = 8;
    let mut values = vec![Opt::Init(0i32); rows * cols];
    for r in 0..rows {
        for c in 0..cols {
            values[r * cols + c] = Opt::Init((10 * r + c) as i32);
        }
    }
    let tensor = HostTensor::<i32, m![A, B]>::from_buf(values.clone());
    assert_eq!(tensor.to_buf(), values);
    assert_eq!(&values[..2], &[Opt::Init(0), Opt::Init(1)]);
    assert_eq!(&values[30..], [Opt::Init(36), Opt::Init(37)]);
    assert!(values.iter().all(|v| *v != Opt::Uninit), "every entry of {} is set", values.len());
}

#[test]
fn lookups() {
    let table = [1, 2, 3, 0];
    let next: Vec<i32> = (0..8).map(|i| table[i as usize % 4]).collect();
    assert_eq!(next, [1, 2, 3, 0, 1, 2, 3, 0], "the table is walked {} times", 2);
    let mut order = Vec::new();
    for (i, v) in next.iter().enumerate() {
        if *v == 0 {
            order.push(i);
        }
    }
    assert_eq!(order, vec![3, 7]);
}
