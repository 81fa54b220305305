// prints: 36
// prints: 1 2 3 10 20 
// prints: [2, 3, 4, 11, 21]
// prints: 3
// prints: 1;2;
struct Bag {
    v: Vec<i32>,
}
impl IntoIterator for Bag {
    type Item = i32;
    type IntoIter = std::vec::IntoIter<i32>;
    fn into_iter(self) -> Self::IntoIter {
        self.v.into_iter()
    }
}
impl<'a> IntoIterator for &'a Bag {
    type Item = &'a i32;
    type IntoIter = std::slice::Iter<'a, i32>;
    fn into_iter(self) -> Self::IntoIter {
        self.v.iter()
    }
}
impl FromIterator<i32> for Bag {
    fn from_iter<I: IntoIterator<Item = i32>>(it: I) -> Self {
        let mut v = Vec::new();
        for x in it {
            v.push(x);
        }
        Bag { v }
    }
}
impl Extend<i32> for Bag {
    fn extend<I: IntoIterator<Item = i32>>(&mut self, it: I) {
        for x in it {
            self.v.push(x);
        }
    }
}
fn total(b: &Bag) -> i32 {
    b.into_iter().sum()
}
fn main() {
    let mut b: Bag = (1..4).collect();
    b.extend(vec![10, 20]);
    println!("{}", total(&b));
    for x in &b {
        print!("{x} ");
    }
    println!();
    let s: Vec<i32> = b.into_iter().map(|x| x + 1).collect();
    println!("{s:?}");
    let c = (0..3).collect::<Bag>();
    println!("{}", c.v.len());
    let d = Bag::from_iter([1, 2]);
    for x in d {
        print!("{x};");
    }
    println!();
}
