// prints: 4
// fails: "x is no number"
//! A program that ends with an error.

fn number(text: &str) -> Result<i32, String> {
    text.parse().map_err(|_| format!("{text} is no number"))
}

fn main() -> Result<(), String> {
    println!("{}", number("4")?);
    println!("{}", number("x")?);
    Ok(())
}
