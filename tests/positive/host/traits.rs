// Traits: functions with and without a body, constants, called through the value, the type and the trait.
use furiosa_visa_std::prelude::*;

trait Shape {
    fn area(&self) -> f32;
    fn name(&self) -> &'static str {
        "shape"
    }
    const SIDES: usize = 0;
}

struct Square(f32);
struct Circle { r: f32 }

impl Shape for Square {
    fn area(&self) -> f32 {
        self.0 * self.0
    }
    const SIDES: usize = 4;
}

impl Shape for Circle {
    fn area(&self) -> f32 {
        3.14 * self.r * self.r
    }
    fn name(&self) -> &'static str {
        "circle"
    }
}

fn total<T: Shape>(x: &T) -> f32 {
    x.area() + T::SIDES as f32
}

fn pair<A, B>(a: A, b: B) -> f32 where A: Shape, B: Shape {
    a.area() + b.area()
}

#[test]
fn works() {
    let s = Square(2.0);
    let c = Circle { r: 1.0 };
    assert_eq!(Shape::area(&s), 4.0);
    assert_eq!(<Square as Shape>::area(&s), 4.0);
    assert_eq!(<Square as Shape>::SIDES, 4);
    assert_eq!(Square::SIDES, 4);
    assert_eq!(Circle::SIDES, 0);
    assert_eq!(s.name(), "shape");
    assert_eq!(Circle::name(&c), "circle");
    assert_eq!(total(&s), 8.0);
    assert!(pair(s, c) > 0.0);
}
