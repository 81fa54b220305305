// prints: [1, 2, 3, 4]
// prints: {2, 3}
// prints: {1, 2, 3}
// prints: 2
// prints: {1}
// prints: false true
// prints: Some((3, "c"))
// prints: [3, 1]
// prints: Some((1, "a")) Some((5, "e"))
// prints: {1: "a", 3: "z", 5: "e"}
// prints: {3: "z", 5: "e"}
// prints: {1: "w", 8: "o"}
// prints: ('l', 2)
// prints: {false: [1, 3], true: [0, 2]}
// prints: 7
// prints: Some(7)
// prints: 2
// prints: true
// prints: Some('l')
// prints: Some(1) Some(2) Some(3)
// prints: Some(3)
// prints: Some(1) 1
// prints: 2
// prints: true
use std::collections::*;
fn main() {
    let a: HashSet<i32> = [1, 2, 3].into();
    let b = HashSet::from([2, 3, 4]);
    let mut u: Vec<_> = a.union(&b).copied().collect();
    u.sort();
    println!("{u:?}");
    let i: BTreeSet<_> = a.intersection(&b).cloned().collect();
    println!("{i:?}");
    let x: BTreeSet<i32> = &BTreeSet::from([1, 2]) | &BTreeSet::from([3]);
    println!("{x:?}");
    let y = &a & &b;
    println!("{}", y.len());
    let z = &a - &b;
    println!("{z:?}");
    println!("{} {}", a.is_subset(&b), a.is_disjoint(&HashSet::from([9])));
    let mut m: BTreeMap<i32, &str> = BTreeMap::new();
    for (k, v) in [(5, "e"), (1, "a"), (3, "c")] {
        m.insert(k, v);
    }
    println!("{:?}", m.range(2..).next());
    println!("{:?}", m.range(..=3).rev().map(|(k, _)| *k).collect::<Vec<_>>());
    println!("{:?} {:?}", m.first_key_value(), m.last_key_value());
    for (_, v) in m.range_mut(3..5) {
        *v = "z";
    }
    println!("{m:?}");
    println!("{:?}", m.split_off(&3));
    *m.entry(1).or_insert("q") = "w";
    m.entry(8).and_modify(|v| *v = "n").or_insert_with(|| "o");
    println!("{m:?}");
    let mut c: HashMap<char, usize> = HashMap::new();
    for ch in "hello".chars() {
        *c.entry(ch).or_insert(0) += 1;
    }
    let mut cv: Vec<_> = c.iter().collect();
    cv.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
    println!("{:?}", cv[0]);
    let mut g: BTreeMap<bool, Vec<i32>> = BTreeMap::new();
    for i in 0..4 {
        g.entry(i % 2 == 0).or_default().push(i);
    }
    println!("{g:?}");
    match c.entry('z') {
        std::collections::hash_map::Entry::Occupied(o) => println!("{}", o.get()),
        std::collections::hash_map::Entry::Vacant(v) => {
            v.insert(7);
        }
    }
    println!("{}", c[&'z']);
    println!("{:?}", c.remove(&'z'));
    println!("{:?}", c.get(&'l').copied().unwrap_or_default());
    if let Some(v) = c.get_mut(&'l') {
        *v += 1;
    }
    println!("{}", c.contains_key(&'l'));
    let inv: BTreeMap<usize, char> = c.into_iter().map(|(k, v)| (v, k)).collect();
    println!("{:?}", inv.get(&3));
    let mut s = BTreeSet::from([3, 1, 2]);
    println!(
        "{:?} {:?} {:?}",
        s.pop_first(),
        s.range(2..).next(),
        s.iter().next_back()
    );
    println!("{:?}", s.replace(3));
    let mut m2: HashMap<String, i32> = HashMap::new();
    m2.insert("a".into(), 1);
    println!("{:?} {:?}", m2.get("a"), m2.get_or_insert_like());
    for v in m2.values_mut() {
        *v += 1;
    }
    println!("{:?}", m2.into_values().sum::<i32>());
    let e1 = BTreeMap::from([(1, 2)]);
    println!("{}", e1 == BTreeMap::from([(1, 2)]));
}
trait L {
    fn get_or_insert_like(&self) -> usize;
}
impl L for HashMap<String, i32> {
    fn get_or_insert_like(&self) -> usize {
        self.len()
    }
}
