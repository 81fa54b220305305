// prints: true None
// prints: [A, B(2), B(5), C { z: 1 }, D("b")]
// prints: Some(D("b"))
// prints: Some("y") x
// prints: {Id(1, 9): 2, Id(2, 1): 1}
// prints: "a" 3
// prints: a b c 
// prints: true false
// prints: Some(A)
// prints: Some(Less)
// prints: Id(1, 1)
use std::cmp::Ordering;
use std::collections::*;
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
struct P {
    x: f32,
    y: f32,
}
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum E {
    A,
    B(i32),
    C { z: u8 },
    D(String),
}
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Id(u32, u8);
#[derive(Debug, PartialEq, Eq)]
struct Task {
    p: u32,
    n: &'static str,
}
impl Ord for Task {
    fn cmp(&self, o: &Self) -> Ordering {
        o.p.cmp(&self.p).then_with(|| self.n.cmp(o.n))
    }
}
impl PartialOrd for Task {
    fn partial_cmp(&self, o: &Self) -> Option<Ordering> {
        Some(self.cmp(o))
    }
}
fn main() {
    println!(
        "{} {:?}",
        P { x: 1.0, y: 2.0 } < P { x: 1.0, y: 3.0 },
        P { x: f32::NAN, y: 0.0 }.partial_cmp(&P { x: 0.0, y: 0.0 })
    );
    let mut v = vec![E::D("b".into()), E::C { z: 1 }, E::B(5), E::A, E::B(2)];
    v.sort();
    println!("{v:?}");
    println!("{:?}", v.iter().max());
    let mut m = HashMap::new();
    m.insert(Id(1, 2), "x");
    m.insert(Id(1, 3), "y");
    println!("{:?} {}", m.get(&Id(1, 3)), m[&Id(1, 2)]);
    let mut b = BTreeMap::new();
    b.insert(Id(2, 1), 1);
    b.insert(Id(1, 9), 2);
    println!("{b:?}");
    let mut h = BinaryHeap::new();
    h.push(Task { p: 3, n: "c" });
    h.push(Task { p: 1, n: "a" });
    h.push(Task { p: 2, n: "b" });
    println!("{:?} {}", h.peek().unwrap().n, h.len());
    while let Some(t) = h.pop() {
        print!("{} ", t.n);
    }
    println!();
    let mut hs = HashSet::new();
    println!("{} {}", hs.insert(E::B(1)), hs.insert(E::B(1)));
    let bt: BTreeMap<E, i32> = v.into_iter().enumerate().map(|(i, e)| (e, i as i32)).collect();
    println!("{:?}", bt.keys().next());
    println!("{:?}", (1, "a", 2.5).partial_cmp(&(1, "b", 0.0)));
    println!("{:?}", Id(1, 1).max(Id(0, 9)));
}
