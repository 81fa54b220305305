//! The weights of a model, in HBM as the kernels want them.

use super::*;
use safetensors::SafeTensors;

pub type Chip = m![1];
pub type Table = HbmTensor<bf16, Chip, m![Voc, Emb]>;
pub type VocMatrix = HbmTensor<bf16, Chip, m![{ VocTiles }, { VocRest }]>;
pub type Gain = HbmTensor<bf16, Chip, m![Emb]>;
pub type QueryMatrix = HbmTensor<bf16, Chip, m![{ HeadTiles }, { QueryRest }]>;
pub type KeyMatrix = HbmTensor<bf16, Chip, m![{ HeadTiles }, { KeyRest }]>;
pub type OutMatrix = HbmTensor<bf16, Chip, m![{ OutTiles }, { OutRest }]>;
pub type FfnMatrix = HbmTensor<bf16, Chip, m![{ FfnTiles }, { FfnRest }]>;
pub type DownMatrix = HbmTensor<bf16, Chip, m![{ DownTiles }, { DownRest }]>;
pub type Cache = HbmTensor<bf16, Chip, m![Key, Kv, D]>;
pub type Angles = HbmTensor<f32, Chip, m![Key, { HalfHead }]>;

pub struct Layer {
    pub attention_gain: Gain,
    pub q: QueryMatrix,
    pub k: KeyMatrix,
    pub v: KeyMatrix,
    pub o: OutMatrix,
    pub mlp_gain: Gain,
    pub gate: FfnMatrix,
    pub up: FfnMatrix,
    pub down: DownMatrix,
    pub keys: Cache,
    pub values: Cache,
}

pub struct Model {
    pub table: Table,
    pub layers: Vec<Layer>,
    pub gain: Gain,
    pub head: VocMatrix,
    pub cos: Angles,
    pub sin: Angles,
}

const ROTARY_BASE: f64 = 500000.0;

// HBM is given out from the bottom up.
pub struct Room {
    next: u64,
}

impl Room {
    pub fn new() -> Room {
        Room { next: 0 }
    }

    fn take(&mut self, bytes: usize) -> u64 {
        let address = self.next;
        self.next += (bytes as u64 + 8191) / 8192 * 8192;
        address
    }

    // A tensor in HBM, its elements in another order perhaps.
    pub async fn put<File: M, Element: M>(
        &mut self,
        ctx: &mut Context,
        tensor: &HostTensor<bf16, File>,
    ) -> HbmTensor<bf16, Chip, Element> {
        let address = self.take(Element::SIZE * 2);
        tensor.to_hbm(&mut ctx.pdma, address).await
    }

    async fn angles(&mut self, ctx: &mut Context, of: impl Fn(f64) -> f64) -> Angles {
        let half = D::SIZE / 2;
        let angle = |e: usize| (e / half) as f64 / ROTARY_BASE.powf((e % half) as f64 / half as f64);
        let angles = (0..Key::SIZE * half).map(|e| Opt::Init(of(angle(e)) as f32)).collect();
        let address = self.take(Key::SIZE * half * 4);
        HostTensor::<f32, m![Key, { HalfHead }]>::from_buf(angles).to_hbm(&mut ctx.pdma, address).await
    }

    pub async fn cosines(&mut self, ctx: &mut Context) -> Angles {
        self.angles(ctx, |angle| angle.cos()).await
    }

    pub async fn sines(&mut self, ctx: &mut Context) -> Angles {
        self.angles(ctx, |angle| angle.sin()).await
    }
}

// A matrix of a file.
fn read<File: M>(file: &SafeTensors, name: &str) -> HostTensor<bf16, File> {
    let view = file.tensor(name).unwrap_or_else(|_| panic!("the file has no {name}"));
    HostTensor::from_safetensors(&view).unwrap_or_else(|_| panic!("{name} has another shape: {:?}", view.shape()))
}

impl Model {
    pub async fn load(ctx: &mut Context, bytes: &[u8]) -> Model {
        let file = SafeTensors::deserialize(bytes).expect("no file of safetensors");
        let mut room = Room::new();
        let mut layers = Vec::new();
        for layer in 0..LAYERS {
            let name = |part: &str| format!("model.layers.{layer}.{part}.weight");
            layers.push(Layer {
                attention_gain: room.put(ctx, &read::<m![Emb]>(&file, &name("input_layernorm"))).await,
                q: room.put(ctx, &read::<QueryFile>(&file, &name("self_attn.q_proj"))).await,
                k: room.put(ctx, &read::<KeyFile>(&file, &name("self_attn.k_proj"))).await,
                v: room.put(ctx, &read::<KeyFile>(&file, &name("self_attn.v_proj"))).await,
                o: room.put(ctx, &read::<OutFile>(&file, &name("self_attn.o_proj"))).await,
                mlp_gain: room.put(ctx, &read::<m![Emb]>(&file, &name("post_attention_layernorm"))).await,
                gate: room.put(ctx, &read::<m![Ffn, Emb]>(&file, &name("mlp.gate_proj"))).await,
                up: room.put(ctx, &read::<m![Ffn, Emb]>(&file, &name("mlp.up_proj"))).await,
                down: room.put(ctx, &read::<m![Emb, Ffn]>(&file, &name("mlp.down_proj"))).await,
                keys: room.put(ctx, &HostTensor::<bf16, m![Key, Kv, D]>::zero()).await,
                values: room.put(ctx, &HostTensor::<bf16, m![Key, Kv, D]>::zero()).await,
            });
        }
        Model {
            table: room.put(ctx, &read::<m![Voc, Emb]>(&file, "model.embed_tokens.weight")).await,
            layers,
            gain: room.put(ctx, &read::<m![Emb]>(&file, "model.norm.weight")).await,
            head: room.put(ctx, &read::<m![Voc, Emb]>(&file, "lm_head.weight")).await,
            cos: room.cosines(ctx).await,
            sin: room.sines(ctx).await,
        }
    }
}
