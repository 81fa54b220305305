// Arguments and results known by their trait alone, and functions made by functions.
fn evens(n: usize) -> impl Iterator<Item = usize> {
    (0..n).filter(|x| x % 2 == 0)
}

fn adder(by: i32) -> impl Fn(i32) -> i32 {
    move |x| x + by
}

fn apply(f: impl Fn(i32) -> i32, x: i32) -> i32 {
    f(x)
}

fn sum_all(items: impl Iterator<Item = i32>) -> i32 {
    items.sum()
}

fn collect_all(items: impl IntoIterator<Item = f32>) -> Vec<f32> {
    items.into_iter().collect()
}

fn boxed(by: i32) -> Box<dyn Fn(i32) -> i32> {
    Box::new(move |x| x * by)
}

fn twice<F: Fn(i32) -> i32>(f: F) -> impl Fn(i32) -> i32 {
    move |x| f(f(x))
}

fn compose<A, B, C>(f: impl Fn(A) -> B, g: impl Fn(B) -> C) -> impl Fn(A) -> C {
    move |x| g(f(x))
}

fn show(x: impl std::fmt::Display + Copy) -> String {
    format!("{x}")
}

fn each(mut f: impl FnMut(usize)) {
    for i in 0..3 {
        f(i);
    }
}

#[test]
fn works() {
    assert_eq!(evens(5).collect::<Vec<_>>(), vec![0, 2, 4]);
    let e: Vec<usize> = evens(7).map(|x| x * 2).collect();
    assert_eq!(e.len(), 4);
    assert_eq!(adder(2)(3), 5);
    let f = adder(1);
    assert_eq!(apply(&f, 1) + apply(f, 2), 5);
    assert_eq!(sum_all([1, 2, 3].into_iter()), 6);
    assert_eq!(sum_all(vec![1, 2].iter().copied()), 3);
    assert_eq!(collect_all(vec![1.0, 2.0]).len(), 2);
    assert_eq!(collect_all([1.0f32]).len(), 1);
    assert_eq!(boxed(3)(4), 12);
    assert_eq!(twice(adder(2))(1), 5);
    let h = compose(|x: i32| x as f32, |y: f32| y * 0.5);
    assert_eq!(h(4), 2.0);
    assert_eq!(show(3), "3");
    let mut seen = Vec::new();
    each(|i| seen.push(i));
    assert_eq!(seen, [0, 1, 2]);
    for x in evens(3) {
        assert!(x < 3);
    }
}
