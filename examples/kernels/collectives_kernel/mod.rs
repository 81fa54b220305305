//! The kernels of `collectives.rs`, which explains them. How many chips there are is up to the module that names this
//! one as its own: `Chips`, `Piece` and `Turn` have that size, and `One` is `m![1 # size]`.

use super::*;

pub type Chip = m![Chips];
type Cluster = m![Row / 256];
type Slice = m![Row % 256];
pub type Whole = DmTensor<f32, Chip, Cluster, Slice, m![Piece, Width]>;
pub type Part = DmTensor<f32, Chip, Cluster, Slice, m![Width]>;
type Turns = DmTensor<f32, Chip, Cluster, Slice, m![Turn, Width]>;

const CHIPS: usize = Chips::SIZE;
const PART_BYTES: u64 = (Width::SIZE * 4) as u64;
const WHOLE_BYTES: u64 = CHIPS as u64 * PART_BYTES;
pub const OWN_ADDRESS: u64 = 0;
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
pub fn sum_of_pieces(ctx: &mut Context, own: &Whole) -> Part {
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
pub fn all_parts(ctx: &mut Context, own: &Part) -> Whole {
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
