// A trait for numbers, arrays, tuples, references, texts, and for what holds something that has it.
trait Bits {
    fn bits(self) -> u32;
    const WIDTH: u32;
}

impl Bits for f32 {
    fn bits(self) -> u32 {
        self.to_bits()
    }
    const WIDTH: u32 = 32;
}

impl Bits for i8 {
    fn bits(self) -> u32 {
        self as u8 as u32
    }
    const WIDTH: u32 = 8;
}

trait Norm {
    fn norm(&self) -> f32;
}

impl Norm for [f32; 3] {
    fn norm(&self) -> f32 {
        self.iter().map(|x| x * x).sum::<f32>().sqrt()
    }
}

impl Norm for (f32, f32) {
    fn norm(&self) -> f32 {
        (self.0 * self.0 + self.1 * self.1).sqrt()
    }
}

impl<T: Norm> Norm for &T {
    fn norm(&self) -> f32 {
        (**self).norm()
    }
}

impl<const N: usize> Norm for [i32; N] {
    fn norm(&self) -> f32 {
        N as f32
    }
}

impl Norm for Vec<f32> {
    fn norm(&self) -> f32 {
        self.len() as f32
    }
}

impl Norm for str {
    fn norm(&self) -> f32 {
        self.len() as f32
    }
}

struct Wrapper<T>(T);

impl<T: Norm> Norm for Wrapper<T> {
    fn norm(&self) -> f32 {
        self.0.norm()
    }
}

impl<T: Norm, U: Norm> Norm for Result<T, U> {
    fn norm(&self) -> f32 {
        match self { Ok(t) => t.norm(), Err(u) => u.norm() }
    }
}

fn show<T: Norm>(x: T) -> f32 {
    x.norm()
}

#[test]
fn works() {
    assert_eq!(1.0f32.bits(), 0x3f80_0000);
    assert_eq!((-1i8).bits(), 255);
    assert_eq!(<f32 as Bits>::WIDTH, 32);
    assert_eq!(f32::WIDTH + i8::WIDTH, 40);
    assert_eq!([3.0f32, 4.0, 0.0].norm(), 5.0);
    assert_eq!((3.0f32, 4.0f32).norm(), 5.0);
    assert_eq!([1, 2, 3, 4].norm(), 4.0);
    assert_eq!(Wrapper((3.0, 4.0)).norm(), 5.0);
    assert_eq!(show(&(3.0f32, 4.0f32)), 5.0);
    assert_eq!(show(vec![1.0f32]), 1.0);
    assert_eq!("abc".norm(), 3.0);
}
