// Assignments that take a value apart, worked out while a kernel is traced.
use furiosa_visa_std::prelude::*;
axes![S = 256, A = 16];
#[device(chip = 1)]
fn kernel(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![S, A]>) -> HbmTensor<i32, m![1], m![S, A]> {
    let (mut a, mut b) = (1u64, 2u64);
    (a, b) = (b, a);
    assert_eq!(a, 2);
    [a, _] = [a + b, 9];
    assert_eq!(a, 3);
    let mut c = [0u64; 3];
    (c[1], (b, _)) = (7, (5, 6));
    assert_eq!(c[1] + b, 12);
    let dm: DmTensor<i32, m![1], m![1 # 2], m![S], m![A]> = input.to_dm(&mut ctx.tdma, 0);
    dm.to_hbm(&mut ctx.tdma, 0)
}
