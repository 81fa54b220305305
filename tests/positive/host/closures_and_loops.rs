// Closures, function pointers, labels, values of loops.
struct Filter { f: Box<dyn Fn(i32) -> bool>, g: fn(i32) -> i32 }

fn double(x: i32) -> i32 {
    x * 2
}

fn choose(up: bool) -> fn(i32) -> i32 {
    if up { double } else { |x| x - 1 }
}

fn fact(n: u64) -> u64 {
    if n <= 1 { 1 } else { n * fact(n - 1) }
}

fn search(v: &[Vec<i32>], k: i32) -> Option<(usize, usize)> {
    let found = 'outer: loop {
        for (i, row) in v.iter().enumerate() {
            for (j, x) in row.iter().enumerate() {
                if *x == k {
                    break 'outer Some((i, j));
                }
            }
        }
        break None;
    };
    found
}

fn label(x: i32) -> i32 {
    let r = 'b: {
        if x > 0 {
            break 'b 1;
        }
        if x < 0 {
            break 'b -1;
        }
        0
    };
    r
}

#[test]
fn works() {
    let f = Filter { f: Box::new(|x| x > 2), g: double };
    assert!((f.f)(3));
    assert_eq!((f.g)(3), 6);
    let fs: Vec<Box<dyn Fn(i32) -> i32>> = vec![Box::new(|x| x + 1), Box::new(move |x| double(x))];
    let r = fs.iter().fold(1, |a, f| f(a));
    assert_eq!(r, 4);
    let table: [(&str, fn(i32) -> i32); 2] = [("double", double), ("same", |x| x)];
    for (name, f) in table.iter() {
        assert!(f(1) > 0 && !name.is_empty());
    }
    assert_eq!(choose(true)(3), 6);
    let mut count = 0;
    let mut inc = || {
        count += 1;
        count
    };
    inc();
    inc();
    assert_eq!(count, 2);
    let early = |x: i32| -> i32 {
        if x < 0 {
            return 0;
        }
        x * 2
    };
    assert_eq!(early(-1) + early(2), 4);
    let mut n = 0;
    let v = loop {
        n += 1;
        if n == 5 {
            break n * 2;
        }
    };
    assert_eq!(v + label(3), 11);
    'a: for i in 0..3 {
        for j in 0..3 {
            if j == 1 {
                continue 'a;
            }
            if i == 2 {
                break 'a;
            }
        }
    }
    assert_eq!(search(&[vec![1], vec![2, 3]], 3), Some((1, 1)));
    assert_eq!(fact(5), 120);
    let compose = |f: &dyn Fn(i32) -> i32, x| f(f(x));
    assert_eq!(compose(&double, 2), 8);
    let id: &dyn Fn(i32) -> i32 = &|x| x;
    assert_eq!(id(2), 2);
    let val = if let Some(x) = search(&[], 1) { x.0 } else { 7 };
    assert_eq!(val, 7);
    let fp: fn(u64) -> u64 = fact;
    assert_eq!([1, 2, 3].map(fp), [1, 2, 6]);
    assert_eq!([1, 2].iter().copied().map(double).collect::<Vec<_>>(), [2, 4]);
    let mut k = 10;
    while k > 0 {
        k -= 3;
        if k == 4 {
            break;
        }
    }
    let strs: Vec<String> = ["a", "b"].iter().map(ToString::to_string).collect();
    let up: Vec<String> = ["a"].iter().map(|s| s.to_string()).collect();
    assert_eq!(strs.len() + up.len(), 3);
}
