// What moves infer from their surroundings: return types, let types, types with a blank in them.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8, B = 4];

type InDm = DmTensor<i32, m![1], m![1 # 2], m![S], m![B, A]>;

fn load(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![S, B, A]>) -> InDm {
    input.to_dm(&mut ctx.tdma, 0)
}

fn consume(dm: &InDm) {
    let _ = dm.view();
}

fn renamed(dm: InDm) -> DmTensor<i32, m![1], m![1 # 2], m![S], m![B, A]> {
    unsafe { dm.reshape() }
}

#[device(chip = 1)]
fn kernel(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![S, B, A]>) -> HbmTensor<i32, m![1], m![B, S, A]> {
    let from_let: DmTensor<i32, m![1], m![1 # 2], m![S], m![B, A]> = input.to_dm(&mut ctx.tdma, 0x1000);
    let from_let_and_argument: DmTensor<_, _, _, _, m![B, A]> = from_let.to_dm::<m![S], _>(&mut ctx.tdma, 0x2000);
    consume(&from_let_and_argument);
    let dm = load(ctx, input);
    let dm: InDm = renamed(dm);
    dm.to_hbm(&mut ctx.tdma, 1 << 28)
}
