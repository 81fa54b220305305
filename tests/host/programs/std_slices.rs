// prints: [-2, 5, -7, 8, -7]
// prints: [1, 8, 3, 0, 2, 0]
// prints: [0, 0, 3, 0, 102, 8]
// prints: [3, 0, 102, 8, 0, 0]
// prints: [3, 8, 0, 102, 0, 0]
// prints: Ok(4) Err(5)
// prints: 2 3 2
// prints: 3
// prints: [5, 4, 3, 2, 1]
// prints: [10, 20, 30]
// prints: [20, 30]
// prints: [2, 3, 4] [0, 1, 5, 6, 7, 8, 9]
// prints: [1, 5] [0, 100, 200, 300, 6, 7, 8, 9]
// prints: [200, 300, 6]
// prints: [1, 2, 3, 4] a-b
// prints: [1, 0, 2]
// prints: [(2, 3), (3, 2), (4, 1)]
// prints: ([[1, 2], [3, 4]], [5])
// prints: Some([1, 2]) Some((1, [2, 3, 4, 5]))
// prints: [[4, 5], [2, 3], [1]]
// prints: Some(1) 2
// prints: 1
// prints: [[1, 2], [4, 5]]
// prints: Some((5, [1, 2, 3, 4]))
// prints: [4, 4, 4]
// prints: false
// prints: Some([2, 3])
// prints: [5, 3, 1]
fn main() {
    let mut v = vec![5, 3, 8, 1, 9, 2];
    println!("{:?}", v.windows(2).map(|w| w[1] - w[0]).collect::<Vec<i32>>());
    for c in v.chunks_mut(4) {
        c[0] = 0;
        c.reverse();
    }
    println!("{v:?}");
    {
        let (a, b) = v.split_at_mut(3);
        a[0] = b[0];
        b[1] += 100;
        std::mem::swap(&mut a[1], &mut b[2]);
    }
    println!("{v:?}");
    v.rotate_left(2);
    println!("{v:?}");
    v[1..4].rotate_right(1);
    println!("{v:?}");
    v.sort_unstable();
    println!(
        "{:?} {:?}",
        v.binary_search_by(|x| x.cmp(&8)),
        v.binary_search_by_key(&50, |x| x * 2)
    );
    let mut w = vec![5, 1, 4, 2, 3];
    let (l, m, r) = w.select_nth_unstable(2);
    println!("{} {} {}", l.len(), m, r.len());
    println!("{}", w[2]);
    w.sort_unstable_by_key(|x| std::cmp::Reverse(*x));
    println!("{w:?}");
    let mut d = vec![10, 11, 20, 21, 30];
    d.dedup_by_key(|x| *x / 10);
    println!("{d:?}");
    d.retain(|x| *x > 10);
    println!("{d:?}");
    let mut e: Vec<i32> = (0..10).collect();
    let dr: Vec<i32> = e.drain(2..5).collect();
    println!("{dr:?} {e:?}");
    let sp: Vec<i32> = e.splice(1..3, [100, 200, 300]).collect();
    println!("{sp:?} {e:?}");
    e.drain(..2);
    e.drain(3..);
    println!("{e:?}");
    println!("{:?} {}", [[1, 2], [3, 4]].concat(), ["a", "b"].join("-"));
    println!("{:?}", [vec![1], vec![2]].join(&0));
    let x = [1, 2, 3, 4, 5];
    println!(
        "{:?}",
        x.iter()
            .copied()
            .rev()
            .enumerate()
            .skip_while(|(i, _)| *i < 2)
            .collect::<Vec<_>>()
    );
    println!("{:?}", x.as_chunks::<2>());
    println!("{:?} {:?}", x.first_chunk::<2>(), x.split_first());
    println!("{:?}", x.rchunks(2).map(|c| c.to_vec()).collect::<Vec<_>>());
    println!(
        "{:?} {:?}",
        x.iter().rposition(|&y| y < 3),
        x.partition_point(|y| *y < 3)
    );
    println!("{:?}", x.chunk_by(|a, b| a % 2 != b % 2).count());
    println!("{:?}", x.splitn(2, |y| *y == 3).collect::<Vec<_>>());
    println!("{:?}", x.split_last());
    let mut z = [1, 2, 3];
    z.swap(0, 2);
    z.fill(4);
    println!("{z:?}");
    println!("{:?}", x.is_sorted_by_key(|y| -y));
    println!("{:?}", x.get(1..3));
    println!("{:?}", x.iter().rev().step_by(2).collect::<Vec<_>>());
}
