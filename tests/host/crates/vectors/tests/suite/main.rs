//! One test crate of several files.

mod common;
mod dma;
mod vector_engine;

use crate::common::Shape;

#[test]
fn the_root_sees_its_modules() {
    assert_eq!(Shape::default().positions(), 1);
}
