// Small things that test authors write.
fn shadow<T>(x: T) -> T {
    fn inner<T: Default>() -> T {
        T::default()
    }
    let _: i32 = inner();
    x
}

fn many<'a, 'b: 'a, T: ?Sized + 'a>(x: &'a T, _y: &'b str) -> &'a T {
    x
}

fn never() -> ! {
    panic!("no")
}

fn unit() {}

fn pick(b: bool) -> i32 {
    let x;
    if b {
        x = 1;
    } else {
        x = 2;
    }
    x
}

fn default_ret() -> impl std::fmt::Debug + Clone {
    vec![1, 2]
}

fn nested() -> Option<i32> {
    let v = vec![1, 2, 3];
    let x = v.iter().map(|x| x * 2).find(|&x| x > 2)?;
    Some(x)
}

fn block() -> i32 {
    let y = {
        let a = 1;
        let b = 2;
        a + b
    };
    let z = if y > 2 { "big" } else { "small" };
    match z { "big" => y, _ => 0 }
}

fn tup() -> (i32, (f32, &'static str)) {
    (1, (2.0, "x"))
}

fn refs(a: &mut i32, b: &mut [i32], c: &mut Vec<i32>) {
    *a += 1;
    b[0] = *a;
    c.push(b[0]);
    for x in c.iter_mut() {
        *x += 1;
    }
    for x in b {
        *x *= 2;
    }
}

fn slices(v: &[i32]) -> (&[i32], &[i32]) {
    let (a, b) = v.split_at(1);
    (&a[..], &b[1..])
}

fn strings(s: &str) -> String {
    let mut out = String::new();
    for (i, c) in s.chars().enumerate() {
        if i > 0 {
            out.push('-');
        }
        out.push(c);
    }
    out + "!"
}

struct Unit;
struct Wrap<T>(pub T);

impl<T> Wrap<T> {
    fn map<U>(self, f: impl FnOnce(T) -> U) -> Wrap<U> {
        Wrap(f(self.0))
    }
}

impl Unit {
    fn go(self: &Self) -> i32 {
        1
    }
    fn own(self) -> Self {
        self
    }
}

#[test]
#[should_panic(expected = "no")]
fn panics() {
    never();
}

#[test]
fn works() {
    assert_eq!(shadow(1u8), 1);
    assert_eq!(many("a", "b"), "a");
    unit();
    assert_eq!(pick(true) + block(), 4);
    println!("{:?} {:>5.2} {:08b} {0:?}", default_ret(), 1.5, 3);
    assert_eq!(nested(), Some(4));
    let (a, (b, c)) = tup();
    assert_eq!(a as f32 + b + c.len() as f32, 4.0);
    let (mut x, mut y, mut z) = (1, [1, 2], vec![3]);
    refs(&mut x, &mut y, &mut z);
    assert_eq!(slices(&[1, 2, 3]).1, &[3]);
    assert_eq!(strings("abc"), "a-b-c!");
    let w = Wrap(2).map(|x| x as f64).map(|x| format!("{x}"));
    assert_eq!(w.0, "2");
    assert_eq!(Unit.go() + Unit.own().go(), 2);
    let _ = Unit;
    let t: (i32,) = (1,);
    let arr2 = [[1, 2], [3, 4]];
    let s2: i32 = arr2.iter().flat_map(|r| r.iter()).copied().sum();
    assert_eq!(s2 + t.0, 11);
    let v: Vec<(usize, char)> = "ab".chars().enumerate().collect();
    let n = v.len() as i32 - 5;
    let r#type = n.abs();
    assert_eq!(r#type, 3);
    let c = || unit();
    c();
    let x = &mut 5;
    *x += 1;
    let y = &x;
    assert_eq!(**y, 6);
    let big = i64::from(3i32) + i64::from(2u8) + 'a' as i64;
    assert_eq!(big, 102);
    let o: Option<&str> = None;
    assert_eq!(o.unwrap_or("d"), "d");
    assert!((1..5).contains(&3));
    let z = loop {
        break;
    };
    assert_eq!(z, ());
    let q = std::cmp::max(1, 2).min(3);
    assert_eq!(u32::from(true) + q as u32, 3);
}
