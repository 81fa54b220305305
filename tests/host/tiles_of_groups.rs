// options: --check-oracle
//! Tiles along a part of a group of axes. The start of the tile is added to the position in the group, and that sum is taken apart
//! into axes: with B = 5, position 3 of `[A, B] # 16 % 4` and block 2 of `[A, B] # 16 / 4` meet at 11, which is A = 2, B = 1.
//! Every test computes the expected elements by plain counting. Device and oracle must agree.
use furiosa_visa_std::prelude::*;

axes![A = 3, B = 5, X = 2, S = 4, W = 8];

type Group = m![[A, B] # 16];
type Apart = m![[A, B] # 16 / 4, X, [A, B] # 16 % 4];

/// Element `to + step * n` of each row gets what `from + step * n` held, for n in 0..count, as long as both are in the group.
fn moved(rows: i32, from: i32, to: i32, step: i32, inner: i32, count: i32) -> Vec<Opt<i32>> {
    let mut out = vec![Opt::Uninit; (rows * 15) as usize];
    for row in 0..rows {
        for n in 0..count {
            for i in 0..inner {
                let (source, target) = (from + step * n + i, to + step * n + i);
                if source < 15 && target < 15 && step * n + i < 15 {
                    out[(row * 15 + target) as usize] = Opt::Init(row * 15 + source);
                }
            }
        }
    }
    out
}

fn numbers(count: i32) -> Vec<Opt<i32>> {
    (0..count).map(Opt::Init).collect()
}

#[device(chip = 1)]
fn one_of_four(ctx: &mut Context, x: &HbmTensor<i32, m![1], Group>) -> HbmTensor<i32, m![1], Group> {
    let mut out = unsafe { HbmTensor::<i32, m![1], Group>::from_addr(0x3000) };
    let from = x.view().tile::<m![[A, B] # 16 % 4], 1, m![[A, B] # 16 / 4, 1 # 4]>(2);
    let to = out.view_mut().tile::<m![[A, B] # 16 % 4], 1, m![[A, B] # 16 / 4, 1 # 4]>(1);
    from.to_hbm_view(&mut ctx.tdma, to);
    out
}

#[tokio::test]
async fn one_position_of_each_block() {
    let mut ctx = Context::acquire();
    let x = HostTensor::<i32, m![A, B]>::from_buf(numbers(15)).to_hbm::<m![1], Group>(&mut ctx.pdma, 0x1000).await;
    let y = launch(one_of_four, (&mut *ctx, &x)).await;
    assert_eq!(y.to_host::<m![A, B]>(&mut ctx.pdma).await.to_buf(), moved(1, 2, 1, 4, 1, 4));
}

#[device(chip = 1)]
fn blocks(ctx: &mut Context, x: &HbmTensor<i32, m![1], Apart>) -> HbmTensor<i32, m![1], Apart> {
    let mut out = unsafe { HbmTensor::<i32, m![1], Apart>::from_addr(0x3000) };
    let from = x.view().tile::<m![[A, B] # 16 / 4], 2, m![[A, B] # 16 / 4 = 2 # 4, X, [A, B] # 16 % 4]>(2);
    let to = out.view_mut().tile::<m![[A, B] # 16 / 4], 2, m![[A, B] # 16 / 4 = 2 # 4, X, [A, B] # 16 % 4]>(1);
    from.to_hbm_view(&mut ctx.tdma, to);
    out
}

#[tokio::test]
async fn blocks_that_end_in_padding() {
    let mut ctx = Context::acquire();
    let x = HostTensor::<i32, m![X, A, B]>::from_buf(numbers(30)).to_hbm::<m![1], Apart>(&mut ctx.pdma, 0x1000).await;
    let y = launch(blocks, (&mut *ctx, &x)).await;
    assert_eq!(y.to_host::<m![X, A, B]>(&mut ctx.pdma).await.to_buf(), moved(2, 8, 4, 4, 4, 2));
}

// The same view, written with the axis of the first block.
#[device(chip = 1)]
fn block(ctx: &mut Context, x: &HbmTensor<i32, m![1], Apart>) -> HbmTensor<i32, m![1], Apart> {
    let mut out = unsafe { HbmTensor::<i32, m![1], Apart>::from_addr(0x3000) };
    let from = x.view().tile::<m![[A, B] # 16 / 4], 1, m![1 # 4, X, B = 4]>(1);
    let to = out.view_mut().tile::<m![[A, B] # 16 / 4], 1, m![1 # 4, X, [A, B] # 16 % 4]>(3);
    from.to_hbm_view(&mut ctx.tdma, to);
    out
}

#[tokio::test]
async fn one_block() {
    let mut ctx = Context::acquire();
    let x = HostTensor::<i32, m![X, A, B]>::from_buf(numbers(30)).to_hbm::<m![1], Apart>(&mut ctx.pdma, 0x1000).await;
    let y = launch(block, (&mut *ctx, &x)).await;
    assert_eq!(y.to_host::<m![X, A, B]>(&mut ctx.pdma).await.to_buf(), moved(2, 4, 12, 4, 4, 1));
}

#[device(chip = 1)]
fn tile_of_tile(ctx: &mut Context, x: &HbmTensor<i32, m![1], Group>) -> HbmTensor<i32, m![1], Group> {
    let mut out = unsafe { HbmTensor::<i32, m![1], Group>::from_addr(0x3000) };
    let from = x.view().tile::<m![[A, B] # 16 % 4], 1, m![[A, B] # 16 / 4, 1 # 4]>(3);
    let from = from.tile::<m![[A, B] # 16 / 4], 2, m![[A, B] # 16 / 4 = 2 # 4, 1 # 4]>(1);
    let mut to = out.view_mut();
    let mut to = to.tile::<m![[A, B] # 16 % 4], 1, m![[A, B] # 16 / 4, 1 # 4]>(2);
    let to = to.tile::<m![[A, B] # 16 / 4], 2, m![[A, B] # 16 / 4 = 2 # 4, 1 # 4]>(0);
    from.to_hbm_view(&mut ctx.tdma, to);
    out
}

#[tokio::test]
async fn a_tile_of_a_tile() {
    let mut ctx = Context::acquire();
    let x = HostTensor::<i32, m![A, B]>::from_buf(numbers(15)).to_hbm::<m![1], Group>(&mut ctx.pdma, 0x1000).await;
    let y = launch(tile_of_tile, (&mut *ctx, &x)).await;
    assert_eq!(y.to_host::<m![A, B]>(&mut ctx.pdma).await.to_buf(), moved(1, 7, 2, 4, 1, 2));
}

// A group across slices: block 1 moves through DM and a pass to block 2.
#[device(chip = 1)]
fn slices(ctx: &mut Context, x: &HbmTensor<i32, m![1], m![[A, B] # 16, W]>) -> HbmTensor<i32, m![1], m![[A, B] # 16, W]> {
    let dm = x.to_dm::<m![1 # 2], m![[A, B] # 16 % 4 # 256], m![[A, B] # 16 / 4, W]>(&mut ctx.tdma, 0);
    let part = dm.view();
    let part = part.tile::<m![[A, B] # 16 / 4], 1, m![1 # 4, W]>(1);
    let out: DmTensor<i32, m![1], m![1 # 2], m![[A, B] # 16 % 4 # 256], m![W]> =
        ctx.main.begin(part).fetch::<i32, m![1], m![W]>().collect::<m![1], m![W]>().commit(0x1000);
    let mut result = unsafe { HbmTensor::<i32, m![1], m![[A, B] # 16, W]>::from_addr(0x30000) };
    let to = result.view_mut().tile::<m![[A, B] # 16 / 4], 1, m![1 # 4, [A, B] # 16 % 4, W]>(2);
    out.view().to_hbm_view(&mut ctx.tdma, to);
    result
}

#[tokio::test]
async fn a_group_across_slices() {
    let mut ctx = Context::acquire();
    let x = HostTensor::<i32, m![A, B, W]>::from_buf(numbers(120)).to_hbm::<m![1], m![[A, B] # 16, W]>(&mut ctx.pdma, 0x1000).await;
    let y = launch(slices, (&mut *ctx, &x)).await;
    let v = y.to_host::<m![A, B, W]>(&mut ctx.pdma).await.to_buf();
    for at in 0..120 {
        let expected = if at / 32 == 2 { Opt::Init(at as i32 - 32) } else { Opt::Uninit };
        assert_eq!(v[at], expected);
    }
}

#[device(chip = 1)]
fn tile_of_a_tile(ctx: &mut Context, x: &HbmTensor<i32, m![1], Group>) -> HbmTensor<i32, m![1], Group> {
    let mut out = unsafe { HbmTensor::<i32, m![1], Group>::from_addr(0x3000) };
    let from = x.view().tile::<m![[A, B] # 16 / 4], 2, m![[A, B] # 16 / 4 = 2 # 4, [A, B] # 16 % 4]>(1);
    let from = from.tile::<m![[A, B] # 16 % 4], 1, m![[A, B] # 16 / 4 = 2 # 4, 1 # 4]>(3);
    let mut to = out.view_mut().tile::<m![[A, B] # 16 / 4], 2, m![[A, B] # 16 / 4 = 2 # 4, [A, B] # 16 % 4]>(2);
    let to = to.tile::<m![[A, B] # 16 % 4], 1, m![[A, B] # 16 / 4 = 2 # 4, 1 # 4]>(1);
    from.to_hbm_view(&mut ctx.tdma, to);
    out
}

#[tokio::test]
async fn blocks_and_then_a_position_of_each() {
    let mut ctx = Context::acquire();
    let x = HostTensor::<i32, m![A, B]>::from_buf(numbers(15)).to_hbm::<m![1], Group>(&mut ctx.pdma, 0x1000).await;
    let y = launch(tile_of_a_tile, (&mut *ctx, &x)).await;
    assert_eq!(y.to_host::<m![A, B]>(&mut ctx.pdma).await.to_buf(), moved(1, 7, 9, 4, 1, 2));
}

// Block 1 of the first group begins in padding (position 4 with B4 = 4), which says nothing about the other group.
axes![B4 = 4, E = 2, F = 3];
type TwoGroups = m![[E, F] # 10 % 5, [A, B4 # 5] # 16, [E, F] # 10 / 5];

#[device(chip = 1)]
fn block_of_two_groups(ctx: &mut Context, x: &HbmTensor<i32, m![1], TwoGroups>) -> HbmTensor<i32, m![1], TwoGroups> {
    let mut out = unsafe { HbmTensor::<i32, m![1], TwoGroups>::from_addr(0x3000) };
    let from = x.view().tile::<m![[A, B4 # 5] # 16 / 4], 1, m![[E, F] # 10 % 5, 1 # 4, [A, B4 # 5] # 16 % 4, [E, F] # 10 / 5]>(1);
    let to = out.view_mut().tile::<m![[A, B4 # 5] # 16 / 4], 1, m![[E, F] # 10 % 5, 1 # 4, [A, B4 # 5] # 16 % 4, [E, F] # 10 / 5]>(1);
    from.to_hbm_view(&mut ctx.tdma, to);
    out
}

#[tokio::test]
async fn a_start_in_padding_of_one_group() {
    let mut ctx = Context::acquire();
    let x = HostTensor::<i32, m![E, F, A, B4]>::from_buf(numbers(72)).to_hbm::<m![1], TwoGroups>(&mut ctx.pdma, 0x1000).await;
    let y = launch(block_of_two_groups, (&mut *ctx, &x)).await;
    let v = y.to_host::<m![E, F, A, B4]>(&mut ctx.pdma).await.to_buf();
    for at in 0..72 {
        let position = at / 4 % 3 * 5 + at % 4;
        let expected = if position / 4 == 1 { Opt::Init(at as i32) } else { Opt::Uninit };
        assert_eq!(v[at], expected);
    }
}

// Block 5 of two positions is padding: 10 and 11, with elements at 0, 3, 6 and 9 only.
axes![R = 4, One = 1];
type Sparse = m![[R, One # 3]];

#[device(chip = 1)]
fn block_of_padding(ctx: &mut Context, x: &HbmTensor<i32, m![1], Sparse>) -> HbmTensor<i32, m![1], Sparse> {
    let mut out = unsafe { HbmTensor::<i32, m![1], Sparse>::from_addr(0x3000) };
    let from = x.view().tile::<m![[R, One # 3] / 2], 1, m![1 # 6, [R, One # 3] % 2]>(5);
    let to = out.view_mut().tile::<m![[R, One # 3] / 2], 1, m![1 # 6, [R, One # 3] % 2]>(0);
    from.to_hbm_view(&mut ctx.tdma, to);
    out
}

#[tokio::test]
async fn a_block_that_is_padding() {
    let mut ctx = Context::acquire();
    let x = HostTensor::<i32, m![R]>::from_buf(numbers(4)).to_hbm::<m![1], Sparse>(&mut ctx.pdma, 0x1000).await;
    let y = launch(block_of_padding, (&mut *ctx, &x)).await;
    assert_eq!(y.to_host::<m![R]>(&mut ctx.pdma).await.to_buf(), vec![Opt::Uninit; 4]);
}
