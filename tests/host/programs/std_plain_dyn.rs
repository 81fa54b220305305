// prints: 1 'c' 0.1 0.1 [0.3] ('a', 1) ['x'] Some('q') "s" () true
// prints:     c|  0.1|    3| text|
// prints: [1, 'c']
use std::fmt::{Debug, Display};

fn show(items: &[&dyn Debug]) {
    let texts: Vec<String> = items.iter().map(|item| format!("{item:?}")).collect();
    println!("{}", texts.join(" "));
}

fn main() {
    show(&[&1, &'c', &0.1f32, &0.1, &[0.3f32], &('a', 1u8), &vec!['x'], &Some('q'), &"s", &(), &true]);
    let cells: Vec<Box<dyn Display>> = vec![Box::new('c'), Box::new(0.1f32), Box::new(3), Box::new("text")];
    println!("{}", cells.iter().map(|cell| format!("{cell:>5}|")).collect::<String>());
    let pair: [&dyn Debug; 2] = [&1, &'c'];
    println!("{pair:?}");
}
