// The module exists, the item does not.
use furiosa_visa_std::prelude::*;

mod shapes {
    use furiosa_visa_std::prelude::*;
    axes![Hidden = 1024];
}

use crate::shapes::Hiden; // expect error: E0421 no Hiden in module shapes, Hidden is near

type Outer = m![1];
