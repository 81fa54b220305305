//! The host's part: the way of a few tokens through all layers.

use super::*;

async fn numbers(ctx: &mut Context, numbers: &Vec<i32>, address: u64) -> Positions {
    let numbers = HostTensor::<i32, m![Tok]>::from_buf(numbers.iter().copied().map(Opt::Init).collect());
    numbers.to_hbm(&mut ctx.pdma, address).await
}

// The logits behind the last one of `tokens`, which stand at positions from `first` on. There are up to Tok of them;
// the rest is filled up with tokens that nobody looks at: what they leave in the cache is hidden until others take
// its place.
pub async fn step(ctx: &mut Context, model: &mut Model, tokens: &[usize], first: usize) -> Vec<f32> {
    assert!(tokens.len() <= Tok::SIZE && first + Tok::SIZE <= Key::SIZE);
    let filled: Vec<i32> = (0..Tok::SIZE).map(|t| if t < tokens.len() { tokens[t] as i32 } else { 0 }).collect();
    let positions: Vec<i32> = (0..Tok::SIZE).map(|t| (first + t) as i32).collect();
    let seen = |e: usize| if e % Key::SIZE <= first + e / Key::SIZE { 0.0 } else { f32::NEG_INFINITY };
    let mask = HostTensor::<f32, m![Tok, Key, 1 # 2]>::from_buf(
        (0..Tok::SIZE * Key::SIZE).map(|e| Opt::Init(seen(e))).collect(),
    );
    let filled = numbers(ctx, &filled, ARGUMENTS).await;
    let positions = numbers(ctx, &positions, ARGUMENTS + (1 << 20)).await;
    let mask: Mask = mask.to_hbm(&mut ctx.pdma, ARGUMENTS + (2 << 20)).await;
    let mut x = launch(embed, (&mut *ctx, &model.table, &filled)).await;
    for layer in model.layers.iter_mut() {
        let between = launch(
            attention,
            (
                &mut *ctx,
                &x,
                &layer.attention_gain,
                &layer.q,
                &layer.k,
                &layer.v,
                &layer.o,
                &model.cos,
                &model.sin,
                &positions,
                &mask,
                &mut layer.keys,
                &mut layer.values,
            ),
        )
        .await;
        x = launch(mlp, (&mut *ctx, &between, &layer.mlp_gain, &layer.gate, &layer.up, &layer.down)).await;
    }
    let all = launch(logits, (&mut *ctx, &x, &model.gain, &model.head)).await;
    let all = all.to_host::<m![Tok, Voc]>(&mut ctx.pdma).await.to_buf();
    let last = (tokens.len() - 1) * Voc::SIZE;
    all[last..last + Voc::SIZE].iter().map(|v| v.unwrap()).collect()
}
