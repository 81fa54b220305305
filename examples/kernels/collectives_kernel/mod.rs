//! The kernels of `collectives.rs`, which explains them, and their test. How many chips there are is up to the module
//! that names this one as its own: `Chips`, `Piece` and `Turn` have that size, and `One` is `m![1 # size]`. What is
//! launched stands there, since the attribute of a kernel takes a number only.

use super::*;

type Chip = m![Chips];
type Cluster = m![Row / 256];
type Slice = m![Row % 256];
type Whole = DmTensor<f32, Chip, Cluster, Slice, m![Piece, Width]>;
type Part = DmTensor<f32, Chip, Cluster, Slice, m![Width]>;
type Turns = DmTensor<f32, Chip, Cluster, Slice, m![Turn, Width]>;

const CHIPS: usize = Chips::SIZE;
const PART_BYTES: u64 = (Width::SIZE * 4) as u64;
const WHOLE_BYTES: u64 = CHIPS as u64 * PART_BYTES;
const OWN_ADDRESS: u64 = 0;
const SUM_ADDRESS: u64 = OWN_ADDRESS + WHOLE_BYTES; // two, in turn
const TURNS_ADDRESS: u64 = SUM_ADDRESS + 2 * PART_BYTES;
const RESULT_ADDRESS: u64 = TURNS_ADDRESS + WHOLE_BYTES;

// For each chip the one that is `steps` further on, in a ring.
fn further(steps: usize) -> [usize; CHIPS] {
    let mut chips = [0; CHIPS];
    for chip in 0..CHIPS {
        chips[chip] = (chip + steps) % CHIPS;
    }
    chips
}

