use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

#[device(chip = 1)]
pub fn copy(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![S, A]>) -> HbmTensor<i32, m![1], m![S, A]> {
    let dm = input.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    dm.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(<m![S, A]>::SIZE, 2048);
    }
}
