//! lib
pub mod gen;
#[path = "deep/odd_name.rs"]
pub mod odd;
pub mod inline {
    #[path = "other.rs"]
    pub mod outside;
    pub mod plain;
}
pub use gen::parts::{one, two as deux};
pub fn top() -> i32 { one() + deux() + odd::sub::three() + inline::outside::x() + inline::plain::y() }
