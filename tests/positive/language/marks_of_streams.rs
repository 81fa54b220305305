// A stream by its mark, or by the name that it has there.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 32];

fn fetched<'l, const T: Tu>(
    stream: StreamTensor<'l, T, PositionFetch, i8, m![1], m![1 # 2], m![S], m![1], m![A]>,
) -> StreamTensor<'l, T, PositionCollect, i8, m![1], m![1 # 2], m![S], m![1], m![A]> {
    stream.collect::<m![1], m![A]>()
}

fn same<'l, const T: Tu>(
    stream: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![1], m![A]>,
) -> CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![1], m![A]> {
    fetched(stream)
}

struct Holder<P: Position>(std::marker::PhantomData<P>);

fn inside<'l>(
    stream: VectorTensor<'l, { Tu::Main }, stage::Fxp, i32, m![1], m![1 # 2], m![S], m![1], m![A % 8], i32, NoTensor, { VeOrder::IntraFirst }>,
) -> VectorFinalTensor<'l, { Tu::Main }, i32, m![1], m![1 # 2], m![S], m![1], m![A % 8]> {
    stream.vector_final()
}
