// Formatted text, as the language writes it.
use std::collections::{BTreeMap, BTreeSet};

#[test]
fn hexadecimal_debug() {
    assert_eq!(format!("{:x?}", [10, 255]), "[a, ff]");
    assert_eq!(format!("{:X?}", [10, 255]), "[A, FF]");
    assert_eq!(format!("{:02x?}", vec![1u8, 10, 255]), "[01, 0a, ff]");
    assert_eq!(format!("{:#x?}", Some(10)), "Some(\n    0xa,\n)");
    assert_eq!(format!("{:#06x?}", 10), "0x000a");
    assert_eq!(format!("{:x?}", (-1i8, "a", 1.5)), "(ff, \"a\", 1.5)");
    assert_eq!(format!("{:x?}", u128::MAX), "ffffffffffffffffffffffffffffffff");
    assert_eq!(format!("{:?}", [10, 255]), "[10, 255]");
}

#[test]
fn no_numbers() {
    assert_eq!(format!("{:08}", f64::INFINITY), "00000inf");
    assert_eq!(format!("{:+08.2}", f64::INFINITY), "+0000inf");
    assert_eq!(format!("{:08.2}", f32::NEG_INFINITY), "-0000inf");
    assert_eq!(format!("{:+08.2}", f64::NAN), "00000NaN");
    assert_eq!(format!("{:<6}|", f64::NAN), "NaN   |");
    assert_eq!(format!("{:+08.2}", -1.255), "-0001.25");
    assert_eq!(format!("{:+08.2}", 3.14159), "+0003.14");
    assert_eq!(format!("{:?} {:?}", f64::NAN, -f64::INFINITY), "NaN -inf");
    assert_eq!(format!("{:e} {:E}", f64::INFINITY, f64::NAN), "inf NaN");
}

