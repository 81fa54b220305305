// Mappings that are written as types: what is offered in their place is a type as well.
use furiosa_visa_std::prelude::*;

axes![A = 7, B = 8, L = 2];

type Half = Stride<Symbol<A>, 2>; // expect error: E0107 m![A # 8 / 2]
type Shrunk = Padding<Symbol<B>, 4>; // expect error: E0108 m![B = 4]
type One = Symbol<L>;

fn sizes(halves: &HbmTensor<i8, m![1], Half>, shrunk: &HbmTensor<i8, m![1], Shrunk>) -> usize {
    let _ = (halves, shrunk);
    0
}

fn tile(view: DmTensorView<'_, i8, m![1], m![L], m![1 # 256], m![B]>) {
    let _tile = view.cluster_tile::<m![L], 1, Padding<Identity, 4>>(1); // expect error: E0521 m![1 # 2]
}

fn few_slices(tensor: &DmTensor<i8, m![1], Padding<Identity, 2>, One, m![B]>) -> usize { // expect error: E0503 m![L # 256]
    let _ = tensor;
    0
}
