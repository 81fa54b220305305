//! Kernels under other names: imports inside functions, globs, a module and a kernel that share a name.

use furiosa_visa_std::prelude::*;

mod first {
    use super::*;
    use vectors::{N, add_one as kernel};

    #[tokio::test]
    async fn by_one() {
        let mut ctx = Context::acquire();
        let input = HostTensor::<i32, m![N]>::from_buf(vec![Opt::Init(41); <m![N]>::SIZE]);
        let input = input.to_hbm(&mut ctx.pdma, 0 << 28).await;
        let output = launch(kernel, (&mut *ctx, &input)).await.to_host::<m![N]>(&mut ctx.pdma).await;
        assert_eq!(output.to_buf(), vec![Opt::Init(42); <m![N]>::SIZE]);
    }
}

mod second {
    use super::*;
    use vectors::kernels::add::*;

    #[tokio::test]
    async fn by_six() {
        use vectors::N as Length;
        let mut ctx = Context::acquire();
        let input = HostTensor::<i32, m![Length]>::zero().to_hbm(&mut ctx.pdma, 0).await;
        let output = launch(add_six, (&mut *ctx, &input)).await.to_host::<m![Length]>(&mut ctx.pdma).await;
        assert!(output.to_buf().iter().all(|v| *v == Opt::Init(6)));
    }

    #[tokio::test]
    async fn both_in_turn() {
        use add_one as one;
        use add_six as six;
        use vectors::N;
        let mut ctx = Context::acquire();
        let x = HostTensor::<i32, m![N]>::zero().to_hbm(&mut ctx.pdma, 0).await;
        let y = launch(one, (&mut *ctx, &x)).await;
        let z = launch(six, (&mut *ctx, &y)).await.to_host::<m![N]>(&mut ctx.pdma).await;
        assert_eq!(z.to_buf()[9], Opt::Init(7));
    }
}

#[tokio::test]
async fn a_module_and_a_kernel_share_a_name() {
    use vectors::shapes::wide::{Rows as R, Width as W};
    let mut ctx = Context::acquire();
    let input: Vec<Opt<i32>> = (0..<m![R, W]>::SIZE).map(|i| Opt::Init([1, 2, 3, 0][i % 4])).collect();
    let x = HostTensor::<i32, m![R, W]>::from_buf(input.clone()).to_hbm(&mut ctx.pdma, 0).await;
    let (mut a, mut b) = unsafe { (HbmTensor::from_addr(1 << 28), HbmTensor::from_addr(2 << 28)) };
    launch(vectors::scale, (&mut *ctx, &x, 5, &mut a)).await;
    launch(vectors::scale::scale, (&mut *ctx, &x, -5, &mut b)).await;
    let a = a.to_host::<m![R, W]>(&mut ctx.pdma).await.to_buf();
    let b = b.to_host::<m![R, W]>(&mut ctx.pdma).await.to_buf();
    for ((a, b), x) in a.iter().zip(&b).zip(&input) {
        assert_eq!(*a, *x * Opt::Init(5));
        assert_eq!(*a + *b, Opt::Init(0));
    }
}
