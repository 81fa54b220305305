// Modules that bring in each other whole.
pub use a::*;
pub use b::*;

pub mod a {
    pub use super::fb as renamed;
    pub use super::same;
    pub use super::b::*;
    pub use super::*;
    pub fn fa() -> i32 {
        renamed() + same()
    }
}

pub mod b {
    pub use super::a::*;
    pub use super::*;
    pub fn fb() -> i32 {
        1
    }
    pub fn same() -> i32 {
        2
    }
    pub struct Deep(pub i32);
}

pub mod c {
    use super::*;
    pub use super::a::Deep as Other;
    pub fn fc() -> i32 {
        fa() + renamed() + same() + Deep(1).0 + Other(2).0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use super::c::*;
    #[test] fn works() {
        assert_eq!(renamed() + same() + fc() + crate::a::renamed() + crate::b::renamed() + Deep(1).0 + Other(3).0, 17);
    }
}
