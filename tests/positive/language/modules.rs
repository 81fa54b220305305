// Inline modules: globs of the parent, paths from the crate, renamed imports that keep the axis they name.
use furiosa_visa_std::prelude::*;

axes![S = 256];

pub mod narrow {
    use super::*;

    axes![H = 8];

    pub type Row = m![H];

    pub mod deep {
        use super::super::S;
        use super::{H, Row};
        use furiosa_visa_std::prelude::*;

        pub(crate) fn load(ctx: &mut Context, x: &HbmTensor<i32, m![1], m![S, H]>) -> DmTensor<i32, m![1], m![1 # 2], m![S], Row> {
            x.to_dm(&mut ctx.tdma, 0)
        }
    }

    pub(super) use deep::load;
}

pub mod wide {
    use furiosa_visa_std::prelude::*;

    // The same letter with another size is another axis.
    axes![H = 16];

    pub mod half {
        pub use super::*;
    }
}

use crate::narrow::H as Lanes;
use wide::half::{
    // the list may hold comments
    H as Wide,
};

#[device(chip = 1)]
fn both(
    ctx: &mut Context,
    x: &HbmTensor<i32, m![1], m![S, Lanes]>,
    y: &HbmTensor<i32, m![1], m![S, Wide]>,
) -> HbmTensor<i32, m![1], m![S, Lanes]> {
    let _y: DmTensor<i32, m![1], m![1 # 2], m![S], m![Wide]> = y.to_dm(&mut ctx.tdma, 0x1000);
    let x = narrow::load(ctx, x);
    x.to_hbm(&mut ctx.tdma, 1 << 28)
}
