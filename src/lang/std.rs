// What host programs use of the standard library and of other crates. See prelude.rs. Bounds that
// mean something: FromIterator, Sum and IntoIterator say what a result or an argument is made of;
// Integer and Float in an impl block stand for all such numbers.

pub mod std {
    pub mod prelude {
        pub trait Clone {}
        pub trait Copy {}
        pub trait Debug {}
        pub trait Display {}
        pub trait Default {}
        pub trait PartialEq {}
        pub trait Eq {}
        pub trait PartialOrd {}
        pub trait Ord {}
        pub trait Hash {}
        pub trait From {}
        pub trait Into {}
        pub trait TryFrom {}
        pub trait TryInto {}
        pub trait Iterator {}
        pub trait IntoIterator {}
        pub trait DoubleEndedIterator {}
        pub trait ExactSizeIterator {}
        pub trait FromIterator {}
        pub trait Extend {}
        pub trait AsRef {}
        pub trait AsMut {}
        pub trait ToOwned {}
        pub trait Fn {}
        pub trait FnMut {}
        pub trait FnOnce {}
        pub trait Send {}
        pub trait Sync {}
        pub trait Sized {}
        pub trait Drop {}
        pub trait ToString {}
        /// What a call of an async function gives: `.await` takes the result out of it.
        pub struct Future<T>;

        pub enum Option<T> {
            None,
            Some(T),
        }
        impl<T> Option<T> {
            pub fn is_some(&self) -> bool;
            pub fn is_none(&self) -> bool;
            pub fn unwrap(self) -> T;
            pub fn expect(self, message: &str) -> T;
            pub fn unwrap_or(self, other: T) -> T;
            pub fn unwrap_or_default(self) -> T;
            pub fn unwrap_or_else(self, f: impl FnOnce() -> T) -> T;
            pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Option<U>;
            pub fn and_then<U>(self, f: impl FnOnce(T) -> Option<U>) -> Option<U>;
            pub fn filter(self, f: impl FnOnce(&T) -> bool) -> Option<T>;
            pub fn ok_or<E>(self, error: E) -> Result<T, E>;
            pub fn as_ref(&self) -> Option<&T>;
            pub fn as_mut(&mut self) -> Option<&mut T>;
            pub fn take(&mut self) -> Option<T>;
            pub fn cloned(self) -> Option<Cloned<T>>;
            pub fn copied(self) -> Option<Cloned<T>>;
            pub fn iter(&self) -> Iter<&T>;
        }
        pub enum Result<T, E> {
            Ok(T),
            Err(E),
        }
        impl<T, E> Result<T, E> {
            pub fn is_ok(&self) -> bool;
            pub fn is_err(&self) -> bool;
            pub fn unwrap(self) -> T;
            pub fn expect(self, message: &str) -> T;
            pub fn unwrap_err(self) -> E;
            pub fn unwrap_or(self, other: T) -> T;
            pub fn ok(self) -> Option<T>;
            pub fn err(self) -> Option<E>;
            pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Result<U, E>;
            pub fn map_err<F>(self, f: impl FnOnce(E) -> F) -> Result<T, F>;
            pub fn and_then<U>(self, f: impl FnOnce(T) -> Result<U, E>) -> Result<U, E>;
        }
        pub use Option::None;
        pub use Option::Some;
        pub use Result::Ok;
        pub use Result::Err;