fn add(ctx: &mut Context, left: &Part, right: &Part, address: u64) -> Part {
    ctx.main
        .begin_interleaved::<Pair, _, _, _, _, _>(left.view(), right.view())
        .fetch::<f32, m![Width / 8, Pair], m![Width % 8]>()
        .collect::<m![Width / 8, Pair], m![Width % 8]>()
        .vector_init()
        .vector_intra_slice_unzip::<Pair, m![Width / 8, 1 # 2], m![Width / 8]>()
        .vector_clip_zip(ClipBinaryOpF32::Add)
        .vector_final()
        .commit(address)
}

// Chip c keeps piece c and gets piece c of all others: in step s from chip c + s. What comes is added while the next
// piece is on its way.
fn sum_of_pieces(ctx: &mut Context, own: &Whole) -> Part {
    let mut sum: Part = ctx.sub.parallel_copy_chip_slice::<CHIPS, m![Piece], m![{ One }, Width], _, _, _, _, _, _>(
        own.view(),
        &further(0),
    );
    for step in 1..CHIPS {
        // chip c + s picks piece c
        let picked: Part = ctx.sub.parallel_copy_chip_slice::<CHIPS, m![Piece], m![{ One }, Width], _, _, _, _, _, _>(
            own.view(),
            &further(CHIPS - step),
        );
        let came: Part = ctx.tdma.dm_chip_shuffle::<_, CHIPS, _, _, _, _>(picked.view(), &further(step));
        sum = add(ctx, &sum, &came, SUM_ADDRESS + (step % 2) as u64 * PART_BYTES);
    }
    sum
}

// Every chip gets the parts of all others, in step s from chip c + s, and puts them in the order of the chips: part k
// came in step k - c.
fn all_parts(ctx: &mut Context, own: &Part) -> Whole {
    let mut turns: Turns = unsafe { DmTensor::from_addr(TURNS_ADDRESS) };
    own.view().to_dm_view_pcopy(&mut ctx.sub, turns.view_mut().tile::<m![Turn], 1, m![{ One }, Width]>(0));
    for step in 1..CHIPS {
        let came: Part = ctx.tdma.dm_chip_shuffle::<_, CHIPS, _, _, _, _>(own.view(), &further(step));
        came.view().to_dm_view_pcopy(&mut ctx.sub, turns.view_mut().tile::<m![Turn], 1, m![{ One }, Width]>(step));
    }
    let mut whole: Whole = unsafe { DmTensor::from_addr(RESULT_ADDRESS) };
    for k in 0..CHIPS {
        let mut turn = [0; CHIPS];
        for chip in 0..CHIPS {
            turn[chip] = (k + CHIPS - chip) % CHIPS;
        }
        let part: Part = ctx.sub.parallel_copy_chip_slice::<CHIPS, m![Turn], m![{ One }, Width], _, _, _, _, _, _>(
            turns.view(),
            &turn,
        );
        part.view().to_dm_view_pcopy(&mut ctx.sub, whole.view_mut().tile::<m![Piece], 1, m![{ One }, Width]>(k));
    }
    whole
}

// ---- the kernels: what is launched says for how many chips

pub type Given = HbmTensor<f32, Chip, m![Piece, Row, Width]>;
pub type GivenPart = HbmTensor<f32, Chip, m![Row, Width]>;

const FOUND_HBM: u64 = 1 << 30;

pub fn reduced_and_scattered(ctx: &mut Context, x: &Given) -> GivenPart {
    let own: Whole = x.to_dm(&mut ctx.tdma, OWN_ADDRESS);
    sum_of_pieces(ctx, &own).to_hbm(&mut ctx.tdma, FOUND_HBM)
}

pub fn gathered(ctx: &mut Context, x: &GivenPart) -> Given {
    let own: Part = x.to_dm(&mut ctx.tdma, OWN_ADDRESS);
    all_parts(ctx, &own).to_hbm(&mut ctx.tdma, FOUND_HBM)
}

pub fn reduced(ctx: &mut Context, x: &Given) -> Given {
    let own: Whole = x.to_dm(&mut ctx.tdma, OWN_ADDRESS);
    let part = sum_of_pieces(ctx, &own);
    all_parts(ctx, &part).to_hbm(&mut ctx.tdma, FOUND_HBM)
}

// ---- the host

// Small whole numbers, whose sums are exact.
fn number(chip: usize, e: usize) -> f32 {
    ((e * 7 + e / Width::SIZE * 3 + chip * 11) % 61) as f32 - 20.0
}

#[tokio::test]
async fn all_three_agree_with_plain_sums() {
    let mut ctx = Context::acquire();
    let each = Piece::SIZE * Row::SIZE * Width::SIZE; // numbers of a chip
    let part = Row::SIZE * Width::SIZE;
    let x: Vec<Opt<f32>> = (0..Chips::SIZE * each).map(|e| Opt::Init(number(e / each, e % each))).collect();
    let x = HostTensor::<f32, m![Chips, Piece, Row, Width]>::from_buf(x).to_hbm(&mut ctx.pdma, 0).await;

    let parts = launch(reduce_scatter, (&mut *ctx, &x)).await;
    let found = parts.to_host::<m![Chips, Row, Width]>(&mut ctx.pdma).await.to_buf();
    for e in (0..each).step_by(13) {
        let expected: f32 = (0..Chips::SIZE).map(|chip| number(chip, e)).sum();
        assert_eq!(found[e], Opt::Init(expected), "sum of piece {}, number {}", e / part, e % part);
    }

    let gathered = launch(all_gather, (&mut *ctx, &parts)).await;
    let gathered = gathered.to_host::<m![Chips, Piece, Row, Width]>(&mut ctx.pdma).await.to_buf();
    let reduced = launch(all_reduce, (&mut *ctx, &x)).await;
    let reduced = reduced.to_host::<m![Chips, Piece, Row, Width]>(&mut ctx.pdma).await.to_buf();
    for e in (0..Chips::SIZE * each).step_by(13) {
        assert_eq!(gathered[e], found[e % each], "gathered by chip {}, number {}", e / each, e % each);
        assert_eq!(reduced[e], found[e % each], "reduced on chip {}, number {}", e / each, e % each);
    }
}
