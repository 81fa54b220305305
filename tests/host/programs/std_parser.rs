// prints: 5.0
// prints: bad '$' at 4
// prints: eof
// prints: [("a", 3), ("b", 2), ("c", 1)]
// prints: 610
// prints: 6 3
// prints: [[0, 0, 0, 0], [0, 1, 2, 3], [0, 2, 4, 6]]
// prints: [[0, 0, 0], [0, 1, 2], [0, 2, 4], [0, 3, 6]]
// prints: 12586269025
// prints: XY
// prints: ["apple", "bob"] 3
use std::collections::HashMap;
use std::fmt;
use std::rc::Rc;
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Op {
    Add,
    Sub,
    Mul,
}
#[derive(Debug)]
enum Tok {
    Num(f64),
    Op(Op),
    L,
    R,
}
#[derive(Debug)]
enum ParseError {
    Bad(char, usize),
    Eof,
}
impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Bad(c, i) => write!(f, "bad {c:?} at {i}"),
            Self::Eof => f.write_str("eof"),
        }
    }
}
impl std::error::Error for ParseError {}
fn lex(s: &str) -> Result<Vec<Tok>, ParseError> {
    let mut out = vec![];
    let mut it = s.char_indices().peekable();
    while let Some(&(i, c)) = it.peek() {
        match c {
            ' ' => {
                it.next();
            }
            '0'..='9' | '.' => {
                let mut n = String::new();
                while let Some(&(_, d)) = it.peek() {
                    if d.is_ascii_digit() || d == '.' {
                        n.push(d);
                        it.next();
                    } else {
                        break;
                    }
                }
                out.push(Tok::Num(n.parse().map_err(|_| ParseError::Bad(c, i))?));
            }
            '+' => {
                out.push(Tok::Op(Op::Add));
                it.next();
            }
            '-' => {
                out.push(Tok::Op(Op::Sub));
                it.next();
            }
            '*' => {
                out.push(Tok::Op(Op::Mul));
                it.next();
            }
            '(' => {
                out.push(Tok::L);
                it.next();
            }
            ')' => {
                out.push(Tok::R);
                it.next();
            }
            _ => return Err(ParseError::Bad(c, i)),
        }
    }
    Ok(out)
}
struct Parser<'a> {
    t: &'a [Tok],
    p: usize,
}
impl<'a> Parser<'a> {
    fn new(t: &'a [Tok]) -> Self {
        Self { t, p: 0 }
    }
    fn peek(&self) -> Option<&'a Tok> {
        self.t.get(self.p)
    }
    fn expr(&mut self) -> Result<f64, ParseError> {
        let mut v = self.term()?;
        while let Some(Tok::Op(o @ (Op::Add | Op::Sub))) = self.peek() {
            self.p += 1;
            let r = self.term()?;
            v = if *o == Op::Add { v + r } else { v - r };
        }
        Ok(v)
    }
    fn term(&mut self) -> Result<f64, ParseError> {
        let mut v = self.atom()?;
        while matches!(self.peek(), Some(Tok::Op(Op::Mul))) {
            self.p += 1;
            v *= self.atom()?;
        }
        Ok(v)
    }
    fn atom(&mut self) -> Result<f64, ParseError> {
        match self.peek().ok_or(ParseError::Eof)? {
            Tok::Num(n) => {
                self.p += 1;
                Ok(*n)
            }
            Tok::L => {
                self.p += 1;
                let v = self.expr()?;
                self.p += 1;
                Ok(v)
            }
            Tok::Op(Op::Sub) => {
                self.p += 1;
                Ok(-self.atom()?)
            }
            t => panic!("{t:?}"),
        }
    }
}
fn eval(s: &str) -> Result<f64, Box<dyn std::error::Error>> {
    let t = lex(s)?;
    Ok(Parser::new(&t).expr()?)
}
struct Counter<T> {
    m: HashMap<T, usize>,
}
impl<T: std::hash::Hash + Eq + Clone + Ord> Counter<T> {
    fn new() -> Self {
        Self { m: HashMap::new() }
    }
    fn add(&mut self, t: T) -> &mut Self {
        *self.m.entry(t).or_default() += 1;
        self
    }
    fn top(&self) -> Vec<(T, usize)> {
        let mut v: Vec<_> = self.m.iter().map(|(k, v)| (k.clone(), *v)).collect();
        v.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        v
    }
}
fn main() {
    println!("{:?}", eval("1 + 2*(3-1)").unwrap());
    println!("{}", eval("1 + $").unwrap_err());
    println!("{}", eval("1 +").unwrap_err());
    let mut c = Counter::new();
    for w in "a b a c b a".split_whitespace() {
        c.add(w);
    }
    println!("{:?}", c.top());
    let fib: Box<dyn Fn(u32) -> u64> = {
        fn f(n: u32) -> u64 {
            if n < 2 { n as u64 } else { f(n - 1) + f(n - 2) }
        }
        Box::new(f)
    };
    println!("{}", fib(15));
    let shared = Rc::new(vec![1, 2, 3]);
    let total: i32 = shared.iter().sum();
    println!("{total} {}", shared.len());
    let mut grid = vec![vec![0; 4]; 3];
    for (r, row) in grid.iter_mut().enumerate() {
        for (c, x) in row.iter_mut().enumerate() {
            *x = r * c;
        }
    }
    println!("{grid:?}");
    let tr: Vec<Vec<usize>> = (0..4).map(|c| grid.iter().map(|r| r[c]).collect()).collect();
    println!("{tr:?}");
    let mut memo = HashMap::new();
    fn go(n: u64, m: &mut HashMap<u64, u64>) -> u64 {
        if n < 2 {
            return n;
        }
        if let Some(&v) = m.get(&n) {
            return v;
        }
        let r = go(n - 1, m) + go(n - 2, m);
        m.insert(n, r);
        r
    }
    println!("{}", go(50, &mut memo));
    let s: String = ["x", "y"]
        .iter()
        .flat_map(|s| s.chars())
        .map(|c| c.to_ascii_uppercase())
        .collect();
    println!("{s}");
    let words = vec!["apple", "bob"];
    let lens: HashMap<&str, usize> = words.iter().map(|w| (*w, w.len())).collect();
    let mut ks: Vec<_> = lens.keys().copied().collect();
    ks.sort_unstable();
    println!("{ks:?} {}", lens["bob"]);
}
