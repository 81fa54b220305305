// prints: 2 true 6
// prints: 1 Ok(5)
// prints: None
// prints: Some(5) 2 1
// prints: 3
// prints: true 1
// prints: 2 2
// prints: 2 Ok(2)
// prints: cfg
// prints: Some("cfg") 3
// prints: [4]
// prints: None 7 Err(8)
// prints: 12 6
// prints: 2
// prints: true true
// prints: 3
// prints: 4
// prints: 2
// prints: Some(2)
// prints: true
// prints: 3
use std::cell::*;
use std::rc::{Rc, Weak};
use std::sync::atomic::*;
use std::sync::*;
static N: AtomicUsize = AtomicUsize::new(0);
static CFG: OnceLock<String> = OnceLock::new();
static LZ: LazyLock<Vec<i32>> = LazyLock::new(|| vec![1, 2, 3]);
static MX: Mutex<Vec<i32>> = Mutex::new(Vec::new());

#[derive(Debug)]
struct Node {
    v: i32,
    ch: RefCell<Vec<Rc<Node>>>,
    par: RefCell<Weak<Node>>,
}
fn main() {
    let a = Rc::new(5);
    let b = Rc::clone(&a);
    println!("{} {} {}", Rc::strong_count(&a), Rc::ptr_eq(&a, &b), *a + 1);
    drop(b);
    println!("{} {:?}", Rc::strong_count(&a), Rc::try_unwrap(a));
    let leaf = Rc::new(Node {
        v: 3,
        ch: RefCell::new(vec![]),
        par: RefCell::new(Weak::new()),
    });
    println!("{:?}", leaf.par.borrow().upgrade().map(|p| p.v));
    {
        let br = Rc::new(Node {
            v: 5,
            ch: RefCell::new(vec![Rc::clone(&leaf)]),
            par: RefCell::new(Weak::new()),
        });
        *leaf.par.borrow_mut() = Rc::downgrade(&br);
        println!(
            "{:?} {} {}",
            leaf.par.borrow().upgrade().map(|p| p.v),
            Rc::strong_count(&leaf),
            Rc::weak_count(&br)
        );
        println!("{}", br.ch.borrow()[0].v);
    }
    println!(
        "{} {}",
        leaf.par.borrow().upgrade().is_none(),
        Rc::strong_count(&leaf)
    );
    let c = Cell::new(1);
    c.set(c.get() + 1);
    println!("{} {}", c.get(), c.replace(9));
    N.fetch_add(2, Ordering::SeqCst);
    println!(
        "{} {:?}",
        N.load(Ordering::Relaxed),
        N.compare_exchange(2, 5, Ordering::SeqCst, Ordering::SeqCst)
    );
    println!("{}", CFG.get_or_init(|| "cfg".to_string()));
    println!("{:?} {}", CFG.get(), LZ.len());
    MX.lock().unwrap().push(4);
    println!("{:?}", MX.lock().unwrap());
    let oc = OnceCell::new();
    println!("{:?} {} {:?}", oc.get(), oc.get_or_init(|| 7), oc.set(8));
    let ar = Arc::new(Mutex::new(0));
    let hs: Vec<_> = (0..4)
        .map(|i| {
            let ar = Arc::clone(&ar);
            std::thread::spawn(move || {
                *ar.lock().unwrap() += i;
                i * 2
            })
        })
        .collect();
    let s: i32 = hs.into_iter().map(|h| h.join().unwrap()).sum();
    println!("{} {}", s, *ar.lock().unwrap());
    let rw = RwLock::new(vec![1]);
    {
        rw.write().unwrap().push(2);
    }
    println!("{}", rw.read().unwrap().len());
    let rc = RefCell::new(3);
    {
        let g = rc.borrow();
        println!("{} {}", rc.try_borrow_mut().is_err(), rc.try_borrow().is_ok());
        println!("{}", *g);
    }
    *rc.borrow_mut() += 1;
    println!("{}", rc.into_inner());
    let mut r2 = Rc::new(1);
    *Rc::make_mut(&mut r2) += 1;
    println!("{}", r2);
    println!("{:?}", Rc::get_mut(&mut r2));
    let ab = AtomicBool::new(false);
    ab.store(true, Ordering::Release);
    println!("{}", ab.swap(false, Ordering::AcqRel));
    let rs: Rc<str> = Rc::from("abc");
    println!("{}", rs.len());
}
