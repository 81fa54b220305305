// prints: 205 -1 -2
// prints: 14
// prints: big
// prints: 00
// prints: 10
// prints: 5
// prints: true
// prints: empty neg same long short
// prints: forty-even
// prints: 2 3
// prints: 3
// prints: 5
// prints: 1
// prints: one
// prints: s1
// prints: 1
// prints: five
fn f(s: &str) -> i32 {
    let Some((a, b)) = s.split_once('=') else {
        return -1;
    };
    let Ok(n) = b.parse::<i32>() else { return -2 };
    a.len() as i32 * 100 + n
}
fn cl(v: &[i32]) -> &'static str {
    match v {
        [] => "empty",
        [x] if *x < 0 => "neg",
        [_] => "one",
        [a, .., b] if a == b => "same",
        [_, rest @ ..] => {
            if rest.len() > 2 {
                "long"
            } else {
                "short"
            }
        }
    }
}
fn main() {
    println!("{} {} {}", f("ab=5"), f("q"), f("q=w"));
    let r = 'o: loop {
        let mut i = 0;
        loop {
            i += 1;
            if i == 7 {
                break 'o i * 2;
            }
            if i % 2 == 0 {
                continue;
            }
        }
    };
    println!("{r}");
    let v = 'b: {
        if r > 3 {
            break 'b "big";
        }
        "small"
    };
    println!("{v}");
    'x: for i in 0..3 {
        for j in 0..3 {
            if j == 1 {
                continue 'x;
            }
            if i == 2 {
                break 'x;
            }
            println!("{i}{j}");
        }
    }
    let o = Some(4);
    if let Some(x) = o
        && x > 3
        && let Some(y) = Some(x + 1)
    {
        println!("{y}");
    }
    println!("{}", matches!(o, Some(n) if n>3));
    println!(
        "{} {} {} {} {}",
        cl(&[]),
        cl(&[-1]),
        cl(&[1, 2, 1]),
        cl(&[1, 2, 3, 4]),
        cl(&[1, 2])
    );
    let n = 42u8;
    println!(
        "{}",
        match n {
            0 => "z",
            1..=9 => "d",
            10 | 20 | 30 => "t",
            x @ 40..=49 if x % 2 == 0 => "forty-even",
            _ => "o",
        }
    );
    let (mut a, mut b) = (1, 2);
    (a, b) = (b, a + b);
    println!("{a} {b}");
    let [p, q, ..] = [1, 2, 3, 4];
    println!("{}", p + q);
    let t = ((1, 2), [3, 4]);
    let ((x, _), [_, y]) = t;
    println!("{}", x + y);
    let mut k = 3;
    while k > 0 {
        k -= 1;
        if k == 1 {
            break;
        }
    }
    println!("{k}");
    let z = if let 1 = k { "one" } else { "none" };
    println!("{z}");
    let &(ref m, n2) = &(String::from("s"), 1);
    println!("{m}{n2}");
    struct P {
        x: i32,
        y: i32,
    }
    let P { x: px, .. } = P { x: 1, y: 2 };
    println!("{px}");
    let bx = Box::new(5);
    match *bx {
        5 => println!("five"),
        _ => {}
    }
}
