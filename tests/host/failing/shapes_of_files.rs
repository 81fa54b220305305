// expect: 0 passed, 2 failed, 0 ignored
// says: "TensorInvalidInfo: the array has shape [8, 64], the tensor [64, 8]"
// says: "TensorInvalidInfo: the array has shape [8, 64], as the tensor, but not the bytes of f32"
use furiosa_visa_std::prelude::*;
use safetensors::SafeTensors;

axes![Out = 8, In = 64];

static BYTES: &[u8] = include_bytes!("../crates/weights/tests/data/layer.safetensors");

#[test]
fn turned() {
    let file = SafeTensors::deserialize(BYTES).unwrap();
    HostTensor::<bf16, m![In, Out]>::from_safetensors(&file.tensor("layer.0.weight").unwrap()).unwrap();
}

#[test]
fn of_another_type() {
    let file = SafeTensors::deserialize(BYTES).unwrap();
    HostTensor::<f32, m![Out, In]>::from_safetensors(&file.tensor("layer.0.weight").unwrap()).unwrap();
}
