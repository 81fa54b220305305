// Names brought in: groups, self, renamed, variants, for their methods only.
pub mod a {
    pub use super::b::*;
    pub fn fa() -> i32 {
        1
    }
}

pub mod b {
    pub use super::a::*;
    pub use super::*;
    pub fn fb() -> i32 {
        fa() + fc()
    }
}

pub mod c {
    use super::*;
    pub fn fc2() -> i32 {
        fa() + fb() + deep::fd()
    }
    pub mod deep {
        use super::super::*;
        use super::super::a::fb as other;
        pub fn fd() -> i32 {
            fc() + other()
        }
    }
}

pub use a::*;
pub use b::*;

pub fn fc() -> i32 {
    2
}

pub mod shapes {
    #[derive(Debug, PartialEq, Clone, Copy)] pub enum Kind { Big, Small(i32) }
    pub use self::Kind::*;
    pub use Kind::Big as Huge;
    pub trait Grow {
        fn grow(&self) -> i32;
    }
    impl Grow for i32 {
        fn grow(&self) -> i32 {
            *self + 1
        }
    }
    pub mod inner {
        pub use super::Kind::{self, Small};
        pub const Z: i32 = 1;
    }
}

mod tests {
    use crate::shapes::{self, inner::{self, Z}, Grow as _, Kind};
    use self::helper::two;
    use super::{a, b::{self as bb, fb}};
    use crate::{c::deep::{self}, fc};
    mod helper {
        pub fn two() -> i32 {
            2
        }
    }
    #[test]
    fn works() {
        use Kind::*;
        use shapes::Huge;
        assert_eq!(a::fa() + bb::fb() + fb() + deep::fd() + fc() + two() + Z, 1 + 3 + 3 + 5 + 2 + 2 + 1);
        assert_eq!(1.grow(), 2);
        match Kind::Big { Big => {}, Small(_) => panic!() }
        assert_eq!(Huge, inner::Kind::Big);
        assert_eq!(inner::Small(2), Kind::Small(2));
        assert_eq!(crate::c::fc2(), 1 + 3 + 5);
    }
}
