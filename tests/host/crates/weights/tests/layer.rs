use furiosa_visa_std::prelude::*;
use safetensors::SafeTensors;
use weights::*;

static BYTES: &[u8] = include_bytes!("data/layer.safetensors");

axes![Two = 2, Three = 3, Four = 4];

fn weight(layer: usize) -> HostTensor<bf16, m![Out, In]> {
    let file = SafeTensors::deserialize(BYTES).unwrap();
    let view = file.tensor(&format!("layer.{layer}.weight")).unwrap();
    HostTensor::from_safetensors(&view).unwrap()
}

#[test]
fn names_are_found() {
    let _ = env_logger::builder().is_test(true).try_init();
    let file = SafeTensors::deserialize(BYTES).unwrap();
    let mut names = file.names();
    names.sort();
    log::info!("{} tensors", names.len());
    assert_eq!(names, ["bytes", "counts", "layer.0.bias", "layer.0.scale", "layer.0.weight"]);
    assert!(file.tensor("layer.1.bias").is_err());
    assert_eq!(file.tensor("counts").unwrap().shape(), [2, 3]);
}

#[test]
fn integers_are_read() {
    let file = SafeTensors::deserialize(BYTES).unwrap();
    let counts = HostTensor::<i32, m![Two, Three]>::from_safetensors(&file.tensor("counts").unwrap()).unwrap();
    assert_eq!(counts.to_buf(), [1, -2, 3, 40000, 5, i32::MIN].map(Opt::Init));
    let bytes = HostTensor::<i8, m![Four]>::from_safetensors(&file.tensor("bytes").unwrap()).unwrap();
    assert_eq!(bytes.to_buf(), [0, 1, -1, -128].map(Opt::Init));
    let columns = counts.into_inner().transpose::<m![Three, Two]>(false).to_buf();
    assert_eq!(columns[1], Opt::Init(40000));
}

#[test]
fn shapes_must_agree() {
    let file = SafeTensors::deserialize(BYTES).unwrap();
    let counts = file.tensor("counts").unwrap();
    assert!(HostTensor::<i32, m![Three, Two]>::from_safetensors(&counts).is_err());
    assert!(HostTensor::<i8, m![Two, Three]>::from_safetensors(&counts).is_err());
    let scale = file.tensor("layer.0.scale").unwrap();
    assert_eq!(HostTensor::<f32, m![1]>::from_safetensors(&scale).unwrap().to_buf(), [Opt::Init(0.5)]);
}

#[test]
fn raw_bytes_are_read() {
    let file = SafeTensors::deserialize(BYTES).unwrap();
    let view = file.tensor("layer.0.bias").unwrap();
    let bias: Vec<f32> =
        view.data().chunks_exact(size_of::<f32>()).map(|b| f32::from_le_bytes(b.try_into().unwrap())).collect();
    assert_eq!(bias, [-1.0, -0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75]);
    let length = u64::from_le_bytes(BYTES[..8].try_into().unwrap()) as usize;
    assert_eq!(BYTES[8], b'{');
    assert_eq!(BYTES.len() - 8 - length, 8 * 64 * 2 + 8 * 4 + 4 + 24 + 4);
}

#[tokio::test]
async fn the_layer_agrees_with_the_host() {
    let mut ctx = Context::acquire();
    let x = HostTensor::<bf16, m![Row, In]>::from_buf(
        (0..<m![Row, In]>::SIZE).map(|i| Opt::Init(bf16::from_f32((i % 13) as f32 * 0.125))).collect(),
    );
    let w = weight(0);
    let x_hbm = x.to_hbm(&mut ctx.pdma, 0 << 28).await;
    let w_hbm = w.to_hbm(&mut ctx.pdma, 1 << 28).await;
    let y = launch(linear, (&mut *ctx, &x_hbm, &w_hbm)).await.to_host::<m![Row, Out]>(&mut ctx.pdma).await;

    let x = x.into_inner().map(|v| v.map(|v| v.to_f32()));
    let w = w.into_inner().map(|v| v.map(|v| v.to_f32()));
    let want: Tensor<f32, m![Row, Out]> = Tensor::contraction::<m![Row, Out, In], _, _>(&x, &w);
    assert_eq!(y.to_buf(), want.to_buf()); // exact: no sum is rounded

    let scores: Vec<f32> = y.to_buf()[..8].iter().map(|v| v.unwrap()).collect();
    let best = scores.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)).unwrap().0;
    assert!(scores.iter().all(|s| *s <= scores[best]));
}
