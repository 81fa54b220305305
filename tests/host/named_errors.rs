// Errors of the program behind `Box<dyn Error>`, however they came there; aliases and results.
use std::error::Error;
use std::fmt;
use std::ops::Mul;

#[derive(Debug)]
enum Fault {
    Empty,
    Wrong(u8),
}
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Fault::Empty => f.write_str("nothing is there"),
            Fault::Wrong(n) => write!(f, "{n} is wrong"),
        }
    }
}
impl Error for Fault {}

fn by_into() -> Result<(), Box<dyn Error>> {
    Err(Fault::Empty.into())
}
fn by_question(n: u8) -> Result<(), Box<dyn Error>> {
    Err(Fault::Wrong(n))?
}
fn by_from(n: u8) -> Result<(), Box<dyn Error>> {
    Err(Box::<dyn Error>::from(Fault::Wrong(n)))
}

#[test]
fn they_keep_their_words() {
    assert_eq!(by_into().unwrap_err().to_string(), "nothing is there");
    assert_eq!(format!("{:?}", by_into().unwrap_err()), "Empty");
    assert_eq!(by_question(3).unwrap_err().to_string(), "3 is wrong");
    assert_eq!(by_from(4).unwrap_err().to_string(), "4 is wrong");
    let shared: Box<dyn Error + Send + Sync> = Fault::Wrong(5).into();
    assert_eq!(format!("{shared}"), "5 is wrong");
    assert!(shared.downcast_ref::<Fault>().is_some());
    let text: Box<dyn Error> = "just words".into();
    assert_eq!(text.to_string(), "just words");
}

type Result<T, E = Fault> = std::result::Result<T, E>;

fn checked(n: u8) -> Result<u8> {
    if n == 0 { Err(Fault::Empty) } else { Ok(n) }
}

#[test]
fn a_default_of_an_alias_is_not_meant_in_expressions() {
    let many = vec![Ok(1), Err("x"), Ok(3)];
    assert_eq!(many.into_iter().filter_map(Result::ok).sum::<i32>(), 4);
    assert!(matches!(checked(0), Err(Fault::Empty)));
    assert_eq!(checked(2).ok(), Some(2));
}

#[derive(Clone, Copy)]
struct Matrix<const R: usize, const C: usize> {
    rows: [[i32; C]; R],
}
impl<const R: usize, const C: usize> Matrix<R, C> {
    fn shape(&self) -> (usize, usize) {
        (self.rows.len(), self.rows[0].len())
    }
}
impl<const R: usize, const K: usize, const C: usize> Mul<Matrix<K, C>> for Matrix<R, K> {
    type Output = Matrix<R, C>;
    fn mul(self, other: Matrix<K, C>) -> Self::Output {
        let mut rows = [[0; C]; R];
        for (r, row) in rows.iter_mut().enumerate() {
            for (c, x) in row.iter_mut().enumerate() {
                *x = (0..K).map(|k| self.rows[r][k] * other.rows[k][c]).sum();
            }
        }
        Matrix { rows }
    }
}

#[test]
fn an_output_may_have_generics_of_its_own() {
    let product = Matrix { rows: [[1, 2, 3], [4, 5, 6]] } * Matrix { rows: [[1], [0], [2]] };
    assert_eq!(product.shape(), (2, 1));
    assert_eq!(product.rows, [[7], [16]]);
}

#[test]
fn a_block_may_be_constant() {
    let n = const { 3 * 4 };
    assert_eq!(n + const { 1 << 4 }, 28);
}
