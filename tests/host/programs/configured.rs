// prints: program, false
#[cfg(not(test))]
const BUILT_FOR: &str = "program";

#[cfg(test)]
const BUILT_FOR: &str = "tests";

#[cfg(not(test))]
fn main() {
    println!("{BUILT_FOR}, {}", cfg!(test));
}

#[cfg(test)]
mod tests {
    use missing::Tools;
}
