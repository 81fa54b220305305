// Vec, slices, arrays, VecDeque.
use std::collections::VecDeque;
fn main() {
    let mut v = vec![5, 3, 8, 1];
    v.sort();
    println!("{v:?} {:?} {:?}", v.binary_search(&5), v.binary_search(&4)); //> [1, 3, 5, 8] Ok(2) Err(2)
    v.sort_by(|a, b| b.cmp(a));
    println!("{v:?} {:?} {:?}", v.first(), v.last()); //> [8, 5, 3, 1] Some(8) Some(1)
    v.sort_by_key(|x| (*x as i32 - 4).abs());
    println!("{v:?}"); //> [5, 3, 1, 8]
    v.reverse();
    v.push(9);
    v.insert(1, 7);
    println!("{v:?} {} {:?}", v.remove(0), v.pop()); //> [7, 1, 3, 5] 8 Some(9)
    v.swap(0, 3);
    println!("{v:?} {} {v:?}", v.swap_remove(0)); //> [7, 1, 3] 5 [7, 1, 3]
    v.extend(vec![1, 1, 2]);
    v.extend(&[4, 4]);
    v.dedup();
    println!("{v:?}"); //> [7, 1, 3, 1, 2, 4]
    v.retain(|x| *x != 1);
    println!("{v:?} {:?} {v:?}", v.drain(1..3).collect::<Vec<_>>()); //> [7, 4] [3, 2] [7, 4]
    v.truncate(1);
    v.resize(4, 0);
    println!("{v:?} {:?} {v:?}", v.split_off(2)); //> [7, 0] [0, 0] [7, 0]
    let a = [1, 2, 3, 4, 5];
    println!("{:?} {:?}", &a[1..3], a[2..].iter().sum::<i32>()); //> [2, 3] 12
    println!("{:?} {:?} {:?}", a.split_at(2), a.split_first(), a.get(9)); //> ([1, 2], [3, 4, 5]) Some((1, [2, 3, 4, 5])) None
    println!("{:?} {:?}", a.get(1..3), a.contains(&3)); //> Some([2, 3]) true
    println!("{:?} {:?}", a.chunks(2).collect::<Vec<_>>(), a.chunks_exact(2).count()); //> [[1, 2], [3, 4], [5]] 2
    println!("{:?} {:?}", a.map(|x| x * x), a.iter().rev().collect::<Vec<_>>()); //> [1, 4, 9, 16, 25] [5, 4, 3, 2, 1]
    println!("{} {} {}", a.starts_with(&[1, 2]), a.ends_with(&[5]), a.len()); //> true true 5
    let mut b = a;
    b.rotate_left(2);
    println!("{b:?} {a:?}"); //> [3, 4, 5, 1, 2] [1, 2, 3, 4, 5]
    b.fill(0);
    b[1..3].copy_from_slice(&[8, 9]);
    b[4] += 2;
    println!("{b:?} {}", b == [0, 8, 9, 0, 2]); //> [0, 8, 9, 0, 2] true
    for x in b.iter_mut() {
        *x *= 2;
    }
    for chunk in b.chunks_mut(2) {
        chunk[0] += 1;
    }
    println!("{b:?}"); //> [1, 16, 19, 0, 5]
    let mut grid = vec![vec![0; 3]; 2];
    grid[1][2] = 7;
    println!("{grid:?} {:?}", grid.concat()); //> [[0, 0, 0], [0, 0, 7]] [0, 0, 0, 0, 0, 7]
    println!("{:?} {:?}", [[1, 2], [3, 4]].concat(), [vec![1], vec![2]].join(&0)); //> [1, 2, 3, 4] [1, 0, 2]
    let words = ["bb", "a", "ccc"];
    println!("{:?} {:?}", words.iter().map(|w| w.len()).max(), words.iter().min_by_key(|w| w.len())); //> Some(3) Some("a")
    let c: [u8; 4] = vec![1, 2, 3, 4].try_into().unwrap();
    println!("{:?} {}", c, u32::from_le_bytes(c[..4].try_into().unwrap())); //> [1, 2, 3, 4] 67305985
    let squares: [usize; 4] = std::array::from_fn(|i| i * i);
    let parts: (Vec<usize>, Vec<usize>) = squares.iter().copied().partition(|x| *x > 1);
    println!("{squares:?} {parts:?}"); //> [0, 1, 4, 9] ([4, 9], [0, 1])
    let mut q: VecDeque<i32> = VecDeque::new();
    q.push_back(1);
    q.push_back(2);
    q.push_front(0);
    println!("{q:?} {:?} {:?} {}", q.pop_front(), q.back(), q.len()); //> [1, 2] Some(0) Some(2) 2
    let copy = v.clone();
    v.push(1);
    println!("{copy:?} {v:?} {}", copy < v); //> [7, 0] [7, 0, 1] true
    let s: &mut [i32] = &mut v;
    s[0] = 3;
    s.sort();
    println!("{v:?} {}", v.iter().any(|&x| x == 3)); //> [0, 1, 3] true
    let (left, right) = v.split_at_mut(1);
    left[0] = right[1];
    println!("{v:?} {:?} {:?}", Vec::<i32>::new(), Vec::from([1, 2])); //> [3, 1, 3] [] [1, 2]
    println!("{:?} {}", vec![1.5f32; 3], [[0u8; 2]; 2] == [[0, 0], [0, 0]]); //> [1.5, 1.5, 1.5] true
}
