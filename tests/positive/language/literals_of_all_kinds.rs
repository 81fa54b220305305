// Texts, letters and numbers in all their forms.
#[test]
fn works() {
    let raw = r"C:\x";
    let raw2 = r#"say "hi" "#;
    let raw3 = r##"a"#b"##;
    let bytes: &[u8; 3] = b"ab\n"; let b1 = b'\''; let b2 = b'\x7f'; let braw = br"\n"; let brh = br#"""#;
    let chars = ['\n', '\t', '\\', '\'', '\0', '\x41', '\u{1F600}', '\u{e9}', '"', 'é', '가'];
    let s = "line \
             continued \u{41} \x42 \"q\" \\ tab\t nul\0";
    let multi = "two
lines";
    let n = [1_000, 0xff, 0o17, 0b1010_1010, 1i32, 2_i32, 0xffi32];
    let big = 0xdead_beef_u64 + 18_446_744_073_709_000_000u64 / 2 + 1u64;
    let f = [1.0, 1., 1e3, 1.5e-3, 2E+2, 1_000.5, 1f32, 1.0_f32, 3.];
    let g: f64 = 1e300;
    let h = 1.max(2) + 2.pow(2) + 0x1F;
    let i = -5i32 % 3 + (-5i32).rem_euclid(3) + -5_i32.abs();
    let j = !0u8 as i32;
    let k = 'a' as u8 + b'b';
    let l = (k as char).is_alphabetic();
    let t = ((1, 2.0), "x").0.1;
    let t2 = (1, (2, 3)).1.0;
    let u = 1u128 << 100;
    let v = i128::MAX;
    let w = usize::MAX as f64;
    let x = u8::MAX;
    let y = 1..=3;
    let z = ..;
    let _zz = (2.., ..3, ..=4);
    let c = 10 as f32 as u8 as char;
    let d = true as i32 + false as i32;
    assert_eq!(raw.len() + raw2.len() + raw3.len() + bytes.len() + braw.len() + brh.len(), 4 + 9 + 4 + 3 + 2 + 1);
    assert!(b1 > 0 && b2 == 127 && chars.len() == 11 && s.len() > 3 && multi.contains("\n"));
    let _ = (n, big, f, g, h, i, j, l, t, t2, u, v, w, x, y, z, c, d);
}
