// Every form of predicate, with trailing commas, strings that hold commas and brackets, and comments.
#[cfg(all(unix, not(any(windows)),))]
fn kept() -> i32 {
    1
}

#[cfg(any())]
fn never(x: Nothing) {}

#[cfg(feature = "a, (b)")]
fn not_set(x: Nothing) {}

#[cfg(any(true, feature = r"raw", /* not this */ target_os = "linux"))]
fn also() -> i32 {
    kept() + cfg!(all(),) as i32
}

fn main() {
    println!("{}", also());
}
