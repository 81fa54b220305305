//! The algebra of host tensors: how tests work out what a kernel should have given.

use furiosa_visa_std::prelude::*;

axes![A = 4, B = 3, K = 5, Z = 2];

fn counted<E: M>() -> Tensor<i32, E> {
    Tensor::from_buf((0..E::SIZE).map(|x| Opt::Init(x as i32)).collect())
}

fn values<T: Copy>(buf: Vec<Opt<T>>) -> Vec<T> {
    buf.into_iter().map(|x| x.unwrap()).collect()
}

#[test]
fn a_buffer_goes_in_and_comes_out() {
    let data: Vec<Opt<i8>> = (0..<m![A, B]>::SIZE).map(|x| Opt::Init(x as i8 * 20)).collect();
    let t = HostTensor::<i8, m![A, B]>::from_buf(data.clone());
    assert_eq!(t.to_buf(), data);
    assert_eq!(t.clone().into_inner().to_buf().len(), 12);
    assert_eq!(t.to_buf()[11], Opt::Init(-36));
}

#[test]
fn padding_is_skipped_in_buffers() {
    let t = HostTensor::<i32, m![[A, B] # 16]>::from_buf((0..12).map(Opt::Init).collect());
    assert_eq!(t.to_buf().len(), 12);
    let again: Tensor<i32, m![A, B]> = t.into_inner().transpose(false);
    assert_eq!(values(again.to_buf()), (0..12).collect::<Vec<_>>());
}

#[test]
fn extra_entries_are_ignored() {
    let t = HostTensor::<i32, m![A]>::from_buf((10..20).map(Opt::Init).collect());
    assert_eq!(values(t.to_buf()), [10, 11, 12, 13]);
}

#[test]
#[should_panic]
fn too_few_entries_abort() {
    let _ = HostTensor::<i32, m![A, B]>::from_buf((0..11).map(Opt::Init).collect());
}

#[test]
fn zero_and_uninit() {
    let zero = HostTensor::<f32, m![A]>::zero();
    assert!(zero.to_buf().iter().all(|v| *v == Opt::Init(0.0)));
    let nothing = HostTensor::<i8, m![A, B]>::uninit();
    assert_eq!(nothing.to_buf(), vec![Opt::Uninit; 12]);
    assert_eq!(Tensor::<i32, m![B]>::zero().to_buf(), [Opt::Init(0); 3]);
}

#[test]
fn map_changes_each_element() {
    let t = counted::<m![A]>();
    let halves: Tensor<f32, m![A]> = t.map(|x| x.map(|v| v as f32 / 2.0));
    assert_eq!(halves.to_buf(), [0.0, 0.5, 1.0, 1.5].map(Opt::Init));
    let holes = t.map(|x| match x {
        Opt::Init(v) if v % 2 == 0 => Opt::Init(v * 10),
        _ => Opt::Uninit,
    });
    assert_eq!(holes.to_buf(), [Opt::Init(0), Opt::Uninit, Opt::Init(20), Opt::Uninit]);
}

#[test]
fn zip_with_meets_element_by_element() {
    let a = counted::<m![A, B]>();
    let b = a.map(|x| x.map(|v| v * v));
    let sum = a.zip_with(&b, |x, y| x + y);
    assert_eq!(values(sum.to_buf())[5], 30);
    let larger = a.zip_with(&b, |x, y| x.zip_map(y, |x, y| if x >= y { 1i8 } else { 0 }));
    assert_eq!(values(larger.to_buf())[..3], [1, 1, 0]);
    let wrapped = b.zip_with(&b, |x, y| x.zip_map(y, |p, q| p.wrapping_mul(q).wrapping_mul(1 << 20)));
    assert_eq!(values(wrapped.to_buf())[11], (14641i32).wrapping_mul(1 << 20));
}

#[test]
fn transposing_reorders() {
    let t = counted::<m![A, B]>();
    let turned: Tensor<i32, m![B, A]> = t.transpose(false);
    assert_eq!(values(turned.to_buf()), [0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11]);
    let split = turned.transpose::<m![A / 2, B, A % 2]>(false);
    assert_eq!(values(split.to_buf()), [0, 3, 1, 4, 2, 5, 6, 9, 7, 10, 8, 11]);
}

#[test]
fn transposing_broadcasts_when_allowed() {
    let row = counted::<m![B]>();
    let copies = row.transpose::<m![A, B]>(true);
    assert_eq!(values(copies.to_buf()), [0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2]);
    let inner = row.transpose::<m![B, Z]>(true);
    assert_eq!(values(inner.to_buf()), [0, 0, 1, 1, 2, 2]);
}

#[test]
#[should_panic]
fn transposing_does_not_broadcast_by_itself() {
    counted::<m![B]>().transpose::<m![A, B]>(false);
}

#[test]
#[should_panic]
fn transposing_does_not_drop_axes() {
    counted::<m![A, B]>().transpose::<m![B]>(true);
}

#[test]
fn the_other_operand_says_how_to_transpose() {
    let matrix = counted::<m![A, B]>();
    let bias = counted::<m![B]>();
    let sum = matrix.zip_with(&bias.transpose(true), |m, b| m + b);
    assert_eq!(values(sum.to_buf()), [0, 2, 4, 3, 5, 7, 6, 8, 10, 9, 11, 13]);
}

#[test]
fn reduce_add_keeps_the_named_axes() {
    let t = counted::<m![A, B]>();
    let rows: Tensor<i32, m![A]> = t.reduce_add();
    assert_eq!(values(rows.to_buf()), [3, 12, 21, 30]);
    let columns = t.reduce_add::<m![B]>();
    assert_eq!(values(columns.to_buf()), [18, 22, 26]);
    let all: Tensor<i32, m![1]> = t.reduce_add();
    assert_eq!(all.to_buf(), [Opt::Init(66)]);
}

#[test]
fn reduce_with_a_closure() {
    let t = counted::<m![A, B]>().map(|x| x.map(|v| (v * 7) % 12 - 5));
    let top: Tensor<i32, m![A]> = t.reduce(|a, b| a.zip_map(b, |a, b| a.max(b)), Opt::Init(i32::MIN));
    let low: Tensor<i32, m![B]> = t.reduce(|a, b| a.zip_map(b, i32::min), Opt::Init(i32::MAX));
    let buf = values(t.to_buf());
    for a in 0..4 {
        assert_eq!(top.to_buf()[a].unwrap(), *buf[3 * a..3 * a + 3].iter().max().unwrap());
    }
    for b in 0..3 {
        assert_eq!(low.to_buf()[b], Opt::Init((0..4).map(|a| buf[3 * a + b]).min().unwrap()));
    }
}

#[test]
fn the_order_of_a_reduction_is_ascending() {
    let t = Tensor::<i32, m![A, B]>::from_buf(
        [i32::MAX, 1, -5, i32::MIN, -1, 7, 1, 2, 3, -1, i32::MIN, i32::MAX].into_iter().map(Opt::Init).collect(),
    );
    let sums: Tensor<i32, m![A]> = t.reduce(|a, b| a.zip_map(b, |a, b| a.saturating_add(b)), Opt::Init(0));
    assert_eq!(values(sums.to_buf()), [i32::MAX - 5, i32::MIN + 7, 6, -1]);
    let powers = Tensor::<i32, m![A, B]>::from_buf((0..12).map(|x| Opt::Init(x % 3)).collect());
    let digits: Tensor<i32, m![A]> = powers.reduce(|a, b| a.zip_map(b, |a, b| a * 10 + b), Opt::Init(9));
    assert_eq!(digits.to_buf(), [Opt::Init(9012); 4]);
}

#[test]
fn sums_of_floats_are_exact_to_the_bit() {
    let data = [1.0e8f32, 1.0, -1.0e8, 0.1, 0.2, 0.3, 1.0e-8, 1.0, 1.0, 3.0, 5.0, 7.0];
    let t = Tensor::<f32, m![A, B]>::from_buf(data.into_iter().map(Opt::Init).collect());
    let sums: Tensor<f32, m![A]> = t.reduce_add();
    let expected: Vec<f32> = data.chunks(3).map(|c| c.iter().fold(0.0, |s, x| s + x)).collect();
    assert_eq!(values(sums.to_buf()), expected);
    assert_eq!(expected[0], 0.0);
}

#[test]
fn a_missing_element_poisons_its_sum() {
    let t = counted::<m![A, B]>().map(|x| if *x == Opt::Init(4) { Opt::Uninit } else { *x });
    let rows: Tensor<i32, m![A]> = t.reduce_add();
    assert_eq!(rows.to_buf(), [Opt::Init(3), Opt::Uninit, Opt::Init(21), Opt::Init(30)]);
}

#[test]
fn contraction_multiplies_and_adds() {
    let a = counted::<m![A, K]>();
    let b = counted::<m![K, B]>();
    let c: Tensor<i32, m![A, B]> = Tensor::contraction::<m![A, B, K], _, _>(&a, &b);
    let (a, b, c) = (values(a.to_buf()), values(b.to_buf()), values(c.to_buf()));
    for i in 0..4 {
        for j in 0..3 {
            let sum: i32 = (0..5).map(|k| a[5 * i + k] * b[3 * k + j]).sum();
            assert_eq!(c[3 * i + j], sum, "({i}, {j})");
        }
    }
}

#[test]
fn contraction_computes_in_the_type_of_its_operands() {
    let a = Tensor::<i8, m![A, K]>::from_buf(vec![Opt::Init(100); 20]);
    let b = Tensor::<i8, m![K]>::from_buf(vec![Opt::Init(3); 5]);
    let c: Tensor<_, m![A]> = Tensor::contraction::<m![A, K], _, _>(&a, &b);
    assert_eq!(c.to_buf(), [Opt::Init((100i32 * 3 * 5) as i8); 4]);
    let half = bf16::from_f32(0.5);
    let x = Tensor::<bf16, m![K]>::from_buf(vec![Opt::Init(half); 5]);
    let d: Tensor<bf16, m![1]> = Tensor::contraction::<m![K], _, _>(&x, &x);
    assert_eq!(d.to_buf()[0].unwrap().to_f32(), 1.25);
}

#[test]
fn from_fn_sees_coordinates() {
    let t = Tensor::<i32, m![B, A]>::from_fn(|_, at| Opt::Init((at[0] * 10 + at[1]) as i32));
    // Canonical axes come in the order of their names: A, then B.
    assert_eq!(values(t.to_buf()), [0, 10, 20, 30, 1, 11, 21, 31, 2, 12, 22, 32]);
    let mut calls = 0;
    let _ = Tensor::<i8, m![A, B]>::from_fn(|axes, _| {
        calls += 1;
        assert_eq!(axes.len(), 2);
        Opt::Uninit
    });
    assert_eq!(calls, 12);
}

#[test]
fn transmute_renames_the_order() {
    let t = counted::<m![A, B]>();
    let same = unsafe { t.transmute::<m![B, A]>() };
    assert_eq!(values(same.to_buf()), [0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11]);
}

#[test]
fn relayout_through_buffers() {
    let bytes: Vec<Opt<i8>> = (0..12).map(|x| Opt::Init(x as i8)).collect();
    let moved = Tensor::<i8, m![A, B]>::from_buf(bytes.clone()).transpose::<m![B, A]>(false).to_buf();
    let back = Tensor::<_, m![B, A]>::from_buf(moved).transpose::<m![A, B]>(false).to_buf();
    assert_eq!(back, bytes);
}

#[test]
fn views_read_tiles() {
    let t = counted::<m![A, B]>();
    let tile = t.view().tile::<m![A], m![1 # 4, B], 1>(2).read();
    assert_eq!(values(tile.to_buf()), [6, 7, 8]);
    let two = t.view().tile::<m![A], m![A = 2 # 4, B], 2>(1).read();
    assert_eq!(values(two.to_buf()), [3, 4, 5, 6, 7, 8]);
    assert_eq!(t.view().read().to_buf(), t.to_buf());
}

#[test]
fn views_write_tiles() {
    let mut t = Tensor::<i32, m![A, B]>::zero();
    let row = counted::<m![B]>();
    t.view_mut().tile::<m![A], m![1 # 4, B], 1>(3).write_transpose(row.view(), false);
    let one = Tensor::<i32, m![1]>::from_buf(vec![Opt::Init(9)]);
    t.view_mut().tile::<m![A], m![1 # 4, B], 1>(0).write_transpose(one.view(), true);
    assert_eq!(values(t.to_buf()), [9, 9, 9, 0, 0, 0, 0, 0, 0, 0, 1, 2]);
}

#[test]
fn host_and_inner_tensors_convert() {
    let host: HostTensor<i32, m![A]> = counted::<m![A]>().into();
    assert_eq!(host.into_inner().to_buf().len(), 4);
    let host = HostTensor::from(counted::<m![B]>());
    assert_eq!(host.to_buf()[2], Opt::Init(2));
}

#[test]
fn reduced_then_spread_again() {
    let t = counted::<m![A, B]>();
    let means = t.reduce_then_broadcast::<m![A, B]>();
    assert_eq!(values(means.to_buf()), (0..12).collect::<Vec<_>>());
    let sums = t.reduce_then_broadcast::<m![A, Z]>();
    assert_eq!(values(sums.to_buf()), [3, 3, 12, 12, 21, 21, 30, 30]);
    let tops: Tensor<i32, m![B, Z]> = t.reduce_then_broadcast_with(|a, b| a.zip_map(b, i32::max), Opt::Init(0));
    assert_eq!(values(tops.to_buf()), [9, 9, 10, 10, 11, 11]);
}

#[test]
fn a_softmax_is_worked_out_on_the_host() {
    let x = Tensor::<f32, m![A, K]>::from_buf((0..20).map(|i| Opt::Init((i % 7) as f32 * 0.25)).collect());
    let top: Tensor<f32, m![A]> = x.reduce(|a, b| a.zip_map(b, f32::max), Opt::Init(f32::NEG_INFINITY));
    let e = x.zip_with(&top.transpose(true), |x, m| (x - m).map(|d| d.exp()));
    let sum: Tensor<f32, m![A]> = e.reduce_add();
    let p = e.zip_with(&sum.transpose(true), |e, s| e / s);
    let total: Tensor<f32, m![A]> = p.reduce_add();
    for t in total.to_buf() {
        assert!((t.unwrap() - 1.0).abs() < 1e-6, "{t:?}");
    }
    assert!(p.to_buf().iter().all(|v| v.unwrap() > 0.0));
}

#[test]
fn parts_of_an_axis_are_parts_of_the_tensor() {
    let t = counted::<m![A]>();
    let outer: Tensor<i32, m![A / 2, A % 2]> = t.transpose(false);
    assert_eq!(outer.to_buf(), t.to_buf());
    let swapped: Tensor<i32, m![A % 2, A / 2]> = t.transpose(false);
    assert_eq!(values(swapped.to_buf()), [0, 2, 1, 3]);
}
