// prints: [] [1] [2]
// prints: Row { cells: [] } Row { cells: [7] }
// prints: [[1, 3, 4], [1, 3, 5], [2, 3, 4], [2, 3, 5]]
// prints: [["a", "c"], ["b", "c"]]
// prints: Continue(3) Break(1)
use std::ops::ControlFlow;

#[derive(Clone, Debug, Default)]
struct Row {
    cells: Vec<u8>,
}

fn product<T: Clone>(lists: &[Vec<T>]) -> Vec<Vec<T>> {
    lists.iter().fold(vec![vec![]], |rows, list| {
        rows.iter()
            .flat_map(|row| {
                list.iter().map(move |item| {
                    let mut longer = row.clone();
                    longer.push(item.clone());
                    longer
                })
            })
            .collect()
    })
}

fn up_to_negative(items: &[i32]) -> ControlFlow<usize, i32> {
    items.iter().enumerate().try_fold(0, |sum, (at, &item)| {
        if item < 0 { ControlFlow::Break(at) } else { ControlFlow::Continue(sum + item) }
    })
}

fn main() {
    let empty: Vec<i32> = Vec::new();
    let (mut a, mut b) = (empty.clone(), empty.clone());
    a.push(1);
    b.push(2);
    println!("{empty:?} {a:?} {b:?}");
    let row = Row::default();
    let mut other = row.clone();
    other.cells.push(7);
    println!("{row:?} {other:?}");
    println!("{:?}", product(&[vec![1, 2], vec![3], vec![4, 5]]));
    println!("{:?}", product(&[vec!["a", "b"], vec!["c"]]));
    println!("{:?} {:?}", up_to_negative(&[1, 2]), up_to_negative(&[1, -2]));
}
