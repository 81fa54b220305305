// A kernel whose context is taken apart, and helpers that are generic over a trait.
use furiosa_visa_std::prelude::*;
axes![S = 256, A = 16, B = 8];
type Cluster = m![1 # 2];
type In = HbmTensor<i32, m![1], m![S, A, B]>;
type Sw = SwitchConfig;
type Dm = DmTensor<i32, m![1], Cluster, m![S], m![A, B]>;
struct Addresses { first: u64, second: u64 }

impl Addresses {
    const STEP: u64 = 0x1000;
    const fn new() -> Self {
        Self { first: 0, second: Self::STEP }
    }
}

trait Scale {
    const FACTOR: i32;
    fn op() -> FxpBinaryOp {
        FxpBinaryOp::MulInt
    }
    fn value(&self) -> i32 {
        Self::FACTOR
    }
}

struct Three;
struct Five(i32);

impl Scale for Three {
    const FACTOR: i32 = 3;
}

impl Scale for Five {
    const FACTOR: i32 = 5;
    fn value(&self) -> i32 {
        self.0 + Self::FACTOR
    }
}

fn scale<T: Scale>(main: &mut TuContext<{ Tu::Main }>, dm: &Dm, by: &T, address: u64) -> Dm {
    main.begin(dm.view()).fetch::<i32, m![A], m![B]>().collect::<m![A], m![B]>().vector_init() .vector_intra_slice_branch(BranchMode::Unconditional).vector_fxp(T::op(), by.value()).vector_final().commit(address)
}

#[device(chip = 1)]
fn kernel(ctx: &mut Context, input: &In) -> In {
    let Context { main, tdma, .. } = ctx;
    let addresses @ Addresses { first, second } = &Addresses::new();
    let dm: Dm = input.to_dm(tdma, *first);
    let three = scale(main, &dm, &Three, *second);
    let five = scale(main, &three, &Five(1), addresses.second + Addresses::STEP);
    five.to_hbm(tdma, 0)
}

fn switched<'l, const T: Tu>(input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![A], m![B]>) -> SwitchTensor<'l, T, i8, m![1], m![1 # 2], m![S / 4, 1 # 4], m![A, S % 4], m![B]> {
    input.switch(Sw::Broadcast01 { slice1: 4, slice0: 1, time0: 1 })
}
