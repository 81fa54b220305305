// Nobody calls these: what a bound may allow is left to it.
use furiosa_visa_std::prelude::*;
use std::fmt::Debug;
use std::ops::{Add, Index, Mul};

axes![S = 256, A = 64];

trait Shape {
    const SIDES: u32;
    fn area(&self) -> f32;
    fn unit() -> Self;
}

struct Pair<T> {
    first: T,
    second: T,
}

impl<T> Pair<T> {
    fn swap(self) -> Pair<T> {
        Pair { first: self.second, second: self.first }
    }
    fn largest(&self) -> &T
    where
        T: PartialOrd,
    {
        if self.first > self.second { &self.first } else { &self.second }
    }
    fn apply<U, F: Fn(&T) -> U>(&self, f: F) -> Pair<U> {
        Pair { first: f(&self.first), second: f(&self.second) }
    }
}

impl<T> Pair<T>
where
    T: Shape + Clone,
{
    fn area(&self) -> f32 {
        let sum = self.first.area() + self.second.clone().area();
        sum * T::SIDES as f32 + T::unit().area()
    }
}

fn sum<T: Copy + Default + Add<Output = T>>(items: &[T]) -> T {
    let mut total = T::default();
    for item in items {
        total = total + *item;
    }
    total
}

fn scaled<T>(a: T, b: f32) -> f32
where
    T: Mul<f32, Output = f32>,
{
    a * b
}

fn at<C: Index<usize, Output = f32>>(items: &C) -> f32 {
    items[3] + 1.0
}

fn all<I>(items: I) -> Vec<u64>
where
    I: IntoIterator<Item = u64>,
{
    let mut found = Vec::new();
    for item in items {
        found.push(item * 2);
    }
    found
}

fn through<I: Iterator<Item = u64>>(items: I) -> u64 {
    items.map(|x| x + 1).filter(|x| x % 2 == 0).sum()
}

fn show<T: Debug, const N: usize>(items: [T; N]) -> usize {
    println!("{:?}", items[0]);
    let zeros = [0u8; N];
    zeros.len() + items.len() + N
}

fn moved<X: M, const T: Tu>(
    ctx: &mut TuContext<T>,
    dma: &mut DmaContext<{ Dma::Tensor }>,
    x: &HbmTensor<i8, m![1], m![S, { X }]>,
) -> DmTensor<i8, m![1], m![1 # 2], m![S], m![{ X } # 64]> {
    let dm = x.to_dm::<m![1 # 2], m![S], X>(dma, 0);
    let size = X::SIZE * 2;
    ctx.begin(dm.view())
        .fetch::<i8, m![1], m![{ X } # 64]>()
        .collect::<m![{ X } # 64 / 32], m![{ X } # 64 % 32]>()
        .commit(size as u64)
}

fn host<D: Scalar, E: M>(x: HostTensor<D, E>) -> Vec<Opt<D>> {
    x.to_buf().into_iter().map(|v| v).collect()
}
