// A mapping names its axes by single identifiers; an axis of a module is imported first.
use furiosa_visa_std::prelude::*;

mod shapes {
    use furiosa_visa_std::prelude::*;
    axes![Hidden = 1024];
}

type Lanes = m![shapes::Hidden % 8]; // expect error: E0407 a path is no axis
