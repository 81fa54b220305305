//! More of what helpers and expected values are written with.

use furiosa_visa_std::prelude::*;
axes![A = 4, B = 3];

#[test]
fn calls_in_a_chain() {
    struct Acc {
        total: i64,
        seen: Vec<i32>,
    }
    impl Acc {
        fn push(&mut self, x: i32) -> &mut Self {
            self.total += x as i64;
            self.seen.push(x);
            self
        }
    }
    let mut a = Acc { total: 0, seen: vec![] };
    a.push(1).push(2).push(3);
    assert_eq!((a.total, a.seen.len()), (6, 3));
    let Acc { total, .. } = a;
    assert_eq!(total, 6);
}

#[test]
fn slices_are_filled() {
    fn fill(v: &mut [i32], f: impl Fn(usize) -> i32) {
        for (i, x) in v.iter_mut().enumerate() {
            *x = f(i);
        }
    }
    let mut v = vec![0; 5];
    fill(&mut v[1..4], |i| i as i32 * 10);
    assert_eq!(v, [0, 0, 10, 20, 0]);
    let mut arr = [0u8; 4];
    {
        let front = &mut arr[..2];
        front[1] = 7;
    }
    assert_eq!(arr, [0, 7, 0, 0]);
}

#[test]
fn the_best_of_pairs() {
    let v = [("a", 2.5f32), ("b", -1.0), ("c", 9.0)];
    let (name, _) = v.iter().max_by(|x, y| x.1.partial_cmp(&y.1).unwrap()).unwrap();
    assert_eq!(*name, "c");
    let i = v.iter().map(|p| p.1).enumerate().min_by(|a, b| a.1.total_cmp(&b.1)).map(|(i, _)| i);
    assert_eq!(i, Some(1));
}

#[test]
fn closures_in_closures() {
    let t = Tensor::<i32, m![A, B]>::from_buf((0..12).map(Opt::Init).collect());
    let k = 3;
    let u = t.map(|x| x.map(|v| (0..k).map(|j| v * j).sum::<i32>()));
    assert_eq!(u.to_buf()[2], Opt::Init(6));
    let z = t.zip_with(&u, |a, b| {
        a.zip_map(b, |a, b| {
            let c = a - b;
            if c < 0 { -c } else { c }
        })
    });
    assert_eq!(z.to_buf()[2].unwrap(), 4);
}

#[test]
fn letters_in_a_row() {
    let s: String = (b'a'..=b'e').map(|c| c as char).collect();
    assert_eq!(s, "abcde");
    let s: String = ('a'..'d').collect();
    assert_eq!(s, "abc");
    assert_eq!(('a' as u8 + 2) as char, 'c');
}

#[test]
fn a_table_of_functions() {
    static T: [fn(i32) -> i32; 2] = [|x| x + 1, |x| x * 2];
    assert_eq!(T[1](T[0](4)), 10);
}

#[test]
fn ranges_are_values() {
    let r = 2..5;
    assert_eq!(r.start + r.end, 7);
    let v = [0, 1, 2, 3, 4, 5, 6];
    assert_eq!(v[r.clone()].len(), r.len());
    let q = ..3;
    assert_eq!(v[q], [0, 1, 2]);
}

#[test]
fn activations() {
    let x = [1.5f32, -2.25, 3.0];
    let y: Vec<f32> = x.iter().map(|v| v.mul_add(2.0, 1.0)).collect();
    assert_eq!(y, [4.0, -3.5, 7.0]);
    let s = x.iter().map(|v| v * v).sum::<f32>().sqrt();
    assert!((s - 4.0388736).abs() < 1e-6);
    let sig = |v: f32| 1.0 / (1.0 + (-v).exp());
    assert_eq!(sig(0.0), 0.5);
    let gelu = |v: f32| 0.5 * v * (1.0 + (0.797_884_56 * (v + 0.044715 * v.powi(3))).tanh());
    assert!((gelu(1.0) - 0.841_192).abs() < 1e-5);
}

#[test]
#[should_panic(expected = "assertion `left == right` failed: 3")]
fn the_round_that_fails() {
    for i in 0..10 {
        assert_eq!(i % 4 == 3, false, "{i}");
    }
}

#[test]
fn debug_assertions_are_off() {
    debug_assert!(false, "the profile is release");
    debug_assert_eq!(1, 2);
}

#[test]
fn the_profile_is_release() {
    if cfg!(debug_assertions) {
        panic!("debug profile");
    }
}
