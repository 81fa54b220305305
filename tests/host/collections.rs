//! Vectors, slices, arrays, iterators, maps and sets.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};

#[test]
fn vectors_grow_and_shrink() {
    let mut v = vec![0; 4];
    v[2] = 7;
    v.push(9);
    v.insert(0, -1);
    assert_eq!(v, [-1, 0, 0, 7, 0, 9]);
    assert_eq!(v.remove(3), 7);
    assert_eq!(v.pop(), Some(9));
    v.truncate(2);
    v.extend([5, 6]);
    v.extend_from_slice(&[7]);
    assert_eq!(v, vec![-1, 0, 5, 6, 7]);
    v.swap(0, 4);
    assert_eq!(v.swap_remove(1), 0);
    assert_eq!(v, [7, -1, 5, 6]);
    v.retain(|x| *x > 0);
    assert_eq!(v.drain(1..).collect::<Vec<_>>(), [5, 6]);
    v.resize(3, 1);
    assert_eq!(v, [7, 1, 1]);
    v.dedup();
    assert_eq!(v.len(), 2);
    let mut w = vec![3];
    w.append(&mut v);
    assert!(v.is_empty());
    assert_eq!(w, [3, 7, 1]);
}

#[test]
fn slices_of_vectors() {
    let v: Vec<i32> = (0..10).collect();
    let n = 4;
    assert_eq!(&v[..n], &[0, 1, 2, 3]);
    assert_eq!(&v[n..], &[4, 5, 6, 7, 8, 9]);
    assert_eq!(v[2..=3], [2, 3]);
    assert_eq!(v.first(), Some(&0));
    assert_eq!(v.last().copied(), Some(9));
    assert_eq!(v.get(10), None);
    let (left, right) = v.split_at(5);
    assert_eq!(left.len() + right[0] as usize, 10);
    assert!(v.contains(&7));
    assert!(v.starts_with(&[0, 1]));
    assert_eq!(v.iter().position(|&x| x == 6), Some(6));
    assert_eq!(v[1..4].to_vec(), vec![1, 2, 3]);
}

#[test]
fn slices_that_change() {
    let mut v = [5, 1, 4, 2, 3];
    v[1..4].reverse();
    assert_eq!(v, [5, 2, 4, 1, 3]);
    v[..2].fill(0);
    v[3..].copy_from_slice(&[8, 9]);
    assert_eq!(v, [0, 0, 4, 8, 9]);
    v.rotate_left(2);
    assert_eq!(v, [4, 8, 9, 0, 0]);
    for x in v.iter_mut() {
        *x += 1;
    }
    let (a, b) = v.split_at_mut(2);
    a[0] = b[0];
    assert_eq!(v, [10, 9, 10, 1, 1]);
}

#[test]
fn chunks_and_windows() {
    let v: Vec<i32> = (1..=7).collect();
    let sums: Vec<i32> = v.chunks(3).map(|c| c.iter().sum()).collect();
    assert_eq!(sums, [6, 15, 7]);
    assert_eq!(v.chunks_exact(2).count(), 3);
    let rises = v.windows(2).all(|w| w[1] == w[0] + 1);
    assert!(rises);
    for (i, pair) in v.chunks(2).enumerate() {
        assert_eq!(pair[0], 2 * i as i32 + 1);
    }
}

#[test]
fn iterators_of_ranges() {
    assert_eq!((0..5).map(|x| x * x).collect::<Vec<i32>>(), [0, 1, 4, 9, 16]);
    assert_eq!((1..=4).product::<i32>(), 24);
    assert_eq!((0..10).step_by(3).collect::<Vec<_>>(), vec![0, 3, 6, 9]);
    assert_eq!((0..4).rev().collect::<Vec<u8>>(), [3, 2, 1, 0]);
    assert_eq!((0..100).filter(|x| x % 7 == 3).take(3).collect::<Vec<_>>(), [3, 10, 17]);
    assert_eq!((0..10).skip(7).sum::<usize>(), 24);
    assert_eq!((3..3).len() + (2..7).len(), 5);
    assert!((1..5).contains(&4));
    assert_eq!((0u8..=255).count(), 256);
}

