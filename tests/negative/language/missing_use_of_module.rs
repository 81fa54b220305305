// An axis of a sibling module must be imported before a mapping can name it.
use furiosa_visa_std::prelude::*;

mod shapes {
    use furiosa_visa_std::prelude::*;
    axes![Hidden = 1024];
    pub type Lanes = m![Hidden % 8];
}

type Outer = m![Hidden / 8]; // expect error: E0420 axis Hidden of module shapes is not in scope
