// prints: <2, 4> <3, 6> <2, 4> <-1, -2>
// prints: <6, 7> V2 { x: 12, y: 14 }
// prints: [Sq(2.0), Ci { r: 2.0 }] [16.0, 12.0]
// prints: Sq(2.0)
// prints: [1, 2, 5, 8, 9] 3
// prints: [0, 1, 2, 3]
// prints: Some(0) 3
// prints: 14
// prints: [[1, 4], [2, 5], [3, 6]] 6
use std::fmt::{self, Debug, Display};
use std::iter::Sum;
use std::ops::{Add, AddAssign, Index, Mul, Neg, Sub};
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct V2<T> {
    x: T,
    y: T,
}
impl<T: Add<Output = T>> Add for V2<T> {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        V2 {
            x: self.x + o.x,
            y: self.y + o.y,
        }
    }
}
impl<T: Mul<Output = T> + Copy> Mul<T> for V2<T> {
    type Output = V2<T>;
    fn mul(self, k: T) -> V2<T> {
        V2 {
            x: self.x * k,
            y: self.y * k,
        }
    }
}
impl Mul<V2<f32>> for f32 {
    type Output = V2<f32>;
    fn mul(self, v: V2<f32>) -> V2<f32> {
        v * self
    }
}
impl<T: Neg<Output = T>> Neg for V2<T> {
    type Output = V2<T>;
    fn neg(self) -> V2<T> {
        V2 {
            x: -self.x,
            y: -self.y,
        }
    }
}
impl<T: AddAssign> AddAssign for V2<T> {
    fn add_assign(&mut self, o: Self) {
        self.x += o.x;
        self.y += o.y;
    }
}
impl<T: Add<Output = T> + Default> Sum for V2<T> {
    fn sum<I: Iterator<Item = Self>>(it: I) -> Self {
        it.fold(V2::default(), |a, b| a + b)
    }
}
impl<T: Display> Display for V2<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<{}, {}>", self.x, self.y)
    }
}
impl<T> From<(T, T)> for V2<T> {
    fn from((x, y): (T, T)) -> Self {
        V2 { x, y }
    }
}
trait Shape: Debug {
    fn area(&self) -> f64;
    fn scale(&mut self, k: f64);
    fn boxed_clone(&self) -> Box<dyn Shape>;
}
#[derive(Debug, Clone)]
struct Sq(f64);
#[derive(Debug, Clone)]
struct Ci {
    r: f64,
}
impl Shape for Sq {
    fn area(&self) -> f64 {
        self.0 * self.0
    }
    fn scale(&mut self, k: f64) {
        self.0 *= k;
    }
    fn boxed_clone(&self) -> Box<dyn Shape> {
        Box::new(self.clone())
    }
}
impl Shape for Ci {
    fn area(&self) -> f64 {
        3.0 * self.r * self.r
    }
    fn scale(&mut self, k: f64) {
        self.r *= k;
    }
    fn boxed_clone(&self) -> Box<dyn Shape> {
        Box::new(self.clone())
    }
}
impl Clone for Box<dyn Shape> {
    fn clone(&self) -> Self {
        self.boxed_clone()
    }
}
#[derive(Debug, Clone)]
enum Tree {
    Leaf,
    Node(Box<Tree>, i32, Box<Tree>),
}
impl Tree {
    fn insert(self, v: i32) -> Tree {
        match self {
            Tree::Leaf => Tree::Node(Box::new(Tree::Leaf), v, Box::new(Tree::Leaf)),
            Tree::Node(l, x, r) => {
                if v < x {
                    Tree::Node(Box::new(l.insert(v)), x, r)
                } else {
                    Tree::Node(l, x, Box::new(r.insert(v)))
                }
            }
        }
    }
    fn walk(&self, out: &mut Vec<i32>) {
        if let Tree::Node(l, x, r) = self {
            l.walk(out);
            out.push(*x);
            r.walk(out);
        }
    }
    fn depth(&self) -> usize {
        match self {
            Tree::Leaf => 0,
            Tree::Node(l, _, r) => 1 + l.depth().max(r.depth()),
        }
    }
}
struct List {
    head: Option<Box<Nd>>,
    len: usize,
}
struct Nd {
    v: i32,
    next: Option<Box<Nd>>,
}
impl List {
    fn new() -> Self {
        List { head: None, len: 0 }
    }
    fn push(&mut self, v: i32) {
        let old = self.head.take();
        self.head = Some(Box::new(Nd { v, next: old }));
        self.len += 1;
    }
    fn pop(&mut self) -> Option<i32> {
        self.head.take().map(|n| {
            self.head = n.next;
            self.len -= 1;
            n.v
        })
    }
    fn reverse(&mut self) {
        let mut prev = None;
        let mut cur = self.head.take();
        while let Some(mut n) = cur {
            cur = n.next.take();
            n.next = prev;
            prev = Some(n);
        }
        self.head = prev;
    }
    fn iter(&self) -> It<'_> {
        It {
            n: self.head.as_deref(),
        }
    }
}
struct It<'a> {
    n: Option<&'a Nd>,
}
impl<'a> Iterator for It<'a> {
    type Item = &'a i32;
    fn next(&mut self) -> Option<&'a i32> {
        self.n.map(|x| {
            self.n = x.next.as_deref();
            &x.v
        })
    }
}
struct Mat<const R: usize, const C: usize>([[i32; C]; R]);
impl<const R: usize, const C: usize> Mat<R, C> {
    fn t(&self) -> Mat<C, R> {
        let mut m = [[0; R]; C];
        for i in 0..R {
            for j in 0..C {
                m[j][i] = self.0[i][j];
            }
        }
        Mat(m)
    }
}
impl<const R: usize, const C: usize> Index<usize> for Mat<R, C> {
    type Output = [i32; C];
    fn index(&self, i: usize) -> &[i32; C] {
        &self.0[i]
    }
}
fn main() {
    let a = V2 { x: 1.0f32, y: 2.0 };
    println!("{} {} {} {}", a + a, a * 3.0, 2.0 * a, -a);
    let mut b: V2<i32> = (1, 2).into();
    b += V2 { x: 5, y: 5 };
    println!("{b} {:?}", vec![b, b].into_iter().sum::<V2<i32>>());
    let mut v: Vec<Box<dyn Shape>> = vec![Box::new(Sq(2.0)), Box::new(Ci { r: 1.0 })];
    for s in v.iter_mut() {
        s.scale(2.0);
    }
    let w = v.clone();
    v[0].scale(0.5);
    println!("{:?} {:?}", v, w.iter().map(|s| s.area()).collect::<Vec<_>>());
    v.sort_by(|a, b| a.area().partial_cmp(&b.area()).unwrap());
    println!("{:?}", v[0]);
    let t = [5, 2, 8, 1, 9].into_iter().fold(Tree::Leaf, |t, x| t.insert(x));
    let mut o = vec![];
    t.walk(&mut o);
    println!("{o:?} {}", t.depth());
    let mut l = List::new();
    for i in 0..4 {
        l.push(i);
    }
    l.reverse();
    println!("{:?}", l.iter().collect::<Vec<_>>());
    println!("{:?} {}", l.pop(), l.len);
    println!("{}", l.iter().map(|x| x * x).sum::<i32>());
    let m = Mat([[1, 2, 3], [4, 5, 6]]);
    println!("{:?} {}", m.t().0, m[1][2]);
}