#[test]
fn iterators_in_a_row() {
    let flat: Vec<i32> = (0..3).flat_map(|x| [x, -x]).collect();
    assert_eq!(flat, [0, 0, 1, -1, 2, -2]);
    let nested = vec![vec![1, 2], vec![], vec![3]];
    assert_eq!(nested.iter().flatten().copied().collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(nested.concat(), [1, 2, 3]);
    let chained: Vec<i32> = (0..2).chain(8..10).collect();
    assert_eq!(chained, [0, 1, 8, 9]);
    let zipped: Vec<(i32, char)> = (1..).zip("ab".chars()).collect();
    assert_eq!(zipped, [(1, 'a'), (2, 'b')]);
    let (evens, odds): (Vec<i32>, Vec<i32>) = (0..6).partition(|x| x % 2 == 0);
    assert_eq!((evens, odds), (vec![0, 2, 4], vec![1, 3, 5]));
    let (firsts, seconds): (Vec<i32>, Vec<char>) = zipped.into_iter().unzip();
    assert_eq!(firsts.len(), seconds.len());
}

#[test]
fn iterators_end_in_one_value() {
    let v: Vec<i32> = vec![3, -1, 4, 1, -5];
    assert_eq!(v.iter().sum::<i32>(), 2);
    assert_eq!(v.iter().max(), Some(&4));
    assert_eq!(v.iter().copied().min().unwrap(), -5);
    assert_eq!(v.iter().min_by_key(|x| x.abs()), Some(&-1));
    assert_eq!(v.iter().fold(0, |acc, x| acc * 2 + x), 53);
    assert_eq!(v.iter().copied().reduce(|a, b| a.max(b)), Some(4));
    assert!(v.iter().any(|&x| x < 0));
    assert!(!v.iter().all(|v| *v == 3));
    assert_eq!(v.iter().find(|&&x| x > 3), Some(&4));
    assert_eq!(v.iter().find_map(|&x| if x < -1 { Some(x * 10) } else { None }), Some(-50));
    assert_eq!(v.iter().filter(|x| **x > 0).count(), 3);
    assert_eq!(v.iter().last(), Some(&-5));
    assert_eq!(v.iter().nth(2), Some(&4));
    assert_eq!(v.iter().rposition(|&x| x > 0), Some(3));
}

#[test]
fn iterators_that_remember() {
    let running: Vec<i32> = (1..=5)
        .scan(0, |sum, x| {
            *sum += x;
            Some(*sum)
        })
        .collect();
    assert_eq!(running, [1, 3, 6, 10, 15]);
    assert_eq!((1..20).take_while(|x| x * x < 30).last(), Some(5));
    assert_eq!((1..20).skip_while(|x| x % 5 != 0).next(), Some(5));
    let mut it = [1, 2, 3].iter().peekable();
    while let Some(x) = it.next() {
        if it.peek().is_none() {
            assert_eq!(*x, 3);
        }
    }
    let mut seen = Vec::new();
    let total: i32 = (0..3).inspect(|x| seen.push(*x)).sum();
    assert_eq!((total, seen), (3, vec![0, 1, 2]));
    assert_eq!([1, 2, 3].iter().cycle().skip(2).take(3).copied().collect::<Vec<_>>(), [3, 1, 2]);
    assert_eq!(std::iter::repeat(7).take(2).collect::<Vec<_>>(), [7, 7]);
    assert_eq!(std::iter::once(1).chain(std::iter::empty()).collect::<Vec<i32>>(), [1]);
    let powers: Vec<u32> = std::iter::successors(Some(1), |x| Some(x * 3)).take(4).collect();
    assert_eq!(powers, [1, 3, 9, 27]);
}

#[test]
fn iterators_are_lazy() {
    let mut calls = 0;
    let mut it = (0..1_000_000_000).map(|x| {
        calls += 1;
        x * 2
    });
    assert_eq!((it.next(), it.next()), (Some(0), Some(2)));
    drop(it);
    assert_eq!(calls, 2);
}

#[test]
fn two_lists_side_by_side() {
    let a = [1.0f32, 2.0, 3.0];
    let b = vec![4.0f32, 5.0, 6.0];
    let dot: f32 = a.iter().zip(&b).map(|(x, y)| x * y).sum();
    assert_eq!(dot, 32.0);
    let worst = a.iter().zip(b.iter()).map(|(x, y)| (x - y).abs()).fold(0.0f32, f32::max);
    assert_eq!(worst, 3.0);
    for ((i, x), y) in a.iter().enumerate().zip(&b) {
        assert_eq!(*y - *x, 3.0, "at {i}");
    }
    let (at, _) = b.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)).unwrap();
    assert_eq!(at, 2);
    assert_eq!(a.iter().enumerate().min_by(|a, b| a.1.partial_cmp(b.1).unwrap()).unwrap().0, 0);
}

#[test]
fn sorting() {
    let mut v = vec![3, 1, 2];
    v.sort();
    assert_eq!(v, [1, 2, 3]);
    v.sort_by(|a, b| b.cmp(a));
    assert_eq!(v, [3, 2, 1]);
    let mut f = vec![2.5f32, -1.0, f32::INFINITY, 0.0];
    f.sort_by(|a, b| a.total_cmp(b));
    assert_eq!(f, [-1.0, 0.0, 2.5, f32::INFINITY]);
    f.sort_by(|a, b| b.partial_cmp(a).unwrap());
    assert_eq!(f[0], f32::INFINITY);
    let mut words = vec!["ccc", "a", "bb"];
    words.sort_by_key(|w| w.len());
    assert_eq!(words, ["a", "bb", "ccc"]);
    let mut pairs = vec![(2, 'b'), (1, 'z'), (2, 'a')];
    pairs.sort();
    assert_eq!(pairs, [(1, 'z'), (2, 'a'), (2, 'b')]);
    pairs.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.cmp(&a.1)));
    assert_eq!(pairs, [(1, 'z'), (2, 'b'), (2, 'a')]);
    let mut u = [9, 7, 8];
    u.sort_unstable();
    assert_eq!(u.binary_search(&8), Ok(1));
    assert_eq!(u.binary_search(&1), Err(0));
}

