// prints: true
// prints: true
// prints: 2
// prints: true
// prints: true 5
// prints: RefCell { value: 5 } 5
// prints: [2, 4, 6]
// prints: [1, 2, 3, 3]
// prints: true
use std::cell::RefCell;
fn main() {
    let c = RefCell::new(1);
    let r = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let _a = c.borrow();
        let _b = c.borrow_mut();
    }));
    println!("{}", r.is_err());
    println!("{:?}", c.try_borrow_mut().is_ok());
    {
        let a = c.borrow();
        let b = c.borrow();
        println!("{}", *a + *b);
        println!("{}", c.try_borrow_mut().is_err());
    }
    {
        let mut m = c.borrow_mut();
        *m += 4;
        println!("{:?} {:?}", c.try_borrow().is_err(), *m);
    }
    println!("{:?} {}", c, c.borrow());
    let v = RefCell::new(vec![3, 1, 2]);
    v.borrow_mut().sort();
    println!("{:?}", v.borrow().iter().map(|x| x * 2).collect::<Vec<_>>());
    let n = v.borrow().len();
    v.borrow_mut().push(n as i32);
    println!("{:?}", v.borrow());
    if v.borrow().len() > 3 {
        v.borrow_mut().clear();
    }
    println!("{}", v.borrow().is_empty());
}
