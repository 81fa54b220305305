// A test that walks over its cases, with helpers of its own.
use furiosa_visa_std::prelude::*;
axes![N = 64, K = 4];

#[derive(Debug, Clone)]
struct Case<'a> { name: &'a str, input: Vec<i32>, want: Vec<i32> }

impl<'a> Case<'a> {
    fn new(name: &'a str, f: impl Fn(i32) -> i32) -> Self {
        let input: Vec<i32> = (0..<m![N]>::SIZE as i32).collect();
        let want = input.iter().map(|&x| f(x)).collect();
        Case { name, input, want }
    }
}

struct NanEq(Vec<Opt<f32>>);

impl PartialEq for NanEq {
    fn eq(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| match (a, b) { (Opt::Init(x), Opt::Init(y)) => x == y || x.is_nan() && y.is_nan(), (Opt::Uninit, Opt::Uninit) => true, _ => false })
    }
}

impl std::fmt::Debug for NanEq {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("NanEq").field(&self.0.len()).finish()
    }
}

impl From<Vec<f32>> for NanEq {
    fn from(v: Vec<f32>) -> Self {
        NanEq(v.into_iter().map(Opt::Init).collect())
    }
}

trait ToOpts<T> {
    fn to_opts(&self) -> Vec<Opt<T>>;
}

impl<T: Copy> ToOpts<T> for [T] {
    fn to_opts(&self) -> Vec<Opt<T>> {
        self.iter().map(|&x| Opt::Init(x)).collect()
    }
}

async fn upload(ctx: &mut Context, v: &[i32]) -> HbmTensor<i32, m![1], m![N]> {
    let host: HostTensor<i32, m![N]> = HostTensor::from_buf(v.to_opts());
    host.to_hbm(&mut ctx.pdma, 0).await
}

#[device(chip = 1)]
fn copy(ctx: &mut Context, x: &HbmTensor<i32, m![1], m![N]>) -> HbmTensor<i32, m![1], m![N]> {
    let dm: DmTensor<i32, m![1], m![1 # 2], m![1 # 256], m![N]> = x.to_dm(&mut ctx.tdma, 0);
    dm.to_hbm(&mut ctx.tdma, 0x1000)
}

#[tokio::test]
async fn works() {
    let mut ctx = Context::acquire();
    for Case { name, input, want }
    in [Case::new("same", |x| x), Case::new("id", |x| x + 0)] {
        let t = upload(&mut ctx, &input).await;
        let out = launch(copy, (&mut *ctx, &t)).await;
        let got = out.to_host::<m![N]>(&mut ctx.pdma).await.to_buf();
        assert_eq!(got, want.to_opts(), "case {name}");
    }
    assert_eq!(NanEq::from(vec![1.0]), vec![1.0f32].into());
}
