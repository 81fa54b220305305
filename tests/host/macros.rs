// Macros of the program: `macro_rules!` that become expressions, statements, items, tests and kernels.
use furiosa_visa_std::prelude::*;

macro_rules! assert_close {
    ($a:expr, $b:expr) => {
        assert_close!($a, $b, 1e-6)
    };
    ($a:expr, $b:expr, $tolerance:expr $(,)?) => {{
        let (a, b) = ($a, $b);
        assert!((a - b).abs() <= $tolerance, "{} is not {} (within {})", a, b, $tolerance);
    }};
}

macro_rules! largest {
    ($x:expr) => { $x };
    ($x:expr, $($rest:expr),+) => {{
        let one = $x;
        let other = largest!($($rest),+);
        if one > other { one } else { other }
    }};
}

macro_rules! square {
    ($x:expr) => {
        $x * $x
    };
}

macro_rules! map {
    ($($key:expr => $value:expr),* $(,)?) => {{
        let mut map = std::collections::BTreeMap::new();
        $( map.insert($key, $value); )*
        map
    }};
}

macro_rules! count {
    () => { 0usize };
    ($first:tt $($rest:tt)*) => { 1usize + count!($($rest)*) };
}

macro_rules! settings {
    ($(#[$meta:meta])? $name:ident { $($field:ident: $kind:ty = $value:expr),* $(,)? }) => {
        $(#[$meta])?
        #[derive(Debug, Clone, PartialEq)]
        pub struct $name { $(pub $field: $kind),* }
        impl Default for $name {
            fn default() -> Self {
                $name { $($field: $value),* }
            }
        }
    };
}
settings!(#[doc = "What is shown."] Window { width: u32 = 640, name: String = "win".to_string(), sizes: Vec<Vec<i32>> = vec![vec![1], vec![]] });

macro_rules! areas {
    ($($kind:ident($value:ident) => $area:expr;)*) => {
        $(impl Area for $kind {
            fn area(&self) -> f64 {
                let $value = self.0;
                $area
            }
        })*
    };
}
trait Area {
    fn area(&self) -> f64;
}
struct Square(f64);
struct Circle(f64);
areas! {
    Square(side) => side * side;
    Circle(radius) => 3.0 * radius * radius;
}

macro_rules! doubles {
    ($($name:ident: $given:expr => $wanted:expr,)*) => {
        $(
            fn $name() -> bool {
                $given * 2 == $wanted
            }
        )*
    };
}
doubles! {
    twice_two: 2 => 4,
    twice_a_sum: 1 + 2 => 6,
    twice_negative: -4i64 => -8,
}

mod inner {
    macro_rules! constants {
        ($($name:ident = $value:literal),+) => { $(pub const $name: i32 = $value;)+ };
    }
    constants!(ONE = 1, MINUS = -5);
}

macro_rules! bindings {
    ($a:ident, $b:ident) => {
        let $a = 3;
        let $b = $a + 1;
    };
}

macro_rules! table {
    ($([$($x:expr),*]),*) => { vec![$(vec![$($x + 1),*]),*] };
}

macro_rules! pairs {
    ($($a:expr),*; $($b:expr),*) => { [$(($a, $b)),*] };
}

#[test]
fn expressions() {
    assert_close!(1.0f64, 1.0 + 1e-9);
    assert_close!(1.0f32, 1.05, 0.1);
    assert_eq!(largest!(3, 9, 4), 9);
    assert_eq!(square!(1 + 2), 9);
    assert_eq!(square!(3) + 1, 10);
    assert_eq!(map! { "x" => 1, "y" => 2, }.len(), 2);
    assert_eq!(count!(a (b c) [d] ,), 4);
    assert_eq!(table!([1, 2], [3]), vec![vec![2, 3], vec![4]]);
    assert_eq!(pairs!(1, 2; 'a', 'b'), [(1, 'a'), (2, 'b')]);
    assert_eq!(inner::ONE + inner::MINUS, -4);
}

#[test]
fn names_of_a_macro_are_its_own() {
    let one = 10;
    let other = 7;
    assert_eq!(largest!(other, one), 10);
    let (a, b) = (2.0f32, 2.0f32);
    assert_close!(b, a);
    bindings!(x, y);
    assert_eq!((x, y), (3, 4));
}

#[test]
fn items() {
    assert_eq!(Window { width: 3, ..Default::default() }.sizes, [vec![1], vec![]]);
    assert!(twice_two() && twice_a_sum() && twice_negative());
    assert_eq!((Square(2.0).area(), Circle(2.0).area()), (4.0, 12.0));
}

#[test]
fn texts() {
    macro_rules! named {
        ($e:expr) => {
            format!("{} = {}", stringify!($e), $e)
        };
    }
    assert_eq!(named!(1 + 2), "1 + 2 = 3");
    assert_eq!(named!("a".len()), "\"a\".len() = 1");
}

#[test]
#[should_panic(expected = "2 is not 3 (within 0.5)")]
fn a_panic_of_a_macro() {
    assert_close!(2.0f32, 3.0, 0.5);
}

axes![A = 2048];
type Chip = m![1];

macro_rules! kernels {
    ($($name:ident => |$stream:ident| $stages:expr;)*) => {
        $(
            #[device(chip = 1)]
            pub fn $name(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![A]>) -> HbmTensor<i32, Chip, m![A]> {
                let x = x.to_dm::<m![1 # 2], m![A / 8], m![A % 8]>(&mut ctx.tdma, 0);
                let $stream = ctx
                    .main
                    .begin(x.view())
                    .fetch::<i32, m![1], m![A % 8]>()
                    .collect::<m![1], m![A % 8]>()
                    .vector_init()
                    .vector_intra_slice_branch(BranchMode::Unconditional);
                $stages.vector_final().commit::<m![A % 8]>(4096).to_hbm(&mut ctx.tdma, 1 << 28)
            }
        )*
    };
}
kernels! {
    low_byte => |s| s.vector_logic(LogicBinaryOpI32::BitAnd, 0xff);
    near_zero => |s| s.vector_clip(ClipBinaryOpI32::Max, -9).vector_clip(ClipBinaryOpI32::Min, 9);
}

macro_rules! run {
    ($kernel:path, $f:expr) => {{
        let mut ctx = Context::acquire();
        let input: Vec<i32> = (0..2048).map(|i| i * 37 - 9999).collect();
        let x = HostTensor::<i32, m![A]>::from_buf(input.iter().copied().map(Opt::Init).collect());
        let x = x.to_hbm(&mut ctx.pdma, 0).await;
        let y = launch($kernel, (&mut *ctx, &x)).await.to_host::<m![A]>(&mut ctx.pdma).await;
        assert_eq!(y.to_buf(), input.into_iter().map($f).map(Opt::Init).collect::<Vec<_>>());
    }};
}

#[tokio::test]
async fn kernels_of_a_macro() {
    run!(low_byte, |x| x & 0xff);
    run!(near_zero, |x| x.clamp(-9, 9));
}
