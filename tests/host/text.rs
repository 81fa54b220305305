//! Strings and format strings: what people print in messages and compare in tests.

use std::fmt;

#[test]
fn widths_fills_and_signs() {
    assert_eq!(format!("[{:5}]", 42), "[   42]");
    assert_eq!(format!("[{:<5}]", 42), "[42   ]");
    assert_eq!(format!("[{:^5}]", 42), "[ 42  ]");
    assert_eq!(format!("[{:>5}]", "ab"), "[   ab]");
    assert_eq!(format!("[{:5}]", "ab"), "[ab   ]");
    assert_eq!(format!("[{:*^7}]", "mid"), "[**mid**]");
    assert_eq!(format!("{:+} {:+}", 3, -3), "+3 -3");
    assert_eq!(format!("{:05}", -42), "-0042");
    assert_eq!(format!("[{:.2}]", "abcdef"), "[ab]");
}

#[test]
fn bases() {
    assert_eq!(format!("{:x} {:X} {:#x}", 255, 255, 255), "ff FF 0xff");
    assert_eq!(format!("{:b} {:#b} {:#010b}", 5, 5, 5), "101 0b101 0b00000101");
    assert_eq!(format!("{:o} {:#o}", 8, 8), "10 0o10");
    assert_eq!(format!("{:#06x}", 0x2f), "0x002f");
    assert_eq!(format!("{:x}", -1i8), "ff");
    assert_eq!(format!("{:02x}{:02x}", 7u8, 200u8), "07c8");
}

#[test]
fn arguments_by_position_and_name() {
    let name = "A";
    let size = 8;
    assert_eq!(format!("{name} = {size}"), "A = 8");
    assert_eq!(format!("{0}-{1}-{0}", 1, 2), "1-2-1");
    assert_eq!(format!("{a}{b:?}", a = 1, b = "x"), "1\"x\"");
    assert_eq!(format!("{size:>4}|{size:04}|{size:?}"), "   8|0008|8");
    let (width, digits) = (9, 3);
    assert_eq!(format!("{:width$.digits$}", 2.0f64.sqrt()), "    1.414");
    assert_eq!(format!("{:>1$}", 7, 3), "  7");
    assert_eq!(format!("{:.*}", 1, 0.25), "0.2");
    assert_eq!(format!("{{{}}} 100%", size), "{8} 100%");
}

#[test]
fn debug_of_values() {
    assert_eq!(format!("{:?}", "a\"b\n\\"), r#""a\"b\n\\""#);
    assert_eq!(format!("{:?}", 'x'), "'x'");
    assert_eq!(format!("{:?}", Some(3)), "Some(3)");
    assert_eq!(format!("{:?}", None::<i32>), "None");
    assert_eq!(format!("{:?}", (1, "a", 2.5)), "(1, \"a\", 2.5)");
    assert_eq!(format!("{:?}", vec![1u8, 2, 3]), "[1, 2, 3]");
    assert_eq!(format!("{:?}", [Some(1.0), None]), "[Some(1.0), None]");
    assert_eq!(format!("{:?}", Ok::<i32, String>(1)), "Ok(1)");
    assert_eq!(format!("{:?}", ()), "()");
    assert_eq!(format!("{:?} {:?}", 0..3, 1..=4), "0..3 1..=4");
    assert_eq!(format!("{:03?}", [1, 20]), "[001, 020]");
    assert_eq!(format!("{:.1?}", vec![1.0, 2.25]), "[1.0, 2.2]");
}

#[derive(Debug, Clone, PartialEq, Default)]
struct Shape {
    rows: usize,
    name: String,
}

#[derive(Debug)]
struct Pair(i32, Option<f32>);

#[derive(Debug)]
struct Unit;

#[derive(Debug)]
enum Layout {
    Flat,
    Tiled(usize),
    Padded { to: usize, with: i8 },
}

#[test]
fn derived_debug() {
    let shape = Shape { rows: 3, name: "w".to_string() };
    assert_eq!(format!("{shape:?}"), "Shape { rows: 3, name: \"w\" }");
    assert_eq!(format!("{:?}", Pair(1, Some(0.5))), "Pair(1, Some(0.5))");
    assert_eq!(format!("{:?}", Unit), "Unit");
    let all = [Layout::Flat, Layout::Tiled(4), Layout::Padded { to: 8, with: -1 }];
    assert_eq!(format!("{all:?}"), "[Flat, Tiled(4), Padded { to: 8, with: -1 }]");
}

#[test]
fn debug_over_several_lines() {
    let shape = Shape { rows: 1, name: String::from("x") };
    assert_eq!(format!("{shape:#?}"), "Shape {\n    rows: 1,\n    name: \"x\",\n}");
    assert_eq!(format!("{:#?}", vec![1, 2]), "[\n    1,\n    2,\n]");
    assert_eq!(format!("{:#?}", Pair(1, None)), "Pair(\n    1,\n    None,\n)");
    assert_eq!(format!("{:#?}", Vec::<i32>::new()), "[]");
}

struct Percent(f32);

impl fmt::Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1}%", self.0 * 100.0)
    }
}