#[test]
fn arrays() {
    let zero = [[0i32; 3]; 2];
    let mut grid = zero;
    grid[1][2] = 5;
    assert_eq!(zero[1][2], 0);
    assert_eq!(grid, [[0, 0, 0], [0, 0, 5]]);
    assert_eq!(grid.len() * grid[0].len(), 6);
    let order = [1, 2, 3, 0];
    let turned: Vec<i32> = (0..4).map(|i| order[i as usize]).collect();
    assert_eq!(turned, order);
    let [a, .., d] = order;
    assert_eq!((a, d), (1, 0));
    let doubled = order.map(|x| x * 2);
    assert_eq!(doubled.iter().sum::<i32>(), 12);
    for row in grid {
        assert_eq!(row[0], 0);
    }
    let exact: [u8; 2] = vec![1u8, 2].try_into().unwrap();
    assert_eq!(exact, [1, 2]);
    assert_eq!(std::array::from_fn::<usize, 3, _>(|i| i * i), [0, 1, 4]);
}

#[test]
fn hash_maps() {
    let mut count: HashMap<char, usize> = HashMap::new();
    for c in "contraction".chars() {
        *count.entry(c).or_insert(0) += 1;
    }
    assert_eq!(count[&'c'], 2);
    assert_eq!(count.get(&'n'), Some(&2));
    assert_eq!(count.get(&'z'), None);
    assert!(count.contains_key(&'a'));
    let mut letters: Vec<_> = count.iter().filter(|&(_, n)| *n == 2).map(|(c, _)| *c).collect();
    letters.sort();
    assert_eq!(letters, ['c', 'n', 'o', 't']);
    assert_eq!(count.remove(&'c'), Some(2));
    assert_eq!(count.values().sum::<usize>(), 9);
    if let Some(n) = count.get_mut(&'a') {
        *n = 10;
    }
    assert_eq!(count.insert('a', 11), Some(10));
    let sizes = HashMap::from([("A", 8), ("B", 512)]);
    assert_eq!(sizes["A"] * sizes["B"], 4096);
    let mut groups: HashMap<i32, Vec<i32>> = HashMap::new();
    for x in 0..10 {
        groups.entry(x % 3).or_default().push(x);
    }
    assert_eq!(groups[&1], [1, 4, 7]);
}

#[test]
fn ordered_maps_sets_and_queues() {
    let names: BTreeMap<i32, &str> = [(3, "c"), (1, "a"), (2, "b")].into_iter().collect();
    assert_eq!(names.values().copied().collect::<String>(), "abc");
    assert_eq!(names.keys().next(), Some(&1));
    let seen: HashSet<i32> = [1, 2, 2, 3].iter().cloned().collect();
    assert_eq!(seen.len(), 3);
    assert!(seen.contains(&2) && !seen.contains(&4));
    let sorted: BTreeSet<_> = vec!["x", "b", "x"].into_iter().collect();
    assert_eq!(sorted.into_iter().collect::<Vec<_>>(), ["b", "x"]);
    let mut queue = VecDeque::from([1, 2]);
    queue.push_back(3);
    queue.push_front(0);
    assert_eq!(queue.pop_front(), Some(0));
    assert_eq!(queue.iter().sum::<i32>(), 6);
}

#[test]
fn lists_are_compared() {
    assert!(vec![1, 2, 3] < vec![1, 3]);
    assert!(vec![1, 2] == [1, 2]);
    assert_ne!(vec![1.0, f32::NAN], vec![1.0, f32::NAN]);
    assert_eq!((1, "a").max((1, "b")), (1, "b"));
    assert_eq!([1, 2, 3].cmp(&[1, 2, 4]), std::cmp::Ordering::Less);
    assert_eq!(Some(3) > None, true);
}

#[test]
fn numbers_collect_into_results() {
    let good: Result<Vec<i32>, _> = "1 2 3".split(' ').map(|w| w.parse::<i32>()).collect();
    assert_eq!(good, Ok(vec![1, 2, 3]));
    let bad: Result<Vec<i32>, _> = "1 x 3".split(' ').map(|w| w.parse::<i32>()).collect();
    assert!(bad.is_err());
    let some: Option<Vec<u8>> = [1u8, 2].iter().map(|x| x.checked_mul(100)).collect();
    assert_eq!(some, Some(vec![100, 200]));
    let none: Option<Vec<u8>> = [1u8, 3].iter().map(|x| x.checked_mul(100)).collect();
    assert_eq!(none, None);
    let kept: Vec<i32> = ["4", "?", "5"].iter().filter_map(|w| w.parse().ok()).collect();
    assert_eq!(kept, [4, 5]);
}
