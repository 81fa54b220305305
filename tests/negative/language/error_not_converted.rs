// An error that cannot become the error of the function.
struct NotFound;
struct Refused;

fn find(key: u32) -> Result<u32, NotFound> {
    if key == 0 { Err(NotFound) } else { Ok(key) }
}

fn open(key: u32) -> Result<u32, Refused> {
    let found = find(key)?; // expect error: E0430 nothing makes
    Ok(found + 1)
}
