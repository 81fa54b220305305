// A generic of an operator that its operands do not say.
use std::ops::Mul;

struct Matrix<const R: usize, const C: usize> {
    rows: [i32; R],
}

struct Row;

impl<const K: usize> Mul<Row> for Matrix<2, 2> {
    type Output = Matrix<2, K>;

    fn mul(self, _row: Row) -> Matrix<2, K> {
        Matrix { rows: [0; 2] }
    }
}

fn product(matrix: Matrix<2, 2>) -> i32 {
    let product = matrix * Row; // expect error: E0431
    product.rows[0]
}
