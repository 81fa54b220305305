//! Kernels on vectors, in modules of every kind: `kernels/mod.rs`, `shapes.rs` with `shapes/`, plain files, inline.
#![allow(dead_code)]

pub mod kernels;
pub mod plain;
pub mod shapes;

use furiosa_visa_std::prelude::*;

pub use kernels::add::*;
pub use kernels::scale; // the module
pub use kernels::scale::scale; // the kernel: another namespace

axes![N = 4096, L = 8];

pub type Chip = m![1];
pub type Cluster = m![1 # 2];

/// How many values fit into a flit of 32 bytes.
pub const fn lanes(bits: usize) -> usize {
    256 / bits
}

pub mod inline {
    use super::*;

    #[device(chip = 1)]
    pub fn negate(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![N]>) -> HbmTensor<i32, Chip, m![N]> {
        let dm = x.to_dm::<Cluster, m![N / 16], m![N % 16]>(&mut ctx.tdma, 0);
        let y: DmTensor<i32, Chip, Cluster, m![N / 16], m![N % 16]> = ctx
            .main
            .begin(dm.view())
            .fetch::<i32, m![N / 8 % 2], m![N % 8]>()
            .collect::<m![N / 8 % 2], m![N % 8]>()
            .vector_init()
            .vector_intra_slice_branch(BranchMode::Unconditional)
            .vector_fxp(FxpBinaryOp::MulInt, -1)
            .vector_final()
            .commit(0x1000);
        y.to_hbm(&mut ctx.tdma, 1 << 28)
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[tokio::test]
        async fn signs_change() {
            let mut ctx = Context::acquire();
            let x = HostTensor::<i32, m![N]>::from_buf((0..<m![N]>::SIZE).map(|i| Opt::Init(i as i32)).collect());
            let x = x.to_hbm(&mut ctx.pdma, 0).await;
            let y = launch(negate, (&mut *ctx, &x)).await.to_host::<m![N]>(&mut ctx.pdma).await.to_buf();
            assert!(y.iter().enumerate().all(|(i, v)| *v == Opt::Init(-(i as i32))));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_of_a_flit() {
        assert_eq!(lanes(32), <m![L]>::SIZE);
        assert_eq!(lanes(8) * lanes(16), 512);
    }
}
