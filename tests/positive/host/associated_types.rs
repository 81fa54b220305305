// Types that go with a type: in signatures, by the name of the trait, as a bound.
trait Codec {
    type Raw;
    const BYTES: usize;
    fn encode(&self) -> Self::Raw;
    fn decode(raw: Self::Raw) -> Self;
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Fixed(i16);

impl Codec for Fixed {
    type Raw = [u8; 2];
    const BYTES: usize = 2;
    fn encode(&self) -> Self::Raw {
        [self.0 as u8, (self.0 >> 8) as u8]
    }
    fn decode(raw: [u8; 2]) -> Self {
        Fixed(i16::from_le_bytes(raw))
    }
}

struct Wide(i32);

impl Codec for Wide {
    type Raw = i32;
    const BYTES: usize = 4;
    fn encode(&self) -> i32 {
        self.0
    }
    fn decode(raw: Self::Raw) -> Self {
        Self(raw)
    }
}

fn round<C: Codec>(c: C) -> C {
    C::decode(c.encode())
}

fn raw<C: Codec>(c: &C) -> C::Raw {
    c.encode()
}

fn raw2<C: Codec>(c: &C) -> <C as Codec>::Raw {
    c.encode()
}

fn total<C>(items: &[C]) -> i32 where C: Codec<Raw = i32> {
    let mut t = 0;
    for c in items {
        t += c.encode();
    }
    t
}

#[test]
fn works() {
    let f = round(Fixed(3));
    assert_eq!(f, Fixed(3));
    let r: i32 = raw(&Wide(2));
    assert_eq!(r + raw2(&Wide(1)), 3);
    assert_eq!(total(&[Wide(1), Wide(2)]), 3);
    let x: <Wide as Codec>::Raw = 5;
    assert_eq!(x, 5);
    assert_eq!(Fixed::BYTES + Wide::BYTES, 6);
}
