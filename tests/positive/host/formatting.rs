// Texts of types of one's own.
use std::fmt::{self, Debug, Display, Formatter};
struct P { x: i32, y: i32 }

impl Display for P {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        write!(f, "({}, {})", self.x, self.y)
    }
}

impl Debug for P {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("P").field("x", &self.x).field("y", &self.y).finish()
    }
}

struct L(Vec<i32>);

impl fmt::Debug for L {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.0.iter()).finish()
    }
}

struct T(i32, f32);

impl fmt::Debug for T {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("T").field(&self.0).field(&self.1).finish()
    }
}

impl fmt::Display for L {
    fn fmt(&self, f: &mut fmt::Formatter) -> Result<(), fmt::Error> {
        for (i, x) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str(", ")?;
            }
            write!(f, "{x}")?;
        }
        writeln!(f)?;
        Ok(())
    }
}

struct Hex(u32);

impl fmt::LowerHex for Hex {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::LowerHex::fmt(&self.0, f)
    }
}

struct W<'a>(&'a P);

impl<'a> fmt::Display for W<'a> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.0, f)
    }
}

#[test]
fn works() {
    let p = P { x: 1, y: 2 };
    assert_eq!(p.to_string(), "(1, 2)");
    assert_eq!(format!("{p:?}"), "P { x: 1, y: 2 }");
    println!("{} {:?} {:?} {:x}", L(vec![1]), L(vec![2]), T(1, 2.0), Hex(3));
    assert_eq!(format!("{}", W(&p)), "(1, 2)");
}
