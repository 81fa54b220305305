// A tile of several positions goes along one piece. The first three have two: two axes, or two parts of one. G has one element.
use furiosa_visa_std::prelude::*;

axes![A = 3, B = 5, C = 8, G = 1, W = 8];

#[device(chip = 1)]
fn pieces(x: &HbmTensor<i32, m![1], m![[A, B] # 16, W]>, y: &HbmTensor<i32, m![1], m![C / 4, A, C % 4, G # 4]>) {
    let x = x.view();
    let _group = x.tile::<m![[A, B] # 16], 4, m![[A, B] # 16 = 4 # 16, W]>(3); // expect error: E0122 several pieces
    let _axes = x.tile::<m![A, B], 4, m![[A, B] # 16 = 4 # 16, W]>(3); // expect error: E0122 several pieces
    let y = y.view();
    let _parts = y.tile::<m![C], 2, m![1 # 2, A, C % 4 = 2 # 4, G # 4]>(0); // expect error: E0122 several pieces
    let _one = y.tile::<m![G # 4], 2, m![C / 4, A, C % 4, G # 4]>(0); // expect error: E0122 one element
}
