// A function called through its trait, on a type that does not have it.
trait Shape {
    fn area(&self) -> f32;
}

struct Square(f32);
struct Line;

impl Shape for Square {
    fn area(&self) -> f32 {
        self.0 * self.0
    }
}

fn total() -> f32 {
    Shape::area(&Square(2.0)) + Shape::area(&Line) // expect error: E0434 does not implement
}
