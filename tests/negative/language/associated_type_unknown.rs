// A type that the trait does not give.
trait Codec {
    type Raw;
    fn encode(&self) -> Self::Raw;
}

struct Wide(i32);

impl Codec for Wide {
    type Raw = i32;
    fn encode(&self) -> Self::Raw {
        self.0
    }
}

fn raw(wide: &Wide) -> <Wide as Codec>::Raw {
    wide.encode()
}

fn cooked(wide: &Wide) -> <Wide as Codec>::Cooked { // expect error: E0428 has no type
    wide.encode()
}
