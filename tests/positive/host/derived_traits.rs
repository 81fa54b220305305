// What a derive gives: clones, comparisons, an order, a default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
enum Mode { #[default] Off, Slow, Fast }

#[derive(Debug, Clone, PartialEq, PartialOrd, Default)]
struct Config { mode: Mode, rate: f32, names: Vec<String>, limit: Option<usize> }

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Id(u32);

#[derive(Clone, Debug)]
struct Pair<A, B> { a: A, b: B }

#[test]
fn works() {
    let c = Config::default();
    let d: Config = Default::default();
    assert_eq!(c, d);
    assert_eq!(c.clone().mode, Mode::Off);
    let e = Config { rate: 1.0, ..Default::default() };
    let g = Config { mode: Mode::Fast, ..c.clone() };
    assert!(e != c && g != c);
    assert!(Mode::Off < Mode::Fast);
    assert_eq!(Mode::Slow.cmp(&Mode::Fast), std::cmp::Ordering::Less);
    assert!(Id(1) < Id(2));
    assert_eq!(Id(3).max(Id(4)), Id(4));
    assert_eq!(Mode::Slow as i32, 1);
    let p = Pair { a: 1, b: "x" };
    let q = p.clone();
    println!("{:?} {p:?} {:#?}", q, c);
    let m = Mode::default();
    let mut ids = vec![Id(2), Id(1)];
    ids.sort();
    assert_eq!(ids[0], Id(1));
    assert_eq!(m.partial_cmp(&Mode::Off), Some(std::cmp::Ordering::Equal));
}
