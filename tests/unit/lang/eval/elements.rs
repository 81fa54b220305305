// Elements of tensors as values of a program: bf16 and the like, Opt.
use furiosa_visa_std::prelude::*;
fn main() {
    let a = bf16::from_f32(1.5);
    println!("{a} {a:?} {} {}", a.to_f32(), bf16::from_f32(3.14159)); //> 1.5 1.5 1.5 3.140625
    println!("{} {} {}", a + bf16::ONE, a * a, a > bf16::ZERO); //> 2.5 2.25 true
    println!("{:#x} {}", a.to_bits(), bf16::from_bits(0x4000)); //> 0x3fc0 2
    println!("{} {}", f16::from_f32(0.1).to_f32(), f8e4m3::from_f32(3.3).to_f32()); //> 0.099975586 3.25
    println!("{} {}", i4::from_i32(-3).to_i32(), i4::from_i32(9).to_i32()); //> -3 -7
    println!("{} {}", f32::from(a), f64::from(a)); //> 1.5 1.5
    println!("{} {}", bf16::NAN.is_nan(), bf16::MAX > bf16::from_f32(1e38)); //> true true
    let x = Opt::Init(3i8);
    println!("{:?} {:?} {:?}", x, x.map(|v| v as i32 * 100), Opt::<i8>::Uninit); //> Init(3) Init(300) Uninit
    println!("{:?} {:?}", x + Opt::Init(127), x * Opt::Uninit); //> Init(-126) Uninit
    println!("{:?} {:?}", x.zip_map(Opt::Init(2i8), |a, b| a - b), Opt::<f32>::one()); //> Init(1) Init(1.0)
    println!("{} {} {}", x.unwrap(), Opt::<i32>::zero().is_zero(), x == Opt::Init(3)); //> 3 true true
    let v: Vec<Opt<i8>> = (0..5).map(|i| Opt::Init(i as i8)).collect();
    println!("{v:?}"); //> [Init(0), Init(1), Init(2), Init(3), Init(4)]
    println!("{:?}", (0..3).map(Opt::Init).collect::<Vec<Opt<i32>>>()); //> [Init(0), Init(1), Init(2)]
    println!("{}", v.iter().map(|o| o.unwrap() as i32).sum::<i32>()); //> 10
    println!("{}", std::mem::size_of::<bf16>()); //> 2
}
