// The mark of a stream says where it is.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 32];

fn through<'l, const T: Tu>(
    stream: StreamTensor<'l, T, u64, i8, m![1], m![1 # 2], m![S], m![1], m![A]>, // expect error: E0433 no position
) {
}

fn inside<'l>(
    stream: VectorTensor<'l, { Tu::Main }, PositionFetch, i32, m![1], m![1 # 2], m![S], m![1], m![A], i32, NoTensor, { VeOrder::IntraFirst }>, // expect error: E0433 no stage
) {
}
