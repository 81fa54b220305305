// Texts and characters.
fn main() {
    let s = "Hello, World";
    println!("{} {} {}", s.len(), s.to_uppercase(), s.to_lowercase()); //> 12 HELLO, WORLD hello, world
    println!("{:?} {:?}", s.find("World"), s.find('z')); //> Some(7) None
    println!("{:?}", s.split(", ").collect::<Vec<_>>()); //> ["Hello", "World"]
    println!("{:?}", "a b  c\td".split_whitespace().collect::<Vec<_>>()); //> ["a", "b", "c", "d"]
    println!("{:?}", "a,b,,c".split(',').collect::<Vec<&str>>()); //> ["a", "b", "", "c"]
    println!("{:?}", "a1b2c3".split(|c: char| c.is_ascii_digit()).collect::<Vec<_>>()); //> ["a", "b", "c", ""]
    println!("{:?}", "one\ntwo\r\nthree\n".lines().collect::<Vec<_>>()); //> ["one", "two", "three"]
    println!("{:?} {:?}", "k=v=w".split_once('='), "kv".split_once('=')); //> Some(("k", "v=w")) None
    println!("{:?}", "a-b-c".splitn(2, '-').collect::<Vec<_>>()); //> ["a", "b-c"]
    println!("{:?} {:?} {:?}", "  x ".trim(), "  x ".trim_start(), "xxaxx".trim_matches('x')); //> "x" "x " "a"
    println!("{:?} {:?}", "prefix-1".strip_prefix("prefix-"), "a.rs".strip_suffix(".rs")); //> Some("1") Some("a")
    println!("{} {} {}", s.starts_with("Hell"), s.ends_with('d'), s.contains("lo, W")); //> true true true
    println!("{} {}", s.replace("l", "L"), "aaa".replacen("a", "b", 2)); //> HeLLo, WorLd bba
    println!("{:?}", s.chars().rev().collect::<String>()); //> "dlroW ,olleH"
    println!("{:?}", "aé√".char_indices().collect::<Vec<_>>()); //> [(0, 'a'), (1, 'é'), (3, '√')]
    println!("{:?} {}", "aé".bytes().collect::<Vec<u8>>(), "aé√".chars().count()); //> [97, 195, 169] 3
    println!("{} {}", &s[7..], &s[..5]); //> World Hello
    println!("{:?} {}", "abc".as_bytes(), "ab".repeat(3)); //> [97, 98, 99] ababab
    let mut t = String::from("ab");
    t.push('c');
    t.push_str("de");
    t.insert(0, '>');
    t += "f";
    println!("{t} {:?} {}", t.pop(), t); //> >abcde Some('f') >abcde
    t.truncate(3);
    t.insert_str(1, "--");
    println!("{t} {}", t.remove(0)); //> --ab >
    let u = t.clone() + "!" + &"?".to_string();
    println!("{u} {} {}", t, u == "--ab!?"); //> --ab!? --ab true
    println!("{} {:?}", ["a", "b", "c"].join("-"), vec!["x".to_string(), "y".to_string()].concat()); //> a-b-c "xy"
    println!("{:?} {:?} {:?}", "12".parse::<u8>(), "-7".parse::<i64>(), "true".parse::<bool>()); //> Ok(12) Ok(-7) Ok(true)
    println!("{:?}", "300".parse::<u8>().map_err(|e| e.to_string())); //> Err("number too large to fit in target type")
    println!("{:?}", "".parse::<i32>().map_err(|e| e.to_string())); //> Err("cannot parse integer from empty string")
    println!("{:?} {:?}", String::from_utf8(vec![104, 105]), std::str::from_utf8(&[0xff]).is_err()); //> Ok("hi") true
    println!("{} {} {}", 'a'.is_alphabetic(), '9'.is_numeric(), ' '.is_whitespace()); //> true true true
    println!("{:?} {:?} {:?}", '7'.to_digit(10), 'f'.to_digit(16), 'g'.to_digit(16)); //> Some(7) Some(15) None
    println!("{:?} {:?} {}", char::from_u32(0x41), char::from_digit(7, 10), char::from(66u8)); //> Some('A') Some('7') B
    println!("{} {}", 'ß'.to_uppercase().count(), 'a'.to_ascii_uppercase()); //> 1 A
    println!("{:?} {:?}", 'a' < 'b', "apple" < "banana"); //> true true
    println!("{:?} {:?}", "tab\t\"q\" \\ \u{1} é", '\''); //> "tab\t\"q\" \\ \u{1} é" '\''
    println!("{}", ('a'..='e').collect::<String>()); //> abcde
    println!("{:?}", "abc".chars().map(|c| ((c as u8) + 1) as char).collect::<Vec<char>>()); //> ['b', 'c', 'd']
    println!("{:?} {}", "x".cmp("y"), "a".eq_ignore_ascii_case("A")); //> Less true
    println!("{}", "one two".split(' ').map(|w| w.len().to_string()).collect::<Vec<_>>().join("+")); //> 3+3
    let words = vec!["b", "a"];
    let mut sorted = words.clone();
    sorted.sort();
    println!("{sorted:?} {words:?}"); //> ["a", "b"] ["b", "a"]
    println!("{}", format!("{}-{}", 1, 2).len()); //> 3
}
