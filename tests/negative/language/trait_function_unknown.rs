// A function that the trait does not have.
trait Shape {
    fn area(&self) -> f32;
}

struct Square(f32);

impl Shape for Square {
    fn area(&self) -> f32 {
        self.0 * self.0
    }
}

fn total() -> f32 {
    Shape::volume(&Square(2.0)) // expect error: E0434 has no function
}
