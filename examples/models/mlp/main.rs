//! A network of two layers that reads digits: trained by NumPy in seconds, run on the chip 4096 images at a time.
//!
//!     hidden[i, h] = max(0, sum over p of x[i, p] * w1[h, p] + b1[h])        144 pixels, 64 hidden units
//!     logit[i, c]  = sum over h of hidden[i, h] * w2[c, h] + b2[c]           10 digits, of 16 classes
//!
//! `train.py` draws digits of its own (shifted, faded, with pixels lost, in noise), trains a network on them and
//! writes it to a file with images that it has not seen. This program reads the file, runs the network, draws some
//! of the images and says how many it read rightly: 96 %, the same ones as NumPy with the same roundings.
//!
//!     /usr/bin/python3 examples/models/mlp/train.py digits.safetensors
//!     contra run examples/models/mlp/main.rs -- digits.safetensors
//!
//! Images, weights and hidden units are in bf16, sums and biases in f32. The host takes the largest of the ten logits
//! (`examples/kernels/argmax.rs` does that on the chip).
//!
//! # Mapping
//!
//! Images are shared out: clusters (`Half`), slices (`Eighth`, `Line`), four in each slice (`Round`), then the next
//! tile of 2048 (`Tile`). So nothing has to be added up across slices, and each slice needs the whole network, which
//! is small enough for that.
//!
//! Both layers use each flit of 16 factors twice, as in `blocked_gemm`: against hidden units h and h + 8 (classes c and
//! c + 8), two halves of a packet of 64 bytes that are added up apart. Eight rows of TRF take eight units each, so a
//! flit meets 16 units in a cycle. Pixels follow in time, nine flits; so an image takes 4 x 9 cycles for the first
//! layer and 4 for the second.
//!
//! # Engines and memory
//!
//! DMA, Fetch (each image four times, once for every 16 hidden units), Switch (weights, on their way to TRF), Collect,
//! Contraction with eight rows and two sums each, Vector (bias and ReLU, eight lanes at a time), Cast, Commit.
//!
//! - Weights: 32 slices have a part each, and pass it round (a ring of 32), so DMA brings 16 copies of the network and
//!   not 512. The host sends them in the order of TRF (`PackedW1`): as rows of pixels they would come in pieces of 32
//!   bytes, in 3,356 cycles instead of 1,343.
//! - Biases: 256 and 64 bytes that each slice needs in VRF. The host sends a copy for each slice: 585 cycles each. As
//!   one copy, read 512 times from the same channel of HBM, the first would take 5,919.
//!
//! In a slice: two tiles of images (1,152 bytes each), two of logits (256 bytes each), hidden units, parts of weights;
//! TRF: w1 in the first half (8 x 2,304 bytes), w2 in the second (8 x 256 bytes); VRF: 320 bytes of biases.
//!
//! # What bounds it
//!
//! DMA, all the time: 7,130 cycles, of which the passes take 184 for each tile and run beside it. The eight commands
//! take 500 each to start, which is more than half of all. HBM would take 1,289 for the 1.9 MB that are moved; the
//! multipliers work at 4.5 % of their peak. An image has 10,240 products for 352 bytes, so that they could never work
//! at more than 33 %: HBM brings 1,500 bytes a cycle, and 131,072 products wait for them. A network that stays loaded
//! (3,690 cycles here) and larger tiles come nearer to that.
//!
//! # Sizes
//!
//! - `Tile`: any; `OneTile` says it once more. `Round`: any, as long as DM holds two tiles; with multiples of 4, HBM
//!   writes whole units of 256 bytes.
//! - `Pixel`: any multiple of 16, `Hidden` 16 x a divisor of 32 (parts for a ring of `Line` = Hidden / 2 slices, and
//!   `Eighth` = 256 / Line). Half of TRF holds Pixel x Hidden <= 16,384.
//! - `Class` is 16, of which the host uses `DIGITS`; more are refused, since a packet holds two times 16 factors.
//!
//! # What to try
//!
//! - `Round = 16`: 2.8 times as many images a cycle, since no more commands have to start.
//! - `PackedW1 = m![Hidden, Pixel]`: nothing else changes but the time of that load.
//! - Fewer hidden units in `train.py` and here: with 16 of them (`Line = 8`, `Eighth = 32`) accuracy shows what they
//!   are good for.

use furiosa_visa_std::prelude::*;
use safetensors::{Dtype, SafeTensors};

