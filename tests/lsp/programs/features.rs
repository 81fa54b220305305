//! One of everything that an editor shows: a kernel, a helper, types, tests, and a module.

use furiosa_visa_std::prelude::*;
use std::collections::{
    BTreeMap,
    HashMap,
};

axes![Values = 4096, Rows = 4];

type Chip = m![1];
type Cluster = m![1 # 2];
type Slice = m![Values / 16];
type Element = m![Values % 16];

const STEP: i32 = 5;

// What a kernel was asked for;
// more of it stands nowhere.
/// A question.
#[derive(Debug, Clone, PartialEq)]
struct Order {
    amount: i32,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Plain,
    Scaled(i32),
    Named { factor: i32 },
}

impl Order {
    fn new(amount: i32) -> Self {
        Order { amount, kind: Kind::Plain }
    }

    fn total(&self) -> i32 {
        match self.kind {
            Kind::Plain => self.amount,
            Kind::Scaled(by) => self.amount * by,
            Kind::Named { factor } => {
                let scaled = self.amount * factor;
                scaled
            }
        }
    }
}

trait Priced {
    fn price(&self) -> i32;
}

impl Priced for Order {
    fn price(&self) -> i32 {
        self.total() + STEP
    }
}

mod inner {
    pub fn twice<T: Copy>(value: T) -> (T, T) {
        (value, value)
    }
}

#[device(chip = 1)]
fn add_five(ctx: &mut Context, input: &HbmTensor<i32, Chip, m![Values]>) -> HbmTensor<i32, Chip, m![Values]> {
    let dm = input.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let sum: DmTensor<i32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(dm.view())
        .fetch::<i32, m![Values / 8 % 2], m![Values % 8]>()
        .collect::<m![Values / 8 % 2], m![Values % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::AddFxp, STEP)
        .vector_final()
        .commit(0x1000);
    sum.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[deprecated]
fn sizes() -> HashMap<usize, i32> {
    let mut known = HashMap::new();
    known.insert(Values::SIZE, STEP);
    known
}

async fn run(values: Vec<i32>) -> Vec<i32> {
    let mut ctx = Context::acquire();
    let input = HostTensor::<i32, m![Values]>::from_buf(values.into_iter().map(Opt::Init).collect());
    let in_hbm = input.to_hbm(&mut ctx.pdma, 0).await;
    let out_hbm = launch(add_five, (&mut *ctx, &in_hbm)).await;
    let out = out_hbm.to_host::<m![Values]>(&mut ctx.pdma).await;
    out.to_buf().into_iter().map(|value| value.unwrap()).collect()
}

#[tokio::test]
async fn adds_five() {
    let out = run((0..4096).collect()).await;
    assert_eq!(out, (5..4101).collect::<Vec<i32>>());
    let order = Order::new(out[0]);
    assert_eq!(order.price(), 10, "{}", order.amount);
}

#[test]
fn counts() {
    let pair = inner::twice(sizes().len());
    let names: BTreeMap<&str, usize> = BTreeMap::new();
    assert_eq!(pair, (1, 1));
    assert_eq!(names.len(), 1);
}
