// Traits and types with parameters.
trait Convert<T> {
    fn convert(&self) -> T;
    fn twice(&self) -> (T, T) {
        (self.convert(), self.convert())
    }
}

struct X(i32);

impl Convert<f32> for X {
    fn convert(&self) -> f32 {
        self.0 as f32
    }
}

impl Convert<String> for X {
    fn convert(&self) -> String {
        self.0.to_string()
    }
}

trait Zero {
    fn zero() -> Self;
    fn is_zero(&self) -> bool;
}

impl Zero for i32 {
    fn zero() -> Self {
        0
    }
    fn is_zero(&self) -> bool {
        *self == 0
    }
}

impl Zero for f32 {
    fn zero() -> Self {
        0.0
    }
    fn is_zero(&self) -> bool {
        *self == 0.0
    }
}

fn sum<T: Zero + Copy + std::ops::Add<Output = T>>(v: &[T]) -> T {
    let mut t = T::zero();
    for &x in v {
        t = t + x;
    }
    t
}

fn dot<T>(a: &[T], b: &[T]) -> T where T: Zero + Copy + std::ops::Mul<Output = T> + std::ops::AddAssign {
    let mut t = T::zero();
    for (x, y) in a.iter().zip(b) {
        t += *x * *y;
    }
    t
}

fn largest<T: PartialOrd + Copy>(v: &[T]) -> Option<T> {
    let mut it = v.iter();
    let mut best = *it.next()?;
    for &x in it {
        if x > best {
            best = x;
        }
    }
    Some(best)
}

struct Stack<T> { items: Vec<T> }

impl<T: Clone + Default> Stack<T> {
    fn new() -> Self {
        Stack { items: Vec::new() }
    }
    fn push(&mut self, t: T) -> &mut Self {
        self.items.push(t);
        self
    }
    fn peek(&self) -> Option<&T> {
        self.items.last()
    }
    fn top(&self) -> T {
        self.peek().cloned().unwrap_or_default()
    }
}

impl<T> Default for Stack<T> {
    fn default() -> Self {
        Self { items: vec![] }
    }
}

impl<T: std::fmt::Display> std::fmt::Display for Stack<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for i in &self.items {
            write!(f, "{i} ")?;
        }
        Ok(())
    }
}

impl Stack<i32> {
    fn total(&self) -> i32 {
        self.items.iter().sum()
    }
}

impl<T> From<Vec<T>> for Stack<T> {
    fn from(items: Vec<T>) -> Self {
        Stack { items }
    }
}

impl<T> IntoIterator for Stack<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;
    fn into_iter(self) -> Self::IntoIter {
        self.items.into_iter()
    }
}

impl<T> std::ops::Index<usize> for Stack<T> {
    type Output = T;
    fn index(&self, i: usize) -> &T {
        &self.items[i]
    }
}

trait Visitor {
    type Out;
    fn visit(&mut self, x: i32) -> Self::Out;
}

struct Sum(i32);

impl Visitor for Sum {
    type Out = i32;
    fn visit(&mut self, x: i32) -> i32 {
        self.0 += x;
        self.0
    }
}

fn walk<V: Visitor>(v: &mut V, xs: &[i32]) -> Vec<V::Out> {
    xs.iter().map(|&x| v.visit(x)).collect()
}

#[test]
fn works() {
    let f: f32 = X(1).convert();
    let (a, b): (f32, f32) = X(2).twice();
    assert_eq!(f + a + b, 5.0);
    let s: String = Convert::<String>::convert(&X(3));
    assert_eq!(s, "3");
    assert_eq!(sum(&[1, 2, 3]) as f32 + sum(&[0.5, 0.5]), 7.0);
    assert_eq!(dot(&[1, 2], &[3, 4]), 11);
    assert_eq!(largest(&[1.0, 3.0, 2.0]), Some(3.0));
    let mut st = Stack::new();
    st.push(1).push(2);
    assert_eq!(st.top() + st.total() + st[0], 6);
    let st2: Stack<&str> = vec!["a"].into();
    let st3 = Stack::from(vec![1.5f32]);
    let st4: Stack<u8> = Stack::default();
    assert_eq!(format!("{st2}{st3}{st4}"), "a 1.5 ");
    for x in st {
        assert!(x > 0);
    }
    assert_eq!(walk(&mut Sum(0), &[1, 2]), vec![1, 3]);
    assert!(<i32 as Zero>::zero().is_zero() && f32::zero().is_zero() && Zero::is_zero(&0i32));
    let z: f32 = Zero::zero();
    assert_eq!(z, 0.0);
}
