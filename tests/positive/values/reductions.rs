// Sums and maxima over time, lanes and slices, padded ones included.
use furiosa_visa_std::prelude::*;

axes![S = 256, W = 64, R = 4, T0 = 18, P = 8];

type Cluster = m![1 # 2];

// Padded to 24 and split over time and lanes: 18 values count.
#[device(chip = 1)]
fn over_lanes(ctx: &mut Context, input: &HbmTensor<f32, m![1], m![S, T0 # 24]>) -> HbmTensor<f32, m![1], m![S]> {
    let dm = input.to_dm::<Cluster, m![S], m![T0 # 24]>(&mut ctx.tdma, 0);
    let out = ctx
        .main
        .begin(dm.view())
        .fetch::<f32, m![T0 # 24 / 8], m![T0 # 24 % 8]>()
        .collect::<m![T0 # 24 / 8], m![T0 # 24 % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![T0 # 24 / 4], m![T0 # 24 % 4]>()
        .vector_intra_slice_reduce::<T0, m![1], m![1 # 4]>(IntraSliceReduceOpF32::Add)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .commit::<m![1 # 2]>(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn over_slices(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![W, R, P]>) -> HbmTensor<i32, m![1], m![W, P]> {
    let dm = input.to_dm::<Cluster, m![W, R], m![P]>(&mut ctx.tdma, 0);
    let out = ctx
        .main
        .begin(dm.view())
        .fetch::<i32, m![1], m![P]>()
        .collect::<m![1], m![P]>()
        .vector_init()
        .vector_inter_slice_reduce::<m![W, 1 # 4], m![1]>(InterSliceReduceOpI32::Max)
        .vector_final()
        .commit::<m![P]>(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[tokio::test]
async fn eighteen_of_twenty_four() {
    let mut ctx = Context::acquire();
    let host = HostTensor::<f32, m![S, T0 # 24]>::from_buf((0..256 * 18).map(|i| Opt::Init((i % 18) as f32)).collect());
    let hbm = host.to_hbm(&mut ctx.pdma, 0).await;
    let out = launch(over_lanes, (&mut *ctx, &hbm)).await.to_host::<m![S]>(&mut ctx.pdma).await;
    assert_eq!(out.to_buf(), vec![Opt::Init(153.0f32); 256]);
}

#[tokio::test]
async fn largest_of_four_slices() {
    let mut ctx = Context::acquire();
    let values: Vec<i32> = (0..2048).map(|i| (i * 37) % 101 - 50).collect();
    let host = HostTensor::<i32, m![W, R, P]>::from_buf(values.iter().map(|v| Opt::Init(*v)).collect());
    let hbm = host.to_hbm(&mut ctx.pdma, 0).await;
    let out = launch(over_slices, (&mut *ctx, &hbm)).await.to_host::<m![W, P]>(&mut ctx.pdma).await;
    let expected: Tensor<i32, m![W, P]> =
        host.into_inner().reduce(|a, b| a.zip_map(b, |x, y| x.max(y)), Opt::Init(i32::MIN));
    assert_eq!(out.to_buf(), expected.to_buf());
}
