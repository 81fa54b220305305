//! A network of two layers that reads digits: trained in NumPy, executed on the chip.
//!
//!     hidden[n, h] = max(0, sum over p of image[n, p] * w1[h, p])
//!     logit[n, c]  = sum over h of hidden[n, h] * w2[c, h]            the largest says which digit it is
//!
//! `train.py` draws images of 16 by 16 pixels, trains the network on some of them and writes weights, other images
//! and what these show to one file. The program below reads it, asks the chip, and prints how many answers are
//! right:
//!
//!     python3 examples/models/mlp/train.py
//!     contra run examples/models/mlp/mlp.rs
//!
//! Images, weights and hidden numbers are in bf16, sums and logits in f32. Biases are weights: the last pixel of
//! each image is 1, and the last hidden number is made to be 1. There are ten digits and 16 classes, two in each row
//! of the multipliers: those beyond ten have weights that never win.
//!
//! # Mapping
//!
//! Every slice has eight images and computes all of the network for them: nothing of an image leaves its slice. All
//! slices need all weights. DMA gives each of 64 slices a part, and these pass them round on the way to TRF. What is
//! passed round must have other axes than what the slices have of their own, so images are numbered by four: `Part`
//! (clusters), `Group` and `Line` (slices), `Own`. Four that follow each other go to one slice, the next four to the
//! next: their logits are 256 bytes, what HBM writes at once, and DMA reads images from one end to the other.
//!
//! The first layer goes in two tiles of 64 hidden numbers, each half of TRF: while the first one is multiplied, the
//! second one is loaded. Each flit of an image is used twice, against two hidden numbers (`[Hidden / 8 % 2, Pixel %
//! 16]`), as in `blocked_gemm`.
//!
//! # Engines and memory
//!
//! DMA; in the sub context Fetch, Switch, Collect, to TRF; in the main context Fetch, Collect, Contraction with
//! eight rows, Vector (the larger one of a sum and 0), Cast, Commit: a pass for each tile of the first layer, one
//! for the second layer.
//! Memory in a slice: images (4 KiB), parts of weights (1 KiB and 64 bytes), hidden numbers (2 KiB), logits (512
//! bytes).
//!
//! # What bounds it
//!
//! HBM: 2.25 MiB of images and logits take 1,573 cycles at 1.5 TB/s; the multipliers need 1,088. The kernel takes
//! 6,087 cycles, 17.9 % of what the multipliers can do: four DMA commands run one after the other, and each takes
//! 500 cycles to start. That is what a small batch costs. With 64 images in a slice (Own = 64) it is 26,316, 33 %:
//! then DMA counts, as all images have to come before the first of them is computed. Tiles of them, in two places,
//! would hide that.
//!
//! # Sizes
//!
//! - Own is a multiple of 4. DM holds 512 of them.
//! - Pixel and Hidden: half of TRF holds 64 x 256 weights, which 64 slices share out (`FirstRing`). With 128 pixels
//!   that would be 128 hidden numbers in a tile. Class and Hidden share out the 64 slices as `[Class % 8, Hidden /
//!   16]`.
//! - Part, Group and Line are the slices of the chip. What does not fit is refused (E0107, E0503, E0505, E0521).
//!
//! # What to try
//!
//! - `type Image = m![Part, Group, Line, Own]`: all images of a slice follow each other, and DMA goes to and fro
//!   (6,279 cycles; with Own = 64, 54,441). `m![Own, Part, Group, Line]`: logits in pieces of 64 bytes (39,748). For
//!   both, the script has to write other dimensions (`NUMBERED`).
//! - More noise in `train.py`: how accuracy falls, in NumPy and here.

use furiosa_visa_std::prelude::*;
use safetensors::SafeTensors;

axes![Part = 2, Group = 4, Line = 64, Own = 8, Pixel = 256, Hidden = 128, Class = 16];

type Chip = m![1];
type Image = m![Own / 4, Part, Group, Line, Own % 4];
type Cluster = m![Part];
type Slice = m![Group, Line];
type FirstRing = m![Hidden / 16 % 4, Pixel / 32, Hidden / 8 % 2]; // slices that pass weights of the first layer round
type SecondRing = m![Class % 8, Hidden / 16];
type FirstWeights = DmTensor<bf16, Chip, Cluster, m![Group, { FirstRing }], m![Hidden / 64, Hidden % 8, Pixel % 32]>;
type SecondWeights = DmTensor<bf16, Chip, Cluster, m![Group, { SecondRing }], m![Class / 8, Hidden % 16]>;
type FirstFlits = m![Hidden / 16 % 4, Pixel / 16, Hidden / 8 % 2]; // of a row of TRF
type FirstTile = TrfTensor<bf16, Chip, Cluster, Slice, m![Hidden % 8], m![{ FirstFlits }, Pixel % 16]>;
type Images = DmTensor<bf16, Chip, Cluster, Slice, m![Own, Pixel]>;
type HiddenNumbers = DmTensor<bf16, Chip, Cluster, Slice, m![Own, Hidden]>;
type Logits = DmTensor<f32, Chip, Cluster, Slice, m![Own, Class]>;

