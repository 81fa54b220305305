//! Where tokens enter the model, and what it says of the next one.

use super::*;

// Rows of the table, by token.
#[device(chip = 1)]
pub fn embed(ctx: &mut Context, table: &Table, tokens: &HbmTensor<i32, Chip, m![Tok]>) -> Hidden {
    let rows: DmTensor<bf16, Chip, m![1 # 2], m![Tok # 256], m![Emb]> = table.dma_gather(tokens, 0);
    rows.to_hbm(&mut ctx.tdma, IN_FRONT)
}

const SUMS_ADDRESS: u64 = FREE_ADDRESS;

#[device(chip = 1)]
pub fn logits(ctx: &mut Context, x: &Hidden, gain: &Gain, w: &VocMatrix) -> HbmTensor<f32, Chip, m![Tok, Voc]> {
    let normal = norm::<VocCluster>(ctx, x, gain);
    let mut sums: DmTensor<f32, Chip, VocCluster, VocSlice, m![Tok, { VocOfSlice }]> =
        unsafe { DmTensor::from_addr(SUMS_ADDRESS) };
    let mut tiles = first_tiles::<VocCluster, VocSlice, VocTiles, OneVocTile, VocRest, VocRows, m![Emb]>(ctx, w);
    for tile in 0..<VocTiles>::SIZE {
        let w = next_tile::<_, _, VocTiles, OneVocTile, VocRest, VocRows, m![Emb]>(ctx, w, &mut tiles, tile, HALVES);
        products::<_, _, EmbParts, EmbPart, _, _, _>(ctx, &normal, &w, 1)
            .commit_view(sums.view_mut().tile::<VocTiles, 1, m![Tok, { OneVocTile }, { VocRows }]>(tile));
    }
    sums.to_hbm(&mut ctx.tdma, BEHIND)
}
