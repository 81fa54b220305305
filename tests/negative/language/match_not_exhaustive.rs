// Each `match` leaves something out.
enum Step {
    Skip,
    By(u64),
    Back { bytes: u64 },
}

fn variants(step: Step) -> u64 {
    match step { // expect error: E0470 Back is left out
        Step::Skip => 0,
        Step::By(n) => n,
    }
}

fn options(value: Option<bool>) -> u64 {
    match value { // expect error: E0470 Some(false)
        Some(true) => 1,
        None => 0,
    }
}

fn pairs(a: bool, b: Result<u64, u64>) -> u64 {
    match (a, b) { // expect error: E0470 (false, Err(_))
        (true, _) => 1,
        (_, Ok(n)) => n,
    }
}

fn numbers(index: u64) -> u64 {
    match index { // expect error: E0470 more than two
        0 => 1,
        1..=2 => 0,
    }
}

fn guards(flag: bool, n: u64) -> u64 {
    match flag { // expect error: E0470 true, when n is 0
        true if n > 0 => n,
        false => 0,
    }
}

fn bytes(n: u8) -> bool {
    match n { // expect error: E0470 128
        0..=127 => true,
        129.. => false,
    }
}

fn words(text: &str) -> u64 {
    match text { // expect error: E0470 any other text
        "one" => 1,
        "two" => 2,
    }
}

fn lists(items: &[u64]) -> u64 {
    match items { // expect error: E0470 one item
        [] => 0,
        [first, second, ..] => first + second,
    }
}

fn elements(value: furiosa_visa_std::prelude::Opt<i32>) -> i32 {
    match value { // expect error: E0470 Uninit
        furiosa_visa_std::prelude::Opt::Init(x) => x,
    }
}
