//! Tensors whose elements change places, and the arrays behind them.

use furiosa_visa_std::prelude::*;

axes![A = 6, B = 4, C = 2, K = 12, N = 3, P = 5];

fn counted<E: M>() -> Tensor<i32, E> {
    Tensor::from_buf((0..E::SIZE).map(|x| Opt::Init(x as i32)).collect())
}

fn values<T: Copy>(buf: Vec<Opt<T>>) -> Vec<T> {
    buf.into_iter().map(|x| x.unwrap()).collect()
}

#[test]
fn reshaping_gives_axes_other_names() {
    let t = counted::<m![A, B]>();
    let renamed: Tensor<i32, m![K / 2, B]> = unsafe { t.reshape::<m![A], m![K / 2], m![K / 2, B]>() };
    assert_eq!(values(renamed.to_buf()), (0..24).collect::<Vec<_>>());
    let inner: Tensor<i32, m![K / 2, P = 4]> = unsafe { renamed.reshape::<m![B], m![P = 4], _>() };
    assert_eq!(values(inner.to_buf())[13], 13);
}

#[test]
fn reshaping_keeps_positions() {
    let t = counted::<m![B, N]>();
    let turned: Tensor<i32, m![P = 3 # 4, N]> = unsafe { t.reshape::<m![B], m![P = 4], m![P = 4, N]>() }
        .view()
        .tile::<m![P = 4], m![P = 3 # 4, N], 3>(1)
        .read();
    assert_eq!(values(turned.to_buf()), (3..12).collect::<Vec<_>>());
}

#[test]
fn reshaping_to_itself() {
    let t = counted::<m![A, B]>();
    let same: Tensor<i32, m![A, B]> = unsafe { t.reshape::<m![A], m![A], m![A, B]>() };
    assert_eq!(values(same.to_buf())[7], 7);
}

#[test]
#[should_panic(expected = "differ in size")]
fn reshaping_needs_one_size() {
    let _: Tensor<i32, m![B, C]> = unsafe { counted::<m![A, C]>().reshape::<m![A], m![B], m![B, C]>() };
}

#[test]
#[should_panic(expected = "number of factors")]
fn reshaping_needs_as_many_factors() {
    let _: Tensor<i32, m![N, B]> = unsafe { counted::<m![K]>().reshape::<m![K], m![N, B], m![N, B]>() };
}

#[test]
#[should_panic(expected = "beside the part")]
fn reshaping_leaves_the_rest() {
    let _: Tensor<i32, m![K / 2, C]> = unsafe { counted::<m![A, B]>().reshape::<m![A], m![K / 2], m![K / 2, C]>() };
}

#[test]
fn scattering_rows() {
    let rows = counted::<m![B, C]>();
    let places = Tensor::<i32, m![B]>::from_buf([5, 0, 3, 1].map(Opt::Init).to_vec());
    let mut table = Tensor::<i32, m![A, C]>::from_buf(vec![Opt::Init(-1); 12]);
    rows.write_scatter::<m![B], _, _>(&mut table, &places, false);
    assert_eq!(values(table.to_buf()), [2, 3, 6, 7, -1, -1, 4, 5, -1, -1, 0, 1]);
}

#[test]
fn scattering_by_bytes() {
    let rows = counted::<m![B, C]>();
    // a row of two i32 is 8 bytes
    let places = Tensor::<i32, m![B]>::from_buf([8, 16, 8, 40].map(Opt::Init).to_vec());
    let mut table = Tensor::<i32, m![A, C]>::zero();
    rows.write_scatter::<m![B], _, _>(&mut table, &places, true);
    assert_eq!(values(table.to_buf()), [0, 0, 4, 5, 2, 3, 0, 0, 0, 0, 6, 7]);
}

#[test]
#[should_panic(expected = "entry 2 of the index")]
fn scattering_needs_every_index() {
    let mut holes: Vec<Opt<i32>> = (0..4).map(Opt::Init).collect();
    holes[2] = Opt::Uninit;
    let mut table = Tensor::<i32, m![A, C]>::zero();
    counted::<m![B, C]>().write_scatter::<m![B], _, _>(&mut table, &Tensor::<i32, m![B]>::from_buf(holes), false);
}

#[test]
#[should_panic(expected = "lacks the key")]
fn scattering_along_nothing() {
    let mut table = Tensor::<i32, m![C]>::zero();
    let places = Tensor::<i32, m![B]>::zero();
    counted::<m![B, C]>().write_scatter::<m![B], _, _>(&mut table, &places, false);
}

#[test]
fn elements_change_in_place() {
    let mut t = counted::<m![B, A]>();
    // axes in the order of their names: A, then B
    t.data_mut()[[5, 0]] = Opt::Init(100);
    assert_eq!(values(t.to_buf())[5], 100);
    for x in t.data_mut().iter_mut() {
        *x = *x + Opt::Init(1);
    }
    let all = values(t.to_buf());
    assert_eq!((all[0], all[5], all[23]), (1, 101, 24));
    let data = t.data_mut();
    assert_eq!(data.shape(), [6, 4]);
    assert_eq!(data.len(), 24);
    assert_eq!(data[[1, 2]], Opt::Init(14));
    data.fill(Opt::Uninit);
    data[[0, 1]] = Opt::Init(9);
    let mut expected = vec![Opt::Uninit; 24];
    expected[6] = Opt::Init(9);
    assert_eq!(t.to_buf(), expected);
}

#[test]
#[should_panic(expected = "out of bounds")]
fn elements_beyond_the_end() {
    counted::<m![A, B]>().data_mut()[[0, 4]] = Opt::Init(1);
}

#[test]
fn raw_tensors_have_axes_in_order() {
    let a = RawTensor::<i32>::from_vec::<m![B, A]>((0..24).map(Opt::Init).collect());
    let b = RawTensor::<i32>::from_fn::<m![A, B]>(|_, at| Opt::Init((at[0] * 4 + at[1]) as i32));
    assert_eq!(a, b);
    assert_ne!(a, RawTensor::from_elem::<m![A, B]>(Opt::Init(0)));
    assert_ne!(a.map(|x| *x), RawTensor::<i32>::from_elem::<m![A]>(Opt::Init(0)));
    let zero = a.zip_with(&b, |x, y| x - y);
    assert_eq!(zero, RawTensor::from_elem::<m![A, B]>(Opt::Init(0)));
}

#[test]
fn raw_tensors_reduce() {
    let a = RawTensor::<i32>::from_vec::<m![A, B]>((0..24).map(Opt::Init).collect());
    let terms: Vec<Term> = <m![B]>::to_value()
        .factorize()
        .terms_with_stride()
        .into_iter()
        .map(|(t, _, _)| t)
        .collect();
    let sums = a.reduce_add(&terms);
    assert_eq!(sums, RawTensor::<i32>::from_vec::<m![B]>([60, 66, 72, 78].map(Opt::Init).to_vec()));
    let least = a.reduce(&terms, |x, y| x.zip_map(y, |x, y| x.min(y)), Opt::Init(i32::MAX));
    assert_eq!(least, RawTensor::<i32>::from_vec::<m![B]>((0..4).map(Opt::Init).collect()));
}

#[test]
#[should_panic(expected = "from_vec got 23 values")]
fn raw_tensors_need_all_values() {
    RawTensor::<i32>::from_vec::<m![A, B]>((0..23).map(Opt::Init).collect());
}

struct Bag {
    items: Vec<i32>,
    count: i32,
}

impl Bag {
    fn all(&mut self) -> &mut Vec<i32> {
        &mut self.items
    }
    fn itself(&mut self) -> &mut Bag {
        self
    }
}

fn tail(items: &mut Vec<i32>) -> &mut [i32] {
    &mut items[1..]
}

#[test]
fn what_a_call_refers_to_can_be_assigned() {
    let mut bag = Bag { items: vec![1, 2, 3], count: 4 };
    bag.all()[1] = 7;
    bag.itself().count = 9;
    bag.itself().items[0] += 5;
    tail(&mut bag.items)[1] = 30;
    assert_eq!(bag.items, [6, 7, 30]);
    assert_eq!(bag.count, 9);
    let mut grid = vec![vec![0; 3]; 2];
    grid.last_mut().unwrap()[1] = 5;
    grid.get_mut(0).unwrap()[2] += 4;
    assert_eq!(grid, [[0, 0, 4], [0, 5, 0]]);
}

#[tokio::test]
async fn registers_are_seen() {
    axes![S = 256, W = 8];
    type Cluster = m![1 # 2];
    let mut ctx = Context::acquire();
    let empty: TrfTensor<i8, m![1], Cluster, m![1 # 256], m![B], m![A]> =
        unsafe { TrfTensor::from_addr(TrfAddress::Full) };
    assert_eq!(empty.view().read().to_buf(), vec![Opt::Uninit; 24]);
    let rows = HostTensor::<i32, m![S, W]>::from_buf((0..2048).map(Opt::Init).collect());
    let rows = rows.to_hbm::<m![1], m![S, W]>(&mut ctx.pdma, 0).await;
    let rows = rows.to_dm::<Cluster, m![S], m![W]>(&mut ctx.tdma, 0);
    let loaded: VrfTensor<i32, m![1], Cluster, m![S], m![W]> =
        ctx.sub.begin(rows.view()).fetch::<i32, m![1], m![W]>().collect::<m![1], m![W]>().to_vrf(0);
    assert_eq!(loaded.view().read().to_buf()[9], Opt::Init(9));
}

fn fail() {
    panic!("always")
}

fn beyond() -> usize {
    let nothing: Vec<usize> = vec![];
    nothing[0]
}

#[test]
fn helpers_may_fail() {
    assert!(std::panic::catch_unwind(fail).is_err());
    assert!(std::panic::catch_unwind(beyond).is_err());
}

#[test]
fn raw_tensors_are_compared_by_elements() {
    let ones = RawTensor::<i32>::from_elem::<m![A]>(Opt::Init(1));
    assert!(ones == RawTensor::<i32>::from_elem::<m![A]>(Opt::Init(1)));
    assert!(ones != RawTensor::<i32>::from_elem::<m![A]>(Opt::Uninit));
    assert!(ones != ones.map(|one| one.map(|n| n + 1)));
}
