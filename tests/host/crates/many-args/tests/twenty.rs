use furiosa_visa_std::prelude::*;
use many_args::*;

const ROWS: usize = 17;

struct Sender<'a> {
    ctx: &'a mut Context,
    next: u64,
}

struct Held {
    tensor: HbmTensor<i32, Chip, m![L]>,
    start: i32,
}

impl Sender<'_> {
    async fn send(&mut self, start: i32) -> Held {
        let host = HostTensor::<i32, m![L]>::from_buf((start..).take(8).map(Opt::Init).collect());
        let tensor = host.to_hbm(&mut self.ctx.pdma, self.next).await;
        self.next += 0x1000;
        Held { tensor, start }
    }
}

async fn send_all(ctx: &mut Context) -> Vec<Held> {
    let mut sender = Sender { ctx, next: 2 << 28 };
    let mut held = vec![];
    for i in 0..ROWS {
        held.push(sender.send(i as i32 * i as i32).await);
    }
    held
}

async fn table(ctx: &mut Context) -> HbmTensor<i32, Chip, m![S, L]> {
    let host = HostTensor::<i32, m![S, L]>::from_buf((0..2048).map(|i| Opt::Init(i / 8)).collect());
    host.to_hbm(&mut ctx.pdma, 0).await
}

#[tokio::test]
async fn twenty_arguments() {
    let mut ctx = Context::acquire();
    let x = table(&mut ctx).await;
    let rows = send_all(&mut ctx).await;
    assert_eq!(rows[3].tensor.address(), (2 << 28) + 0x3000);
    let mut out = unsafe { HbmTensor::<i32, Chip, m![S, L]>::from_addr(1 << 28) };
    launch(
        add_rows,
        (&mut *ctx, &x, &rows[0].tensor, &rows[1].tensor, &rows[2].tensor, &rows[3].tensor, &rows[4].tensor, &rows[5].tensor, &rows[6].tensor, &rows[7].tensor, &rows[8].tensor, &rows[9].tensor, &rows[10].tensor, &rows[11].tensor, &rows[12].tensor, &rows[13].tensor, &rows[14].tensor, &rows[15].tensor, &rows[16].tensor, &mut out),
    )
    .await;
    let got = out.to_host::<m![S, L]>(&mut ctx.pdma).await.to_buf();
    let base: i32 = rows.iter().map(|r| r.start).sum();
    for (i, v) in got.iter().enumerate() {
        let (s, l) = (i as i32 / 8, i as i32 % 8);
        assert_eq!(*v, Opt::Init(s + base + 17 * l), "at {s}, {l}");
    }
}