        pub struct Box<T>;
        impl<T> Box<T> {
            pub fn new(value: T) -> Box<T>;
            pub fn as_ref(&self) -> &T;
            pub fn as_mut(&mut self) -> &mut T;
        }
        pub struct String;
        impl String {
            pub fn new() -> String;
            pub fn from(text: &str) -> String;
            pub fn push(&mut self, c: char);
            pub fn push_str(&mut self, text: &str);
            pub fn as_str(&self) -> &str;
        }
        impl str {
            pub fn len(&self) -> usize;
            pub fn is_empty(&self) -> bool;
            pub fn contains(&self, other: &str) -> bool;
            pub fn starts_with(&self, other: &str) -> bool;
            pub fn ends_with(&self, other: &str) -> bool;
            pub fn to_string(&self) -> String;
            pub fn to_owned(&self) -> String;
            pub fn trim(&self) -> &str;
            pub fn bytes(&self) -> Iter<u8>;
            pub fn chars(&self) -> Iter<char>;
            pub fn as_bytes(&self) -> &[u8];
            pub fn repeat(&self, count: usize) -> String;
            pub fn parse<F>(&self) -> Result<F, ErrorOf<F>>;
        }
        /// What a text that is no F is told by.
        pub struct ErrorOf<F>;
        impl char {
            pub fn is_alphabetic(self) -> bool;
            pub fn is_numeric(self) -> bool;
        }
        pub struct Vec<T>;
        impl<T> Vec<T> {
            pub fn new() -> Vec<T>;
            pub fn with_capacity(capacity: usize) -> Vec<T>;
            pub fn push(&mut self, value: T);
            pub fn pop(&mut self) -> Option<T>;
            pub fn clear(&mut self);
            pub fn truncate(&mut self, length: usize);
            pub fn resize(&mut self, length: usize, value: T);
            pub fn extend<I: IntoIterator<T>>(&mut self, items: I);
            pub fn extend_from_slice(&mut self, items: &[T]);
            pub fn append(&mut self, other: &mut Vec<T>);
            pub fn insert(&mut self, index: usize, value: T);
            pub fn remove(&mut self, index: usize) -> T;
            pub fn into_iter(self) -> Iter<T>;
            pub fn as_slice(&self) -> &[T];
            pub fn drain(&mut self, range: Range<usize>) -> Iter<T>;
            pub fn dedup(&mut self);
        }
        impl<T> [T] {
            pub fn len(&self) -> usize;
            pub fn is_empty(&self) -> bool;
            pub fn iter(&self) -> Iter<&T>;
            pub fn iter_mut(&mut self) -> Iter<&mut T>;
            pub fn into_iter(self) -> Iter<T>;
            pub fn first(&self) -> Option<&T>;
            pub fn last(&self) -> Option<&T>;
            pub fn get(&self, index: usize) -> Option<&T>;
            pub fn to_vec(&self) -> Vec<T>;
            pub fn contains(&self, value: &T) -> bool;
            pub fn chunks(&self, size: usize) -> Iter<&[T]>;
            pub fn chunks_exact(&self, size: usize) -> Iter<&[T]>;
            pub fn windows(&self, size: usize) -> Iter<&[T]>;
            pub fn split_at(&self, at: usize) -> (&[T], &[T]);
            pub fn copy_from_slice(&mut self, other: &[T]);
            pub fn fill(&mut self, value: T);
            pub fn swap(&mut self, a: usize, b: usize);
            pub fn sort(&mut self);
            pub fn sort_unstable(&mut self);
            pub fn sort_by(&mut self, f: impl FnMut(&T, &T) -> Ordering);
            pub fn reverse(&mut self);
            pub fn concat<U>(&self) -> Vec<U>;
        }
        impl<T, const N: usize> [T; N] {
            pub fn map<U>(self, f: impl FnMut(T) -> U) -> [U; N];
        }
        pub struct Range<T> {
            pub start: T,
            pub end: T,
        }
        pub struct RangeInclusive<T>;
        pub struct RangeFrom<T>;
        pub struct RangeTo<T>;
        pub struct RangeFull<T>;
        impl<T> Range<T> {
            pub fn contains(&self, value: &T) -> bool;
            pub fn len(&self) -> usize;
        }
        impl<T> RangeInclusive<T> {
            pub fn contains(&self, value: &T) -> bool;
        }
        /// Whatever gives one value after another.
        pub struct Iter<T>;
        impl<T> Iter<T> {
            pub fn next(&mut self) -> Option<T>;
            pub fn map<B>(self, f: impl FnMut(T) -> B) -> Iter<B>;
            pub fn filter(self, f: impl FnMut(&T) -> bool) -> Iter<T>;
            pub fn filter_map<B>(self, f: impl FnMut(T) -> Option<B>) -> Iter<B>;
            pub fn flat_map<U, I: IntoIterator<U>>(self, f: impl FnMut(T) -> I) -> Iter<U>;
            pub fn enumerate(self) -> Iter<(usize, T)>;
            pub fn zip<U, I: IntoIterator<U>>(self, other: I) -> Iter<(T, U)>;
            pub fn chain<I: IntoIterator<T>>(self, other: I) -> Iter<T>;
            pub fn take(self, count: usize) -> Iter<T>;
            pub fn skip(self, count: usize) -> Iter<T>;
            pub fn step_by(self, step: usize) -> Iter<T>;
            pub fn take_while(self, f: impl FnMut(&T) -> bool) -> Iter<T>;
            pub fn skip_while(self, f: impl FnMut(&T) -> bool) -> Iter<T>;
            pub fn rev(self) -> Iter<T>;
            pub fn cycle(self) -> Iter<T>;
            pub fn inspect(self, f: impl FnMut(&T)) -> Iter<T>;
            pub fn peekable(self) -> Iter<T>;
            pub fn by_ref(&mut self) -> Iter<T>;
            pub fn cloned(self) -> Iter<Cloned<T>>;
            pub fn copied(self) -> Iter<Cloned<T>>;
            pub fn collect<B: FromIterator<T>>(self) -> B;
            pub fn sum<S: Sum<T>>(self) -> S;
            pub fn product<S: Sum<T>>(self) -> S;
            pub fn count(self) -> usize;
            pub fn min(self) -> Option<T>;
            pub fn max(self) -> Option<T>;
            pub fn min_by(self, f: impl FnMut(&T, &T) -> Ordering) -> Option<T>;
            pub fn max_by(self, f: impl FnMut(&T, &T) -> Ordering) -> Option<T>;
            pub fn min_by_key<K>(self, f: impl FnMut(&T) -> K) -> Option<T>;
            pub fn max_by_key<K>(self, f: impl FnMut(&T) -> K) -> Option<T>;
            pub fn all(&mut self, f: impl FnMut(T) -> bool) -> bool;
            pub fn any(&mut self, f: impl FnMut(T) -> bool) -> bool;
            pub fn find(&mut self, f: impl FnMut(&T) -> bool) -> Option<T>;
            pub fn position(&mut self, f: impl FnMut(T) -> bool) -> Option<usize>;
            pub fn fold<B>(self, start: B, f: impl FnMut(B, T) -> B) -> B;
            pub fn reduce(self, f: impl FnMut(T, T) -> T) -> Option<T>;
            pub fn scan<S, B>(self, start: S, f: impl FnMut(&mut S, T) -> Option<B>) -> Iter<B>;
            pub fn for_each(self, f: impl FnMut(T));
            pub fn last(self) -> Option<T>;
            pub fn nth(&mut self, index: usize) -> Option<T>;
            pub fn into_iter(self) -> Iter<T>;
            pub fn len(&self) -> usize;
            pub fn unzip<A, B>(self) -> (A, B);
            pub fn partition<B: FromIterator<T>>(self, f: impl FnMut(&T) -> bool) -> (B, B);
        }
        /// What a reference refers to.
        pub struct Cloned<T>;
        pub enum Ordering {
            Less,
            Equal,
            Greater,
        }
        impl Ordering {
            pub fn reverse(self) -> Ordering;
            pub fn then(self, other: Ordering) -> Ordering;
        }
        pub fn drop<T>(value: T);
        pub use std::mem::size_of;

