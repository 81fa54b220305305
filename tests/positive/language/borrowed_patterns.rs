// Patterns without references over what is borrowed bind references.
struct S { a: i32, b: (u8, f32), c: Option<String> }

enum E { T(i32, f32), N { x: i32, y: Vec<i32> }, U }

fn f(s: &S) -> i32 {
    let S { a, b: (b0, _), .. } = s;
    *a + *b0 as i32
}

fn g(s: &mut S) {
    let S { a, b, c: _ } = s;
    *a += 1;
    b.0 += 1;
}

fn h(e: &E) -> i32 {
    match e {
        E::T(i, f) => *i + *f as i32,
        E::N { x, y } => x + y.len() as i32,
        E::U => 0,
    }
}

fn m(e: &mut E) {
    match e {
        E::T(i, _) => *i += 1,
        E::N { x, .. }
        if *x > 0 => {
            *x = 0;
        }
        E::N { y, .. } => y.push(1),
        E::U => {}
    }
}

fn opt(o: &Option<(i32, String)>) -> usize {
    if let Some((n, s)) = o { *n as usize + s.len() } else { 0 }
}

fn optm(o: &mut Option<i32>) {
    if let Some(x) = o {
        *x += 1;
    }
    if let Some(ref mut x) = *o {
        *x += 1;
    }
    if let Some(x) = o.as_mut() {
        *x *= 2;
    }
}

fn slice(v: &[i32]) -> i32 {
    match v { [] => 0, [x] => *x, [first, .., last] => first + last }
}

fn rest(v: &[i32]) -> i32 {
    match v { [] => 0, [x, rest @ ..] => *x + rest_len(rest) }
}

fn rest_len(v: &[i32]) -> i32 {
    v.len() as i32
}

fn three(v: &[u8]) -> bool {
    matches!(v, [1, _, 3] | [.., 9])
}

fn refs(p: &(String, i32)) -> usize {
    let (s, n) = p;
    s.len() + *n as usize
}

fn byref(p: (String, i32)) -> usize {
    let (ref s, n) = p;
    s.len() + n as usize
}

#[test]
fn works() {
    let mut s = S { a: 1, b: (2, 3.0), c: None };
    g(&mut s);
    assert_eq!(f(&s), 5);
    let mut e = E::T(1, 2.0);
    m(&mut e);
    assert_eq!(h(&e) + h(&E::N { x: 1, y: vec![] }) + h(&E::U), 5);
    assert_eq!(opt(&Some((1, "ab".to_string()))), 3);
    let mut o = Some(1);
    optm(&mut o);
    assert_eq!(o, Some(6));
    assert_eq!(slice(&[1, 2, 3]) + rest(&[1, 2]), 6);
    assert!(three(&[1, 2, 3]) && refs(&("a".into(), 1)) == byref(("a".into(), 1)));
    let pairs = vec![(1, "a"), (2, "b")];
    for (i, s) in &pairs {
        assert!(*i > 0 && s.len() == 1);
    }
    for &(i, s) in pairs.iter() {
        assert!(i > 0 && !s.is_empty());
    }
    for (k, (i, _)) in pairs.iter().enumerate() {
        assert_eq!(k as i32 + 1, *i);
    }
    let t = pairs.iter().map(|(i, _)| i).sum::<i32>();
    let u: i32 = pairs.iter().filter(|(i, _)| *i > 1).map(|&(i, _)| i).sum();
    assert_eq!(t + u, 5);
    assert!(s.c.is_none());
}
