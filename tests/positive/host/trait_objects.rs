// Values of several types behind one trait: references, boxes, lists of them.
trait Op {
    fn apply(&self, x: i32) -> i32;
    fn twice(&self, x: i32) -> i32 {
        self.apply(self.apply(x))
    }
}

struct Add(i32);
struct Mul(i32);

impl Op for Add {
    fn apply(&self, x: i32) -> i32 {
        x + self.0
    }
}

impl Op for Mul {
    fn apply(&self, x: i32) -> i32 {
        x * self.0
    }
}

fn run(op: &dyn Op, x: i32) -> i32 {
    op.apply(x)
}

fn make(kind: bool) -> Box<dyn Op> {
    if kind { Box::new(Add(1)) } else { Box::new(Mul(2)) }
}

#[test]
fn works() {
    let ops: Vec<Box<dyn Op>> = vec![Box::new(Add(1)), Box::new(Mul(3))];
    let r = ops.iter().fold(1, |acc, op| op.apply(acc));
    assert_eq!(r, 6);
    assert_eq!(run(&Add(2), 3), 5);
    assert_eq!(make(true).twice(1), 3);
    let list: [&dyn Op; 2] = [&Add(1), &Mul(2)];
    for op in list {
        assert!(op.apply(2) > 2);
    }
}
