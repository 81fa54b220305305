// prints: 1
// prints: 1 ["a", "b"] 2
// prints: 5 3
// prints: 2 1
// prints: 1 2
// prints: {1: 0, 2: 5, 3: 2, 4: 6}
// prints: 3
// prints: 5 0
// prints: {"x": [0, 2], "y": [1]}
// prints: 3
// prints: 1
// prints: moved 1
// prints: 102334155
// prints: stack of 1
// prints: stack of 3
use std::cell::{Cell, RefCell};
use std::collections::*;
use std::rc::{Rc, Weak};
trait Observer {
    fn notify(&self, e: &str);
}
struct Log {
    msgs: RefCell<Vec<String>>,
    n: Cell<u32>,
}
impl Observer for Log {
    fn notify(&self, e: &str) {
        self.msgs.borrow_mut().push(e.to_string());
        self.n.set(self.n.get() + 1);
    }
}
struct Subject {
    obs: Vec<Weak<dyn Observer>>,
}
impl Subject {
    fn fire(&self, e: &str) -> usize {
        self.obs
            .iter()
            .filter_map(|w| w.upgrade())
            .map(|o| o.notify(e))
            .count()
    }
}
#[derive(Debug)]
struct TreeNode {
    val: i32,
    children: RefCell<Vec<Rc<TreeNode>>>,
    parent: RefCell<Weak<TreeNode>>,
}
type Link = Option<Rc<RefCell<DNode>>>;
struct DNode {
    v: i32,
    next: Link,
    prev: Option<Weak<RefCell<DNode>>>,
}
struct Graph {
    adj: HashMap<u32, Vec<(u32, u32)>>,
}
impl Graph {
    fn dijkstra(&self, s: u32) -> BTreeMap<u32, u32> {
        let mut d = BTreeMap::new();
        let mut h = BinaryHeap::new();
        h.push((std::cmp::Reverse(0), s));
        while let Some((std::cmp::Reverse(c), u)) = h.pop() {
            if d.contains_key(&u) {
                continue;
            }
            d.insert(u, c);
            for &(v, w) in self.adj.get(&u).map(|v| v.as_slice()).unwrap_or(&[]) {
                h.push((std::cmp::Reverse(c + w), v));
            }
        }
        d
    }
}
struct Stack<T> {
    items: Vec<T>,
}
impl<T> Stack<T> {
    fn with<F: FnOnce(&mut Vec<T>) -> R, R>(&mut self, f: F) -> R {
        f(&mut self.items)
    }
}
impl<T> Drop for Stack<T> {
    fn drop(&mut self) {
        println!("stack of {}", self.items.len());
    }
}
struct Guard<'a>(&'a Cell<i32>);
impl<'a> Guard<'a> {
    fn new(c: &'a Cell<i32>) -> Self {
        c.set(c.get() + 1);
        Guard(c)
    }
}
impl Drop for Guard<'_> {
    fn drop(&mut self) {
        self.0.set(self.0.get() - 1);
    }
}
fn depth(c: &Cell<i32>, n: i32) -> i32 {
    let _g = Guard::new(c);
    if n == 0 { c.get() } else { depth(c, n - 1) }
}
fn main() {
    let log = Rc::new(Log {
        msgs: RefCell::default(),
        n: Cell::new(0),
    });
    let dy: Rc<dyn Observer> = log.clone();
    let s = Subject {
        obs: vec![Rc::downgrade(&dy)],
    };
    println!("{}", s.fire("a"));
    drop(dy);
    println!("{} {:?} {}", s.fire("b"), log.msgs.borrow(), log.n.get());
    let leaf = Rc::new(TreeNode {
        val: 3,
        children: RefCell::new(vec![]),
        parent: RefCell::new(Weak::new()),
    });
    let br = Rc::new(TreeNode {
        val: 5,
        children: RefCell::new(vec![Rc::clone(&leaf)]),
        parent: RefCell::new(Weak::new()),
    });
    *leaf.parent.borrow_mut() = Rc::downgrade(&br);
    println!(
        "{} {}",
        leaf.parent.borrow().upgrade().unwrap().val,
        br.children.borrow().iter().map(|c| c.val).sum::<i32>()
    );
    let a = Rc::new(RefCell::new(DNode {
        v: 1,
        next: None,
        prev: None,
    }));
    let b = Rc::new(RefCell::new(DNode {
        v: 2,
        next: None,
        prev: Some(Rc::downgrade(&a)),
    }));
    a.borrow_mut().next = Some(b.clone());
    println!(
        "{} {}",
        a.borrow().next.as_ref().unwrap().borrow().v,
        b.borrow().prev.as_ref().unwrap().upgrade().unwrap().borrow().v
    );
    println!("{} {}", Rc::strong_count(&a), Rc::strong_count(&b));
    let mut g = Graph { adj: HashMap::new() };
    for (u, v, w) in [(1, 2, 7), (1, 3, 2), (3, 2, 3), (2, 4, 1)] {
        g.adj.entry(u).or_insert_with(Vec::new).push((v, w));
    }
    println!("{:?}", g.dijkstra(1));
    let mut st = Stack { items: vec![1, 2] };
    let n = st.with(|v| {
        v.push(3);
        v.len()
    });
    println!("{n}");
    let c = Cell::new(0);
    println!("{} {}", depth(&c, 4), c.get());
    let words = RefCell::new(BTreeMap::<String, Vec<usize>>::new());
    for (i, w) in "x y x".split(' ').enumerate() {
        words.borrow_mut().entry(w.to_owned()).or_default().push(i);
    }
    println!("{:?}", words.borrow());
    let total = words.borrow().values().map(Vec::len).sum::<usize>();
    println!("{total}");
    let st2 = Some(Stack { items: vec!['a'] });
    if let Some(ref s) = st2 {
        println!("{}", s.items.len());
    }
    let Some(s3) = st2 else { return };
    println!("moved {}", s3.items.len());
    let cache: RefCell<HashMap<u64, u64>> = RefCell::new(HashMap::new());
    fn f(n: u64, c: &RefCell<HashMap<u64, u64>>) -> u64 {
        if n < 2 {
            return n;
        }
        if let Some(v) = c.borrow().get(&n) {
            return *v;
        }
        let r = f(n - 1, c) + f(n - 2, c);
        c.borrow_mut().insert(n, r);
        r
    }
    println!("{}", f(40, &cache));
}