axes![Tile = 2, Half = 2, Eighth = 8, Line = 32, Round = 4, Pixel = 144, Hidden = 64, Class = 16];

type Chip = m![1];
type Image = m![Tile, Half, Eighth, Line, Round];
type OneTile = m![1 # 2, Half, Eighth, Line, Round]; // of all
type Cluster = m![Half];
type Slice = m![Eighth, Line]; // Round images of a tile in each
type Images = DmTensor<bf16, Chip, Cluster, Slice, m![Round, Pixel]>;
type Logits = DmTensor<f32, Chip, Cluster, Slice, m![Round, Class]>;

// As the host sends them: weights in the order of TRF, biases once for each slice.
type PackedW1 = m![Hidden % 8, Hidden / 16, Pixel / 16, Hidden / 8 % 2, Pixel % 16];
type PackedW2 = m![Class % 8, Hidden / 16, Class / 8, Hidden % 16];
type PartOfW1 = m![Pixel / 16, Hidden / 8 % 2, Pixel % 16]; // in a slice
type CopiedB1 = m![Half, Eighth, Line, Hidden];
type CopiedB2 = m![Half, Eighth, Line, Class];

// Weights and biases as every slice has them.
struct Network {
    w1: TrfTensor<bf16, Chip, Cluster, Slice, m![Hidden % 8], m![Hidden / 16, Pixel / 16, Hidden / 8 % 2, Pixel % 16]>,
    w2: TrfTensor<bf16, Chip, Cluster, Slice, m![Class % 8], m![Hidden / 16, Class / 8, Hidden % 16]>,
    b1: VrfTensor<f32, Chip, Cluster, Slice, m![Hidden]>,
    b2: VrfTensor<f32, Chip, Cluster, Slice, m![Class]>,
}

const TILES: usize = Tile::SIZE;
const IMAGE_BYTES: u64 = (Round::SIZE * Pixel::SIZE * 2) as u64; // of a tile, in a slice
const LOGIT_BYTES: u64 = (Round::SIZE * Class::SIZE * 4) as u64;
const IMAGE_ADDRESS: u64 = 0; // two of them
const LOGIT_ADDRESS: u64 = IMAGE_ADDRESS + 2 * IMAGE_BYTES; // two of them
const HIDDEN_ADDRESS: u64 = LOGIT_ADDRESS + 2 * LOGIT_BYTES;
const W1_ADDRESS: u64 = HIDDEN_ADDRESS + (Round::SIZE * Hidden::SIZE * 2) as u64;
const W2_ADDRESS: u64 = W1_ADDRESS + (2 * Pixel::SIZE * 2) as u64;
const B1_ADDRESS: u64 = W2_ADDRESS + (2 * Hidden::SIZE * 2) as u64;
const B2_ADDRESS: u64 = B1_ADDRESS + Hidden::SIZE as u64 * 4;
const B1_VRF: u64 = 0;
const B2_VRF: u64 = B1_VRF + Hidden::SIZE as u64 * 4;

const ROUND_A_LINE: SwitchConfig = SwitchConfig::Broadcast01 { slice1: Line::SIZE, slice0: 1, time0: 1 };

// Weights come to DM but once for each ring of slices; the Switch Engine passes them round, to all of a ring.
fn load(
    ctx: &mut Context,
    w1: &HbmTensor<bf16, Chip, PackedW1>,
    b1: &HbmTensor<f32, Chip, CopiedB1>,
    w2: &HbmTensor<bf16, Chip, PackedW2>,
    b2: &HbmTensor<f32, Chip, CopiedB2>,
) -> Network {
    let w1: DmTensor<bf16, Chip, Cluster, m![Eighth, Hidden % 8, Hidden / 16], PartOfW1> =
        w1.to_dm(&mut ctx.tdma, W1_ADDRESS);
    let b1: DmTensor<f32, Chip, Cluster, Slice, m![Hidden]> = b1.to_dm(&mut ctx.tdma, B1_ADDRESS);
    let w2: DmTensor<bf16, Chip, Cluster, m![Eighth, Class % 8, Hidden / 16], m![Class / 8, Hidden % 16]> =
        w2.to_dm(&mut ctx.tdma, W2_ADDRESS);
    let b2: DmTensor<f32, Chip, Cluster, Slice, m![Class]> = b2.to_dm(&mut ctx.tdma, B2_ADDRESS);
    Network {
        w1: ctx
            .sub
            .begin(w1.view())
            .fetch::<bf16, m![1], PartOfW1>()
            .switch::<Slice, m![Hidden % 8, Hidden / 16]>(ROUND_A_LINE)
            .collect::<m![Hidden % 8, Hidden / 16, Pixel / 16, Hidden / 8 % 2], m![Pixel % 16]>()
            .to_trf(TrfAddress::FirstHalf),
        b1: ctx
            .sub
            .begin(b1.view())
            .fetch::<f32, m![1], m![Hidden]>()
            .collect::<m![Hidden / 8], m![Hidden % 8]>()
            .to_vrf(B1_VRF),
        w2: ctx
            .sub
            .begin(w2.view())
            .fetch::<bf16, m![1], m![Class / 8, Hidden % 16]>()
            .switch::<Slice, m![Class % 8, Hidden / 16]>(ROUND_A_LINE)
            .collect::<m![Class % 8, Hidden / 16, Class / 8], m![Hidden % 16]>()
            .to_trf(TrfAddress::SecondHalf),
        b2: ctx
            .sub
            .begin(b2.view())
            .fetch::<f32, m![1], m![Class]>()
            .collect::<m![Class / 8], m![Class % 8]>()
            .to_vrf(B2_VRF),
    }
}

// Both layers for the images of a tile.
fn infer(ctx: &mut Context, network: &Network, images: &Images, logits: u64) -> Logits {
    let hidden: DmTensor<bf16, Chip, Cluster, Slice, m![Round, Hidden]> = ctx
        .main
        .begin(images.view())
        .fetch::<bf16, m![Round, Hidden / 16], m![Pixel]>() // each image once for every 16 hidden units
        .collect::<m![Round, Hidden / 16, Pixel / 16], m![Pixel % 16]>()
        .align::<m![Round, Hidden / 16, Pixel / 16], m![Hidden / 8 % 2, Pixel % 16], _, _>(&network.w1)
        .contract::<m![Hidden / 8 % 2]>()
        .accumulate::<m![Round, Hidden / 8], m![Hidden % 8]>(AccumulationKind::Interleaved)
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_clip(ClipBinaryOpF32::Add, &network.b1)
        .vector_clip(ClipBinaryOpF32::Max, 0.0f32) // ReLU
        .vector_final()
        .cast::<bf16, m![Hidden % 8 # 16]>()
        .commit(HIDDEN_ADDRESS);
    ctx.main
        .begin(hidden.view())
        .fetch::<bf16, m![Round], m![Hidden]>()
        .collect::<m![Round, Hidden / 16], m![Hidden % 16]>()
        .align::<m![Round, Hidden / 16], m![Class / 8, Hidden % 16], _, _>(&network.w2)
        .contract::<m![Class / 8]>()
        .accumulate::<m![Round, Class / 8], m![Class % 8]>(AccumulationKind::Interleaved)
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_clip(ClipBinaryOpF32::Add, &network.b2)
        .vector_final()
        .commit(logits)
}

fn load_images(ctx: &mut Context, images: &HbmTensor<bf16, Chip, m![{ Image }, Pixel]>, tile: usize) -> Images {
    images
        .view()
        .tile::<m![Tile], 1, m![{ OneTile }, Pixel]>(tile)
        .to_dm(&mut ctx.tdma, IMAGE_ADDRESS + (tile % 2) as u64 * IMAGE_BYTES)
}

#[device(chip = 1)]
fn mlp(
    ctx: &mut Context,
    images: &HbmTensor<bf16, Chip, m![{ Image }, Pixel]>,
    w1: &HbmTensor<bf16, Chip, PackedW1>,
    b1: &HbmTensor<f32, Chip, CopiedB1>,
    w2: &HbmTensor<bf16, Chip, PackedW2>,
    b2: &HbmTensor<f32, Chip, CopiedB2>,
    logits: &mut HbmTensor<f32, Chip, m![{ Image }, Class]>,
) {
    let network = load(ctx, w1, b1, w2, b2);
    let mut x = vec![load_images(ctx, images, 0)];
    for tile in 0..TILES {
        if tile + 1 < TILES {
            x.push(load_images(ctx, images, tile + 1)); // comes while this one is computed
        }
        let y = infer(ctx, &network, &x[tile], LOGIT_ADDRESS + (tile % 2) as u64 * LOGIT_BYTES);
        y.view().to_hbm_view(&mut ctx.tdma, logits.view_mut().tile::<m![Tile], 1, m![{ OneTile }, Class]>(tile));
    }
}

// ---- the host

const IMAGES: usize = <Image>::SIZE; // in one launch
const PIXELS: usize = Pixel::SIZE;
const SIDE: usize = 12; // 12 x 12 pixels
const DIGITS: usize = 10; // of Class::SIZE; the rest is nothing

struct Weights {
    w1: Vec<f32>, // [Hidden, Pixel]
    b1: Vec<f32>,
    w2: Vec<f32>, // [Class, Hidden]
    b2: Vec<f32>,
}

fn to_bf16(numbers: &[f32]) -> Vec<Opt<bf16>> {
    numbers.iter().map(|v| Opt::Init(bf16::from_f32(*v))).collect()
}

fn to_f32(numbers: &[f32]) -> Vec<Opt<f32>> {
    numbers.iter().map(|v| Opt::Init(*v)).collect()
}

// The logits of any number of images, in as many launches as they need; images that are missing in the last are black.
async fn run(images: &[f32], weights: &Weights) -> Vec<f32> {
    let mut ctx = Context::acquire();
    let w1 = HostTensor::<bf16, m![Hidden, Pixel]>::from_buf(to_bf16(&weights.w1)).to_hbm(&mut ctx.pdma, 1 << 28).await;
    let b1 = HostTensor::<f32, m![Hidden]>::from_buf(to_f32(&weights.b1)).to_hbm(&mut ctx.pdma, 2 << 28).await;
    let w2 = HostTensor::<bf16, m![Class, Hidden]>::from_buf(to_bf16(&weights.w2)).to_hbm(&mut ctx.pdma, 3 << 28).await;
    let b2 = HostTensor::<f32, m![Class]>::from_buf(to_f32(&weights.b2)).to_hbm(&mut ctx.pdma, 4 << 28).await;
    let mut result = Vec::new();
    for batch in images.chunks(IMAGES * PIXELS) {
        let mut numbers = to_bf16(batch);
        numbers.resize(IMAGES * PIXELS, Opt::Init(bf16::from_f32(0.0)));
        let x = HostTensor::<bf16, m![{ Image }, Pixel]>::from_buf(numbers).to_hbm(&mut ctx.pdma, 0).await;
        let mut y = unsafe { HbmTensor::<f32, Chip, m![{ Image }, Class]>::from_addr(5 << 28) };
        launch(mlp, (&mut *ctx, &x, &w1, &b1, &w2, &b2, &mut y)).await;
        let y = y.to_host::<m![{ Image }, Class]>(&mut ctx.pdma).await.to_buf();
        result.extend(y.into_iter().take(batch.len() / PIXELS * Class::SIZE).map(|v| v.unwrap()));
    }
    result
}

// The digit with the largest logit.
fn digit(logits: &[f32]) -> usize {
    let mut best = 0;
    for d in 1..DIGITS {
        best = if logits[d] > logits[best] { d } else { best };
    }
    best
}

fn numbers(file: &SafeTensors, name: &str, shape: &[usize]) -> Vec<f32> {
    let view = file.tensor(name).expect("train.py writes this tensor");
    assert_eq!(view.dtype(), Dtype::F32, "{name}");
    assert_eq!(view.shape(), shape, "{name}");
    view.data().chunks_exact(4).map(|b| f32::from_le_bytes(b.try_into().expect("four bytes"))).collect()
}

// What train.py knows of ten digits is padded to the classes of the kernel.
fn padded(mut numbers: Vec<f32>, count: usize) -> Vec<f32> {
    numbers.resize(count, 0.0);
    numbers
}

fn draw(images: &[f32], shown: &[usize], found: &[usize]) {
    for y in 0..SIDE {
        let character = |i: usize, x: usize| b" .:*#"[(images[i * PIXELS + y * SIDE + x] * 4.99) as usize] as char;
        let lines = shown.iter().map(|i| (0..SIDE).map(|x| character(*i, x)).collect::<String>());
        println!("{}", lines.collect::<Vec<String>>().join("  |  "));
    }
    println!("{}", shown.iter().map(|i| format!("{:^12}", found[*i])).collect::<Vec<String>>().join("  |  "));
}

fn print_table(found: &[usize], labels: &[u8]) {
    println!("\nshown, and taken for {}", (0..DIGITS).map(|d| format!("{d:>5}")).collect::<Vec<String>>().join(""));
    for label in 0..DIGITS {
        let mut row = [0; DIGITS];
        for i in 0..found.len() {
            row[found[i]] += if labels[i] as usize == label { 1 } else { 0 };
        }
        println!("{label:>5}                {}", row.map(|n| format!("{n:>5}")).join(""));
    }
}

#[tokio::main]
async fn main() {
    let Some(path) = std::env::args().nth(1) else {
        println!("usage: contra run examples/models/mlp/main.rs -- digits.safetensors   (train.py writes such a file)");
        return;
    };
    let bytes = std::fs::read(&path).expect("the file can be read");
    let file = SafeTensors::deserialize(&bytes).expect("the file is one of safetensors");
    let weights = Weights {
        w1: numbers(&file, "w1", &[Hidden::SIZE, PIXELS]),
        b1: numbers(&file, "b1", &[Hidden::SIZE]),
        w2: padded(numbers(&file, "w2", &[DIGITS, Hidden::SIZE]), Class::SIZE * Hidden::SIZE),
        b2: padded(numbers(&file, "b2", &[DIGITS]), Class::SIZE),
    };
    let labels = file.tensor("labels").expect("train.py writes labels").data();
    let images = numbers(&file, "images", &[labels.len(), PIXELS]);
    let logits = run(&images, &weights).await;
    let found: Vec<usize> = logits.chunks(Class::SIZE).map(digit).collect();

    let is_wrong = |i: &usize| found[*i] != labels[*i] as usize;
    let wrong: Vec<usize> = (0..labels.len()).filter(is_wrong).collect();
    draw(&images, &[0, 1, 2, 3, 4], &found);
    print_table(&found, labels);
    if !wrong.is_empty() {
        println!("\nsome that it got wrong:");
        draw(&images, &wrong[..wrong.len().min(5)], &found);
    }
    println!("\n{} of {} right", labels.len() - wrong.len(), labels.len());
}

// Numbers of few bits: products and sums of them are exact in f32, in any order. Hidden units have more bits than bf16
// keeps, and are rounded.
fn simple_weights() -> Weights {
    let number = |e: usize, seed: usize| ((e * seed + e / 64) % 9) as f32 / 2.0 - 2.0;
    let halves = |seed: usize, count: usize| (0..count).map(|e| number(e, seed)).collect::<Vec<f32>>();
    Weights {
        w1: halves(5, Hidden::SIZE * PIXELS),
        b1: halves(7, Hidden::SIZE),
        w2: halves(11, Class::SIZE * Hidden::SIZE),
        b2: halves(4, Class::SIZE),
    }
}

fn simple_images(count: usize) -> Vec<f32> {
    (0..count * PIXELS).map(|e| ((e * 37 + e / PIXELS * 3) % 17) as f32 / 16.0).collect()
}

fn plain_logits(image: &[f32], weights: &Weights) -> Vec<f32> {
    let hidden: Vec<f32> = (0..Hidden::SIZE)
        .map(|h| {
            let sum: f32 = (0..PIXELS).map(|p| image[p] * weights.w1[h * PIXELS + p]).sum();
            bf16::from_f32((sum + weights.b1[h]).max(0.0)).to_f32()
        })
        .collect();
    (0..Class::SIZE)
        .map(|c| (0..Hidden::SIZE).map(|h| hidden[h] * weights.w2[c * Hidden::SIZE + h]).sum::<f32>() + weights.b2[c])
        .collect()
}

#[tokio::test]
async fn equal_to_plain_arithmetic() {
    let (images, weights) = (simple_images(IMAGES), simple_weights());
    let logits = run(&images, &weights).await;
    for i in (0..IMAGES).step_by(97) {
        let expected = plain_logits(&images[i * PIXELS..(i + 1) * PIXELS], &weights);
        assert_eq!(logits[i * Class::SIZE..(i + 1) * Class::SIZE], expected, "image {i}");
    }
}

#[tokio::test]
async fn as_many_launches_as_images_need() {
    let (images, weights) = (simple_images(IMAGES + 3), simple_weights());
    let logits = run(&images, &weights).await;
    assert_eq!(logits.len(), (IMAGES + 3) * Class::SIZE);
    for i in [IMAGES - 1, IMAGES, IMAGES + 2] {
        let expected = plain_logits(&images[i * PIXELS..(i + 1) * PIXELS], &weights);
        assert_eq!(logits[i * Class::SIZE..(i + 1) * Class::SIZE], expected, "image {i}");
    }
}

#[test]
fn the_largest_of_ten_counts() {
    let mut logits = vec![-1.0; Class::SIZE];
    assert_eq!(digit(&logits), 0);
    (logits[3], logits[7], logits[12]) = (0.5, 0.5, 9.0);
    assert_eq!(digit(&logits), 3);
}
