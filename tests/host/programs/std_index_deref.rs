// prints: 5 2.5 [0.0, 2.5, 0.0, 0.0, 0.0, 5.0]
// prints: 3 Some(3) 2
// prints: 3 2 1
// prints: zz
use std::borrow::Borrow;
use std::ops::*;
struct M {
    d: Vec<f32>,
    c: usize,
}
impl Index<(usize, usize)> for M {
    type Output = f32;
    fn index(&self, (r, c): (usize, usize)) -> &f32 {
        &self.d[r * self.c + c]
    }
}
impl IndexMut<(usize, usize)> for M {
    fn index_mut(&mut self, (r, c): (usize, usize)) -> &mut f32 {
        &mut self.d[r * self.c + c]
    }
}
struct W(Vec<i32>);
impl Deref for W {
    type Target = Vec<i32>;
    fn deref(&self) -> &Vec<i32> {
        &self.0
    }
}
impl DerefMut for W {
    fn deref_mut(&mut self) -> &mut Vec<i32> {
        &mut self.0
    }
}
struct N(String);
impl AsRef<str> for N {
    fn as_ref(&self) -> &str {
        &self.0
    }
}
impl Borrow<str> for N {
    fn borrow(&self) -> &str {
        &self.0
    }
}
fn len<T: AsRef<str>>(t: T) -> usize {
    t.as_ref().len()
}
fn main() {
    let mut m = M {
        d: vec![0.0; 6],
        c: 3,
    };
    m[(1, 2)] = 5.0;
    m[(0, 1)] += 2.5;
    println!("{} {} {:?}", m[(1, 2)], m[(0, 1)], m.d);
    let mut w = W(vec![1, 2]);
    w.push(3);
    println!("{} {:?} {}", w.len(), w.iter().max(), w[1]);
    println!(
        "{} {} {}",
        len(N("abc".into())),
        len("xy"),
        len(String::from("q"))
    );
    let n = N("zz".into());
    let s: &str = n.borrow();
    println!("{s}");
}