struct Grid {
    width: usize,
    cells: Vec<u8>,
}

impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for row in self.cells.chunks(self.width) {
            let words: Vec<String> = row.iter().map(|c| c.to_string()).collect();
            writeln!(f, "{}", words.join(" "))?;
        }
        Ok(())
    }
}

#[test]
fn own_display() {
    assert_eq!(Percent(0.256).to_string(), "25.6%");
    assert_eq!(format!("<{}>", Percent(1.0)), "<100.0%>");
    let grid = Grid { width: 2, cells: vec![1, 2, 3, 4] };
    assert_eq!(format!("{grid}"), "1 2\n3 4\n");
}

struct Field {
    bits: u32,
}

impl fmt::Debug for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Field").field("bits", &self.bits).finish()
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("field of ")?;
        f.write_fmt(format_args!("{} bits", self.bits))
    }
}

#[test]
fn builders_of_debug() {
    assert_eq!(format!("{:?}", Field { bits: 4 }), "Field { bits: 4 }");
    assert_eq!(format!("{}", Field { bits: 12 }), "field of 12 bits");
}

#[test]
fn strings_grow() {
    let mut text = String::new();
    text.push('a');
    text.push_str("bc");
    text += "d";
    text = text + "e" + &"f".to_string();
    assert_eq!(text, "abcdef");
    assert_eq!(text.len(), 6);
    assert_eq!(text.pop(), Some('f'));
    text.insert(0, '>');
    assert_eq!(&text[1..3], "ab");
    text.clear();
    assert!(text.is_empty());
    assert_eq!("ab".repeat(3), "ababab");
}

#[test]
fn strings_are_taken_apart() {
    let line = "name = A, size = 64";
    let parts: Vec<&str> = line.split(", ").collect();
    assert_eq!(parts, ["name = A", "size = 64"]);
    let (key, value) = parts[1].split_once(" = ").unwrap();
    assert_eq!((key, value.parse::<u32>()), ("size", Ok(64)));
    assert_eq!("a b  c".split_whitespace().count(), 3);
    assert_eq!("one\ntwo\n".lines().collect::<Vec<_>>(), vec!["one", "two"]);
    assert_eq!("  x ".trim(), "x");
    assert_eq!("prefix-body".strip_prefix("prefix-"), Some("body"));
    assert_eq!("kernel".find("ne"), Some(3));
    assert!("kernel".starts_with("ker") && "kernel".ends_with('l') && "kernel".contains("rn"));
    assert_eq!("a-b-c".replace("-", "+"), "a+b+c");
    assert_eq!("x1y22".chars().filter(|c| c.is_ascii_digit()).collect::<String>(), "122");
}

#[test]
fn letters_and_bytes() {
    assert_eq!("abc".chars().rev().collect::<String>(), "cba");
    assert_eq!("Abc".to_uppercase() + &"Abc".to_lowercase(), "ABCabc");
    assert_eq!("né".len(), 3);
    assert_eq!("né".chars().count(), 2);
    assert_eq!("AB".as_bytes(), &[65, 66]);
    assert_eq!("hey".bytes().map(|b| b as u32).sum::<u32>(), 326);
    assert_eq!('7'.to_digit(10), Some(7));
    assert_eq!(std::char::from_digit(5, 10), Some('5'));
    assert_eq!("abc".chars().nth(1), Some('b'));
    assert_eq!("zebra".char_indices().max_by_key(|&(_, c)| c).unwrap(), (0, 'z'));
}

#[test]
fn strings_are_compared_and_joined() {
    assert!("apple" < "banana");
    assert!(String::from("b") > "a".to_string());
    let words = vec!["m", "k", "n"];
    assert_eq!(words.join(" x "), "m x k x n");
    assert_eq!(words.concat(), "mkn");
    let axes: Vec<String> = (0..3).map(|i| format!("A{i}")).collect();
    assert_eq!(axes.join(","), "A0,A1,A2");
    let owned: String = words.iter().map(|w| w.to_uppercase()).collect();
    assert_eq!(owned, "MKN");
}

#[test]
fn literals_over_lines_and_raw() {
    let joined = "one \
                  line";
    assert_eq!(joined, "one line");
    assert_eq!("tab\there", "tab	here");
    assert_eq!("\u{41}\x42\0".len(), 3);
    assert_eq!(r"\n".len(), 2);
    assert_eq!(concat!("a", 1, true), "a1true");
    assert_eq!(stringify!(A), "A");
}

#[test]
fn printing_does_not_fail() {
    print!("one ");
    println!("line {}", 1);
    println!();
    eprintln!("to stderr: {:?}", [1, 2]);
    let twice = dbg!(2 * 21);
    assert_eq!(twice, 42);
}
