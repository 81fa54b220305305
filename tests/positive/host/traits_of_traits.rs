// A trait that needs others, and a registry of what has it.
use std::fmt::Debug;

trait Named {
    fn name(&self) -> String;
}

trait Greet: Named + Debug {
    fn greet(&self) -> String {
        format!("hi {} {:?}", self.name(), self)
    }
}

#[derive(Debug, Clone)] struct P { n: String }
impl Named for P {
    fn name(&self) -> String {
        self.n.clone()
    }
}

impl Greet for P {}

fn all(items: &[Box<dyn Greet>]) -> Vec<String> {
    items.iter().map(|g| g.greet() + &g.name()).collect()
}

fn one<G>(g: &G) -> usize where G: Greet + ?Sized {
    g.greet().len() + g.name().len()
}

struct Registry { items: Vec<Box<dyn Greet>> }

impl Registry {
    fn add(&mut self, g: impl Greet + 'static) -> &mut Self {
        self.items.push(Box::new(g));
        self
    }
    fn get(&self, i: usize) -> Option<&dyn Greet> {
        self.items.get(i).map(|b| b.as_ref())
    }
}

#[test]
fn works() {
    let p = P { n: "x".into() };
    assert!(one(&p) > 0);
    let mut r = Registry { items: Vec::new() };
    r.add(p.clone()).add(p);
    assert_eq!(all(&r.items).len(), 2);
    if let Some(g) = r.get(0) {
        assert!(!g.name().is_empty());
    }
    let d: &dyn Greet = r.items[1].as_ref();
    assert!(d.greet().len() > 2);
}
