// Defaults written by hand and derived, and what happens in the end.
struct Opts { depth: usize, scale: f32 }

impl Default for Opts {
    fn default() -> Self {
        Self { depth: 3, scale: 1.0 }
    }
}

struct Guard<'a> { log: &'a mut Vec<i32> }

impl<'a> Drop for Guard<'a> {
    fn drop(&mut self) {
        self.log.push(1);
    }
}

#[derive(Default)]
struct Outer { o: Opts, n: i32, s: String, v: Vec<u8>, t: (i32, bool) }

#[test]
fn works() {
    let o = Opts { depth: 5, ..Opts::default() };
    assert_eq!(o.scale, 1.0);
    let d: Opts = Default::default();
    assert_eq!(d.depth, 3);
    let mut log = vec![];
 {
        let _g = Guard { log: &mut log };
    }
    let g = Guard { log: &mut log };
    drop(g);
    assert_eq!(log.len(), 2);
    let x = Outer::default();
    assert_eq!(x.n + x.o.depth as i32, 3);
    assert!(x.s.is_empty() && x.v.is_empty() && !x.t.1);
}
