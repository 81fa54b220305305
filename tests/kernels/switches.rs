//! Every topology of the Switch Engine, with several parameters each: what arrives is committed as it is.
use furiosa_visa_std::prelude::*;

axes![A = 8, C = 256, D = 32, E = 16, F = 16, G = 4, H = 8, P = 4, Q = 8, X = 4, Y = 2, Z = 2, V = 256, U = 16];

type Chip = m![1];
type Cluster = m![1 # 2];

// Every slice gets the data of all of them, one after the other.
#[device(chip = 1)]
fn broadcast01_all(ctx: &mut Context, x: &HbmTensor<i8, Chip, m![C, D]>) -> HbmTensor<i8, Chip, m![V, C, D]> {
    let x = x.to_dm::<Cluster, m![C], m![D]>(&mut ctx.tdma, 0);
    let out: DmTensor<i8, Chip, Cluster, m![V], m![C, D]> = ctx
        .main
        .begin(x.view())
        .fetch::<i8, m![1], m![D]>()
        .switch::<m![V], m![C]>(SwitchConfig::Broadcast01 { slice1: 256, slice0: 1, time0: 1 })
        .collect::<m![C], m![D]>()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// Two factors leave the slices, with two time steps between them.
#[device(chip = 1)]
fn broadcast01_pairs(ctx: &mut Context, x: &HbmTensor<i8, Chip, m![C, A, D]>) -> HbmTensor<i8, Chip, m![C / 4, X, A, C % 4, D]> {
    let x = x.to_dm::<Cluster, m![C], m![A, D]>(&mut ctx.tdma, 0);
    let out: DmTensor<i8, Chip, Cluster, m![C / 4, X], m![A / 2, C / 2 % 2, A % 2, C % 2, D]> = ctx
        .main
        .begin(x.view())
        .fetch::<i8, m![A], m![D]>()
        .switch::<m![C / 4, X], m![A / 2, C / 2 % 2, A % 2, C % 2]>(SwitchConfig::Broadcast01 { slice1: 2, slice0: 2, time0: 2 })
        .collect::<m![A / 2, C / 2 % 2, A % 2, C % 2], m![D]>()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// Nothing takes their place: three of four slices stay empty.
#[device(chip = 1)]
fn broadcast01_padding(ctx: &mut Context, x: &HbmTensor<i8, Chip, m![C, A, D]>) -> HbmTensor<i8, Chip, m![C, A, D]> {
    let x = x.to_dm::<Cluster, m![C], m![A, D]>(&mut ctx.tdma, 0);
    let out: DmTensor<i8, Chip, Cluster, m![C / 4, 1 # 4], m![A, C / 2 % 2, C % 2, D]> = ctx
        .main
        .begin(x.view())
        .fetch::<i8, m![A], m![D]>()
        .switch::<m![C / 4, 1 # 4], m![A, C / 2 % 2, C % 2]>(SwitchConfig::Broadcast01 { slice1: 2, slice0: 2, time0: 1 })
        .collect::<m![A, C / 2 % 2, C % 2], m![D]>()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn broadcast01_inner(ctx: &mut Context, x: &HbmTensor<i8, Chip, m![C, A, D]>) -> HbmTensor<i8, Chip, m![C / 16, U, A, C % 16, D]> {
    let x = x.to_dm::<Cluster, m![C], m![A, D]>(&mut ctx.tdma, 0);
    let out: DmTensor<i8, Chip, Cluster, m![C / 16, U], m![A, C % 16, D]> = ctx
        .main
        .begin(x.view())
        .fetch::<i8, m![A], m![D]>()
        .switch::<m![C / 16, U], m![A, C % 16]>(SwitchConfig::Broadcast01 { slice1: 1, slice0: 16, time0: 4 })
        .collect::<m![A, C % 16], m![D]>()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn broadcast1(ctx: &mut Context, x: &HbmTensor<i8, Chip, m![C, A, D]>) -> HbmTensor<i8, Chip, m![C / 16, X, C % 4, A, C / 4 % 4, D]> {
    let x = x.to_dm::<Cluster, m![C], m![A, D]>(&mut ctx.tdma, 0);
    let out: DmTensor<i8, Chip, Cluster, m![C / 16, X, C % 4], m![A, C / 4 % 4, D]> = ctx
        .main
        .begin(x.view())
        .fetch::<i8, m![A], m![D]>()
        .switch::<m![C / 16, X, C % 4], m![A, C / 4 % 4]>(SwitchConfig::Broadcast1 { slice1: 4, slice0: 4 })
        .collect::<m![A, C / 4 % 4], m![D]>()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// The outer factor of all slices.
#[device(chip = 1)]
fn broadcast1_outer(ctx: &mut Context, x: &HbmTensor<i8, Chip, m![C, A, D]>) -> HbmTensor<i8, Chip, m![X, A, C, D]> {
    let x = x.to_dm::<Cluster, m![C], m![A, D]>(&mut ctx.tdma, 0);
    let out: DmTensor<i8, Chip, Cluster, m![X, C % 64], m![A, C / 64, D]> = ctx
        .main
        .begin(x.view())
        .fetch::<i8, m![A], m![D]>()
        .switch::<m![X, C % 64], m![A, C / 64]>(SwitchConfig::Broadcast1 { slice1: 4, slice0: 64 })
        .collect::<m![A, C / 64], m![D]>()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn transpose(ctx: &mut Context, x: &HbmTensor<i8, Chip, m![C, A, D]>) -> HbmTensor<i8, Chip, m![C / 64, C % 2, C / 2 % 32, A, D]> {
    let x = x.to_dm::<Cluster, m![C], m![A, D]>(&mut ctx.tdma, 0);
    let out: DmTensor<i8, Chip, Cluster, m![C / 64, C % 2, C / 2 % 32], m![A, D]> = ctx
        .main
        .begin(x.view())
        .fetch::<i8, m![A], m![D]>()
        .switch::<m![C / 64, C % 2, C / 2 % 32], m![A]>(SwitchConfig::Transpose { slice1: 32, slice0: 2 })
        .collect::<m![A], m![D]>()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn transpose_square(ctx: &mut Context, x: &HbmTensor<i8, Chip, m![C, A, D]>) -> HbmTensor<i8, Chip, m![C % 16, C / 16, A, D]> {
    let x = x.to_dm::<Cluster, m![C], m![A, D]>(&mut ctx.tdma, 0);
    let out: DmTensor<i8, Chip, Cluster, m![C % 16, C / 16], m![A, D]> = ctx
        .main
        .begin(x.view())
        .fetch::<i8, m![A], m![D]>()
        .switch::<m![C % 16, C / 16], m![A]>(SwitchConfig::Transpose { slice1: 16, slice0: 16 })
        .collect::<m![A], m![D]>()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// A time factor and a slice factor change places.
#[device(chip = 1)]
fn inter_transpose(ctx: &mut Context, x: &HbmTensor<i8, Chip, m![C, A, D]>) -> HbmTensor<i8, Chip, m![C, A, D]> {
    let x = x.to_dm::<Cluster, m![C], m![A, D]>(&mut ctx.tdma, 0);
    let out: DmTensor<i8, Chip, Cluster, m![C / 32, A / 2 % 2, C % 16], m![A / 4, A % 2, C / 16 % 2, D]> = ctx
        .main
        .begin(x.view())
        .fetch::<i8, m![A], m![D]>()
        .switch::<m![C / 32, A / 2 % 2, C % 16], m![A / 4, A % 2, C / 16 % 2]>(SwitchConfig::InterTranspose { slice1: 2, slice0: 16, time0: 2 })
        .collect::<m![A / 4, A % 2, C / 16 % 2], m![D]>()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn inter_transpose_outer(ctx: &mut Context, x: &HbmTensor<i8, Chip, m![C, A, D]>) -> HbmTensor<i8, Chip, m![A, C, D]> {
    let x = x.to_dm::<Cluster, m![C], m![A, D]>(&mut ctx.tdma, 0);
    let out: DmTensor<i8, Chip, Cluster, m![A, C % 32], m![C / 32, D]> = ctx
        .main
        .begin(x.view())
        .fetch::<i8, m![A], m![D]>()
        .switch::<m![A, C % 32], m![C / 32]>(SwitchConfig::InterTranspose { slice1: 8, slice0: 32, time0: 1 })
        .collect::<m![C / 32], m![D]>()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn transposed_broadcast1(ctx: &mut Context, x: &HbmTensor<i8, Chip, m![C, A, D]>) -> HbmTensor<i8, Chip, m![C / 64, U, C / 16 % 4, A, C % 16, D]> {
    let x = x.to_dm::<Cluster, m![C], m![A, D]>(&mut ctx.tdma, 0);
    let out: DmTensor<i8, Chip, Cluster, m![C / 64, U, C / 16 % 4], m![A, C % 16, D]> = ctx
        .main
        .begin(x.view())
        .fetch::<i8, m![A], m![D]>()
        .switch::<m![C / 64, U, C / 16 % 4], m![A, C % 16]>(SwitchConfig::TransposedBroadcast1 { slice1: 4, slice0: 16 })
        .collect::<m![A, C % 16], m![D]>()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn transposed_broadcast1_all(ctx: &mut Context, x: &HbmTensor<i8, Chip, m![C, A, D]>) -> HbmTensor<i8, Chip, m![C / 16, Y, C / 2 % 8, A, C % 2, D]> {
    let x = x.to_dm::<Cluster, m![C], m![A, D]>(&mut ctx.tdma, 0);
    let out: DmTensor<i8, Chip, Cluster, m![C / 16, Y, C / 2 % 8], m![A, C % 2, D]> = ctx
        .main
        .begin(x.view())
        .fetch::<i8, m![A], m![D]>()
        .switch::<m![C / 16, Y, C / 2 % 8], m![A, C % 2]>(SwitchConfig::TransposedBroadcast1 { slice1: 8, slice0: 2 })
        .collect::<m![A, C % 2], m![D]>()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn custom_permutation(ctx: &mut Context, x: &HbmTensor<i8, Chip, m![E, F, A, D]>) -> HbmTensor<i8, Chip, m![F, E, A, D]> {
    let x = x.to_dm::<Cluster, m![E, F], m![A, D]>(&mut ctx.tdma, 0);
    let out: DmTensor<i8, Chip, Cluster, m![F % 4, F / 4, E % 4, E / 4], m![A, D]> = ctx
        .main
        .begin(x.view())
        .fetch::<i8, m![A], m![D]>()
        .switch::<m![F % 4, F / 4, E % 4, E / 4], m![A]>(SwitchConfig::CustomBroadcast { ring_size: 256 })
        .collect::<m![A], m![D]>()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn custom_inner(ctx: &mut Context, x: &HbmTensor<i8, Chip, m![Q, H, P, A, D]>) -> HbmTensor<i8, Chip, m![Q, P, H, A, D]> {
    let x = x.to_dm::<Cluster, m![Q, H, P], m![A, D]>(&mut ctx.tdma, 0);
    let out: DmTensor<i8, Chip, Cluster, m![Q, P, H], m![A, D]> = ctx
        .main
        .begin(x.view())
        .fetch::<i8, m![A], m![D]>()
        .switch::<m![Q, P, H], m![A]>(SwitchConfig::CustomBroadcast { ring_size: 32 })
        .collect::<m![A], m![D]>()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn custom_copies(ctx: &mut Context, x: &HbmTensor<i8, Chip, m![E, F, A, D]>) -> HbmTensor<i8, Chip, m![Y, Z, E, F, A, D]> {
    let x = x.to_dm::<Cluster, m![E, F], m![A, D]>(&mut ctx.tdma, 0);
    let out: DmTensor<i8, Chip, Cluster, m![E / 2, Y, F / 2, Z], m![A, E % 2, F % 2, D]> = ctx
        .main
        .begin(x.view())
        .fetch::<i8, m![A], m![D]>()
        .switch::<m![E / 2, Y, F / 2, Z], m![A, E % 2, F % 2]>(SwitchConfig::CustomBroadcast { ring_size: 32 })
        .collect::<m![A, E % 2, F % 2], m![D]>()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// Three of every four slices are delivered, to all four.
#[device(chip = 1)]
fn custom_three_of_four(ctx: &mut Context, x: &HbmTensor<i8, Chip, m![E, F, A, D]>) -> HbmTensor<i8, Chip, m![E, F / 4, X, A, F % 4 = 3, D]> {
    let x = x.to_dm::<Cluster, m![E, F], m![A, D]>(&mut ctx.tdma, 0);
    let out: DmTensor<i8, Chip, Cluster, m![E, F / 4, X], m![A, F % 4 = 3, D]> = ctx
        .main
        .begin(x.view())
        .fetch::<i8, m![A], m![D]>()
        .switch::<m![E, F / 4, X], m![A, F % 4 = 3]>(SwitchConfig::CustomBroadcast { ring_size: 4 })
        .collect::<m![A, F % 4 = 3], m![D]>()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn custom_ring_of_one(ctx: &mut Context, x: &HbmTensor<i8, Chip, m![C, A, D]>) -> HbmTensor<i8, Chip, m![C, A, D]> {
    let x = x.to_dm::<Cluster, m![C], m![A, D]>(&mut ctx.tdma, 0);
    let out: DmTensor<i8, Chip, Cluster, m![C], m![A, D]> = ctx
        .main
        .begin(x.view())
        .fetch::<i8, m![A], m![D]>()
        .switch::<m![C], m![A]>(SwitchConfig::CustomBroadcast { ring_size: 1 })
        .collect::<m![A], m![D]>()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// Packets of 16 bytes.
#[device(chip = 1)]
fn floats_around(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![C, A, G]>) -> HbmTensor<f32, Chip, m![C / 16, Y, C % 8, A, C / 8 % 2, G]> {
    let x = x.to_dm::<Cluster, m![C], m![A, G]>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, m![C / 16, Y, C % 8], m![A, C / 8 % 2, G]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![A], m![G]>()
        .switch::<m![C / 16, Y, C % 8], m![A, C / 8 % 2]>(SwitchConfig::Broadcast1 { slice1: 2, slice0: 8 })
        .collect::<m![A, C / 8 % 2], m![G # 8]>()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}
