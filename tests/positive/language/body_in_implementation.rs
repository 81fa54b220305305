// A trait may leave out a body; a function that `#[cfg]` removes does not need one.
trait Step {
    fn next(&self) -> i32;

    fn after_next(&self) -> i32 {
        self.next() + 1
    }
}

struct Counter(i32);

impl Step for Counter {
    fn next(&self) -> i32 {
        self.0 + 1
    }
}

#[cfg(windows)]
fn elsewhere(value: i32) -> i32;

fn both(counter: &Counter) -> i32 {
    counter.next() + counter.after_next()
}
