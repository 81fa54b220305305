// A chip prints nothing, neither in a kernel nor in functions that it calls. The host does.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 64];

type Chip = m![1];
type Matrix = HbmTensor<i8, Chip, m![S, A]>;

fn place(step: u64) -> u64 {
    println!("step {step}"); // expect warning: E0474 a chip ignores `println!`
    step << 20
}

fn load(ctx: &mut Context, x: &Matrix) -> DmTensor<i8, Chip, m![1 # 2], m![S], m![A]> {
    eprintln!("load"); // expect warning: E0474 a chip ignores `eprintln!`
    x.to_dm(&mut ctx.tdma, 0)
}

#[device(chip = 1)]
fn copy(ctx: &mut Context, x: &Matrix) -> Matrix {
    for step in 0..4 {
        print!("{step} "); // expect warning: E0474 a chip ignores `print!`
    }
    let address = dbg!(place(1)); // expect warning: E0474 a chip ignores `dbg!`
    load(ctx, x).to_hbm(&mut ctx.tdma, address)
}

#[device(chip = 1)]
fn copy_again(ctx: &mut Context, x: &Matrix, loud: bool) -> Matrix {
    if loud {
        eprint!("again"); // expect warning: E0474 a chip ignores `eprint!`
    }
    load(ctx, x).to_hbm(&mut ctx.tdma, place(2))
}
