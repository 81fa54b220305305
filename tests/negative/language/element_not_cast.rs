// The elements of a list or range, or the target of a reference, have the wrong type: casting the expression would not help.
use furiosa_visa_std::prelude::*;
use std::collections::HashMap;

axes![S = 256, A = 64];

type Chip = m![1];

#[device(chip = 1)]
fn copy(ctx: &mut Context, x: &HbmTensor<i8, Chip, m![S, A]>) -> HbmTensor<i8, Chip, m![S, A]> {
    let dm = x.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    dm.to_hbm(&mut ctx.tdma, 1 << 20)
}

async fn fetched(ctx: &mut Context, x: &HbmTensor<i8, Chip, m![S, A]>) -> Vec<i32> {
    let y = launch(copy, (&mut *ctx, x)).await;
    let host = y.to_host::<m![S, A]>(&mut ctx.pdma).await;
    host.to_buf().into_iter().map(|value| value.unwrap()).collect() // expect error: E0430 of an i8
}

fn listed(bytes: &[u8]) -> Vec<u32> {
    let mut words: Vec<u32> = Vec::new();
    words.extend(bytes.iter().copied()); // expect error: E0430 of a u8
    words
}

fn looked_up(table: &HashMap<u32, u32>, key: u64) -> u32 {
    table[&key] // expect error: E0430 a reference
}

fn either(pair: Result<u32, u64>) -> u32 {
    match pair {
        Ok(value) | Err(value) => value, // expect error: E0430 a variable of two types
    }
}
