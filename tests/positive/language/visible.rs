// What is private is seen in its module and inside of that.
use furiosa_visa_std::prelude::*;

mod shapes {
    use furiosa_visa_std::prelude::*;
    axes![S = 256, A = 64];
    pub type Slice = m![S];
    pub(crate) mod sizes {
        pub(in crate::shapes) const STEP: u64 = 64;
        pub(super) fn first() -> u64 {
            super::start()
        }
        pub struct Size {
            pub(crate) bytes: u64,
            pub(super) rows: u64,
            columns: u64,
        }
        impl Size {
            pub fn new(bytes: u64) -> Self {
                Size { bytes, rows: 1, columns: 1 }
            }
            pub(crate) fn all(&self) -> u64 {
                self.inside() * self.rows
            }
            fn inside(&self) -> u64 {
                self.columns
            }
        }
        mod deepest {
            use super::*;
            pub(in super::super) fn all(size: &Size) -> u64 {
                size.inside() + size.columns + start() + STEP
            }
        }
        pub(super) use deepest::all;
        use super::start;
    }
    fn start() -> u64 {
        0
    }
    pub fn total() -> u64 {
        let size = sizes::Size::new(sizes::STEP);
        size.rows + sizes::first() + sizes::all(&size)
    }
    pub struct Rows(pub u64, pub(crate) u64);
    pub enum Way {
        Near(u64),
        Far { by: u64 },
    }
    pub use Way::Far;
}

mod kernel {
    pub fn load() -> u64 {
        0
    }
}
use kernel::load as kernel;

fn far(way: shapes::Way) -> u64 {
    match way {
        shapes::Way::Near(n) => n,
        shapes::Far { by } => by,
    }
}

fn use_all() -> u64 {
    use shapes::sizes::Size;
    let size = Size::new(shapes::total());
    let shapes::Rows(a, b) = shapes::Rows(kernel(), kernel::load());
    size.bytes + size.all() + a + b + far(shapes::Way::Far { by: 1 })
}

#[cfg(test)]
mod tests {
    use super::shapes::{A, Slice};
    use super::*;

    fn private_things_of_modules_around() -> usize {
        assert!(use_all() > 0);
        <m![{ Slice }, A]>::SIZE
    }
}
