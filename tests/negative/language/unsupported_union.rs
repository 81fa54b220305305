// Unions are outside the language.
use furiosa_visa_std::prelude::*;

union Bits { // expect error: E0409 union is not in the language
    word: u32,
    real: f32,
}
