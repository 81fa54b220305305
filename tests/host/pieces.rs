//! Moves whose target cuts an axis into whole pieces, while the source ends inside the last one, and the way back. Each element of the
//! source has one place, so the move is defined; it takes several commands (E0540). The results are compared element by element.
use furiosa_visa_std::prelude::*;

axes![S = 15, A = 64, P = 3, Q = 5, Y = 7, W = 8];

fn numbers(count: i32) -> Vec<Opt<i32>> {
    (0..count).map(Opt::Init).collect()
}

#[device(chip = 1)]
fn over_slices(ctx: &mut Context, x: &HbmTensor<i32, m![1], m![S, A]>) -> HbmTensor<i32, m![1], m![S, A]> {
    let dm = x.to_dm::<m![1 # 2], m![S # 16 / 4, A / 8 # 64], m![S # 16 % 4, A % 8]>(&mut ctx.tdma, 0x1000);
    dm.to_hbm(&mut ctx.tdma, 0x100000)
}

#[device(chip = 1)]
fn over_clusters(ctx: &mut Context, x: &HbmTensor<i32, m![1], m![S, A]>) -> HbmTensor<i32, m![1], m![S, A]> {
    let dm = x.to_dm::<m![S # 16 / 8], m![S # 16 / 2 % 4, A / 8 # 64], m![S # 16 % 2, A % 8]>(&mut ctx.tdma, 0x1000);
    dm.to_hbm(&mut ctx.tdma, 0x100000)
}

#[tokio::test]
async fn an_axis_over_slices_and_clusters() {
    let mut ctx = Context::acquire();
    let x = HostTensor::<i32, m![S, A]>::from_buf(numbers(960)).to_hbm::<m![1], m![S, A]>(&mut ctx.pdma, 0).await;
    let y = launch(over_slices, (&mut *ctx, &x)).await;
    assert_eq!(y.to_host::<m![S, A]>(&mut ctx.pdma).await.to_buf(), numbers(960));
    let y = launch(over_clusters, (&mut *ctx, &x)).await;
    assert_eq!(y.to_host::<m![S, A]>(&mut ctx.pdma).await.to_buf(), numbers(960));
}

#[device(chip = 1)]
fn within_hbm(ctx: &mut Context, x: &HbmTensor<i32, m![1], m![S, Y]>) -> HbmTensor<i32, m![1], m![S # 16 / 4, Y # 8 / 2, S # 16 % 4, Y # 8 % 2]> {
    x.to_hbm(&mut ctx.tdma, 0x100000)
}

#[device(chip = 1)]
fn back_in_hbm(ctx: &mut Context, x: &HbmTensor<i32, m![1], m![S # 16 / 4, Y # 8 / 2, S # 16 % 4, Y # 8 % 2]>) -> HbmTensor<i32, m![1], m![Y, S]> {
    x.to_hbm(&mut ctx.tdma, 0x200000)
}

#[tokio::test]
async fn two_axes_in_hbm() {
    let mut ctx = Context::acquire();
    let x = HostTensor::<i32, m![S, Y]>::from_buf(numbers(105)).to_hbm::<m![1], m![S, Y]>(&mut ctx.pdma, 0).await;
    let y = launch(within_hbm, (&mut *ctx, &x)).await;
    assert_eq!(y.to_host::<m![S, Y]>(&mut ctx.pdma).await.to_buf(), numbers(105));
    let z = launch(back_in_hbm, (&mut *ctx, &y)).await;
    assert_eq!(z.to_host::<m![S, Y]>(&mut ctx.pdma).await.to_buf(), numbers(105));
}

// The same with a group of axes.
#[device(chip = 1)]
fn group(ctx: &mut Context, x: &HbmTensor<i32, m![1], m![P, Q, W]>) -> HbmTensor<i32, m![1], m![P, Q, W]> {
    let dm = x.to_dm::<m![1 # 2], m![[P, Q] # 16 / 4 # 256], m![[P, Q] # 16 % 4, W]>(&mut ctx.tdma, 0);
    let other = dm.to_dm::<m![[P, Q] # 16 % 4 # 256], m![[P, Q] # 16 / 4, W]>(&mut ctx.tdma, 0x1000);
    other.to_hbm(&mut ctx.tdma, 0x100000)
}

#[tokio::test]
async fn a_group_over_slices() {
    let mut ctx = Context::acquire();
    let x = HostTensor::<i32, m![P, Q, W]>::from_buf(numbers(120)).to_hbm::<m![1], m![P, Q, W]>(&mut ctx.pdma, 0).await;
    let y = launch(group, (&mut *ctx, &x)).await;
    assert_eq!(y.to_host::<m![P, Q, W]>(&mut ctx.pdma).await.to_buf(), numbers(120));
}

// Tiles of an unpadded axis into pieces.
#[device(chip = 1)]
fn tiles(ctx: &mut Context, x: &HbmTensor<i32, m![1], m![P, S, W]>) -> HbmTensor<i32, m![1], m![P, S, W]> {
    let mut out = unsafe { HbmTensor::<i32, m![1], m![P, S, W]>::from_addr(0x200000) };
    for p in 0..3 {
        let part = x.view().tile::<m![P], 1, m![1 # 3, S, W]>(p);
        let dm = part.to_dm::<m![1 # 2], m![S # 16 / 4 # 256], m![S # 16 % 4, W]>(&mut ctx.tdma, 0);
        let to = out.view_mut().tile::<m![P], 1, m![1 # 3, S, W]>(p);
        dm.view().to_hbm_view(&mut ctx.tdma, to);
    }
    out
}

#[tokio::test]
async fn tiles_of_an_unpadded_axis() {
    let mut ctx = Context::acquire();
    let x = HostTensor::<i32, m![P, S, W]>::from_buf(numbers(360)).to_hbm::<m![1], m![P, S, W]>(&mut ctx.pdma, 0).await;
    let y = launch(tiles, (&mut *ctx, &x)).await;
    assert_eq!(y.to_host::<m![P, S, W]>(&mut ctx.pdma).await.to_buf(), numbers(360));
}

#[device(chip = 4)]
fn over_chips(ctx: &mut Context, x: &HbmTensor<i32, m![S # 16 / 4], m![Y, S # 16 % 4, W]>) -> HbmTensor<i32, m![S # 16 / 4], m![S # 16 % 4, Y, W]> {
    let dm = x.to_dm::<m![1 # 2], m![Y # 8 / 2 # 256], m![S # 16 % 4, Y # 8 % 2, W]>(&mut ctx.tdma, 0);
    dm.to_hbm(&mut ctx.tdma, 0x100000)
}

#[tokio::test]
async fn an_axis_over_chips() {
    let mut ctx = Context::acquire();
    let x = HostTensor::<i32, m![S, Y, W]>::from_buf(numbers(840)).to_hbm::<m![S # 16 / 4], m![Y, S # 16 % 4, W]>(&mut ctx.pdma, 0).await;
    let y = launch(over_chips, (&mut *ctx, &x)).await;
    assert_eq!(y.to_host::<m![S, Y, W]>(&mut ctx.pdma).await.to_buf(), numbers(840));
}
