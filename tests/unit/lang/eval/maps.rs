// Maps and sets. A HashMap keeps the order in which its keys came.
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
fn main() {
    let mut m = HashMap::new();
    m.insert("a", 1);
    m.insert("b", 2);
    println!("{:?} {:?} {}", m.insert("a", 3), m.get("a"), m.len()); //> Some(1) Some(3) 2
    *m.entry("c").or_insert(0) += 5;
    *m.entry("c").or_insert(0) += 5;
    println!("{m:?} {} {}", m["c"], m.contains_key("z")); //> {"a": 3, "b": 2, "c": 10} 10 false
    println!("{:?} {:?}", m.remove("b"), m.keys().collect::<Vec<_>>()); //> Some(2) ["a", "c"]
    if let Some(x) = m.get_mut("a") {
        *x = 30;
    }
    for (k, v) in &m {
        println!("{k}={v}"); //> a=30
    } //> c=10
    for (_, v) in m.iter_mut() {
        *v += 1;
    }
    println!("{}", m.values().sum::<i32>()); //> 42
    let mut counts: BTreeMap<char, usize> = BTreeMap::new();
    for c in "hello".chars() {
        *counts.entry(c).or_default() += 1;
    }
    println!("{counts:?} {:?}", counts.first_key_value()); //> {'e': 1, 'h': 1, 'l': 2, 'o': 1} Some(('e', 1))
    let groups = [1, 2, 3, 4].iter().fold(BTreeMap::new(), |mut m: BTreeMap<bool, Vec<i32>>, &x| {
        m.entry(x % 2 == 0).or_default().push(x);
        m
    });
    println!("{groups:?}"); //> {false: [1, 3], true: [2, 4]}
    let set: HashSet<i32> = [3, 1, 3].into_iter().collect();
    println!("{} {} {}", set.len(), set.contains(&1), set == HashSet::from([1, 3])); //> 2 true true
    let a = BTreeSet::from([1, 2, 3]);
    let b: BTreeSet<i32> = (2..5).collect();
    println!("{:?} {:?}", a.intersection(&b).collect::<Vec<_>>(), a.union(&b).cloned().collect::<Vec<i32>>()); //> [2, 3] [1, 2, 3, 4]
    println!("{:?} {}", a.difference(&b).collect::<Vec<_>>(), a.is_subset(&b)); //> [1] false
    let squares: HashMap<i32, i32> = (1..4).map(|x| (x, x * x)).collect();
    println!("{squares:?} {:#?}", BTreeMap::from([(1, "x")])); //> {1: 1, 2: 4, 3: 9} {
    //>     1: "x",
    //> }
    let mut seen = HashSet::new();
    println!("{} {}", seen.insert((1, 2)), seen.insert((1, 2))); //> true false
    let copy = m.clone();
    m.clear();
    println!("{} {}", m.is_empty(), copy.len()); //> true 2
}
