// Items of all kinds in a function; attributes, lifetimes and docs everywhere.
#![allow(dead_code)]
//! Docs of the crate.
/// Docs.

#[derive(Debug, Clone)]
#[must_use]
pub struct A<'a, T: 'a + Clone> where T: std::fmt::Debug {
    #[allow(unused)] pub(crate) x: &'a T,
    /** block doc */ pub n: usize,
}

impl<'a, T> A<'a, T> where T: Clone + std::fmt::Debug + 'a {
    #[inline(always)] pub fn get(&'a self) -> &'a T {
        self.x
    }
    #[must_use = "x"] pub const fn n(&self) -> usize {
        self.n
    }
    fn map<U, F>(&self, f: F) -> U where F: FnOnce(&T) -> U {
        f(self.x)
    }
}

fn longest<'a>(a: &'a str, b: &'a str) -> &'a str {
    if a.len() > b.len() { a } else { b }
}

struct Parser<'src> { text: &'src str, pos: usize }

impl<'src> Parser<'src> {
    fn new(text: &'src str) -> Self {
        Parser { text, pos: 0 }
    }
    fn word(&mut self) -> Option<&'src str> {
        let rest = &self.text[self.pos..];
        if rest.is_empty() {
            return None;
        }
        self.pos = self.text.len();
        Some(rest)
    }
}

#[rustfmt::skip]
#[cfg(not(test))]
fn only() -> i32 {
    1
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    #[ignore = "slow"]
    fn ignored() {}
    #[test]
    #[allow(clippy::needless_range_loop, unused_variables)]
    fn works() {
        #[derive(Debug, PartialEq, Clone, Copy)]
        struct Local { v: i32 }
        impl Local {
            fn up(self) -> Self {
                Local { v: self.v + 1 }
            }
        }
        trait Dbl {
            fn dbl(&self) -> i32;
        }
        impl Dbl for Local {
            fn dbl(&self) -> i32 {
                self.v * 2
            }
        }
        mod nested {
            pub fn three() -> i32 {
                3
            }
            pub mod deeper {
                pub const K: i32 = 4;
            }
        }
        use nested::deeper::K;
        fn gen<T: Default>() -> T {
            T::default()
        }
        enum Dir { L, R }
        use Dir::*;
        static ONCE: i32 = 1;
        type Num = i64;
        let l = Local { v: 1 }.up();
        assert_eq!(l.dbl() + nested::three() + K + ONCE, 12);
        let z = gen::<i32>() + gen::<Num>() as i32;
        let d = match R { L => 1, R => 2 };
        #[allow(unused)]
        let a = A { x: &l, n: 3 };
        assert_eq!(a.map(|x| x.v) + a.get().v + a.n() as i32, 7);
        assert_eq!(longest("a", "bc"), "bc");
        let mut p = Parser::new("abc");
        while let Some(w) = p.word() {
            assert_eq!(w, "abc");
        }
        #[cfg(debug_assertions)]
 {
            println!("debug");
        }
        if cfg!(debug_assertions) {
            println!("x");
        }
        let _ = (z, d);
    }
}
