// A module and a function may share a name, and be imported by it both.
mod kernels {
    pub mod scale {
        pub fn scale() -> i32 {
            3
        }
        pub fn twice() -> i32 {
            2 * scale()
        }
    }
}

mod front {
    pub use crate::kernels::scale;
    pub use crate::kernels::scale::scale;
}

#[test]
fn both() {
    assert_eq!((front::scale(), front::scale::twice()), (3, 6));
}
