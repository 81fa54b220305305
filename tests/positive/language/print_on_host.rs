// The host prints without a warning: in main, in its helpers, and around a launch.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 64];

type Chip = m![1];
type Matrix = HbmTensor<i8, Chip, m![S, A]>;

#[device(chip = 1)]
fn copy(ctx: &mut Context, x: &Matrix) -> Matrix {
    let dm = x.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    dm.to_hbm(&mut ctx.tdma, 1 << 20)
}

fn describe(name: &str, count: usize) -> usize {
    eprintln!("{name}: {count} elements");
    dbg!(count * 2)
}

fn announce(x: &Matrix) {
    println!("{} copies", std::slice::from_ref(x).len());
}

async fn round_trip(ctx: &mut Context, x: &Matrix) -> Matrix {
    announce(x);
    print!("launching ");
    eprint!("copy ");
    let result = launch(copy, (&mut *ctx, x)).await;
    println!("done");
    result
}

#[tokio::main]
async fn main() {
    let mut ctx = Context::acquire();
    let host = HostTensor::<i8, m![S, A]>::from_buf((0..256 * 64).map(|x| Opt::Init(x as i8)).collect());
    let x = host.to_hbm::<Chip, m![S, A]>(&mut ctx.pdma, 0).await;
    round_trip(&mut ctx, &x).await;
    println!("{}", describe("x", 256 * 64));
}
