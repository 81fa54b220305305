// Formatted text, and how values of all kinds print.
use std::fmt;
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
struct Point {
    x: i32,
    y: i32,
}
#[derive(Debug, Clone, PartialEq)]
enum Shape {
    Empty,
    Dot(Point),
    Line { from: Point, to: Point },
}
#[derive(Debug)]
struct Unit;
#[derive(Debug)]
struct Pair(i32, &'static str);
struct Hex(u32);
impl fmt::Display for Hex {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(&format!("#{:x}", self.0))
    }
}
impl fmt::Debug for Hex {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_tuple("Hex").field(&self.0).finish()
    }
}
struct Table {
    rows: Vec<i32>,
}
impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Table").field("rows", &self.rows).field("count", &self.rows.len()).finish_non_exhaustive()
    }
}
impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, row) in self.rows.iter().enumerate() {
            if i > 0 {
                write!(f, ", ")?;
            }
            write!(f, "{:>width$}", row, width = f.width().unwrap_or(0))?;
        }
        Ok(())
    }
}

fn main() {
    println!("{} {} {}", 1, "two", 3.0); //> 1 two 3
    println!("{0} {1} {0} {name}", 1, 2, name = "n"); //> 1 2 1 n
    let (width, precision, value) = (8, 2, 3.14159);
    println!("[{value:width$.precision$}] [{value:.1}] [{:>1$}]", 7, 4); //> [    3.14] [3.1] [   7]
    println!("[{:.*}] [{:.0$}]", 3, 2.5, 1.25); //> [2.500] [1.250]
    println!("[{:5}] [{:<5}] [{:^5}] [{:>5}] [{:*^7}]", 42, 42, 42, "ab", "mid"); //> [   42] [42   ] [ 42  ] [   ab] [**mid**]
    println!("[{:5}] [{:05}] [{:+}] [{:<05}] [{:.2}]", "ab", -42, 7, 7, "abcdef"); //> [ab   ] [-0042] [+7] [00007] [ab]
    println!("{:x} {:X} {:#x} {:#010b} {:o} {:#o}", 255, 255, 255, 5, 8, 8); //> ff FF 0xff 0b00000101 10 0o10
    println!("{:x} {:b} {:02x}", -1i8, -2i8, 10u8); //> ff 11111110 0a
    println!("{:e} {:e} {:E} {:.2e}", 1234.5, 0.00012, 1e10, 123456.0); //> 1.2345e3 1.2e-4 1E10 1.23e5
    println!("{} {} {} {}", 1e15, 1e16, 1.5e300 > 0.0, 1e-7); //> 1000000000000000 10000000000000000 true 0.0000001
    println!("{:?} {:?} {:?} {:?} {:?}", 1e15, 1e16, 1e-5, 1e-6, 123456789.0f32); //> 1000000000000000.0 1e16 1e-5 1e-6 123456790.0
    println!("{} {:?} {} {:?} {}", 1.0, 1.0, -0.0, -0.0, 0.1f32); //> 1 1.0 -0 -0.0 0.1
    println!("{} {:?} {} {:5}|{:<6}|", f32::NAN, f64::INFINITY, f64::NEG_INFINITY, f32::NAN, f32::INFINITY); //> NaN inf -inf   NaN|inf   |
    println!("{:.0} {:.0} {:.0} {:.1}", 0.5, 1.5, 2.5, 0.25); //> 0 2 2 0.2
    println!("{:08.3} {:+.1} {:8.2}|", -3.14159, 2.0, 1.0f32); //> -003.142 +2.0     1.00|
    println!("{} {:?} {:>5}|{:<5}|", true, false, true, false); //> true false  true|false|
    println!("{:?} {:?} {:?}", "q\"uote", 'c', '\n'); //> "q\"uote" 'c' '\n'
    println!("{:?} {:?} {:?} {:?}", (), (1,), (1, "a"), ((1, 2), 3)); //> () (1,) (1, "a") ((1, 2), 3)
    println!("{:?} {:?} {:?}", [1, 2], vec!["a"], [Some(1), None]); //> [1, 2] ["a"] [Some(1), None]
    println!("{:?} {:?} {:?} {:?}", 0..3, 1..=4, ..5, 2..); //> 0..3 1..=4 ..5 2..
    println!("{:?} {:?}", Ok::<i32, String>(1), Err::<i32, &str>("e")); //> Ok(1) Err("e")
    let p = Point { x: 1, y: -2 };
    println!("{p:?} {:?} {:?} {:?}", Unit, Pair(1, "x"), Shape::Empty); //> Point { x: 1, y: -2 } Unit Pair(1, "x") Empty
    println!("{:?} {:?}", Shape::Dot(p), Shape::Line { from: p, to: Point::default() }); //> Dot(Point { x: 1, y: -2 }) Line { from: Point { x: 1, y: -2 }, to: Point { x: 0, y: 0 } }
    println!("{:#?}", Shape::Dot(p)); //> Dot(
    //>     Point {
    //>         x: 1,
    //>         y: -2,
    //>     },
    //> )
    println!("{:#?} {:#?}", (1, "a"), Vec::<i32>::new()); //> (
    //>     1,
    //>     "a",
    //> ) []
    println!("{:#?}", vec![Some(1)]); //> [
    //>     Some(
    //>         1,
    //>     ),
    //> ]
    println!("{:.1?} {:3?} {:#?}", vec![1.0, 2.55], [1, 2], Unit); //> [1.0, 2.5] [  1,   2] Unit
    println!("[{}] [{:>6}] [{:<6}] {:?}", Hex(255), Hex(16), Hex(1), Hex(2)); //> [#ff] [   #10] [#1    ] Hex(2)
    println!("{:?} {:?}", vec![Hex(1)], Some(Hex(2))); //> [Hex(1)] Some(Hex(2))
    let t = Table { rows: vec![1, 2] };
    println!("{t:?} {t} {t:3}"); //> Table { rows: [1, 2], count: 2, .. } 1, 2   1,   2
    println!("{:#?}", t); //> Table {
    //>     rows: [
    //>         1,
    //>         2,
    //>     ],
    //>     count: 2,
    //>     ..
    //> }
    println!("{{}} {{{}}}", 5); //> {} {5}
    println!("{:?} {}", p == Point { x: 1, y: -2 }, p < Point { x: 1, y: 0 }); //> true true
    println!("{:?} {}", Box::new(5), Box::new("b")); //> 5 b
    println!("{:?} {:?}", "a".to_string(), &&1); //> "a" 1
    print!("no line");
    println!(); //> no line
    println!("{}", format!("{:>5}", format!("{:?}", Some(1)))); //> Some(1)
    println!("{:>10}|{:^10}|", format!("{:.1}%", 12.34), "é"); //>      12.3%|    é     |
    println!("{}", u64::MAX); //> 18446744073709551615
    println!("{:?}", [1u8, 2].iter().map(|b| format!("{b:02x}")).collect::<Vec<_>>().join(":")); //> "01:02"
}