const TILES: usize = Hidden::SIZE / 64;
const IMAGES_ADDRESS: u64 = 0;
const W1_ADDRESS: u64 = IMAGES_ADDRESS + (Own::SIZE * Pixel::SIZE * 2) as u64;
const W2_ADDRESS: u64 = W1_ADDRESS + (Hidden::SIZE * Pixel::SIZE * 2 / Line::SIZE) as u64;
const HIDDEN_ADDRESS: u64 = W2_ADDRESS + (Class::SIZE * Hidden::SIZE * 2 / Line::SIZE) as u64;
const LOGITS_ADDRESS: u64 = HIDDEN_ADDRESS + (Own::SIZE * Hidden::SIZE * 2) as u64;
const FIRST: SwitchConfig = SwitchConfig::Broadcast01 { slice1: 32, slice0: 2, time0: 2 };
const SECOND: SwitchConfig = SwitchConfig::Broadcast01 { slice1: 64, slice0: 1, time0: 2 };

fn half(tile: usize) -> TrfAddress {
    if tile % 2 == 0 { TrfAddress::FirstHalf } else { TrfAddress::SecondHalf }
}

// 64 hidden numbers of each image.
fn first_layer(ctx: &mut Context, images: &Images, weights: &FirstWeights, hidden: &mut HiddenNumbers, tile: usize) {
    let weights: FirstTile = ctx
        .sub
        .begin(weights.view().tile::<m![Hidden / 64], 1, m![1 # 2, Hidden % 8, Pixel % 32]>(tile))
        .fetch::<bf16, m![Hidden % 8, Pixel / 16 % 2], m![Pixel % 16]>()
        .switch::<Slice, m![Hidden % 8, { FirstFlits }]>(FIRST)
        .collect::<m![Hidden % 8, { FirstFlits }], m![Pixel % 16]>()
        .to_trf(half(tile));
    ctx.main
        .begin(images.view())
        .fetch::<bf16, m![Own, Hidden / 16 % 4], m![Pixel]>()
        .collect::<m![Own, Hidden / 16 % 4, Pixel / 16], m![Pixel % 16]>()
        .align::<m![Own, Hidden / 16 % 4, Pixel / 16], m![Hidden / 8 % 2, Pixel % 16], _, _>(&weights)
        .contract::<m![Hidden / 8 % 2]>()
        .accumulate::<m![Own, Hidden / 8 % 8], m![Hidden % 8]>(AccumulationKind::Interleaved)
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_clip(ClipBinaryOpF32::Max, 0.0f32)
        .vector_final()
        .cast::<bf16, m![Hidden % 8 # 16]>()
        .commit_view(hidden.view_mut().tile::<m![Hidden / 64], 1, m![Own, 1 # 2, Hidden % 64]>(tile));
}

fn second_layer(ctx: &mut Context, hidden: &HiddenNumbers, weights: &SecondWeights) -> Logits {
    let weights: TrfTensor<bf16, Chip, Cluster, Slice, m![Class % 8], m![Hidden / 16, Class / 8, Hidden % 16]> = ctx
        .sub
        .begin(weights.view())
        .fetch::<bf16, m![Class / 8], m![Hidden % 16]>()
        .switch::<Slice, m![{ SecondRing }, Class / 8]>(SECOND)
        .collect::<m![{ SecondRing }, Class / 8], m![Hidden % 16]>()
        .to_trf(half(TILES));
    ctx.main
        .begin(hidden.view())
        .fetch::<bf16, m![Own], m![Hidden]>()
        .collect::<m![Own, Hidden / 16], m![Hidden % 16]>()
        .align::<m![Own, Hidden / 16], m![Class / 8, Hidden % 16], _, _>(&weights)
        .contract::<m![Class / 8]>()
        .accumulate::<m![Own, Class / 8], m![Class % 8]>(AccumulationKind::Interleaved)
        .commit(LOGITS_ADDRESS)
}

#[device(chip = 1)]
fn mlp(
    ctx: &mut Context,
    images: &HbmTensor<bf16, Chip, m![{ Image }, Pixel]>,
    w1: &HbmTensor<bf16, Chip, m![Hidden, Pixel]>,
    w2: &HbmTensor<bf16, Chip, m![Class, Hidden]>,
) -> HbmTensor<f32, Chip, m![{ Image }, Class]> {
    let w1: FirstWeights = w1.to_dm(&mut ctx.tdma, W1_ADDRESS);
    let images: Images = images.to_dm(&mut ctx.tdma, IMAGES_ADDRESS);
    let w2: SecondWeights = w2.to_dm(&mut ctx.tdma, W2_ADDRESS);
    let mut hidden: HiddenNumbers = unsafe { DmTensor::from_addr(HIDDEN_ADDRESS) };
    for tile in 0..TILES {
        first_layer(ctx, &images, &w1, &mut hidden, tile);
    }
    second_layer(ctx, &hidden, &w2).to_hbm(&mut ctx.tdma, 1 << 30)
}

// ---- the host

async fn run(
    images: &HostTensor<bf16, m![{ Image }, Pixel]>,
    w1: &HostTensor<bf16, m![Hidden, Pixel]>,
    w2: &HostTensor<bf16, m![Class, Hidden]>,
) -> Vec<f32> {
    let mut ctx = Context::acquire();
    let images = images.to_hbm(&mut ctx.pdma, 0).await;
    let w1 = w1.to_hbm(&mut ctx.pdma, 1 << 28).await;
    let w2 = w2.to_hbm(&mut ctx.pdma, 2 << 28).await;
    let logits = launch(mlp, (&mut *ctx, &images, &w1, &w2)).await;
    logits.to_host::<m![{ Image }, Class]>(&mut ctx.pdma).await.to_buf().into_iter().map(|v| v.unwrap()).collect()
}

// Which class has the largest logit.
fn answer(logits: &[f32]) -> usize {
    (0..logits.len()).fold(0, |best, class| if logits[class] > logits[best] { class } else { best })
}

#[tokio::main]
async fn main() {
    let file = SafeTensors::deserialize(include_bytes!("digits.safetensors")).unwrap(); // train.py writes it
    let images = HostTensor::from_safetensors(&file.tensor("images").unwrap()).unwrap();
    let digits = HostTensor::<i32, Image>::from_safetensors(&file.tensor("digits").unwrap()).unwrap().to_buf();
    let w1 = HostTensor::from_safetensors(&file.tensor("w1").unwrap()).unwrap();
    let w2 = HostTensor::from_safetensors(&file.tensor("w2").unwrap()).unwrap();
    let logits = run(&images, &w1, &w2).await;

    let count = <Image>::SIZE;
    let answers: Vec<usize> =
        (0..count).map(|image| answer(&logits[image * Class::SIZE..(image + 1) * Class::SIZE])).collect();
    let right = (0..count).filter(|image| answers[*image] as i32 == digits[*image].unwrap()).count();
    println!("{right} of {count} digits are read right: {:.2} %", 100.0 * right as f64 / count as f64);
    for digit in 0..10 {
        let shown: Vec<usize> = (0..count).filter(|image| digits[*image].unwrap() == digit).collect();
        let missed = shown.iter().filter(|image| answers[**image] as i32 != digit).count();
        println!("  {digit}: {missed} of {} missed", shown.len());
    }
}

// Small whole numbers: sums are exact, hidden numbers are rounded to bf16 as the host rounds them.
#[tokio::test]
async fn equals_plain_sums() {
    let numbers = |size: usize, seed: usize| -> Vec<bf16> {
        let some: Vec<bf16> = (0..4093).map(|e| bf16::from_f32((e * seed % 9) as f32 - 4.0)).collect();
        some.iter().copied().cycle().take(size).collect()
    };
    let images = numbers(<Image>::SIZE * Pixel::SIZE, 7);
    let w1 = numbers(Hidden::SIZE * Pixel::SIZE, 5);
    let w2 = numbers(Class::SIZE * Hidden::SIZE, 11);
    let logits = run(
        &HostTensor::from_buf(images.iter().copied().map(Opt::Init).collect()),
        &HostTensor::from_buf(w1.iter().copied().map(Opt::Init).collect()),
        &HostTensor::from_buf(w2.iter().copied().map(Opt::Init).collect()),
    )
    .await;
    let dot = |a: &[bf16], b: &[bf16]| a.iter().zip(b).map(|(a, b)| a.to_f32() * b.to_f32()).sum::<f32>();
    for image in (0..<Image>::SIZE).step_by(389) {
        let pixels = &images[image * Pixel::SIZE..(image + 1) * Pixel::SIZE];
        let hidden: Vec<bf16> = (0..Hidden::SIZE)
            .map(|h| bf16::from_f32(dot(pixels, &w1[h * Pixel::SIZE..(h + 1) * Pixel::SIZE]).max(0.0)))
            .collect();
        for class in 0..Class::SIZE {
            let expected = dot(&hidden, &w2[class * Hidden::SIZE..(class + 1) * Hidden::SIZE]);
            assert_eq!(logits[image * Class::SIZE + class], expected, "image {image}, class {class}");
        }
    }
}
