// Layers that fit together by their types, matrices, iterators of two kinds, a tree.
use std::fmt::Write as _;
use std::ops::ControlFlow;
pub(crate) trait Layer {
    const NAME: &'static str;
    type In: Copy;
    type Out;
    fn run(&self, x: Self::In) -> Self::Out;
    fn run_all(&self, xs: &[Self::In]) -> Vec<Self::Out> {
        xs.iter().map(|&x| self.run(x)).collect()
    }
    fn label() -> String where Self: Sized {
        format!("<{}>", Self::NAME)
    }
}

struct Scale { k: f32 }
struct Relu;

impl Layer for Scale {
    const NAME: &'static str = "scale";
    type In = f32;
    type Out = f32;
    fn run(&self, x: f32) -> f32 {
        x * self.k
    }
}

impl Layer for Relu {
    const NAME: &'static str = "relu";
    type In = f32;
    type Out = f32;
    fn run(&self, x: f32) -> f32 {
        x.max(0.0)
    }
}

struct Chain<A, B>(A, B);

impl<A: Layer, B: Layer<In = A::Out>> Layer for Chain<A, B> where A::Out: Copy {
    const NAME: &'static str = "chain";
    type In = A::In;
    type Out = B::Out;
    fn run(&self, x: Self::In) -> Self::Out {
        self.1.run(self.0.run(x))
    }
}

fn describe<L: Layer>(_: &L) -> String {
    L::label()
}

fn zip_sum<I, J>(a: I, b: J) -> i64 where I: IntoIterator, J: IntoIterator, I::Item: Into<i64>, J::Item: Into<i64> {
    a.into_iter().zip(b).map(|(x, y)| x.into() * y.into()).sum()
}

struct Matrix { rows: usize, cols: usize, data: Vec<f32> }

impl Matrix {
    fn from_fn(rows: usize, cols: usize, mut f: impl FnMut(usize, usize) -> f32) -> Self {
        let mut data = Vec::with_capacity(rows * cols);
        for r in 0..rows {
            for c in 0..cols {
                data.push(f(r, c));
            }
        }
        Self { rows, cols, data }
    }
    fn row(&self, r: usize) -> &[f32] {
        &self.data[r * self.cols..(r + 1) * self.cols]
    }
    fn iter(&self) -> impl Iterator<Item = (usize, usize, f32)> + '_ {
        self.data.iter().enumerate().map(move |(i, &x)| (i / self.cols, i % self.cols, x))
    }
    fn matmul(&self, o: &Matrix) -> Option<Matrix> {
        if self.cols != o.rows {
            return None;
        }
        Some(Matrix::from_fn(self.rows, o.cols, |r, c| (0..self.cols).map(|k| self[(r, k)] * o[(k, c)]).sum()))
    }
}

impl std::ops::Index<(usize, usize)> for Matrix {
    type Output = f32;
    fn index(&self, (r, c): (usize, usize)) -> &Self::Output {
        &self.data[r * self.cols + c]
    }
}

impl std::ops::Mul for &Matrix {
    type Output = Matrix;
    fn mul(self, o: &Matrix) -> Matrix {
        self.matmul(o).expect("sizes")
    }
}

impl PartialEq for Matrix {
    fn eq(&self, o: &Self) -> bool {
        self.rows == o.rows && self.data == o.data
    }
}

impl std::fmt::Debug for Matrix {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for r in 0..self.rows {
            writeln!(f, "{:?}", self.row(r))?;
        }
        Ok(())
    }
}

enum Either<L, R> { Left(L), Right(R) }

impl<L, R, T> Iterator for Either<L, R> where L: Iterator<Item = T>, R: Iterator<Item = T> {
    type Item = T;
    fn next(&mut self) -> Option<T> {
        match self { Either::Left(l) => l.next(), Either::Right(r) => r.next() }
    }
}

fn either(up: bool) -> impl Iterator<Item = i32> {
    if up { Either::Left(0..3) } else { Either::Right((0..3).rev()) }
}

struct Tree { v: i32, kids: Vec<Tree> }

impl Tree {
    fn leaf(v: i32) -> Self {
        Tree { v, kids: vec![] }
    }
    fn sum(&self) -> i32 {
        self.v + self.kids.iter().map(Tree::sum).sum::<i32>()
    }
    fn visit(&self, f: &mut dyn FnMut(i32)) {
        f(self.v);
        for k in &self.kids {
            k.visit(f);
        }
    }
    fn max(&self) -> i32 {
        self.kids.iter().map(|k| k.max()).fold(self.v, i32::max)
    }
}

#[test]
fn works() {
    let c = Chain(Scale { k: 2.0 }, Relu);
    assert_eq!(c.run_all(&[-1.0, 2.0]), [0.0, 4.0]);
    assert_eq!(describe(&c) + &Relu::label() + Scale::NAME, "<chain><relu>scale");
    assert_eq!(zip_sum(vec![1i32, 2], [3i32, 4]), 11);
    let a = Matrix::from_fn(2, 2, |r, c| (r + c) as f32);
    let b = &a * &a;
    assert_eq!(b[(1, 1)], 5.0);
    assert!(b != a);
    for (r, c, x) in a.iter() {
        assert_eq!(x, (r + c) as f32);
    }
    assert_eq!(either(true).sum::<i32>() + either(false).map(|x| x + 1).max().unwrap(), 6);
    let t = Tree { v: 1, kids: vec![Tree::leaf(2), Tree { v: 3, kids: vec![Tree::leaf(4)] }] };
    let mut all = Vec::new();
    t.visit(&mut |v| all.push(v));
    assert_eq!(t.sum() + t.max() + all.len() as i32, 18);
    let mut s = String::new();
    write!(s, "{}", 1).unwrap();
    write!(&mut s, "{:?}", a).unwrap();
    assert_eq!(<Chain<Scale, Relu> as Layer>::NAME.len(), 5);
    type Both = Chain<Scale, Scale>;
    assert_eq!(Both::label(), "<chain>");
    let x: <Both as Layer>::Out = 1.0;
    assert_eq!(x, 1.0);
}