#[test]
fn escapes() {
    assert_eq!(format!("{:?}", "it's \"so\""), r#""it's \"so\"""#);
    assert_eq!(format!("{:?} {:?}", '\'', '"'), r#"'\'' '"'"#);
    assert_eq!(format!("{:?}", "\t\r\n\\\0"), r#""\t\r\n\\\0""#);
    assert_eq!(format!("{:?}", "\u{1}\u{1b}\u{7f}"), r#""\u{1}\u{1b}\u{7f}""#);
    assert_eq!(format!("{:?}", "e\u{301}"), r#""e\u{301}""#);
    assert_eq!(format!("{:?}", '\u{301}'), r"'\u{301}'");
    assert_eq!(format!("{:?}", "a\u{200b}b\u{feff}"), r#""a\u{200b}b\u{feff}""#);
    assert_eq!(format!("{:?}", "\u{a0}\u{3000}"), r#""\u{a0}\u{3000}""#);
    assert_eq!(format!("{:?}", '\u{e000}'), r"'\u{e000}'");
    assert_eq!(format!("{:?}", "äß€漢😀"), "\"äß€漢😀\"");
    assert_eq!(format!("{}", "e\u{301}\n"), "e\u{301}\n");
}

#[test]
fn exponents() {
    assert_eq!(format!("{:e}", 1234.5), "1.2345e3");
    assert_eq!(format!("{:E}", 0.00012), "1.2E-4");
    assert_eq!(format!("{:e}", 0.0), "0e0");
    assert_eq!(format!("{:e}", -7f32), "-7e0");
    assert_eq!(format!("{:.2e}", 1234.5), "1.23e3");
    assert_eq!(format!("{:.0e}", 1500.0), "2e3");
    assert_eq!(format!("{:e}", 1200), "1.2e3");
    assert_eq!(format!("{:e}", 0), "0e0");
    assert_eq!(format!("{:E}", -123i8), "-1.23E2");
    assert_eq!(format!("{:.1e}", 1250), "1.2e3");
    assert_eq!(format!("{:.1e}", 1350), "1.4e3");
    assert_eq!(format!("{:.1e}", 1251), "1.3e3");
    assert_eq!(format!("{:.1e}", 9960), "1.0e4");
    assert_eq!(format!("{:.4e}", 12), "1.2000e1");
    assert_eq!(format!("{:10.1e}|{:<8e}|{:08e}", 12345, 5, 50), "     1.2e4|5e0     |000005e1");
    assert_eq!(format!("{:?} {:?} {:?}", 1e16, 1e15, 0.00001), "1e16 1000000000000000.0 1e-5");
    assert_eq!(format!("{} {}", 1e16, 1e-7), "10000000000000000 0.0000001");
}

#[test]
fn counts_from_arguments() {
    let (width, precision, name) = (7, 2, "ab");
    assert_eq!(format!("{:>width$}|", 1.5), "    1.5|");
    assert_eq!(format!("{:>1$}|", 1.5, 6), "   1.5|");
    assert_eq!(format!("{:.*}", 3, 1.0), "1.000");
    assert_eq!(format!("{:>2$.*}|", 2, 9.876, 8), "    9.88|");
    assert_eq!(format!("{:width$.precision$}|", 1.23456), "   1.23|");
    assert_eq!(format!("{0:>1$}{0:<1$}|", 'x', 3), "  xx  |");
    assert_eq!(format!("{name:?} {name:>5} {n:03}", n = 7), "\"ab\"    ab 007");
    assert_eq!(format!("{:*^9}", "mid"), "***mid***");
    assert_eq!(format!("{:é<4}", 1), "1ééé");
    assert_eq!(format!("{:.1}", "grün"), "g");
    assert_eq!(format!("{:5.2}|", "grün"), "gr   |");
    assert_eq!(format!("{{}} {{{}}}", 1), "{} {1}");
}

#[test]
fn widths() {
    assert_eq!(format!("{:6}|{:>6}|{:6?}|", true, false, true), "true  | false|true  |");
    assert_eq!(format!("{:4}|{:>4}|{:4?}|", 'a', 'b', 'c'), "a   |   b|'c'|");
    assert_eq!(format!("{:4?}|", Some(1)), "Some(   1)|");
    assert_eq!(format!("{:8?}|", None::<i32>), "None|");
    assert_eq!(format!("{:03?}", [1, 2]), "[001, 002]");
    assert_eq!(format!("{:.1?}", (0.25, [1.0])), "(0.2, [1.0])");
    assert_eq!(format!("{:6?}|", "a"), "\"a\"|");
    assert_eq!(format!("{:4?}|", ()), "()  |");
    assert_eq!(format!("{:+} {:+} {:+?}", 1, -1, 2), "+1 -1 +2");
    assert_eq!(format!("{:#010b} {:#o} {:#X}", 5u8, 8, 255), "0b00000101 0o10 0xFF");
    assert_eq!(format!("{:b} {:x} {:o}", -1i8, -1i16, -1i8), "11111111 ffff 377");
    assert_eq!(format!("{:<05}|{:^05}", 7, -7), "00007|-0007");
    assert_eq!(format!("{:#x}", i64::MIN), "0x8000000000000000");
}

#[derive(Debug, Clone)]
struct Point {
    x: i32,
    y: Option<f32>,
}
#[derive(Debug)]
struct Pair(i32, &'static str);
#[derive(Debug)]
struct Unit;
#[derive(Debug)]
struct Empty {}
#[derive(Debug)]
enum Shape {
    Dot,
    Line(Point, Point),
    Named { name: String, parts: Vec<u8> },
}

#[test]
fn pretty() {
    let point = Point { x: 1, y: Some(0.5) };
    assert_eq!(format!("{point:?}"), "Point { x: 1, y: Some(0.5) }");
    assert_eq!(format!("{point:#?}"), "Point {\n    x: 1,\n    y: Some(\n        0.5,\n    ),\n}");
    assert_eq!(format!("{:#?}", Pair(1, "a\nb")), "Pair(\n    1,\n    \"a\\nb\",\n)");
    assert_eq!(format!("{:#?} {:#?} {:?}", Unit, Empty {}, Shape::Dot), "Unit Empty Dot");
    assert_eq!(format!("{:#?}", Vec::<i32>::new()), "[]");
    assert_eq!(format!("{:#?}", (1, "x")), "(\n    1,\n    \"x\",\n)");
    assert_eq!(format!("{:#?} {:?} {:#?}", (), (1,), (2,)), "() (1,) (\n    2,\n)");
    let shape = Shape::Named { name: "n".to_string(), parts: vec![1] };
    assert_eq!(format!("{shape:#?}"), "Named {\n    name: \"n\",\n    parts: [\n        1,\n    ],\n}");
    let line = Shape::Line(point.clone(), Point { x: 0, y: None });
    assert_eq!(format!("{line:?}"), "Line(Point { x: 1, y: Some(0.5) }, Point { x: 0, y: None })");
    let mut map = BTreeMap::new();
    assert_eq!(format!("{map:?} {map:#?}"), "{} {}");
    map.insert("k", vec![1, 2]);
    assert_eq!(format!("{map:?}"), "{\"k\": [1, 2]}");
    assert_eq!(format!("{map:#?}"), "{\n    \"k\": [\n        1,\n        2,\n    ],\n}");
    let set: BTreeSet<_> = [2, 1].into_iter().collect();
    assert_eq!(format!("{set:?} {set:#?}"), "{1, 2} {\n    1,\n    2,\n}");
    assert_eq!(format!("{:#?}", Some(Some(Unit))), "Some(\n    Some(\n        Unit,\n    ),\n)");
    assert_eq!(format!("{:?}", Ok::<i32, String>(3)), "Ok(3)");
    assert_eq!(format!("{:?}", Err::<i32, String>("e".into())), "Err(\"e\")");
}

#[test]
#[should_panic(expected = "Formatting argument out of range")]
fn a_width_beyond() {
    let width = usize::MAX;
    let _ = format!("{:width$}", 1);
}