        impl<N: Integer> N {
            pub const MIN: N = builtin;
            pub const MAX: N = builtin;
            pub const BITS: u32 = builtin;
            pub fn wrapping_add(self, other: N) -> N;
            pub fn wrapping_sub(self, other: N) -> N;
            pub fn wrapping_mul(self, other: N) -> N;
            pub fn wrapping_neg(self) -> N;
            pub fn wrapping_shl(self, bits: u32) -> N;
            pub fn wrapping_shr(self, bits: u32) -> N;
            pub fn wrapping_rem(self, other: N) -> N;
            pub fn wrapping_div(self, other: N) -> N;
            pub fn wrapping_abs(self) -> N;
            pub fn saturating_add(self, other: N) -> N;
            pub fn saturating_sub(self, other: N) -> N;
            pub fn saturating_mul(self, other: N) -> N;
            pub fn checked_add(self, other: N) -> Option<N>;
            pub fn checked_sub(self, other: N) -> Option<N>;
            pub fn checked_mul(self, other: N) -> Option<N>;
            pub fn overflowing_add(self, other: N) -> (N, bool);
            pub fn pow(self, exponent: u32) -> N;
            pub fn abs(self) -> N;
            pub fn unsigned_abs(self) -> u32;
            pub fn signum(self) -> N;
            pub fn abs_diff(self, other: N) -> N;
            pub fn rem_euclid(self, other: N) -> N;
            pub fn div_euclid(self, other: N) -> N;
            pub fn div_ceil(self, other: N) -> N;
            pub fn next_multiple_of(self, other: N) -> N;
            pub fn is_power_of_two(self) -> bool;
            pub fn next_power_of_two(self) -> N;
            pub fn ilog2(self) -> u32;
            pub fn isqrt(self) -> N;
            pub fn leading_zeros(self) -> u32;
            pub fn trailing_zeros(self) -> u32;
            pub fn count_ones(self) -> u32;
            pub fn rotate_left(self, bits: u32) -> N;
            pub fn rotate_right(self, bits: u32) -> N;
            pub fn min(self, other: N) -> N;
            pub fn max(self, other: N) -> N;
            pub fn clamp(self, low: N, high: N) -> N;
            pub fn cmp(&self, other: &N) -> Ordering;
            pub fn partial_cmp(&self, other: &N) -> Option<Ordering>;
            pub fn to_le_bytes(self) -> Vec<u8>;
            pub fn from_le_bytes(bytes: impl BytesOf<N>) -> N;
            pub fn from_be_bytes(bytes: impl BytesOf<N>) -> N;
            pub fn from<U>(value: U) -> N;
            pub fn try_from<U>(value: U) -> Result<N, Error>;
            pub fn default() -> N;
            pub fn is_positive(self) -> bool;
            pub fn is_negative(self) -> bool;
        }
        impl<F: Float> F {
            pub const MIN: F = builtin;
            pub const MAX: F = builtin;
            pub const EPSILON: F = builtin;
            pub const INFINITY: F = builtin;
            pub const NEG_INFINITY: F = builtin;
            pub const NAN: F = builtin;
            pub const MIN_POSITIVE: F = builtin;
            pub fn sqrt(self) -> F;
            pub fn exp(self) -> F;
            pub fn exp2(self) -> F;
            pub fn ln(self) -> F;
            pub fn log2(self) -> F;
            pub fn log10(self) -> F;
            pub fn sin(self) -> F;
            pub fn cos(self) -> F;
            pub fn tan(self) -> F;
            pub fn tanh(self) -> F;
            pub fn abs(self) -> F;
            pub fn floor(self) -> F;
            pub fn ceil(self) -> F;
            pub fn round(self) -> F;
            pub fn round_ties_even(self) -> F;
            pub fn trunc(self) -> F;
            pub fn fract(self) -> F;
            pub fn recip(self) -> F;
            pub fn signum(self) -> F;
            pub fn copysign(self, sign: F) -> F;
            pub fn powi(self, exponent: i32) -> F;
            pub fn powf(self, exponent: F) -> F;
            pub fn mul_add(self, a: F, b: F) -> F;
            pub fn min(self, other: F) -> F;
            pub fn max(self, other: F) -> F;
            pub fn clamp(self, low: F, high: F) -> F;
            pub fn is_nan(self) -> bool;
            pub fn is_finite(self) -> bool;
            pub fn is_infinite(self) -> bool;
            pub fn is_sign_negative(self) -> bool;
            pub fn is_sign_positive(self) -> bool;
            pub fn total_cmp(&self, other: &F) -> Ordering;
            pub fn partial_cmp(&self, other: &F) -> Option<Ordering>;
            pub fn from<U>(value: U) -> F;
            pub fn default() -> F;
            pub fn to_radians(self) -> F;
        }
        impl f32 {
            pub fn to_bits(self) -> u32;
            pub fn from_bits(bits: u32) -> f32;
            pub fn to_le_bytes(self) -> [u8; 4];
            pub fn from_le_bytes(bytes: [u8; 4]) -> f32;
        }
        impl f64 {
            pub fn to_bits(self) -> u64;
            pub fn from_bits(bits: u64) -> f64;
            pub fn to_le_bytes(self) -> [u8; 8];
            pub fn from_le_bytes(bytes: [u8; 8]) -> f64;
        }
        impl<T: Any> T {
            pub fn clone(&self) -> T;
            pub fn to_owned(&self) -> T;
            pub fn to_string(&self) -> String;
            pub fn into<U>(self) -> U;
            pub fn try_into<U>(self) -> Result<U, Error>;
            pub fn eq(&self, other: &T) -> bool;
            pub fn ne(&self, other: &T) -> bool;
            pub fn cmp(&self, other: &T) -> Ordering;
            pub fn partial_cmp(&self, other: &T) -> Option<Ordering>;
            pub fn max(self, other: T) -> T;
            pub fn min(self, other: T) -> T;
            pub fn clamp(self, low: T, high: T) -> T;
            pub fn hash<H>(&self, state: &mut H);
            pub fn borrow(&self) -> &T;
            pub fn as_ref(&self) -> &T;
            pub fn default() -> T;
            pub fn fmt(&self, f: &mut std::fmt::Formatter) -> Result<(), Error>;
        }
        pub struct Error;
    }
    pub mod fmt {
        pub use std::prelude::Debug;
        pub use std::prelude::Display;
        pub use std::prelude::Error;
        pub trait Write {}
        pub trait LowerHex {}
        pub trait UpperHex {}
        pub trait Binary {}
        pub trait Octal {}
        pub trait LowerExp {}
        pub struct Formatter;
        impl Formatter {
            pub fn write_str(&mut self, text: &str) -> Result;
            pub fn debug_list(&mut self) -> DebugList;
            pub fn debug_struct(&mut self, name: &str) -> DebugList;
            pub fn debug_tuple(&mut self, name: &str) -> DebugTuple;
            pub fn debug_set(&mut self) -> DebugList;
            pub fn write_char(&mut self, c: char) -> Result;
            pub fn pad(&mut self, text: &str) -> Result;
            pub fn alternate(&self) -> bool;
            pub fn width(&self) -> Option<usize>;
            pub fn precision(&self) -> Option<usize>;
        }
        pub struct DebugTuple;
        impl DebugTuple {
            pub fn field<U>(&mut self, value: &U) -> &mut DebugTuple;
            pub fn finish(&mut self) -> Result;
        }
        pub struct DebugList;
        impl DebugList {
            pub fn entries<U, I: IntoIterator<U>>(&mut self, items: I) -> &mut DebugList;
            pub fn entry<U>(&mut self, item: &U) -> &mut DebugList;
            pub fn field<U>(&mut self, name: &str, value: &U) -> &mut DebugList;
            pub fn finish(&mut self) -> Result;
        }
        pub type Result = std::prelude::Result<(), std::prelude::Error>;
    }
    pub mod panic {
        pub struct AssertUnwindSafe<T>(pub T);
        pub fn catch_unwind<R>(f: impl FnOnceSafe<R>) -> std::prelude::Result<R, Box<Error>>;
    }
    pub mod future {
        pub use std::prelude::Future;
    }
    pub mod marker {
        pub struct PhantomData<T>;
    }
    pub mod mem {
        pub fn size_of<T>() -> usize;
        pub fn swap<T>(a: &mut T, b: &mut T);
        pub fn replace<T>(place: &mut T, value: T) -> T;
        pub fn take<T>(place: &mut T) -> T;
    }
    pub mod iter {
        pub use std::prelude::Iterator;
        pub use std::prelude::FromIterator;
        pub fn repeat<T>(value: T) -> Iter<T>;
        pub fn repeat_n<T>(value: T, count: usize) -> Iter<T>;
        pub fn once<T>(value: T) -> Iter<T>;
        pub fn empty<T>() -> Iter<T>;
        pub fn from_fn<T>(f: impl FnMut() -> Option<T>) -> Iter<T>;
        pub fn successors<T>(first: Option<T>, f: impl FnMut(&T) -> Option<T>) -> Iter<T>;
        pub fn zip<A, B, I: IntoIterator<A>, J: IntoIterator<B>>(a: I, b: J) -> Iter<(A, B)>;
    }
    pub mod cmp {
        pub use std::prelude::Ordering;
        pub use std::prelude::PartialEq;
        pub use std::prelude::PartialOrd;
        pub use std::prelude::Ord;
        pub use std::prelude::Eq;
        pub fn min<T>(a: T, b: T) -> T;
        pub fn max<T>(a: T, b: T) -> T;
    }
    pub mod ops {
        pub use std::prelude::Range;
        pub use std::prelude::RangeInclusive;
        pub use std::prelude::Fn;
        pub use std::prelude::FnMut;
        pub use std::prelude::FnOnce;
        pub use std::prelude::Drop;
        pub trait Add {}
        pub trait Sub {}
        pub trait Mul {}
        pub trait Div {}
        pub trait Rem {}
        pub trait Neg {}
        pub trait Not {}
        pub trait BitAnd {}
        pub trait BitOr {}
        pub trait BitXor {}
        pub trait Shl {}
        pub trait Shr {}
        pub trait AddAssign {}
        pub trait SubAssign {}
        pub trait MulAssign {}
        pub trait DivAssign {}
        pub trait RemAssign {}
        pub trait BitAndAssign {}
        pub trait BitOrAssign {}
        pub trait BitXorAssign {}
        pub trait ShlAssign {}
        pub trait ShrAssign {}
        pub trait Deref {}
        pub trait DerefMut {}
        pub trait Index {}
        pub trait IndexMut {}
        pub trait RangeBounds {}
    }
    pub mod str {
        pub trait FromStr {}
    }
    pub mod num {
        pub struct ParseIntError;
        pub struct ParseFloatError;
    }
    pub mod result {
        pub use std::prelude::Result;
    }
    pub mod option {
        pub use std::prelude::Option;
    }
    pub mod vec {
        pub use std::prelude::Vec;
        pub type IntoIter<T> = Iter<T>;
    }
    pub mod slice {
        pub type Iter<'a, T> = std::prelude::Iter<&'a T>;
        pub type IterMut<'a, T> = std::prelude::Iter<&'a mut T>;
    }
    pub mod hash {
        pub use std::prelude::Hash;
        pub trait Hasher {}
    }
    pub mod convert {
        pub use std::prelude::From;
        pub use std::prelude::Into;
        pub use std::prelude::TryFrom;
        pub use std::prelude::TryInto;
    }
    pub mod array {
        pub fn from_fn<T, const N: usize>(f: impl FnMut(usize) -> T) -> [T; N];
    }
    pub mod f32 {
        pub mod consts {
            pub const PI: f32 = builtin;
            pub const E: f32 = builtin;
            pub const LN_2: f32 = builtin;
            pub const SQRT_2: f32 = builtin;
        }
    }
    pub mod f64 {
        pub mod consts {
            pub const PI: f64 = builtin;
            pub const E: f64 = builtin;
            pub const LN_2: f64 = builtin;
            pub const SQRT_2: f64 = builtin;
        }
    }
    pub mod env {
        pub fn var(name: &str) -> std::prelude::Result<String, Error>;
        pub fn args() -> Iter<String>;
    }
    pub mod error {
        pub trait Error {}
    }
    pub mod time {
        pub struct Instant;
        impl Instant {
            pub fn now() -> Instant;
            pub fn elapsed(&self) -> Duration;
        }
        pub struct Duration;
        impl Duration {
            pub fn as_secs_f64(&self) -> f64;
            pub fn as_millis(&self) -> u128;
        }
    }
}
pub mod core {
    pub use std::*;
}
pub mod alloc {
    pub use std::*;
}
pub mod rand {
    pub trait Rng {}
    pub trait RngCore {}
    pub trait SeedableRng {}
    pub mod rngs {
        pub struct SmallRng;
        impl SmallRng {
            pub fn seed_from_u64(seed: u64) -> SmallRng;
            pub fn random<T>(&mut self) -> T;
            pub fn random_range<T>(&mut self, range: impl RangeOf<T>) -> T;
            pub fn random_bool(&mut self, p: f64) -> bool;
            pub fn next_u32(&mut self) -> u32;
            pub fn next_u64(&mut self) -> u64;
        }
        pub use SmallRng as StdRng;
    }
    pub mod prelude {
        pub use rand::Rng;
        pub use rand::RngCore;
        pub use rand::SeedableRng;
        pub use rand::rngs::SmallRng;
        pub use rand::rngs::StdRng;
    }
}
pub mod tokio {
    pub mod runtime {
        pub struct Runtime;
        impl Runtime {
            pub fn new() -> Result<Runtime, Error>;
            pub fn block_on<T>(&self, future: Future<T>) -> T;
        }
        pub struct Builder;
        impl Builder {
            pub fn new_current_thread() -> Builder;
            pub fn new_multi_thread() -> Builder;
            pub fn enable_all(&mut self) -> &mut Builder;
            pub fn build(&mut self) -> Result<Runtime, Error>;
        }
    }
    pub fn test();
    pub fn main();
}
pub mod half {}
pub mod safetensors {
    pub struct SafeTensorError;
    pub struct SafeTensors;
    impl SafeTensors {
        pub fn deserialize(bytes: &[u8]) -> Result<SafeTensors, SafeTensorError>;
        pub fn tensor(&self, name: &str) -> Result<tensor::TensorView, SafeTensorError>;
        pub fn names(&self) -> Vec<&str>;
        pub fn len(&self) -> usize;
    }
    pub enum Dtype {
        BOOL,
        U8,
        I8,
        F8_E5M2,
        F8_E4M3,
        I16,
        U16,
        F16,
        BF16,
        I32,
        U32,
        F32,
        F64,
        I64,
        U64,
    }
    pub mod tensor {
        pub use safetensors::Dtype;
        pub use safetensors::SafeTensors;
        pub use safetensors::SafeTensorError;
        pub struct TensorView;
        impl TensorView {
            pub fn shape(&self) -> &[usize];
            pub fn data(&self) -> &[u8];
            pub fn dtype(&self) -> Dtype;
        }
    }
}
pub mod env_logger {
    pub fn init();
    pub fn try_init() -> Result<(), Error>;
    pub fn builder() -> Builder;
    pub struct Builder;
    impl Builder {
        pub fn is_test(&mut self, value: bool) -> &mut Builder;
        pub fn try_init(&mut self) -> Result<(), Error>;
        pub fn init(&mut self);
    }
}
pub mod log {
    pub fn set_max_level();
}
