// A label that no loop around it has.
fn find(rows: &[[u32; 4]; 4], what: u32) -> bool {
    'rows: for row in rows {
        for item in row {
            if *item == what {
                break 'rows;
            }
            if *item == 0 {
                continue 'columns; // expect error: E0401 is named
            }
        }
    }
    true
}
