// What values are behind `dyn Trait`, own iterators in loops and adapters, labels with values.
use std::fmt;
trait Layer {
    fn name(&self) -> String;
    fn apply(&self, x: i32) -> i32;
    fn twice(&self, x: i32) -> i32 { self.apply(self.apply(x)) }
    fn grow(&mut self) {}
}
struct Scale(i32);
struct Clip { low: i32, high: i32 }
impl Layer for Scale {
    fn name(&self) -> String { "scale".into() }
    fn apply(&self, x: i32) -> i32 { x * self.0 }
    fn grow(&mut self) { self.0 += 1; }
}
impl Layer for Clip {
    fn name(&self) -> String { String::from("clip") }
    fn apply(&self, x: i32) -> i32 { x.clamp(self.low, self.high) }
}
impl fmt::Display for Scale {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result { write!(f, "x{}", self.0) }
}
fn make(clip: bool) -> Box<dyn Layer> {
    if clip { Box::new(Clip { low: 0, high: 5 }) } else { Box::new(Scale(3)) }
}
fn make2(n: i32) -> Box<dyn Layer> {
    match n { 0 => Box::new(Clip { low: 0, high: 5 }), k => { let s = Scale(k); Box::new(s) } }
}
fn some() -> impl Layer { Scale(7) }
fn use_it(l: &dyn Layer) -> i32 { l.apply(2) }
fn use_mut(l: &mut dyn Layer) { l.grow() }
fn use_gen<L: Layer + ?Sized>(l: &L) -> i32 { l.twice(2) }
struct Net { layers: Vec<Box<dyn Layer>> }
impl Net { fn run(&self, x: i32) -> i32 { self.layers.iter().fold(x, |x, l| l.apply(x)) } }
struct Down(u32);
impl Iterator for Down { type Item = u32; fn next(&mut self) -> Option<u32> { if self.0 == 0 { None } else { self.0 -= 1; Some(self.0 + 1) } } }
fn downs() -> Box<dyn Iterator<Item = u32>> { Box::new(Down(3)) }
fn downs2() -> impl Iterator<Item = u32> { Down(3) }
#[test]
fn dyns() {
    assert_eq!(make(true).apply(9), 5);
    assert_eq!(make(false).apply(9), 27);
    assert_eq!(make2(0).apply(9), 5);
    assert_eq!(make2(2).apply(9), 18);
    assert_eq!(some().twice(1), 49);
    assert_eq!(use_it(&Scale(4)), 8);
    let s = Scale(5);
    let d: &dyn Layer = &s;
    assert_eq!(d.apply(1) + use_it(d), 15);
    let mut s = Scale(5);
    use_mut(&mut s);
    assert_eq!(s.0, 6);
    let mut b: Box<dyn Layer> = Box::new(Scale(1));
    b.grow();
    use_mut(b.as_mut());
    use_mut(&mut *b);
    assert_eq!(b.apply(1), 4);
    assert_eq!(use_gen(b.as_ref()), 32);
    assert_eq!(use_gen(&Scale(2)), 8);
    let net = Net { layers: vec![Box::new(Scale(3)), Box::new(Clip { low: 0, high: 20 })] };
    assert_eq!(net.run(10), 20);
    let mut v = Vec::new();
    v.push(Box::new(Scale(3)) as Box<dyn Layer>);
    v.push(Box::new(Clip { low: 0, high: 20 }));
    assert_eq!(v.iter().map(|l| l.name()).collect::<Vec<_>>(), ["scale", "clip"]);
    for l in &v { assert!(l.apply(1) > 0); }
    for l in v.iter_mut() { l.grow(); }
    assert_eq!(v[0].apply(1), 4);
    let o: Option<Box<dyn Layer>> = Some(Box::new(Scale(2)));
    assert_eq!(o.unwrap().apply(4), 8);
    let o: Option<&dyn Layer> = Some(&s);
    assert_eq!(o.unwrap().apply(4), 24);
    let show: Box<dyn fmt::Display> = Box::new(Scale(2));
    assert_eq!(format!("{show}"), "x2");
    assert_eq!(show.to_string(), "x2");
    let ds: [&dyn Layer; 2] = [&Scale(1), &Clip { low: 0, high: 1 }];
    assert_eq!(ds.iter().map(|a| a.apply(3)).sum::<i32>(), 4);
}
#[test]
fn iters() {
    assert_eq!(Down(3).take(10).collect::<Vec<_>>(), [3, 2, 1]);
    assert_eq!(downs().map(|x| x * 2).collect::<Vec<_>>(), [6, 4, 2]);
    assert_eq!(downs2().map(|x| x * 2).collect::<Vec<_>>(), [6, 4, 2]);
    assert_eq!(Down(3).sum::<u32>(), 6);
    let mut d = Down(5);
    assert_eq!(d.by_ref().take(2).collect::<Vec<_>>(), [5, 4]);
    assert_eq!(d.next(), Some(3));
    let v: Vec<u32> = (0..2).chain(Down(2)).collect();
    assert_eq!(v, [0, 1, 2, 1]);
    let s: i64 = "1,2".split(',').map(|x| x.parse::<i64>()).sum::<Result<i64, _>>().unwrap();
    assert_eq!(s, 3);
    let n = 'a: { if s == 3 { break 'a 7; } 8 };
    assert_eq!(n, 7);
    let m = 'o: loop { loop { break 'o s * 2; } };
    assert_eq!(m, 6);
}
