use furiosa_visa_std::prelude::*;
use small_crate::kernels::copy::{copy, A, S};

mod copies {
    use super::*;

    #[tokio::test]
    async fn of_everything() {
        let mut ctx = Context::acquire();
        let host = HostTensor::<i32, m![S, A]>::from_buf((0..2048).map(Opt::Init).collect());
        let input = host.to_hbm(&mut ctx.pdma, 0).await;
        let output = launch(copy, (&mut *ctx, &input)).await.to_host::<m![S, A]>(&mut ctx.pdma).await;
        assert_eq!(output.to_buf(), host.to_buf());
    }
}
