// prints: 2
// prints: 3
// prints: 2
// prints: 3
// prints: 2
// prints: one
// prints: drop 1
// prints: zero
// prints: 5
// prints: drop 2
// prints: drop 3
// prints: 2
// prints: node 2
// prints: 1
// prints: [1, 2] 2
// prints: 2
// prints: 1
// prints: drop 7
// prints: ins
// prints: drop 8
// prints: rem
// prints: 9
// prints: 3 11
// prints: 1
// prints: drop 9
// prints: node 1
use std::cell::RefCell;
use std::rc::Rc;
struct D(i32);
impl Drop for D {
    fn drop(&mut self) {
        println!("drop {}", self.0);
    }
}
trait T {
    fn n(&self) -> i32;
}
impl T for D {
    fn n(&self) -> i32 {
        self.0
    }
}
struct Node {
    v: i32,
    kids: Vec<Rc<Node>>,
}
impl Drop for Node {
    fn drop(&mut self) {
        println!("node {}", self.v);
    }
}
fn take(r: Rc<D>) -> usize {
    Rc::strong_count(&r)
}
fn main() {
    let a = Rc::new(D(1));
    let b = a.clone();
    println!("{}", Rc::strong_count(&a));
    {
        let c = Rc::clone(&b);
        println!("{}", Rc::strong_count(&c));
    }
    println!("{}", Rc::strong_count(&a));
    println!("{}", take(a.clone()));
    println!("{}", Rc::strong_count(&a));
    drop(a);
    println!("one");
    drop(b);
    println!("zero");
    let z: Vec<Box<dyn T>> = vec![Box::new(D(2)), Box::new(D(3))];
    println!("{}", z.iter().map(|x| x.n()).sum::<i32>());
    drop(z);
    let leaf = Rc::new(Node { v: 1, kids: vec![] });
    {
        let _p = Node {
            v: 2,
            kids: vec![leaf.clone()],
        };
        println!("{}", Rc::strong_count(&leaf));
    }
    println!("{}", Rc::strong_count(&leaf));
    let cell = Rc::new(RefCell::new(vec![1]));
    let c2 = cell.clone();
    c2.borrow_mut().push(2);
    println!("{:?} {}", cell.borrow(), cell.borrow().len());
    let vs: Vec<Rc<i32>> = (0..3).map(Rc::new).collect();
    let w = vs[1].clone();
    println!("{}", Rc::strong_count(&w));
    drop(vs);
    println!("{}", Rc::strong_count(&w));
    let mut m = std::collections::HashMap::new();
    m.insert(1, Rc::new(D(7)));
    m.insert(1, Rc::new(D(8)));
    println!("ins");
    m.remove(&1);
    println!("rem");
    let f = {
        let k = Rc::new(D(9));
        move || k.0
    };
    println!("{}", f());
    let rc = Rc::new(5);
    let fs: Vec<Box<dyn Fn() -> i32>> = (0..2)
        .map(|i| {
            let rc = rc.clone();
            Box::new(move || *rc + i) as Box<dyn Fn() -> i32>
        })
        .collect();
    println!(
        "{} {}",
        Rc::strong_count(&rc),
        fs.iter().map(|f| f()).sum::<i32>()
    );
    drop(fs);
    println!("{}", Rc::strong_count(&rc));
}
