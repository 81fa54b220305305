// Options that are set one by one, and functions kept in structs.
#[derive(Debug, Default, Clone)]
pub struct Options {
    name: Option<String>,
    size: usize,
    tags: Vec<&'static str>,
    hook: Option<fn(usize) -> usize>,
}

impl Options {
    pub fn new() -> Self {
        Self::default()
    }
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }
    pub fn size(self, size: usize) -> Self {
        Self { size, ..self }
    }
    pub fn tag(mut self, tag: &'static str) -> Self {
        self.tags.push(tag);
        self
    }
    pub fn hook(mut self, f: fn(usize) -> usize) -> Self {
        self.hook = Some(f);
        self
    }
    pub fn build(&self) -> Result<usize, String> {
        let name = self.name.as_ref().ok_or("no name")?;
        let f = self.hook.unwrap_or(|x| x);
        Ok(f(self.size) + name.len())
    }
}

struct Counter<F: Fn(u32) -> bool> { f: F, hits: u32 }

impl<F: Fn(u32) -> bool> Counter<F> {
    fn new(f: F) -> Self {
        Self { f, hits: 0 }
    }
    fn feed(&mut self, x: u32) {
        if (self.f)(x) {
            self.hits += 1;
        }
    }
}

struct Cache<K, V> where K: PartialEq { items: Vec<(K, V)> }

impl<K: PartialEq + Copy, V: Clone> Cache<K, V> {
    fn get_or<F>(&mut self, k: K, f: F) -> V where F: FnOnce(&K) -> V {
        if let Some((_, v)) = self.items.iter().find(|(q, _)| *q == k) {
            return v.clone();
        }
        let v = f(&k);
        self.items.push((k, v.clone()));
        v
    }
}

fn apply_all(fs: &[&dyn Fn(i32) -> i32], x: i32) -> i32 {
    fs.iter().fold(x, |a, f| f(a))
}

fn make() -> Vec<Box<dyn FnMut() -> i32>> {
    let mut n = 0;
    vec![Box::new(move || { n += 1; n }), Box::new(|| 7)]
}

fn curry(a: i32) -> impl Fn(i32) -> Box<dyn Fn(i32) -> i32> {
    move |b| Box::new(move |c| a + b + c)
}

#[test]
fn works() {
    let o = Options::new().name("ab").size(3).tag("x").hook(|x| x * 2);
    assert_eq!(o.build(), Ok(8));
    let mut c = Counter::new(|x| x % 2 == 0);
    for i in 0..5 {
        c.feed(i);
    }
    assert_eq!(c.hits, 3);
    let mut cache = Cache { items: Vec::new() };
    assert_eq!(cache.get_or(1, |k| k * 10), 10);
    assert_eq!(cache.get_or(1, |_| 0), 10);
    assert_eq!(apply_all(&[&|x| x + 1, &|x| x * 2], 1), 4);
    let mut fs = make();
    assert_eq!(fs[0]() + fs[0]() + fs[1](), 10);
    assert_eq!(curry(1)(2)(3), 6);
    let ops: [(char, fn(i32, i32) -> i32); 2] = [('+', |a, b| a + b), ('*', |a, b| a * b)];
    let r: Vec<i32> = ops.iter().map(|(_, f)| f(2, 3)).collect();
    assert_eq!(r, [5, 6]);
    let mut sorted = vec![(2, 'b'), (1, 'a')];
    sorted.sort_by(|a, b| a.0.cmp(&b.0));
    let find = |k| sorted.iter().find(|(n, _)| *n == k).map(|&(_, c)| c);
    assert_eq!(find(1), Some('a'));
}
