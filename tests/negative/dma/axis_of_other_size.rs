// Two modules declare an axis H; with different sizes they are different axes.
use furiosa_visa_std::prelude::*;

mod wide {
    use furiosa_visa_std::prelude::*;
    axes![H = 2048];
}

mod narrow {
    use furiosa_visa_std::prelude::*;
    axes![H = 1024];
}

use narrow::H as Short;
use wide::H as Long;

#[device(chip = 1)]
fn load(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![Long]>) {
    let _dm = input
        .to_dm::<m![1 # 2], m![Short / 4], m![Short % 4]>(&mut ctx.tdma, 0); // expect error: E0535 H of size 2048 is not in the target
}
