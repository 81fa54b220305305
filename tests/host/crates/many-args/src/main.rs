// prints: first row: [1360, 1377, 1394, 1411, 1428, 1445, 1462, 1479]
// prints: rows alike: true
use furiosa_visa_std::prelude::*;
use many_args::{L, S, add_rows};

struct Rows {
    held: Vec<HbmTensor<i32, m![1], m![L]>>,
}

impl Rows {
    async fn sent(ctx: &mut Context, count: usize) -> Rows {
        let mut held = Vec::with_capacity(count);
        for r in 0..count {
            let row = HostTensor::<i32, m![L]>::from_buf((0..8).map(|l| Opt::Init(r as i32 * 10 + l)).collect());
            held.push(row.to_hbm(&mut ctx.pdma, (2 << 28) + 4096 * r as u64).await);
        }
        Rows { held }
    }
}

#[tokio::main]
async fn main() {
    let mut ctx = Context::acquire();
    let rows = Rows::sent(&mut ctx, 17).await.held;
    let x = HostTensor::<i32, m![S, L]>::zero().to_hbm(&mut ctx.pdma, 0).await;
    let mut out = unsafe { HbmTensor::from_addr(1 << 28) };
    launch(
        add_rows,
        (&mut *ctx, &x, &rows[0], &rows[1], &rows[2], &rows[3], &rows[4], &rows[5], &rows[6], &rows[7], &rows[8], &rows[9], &rows[10], &rows[11], &rows[12], &rows[13], &rows[14], &rows[15], &rows[16], &mut out),
    )
    .await;
    let got = out.to_host::<m![S, L]>(&mut ctx.pdma).await.to_buf();
    println!("first row: {:?}", got[..8].iter().map(|v| v.unwrap()).collect::<Vec<_>>());
    println!("rows alike: {}", got.chunks(8).all(|row| row == &got[..8]));
}
