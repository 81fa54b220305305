// Helpers that only the host has a use for: nobody wants them worked out while kernels are traced.
use furiosa_visa_std::prelude::*;
use std::time::Instant;

axes![A = 8];

struct Clock {
    start: Instant,
}

impl Clock {
    fn seconds(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }
}

fn waited(start: Instant) -> u64 {
    start.elapsed().as_secs()
}

fn measured(values: &[f32]) -> (f32, Vec<String>) {
    let start = Instant::now();
    let words = values.iter().map(|value| format!("{value:.3}")).collect();
    (waited(start) as f32, words)
}

fn tensor(seed: u64) -> HostTensor<i32, m![A]> {
    let seconds = Instant::now().elapsed().as_secs();
    HostTensor::from_buf((0..8).map(|x| Opt::Init(x + (seed + seconds) as i32)).collect())
}
