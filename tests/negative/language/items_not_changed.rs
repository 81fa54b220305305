// What can be read by an index cannot be changed by it.
use std::ops::Index;

struct Places([u64; 4]);

impl Index<usize> for Places {
    type Output = u64;
    fn index(&self, index: usize) -> &u64 {
        &self.0[index]
    }
}

fn first(places: &Places) -> u64 {
    places[0]
}

fn clear(mut places: Places) {
    places[0] = 0; // expect error: E0456 IndexMut
}
