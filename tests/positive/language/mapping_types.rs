// Mappings as types: aliases, their escapes, the constructors by name, and sizes as numbers.
use furiosa_visa_std::prelude::*;

axes![S = 256, Head = 4, Dim = 64, Odd_1 = 3];

type Slice = m![S];
type Inner = m![Dim % 16];
type Element = m![Head, { Inner }];
type One = Padding<Identity, 2>;
type Blocks = Stride<Symbol<Dim>, 16>;

#[device(chip = 1)]
fn load(ctx: &mut Context, input: &HbmTensor<bf16, m![1], m![{ Slice }, { Blocks }, { Element }]>) {
    let _dm = input.to_dm::<One, Slice, m![{ Blocks }, Head, Dim % 16]>(&mut ctx.tdma, 0);
}

#[test]
fn sizes() {
    assert_eq!(<m![{ Slice }, { Element }]>::SIZE, 256 * 64);
    assert_eq!(Blocks::SIZE, 4);
    assert_eq!(<m![Odd_1 # 4]>::SIZE, <m![Head]>::SIZE);
    let n = <m![Head, Dim]>::SIZE / 8;
    assert_eq!(n, 32);
}
