// expect: 2 passed, 4 failed, 0 ignored
// says: would wait for ever
// says: RefCell already borrowed
// says: RefCell already mutably borrowed
// says: a guard of this lock is still held
use furiosa_visa_std::prelude::*;
use std::cell::RefCell;
use std::sync::Mutex;

#[tokio::test]
async fn a_context_is_held() {
    let _first = Context::acquire();
    let _second = Context::acquire();
}

#[tokio::test]
async fn a_context_is_given_back() {
    let first = Context::acquire();
    drop(first);
    let _second = Context::acquire();
}

#[test]
fn a_reader_is_there() {
    let cell = RefCell::new(1);
    let _reader = cell.borrow();
    *cell.borrow_mut() = 2;
}

#[test]
fn a_writer_is_there() {
    let cell = RefCell::new(1);
    let _writer = cell.borrow_mut();
    assert_eq!(*cell.borrow(), 1);
}

#[test]
fn a_lock_is_held() {
    let lock = Mutex::new(1);
    let _guard = lock.lock().unwrap();
    *lock.lock().unwrap() = 2;
}

#[test]
fn guards_of_statements_are_gone() {
    let cell = RefCell::new(1);
    *cell.borrow_mut() += 1;
    assert_eq!(*cell.borrow(), 2);
}
