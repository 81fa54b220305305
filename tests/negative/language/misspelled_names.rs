// Every kind of name, misspelled. Each gets a suggestion, and with all of them applied the program is right.
use furiosa_visa_std::prelude::*;

axes![Slices = 256, Values = 64];

type Chip = m![1];
type Matrix = HbmTensor<i8, Chip, m![Slices, Values]>;

mod sizes {
    pub const LENGTH: usize = 4;
}

struct Point {
    column: usize,
}

impl Point {
    fn doubled(&self) -> usize {
        slef.column * 2 // expect error: E0420 a parameter
    }
}

fn halved(count: usize) -> usize {
    cuont / 2 // expect error: E0420 a parameter
}

#[device(chip = 1)]
fn copy(ctx: &mut Context, input: &Matrix) -> Matrix {
    let values = inptu.to_dm::<m![1 # 2], m![Slices], m![Values]>(&mut ctx.tdma, 0); // expect error: E0420 a parameter
    valeus.to_hbm(&mut ctx.tdma, 1 << 20) // expect error: E0420 a variable
}

#[device(chip = 1)]
fn copy_back(ctx: &mut Context, input: &Mtarix) -> Matrix { // expect error: E0420 a type
    let values = input.to_dm::<m![1 # 2], m![Slices], m![Values]>(&mut ctx.tdma, 0);
    values.to_hbm(&mut ctx.tdma, 1 << 20)
}

fn width() -> usize {
    <m![Vlaues]>::SIZE // expect error: E0420 an axis
}

fn others(point: &Point) -> usize {
    let a = point.colunm; // expect error: E0436 a field
    let b = point.dobuled(); // expect error: E0434 a method
    let c = sizse::LENGTH; // expect error: E0420 a module
    let d = sizes::LENTGH; // expect error: E0420 a constant
    let e = havled(3); // expect error: E0420 a function
    let f = Point { colum: 3 }; // expect error: E0436 a field of a literal
    let Point { coluumn: g } = f; // expect error: E0436 a field of a pattern
    let add = |total: usize| ttoal + a + b + c + d + e + g; // expect error: E0420 a parameter of a closure
    for index in 0..4 {
        println!("{idnex}"); // expect error: E0420 a variable in a format
    }
    match Some(3) {
        Some(inner) => add(innre), // expect error: E0420 a variable of a pattern
        None => 0,
    }
}

fn generic<const COUNT: usize, Item: Default>(item: Item) -> [Item; COUNT] {
    let other: Itme = item; // expect error: E0420 a generic type
    let list = [0; COUTN]; // expect error: E0420 a generic number in a type
    assert!(list.len() == CONUT); // expect error: E0420 a generic number
    std::array::from_fn(|_| Itemm::default()) // expect error: E0420 a path of a generic type
}
