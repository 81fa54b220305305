// Boxes and cells, memory, user operators in nested places, closures, panics that are caught.
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::rc::Rc;

#[derive(Debug, Clone)]
struct Near(f32);
impl PartialEq for Near {
    fn eq(&self, other: &Near) -> bool {
        self.0 == other.0 || (self.0.is_nan() && other.0.is_nan())
    }
}
#[derive(Debug, Clone, PartialEq, Eq)]
struct Task {
    name: String,
    rank: u32,
}
impl PartialOrd for Task {
    fn partial_cmp(&self, other: &Task) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Task {
    fn cmp(&self, other: &Task) -> std::cmp::Ordering {
        other.rank.cmp(&self.rank).then_with(|| self.name.cmp(&other.name))
    }
}
#[derive(Debug, Default, Clone, PartialEq)]
struct Settings {
    name: String,
    size: usize,
    scale: f32,
    deep: Option<Vec<i32>>,
    mode: Mode,
}
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Mode {
    Slow,
    #[default]
    Normal,
    Fast,
}
struct Node {
    value: i32,
    next: Option<Box<Node>>,
}
fn adder(n: i32) -> impl Fn(i32) -> i32 {
    move |x| x + n
}
fn apply(f: &dyn Fn(i32) -> i32, x: i32) -> i32 {
    f(x)
}

fn main() {
    println!("{}", vec![Near(1.0), Near(f32::NAN)] == vec![Near(1.0), Near(f32::NAN)]); //> true
    println!("{}", Some(Near(f32::NAN)) == Some(Near(1.0))); //> false
    assert_eq!(vec![(Near(f32::NAN), 1)], vec![(Near(f32::NAN), 1)]);
    let mut tasks = vec![
        Task { name: "b".to_string(), rank: 1 },
        Task { name: "a".to_string(), rank: 5 },
        Task { name: "c".into(), rank: 1 },
    ];
    tasks.sort();
    println!("{:?}", tasks.iter().map(|t| t.name.as_str()).collect::<Vec<_>>()); //> ["a", "b", "c"]
    println!("{} {:?}", tasks[0] < tasks[1], tasks.iter().max().map(|t| &t.name)); //> true Some("c")
    let settings = Settings { size: 4, ..Default::default() };
    println!("{settings:?}"); //> Settings { name: "", size: 4, scale: 0.0, deep: None, mode: Normal }
    println!("{} {} {:?}", Mode::Slow < Mode::Fast, Mode::Fast as i32, Mode::default()); //> true 2 Normal
    let list = Node { value: 1, next: Some(Box::new(Node { value: 2, next: None })) };
    let mut sum = 0;
    let mut at = Some(&list);
    while let Some(node) = at {
        sum += node.value;
        at = node.next.as_deref();
    }
    println!("{sum}"); //> 3
    let shared = Rc::new(RefCell::new(vec![1]));
    let other = Rc::clone(&shared);
    other.borrow_mut().push(2);
    println!("{:?} {}", shared.borrow(), shared.borrow().len()); //> [1, 2] 2
    let cell = Cell::new(5);
    cell.set(cell.get() + 1);
    println!("{} {}", cell.get(), cell.replace(0)); //> 6 6
    let (mut a, mut b) = (1, 2);
    std::mem::swap(&mut a, &mut b);
    println!("{a} {b} {} {}", std::mem::replace(&mut a, 9), a); //> 9 1 2 9
    let mut text = String::from("gone");
    println!("{:?} {:?}", std::mem::take(&mut text), text); //> "gone" ""
    println!("{} {} {}", size_of::<u32>(), std::mem::size_of::<[f64; 3]>(), std::mem::size_of_val(&1u16)); //> 4 24 2
    let add = adder(10);
    let adders: Vec<Box<dyn Fn(i32) -> i32>> = vec![Box::new(|x| x + 1), Box::new(move |x| x * b)];
    println!("{} {} {:?}", add(5), apply(&add, 1), adders.iter().map(|f| f(3)).collect::<Vec<_>>()); //> 15 11 [4, 3]
    let mut counter = 0;
    let mut bump = || {
        counter += 2;
        counter
    };
    bump();
    println!("{} {}", bump(), counter); //> 4 4
    let caught = catch_unwind(AssertUnwindSafe(|| {
        let none: Option<i32> = None;
        none.unwrap()
    }));
    println!("{}", caught.is_err()); //> true
    println!("{:?}", catch_unwind(|| 5).unwrap()); //> 5
    let names: HashMap<Mode, &str> = HashMap::from([(Mode::Slow, "s"), (Mode::Fast, "f")]);
    println!("{:?} {:?}", names.get(&Mode::Fast), names.get(&Mode::Normal)); //> Some("f") None
    let label = 'outer: loop {
        for i in 0.. {
            if i == 3 {
                break 'outer i * 2;
            }
        }
    };
    println!("{label}"); //> 6
    let [x, y, ..] = [1, 2, 3, 4];
    let (first, rest) = ("a", (2, 3.5));
    println!("{x} {y} {first} {rest:?} {}", matches!(rest, (2, _))); //> 1 2 a (2, 3.5) true
    println!("{}", match 42 { 0 => "zero", n if n % 2 == 0 => "even", _ => "odd" }); //> even
    println!("{}", if let Some(n @ 1..=5) = Some(3) { n } else { 0 }); //> 3
    println!("{:?} {:?}", std::cmp::Reverse(1) < std::cmp::Reverse(2), std::cmp::Reverse(3)); //> false Reverse(3)
    let mut keys = vec![3, 1, 2];
    keys.sort_by_key(|k| std::cmp::Reverse(*k));
    println!("{keys:?}"); //> [3, 2, 1]
    let mut out = String::new();
    use std::fmt::Write;
    write!(out, "{}-", 1).unwrap();
    writeln!(&mut out, "{:?}", 'x').unwrap();
    print!("{out}"); //> 1-'x'
    log::info!("not seen {}", 1);
    eprintln!("not here");
}
