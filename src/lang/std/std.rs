// What host programs use of the standard library and of other crates. See prelude.rs. Bounds that
// mean something: FromIterator, Extend, Sum, IntoIterator and IntoOwned say what a result or an
// argument is made of; Integer and Float in an impl block stand for all such numbers. Cloned,
// CloneOf, DerefedOf, UnsignedOf, SignedOf, NumberBytes, Concatenated and IndexedItem are functions of types (type.c).

pub mod std {
    pub mod prelude {
        pub trait Clone {}
        pub trait Copy {}
        pub trait Debug {}
        pub trait Display {}
        pub trait Default {}
        pub trait PartialEq {}
        pub trait Eq {}
        pub trait PartialOrd {}
        pub trait Ord {}
        pub trait Hash {}
        pub trait From {}
        pub trait Into {}
        pub trait TryFrom {}
        pub trait TryInto {}
        pub trait Iterator {}
        pub trait IntoIterator {}
        pub trait DoubleEndedIterator {}
        pub trait ExactSizeIterator {}
        pub trait FromIterator {}
        pub trait Extend {}
        pub trait AsRef {}
        pub trait AsMut {}
        pub trait ToOwned {}
        pub trait Fn {}
        pub trait FnMut {}
        pub trait FnOnce {}
        pub trait Send {}
        pub trait Sync {}
        pub trait Sized {}
        pub trait Drop {}
        pub trait ToString {}
        /// What a call of an async function gives: `.await` takes the result out of it.
        pub struct Future<T>;
        impl<T> Future<T> {
            /// Of a task.
            #[native(future_is_finished)]
            pub fn is_finished(&self) -> bool;
            #[native(future_abort_task)]
            pub fn abort(&self);
        }

        pub enum Option<T> {
            #[default]
            None,
            Some(T),
        }
        impl<T> Option<T> {
            #[native(option_is_good, 1)]
            pub fn is_some(&self) -> bool;
            #[native(option_is_good)]
            pub fn is_none(&self) -> bool;
            pub fn is_some_and(self, f: impl FnOnce(T) -> bool) -> bool {
                match self {
                    Some(value) => f(value),
                    None => false,
                }
            }
            pub fn is_none_or(self, f: impl FnOnce(T) -> bool) -> bool {
                match self {
                    Some(value) => f(value),
                    None => true,
                }
            }
            #[native(option_unwrap)]
            pub fn unwrap(self) -> T;
            #[native(option_expect)]
            pub fn expect(self, message: &str) -> T;
            #[native(option_unwrap_or)]
            pub fn unwrap_or(self, other: T) -> T;
            pub fn unwrap_or_default(self) -> T {
                match self {
                    Some(value) => value,
                    None => T::default(),
                }
            }
            pub fn unwrap_or_else(self, f: impl FnOnce() -> T) -> T {
                match self {
                    Some(value) => value,
                    None => f(),
                }
            }
            #[native(option_map)]
            pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Option<U>;
            pub fn map_or<U>(self, other: U, f: impl FnOnce(T) -> U) -> U {
                match self {
                    Some(value) => f(value),
                    None => other,
                }
            }
            pub fn map_or_else<U>(self, other: impl FnOnce() -> U, f: impl FnOnce(T) -> U) -> U {
                match self {
                    Some(value) => f(value),
                    None => other(),
                }
            }
            pub fn inspect(self, f: impl FnOnce(&T)) -> Option<T> {
                if let Some(value) = &self { f(value); }
                self
            }
            pub fn and<U>(self, other: Option<U>) -> Option<U> {
                match self {
                    Some(_) => other,
                    None => None,
                }
            }
            pub fn and_then<U>(self, f: impl FnOnce(T) -> Option<U>) -> Option<U> {
                match self {
                    Some(value) => f(value),
                    None => None,
                }
            }
            pub fn or(self, other: Option<T>) -> Option<T> {
                match self {
                    Some(value) => Some(value),
                    None => other,
                }
            }
            pub fn or_else(self, f: impl FnOnce() -> Option<T>) -> Option<T> {
                match self {
                    Some(value) => Some(value),
                    None => f(),
                }
            }
            pub fn xor(self, other: Option<T>) -> Option<T> {
                match (self, other) {
                    (Some(value), None) => Some(value),
                    (None, Some(value)) => Some(value),
                    _ => None,
                }
            }
            pub fn filter(self, f: impl FnOnce(&T) -> bool) -> Option<T> {
                match self {
                    Some(value) => if f(&value) { Some(value) } else { None },
                    None => None,
                }
            }
            pub fn zip<U>(self, other: Option<U>) -> Option<(T, U)> {
                match (self, other) {
                    (Some(value), Some(with)) => Some((value, with)),
                    _ => None,
                }
            }
            pub fn ok_or<E>(self, error: E) -> Result<T, E> {
                match self {
                    Some(value) => Ok(value),
                    None => Err(error),
                }
            }
            pub fn ok_or_else<E>(self, f: impl FnOnce() -> E) -> Result<T, E> {
                match self {
                    Some(value) => Ok(value),
                    None => Err(f()),
                }
            }
            #[native(option_as_ref)]
            pub fn as_ref(&self) -> Option<&T>;
            #[native(option_as_ref)]
            pub fn as_mut(&mut self) -> Option<&mut T>;
            #[native(option_as_ref, 1)]
            pub fn as_deref(&self) -> Option<&DerefedOf<T>>;
            #[native(option_as_ref, 1)]
            pub fn as_deref_mut(&mut self) -> Option<&mut DerefedOf<T>>;
            #[native(option_take)]
            pub fn take(&mut self) -> Option<T>;
            pub fn replace(&mut self, value: T) -> Option<T> {
                std::mem::replace(self, Some(value))
            }
            pub fn insert(&mut self, value: T) -> &mut T {
                *self = Some(value);
                self.as_mut().unwrap()
            }
            pub fn get_or_insert(&mut self, value: T) -> &mut T {
                self.get_or_insert_with(|| value)
            }
            pub fn get_or_insert_with(&mut self, f: impl FnOnce() -> T) -> &mut T {
                if self.is_none() { *self = Some(f()); }
                self.as_mut().unwrap()
            }
            pub fn take_if(&mut self, f: impl FnOnce(&mut T) -> bool) -> Option<T> {
                if self.is_some() && f(self.as_mut().unwrap()) { self.take() } else { None }
            }
            pub fn get_or_insert_default(&mut self) -> &mut T {
                self.get_or_insert_with(|| T::default())
            }
            pub fn as_slice(&self) -> &[T] {
                match self {
                    Some(value) => std::slice::from_ref(value),
                    None => &[],
                }
            }
            #[native(option_copied)]
            pub fn cloned(self) -> Option<Cloned<T>>;
            #[native(option_copied)]
            pub fn copied(self) -> Option<Cloned<T>>;
            #[native(option_iterate)]
            pub fn iter(&self) -> Iter<&T>;
            #[native(option_iterate)]
            pub fn iter_mut(&mut self) -> Iter<&mut T>;
            #[native(option_iterate)]
            pub fn into_iter(self) -> Iter<T>;
        }
        impl<T> Option<Option<T>> {
            pub fn flatten(self) -> Option<T> {
                match self {
                    Some(value) => value,
                    None => None,
                }
            }
        }
        impl<T, E> Option<Result<T, E>> {
            pub fn transpose(self) -> Result<Option<T>, E> {
                match self {
                    Some(Ok(value)) => Ok(Some(value)),
                    Some(Err(error)) => Err(error),
                    None => Ok(None),
                }
            }
        }
        impl<T, U> Option<(T, U)> {
            pub fn unzip(self) -> (Option<T>, Option<U>) {
                match self {
                    Some((value, with)) => (Some(value), Some(with)),
                    None => (None, None),
                }
            }
        }
        pub enum Result<T, E> {
            Ok(T),
            Err(E),
        }
        impl<T, E> Result<T, E> {
            #[native(option_is_good, 1)]
            pub fn is_ok(&self) -> bool;
            #[native(option_is_good)]
            pub fn is_err(&self) -> bool;
            pub fn is_ok_and(self, f: impl FnOnce(T) -> bool) -> bool {
                match self {
                    Ok(value) => f(value),
                    Err(_) => false,
                }
            }
            pub fn is_err_and(self, f: impl FnOnce(E) -> bool) -> bool {
                match self {
                    Ok(_) => false,
                    Err(error) => f(error),
                }
            }
            #[native(option_unwrap)]
            pub fn unwrap(self) -> T;
            #[native(option_expect)]
            pub fn expect(self, message: &str) -> T;
            pub fn unwrap_err(self) -> E {
                match self {
                    Ok(value) => panic!("called `Result::unwrap_err()` on an `Ok` value: {:?}", value),
                    Err(error) => error,
                }
            }
            pub fn expect_err(self, message: &str) -> E {
                match self {
                    Ok(value) => panic!("{}: {:?}", message, value),
                    Err(error) => error,
                }
            }
            #[native(option_unwrap_or)]
            pub fn unwrap_or(self, other: T) -> T;
            pub fn unwrap_or_default(self) -> T {
                match self {
                    Ok(value) => value,
                    Err(error) => T::default(),
                }
            }
            pub fn unwrap_or_else(self, f: impl FnOnce(E) -> T) -> T {
                match self {
                    Ok(value) => value,
                    Err(error) => f(error),
                }
            }
            pub fn ok(self) -> Option<T> {
                match self {
                    Ok(value) => Some(value),
                    Err(_) => None,
                }
            }
            pub fn err(self) -> Option<E> {
                match self {
                    Ok(_) => None,
                    Err(error) => Some(error),
                }
            }
            #[native(option_map)]
            pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Result<U, E>;
            pub fn map_err<F>(self, f: impl FnOnce(E) -> F) -> Result<T, F> {
                match self {
                    Ok(value) => Ok(value),
                    Err(error) => Err(f(error)),
                }
            }
            pub fn map_or<U>(self, other: U, f: impl FnOnce(T) -> U) -> U {
                match self {
                    Ok(value) => f(value),
                    Err(error) => other,
                }
            }
            pub fn map_or_else<U>(self, other: impl FnOnce(E) -> U, f: impl FnOnce(T) -> U) -> U {
                match self {
                    Ok(value) => f(value),
                    Err(error) => other(error),
                }
            }
            pub fn inspect(self, f: impl FnOnce(&T)) -> Result<T, E> {
                if let Ok(value) = &self { f(value); }
                self
            }
            pub fn inspect_err(self, f: impl FnOnce(&E)) -> Result<T, E> {
                if let Err(error) = &self { f(error); }
                self
            }
            pub fn and<U>(self, other: Result<U, E>) -> Result<U, E> {
                match self {
                    Ok(_) => other,
                    Err(error) => Err(error),
                }
            }
            pub fn and_then<U>(self, f: impl FnOnce(T) -> Result<U, E>) -> Result<U, E> {
                match self {
                    Ok(value) => f(value),
                    Err(error) => Err(error),
                }
            }
            pub fn or<F>(self, other: Result<T, F>) -> Result<T, F> {
                match self {
                    Ok(value) => Ok(value),
                    Err(_) => other,
                }
            }
            pub fn or_else<F>(self, f: impl FnOnce(E) -> Result<T, F>) -> Result<T, F> {
                match self {
                    Ok(value) => Ok(value),
                    Err(error) => f(error),
                }
            }
            #[native(option_as_ref)]
            pub fn as_ref(&self) -> Result<&T, &E>;
            #[native(option_as_ref)]
            pub fn as_mut(&mut self) -> Result<&mut T, &mut E>;
            #[native(option_copied)]
            pub fn cloned(self) -> Result<Cloned<T>, E>;
            #[native(option_copied)]
            pub fn copied(self) -> Result<Cloned<T>, E>;
            #[native(option_as_ref, 1)]
            pub fn as_deref(&self) -> Result<&DerefedOf<T>, &E>;
            #[native(option_as_ref, 1)]
            pub fn as_deref_mut(&mut self) -> Result<&mut DerefedOf<T>, &mut E>;
            #[native(option_iterate)]
            pub fn iter(&self) -> Iter<&T>;
            #[native(option_iterate)]
            pub fn iter_mut(&mut self) -> Iter<&mut T>;
            #[native(option_iterate)]
            pub fn into_iter(self) -> Iter<T>;
        }
        impl<T, E> Result<Option<T>, E> {
            pub fn transpose(self) -> Option<Result<T, E>> {
                match self {
                    Ok(Some(value)) => Some(Ok(value)),
                    Ok(None) => None,
                    Err(error) => Some(Err(error)),
                }
            }
        }
        impl<T, E> Result<Result<T, E>, E> {
            pub fn flatten(self) -> Result<T, E> {
                match self {
                    Ok(value) => value,
                    Err(error) => Err(error),
                }
            }
        }
        pub use Option::None;
        pub use Option::Some;
        pub use Result::Ok;
        pub use Result::Err;

        pub struct Box<T>;
        impl<T> Box<T> {
            #[native(system_first_arg)]
            pub fn new(value: T) -> Box<T>;
            #[native(system_first_arg)]
            pub fn pin(value: T) -> Box<T>;
            #[native(value_into)]
            pub fn from<U>(value: U) -> Box<T>;
            #[native(box_downcast, DOWNCAST_REF)]
            pub fn downcast_ref<U>(&self) -> Option<&U>;
            #[native(box_downcast, DOWNCAST_REF)]
            pub fn downcast_mut<U>(&mut self) -> Option<&mut U>;
            #[native(box_downcast, DOWNCAST_TAKE)]
            pub fn downcast<U>(self) -> Result<Box<U>, Box<T>>;
            #[native(box_downcast, DOWNCAST_IS)]
            pub fn is<U>(&self) -> bool;
            #[native(system_first_arg)]
            pub fn as_ref(&self) -> &T;
            #[native(system_first_arg)]
            pub fn as_mut(&mut self) -> &mut T;
        }
        pub struct String;
        impl String {
            #[native(text_new_text)]
            pub fn new() -> String;
            #[native(text_new_text)]
            pub fn with_capacity(capacity: usize) -> String;
            #[native(text_same_text)]
            pub fn from<T>(text: T) -> String;
            pub fn from_iter<U, I: IntoIterator<U>>(items: I) -> String {
                items.into_iter().collect()
            }
            #[native(text_from_utf8, UTF8_CHECKED)]
            pub fn from_utf8(bytes: Vec<u8>) -> Result<String, Error>;
            #[native(text_from_utf8, UTF8_LOSSY)]
            pub fn from_utf8_lossy(bytes: &[u8]) -> String;
            #[native(text_push)]
            pub fn push(&mut self, c: char);
            #[native(text_push)]
            pub fn push_str(&mut self, text: &str);
            pub fn pop(&mut self) -> Option<char> {
                let c = self.chars().next_back()?;
                self.truncate(self.len() - c.len_utf8());
                Some(c)
            }
            pub fn insert(&mut self, index: usize, c: char) {
                self.insert_str(index, c.to_string().as_str())
            }
            pub fn insert_str(&mut self, index: usize, text: &str) {
                assert!(self.is_char_boundary(index), "assertion failed: self.is_char_boundary(idx)");
                self.replace_range(index..index, text)
            }
            pub fn remove(&mut self, index: usize) -> char {
                match self.get(index..).and_then(|rest| rest.chars().next()) {
                    Some(c) => {
                        self.replace_range(index..index + c.len_utf8(), "");
                        c
                    }
                    None => panic!("cannot remove a char from the end of a string"),
                }
            }
            #[native(text_take_range, RANGE_REPLACE)]
            pub fn replace_range(&mut self, range: impl RangeOf<usize>, with: &str);
            #[native(text_take_range, RANGE_DRAIN)]
            pub fn drain(&mut self, range: impl RangeOf<usize>) -> Iter<char>;
            pub fn split_off(&mut self, at: usize) -> String {
                let behind = self[at..].to_string();
                self.truncate(at);
                behind
            }
            #[native(text_truncate)]
            pub fn truncate(&mut self, length: usize);
            pub fn clear(&mut self) {
                self.truncate(0)
            }
            pub fn retain(&mut self, f: impl FnMut(char) -> bool) {
                let kept: String = self.chars().filter(|c| f(*c)).collect();
                self.clear();
                self.push_str(kept.as_str())
            }
            pub fn extend<U, I: IntoIterator<U>>(&mut self, items: I) {
                let more: String = items.into_iter().collect();
                self.push_str(more.as_str())
            }
            #[native(text_same_text)]
            pub fn as_str(&self) -> &str;
            #[native(text_same_text)]
            pub fn as_mut_str(&mut self) -> &mut str;
            #[native(text_as_bytes, 1)]
            pub fn into_bytes(self) -> Vec<u8>;
            #[native(text_same_text)]
            pub fn into_boxed_str(self) -> Box<str>;
        }
        impl str {
            #[native(list_length)]
            pub fn len(&self) -> usize;
            #[native(list_length, 1)]
            pub fn is_empty(&self) -> bool;
            pub fn is_ascii(&self) -> bool {
                self.bytes().all(|b| b < 128)
            }
            pub fn contains(&self, pattern: impl Pattern) -> bool {
                self.find(pattern).is_some()
            }
            pub fn starts_with(&self, pattern: impl Pattern) -> bool {
                self.strip_prefix(pattern).is_some()
            }
            pub fn ends_with(&self, pattern: impl Pattern) -> bool {
                self.strip_suffix(pattern).is_some()
            }
            #[native(text_find)]
            pub fn find(&self, pattern: impl Pattern) -> Option<usize>;
            #[native(text_find, 1)]
            pub fn rfind(&self, pattern: impl Pattern) -> Option<usize>;
            #[native(text_strip)]
            pub fn strip_prefix(&self, pattern: impl Pattern) -> Option<&str>;
            #[native(text_strip, 1)]
            pub fn strip_suffix(&self, pattern: impl Pattern) -> Option<&str>;
            pub fn replace(&self, pattern: impl Pattern, with: &str) -> String {
                self.replacen(pattern, with, usize::MAX)
            }
            pub fn replacen(&self, pattern: impl Pattern, with: &str, count: usize) -> String {
                let mut out = String::new();
                let mut start = 0;
                for (at, found) in self.match_indices(pattern).take(count) {
                    out.push_str(&self[start..at]);
                    out.push_str(with);
                    start = at + found.len();
                }
                out.push_str(&self[start..]);
                out
            }
            #[native(text_split, SPLIT_PLAIN)]
            pub fn split(&self, pattern: impl Pattern) -> Iter<&str>;
            pub fn rsplit(&self, pattern: impl Pattern) -> Iter<&str> {
                self.split(pattern).rev()
            }
            pub fn splitn(&self, count: usize, pattern: impl Pattern) -> Iter<&str> {
                let mut parts: Vec<&str> = Vec::new();
                let mut start = 0;
                for (at, found) in self.match_indices(pattern).take(count.saturating_sub(1)) {
                    parts.push(&self[start..at]);
                    start = at + found.len();
                }
                if count > 0 { parts.push(&self[start..]); }
                parts.into_iter()
            }
            pub fn rsplitn(&self, count: usize, pattern: impl Pattern) -> Iter<&str> {
                let mut parts: Vec<&str> = Vec::new();
                let mut rest = self;
                while parts.len() + 1 < count {
                    match rest.rsplit_once(pattern) {
                        Some((before, part)) => {
                            parts.push(part);
                            rest = before;
                        }
                        None => break,
                    }
                }
                if count > 0 {
                    parts.push(rest);
                }
                parts.into_iter()
            }
            pub fn split_terminator(&self, pattern: impl Pattern) -> Iter<&str> {
                let mut parts: Vec<&str> = self.split(pattern).collect();
                if parts.last().is_some_and(|part| part.is_empty()) { parts.pop(); }
                parts.into_iter()
            }
            pub fn split_inclusive(&self, pattern: impl Pattern) -> Iter<&str> {
                let mut parts: Vec<&str> = Vec::new();
                let mut start = 0;
                for (at, found) in self.match_indices(pattern) {
                    parts.push(&self[start..at + found.len()]);
                    start = at + found.len();
                }
                if start < self.len() { parts.push(&self[start..]); }
                parts.into_iter()
            }
            #[native(text_split, SPLIT_WHITE)]
            pub fn split_whitespace(&self) -> Iter<&str>;
            #[native(text_split, SPLIT_WHITE)]
            pub fn split_ascii_whitespace(&self) -> Iter<&str>;
            pub fn split_once(&self, pattern: impl Pattern) -> Option<(&str, &str)> {
                let at = self.find(pattern)?;
                Some((&self[..at], self[at..].strip_prefix(pattern).unwrap()))
            }
            pub fn rsplit_once(&self, pattern: impl Pattern) -> Option<(&str, &str)> {
                let at = self.rfind(pattern)?;
                Some((&self[..at], self[at..].strip_prefix(pattern).unwrap()))
            }
            pub fn split_at(&self, at: usize) -> (&str, &str) {
                assert!(self.is_char_boundary(at), "failed to slice string");
                (&self[..at], &self[at..])
            }
            pub fn matches(&self, pattern: impl Pattern) -> Iter<&str> {
                self.match_indices(pattern).map(|found| found.1)
            }
            #[native(text_split, SPLIT_INDICES)]
            pub fn match_indices(&self, pattern: impl Pattern) -> Iter<(usize, &str)>;
            #[native(text_split, SPLIT_LINES)]
            pub fn lines(&self) -> Iter<&str>;
            #[native(text_same_text)]
            pub fn to_string(&self) -> String;
            #[native(text_same_text)]
            pub fn to_owned(&self) -> String;
            #[native(text_same_text)]
            pub fn into_string(self) -> String;
            #[native(text_change_case, CASE_UPPER)]
            pub fn to_uppercase(&self) -> String;
            #[native(text_change_case, CASE_LOWER)]
            pub fn to_lowercase(&self) -> String;
            #[native(text_change_case, CASE_UPPER)]
            pub fn to_ascii_uppercase(&self) -> String;
            #[native(text_change_case, CASE_LOWER)]
            pub fn to_ascii_lowercase(&self) -> String;
            #[native(text_make_case, CASE_UPPER)]
            pub fn make_ascii_uppercase(&mut self);
            #[native(text_make_case, CASE_LOWER)]
            pub fn make_ascii_lowercase(&mut self);
            pub fn eq_ignore_ascii_case(&self, other: &str) -> bool {
                self.to_ascii_lowercase() == other.to_ascii_lowercase()
            }
            #[native(text_trim, TRIM_BOTH)]
            pub fn trim(&self) -> &str;
            #[native(text_trim, TRIM_START)]
            pub fn trim_start(&self) -> &str;
            #[native(text_trim, TRIM_END)]
            pub fn trim_end(&self) -> &str;
            pub fn trim_matches(&self, pattern: impl Pattern) -> &str {
                self.trim_start_matches(pattern).trim_end_matches(pattern)
            }
            pub fn trim_start_matches(&self, pattern: impl Pattern) -> &str {
                let mut rest = self;
                while let Some(less) = rest.strip_prefix(pattern) {
                    if less.len() == rest.len() { break; }
                    rest = less;
                }
                rest
            }
            pub fn trim_end_matches(&self, pattern: impl Pattern) -> &str {
                let mut rest = self;
                while let Some(less) = rest.strip_suffix(pattern) {
                    if less.len() == rest.len() { break; }
                    rest = less;
                }
                rest
            }
            #[native(text_iterate)]
            pub fn bytes(&self) -> Iter<u8>;
            #[native(text_iterate)]
            pub fn chars(&self) -> Iter<char>;
            #[native(text_iterate, 1)]
            pub fn char_indices(&self) -> Iter<(usize, char)>;
            #[native(text_as_bytes)]
            pub fn as_bytes(&self) -> &[u8];
            #[native(text_same_text)]
            pub fn as_str(&self) -> &str;
            #[native(text_same_text)]
            pub fn as_ref(&self) -> &str;
            #[native(text_get)]
            pub fn get(&self, range: impl RangeOf<usize>) -> Option<&str>;
            #[native(text_is_boundary)]
            pub fn is_char_boundary(&self, index: usize) -> bool;
            #[native(text_repeat)]
            pub fn repeat(&self, count: usize) -> String;
            #[native(parse)]
            pub fn parse<F>(&self) -> Result<F, ErrorOf<F>>;
        }
        /// What a text that is no F is told by.
        struct ErrorOf<F>;
        impl bool {
            pub fn then<T>(self, f: impl FnOnce() -> T) -> Option<T> {
                if self { Some(f()) } else { None }
            }
            pub fn then_some<T>(self, value: T) -> Option<T> {
                if self { Some(value) } else { None }
            }
        }
        impl char {
            pub const MAX: char = builtin;
            #[native(char_is, CHAR_ALPHABETIC)]
            pub fn is_alphabetic(self) -> bool;
            #[native(char_is, CHAR_NUMERIC)]
            pub fn is_numeric(self) -> bool;
            #[native(char_is, CHAR_ALPHANUMERIC)]
            pub fn is_alphanumeric(self) -> bool;
            #[native(char_is, CHAR_WHITESPACE)]
            pub fn is_whitespace(self) -> bool;
            #[native(char_is, CHAR_UPPERCASE)]
            pub fn is_uppercase(self) -> bool;
            #[native(char_is, CHAR_LOWERCASE)]
            pub fn is_lowercase(self) -> bool;
            #[native(char_is, CHAR_CONTROL)]
            pub fn is_control(self) -> bool;
            #[native(char_is, CHAR_ASCII)]
            pub fn is_ascii(&self) -> bool;
            #[native(char_is, CHAR_ASCII_ALPHABETIC)]
            pub fn is_ascii_alphabetic(&self) -> bool;
            #[native(char_is, CHAR_ASCII_DIGIT)]
            pub fn is_ascii_digit(&self) -> bool;
            #[native(char_is, CHAR_ASCII_HEXDIGIT)]
            pub fn is_ascii_hexdigit(&self) -> bool;
            #[native(char_is, CHAR_ASCII_ALPHANUMERIC)]
            pub fn is_ascii_alphanumeric(&self) -> bool;
            #[native(char_is, CHAR_ASCII_UPPERCASE)]
            pub fn is_ascii_uppercase(&self) -> bool;
            #[native(char_is, CHAR_ASCII_LOWERCASE)]
            pub fn is_ascii_lowercase(&self) -> bool;
            #[native(char_is, CHAR_ASCII_PUNCTUATION)]
            pub fn is_ascii_punctuation(&self) -> bool;
            #[native(char_is, CHAR_ASCII_WHITESPACE)]
            pub fn is_ascii_whitespace(&self) -> bool;
            #[native(char_is, CHAR_ASCII_CONTROL)]
            pub fn is_ascii_control(&self) -> bool;
            #[native(char_is, CHAR_ASCII_GRAPHIC)]
            pub fn is_ascii_graphic(&self) -> bool;
            pub fn is_digit(self, radix: u32) -> bool {
                self.to_digit(radix).is_some()
            }
            #[native(char_to_digit)]
            pub fn to_digit(self, radix: u32) -> Option<u32>;
            pub fn from_digit(digit: u32, radix: u32) -> Option<char> {
                assert!(radix <= 36, "from_digit: radix is too high (maximum 36)");
                if digit < radix { "0123456789abcdefghijklmnopqrstuvwxyz".chars().nth(digit as usize) } else { None }
            }
            #[native(char_from_u32)]
            pub fn from_u32(code: u32) -> Option<char>;
            #[native(char_same)]
            pub fn from<U>(value: U) -> char;
            #[native(char_case, CASE_UPPER)]
            pub fn to_uppercase(self) -> Iter<char>;
            #[native(char_case, CASE_LOWER)]
            pub fn to_lowercase(self) -> Iter<char>;
            #[native(char_case, CASE_UPPER)]
            pub fn to_ascii_uppercase(&self) -> char;
            #[native(char_case, CASE_LOWER)]
            pub fn to_ascii_lowercase(&self) -> char;
            pub fn eq_ignore_ascii_case(&self, other: &char) -> bool {
                self.to_ascii_lowercase() == other.to_ascii_lowercase()
            }
            pub fn len_utf8(self) -> usize {
                let code = self as u32;
                if code < 0x80 {
                    1
                } else if code < 0x800 {
                    2
                } else if code < 0x10000 {
                    3
                } else {
                    4
                }
            }
        }
        pub struct Vec<T>;
        impl Vec<u8> {
            pub fn flush(&mut self) -> Result<(), Error> {
                Ok(())
            }
            pub fn write_all(&mut self, bytes: &[u8]) -> Result<(), Error> {
                self.extend_from_slice(bytes);
                Ok(())
            }
        }
        impl<T> Vec<T> {
            #[native(list_new_empty)]
            pub fn new() -> Vec<T>;
            #[native(list_new_empty, 1)]
            pub fn with_capacity(capacity: usize) -> Vec<T>;
            #[native(list_from_iterable)]
            pub fn from<I: IntoOwned<T>>(items: I) -> Vec<T>;
            #[native(list_from_iterable)]
            pub fn from_iter<I: IntoIterator<T>>(items: I) -> Vec<T>;
            #[native(list_push)]
            pub fn push(&mut self, value: T);
            #[native(list_pop, END_LAST)]
            pub fn pop(&mut self) -> Option<T>;
            #[native(list_clear)]
            pub fn clear(&mut self);
            #[native(list_truncate)]
            pub fn truncate(&mut self, length: usize);
            #[native(list_resize)]
            pub fn resize(&mut self, length: usize, value: T);
            #[native(list_resize, 1)]
            pub fn resize_with(&mut self, length: usize, f: impl FnMut() -> T);
            #[native(list_extend)]
            pub fn extend<I: IntoOwned<T>>(&mut self, items: I);
            #[native(list_extend)]
            pub fn extend_from_slice(&mut self, items: &[T]);
            pub fn append(&mut self, other: &mut Vec<T>) {
                self.extend(other.drain(..))
            }
            #[native(list_insert)]
            pub fn insert(&mut self, index: usize, value: T);
            #[native(list_remove)]
            pub fn remove(&mut self, index: usize) -> T;
            pub fn swap_remove(&mut self, index: usize) -> T {
                assert!(index < self.len(), "swap_remove index (is {}) should be < len (is {})", index, self.len());
                let last = self.len() - 1;
                self.swap(index, last);
                self.pop().unwrap()
            }
            pub fn split_off(&mut self, at: usize) -> Vec<T> {
                assert!(at <= self.len(), "`at` split index (is {}) should be <= len (is {})", at, self.len());
                self.drain(at..).collect()
            }
            #[native(list_retain)]
            pub fn retain(&mut self, f: impl FnMut(&T) -> bool);
            #[native(list_retain)]
            pub fn retain_mut(&mut self, f: impl FnMut(&mut T) -> bool);
            #[native(list_iterate, 1)]
            pub fn into_iter(self) -> Iter<T>;
            #[native(list_itself)]
            pub fn as_slice(&self) -> &[T];
            #[native(list_itself)]
            pub fn as_mut_slice(&mut self) -> &mut [T];
            #[native(list_itself)]
            pub fn into_boxed_slice(self) -> Box<[T]>;
            #[native(list_drain)]
            pub fn drain(&mut self, range: impl RangeOf<usize>) -> Iter<T>;
            pub fn dedup(&mut self) {
                self.dedup_by(|a, b| a == b)
            }
            pub fn dedup_by_key<K>(&mut self, f: impl FnMut(&mut T) -> K) {
                self.dedup_by(|a, b| f(a) == f(b))
            }
            #[native(list_splice)]
            pub fn splice<I: IntoOwned<T>>(&mut self, range: impl RangeOf<usize>, with: I) -> Iter<T>;
            pub fn pop_if(&mut self, f: impl FnOnce(&mut T) -> bool) -> Option<T> {
                match self.last_mut() {
                    Some(last) => if f(last) { self.pop() } else { None },
                    None => None,
                }
            }
            pub fn extend_from_within(&mut self, range: impl RangeOf<usize>) {
                let part = self.part(range).to_vec();
                self.extend(part)
            }
            #[native(system_do_nothing)]
            pub fn reserve_exact(&mut self, more: usize);
            #[native(system_do_nothing)]
            pub fn shrink_to(&mut self, length: usize);
            pub fn leak(self) -> &mut [T] {
                &mut self[..]
            }
            pub fn dedup_by(&mut self, f: impl FnMut(&mut T, &mut T) -> bool) {
                let mut kept = 1;
                for i in 1..self.len() {
                    if !f(&mut self[i], &mut self[kept - 1]) {
                        self.swap(i, kept);
                        kept += 1;
                    }
                }
                self.truncate(kept)
            }
            pub fn capacity(&self) -> usize {
                self.len()
            }
            #[native(system_do_nothing)]
            pub fn reserve(&mut self, more: usize);
            #[native(system_do_nothing)]
            pub fn shrink_to_fit(&mut self);
        }
        impl<T> [T] {
            #[native(list_length)]
            pub fn len(&self) -> usize;
            #[native(list_length, 1)]
            pub fn is_empty(&self) -> bool;
            #[native(list_iterate)]
            pub fn iter(&self) -> Iter<&T>;
            #[native(list_iterate)]
            pub fn iter_mut(&mut self) -> Iter<&mut T>;
            #[native(list_iterate, 1)]
            pub fn into_iter(self) -> Iter<T>;
            #[native(list_end_item, END_FIRST)]
            pub fn first(&self) -> Option<&T>;
            #[native(list_end_item, END_FIRST)]
            pub fn first_mut(&mut self) -> Option<&mut T>;
            #[native(list_end_item, END_LAST)]
            pub fn last(&self) -> Option<&T>;
            #[native(list_end_item, END_LAST)]
            pub fn last_mut(&mut self) -> Option<&mut T>;
            #[native(list_get)]
            pub fn get<I>(&self, index: I) -> Option<&IndexedItem<I, T>>;
            #[native(list_get)]
            pub fn get_mut<I>(&mut self, index: I) -> Option<&mut IndexedItem<I, T>>;
            #[native(list_to_vec)]
            pub fn to_vec(&self) -> Vec<T>;
            #[native(list_to_vec)]
            pub fn to_owned(&self) -> Vec<T>;
            #[native(list_itself)]
            pub fn into_vec(self) -> Vec<T>;
            #[native(list_itself)]
            pub fn as_slice(&self) -> &[T];
            #[native(list_itself)]
            pub fn as_mut_slice(&mut self) -> &mut [T];
            #[native(list_contains)]
            pub fn contains(&self, value: &T) -> bool;
            pub fn starts_with(&self, other: &[T]) -> bool {
                other.len() <= self.len() && self[..other.len()] == *other
            }
            pub fn ends_with(&self, other: &[T]) -> bool {
                other.len() <= self.len() && self[self.len() - other.len()..] == *other
            }
            #[native(list_chunks, CHUNK_ALL)]
            pub fn chunks(&self, size: usize) -> Iter<&[T]>;
            #[native(list_chunks, CHUNK_ALL)]
            pub fn chunks_mut(&mut self, size: usize) -> Iter<&mut [T]>;
            #[native(list_chunks, CHUNK_EXACT)]
            pub fn chunks_exact(&self, size: usize) -> Iter<&[T]>;
            #[native(list_chunks, CHUNK_EXACT)]
            pub fn chunks_exact_mut(&mut self, size: usize) -> Iter<&mut [T]>;
            pub fn rchunks(&self, size: usize) -> Iter<&[T]> {
                assert!(size != 0, "chunk size must be non-zero");
                let mut parts: Vec<&[T]> = Vec::new();
                let mut end = self.len();
                while end > 0 {
                    let start = end.saturating_sub(size);
                    parts.push(&self[start..end]);
                    end = start;
                }
                parts.into_iter()
            }
            #[native(list_as_chunks)]
            pub fn array_chunks<const N: usize>(&self) -> Iter<&[T; N]>;
            #[native(list_chunks, CHUNK_WINDOWS)]
            pub fn windows(&self, size: usize) -> Iter<&[T]>;
            pub fn split(&self, f: impl FnMut(&T) -> bool) -> Iter<&[T]> {
                let mut parts: Vec<&[T]> = Vec::new();
                let mut start = 0;
                for i in 0..self.len() {
                    if f(&self[i]) {
                        parts.push(&self[start..i]);
                        start = i + 1;
                    }
                }
                parts.push(&self[start..]);
                parts.into_iter()
            }
            pub fn split_at(&self, at: usize) -> (&[T], &[T]) {
                assert!(at <= self.len(), "mid > len");
                (&self[..at], &self[at..])
            }
            pub fn split_at_mut(&mut self, at: usize) -> (&mut [T], &mut [T]) {
                assert!(at <= self.len(), "mid > len");
                (&mut self[..at], &mut self[at..])
            }
            pub fn split_first(&self) -> Option<(&T, &[T])> {
                if self.is_empty() { None } else { Some((&self[0], &self[1..])) }
            }
            pub fn split_last(&self) -> Option<(&T, &[T])> {
                if self.is_empty() { None } else { Some((&self[self.len() - 1], &self[..self.len() - 1])) }
            }
            #[native(list_copy_from_slice)]
            pub fn copy_from_slice(&mut self, other: &[T]);
            #[native(list_copy_from_slice)]
            pub fn clone_from_slice(&mut self, other: &[T]);
            pub fn swap_with_slice(&mut self, other: &mut [T]) {
                assert!(self.len() == other.len(), "destination and source slices have different lengths");
                for i in 0..self.len() {
                    std::mem::swap(&mut self[i], &mut other[i]);
                }
            }
            pub fn copy_within(&mut self, range: impl RangeOf<usize>, to: usize) {
                let part = self.part(range).to_vec();
                assert!(to <= self.len() - part.len(), "dest is out of bounds");
                self[to..to + part.len()].copy_from_slice(&part)
            }
            #[native(list_fill)]
            pub fn fill(&mut self, value: T);
            #[native(list_fill, 1)]
            pub fn fill_with(&mut self, f: impl FnMut() -> T);
            #[native(list_swap_items)]
            pub fn swap(&mut self, a: usize, b: usize);
            #[native(list_sort, SORT_PLAIN)]
            pub fn sort(&mut self);
            #[native(list_sort, SORT_PLAIN)]
            pub fn sort_unstable(&mut self);
            #[native(list_sort, SORT_BY)]
            pub fn sort_by(&mut self, f: impl FnMut(&T, &T) -> Ordering);
            #[native(list_sort, SORT_BY)]
            pub fn sort_unstable_by(&mut self, f: impl FnMut(&T, &T) -> Ordering);
            #[native(list_sort, SORT_KEY)]
            pub fn sort_by_key<K>(&mut self, f: impl FnMut(&T) -> K);
            #[native(list_sort, SORT_KEY)]
            pub fn sort_unstable_by_key<K>(&mut self, f: impl FnMut(&T) -> K);
            #[native(list_sort, SORT_KEY)]
            pub fn sort_by_cached_key<K>(&mut self, f: impl FnMut(&T) -> K);
            pub fn binary_search(&self, value: &T) -> Result<usize, usize> {
                self.binary_search_by(|item| item.cmp(value))
            }
            pub fn binary_search_by(&self, f: impl FnMut(&T) -> Ordering) -> Result<usize, usize> {
                let mut low = 0;
                let mut high = self.len();
                while low < high {
                    let middle = low + (high - low) / 2;
                    match f(&self[middle]) {
                        Ordering::Less => low = middle + 1,
                        Ordering::Equal => return Ok(middle),
                        Ordering::Greater => high = middle,
                    }
                }
                Err(low)
            }
            pub fn binary_search_by_key<K>(&self, key: &K, f: impl FnMut(&T) -> K) -> Result<usize, usize> {
                self.binary_search_by(|item| f(item).cmp(key))
            }
            pub fn partition_point(&self, f: impl FnMut(&T) -> bool) -> usize {
                let order = |item| if f(item) { Ordering::Less } else { Ordering::Greater };
                self.binary_search_by(order).unwrap_err()
            }
            pub fn is_sorted(&self) -> bool {
                self.iter().is_sorted()
            }
            #[native(list_reverse)]
            pub fn reverse(&mut self);
            pub fn rotate_left(&mut self, count: usize) {
                assert!(count <= self.len(), "assertion failed: mid <= self.len()");
                self[..count].reverse();
                self[count..].reverse();
                self.reverse()
            }
            pub fn rotate_right(&mut self, count: usize) {
                assert!(count <= self.len(), "assertion failed: k <= self.len()");
                self.rotate_left(self.len() - count)
            }
            #[native(list_concat)]
            pub fn concat(&self) -> Concatenated<T>;
            #[native(list_concat, 1)]
            pub fn join<S>(&self, separator: S) -> Concatenated<T>;
            pub fn repeat(&self, count: usize) -> Vec<T> {
                let mut items = Vec::with_capacity(self.len().saturating_mul(count));
                if !self.is_empty() {
                    for _ in 0..count { items.extend_from_slice(self); }
                }
                items
            }
            #[native(rand_shuffle)]
            pub fn shuffle<R>(&mut self, rng: &mut R);
            #[native(rand_choose)]
            pub fn choose<R>(&self, rng: &mut R) -> Option<&T>;
            #[native(rand_choose)]
            pub fn choose_mut<R>(&mut self, rng: &mut R) -> Option<&mut T>;
            #[native(list_part)]
            fn part<R>(&self, range: R) -> &[T];
            #[native(list_part)]
            fn part_mut<R>(&mut self, range: R) -> &mut [T];
        }
        impl<T> [T] {
            pub fn select_nth_unstable(&mut self, index: usize) -> (&mut [T], &mut T, &mut [T]) {
                assert!(index < self.len(), "partition_at_index index {} greater than length of slice {}", index, self.len());
                self.sort();
                (&mut self[..index], &mut self[index], &mut self[index + 1..])
            }
            pub fn select_nth_unstable_by(&mut self, index: usize, f: impl FnMut(&T, &T) -> Ordering) -> (&mut [T], &mut T, &mut [T]) {
                assert!(index < self.len(), "partition_at_index index {} greater than length of slice {}", index, self.len());
                self.sort_by(f);
                (&mut self[..index], &mut self[index], &mut self[index + 1..])
            }
            pub fn select_nth_unstable_by_key<K>(&mut self, index: usize, f: impl FnMut(&T) -> K) -> (&mut [T], &mut T, &mut [T]) {
                assert!(index < self.len(), "partition_at_index index {} greater than length of slice {}", index, self.len());
                self.sort_by_key(f);
                (&mut self[..index], &mut self[index], &mut self[index + 1..])
            }
            pub fn first_chunk<const N: usize>(&self) -> Option<&[T; N]> {
                if N <= self.len() { self.array_chunks::<N>().next() } else { None }
            }
            pub fn last_chunk<const N: usize>(&self) -> Option<&[T; N]> {
                if N <= self.len() { self[self.len() - N..].array_chunks::<N>().next() } else { None }
            }
            pub fn split_first_chunk<const N: usize>(&self) -> Option<(&[T; N], &[T])> {
                if N <= self.len() { Some((self.first_chunk::<N>().unwrap(), &self[N..])) } else { None }
            }
            pub fn as_chunks<const N: usize>(&self) -> (&[[T; N]], &[T]) {
                let whole = self.len() / N * N;
                let chunks: Vec<&[T; N]> = self[..whole].array_chunks::<N>().collect();
                (chunks_of_refs::<T, N>(chunks), &self[whole..])
            }
            pub fn chunk_by(&self, f: impl FnMut(&T, &T) -> bool) -> Iter<&[T]> {
                let mut runs: Vec<&[T]> = Vec::new();
                let mut start = 0;
                for i in 1..self.len() + 1 {
                    if i == self.len() || !f(&self[i - 1], &self[i]) {
                        runs.push(&self[start..i]);
                        start = i;
                    }
                }
                if self.is_empty() { runs.clear(); }
                runs.into_iter()
            }
            pub fn splitn(&self, count: usize, f: impl FnMut(&T) -> bool) -> Iter<&[T]> {
                let mut parts: Vec<&[T]> = Vec::new();
                let mut start = 0;
                for i in 0..self.len() {
                    if parts.len() + 1 < count && f(&self[i]) {
                        parts.push(&self[start..i]);
                        start = i + 1;
                    }
                }
                if count > 0 { parts.push(&self[start..]); }
                parts.into_iter()
            }
            pub fn rsplitn(&self, count: usize, f: impl FnMut(&T) -> bool) -> Iter<&[T]> {
                let mut parts: Vec<&[T]> = Vec::new();
                let mut end = self.len();
                for i in (0..self.len()).rev() {
                    if parts.len() + 1 < count && f(&self[i]) {
                        parts.push(&self[i + 1..end]);
                        end = i;
                    }
                }
                if count > 0 { parts.push(&self[..end]); }
                parts.into_iter()
            }
            pub fn is_sorted_by_key<K>(&self, f: impl FnMut(&T) -> K) -> bool {
                self.iter().is_sorted_by_key(f)
            }
            pub fn is_sorted_by(&self, f: impl FnMut(&T, &T) -> bool) -> bool {
                self.windows(2).all(|w| f(&w[0], &w[1]))
            }
            pub fn split_first_mut(&mut self) -> Option<(&mut T, &mut [T])> {
                if self.is_empty() { None } else { Some((&mut self[0], &mut self[1..])) }
            }
            pub fn split_last_mut(&mut self) -> Option<(&mut T, &mut [T])> {
                let last = self.len().wrapping_sub(1);
                if self.is_empty() { None } else { Some((&mut self[last], &mut self[..last])) }
            }
            pub fn rchunks_exact(&self, size: usize) -> Iter<&[T]> {
                self[self.len() % size..].rchunks(size)
            }
            pub fn split_inclusive(&self, f: impl FnMut(&T) -> bool) -> Iter<&[T]> {
                let mut parts: Vec<&[T]> = Vec::new();
                let mut start = 0;
                for i in 0..self.len() {
                    if f(&self[i]) || i + 1 == self.len() {
                        parts.push(&self[start..i + 1]);
                        start = i + 1;
                    }
                }
                parts.into_iter()
            }
            pub fn rsplit(&self, f: impl FnMut(&T) -> bool) -> Iter<&[T]> {
                self.split(f).collect::<Vec<&[T]>>().into_iter().rev()
            }
        }
        #[native(list_chunks_of_refs)]
        fn chunks_of_refs<T, const N: usize>(chunks: Vec<&[T; N]>) -> &[[T; N]];
        impl<T, const N: usize> [T; N] {
            pub fn map<U>(self, f: impl FnMut(T) -> U) -> [U; N] {
                let mut items = self.into_iter();
                std::array::from_fn(|_| f(items.next().unwrap()))
            }
            #[native(list_itself)]
            pub fn each_ref(&self) -> [&T; N];
        }
        pub struct Range<T> {
            pub start: T,
            pub end: T,
        }
        pub struct RangeInclusive<T>;
        pub struct RangeFrom<T>;
        pub struct RangeTo<T>;
        pub struct RangeFull<T>;
        impl<T> Range<T> {
            #[native(range_contains)]
            pub fn contains(&self, value: &T) -> bool;
            #[native(range_part, RANGE_EMPTY)]
            pub fn is_empty(&self) -> bool;
            #[native(range_part, RANGE_LENGTH)]
            pub fn len(&self) -> usize;
        }
        impl<T> RangeInclusive<T> {
            #[native(range_contains)]
            pub fn contains(&self, value: &T) -> bool;
            #[native(range_part, RANGE_EMPTY)]
            pub fn is_empty(&self) -> bool;
            #[native(range_part, RANGE_START)]
            pub fn start(&self) -> &T;
            #[native(range_part, RANGE_LAST)]
            pub fn end(&self) -> &T;
            pub fn new(start: T, end: T) -> RangeInclusive<T> {
                start..=end
            }
            pub fn into_inner(self) -> (T, T) {
                (self.start().clone(), self.end().clone())
            }
        }
        impl<T> RangeFrom<T> {
            #[native(range_contains)]
            pub fn contains(&self, value: &T) -> bool;
        }
        impl<T> RangeTo<T> {
            #[native(range_contains)]
            pub fn contains(&self, value: &T) -> bool;
        }
        /// Whatever gives one value after another.
        pub struct Iter<T>;
        impl Iter<char> {
            pub fn as_str(&self) -> &str {
                &self.clone().collect::<String>()
            }
        }
        impl<T> Iter<T> {
            #[native(iter_next)]
            pub fn next(&mut self) -> Option<T>;
            #[native(iter_next, 1)]
            pub fn next_back(&mut self) -> Option<T>;
            pub fn nth_back(&mut self, index: usize) -> Option<T> {
                for _ in 0..index { self.next_back()?; }
                self.next_back()
            }
            #[native(iter_peek)]
            pub fn peek(&mut self) -> Option<&T>;
            #[native(iter_peek)]
            pub fn peek_mut(&mut self) -> Option<&mut T>;
            pub fn next_if(&mut self, f: impl FnOnce(&T) -> bool) -> Option<T> {
                match self.peek() {
                    Some(item) => if f(item) { self.next() } else { None },
                    None => None,
                }
            }
            pub fn next_if_eq(&mut self, value: &T) -> Option<T> {
                self.next_if(|item| item == value)
            }
            #[native(iter_size_hint)]
            pub fn size_hint(&self) -> (usize, Option<usize>);
            #[native(iter_adapt, ADAPT_MAP)]
            pub fn map<B>(self, f: impl FnMut(T) -> B) -> Iter<B>;
            #[native(iter_adapt, ADAPT_FILTER)]
            pub fn filter(self, f: impl FnMut(&T) -> bool) -> Iter<T>;
            #[native(iter_adapt, ADAPT_FILTER_MAP)]
            pub fn filter_map<B>(self, f: impl FnMut(T) -> Option<B>) -> Iter<B>;
            #[native(iter_adapt, ADAPT_FLAT_MAP)]
            pub fn flat_map<U, I: IntoIterator<U>>(self, f: impl FnMut(T) -> I) -> Iter<U>;
            #[native(iter_adapt, ADAPT_ENUMERATE)]
            pub fn enumerate(self) -> Iter<(usize, T)>;
            #[native(iter_adapt_two, ADAPT_ZIP)]
            pub fn zip<U, I: IntoIterator<U>>(self, other: I) -> Iter<(T, U)>;
            #[native(iter_adapt_two, ADAPT_CHAIN)]
            pub fn chain<I: IntoIterator<T>>(self, other: I) -> Iter<T>;
            #[native(iter_adapt_count, ADAPT_TAKE)]
            pub fn take(self, count: usize) -> Iter<T>;
            #[native(iter_adapt_count, ADAPT_SKIP)]
            pub fn skip(self, count: usize) -> Iter<T>;
            #[native(iter_adapt_count, ADAPT_STEP_BY)]
            pub fn step_by(self, step: usize) -> Iter<T>;
            pub fn take_while(self, f: impl FnMut(&T) -> bool) -> Iter<T> {
                self.scan((), |_, item| if f(&item) { Some(item) } else { None })
            }
            pub fn skip_while(self, f: impl FnMut(&T) -> bool) -> Iter<T> {
                let mut skips = true;
                self.filter(move |item| {
                    skips = skips && f(item);
                    !skips
                })
            }
            pub fn map_while<B>(self, f: impl FnMut(T) -> Option<B>) -> Iter<B> {
                self.scan((), |_, item| f(item))
            }
            #[native(iter_itself)]
            pub fn fuse(self) -> Iter<T>;
            #[native(iter_rev, ADAPT_REV)]
            pub fn rev(self) -> Iter<T>;
            #[native(iter_adapt, ADAPT_CYCLE)]
            pub fn cycle(self) -> Iter<T>;
            pub fn inspect(self, f: impl FnMut(&T)) -> Iter<T> {
                self.map(|item| {
                    f(&item);
                    item
                })
            }
            #[native(iter_adapt, ADAPT_PEEKABLE)]
            pub fn peekable(self) -> Iter<T>;
            #[native(iter_itself)]
            pub fn by_ref(&mut self) -> Iter<T>;
            #[native(iter_adapt, ADAPT_COPIED)]
            pub fn cloned(self) -> Iter<Cloned<T>>;
            #[native(iter_adapt, ADAPT_COPIED)]
            pub fn copied(self) -> Iter<Cloned<T>>;
            #[native(iter_collect)]
            pub fn collect<B: FromIterator<T>>(self) -> B;
            #[native(iter_sum)]
            pub fn sum<S: Sum<T>>(self) -> S;
            #[native(iter_sum, 1)]
            pub fn product<S: Sum<T>>(self) -> S;
            #[native(iter_count_items)]
            pub fn count(self) -> usize;
            #[native(iter_extreme)]
            pub fn min(self) -> Option<T>;
            #[native(iter_extreme, EXTREME_LARGEST)]
            pub fn max(self) -> Option<T>;
            #[native(iter_extreme, EXTREME_BY)]
            pub fn min_by(self, f: impl FnMut(&T, &T) -> Ordering) -> Option<T>;
            #[native(iter_extreme, EXTREME_LARGEST + EXTREME_BY)]
            pub fn max_by(self, f: impl FnMut(&T, &T) -> Ordering) -> Option<T>;
            #[native(iter_extreme, EXTREME_KEY)]
            pub fn min_by_key<K>(self, f: impl FnMut(&T) -> K) -> Option<T>;
            #[native(iter_extreme, EXTREME_LARGEST + EXTREME_KEY)]
            pub fn max_by_key<K>(self, f: impl FnMut(&T) -> K) -> Option<T>;
            #[native(iter_search, SEARCH_ALL)]
            pub fn all(&mut self, f: impl FnMut(T) -> bool) -> bool;
            #[native(iter_search, SEARCH_ANY)]
            pub fn any(&mut self, f: impl FnMut(T) -> bool) -> bool;
            #[native(iter_search, SEARCH_FIND)]
            pub fn find(&mut self, f: impl FnMut(&T) -> bool) -> Option<T>;
            pub fn find_map<B>(&mut self, f: impl FnMut(T) -> Option<B>) -> Option<B> {
                while let Some(item) = self.next() {
                    let made = f(item);
                    if made.is_some() { return made; }
                }
                None
            }
            #[native(iter_search, SEARCH_POSITION)]
            pub fn position(&mut self, f: impl FnMut(T) -> bool) -> Option<usize>;
            pub fn rposition(&mut self, f: impl FnMut(T) -> bool) -> Option<usize> {
                let mut at = self.len();
                while let Some(item) = self.next_back() {
                    at -= 1;
                    if f(item) { return Some(at); }
                }
                None
            }
            #[native(iter_try_fold)]
            pub fn try_fold<B, R>(&mut self, start: B, f: impl FnMut(B, T) -> R) -> R;
            pub fn try_for_each<R>(&mut self, f: impl FnMut(T) -> R) -> R {
                self.try_fold((), |_, item| f(item))
            }
            pub fn rfold<B>(self, start: B, f: impl FnMut(B, T) -> B) -> B {
                self.rev().fold(start, f)
            }
            pub fn eq<U, I: IntoIterator<U>>(self, other: I) -> bool {
                self.partial_cmp(other) == Some(Ordering::Equal)
            }
            pub fn ne<U, I: IntoIterator<U>>(self, other: I) -> bool {
                !self.eq(other)
            }
            pub fn lt<U, I: IntoIterator<U>>(self, other: I) -> bool {
                self.partial_cmp(other) == Some(Ordering::Less)
            }
            pub fn le<U, I: IntoIterator<U>>(self, other: I) -> bool {
                match self.partial_cmp(other) {
                    Some(order) => order.is_le(),
                    None => false,
                }
            }
            pub fn gt<U, I: IntoIterator<U>>(self, other: I) -> bool {
                self.partial_cmp(other) == Some(Ordering::Greater)
            }
            pub fn ge<U, I: IntoIterator<U>>(self, other: I) -> bool {
                match self.partial_cmp(other) {
                    Some(order) => order.is_ge(),
                    None => false,
                }
            }
            pub fn cmp<U, I: IntoIterator<U>>(self, other: I) -> Ordering {
                self.partial_cmp(other).unwrap()
            }
            #[native(iter_partial_cmp)]
            pub fn partial_cmp<U, I: IntoIterator<U>>(self, other: I) -> Option<Ordering>;
            pub fn is_sorted(self) -> bool {
                self.is_sorted_by(|a, b| a <= b)
            }
            pub fn is_sorted_by_key<K>(self, f: impl FnMut(T) -> K) -> bool {
                self.map(f).is_sorted()
            }
            pub fn is_sorted_by(self, f: impl FnMut(&T, &T) -> bool) -> bool {
                let items: Vec<T> = self.collect();
                (1..items.len()).all(|i| f(&items[i - 1], &items[i]))
            }
            pub fn is_partitioned(self, f: impl FnMut(T) -> bool) -> bool {
                let mut open = true;
                for item in self {
                    let holds = f(item);
                    if holds && !open { return false; }
                    open = holds;
                }
                true
            }
            pub fn rfind(&mut self, f: impl FnMut(&T) -> bool) -> Option<T> {
                while let Some(item) = self.next_back() {
                    if f(&item) { return Some(item); }
                }
                None
            }
            #[native(iter_fold)]
            pub fn fold<B>(self, start: B, f: impl FnMut(B, T) -> B) -> B;
            pub fn reduce(self, f: impl FnMut(T, T) -> T) -> Option<T> {
                let mut items = self;
                match items.next() {
                    Some(first) => Some(items.fold(first, f)),
                    None => None,
                }
            }
            #[native(iter_scan, ADAPT_SCAN)]
            pub fn scan<S, B>(self, start: S, f: impl FnMut(&mut S, T) -> Option<B>) -> Iter<B>;
            #[native(iter_for_each)]
            pub fn for_each(self, f: impl FnMut(T));
            #[native(iter_last)]
            pub fn last(self) -> Option<T>;
            #[native(iter_nth)]
            pub fn nth(&mut self, index: usize) -> Option<T>;
            #[native(iter_itself)]
            pub fn into_iter(self) -> Iter<T>;
            #[native(iter_length)]
            pub fn len(&self) -> usize;
            pub fn partition<B: Extend<T>>(self, f: impl FnMut(&T) -> bool) -> (B, B) {
                let mut picked = Vec::new();
                let mut others = Vec::new();
                for item in self {
                    if f(&item) { picked.push(item); } else { others.push(item); }
                }
                (picked.into_iter().gather(), others.into_iter().gather())
            }
            /// A collection that may hold what references in T refer to.
            #[native(iter_collect)]
            fn gather<B>(self) -> B;
        }
        impl<T> Iter<&[T]> {
            #[native(list_remainder_of)]
            pub fn remainder(&self) -> &[T];
        }
        impl<T> Iter<&mut [T]> {
            #[native(list_remainder_of)]
            pub fn into_remainder(self) -> &mut [T];
        }
        impl<T: IntoIterator<U>, U> Iter<T> {
            #[native(iter_adapt, ADAPT_FLATTEN)]
            pub fn flatten(self) -> Iter<U>;
        }
        impl<T, U> Iter<(T, U)> {
            pub fn unzip<A: Extend<T>, B: Extend<U>>(self) -> (A, B) {
                let pairs: Vec<(T, U)> = self.collect();
                let mut first = Vec::new();
                let mut second = Vec::new();
                for (a, b) in pairs {
                    first.push(a);
                    second.push(b);
                }
                (first.into_iter().gather(), second.into_iter().gather())
            }
        }
        /// What a reference refers to.
        struct Cloned<T>;
        /// A reference where T itself has no size: of a str or slice only that is copied.
        struct CloneOf<T>;
        /// What a smart pointer lends: str of String, [T] of Vec<T>, T of Box<T>.
        struct DerefedOf<T>;
        /// The unsigned number of the same width.
        struct UnsignedOf<N>;
        /// The signed number of the same width.
        struct SignedOf<N>;
        /// As many bytes as a number has: an array.
        struct NumberBytes<N>;
        /// The parts joined: a String of texts, a Vec of lists.
        struct Concatenated<T>;
        /// What an index picks of items: one, or a slice of them.
        struct IndexedItem<I, T>;
        pub enum Ordering {
            Less = -1,
            Equal = 0,
            Greater = 1,
        }
        impl Ordering {
            #[native(option_ordering, ORDER_REVERSE)]
            pub fn reverse(self) -> Ordering;
            #[native(option_ordering, ORDER_THEN)]
            pub fn then(self, other: Ordering) -> Ordering;
            #[native(option_ordering, ORDER_THEN_WITH)]
            pub fn then_with(self, f: impl FnOnce() -> Ordering) -> Ordering;
            pub fn is_eq(self) -> bool {
                self == Ordering::Equal
            }
            pub fn is_ne(self) -> bool {
                self != Ordering::Equal
            }
            pub fn is_lt(self) -> bool {
                self == Ordering::Less
            }
            pub fn is_le(self) -> bool {
                self != Ordering::Greater
            }
            pub fn is_gt(self) -> bool {
                self == Ordering::Greater
            }
            pub fn is_ge(self) -> bool {
                self != Ordering::Less
            }
        }
        #[native(system_drop_argument)]
        pub fn drop<T>(value: T);
        pub use std::mem::align_of;
        pub use std::mem::size_of;
        pub use std::mem::size_of_val;
        pub use std::mem::align_of;

        impl<N: Integer> N {
            pub const MIN: N = builtin;
            pub const MAX: N = builtin;
            pub const BITS: u32 = builtin;
            #[native(number_arithmetic, NUMBER_ADD)]
            pub fn wrapping_add(self, other: N) -> N;
            #[native(number_arithmetic, WAY_CHECKED + NUMBER_ADD)]
            pub fn checked_add(self, other: N) -> Option<N>;
            #[native(number_arithmetic, WAY_SATURATING + NUMBER_ADD)]
            pub fn saturating_add(self, other: N) -> N;
            #[native(number_arithmetic, WAY_OVERFLOWING + NUMBER_ADD)]
            pub fn overflowing_add(self, other: N) -> (N, bool);
            #[native(number_arithmetic, NUMBER_SUB)]
            pub fn wrapping_sub(self, other: N) -> N;
            #[native(number_arithmetic, WAY_CHECKED + NUMBER_SUB)]
            pub fn checked_sub(self, other: N) -> Option<N>;
            #[native(number_arithmetic, WAY_SATURATING + NUMBER_SUB)]
            pub fn saturating_sub(self, other: N) -> N;
            #[native(number_arithmetic, WAY_OVERFLOWING + NUMBER_SUB)]
            pub fn overflowing_sub(self, other: N) -> (N, bool);
            #[native(number_arithmetic, NUMBER_MUL)]
            pub fn wrapping_mul(self, other: N) -> N;
            #[native(number_arithmetic, WAY_CHECKED + NUMBER_MUL)]
            pub fn checked_mul(self, other: N) -> Option<N>;
            #[native(number_arithmetic, WAY_SATURATING + NUMBER_MUL)]
            pub fn saturating_mul(self, other: N) -> N;
            #[native(number_arithmetic, WAY_OVERFLOWING + NUMBER_MUL)]
            pub fn overflowing_mul(self, other: N) -> (N, bool);
            #[native(number_arithmetic, NUMBER_DIV)]
            pub fn wrapping_div(self, other: N) -> N;
            #[native(number_arithmetic, WAY_CHECKED + NUMBER_DIV)]
            pub fn checked_div(self, other: N) -> Option<N>;
            #[native(number_arithmetic, WAY_SATURATING + NUMBER_DIV)]
            pub fn saturating_div(self, other: N) -> N;
            #[native(number_arithmetic, WAY_OVERFLOWING + NUMBER_DIV)]
            pub fn overflowing_div(self, other: N) -> (N, bool);
            #[native(number_arithmetic, NUMBER_REM)]
            pub fn wrapping_rem(self, other: N) -> N;
            #[native(number_arithmetic, WAY_CHECKED + NUMBER_REM)]
            pub fn checked_rem(self, other: N) -> Option<N>;
            #[native(number_arithmetic, WAY_OVERFLOWING + NUMBER_REM)]
            pub fn overflowing_rem(self, other: N) -> (N, bool);
            #[native(number_arithmetic, NUMBER_DIV_EUCLID)]
            pub fn wrapping_div_euclid(self, other: N) -> N;
            #[native(number_arithmetic, WAY_CHECKED + NUMBER_DIV_EUCLID)]
            pub fn checked_div_euclid(self, other: N) -> Option<N>;
            #[native(number_arithmetic, WAY_OVERFLOWING + NUMBER_DIV_EUCLID)]
            pub fn overflowing_div_euclid(self, other: N) -> (N, bool);
            #[native(number_arithmetic, NUMBER_REM_EUCLID)]
            pub fn wrapping_rem_euclid(self, other: N) -> N;
            #[native(number_arithmetic, WAY_CHECKED + NUMBER_REM_EUCLID)]
            pub fn checked_rem_euclid(self, other: N) -> Option<N>;
            #[native(number_arithmetic, WAY_OVERFLOWING + NUMBER_REM_EUCLID)]
            pub fn overflowing_rem_euclid(self, other: N) -> (N, bool);
            #[native(number_arithmetic, NUMBER_NEG)]
            pub fn wrapping_neg(self) -> N;
            #[native(number_arithmetic, WAY_CHECKED + NUMBER_NEG)]
            pub fn checked_neg(self) -> Option<N>;
            #[native(number_arithmetic, WAY_SATURATING + NUMBER_NEG)]
            pub fn saturating_neg(self) -> N;
            #[native(number_arithmetic, WAY_OVERFLOWING + NUMBER_NEG)]
            pub fn overflowing_neg(self) -> (N, bool);
            #[native(number_arithmetic, NUMBER_ABS)]
            pub fn wrapping_abs(self) -> N;
            #[native(number_arithmetic, WAY_CHECKED + NUMBER_ABS)]
            pub fn checked_abs(self) -> Option<N>;
            #[native(number_arithmetic, WAY_SATURATING + NUMBER_ABS)]
            pub fn saturating_abs(self) -> N;
            #[native(number_arithmetic, WAY_OVERFLOWING + NUMBER_ABS)]
            pub fn overflowing_abs(self) -> (N, bool);
            #[native(number_arithmetic, NUMBER_POW)]
            pub fn wrapping_pow(self, exponent: u32) -> N;
            #[native(number_arithmetic, WAY_CHECKED + NUMBER_POW)]
            pub fn checked_pow(self, exponent: u32) -> Option<N>;
            #[native(number_arithmetic, WAY_SATURATING + NUMBER_POW)]
            pub fn saturating_pow(self, exponent: u32) -> N;
            #[native(number_arithmetic, WAY_OVERFLOWING + NUMBER_POW)]
            pub fn overflowing_pow(self, exponent: u32) -> (N, bool);
            #[native(number_arithmetic, NUMBER_SHL)]
            pub fn wrapping_shl(self, bits: u32) -> N;
            #[native(number_arithmetic, WAY_CHECKED + NUMBER_SHL)]
            pub fn checked_shl(self, bits: u32) -> Option<N>;
            #[native(number_arithmetic, WAY_OVERFLOWING + NUMBER_SHL)]
            pub fn overflowing_shl(self, bits: u32) -> (N, bool);
            #[native(number_arithmetic, NUMBER_SHR)]
            pub fn wrapping_shr(self, bits: u32) -> N;
            #[native(number_arithmetic, WAY_CHECKED + NUMBER_SHR)]
            pub fn checked_shr(self, bits: u32) -> Option<N>;
            #[native(number_arithmetic, WAY_OVERFLOWING + NUMBER_SHR)]
            pub fn overflowing_shr(self, bits: u32) -> (N, bool);
            #[native(number_arithmetic, NUMBER_ADD)]
            pub fn wrapping_add_signed(self, other: SignedOf<N>) -> N;
            #[native(number_arithmetic, WAY_CHECKED + NUMBER_ADD)]
            pub fn checked_add_signed(self, other: SignedOf<N>) -> Option<N>;
            #[native(number_arithmetic, WAY_SATURATING + NUMBER_ADD)]
            pub fn saturating_add_signed(self, other: SignedOf<N>) -> N;
            #[native(number_arithmetic, WAY_OVERFLOWING + NUMBER_ADD)]
            pub fn overflowing_add_signed(self, other: SignedOf<N>) -> (N, bool);
            #[native(number_arithmetic, NUMBER_ADD)]
            pub fn wrapping_add_unsigned(self, other: UnsignedOf<N>) -> N;
            #[native(number_arithmetic, WAY_CHECKED + NUMBER_ADD)]
            pub fn checked_add_unsigned(self, other: UnsignedOf<N>) -> Option<N>;
            #[native(number_arithmetic, WAY_SATURATING + NUMBER_ADD)]
            pub fn saturating_add_unsigned(self, other: UnsignedOf<N>) -> N;
            #[native(number_arithmetic, WAY_OVERFLOWING + NUMBER_ADD)]
            pub fn overflowing_add_unsigned(self, other: UnsignedOf<N>) -> (N, bool);
            #[native(number_arithmetic, NUMBER_SUB)]
            pub fn wrapping_sub_unsigned(self, other: UnsignedOf<N>) -> N;
            #[native(number_arithmetic, WAY_CHECKED + NUMBER_SUB)]
            pub fn checked_sub_unsigned(self, other: UnsignedOf<N>) -> Option<N>;
            #[native(number_arithmetic, WAY_SATURATING + NUMBER_SUB)]
            pub fn saturating_sub_unsigned(self, other: UnsignedOf<N>) -> N;
            #[native(number_arithmetic, WAY_OVERFLOWING + NUMBER_SUB)]
            pub fn overflowing_sub_unsigned(self, other: UnsignedOf<N>) -> (N, bool);
            #[native(number_arithmetic, WAY_PLAIN + NUMBER_POW)]
            pub fn pow(self, exponent: u32) -> N;
            #[native(number_arithmetic, WAY_PLAIN + NUMBER_ABS)]
            pub fn abs(self) -> N;
            #[native(number_abs_diff)]
            pub fn unsigned_abs(self) -> UnsignedOf<N>;
            pub fn signum(self) -> N {
                if self > 0 { 1 } else if self == 0 { 0 } else { 0 - 1 }
            }
            #[native(number_abs_diff)]
            pub fn abs_diff(self, other: N) -> UnsignedOf<N>;
            #[native(number_midpoint)]
            pub fn midpoint(self, other: N) -> N;
            #[native(number_arithmetic, WAY_PLAIN + NUMBER_REM_EUCLID)]
            pub fn rem_euclid(self, other: N) -> N;
            #[native(number_arithmetic, WAY_PLAIN + NUMBER_DIV_EUCLID)]
            pub fn div_euclid(self, other: N) -> N;
            #[native(number_arithmetic, WAY_PLAIN + NUMBER_DIV_CEIL)]
            pub fn div_ceil(self, other: N) -> N;
            #[native(number_arithmetic, WAY_PLAIN + NUMBER_MULTIPLE)]
            pub fn next_multiple_of(self, other: N) -> N;
            #[native(number_arithmetic, WAY_CHECKED + NUMBER_MULTIPLE)]
            pub fn checked_next_multiple_of(self, other: N) -> Option<N>;
            pub fn is_multiple_of(self, other: N) -> bool {
                if other == 0 { self == 0 } else { self % other == 0 }
            }
            pub fn is_power_of_two(self) -> bool {
                self.count_ones() == 1
            }
            pub fn next_power_of_two(self) -> N {
                self.checked_next_power_of_two().unwrap_or(0)
            }
            pub fn checked_next_power_of_two(self) -> Option<N> {
                if self <= 1 { return Some(1); }
                let exponent = N::BITS - (self - 1).leading_zeros();
                if exponent < N::BITS { Some(1 << exponent) } else { None }
            }
            pub fn ilog(self, base: N) -> u32 {
                assert!(base >= 2, "base of integer logarithm must be at least 2");
                assert!(self > 0, "argument of integer logarithm must be positive");
                self.checked_ilog(base).unwrap()
            }
            pub fn ilog2(self) -> u32 {
                assert!(self > 0, "argument of integer logarithm must be positive");
                N::BITS - 1 - self.leading_zeros()
            }
            pub fn ilog10(self) -> u32 {
                self.ilog(10)
            }
            pub fn checked_ilog(self, base: N) -> Option<u32> {
                if self <= 0 || base < 2 { return None; }
                let mut log = 0;
                let mut rest = self;
                while rest >= base {
                    rest = rest / base;
                    log += 1;
                }
                Some(log)
            }
            pub fn checked_ilog2(self) -> Option<u32> {
                if self > 0 { Some(N::BITS - 1 - self.leading_zeros()) } else { None }
            }
            pub fn checked_ilog10(self) -> Option<u32> {
                self.checked_ilog(10)
            }
            pub fn isqrt(self) -> N {
                assert!(self >= 0, "argument of integer square root cannot be negative");
                if self < 2 { return self; }
                let mut root = 1 << (self.ilog2() / 2 + 1);
                loop {
                    let next = (root + self / root) / 2;
                    if next >= root { return root; }
                    root = next;
                }
            }
            #[native(number_leading_zeros)]
            pub fn leading_zeros(self) -> u32;
            #[native(number_trailing_zeros)]
            pub fn trailing_zeros(self) -> u32;
            pub fn leading_ones(self) -> u32 {
                (!self).leading_zeros()
            }
            pub fn trailing_ones(self) -> u32 {
                (!self).trailing_zeros()
            }
            #[native(number_count_ones)]
            pub fn count_ones(self) -> u32;
            pub fn count_zeros(self) -> u32 {
                (!self).count_ones()
            }
            #[native(number_rotate)]
            pub fn rotate_left(self, bits: u32) -> N;
            pub fn rotate_right(self, bits: u32) -> N {
                self.rotate_left(N::BITS - bits % N::BITS)
            }
            #[native(number_swap_bits)]
            pub fn swap_bytes(self) -> N;
            #[native(number_swap_bits)]
            pub fn to_be(self) -> N;
            #[native(number_swap_bits, 1)]
            pub fn reverse_bits(self) -> N;
            #[native(number_extreme, ORDER_MIN)]
            pub fn min(self, other: N) -> N;
            #[native(number_extreme, ORDER_MAX)]
            pub fn max(self, other: N) -> N;
            pub fn clamp(self, low: N, high: N) -> N {
                assert!(low <= high, "assertion failed: min <= max");
                if self < low { low } else if self > high { high } else { self }
            }
            #[native(compare, STD_CMP)]
            pub fn cmp(&self, other: &N) -> Ordering;
            #[native(compare, STD_PARTIAL_CMP)]
            pub fn partial_cmp(&self, other: &N) -> Option<Ordering>;
            #[native(number_to_bytes)]
            pub fn to_le_bytes(self) -> NumberBytes<N>;
            #[native(number_to_bytes, 1)]
            pub fn to_be_bytes(self) -> NumberBytes<N>;
            #[native(number_to_bytes)]
            pub fn to_ne_bytes(self) -> NumberBytes<N>;
            #[native(number_from_bytes)]
            pub fn from_le_bytes(bytes: impl BytesOf<N>) -> N;
            #[native(number_from_bytes, 1)]
            pub fn from_be_bytes(bytes: impl BytesOf<N>) -> N;
            #[native(number_from_bytes)]
            pub fn from_ne_bytes(bytes: impl BytesOf<N>) -> N;
            #[native(parse_from_str_radix)]
            pub fn from_str_radix(text: &str, radix: u32) -> Result<N, std::num::ParseIntError>;
            pub fn from_str(text: &str) -> Result<N, std::num::ParseIntError> {
                text.parse::<N>()
            }
            #[native(number_from_number)]
            pub fn from<U>(value: U) -> N;
            #[native(number_try_from)]
            pub fn try_from<U>(value: U) -> Result<N, Error>;
            #[native(value_make_default)]
            pub fn default() -> N;
            pub fn is_positive(self) -> bool {
                self > 0
            }
            pub fn is_negative(self) -> bool {
                self < 0
            }
            #[native(char_is, CHAR_ASCII)]
            pub fn is_ascii(&self) -> bool;
            #[native(char_is, CHAR_ASCII_ALPHABETIC)]
            pub fn is_ascii_alphabetic(&self) -> bool;
            #[native(char_is, CHAR_ASCII_DIGIT)]
            pub fn is_ascii_digit(&self) -> bool;
            #[native(char_is, CHAR_ASCII_HEXDIGIT)]
            pub fn is_ascii_hexdigit(&self) -> bool;
            #[native(char_is, CHAR_ASCII_ALPHANUMERIC)]
            pub fn is_ascii_alphanumeric(&self) -> bool;
            #[native(char_is, CHAR_ASCII_UPPERCASE)]
            pub fn is_ascii_uppercase(&self) -> bool;
            #[native(char_is, CHAR_ASCII_LOWERCASE)]
            pub fn is_ascii_lowercase(&self) -> bool;
            #[native(char_is, CHAR_ASCII_PUNCTUATION)]
            pub fn is_ascii_punctuation(&self) -> bool;
            #[native(char_is, CHAR_ASCII_WHITESPACE)]
            pub fn is_ascii_whitespace(&self) -> bool;
            #[native(char_case, CASE_UPPER)]
            pub fn to_ascii_uppercase(&self) -> N;
            #[native(char_case, CASE_LOWER)]
            pub fn to_ascii_lowercase(&self) -> N;
        }
        impl<F: Float> F {
            pub const MIN: F = builtin;
            pub const MAX: F = builtin;
            pub const EPSILON: F = builtin;
            pub const INFINITY: F = builtin;
            pub const NEG_INFINITY: F = builtin;
            pub const NAN: F = builtin;
            pub const MIN_POSITIVE: F = builtin;
            pub const DIGITS: u32 = builtin;
            pub const MANTISSA_DIGITS: u32 = builtin;
            pub const RADIX: u32 = builtin;
            pub const MIN_EXP: i32 = builtin;
            pub const MAX_EXP: i32 = builtin;
            pub const MIN_10_EXP: i32 = builtin;
            pub const MAX_10_EXP: i32 = builtin;
            #[native(float_unary)]
            pub fn sqrt(self) -> F;
            #[native(float_unary)]
            pub fn cbrt(self) -> F;
            #[native(float_unary)]
            pub fn exp(self) -> F;
            #[native(float_unary)]
            pub fn exp2(self) -> F;
            #[native(float_unary)]
            pub fn exp_m1(self) -> F;
            #[native(float_unary)]
            pub fn ln(self) -> F;
            #[native(float_unary)]
            pub fn ln_1p(self) -> F;
            #[native(float_unary)]
            pub fn log2(self) -> F;
            #[native(float_unary)]
            pub fn log10(self) -> F;
            #[native(float_unary)]
            pub fn sin(self) -> F;
            #[native(float_unary)]
            pub fn cos(self) -> F;
            #[native(float_unary)]
            pub fn tan(self) -> F;
            #[native(float_unary)]
            pub fn asin(self) -> F;
            #[native(float_unary)]
            pub fn acos(self) -> F;
            #[native(float_unary)]
            pub fn atan(self) -> F;
            #[native(float_unary)]
            pub fn sinh(self) -> F;
            #[native(float_unary)]
            pub fn cosh(self) -> F;
            #[native(float_unary)]
            pub fn tanh(self) -> F;
            #[native(float_unary)]
            pub fn asinh(self) -> F;
            #[native(float_unary)]
            pub fn acosh(self) -> F;
            #[native(float_unary)]
            pub fn atanh(self) -> F;
            #[native(float_unary)]
            pub fn abs(self) -> F;
            #[native(float_unary)]
            pub fn floor(self) -> F;
            #[native(float_unary)]
            pub fn ceil(self) -> F;
            #[native(float_unary)]
            pub fn round(self) -> F;
            #[native(float_unary)]
            pub fn round_ties_even(self) -> F;
            #[native(float_unary)]
            pub fn trunc(self) -> F;
            pub fn fract(self) -> F {
                self - self.trunc()
            }
            pub fn recip(self) -> F {
                1.0 / self
            }
            pub fn signum(self) -> F {
                if self.is_nan() { self } else { F::copysign(1.0, self) }
            }
            pub fn to_radians(self) -> F {
                self * 0.017453292519943295769236907684886
            }
            pub fn to_degrees(self) -> F {
                self * 57.2957795130823208767981548141051703
            }
            #[native(float_unary)]
            pub fn next_up(self) -> F;
            #[native(float_unary)]
            pub fn next_down(self) -> F;
            #[native(float_binary, FLOAT_POWF)]
            pub fn powf(self, other: F) -> F;
            #[native(float_binary, FLOAT_MIN)]
            pub fn min(self, other: F) -> F;
            #[native(float_binary, FLOAT_MAX)]
            pub fn max(self, other: F) -> F;
            #[native(float_binary, FLOAT_COPYSIGN)]
            pub fn copysign(self, other: F) -> F;
            #[native(float_binary, FLOAT_HYPOT)]
            pub fn hypot(self, other: F) -> F;
            #[native(float_binary, FLOAT_ATAN2)]
            pub fn atan2(self, other: F) -> F;
            pub fn log(self, other: F) -> F {
                self.ln() / other.ln()
            }
            pub fn div_euclid(self, other: F) -> F {
                let quotient = (self / other).trunc();
                if !(self % other < 0.0) {
                    quotient
                } else if other > 0.0 {
                    quotient - 1.0
                } else {
                    quotient + 1.0
                }
            }
            pub fn rem_euclid(self, other: F) -> F {
                let rest = self % other;
                if rest < 0.0 { rest + other.abs() } else { rest }
            }
            #[native(float_binary, FLOAT_MIDPOINT)]
            pub fn midpoint(self, other: F) -> F;
            pub fn sin_cos(self) -> (F, F) {
                (self.sin(), self.cos())
            }
            #[native(float_powi)]
            pub fn powi(self, exponent: i32) -> F;
            #[native(float_mul_add)]
            pub fn mul_add(self, a: F, b: F) -> F;
            #[native(float_clamp)]
            pub fn clamp(self, low: F, high: F) -> F;
            #[native(float_ask, ASK_NAN)]
            pub fn is_nan(self) -> bool;
            #[native(float_ask, ASK_FINITE)]
            pub fn is_finite(self) -> bool;
            #[native(float_ask, ASK_INFINITE)]
            pub fn is_infinite(self) -> bool;
            pub fn classify(self) -> std::num::FpCategory {
                if self.is_nan() {
                    std::num::FpCategory::Nan
                } else if self.is_infinite() {
                    std::num::FpCategory::Infinite
                } else if self == 0.0 {
                    std::num::FpCategory::Zero
                } else if self.is_normal() {
                    std::num::FpCategory::Normal
                } else {
                    std::num::FpCategory::Subnormal
                }
            }
            #[native(float_ask, ASK_NORMAL)]
            pub fn is_normal(self) -> bool;
            #[native(float_ask, ASK_SUBNORMAL)]
            pub fn is_subnormal(self) -> bool;
            #[native(float_ask, ASK_NEGATIVE)]
            pub fn is_sign_negative(self) -> bool;
            #[native(float_ask, ASK_POSITIVE)]
            pub fn is_sign_positive(self) -> bool;
            #[native(float_total_cmp)]
            pub fn total_cmp(&self, other: &F) -> Ordering;
            #[native(compare, STD_PARTIAL_CMP)]
            pub fn partial_cmp(&self, other: &F) -> Option<Ordering>;
            #[native(float_from_number)]
            pub fn from<U>(value: U) -> F;
            pub fn from_str(text: &str) -> Result<F, std::num::ParseFloatError> {
                text.parse::<F>()
            }
            #[native(value_make_default)]
            pub fn default() -> F;
        }
        impl f32 {
            #[native(float_to_bits)]
            pub fn to_bits(self) -> u32;
            #[native(float_from_bits)]
            pub fn from_bits(bits: u32) -> f32;
            pub fn to_le_bytes(self) -> [u8; 4] {
                self.to_bits().to_le_bytes()
            }
            pub fn from_le_bytes(bytes: [u8; 4]) -> f32 {
                f32::from_bits(u32::from_le_bytes(bytes))
            }
            pub fn to_be_bytes(self) -> [u8; 4] {
                self.to_bits().to_be_bytes()
            }
            pub fn from_be_bytes(bytes: [u8; 4]) -> f32 {
                f32::from_bits(u32::from_be_bytes(bytes))
            }
            pub fn to_ne_bytes(self) -> [u8; 4] {
                self.to_bits().to_ne_bytes()
            }
            pub fn from_ne_bytes(bytes: [u8; 4]) -> f32 {
                f32::from_bits(u32::from_ne_bytes(bytes))
            }
        }
        impl f64 {
            #[native(float_to_bits)]
            pub fn to_bits(self) -> u64;
            #[native(float_from_bits)]
            pub fn from_bits(bits: u64) -> f64;
            pub fn to_le_bytes(self) -> [u8; 8] {
                self.to_bits().to_le_bytes()
            }
            pub fn from_le_bytes(bytes: [u8; 8]) -> f64 {
                f64::from_bits(u64::from_le_bytes(bytes))
            }
            pub fn to_be_bytes(self) -> [u8; 8] {
                self.to_bits().to_be_bytes()
            }
            pub fn from_be_bytes(bytes: [u8; 8]) -> f64 {
                f64::from_bits(u64::from_be_bytes(bytes))
            }
            pub fn to_ne_bytes(self) -> [u8; 8] {
                self.to_bits().to_ne_bytes()
            }
            pub fn from_ne_bytes(bytes: [u8; 8]) -> f64 {
                f64::from_bits(u64::from_ne_bytes(bytes))
            }
        }
        impl<T: Any> T {
            #[native(value_clone)]
            pub fn clone(&self) -> CloneOf<T>;
            #[native(value_clone)]
            pub fn to_owned(&self) -> T;
            #[native(format_to_string)]
            pub fn to_string(&self) -> String;
            #[native(value_into)]
            pub fn into<U>(self) -> U;
            #[native(value_try_into)]
            pub fn try_into<U>(self) -> Result<U, Error>;
            #[native(system_replace)]
            pub fn clone_from(&mut self, other: &T);
            #[native(compare, STD_EQ)]
            pub fn eq(&self, other: &T) -> bool;
            #[native(compare, STD_NE)]
            pub fn ne(&self, other: &T) -> bool;
            pub fn lt(&self, other: &T) -> bool {
                self < other
            }
            pub fn le(&self, other: &T) -> bool {
                self <= other
            }
            pub fn gt(&self, other: &T) -> bool {
                self > other
            }
            pub fn ge(&self, other: &T) -> bool {
                self >= other
            }
            #[native(compare, STD_CMP)]
            pub fn cmp(&self, other: &T) -> Ordering;
            #[native(compare, STD_PARTIAL_CMP)]
            pub fn partial_cmp(&self, other: &T) -> Option<Ordering>;
            pub fn min(self, other: T) -> T {
                if self > other { other } else { self }
            }
            pub fn max(self, other: T) -> T {
                if self > other { self } else { other }
            }
            pub fn clamp(self, low: T, high: T) -> T {
                if self < low { low } else if self > high { high } else { self }
            }
            #[native]
            pub fn hash<H>(&self, state: &mut H);
            #[native(system_first_arg)]
            pub fn borrow(&self) -> &T;
            #[native(system_first_arg)]
            pub fn as_ref(&self) -> &T;
            #[native(value_make_default)]
            pub fn default() -> T;
            #[native(format_fmt)]
            pub fn fmt(&self, f: &mut std::fmt::Formatter) -> Result<(), Error>;
        }
        pub struct ParseIntError;
        impl ParseIntError {
            pub fn kind(&self) -> &std::num::IntErrorKind {
                match self.to_string().as_str() {
                    "cannot parse integer from empty string" => &std::num::IntErrorKind::Empty,
                    "number too large to fit in target type" => &std::num::IntErrorKind::PosOverflow,
                    "number too small to fit in target type" => &std::num::IntErrorKind::NegOverflow,
                    _ => &std::num::IntErrorKind::InvalidDigit,
                }
            }
        }
        pub struct ParseFloatError;
        pub struct ParseBoolError;
        pub struct ParseCharError;
        pub struct Error;
        impl Error {
            /// Of what a panic left: its words.
            #[native(box_downcast, DOWNCAST_REF)]
            pub fn downcast_ref<T>(&self) -> Option<&T>;
            #[native(box_downcast, DOWNCAST_IS)]
            pub fn is<T>(&self) -> bool;
        }
    }
    pub mod fmt {
        pub use std::prelude::Debug;
        pub use std::prelude::Display;
        pub use std::prelude::Error;
        pub trait LowerHex {}
        pub trait UpperHex {}
        pub trait Binary {}
        pub trait Octal {}
        pub trait LowerExp {}
        pub trait UpperExp {}
        pub trait Write {}
        pub struct Arguments;
        pub struct Formatter;
        impl Formatter {
            #[native(format_write_str)]
            pub fn write_str(&mut self, text: &str) -> Result;
            #[native(format_write_str)]
            pub fn write_fmt(&mut self, text: &str) -> Result;
            pub fn write_char(&mut self, c: char) -> Result {
                self.write_str(c.to_string().as_str())
            }
            #[native(format_pad)]
            pub fn pad(&mut self, text: &str) -> Result;
            #[native(format_ask, FORMATTER_ALTERNATE)]
            pub fn alternate(&self) -> bool;
            #[native(format_ask, FORMATTER_PLUS)]
            pub fn sign_plus(&self) -> bool;
            #[native(format_ask, FORMATTER_ZERO)]
            pub fn sign_aware_zero_pad(&self) -> bool;
            #[native(format_ask, FORMATTER_WIDTH)]
            pub fn width(&self) -> Option<usize>;
            #[native(format_ask, FORMATTER_PRECISION)]
            pub fn precision(&self) -> Option<usize>;
            #[native(format_ask, FORMATTER_FILL)]
            pub fn fill(&self) -> char;
            #[native(format_build, BUILDS_STRUCT)]
            pub fn debug_struct(&mut self, name: &str) -> DebugStruct;
            #[native(format_build, BUILDS_TUPLE)]
            pub fn debug_tuple(&mut self, name: &str) -> DebugTuple;
            #[native(format_build, BUILDS_LIST)]
            pub fn debug_list(&mut self) -> DebugList;
            #[native(format_build, BUILDS_SET)]
            pub fn debug_set(&mut self) -> DebugList;
            #[native(format_build, BUILDS_MAP)]
            pub fn debug_map(&mut self) -> DebugMap;
        }
        pub struct DebugStruct;
        impl DebugStruct {
            #[native(format_add_item)]
            pub fn field<U>(&mut self, name: &str, value: &U) -> &mut DebugStruct;
            #[native(format_finish, 1)]
            pub fn finish(&mut self) -> Result;
            #[native(format_finish)]
            pub fn finish_non_exhaustive(&mut self) -> Result;
        }
        pub struct DebugTuple;
        impl DebugTuple {
            #[native(format_add_item)]
            pub fn field<U>(&mut self, value: &U) -> &mut DebugTuple;
            #[native(format_finish, 1)]
            pub fn finish(&mut self) -> Result;
        }
        pub struct DebugList;
        impl DebugList {
            pub fn entries<U, I: IntoIterator<U>>(&mut self, items: I) -> &mut DebugList {
                for item in items { self.entry(&item); }
                self
            }
            #[native(format_add_item)]
            pub fn entry<U>(&mut self, item: &U) -> &mut DebugList;
            #[native(format_finish, 1)]
            pub fn finish(&mut self) -> Result;
        }
        pub struct DebugMap;
        impl DebugMap {
            pub fn entries<K, V, I: IntoIterator<(K, V)>>(&mut self, items: I) -> &mut DebugMap {
                for (key, value) in items { self.entry(&key, &value); }
                self
            }
            #[native(format_add_item)]
            pub fn entry<K, V>(&mut self, key: &K, value: &V) -> &mut DebugMap;
            #[native(format_finish, 1)]
            pub fn finish(&mut self) -> Result;
        }
        pub type Result = std::prelude::Result<(), std::prelude::Error>;
    }
    pub mod panic {
        pub struct AssertUnwindSafe<T>(pub T);
        #[native]
        pub fn catch_unwind<R>(f: impl FnOnceSafe<R>) -> std::prelude::Result<R, Box<Error>>;
        pub struct PanicHookInfo;
        /// What is said of a panic is for the caller of the program to show: a hook is not called.
        pub fn set_hook(hook: Box<impl Fn(&PanicHookInfo)>) {}
        pub fn take_hook() -> Box<impl Fn(&PanicHookInfo)> {
            Box::new(|_| {})
        }
    }
    pub mod future {
        pub use std::prelude::Future;
        pub async fn ready<T>(value: T) -> T {
            value
        }
    }
    pub mod pin {
        pub type Pin<P> = P;
    }
    pub mod marker {
        pub struct PhantomData<T>;
    }
    pub mod mem {
        #[native(system_size_of)]
        pub fn size_of<T>() -> usize;
        #[native(system_swap)]
        pub fn swap<T>(a: &mut T, b: &mut T);
        #[native(system_replace)]
        pub fn replace<T>(place: &mut T, value: T) -> T;
        pub fn take<T>(place: &mut T) -> T {
            std::mem::replace(place, T::default())
        }
        #[native(system_size_of)]
        pub fn size_of_val<T>(value: &T) -> usize;
        #[native(system_size_of, 1)]
        pub fn align_of<T>() -> usize;
        #[native(system_drop_argument)]
        pub fn drop<T>(value: T);
        #[native(system_do_nothing)]
        pub fn forget<T>(value: T);
    }
    pub mod hint {
        #[native(system_first_arg)]
        pub fn black_box<T>(value: T) -> T;
    }
    pub mod iter {
        pub use std::prelude::IntoIterator;
        pub use std::prelude::DoubleEndedIterator;
        pub use std::prelude::ExactSizeIterator;
        pub use std::prelude::Extend;
        pub trait FusedIterator {}
        pub type Peekable<I> = I::IntoIter;
        pub type Rev<I> = I::IntoIter;
        pub type Skip<I> = I::IntoIter;
        pub type Take<I> = I::IntoIter;
        pub type StepBy<I> = I::IntoIter;
        pub type Cycle<I> = I::IntoIter;
        pub type Fuse<I> = I::IntoIter;
        pub type Enumerate<I> = Iter<(usize, I::Item)>;
        pub type Zip<I, J> = Iter<(I::Item, J::Item)>;
        pub type Chain<I, J> = I::IntoIter;
        pub type Filter<I, F> = I::IntoIter;
        pub type SkipWhile<I, F> = I::IntoIter;
        pub type TakeWhile<I, F> = I::IntoIter;
        pub trait Sum {}
        pub trait Product {}
        #[native(iter_from_fn, 1)]
        pub fn repeat_with<T>(f: impl FnMut() -> T) -> Iter<T>;
        pub use std::prelude::Iterator;
        pub use std::prelude::FromIterator;
        #[native(iter_repeat)]
        pub fn repeat<T>(value: T) -> Iter<T>;
        #[native(iter_repeat, 1)]
        pub fn repeat_n<T>(value: T, count: usize) -> Iter<T>;
        pub fn once<T>(value: T) -> Iter<T> {
            std::iter::repeat_n(value, 1)
        }
        pub fn once_with<T>(f: impl FnOnce() -> T) -> Iter<T> {
            std::iter::once(()).map(|_| f())
        }
        pub fn empty<T>() -> Iter<T> {
            Vec::new().into_iter()
        }
        #[native(iter_from_fn)]
        pub fn from_fn<T>(f: impl FnMut() -> Option<T>) -> Iter<T>;
        pub fn successors<T>(first: Option<T>, f: impl FnMut(&T) -> Option<T>) -> Iter<T> {
            let mut next = first;
            std::iter::from_fn(move || {
                let item = next.take()?;
                next = f(&item);
                Some(item)
            })
        }
        pub fn zip<A, B, I: IntoIterator<A>, J: IntoIterator<B>>(a: I, b: J) -> Iter<(A, B)> {
            a.into_iter().zip(b)
        }
    }
    pub mod cmp {
        pub use std::prelude::Ordering;
        pub use std::prelude::PartialEq;
        pub use std::prelude::PartialOrd;
        pub use std::prelude::Ord;
        pub use std::prelude::Eq;
        pub fn min<T>(a: T, b: T) -> T {
            a.min(b)
        }
        pub fn max<T>(a: T, b: T) -> T {
            a.max(b)
        }
        pub struct Reverse<T>(pub T);
    }
    pub mod ops {
        pub use std::prelude::Range;
        pub use std::prelude::RangeInclusive;
        pub use std::prelude::Fn;
        pub use std::prelude::FnMut;
        pub use std::prelude::FnOnce;
        pub use std::prelude::Drop;
        pub trait Add {}
        pub trait Sub {}
        pub trait Mul {}
        pub trait Div {}
        pub trait Rem {}
        pub trait Neg {}
        pub trait Not {}
        pub trait BitAnd {}
        pub trait BitOr {}
        pub trait BitXor {}
        pub trait Shl {}
        pub trait Shr {}
        pub trait AddAssign {}
        pub trait SubAssign {}
        pub trait MulAssign {}
        pub trait DivAssign {}
        pub trait RemAssign {}
        pub trait BitAndAssign {}
        pub trait BitOrAssign {}
        pub trait BitXorAssign {}
        pub trait ShlAssign {}
        pub trait ShrAssign {}
        pub trait Deref {}
        pub trait DerefMut {}
        pub trait Index {}
        pub trait IndexMut {}
        pub trait RangeBounds {}
        pub use std::prelude::RangeFrom;
        pub use std::prelude::RangeTo;
        pub use std::prelude::RangeFull;
        pub enum ControlFlow<B, C = ()> {
            Continue(C),
            Break(B),
        }
        impl<B, C> ControlFlow<B, C> {
            pub fn is_break(&self) -> bool {
                match self {
                    ControlFlow::Break(_) => true,
                    ControlFlow::Continue(_) => false,
                }
            }
            pub fn is_continue(&self) -> bool {
                !self.is_break()
            }
            pub fn break_value(self) -> Option<B> {
                match self {
                    ControlFlow::Break(value) => Some(value),
                    ControlFlow::Continue(_) => None,
                }
            }
            pub fn continue_value(self) -> Option<C> {
                match self {
                    ControlFlow::Break(_) => None,
                    ControlFlow::Continue(value) => Some(value),
                }
            }
        }
    }
    pub mod slice {
        #[native(list_from_ref)]
        pub fn from_ref<T>(value: &T) -> &[T];
        #[native(list_from_ref)]
        pub fn from_mut<T>(value: &mut T) -> &mut [T];
        pub type Iter<'a, T> = std::prelude::Iter<&'a T>;
        pub type IterMut<'a, T> = std::prelude::Iter<&'a mut T>;
        pub type Chunks<'a, T> = std::prelude::Iter<&'a [T]>;
        pub type ChunksMut<'a, T> = std::prelude::Iter<&'a mut [T]>;
        pub type ChunksExact<'a, T> = std::prelude::Iter<&'a [T]>;
        pub type ChunksExactMut<'a, T> = std::prelude::Iter<&'a mut [T]>;
        pub type Windows<'a, T> = std::prelude::Iter<&'a [T]>;
    }
    pub mod convert {
        pub fn identity<T>(value: T) -> T {
            value
        }
        pub use std::prelude::From;
        pub use std::prelude::Into;
        pub use std::prelude::TryFrom;
        pub use std::prelude::TryInto;
    }
    pub mod array {
        pub fn from_fn<T, const N: usize, F: FnMut(usize) -> T>(f: F) -> [T; N] {
            let mut items = Vec::new();
            for i in 0..N { items.push(f(i)); }
            items.try_into().unwrap()
        }
    }
    pub mod f32 {
        pub const MIN: f32 = builtin;
        pub const MAX: f32 = builtin;
        pub const EPSILON: f32 = builtin;
        pub const INFINITY: f32 = builtin;
        pub const NEG_INFINITY: f32 = builtin;
        pub const NAN: f32 = builtin;
        pub const MIN_POSITIVE: f32 = builtin;
        pub mod consts {
            pub const PI: f32 = 3.14159265358979323846264338327950288;
            pub const TAU: f32 = 6.28318530717958647692528676655900577;
            pub const E: f32 = 2.71828182845904523536028747135266250;
            pub const LN_2: f32 = 0.693147180559945309417232121458176568;
            pub const LN_10: f32 = 2.30258509299404568401799145468436421;
            pub const LOG2_E: f32 = 1.44269504088896340735992468100189214;
            pub const LOG2_10: f32 = 3.32192809488736234787031942948939018;
            pub const LOG10_E: f32 = 0.434294481903251827651128918916605082;
            pub const LOG10_2: f32 = 0.301029995663981195213738894724493027;
            pub const SQRT_2: f32 = 1.41421356237309504880168872420969808;
            pub const FRAC_1_SQRT_2: f32 = 0.707106781186547524400844362104849039;
            pub const FRAC_1_PI: f32 = 0.318309886183790671537767526745028724;
            pub const FRAC_2_PI: f32 = 0.636619772367581343075535053490057448;
            pub const FRAC_2_SQRT_PI: f32 = 1.12837916709551257389615890312154517;
            pub const FRAC_PI_2: f32 = 1.57079632679489661923132169163975144;
            pub const FRAC_PI_3: f32 = 1.04719755119659774615421446109316763;
            pub const FRAC_PI_4: f32 = 0.785398163397448309615660845819875721;
            pub const FRAC_PI_6: f32 = 0.52359877559829887307710723054658381;
            pub const FRAC_PI_8: f32 = 0.39269908169872415480783042290993786;
        }
    }
    pub mod f64 {
        pub const MIN: f64 = builtin;
        pub const MAX: f64 = builtin;
        pub const EPSILON: f64 = builtin;
        pub const INFINITY: f64 = builtin;
        pub const NEG_INFINITY: f64 = builtin;
        pub const NAN: f64 = builtin;
        pub const MIN_POSITIVE: f64 = builtin;
        pub mod consts {
            pub const PI: f64 = 3.14159265358979323846264338327950288;
            pub const TAU: f64 = 6.28318530717958647692528676655900577;
            pub const E: f64 = 2.71828182845904523536028747135266250;
            pub const LN_2: f64 = 0.693147180559945309417232121458176568;
            pub const LN_10: f64 = 2.30258509299404568401799145468436421;
            pub const LOG2_E: f64 = 1.44269504088896340735992468100189214;
            pub const LOG2_10: f64 = 3.32192809488736234787031942948939018;
            pub const LOG10_E: f64 = 0.434294481903251827651128918916605082;
            pub const LOG10_2: f64 = 0.301029995663981195213738894724493027;
            pub const SQRT_2: f64 = 1.41421356237309504880168872420969808;
            pub const FRAC_1_SQRT_2: f64 = 0.707106781186547524400844362104849039;
            pub const FRAC_1_PI: f64 = 0.318309886183790671537767526745028724;
            pub const FRAC_2_PI: f64 = 0.636619772367581343075535053490057448;
            pub const FRAC_2_SQRT_PI: f64 = 1.12837916709551257389615890312154517;
            pub const FRAC_PI_2: f64 = 1.57079632679489661923132169163975144;
            pub const FRAC_PI_3: f64 = 1.04719755119659774615421446109316763;
            pub const FRAC_PI_4: f64 = 0.785398163397448309615660845819875721;
            pub const FRAC_PI_6: f64 = 0.52359877559829887307710723054658381;
            pub const FRAC_PI_8: f64 = 0.39269908169872415480783042290993786;
        }
    }
    pub mod i8 {
        pub const MIN: i8 = builtin;
        pub const MAX: i8 = builtin;
    }
    pub mod i16 {
        pub const MIN: i16 = builtin;
        pub const MAX: i16 = builtin;
    }
    pub mod i32 {
        pub const MIN: i32 = builtin;
        pub const MAX: i32 = builtin;
    }
    pub mod i64 {
        pub const MIN: i64 = builtin;
        pub const MAX: i64 = builtin;
    }
    pub mod isize {
        pub const MIN: isize = builtin;
        pub const MAX: isize = builtin;
    }
    pub mod u8 {
        pub const MIN: u8 = builtin;
        pub const MAX: u8 = builtin;
    }
    pub mod u16 {
        pub const MIN: u16 = builtin;
        pub const MAX: u16 = builtin;
    }
    pub mod u32 {
        pub const MIN: u32 = builtin;
        pub const MAX: u32 = builtin;
    }
    pub mod u64 {
        pub const MIN: u64 = builtin;
        pub const MAX: u64 = builtin;
    }
    pub mod usize {
        pub const MIN: usize = builtin;
        pub const MAX: usize = builtin;
    }
    pub mod env {
        #[native(system_no_variable)]
        pub fn var(name: &str) -> std::prelude::Result<String, Error>;
        #[native(system_args)]
        pub fn args() -> Iter<String>;
    }
    pub mod error {
        pub trait Error {}
    }
    pub mod time {
        pub struct Instant;
        impl Instant {
            #[native(system_now)]
            pub fn now() -> Instant;
            #[native(system_elapsed)]
            pub fn elapsed(&self) -> Duration;
            pub fn duration_since(&self, earlier: Instant) -> Duration {
                Duration::from_secs_f64(self.seconds() - earlier.seconds())
            }
            #[native(system_stripped)]
            fn seconds(&self) -> f64;
        }
        pub struct Duration;
        impl Duration {
            pub fn from_secs(count: u64) -> Duration {
                Duration::from_secs_f64(count as f64)
            }
            #[native(system_first_arg)]
            pub fn from_secs_f64(count: f64) -> Duration;
            #[native(system_first_arg)]
            pub fn from_secs_f32(count: f32) -> Duration;
            pub fn from_millis(count: u64) -> Duration {
                Duration::from_secs_f64(count as f64 / 1e3)
            }
            pub fn from_micros(count: u64) -> Duration {
                Duration::from_secs_f64(count as f64 / 1e6)
            }
            pub fn from_nanos(count: u64) -> Duration {
                Duration::from_secs_f64(count as f64 / 1e9)
            }
            #[native(system_stripped)]
            pub fn as_secs_f64(&self) -> f64;
            #[native(system_stripped)]
            pub fn as_secs_f32(&self) -> f32;
            pub fn as_secs(&self) -> u64 {
                (self.as_nanos() / 1_000_000_000) as u64
            }
            pub fn as_millis(&self) -> u128 {
                self.as_nanos() / 1_000_000
            }
            pub fn as_micros(&self) -> u128 {
                self.as_nanos() / 1_000
            }
            pub fn as_nanos(&self) -> u128 {
                (self.as_secs_f64() * 1e9).round() as u128
            }
        }
    }
    pub mod collections {
        pub struct HashMap<K, V>;
        impl<K, V> HashMap<K, V> {
            #[native(map_make)]
            pub fn new() -> HashMap<K, V>;
            #[native(map_make)]
            pub fn with_capacity(capacity: usize) -> HashMap<K, V>;
            #[native(map_make, 1)]
            pub fn from<I: IntoIterator<(K, V)>>(items: I) -> HashMap<K, V>;
            #[native(map_make, 1)]
            pub fn from_iter<I: IntoIterator<(K, V)>>(items: I) -> HashMap<K, V>;
            #[native(map_length)]
            pub fn len(&self) -> usize;
            #[native(map_length, 1)]
            pub fn is_empty(&self) -> bool;
            #[native(map_insert)]
            pub fn insert(&mut self, key: K, value: V) -> Option<V>;
            #[native(map_get, GET_CONTAINS)]
            pub fn contains_key<Q>(&self, key: &Q) -> bool;
            #[native(map_get, GET_REF)]
            pub fn get<Q>(&self, key: &Q) -> Option<&V>;
            #[native(map_get, GET_REF)]
            pub fn get_mut<Q>(&mut self, key: &Q) -> Option<&mut V>;
            #[native(map_get, GET_PAIR)]
            pub fn get_key_value<Q>(&self, key: &Q) -> Option<(&K, &V)>;
            #[native(map_remove_key, MAP_REMOVE_VALUE)]
            pub fn remove<Q>(&mut self, key: &Q) -> Option<V>;
            #[native(map_remove_key)]
            pub fn remove_entry<Q>(&mut self, key: &Q) -> Option<(K, V)>;
            pub fn clear(&mut self) {
                std::mem::take(self);
            }
            #[native(map_iterate)]
            pub fn iter(&self) -> Iter<(&K, &V)>;
            #[native(map_iterate)]
            pub fn iter_mut(&mut self) -> Iter<(&K, &mut V)>;
            #[native(map_iterate, 1)]
            pub fn into_iter(self) -> Iter<(K, V)>;
            #[native(map_parts, PART_KEYS)]
            pub fn keys(&self) -> Iter<&K>;
            #[native(map_parts, PART_VALUES)]
            pub fn values(&self) -> Iter<&V>;
            #[native(map_parts, PART_VALUES)]
            pub fn values_mut(&mut self) -> Iter<&mut V>;
            #[native(map_parts, PART_KEYS | PART_OWNED)]
            pub fn into_keys(self) -> Iter<K>;
            #[native(map_parts, PART_VALUES | PART_OWNED)]
            pub fn into_values(self) -> Iter<V>;
            #[native(map_extend)]
            pub fn extend<I: IntoIterator<(K, V)>>(&mut self, items: I);
            pub fn retain(&mut self, f: impl FnMut(&K, &mut V) -> bool) {
                for (key, mut value) in std::mem::take(self) {
                    if f(&key, &mut value) { self.insert(key, value); }
                }
            }
            #[native(map_entry)]
            pub fn entry(&mut self, key: K) -> Entry<K, V>;
            pub fn drain(&mut self) -> Iter<(K, V)> {
                std::mem::take(self).into_iter()
            }
            #[native(system_do_nothing)]
            pub fn reserve(&mut self, more: usize);
            #[native(map_length)]
            pub fn capacity(&self) -> usize;
        }
        pub struct BTreeMap<K, V>;
        impl<K, V> BTreeMap<K, V> {
            #[native(map_make)]
            pub fn new() -> BTreeMap<K, V>;
            #[native(map_make)]
            pub fn with_capacity(capacity: usize) -> BTreeMap<K, V>;
            #[native(map_make, 1)]
            pub fn from<I: IntoIterator<(K, V)>>(items: I) -> BTreeMap<K, V>;
            #[native(map_make, 1)]
            pub fn from_iter<I: IntoIterator<(K, V)>>(items: I) -> BTreeMap<K, V>;
            #[native(map_length)]
            pub fn len(&self) -> usize;
            #[native(map_length, 1)]
            pub fn is_empty(&self) -> bool;
            #[native(map_insert)]
            pub fn insert(&mut self, key: K, value: V) -> Option<V>;
            #[native(map_get, GET_CONTAINS)]
            pub fn contains_key<Q>(&self, key: &Q) -> bool;
            #[native(map_get, GET_REF)]
            pub fn get<Q>(&self, key: &Q) -> Option<&V>;
            #[native(map_get, GET_REF)]
            pub fn get_mut<Q>(&mut self, key: &Q) -> Option<&mut V>;
            #[native(map_get, GET_PAIR)]
            pub fn get_key_value<Q>(&self, key: &Q) -> Option<(&K, &V)>;
            #[native(map_remove_key, MAP_REMOVE_VALUE)]
            pub fn remove<Q>(&mut self, key: &Q) -> Option<V>;
            #[native(map_remove_key)]
            pub fn remove_entry<Q>(&mut self, key: &Q) -> Option<(K, V)>;
            pub fn clear(&mut self) {
                std::mem::take(self);
            }
            #[native(map_iterate)]
            pub fn iter(&self) -> Iter<(&K, &V)>;
            #[native(map_iterate)]
            pub fn iter_mut(&mut self) -> Iter<(&K, &mut V)>;
            #[native(map_iterate, 1)]
            pub fn into_iter(self) -> Iter<(K, V)>;
            #[native(map_parts, PART_KEYS)]
            pub fn keys(&self) -> Iter<&K>;
            #[native(map_parts, PART_VALUES)]
            pub fn values(&self) -> Iter<&V>;
            #[native(map_parts, PART_VALUES)]
            pub fn values_mut(&mut self) -> Iter<&mut V>;
            #[native(map_parts, PART_KEYS | PART_OWNED)]
            pub fn into_keys(self) -> Iter<K>;
            #[native(map_parts, PART_VALUES | PART_OWNED)]
            pub fn into_values(self) -> Iter<V>;
            #[native(map_extend)]
            pub fn extend<I: IntoIterator<(K, V)>>(&mut self, items: I);
            pub fn retain(&mut self, f: impl FnMut(&K, &mut V) -> bool) {
                for (key, mut value) in std::mem::take(self) {
                    if f(&key, &mut value) { self.insert(key, value); }
                }
            }
            #[native(map_entry)]
            pub fn entry(&mut self, key: K) -> Entry<K, V>;
            pub fn first_key_value(&self) -> Option<(&K, &V)> {
                self.iter().next()
            }
            pub fn last_key_value(&self) -> Option<(&K, &V)> {
                self.iter().next_back()
            }
            #[native(map_pop, END_FIRST)]
            pub fn pop_first(&mut self) -> Option<(K, V)>;
            #[native(map_pop, END_LAST)]
            pub fn pop_last(&mut self) -> Option<(K, V)>;
            #[native(map_range)]
            pub fn range(&self, range: impl RangeOf<K>) -> Iter<(&K, &V)>;
            #[native(map_range)]
            pub fn range_mut(&mut self, range: impl RangeOf<K>) -> Iter<(&K, &mut V)>;
            pub fn split_off<Q>(&mut self, key: &Q) -> BTreeMap<K, V> {
                let at = self.place(key);
                let mut behind = BTreeMap::new();
                while self.len() > at {
                    let (last, value) = self.pop_last().unwrap();
                    behind.insert(last, value);
                }
                behind
            }
            pub fn append(&mut self, other: &mut BTreeMap<K, V>) {
                self.extend(std::mem::take(other))
            }
            #[native(map_place)]
            fn place<Q>(&self, key: &Q) -> usize;
        }
        pub enum Entry<K, V> {
            Occupied(OccupiedEntry<K, V>),
            Vacant(VacantEntry<K, V>),
        }
        pub struct OccupiedEntry<K, V>;
        impl<K, V> OccupiedEntry<K, V> {
            #[native(map_entry_value)]
            pub fn get(&self) -> &V;
            #[native(map_entry_value)]
            pub fn get_mut(&mut self) -> &mut V;
            #[native(map_entry_value)]
            pub fn into_mut(self) -> &mut V;
            pub fn insert(&mut self, value: V) -> V {
                std::mem::replace(self.get_mut(), value)
            }
            #[native(map_entry_key)]
            pub fn key(&self) -> &K;
            pub fn remove(self) -> V {
                self.remove_entry().1
            }
            #[native(map_entry_remove)]
            pub fn remove_entry(self) -> (K, V);
        }
        pub struct VacantEntry<K, V>;
        impl<K, V> VacantEntry<K, V> {
            #[native(map_or_insert)]
            pub fn insert(self, value: V) -> &mut V;
            #[native(map_entry_key)]
            pub fn key(&self) -> &K;
            #[native(map_entry_key, 1)]
            pub fn into_key(self) -> K;
        }
        impl<K, V> Entry<K, V> {
            #[native(map_or_insert)]
            pub fn or_insert(self, value: V) -> &mut V;
            pub fn or_insert_with(self, f: impl FnOnce() -> V) -> &mut V {
                match self {
                    Entry::Occupied(entry) => entry.into_mut(),
                    Entry::Vacant(entry) => entry.insert(f()),
                }
            }
            pub fn or_insert_with_key(self, f: impl FnOnce(&K) -> V) -> &mut V {
                match self {
                    Entry::Occupied(entry) => entry.into_mut(),
                    Entry::Vacant(entry) => {
                        let value = f(entry.key());
                        entry.insert(value)
                    },
                }
            }
            pub fn or_default(self) -> &mut V {
                match self {
                    Entry::Occupied(entry) => entry.into_mut(),
                    Entry::Vacant(entry) => entry.insert(V::default()),
                }
            }
            pub fn and_modify(self, f: impl FnOnce(&mut V)) -> Entry<K, V> {
                match self {
                    Entry::Occupied(mut entry) => {
                        f(entry.get_mut());
                        Entry::Occupied(entry)
                    }
                    Entry::Vacant(entry) => Entry::Vacant(entry),
                }
            }
            pub fn key(&self) -> &K {
                match self {
                    Entry::Occupied(entry) => entry.key(),
                    Entry::Vacant(entry) => entry.key(),
                }
            }
        }
        pub struct HashSet<T>;
        impl<T> HashSet<T> {
            #[native(map_make)]
            pub fn new() -> HashSet<T>;
            #[native(map_make)]
            pub fn with_capacity(capacity: usize) -> HashSet<T>;
            #[native(map_make, 1)]
            pub fn from<I: IntoIterator<T>>(items: I) -> HashSet<T>;
            #[native(map_make, 1)]
            pub fn from_iter<I: IntoIterator<T>>(items: I) -> HashSet<T>;
            #[native(map_length)]
            pub fn len(&self) -> usize;
            #[native(map_length, 1)]
            pub fn is_empty(&self) -> bool;
            #[native(map_insert)]
            pub fn insert(&mut self, value: T) -> bool;
            #[native(map_get, GET_CONTAINS)]
            pub fn contains<Q>(&self, value: &Q) -> bool;
            #[native(map_get, GET_REF)]
            pub fn get<Q>(&self, value: &Q) -> Option<&T>;
            pub fn remove<Q>(&mut self, value: &Q) -> bool {
                self.take(value).is_some()
            }
            #[native(map_remove_key)]
            pub fn take<Q>(&mut self, value: &Q) -> Option<T>;
            pub fn clear(&mut self) {
                std::mem::take(self);
            }
            #[native(map_iterate)]
            pub fn iter(&self) -> Iter<&T>;
            #[native(map_iterate, 1)]
            pub fn into_iter(self) -> Iter<T>;
            #[native(map_extend)]
            pub fn extend<I: IntoOwned<T>>(&mut self, items: I);
            pub fn retain(&mut self, f: impl FnMut(&T) -> bool) {
                for value in std::mem::take(self) {
                    if f(&value) { self.insert(value); }
                }
            }
            pub fn union(&self, other: &HashSet<T>) -> Iter<&T> {
                self.iter().chain(other.difference(self))
            }
            pub fn intersection(&self, other: &HashSet<T>) -> Iter<&T> {
                self.iter().filter(|item| other.contains(*item))
            }
            pub fn difference(&self, other: &HashSet<T>) -> Iter<&T> {
                self.iter().filter(|item| !other.contains(*item))
            }
            pub fn symmetric_difference(&self, other: &HashSet<T>) -> Iter<&T> {
                self.difference(other).chain(other.difference(self))
            }
            pub fn is_subset(&self, other: &HashSet<T>) -> bool {
                self.iter().all(|item| other.contains(item))
            }
            pub fn is_superset(&self, other: &HashSet<T>) -> bool {
                other.is_subset(self)
            }
            pub fn is_disjoint(&self, other: &HashSet<T>) -> bool {
                !self.iter().any(|item| other.contains(item))
            }
            pub fn drain(&mut self) -> Iter<T> {
                std::mem::take(self).into_iter()
            }
            pub fn replace(&mut self, value: T) -> Option<T> {
                let old = self.take(&value);
                self.insert(value);
                old
            }
            #[native(system_do_nothing)]
            pub fn reserve(&mut self, more: usize);
            #[native(map_length)]
            pub fn capacity(&self) -> usize;
        }
        pub struct BTreeSet<T>;
        impl<T> BTreeSet<T> {
            #[native(map_make)]
            pub fn new() -> BTreeSet<T>;
            #[native(map_make)]
            pub fn with_capacity(capacity: usize) -> BTreeSet<T>;
            #[native(map_make, 1)]
            pub fn from<I: IntoIterator<T>>(items: I) -> BTreeSet<T>;
            #[native(map_make, 1)]
            pub fn from_iter<I: IntoIterator<T>>(items: I) -> BTreeSet<T>;
            #[native(map_length)]
            pub fn len(&self) -> usize;
            #[native(map_length, 1)]
            pub fn is_empty(&self) -> bool;
            #[native(map_insert)]
            pub fn insert(&mut self, value: T) -> bool;
            #[native(map_get, GET_CONTAINS)]
            pub fn contains<Q>(&self, value: &Q) -> bool;
            #[native(map_get, GET_REF)]
            pub fn get<Q>(&self, value: &Q) -> Option<&T>;
            pub fn remove<Q>(&mut self, value: &Q) -> bool {
                self.take(value).is_some()
            }
            #[native(map_remove_key)]
            pub fn take<Q>(&mut self, value: &Q) -> Option<T>;
            pub fn clear(&mut self) {
                std::mem::take(self);
            }
            #[native(map_iterate)]
            pub fn iter(&self) -> Iter<&T>;
            #[native(map_iterate, 1)]
            pub fn into_iter(self) -> Iter<T>;
            #[native(map_extend)]
            pub fn extend<I: IntoOwned<T>>(&mut self, items: I);
            pub fn retain(&mut self, f: impl FnMut(&T) -> bool) {
                for value in std::mem::take(self) {
                    if f(&value) { self.insert(value); }
                }
            }
            pub fn union(&self, other: &BTreeSet<T>) -> Iter<&T> {
                self.iter().chain(other.difference(self)).collect::<BTreeSet<&T>>().into_iter()
            }
            pub fn intersection(&self, other: &BTreeSet<T>) -> Iter<&T> {
                self.iter().filter(|item| other.contains(*item))
            }
            pub fn difference(&self, other: &BTreeSet<T>) -> Iter<&T> {
                self.iter().filter(|item| !other.contains(*item))
            }
            pub fn symmetric_difference(&self, other: &BTreeSet<T>) -> Iter<&T> {
                self.difference(other).chain(other.difference(self)).collect::<BTreeSet<&T>>().into_iter()
            }
            pub fn is_subset(&self, other: &BTreeSet<T>) -> bool {
                self.iter().all(|item| other.contains(item))
            }
            pub fn is_superset(&self, other: &BTreeSet<T>) -> bool {
                other.is_subset(self)
            }
            pub fn is_disjoint(&self, other: &BTreeSet<T>) -> bool {
                !self.iter().any(|item| other.contains(item))
            }
            pub fn first(&self) -> Option<&T> {
                self.iter().next()
            }
            pub fn last(&self) -> Option<&T> {
                self.iter().next_back()
            }
            #[native(map_pop, END_FIRST)]
            pub fn pop_first(&mut self) -> Option<T>;
            #[native(map_pop, END_LAST)]
            pub fn pop_last(&mut self) -> Option<T>;
            #[native(map_range)]
            pub fn range(&self, range: impl RangeOf<T>) -> Iter<&T>;
            pub fn split_off<Q>(&mut self, value: &Q) -> BTreeSet<T> {
                let at = self.place(value);
                let mut behind = BTreeSet::new();
                while self.len() > at { behind.insert(self.pop_last().unwrap()); }
                behind
            }
            pub fn append(&mut self, other: &mut BTreeSet<T>) {
                self.extend(std::mem::take(other))
            }
            pub fn replace(&mut self, value: T) -> Option<T> {
                let old = self.take(&value);
                self.insert(value);
                old
            }
            #[native(map_place)]
            fn place<Q>(&self, key: &Q) -> usize;
        }
        impl<T> std::ops::BitOr<&HashSet<T>> for &HashSet<T> {
            type Output = HashSet<T>;
            fn bitor(self, other: &HashSet<T>) -> HashSet<T> {
                self.union(other).cloned().collect()
            }
        }
        impl<T> std::ops::BitAnd<&HashSet<T>> for &HashSet<T> {
            type Output = HashSet<T>;
            fn bitand(self, other: &HashSet<T>) -> HashSet<T> {
                self.intersection(other).cloned().collect()
            }
        }
        impl<T> std::ops::Sub<&HashSet<T>> for &HashSet<T> {
            type Output = HashSet<T>;
            fn sub(self, other: &HashSet<T>) -> HashSet<T> {
                self.difference(other).cloned().collect()
            }
        }
        impl<T> std::ops::BitXor<&HashSet<T>> for &HashSet<T> {
            type Output = HashSet<T>;
            fn bitxor(self, other: &HashSet<T>) -> HashSet<T> {
                self.symmetric_difference(other).cloned().collect()
            }
        }
        impl<T> std::ops::BitOr<&BTreeSet<T>> for &BTreeSet<T> {
            type Output = BTreeSet<T>;
            fn bitor(self, other: &BTreeSet<T>) -> BTreeSet<T> {
                self.union(other).cloned().collect()
            }
        }
        impl<T> std::ops::BitAnd<&BTreeSet<T>> for &BTreeSet<T> {
            type Output = BTreeSet<T>;
            fn bitand(self, other: &BTreeSet<T>) -> BTreeSet<T> {
                self.intersection(other).cloned().collect()
            }
        }
        impl<T> std::ops::Sub<&BTreeSet<T>> for &BTreeSet<T> {
            type Output = BTreeSet<T>;
            fn sub(self, other: &BTreeSet<T>) -> BTreeSet<T> {
                self.difference(other).cloned().collect()
            }
        }
        impl<T> std::ops::BitXor<&BTreeSet<T>> for &BTreeSet<T> {
            type Output = BTreeSet<T>;
            fn bitxor(self, other: &BTreeSet<T>) -> BTreeSet<T> {
                self.symmetric_difference(other).cloned().collect()
            }
        }
        pub struct VecDeque<T>;
        impl<T> VecDeque<T> {
            #[native(list_new_empty)]
            pub fn new() -> VecDeque<T>;
            #[native(list_new_empty, 1)]
            pub fn with_capacity(capacity: usize) -> VecDeque<T>;
            #[native(list_from_iterable)]
            pub fn from<I: IntoIterator<T>>(items: I) -> VecDeque<T>;
            #[native(list_push)]
            pub fn push_back(&mut self, value: T);
            pub fn push_front(&mut self, value: T) {
                self.insert(0, value)
            }
            #[native(list_pop, END_LAST)]
            pub fn pop_back(&mut self) -> Option<T>;
            #[native(list_pop, END_FIRST)]
            pub fn pop_front(&mut self) -> Option<T>;
            #[native(list_end_item, END_FIRST)]
            pub fn front(&self) -> Option<&T>;
            #[native(list_end_item, END_FIRST)]
            pub fn front_mut(&mut self) -> Option<&mut T>;
            #[native(list_end_item, END_LAST)]
            pub fn back(&self) -> Option<&T>;
            #[native(list_end_item, END_LAST)]
            pub fn back_mut(&mut self) -> Option<&mut T>;
            pub fn remove(&mut self, index: usize) -> Option<T> {
                if index < self.len() { Some(self.take_at(index)) } else { None }
            }
            #[native(list_insert)]
            pub fn insert(&mut self, index: usize, value: T);
            #[native(list_clear)]
            pub fn clear(&mut self);
            #[native(list_truncate)]
            pub fn truncate(&mut self, length: usize);
            #[native(list_extend)]
            pub fn extend<I: IntoOwned<T>>(&mut self, items: I);
            pub fn append(&mut self, other: &mut VecDeque<T>) {
                self.extend(other.drain(..))
            }
            #[native(list_drain)]
            pub fn drain(&mut self, range: impl RangeOf<usize>) -> Iter<T>;
            #[native(list_retain)]
            pub fn retain(&mut self, f: impl FnMut(&T) -> bool);
            #[native(list_retain)]
            pub fn retain_mut(&mut self, f: impl FnMut(&mut T) -> bool);
            #[native(list_iterate, 1)]
            pub fn into_iter(self) -> Iter<T>;
            #[native(list_from_iterable)]
            pub fn from_iter<I: IntoIterator<T>>(items: I) -> VecDeque<T>;
            #[native(list_itself)]
            pub fn make_contiguous(&mut self) -> &mut [T];
            pub fn as_slices(&self) -> (&[T], &[T]) {
                (&self[..], &self[..0])
            }
            #[native(list_resize)]
            pub fn resize(&mut self, length: usize, value: T);
            #[native(list_resize, 1)]
            pub fn resize_with(&mut self, length: usize, f: impl FnMut() -> T);
            pub fn split_off(&mut self, at: usize) -> VecDeque<T> {
                assert!(at <= self.len(), "`at` split index (is {}) should be <= len (is {})", at, self.len());
                self.drain(at..).collect()
            }
            pub fn range(&self, range: impl RangeOf<usize>) -> Iter<&T> {
                self.part(range).iter()
            }
            pub fn range_mut(&mut self, range: impl RangeOf<usize>) -> Iter<&mut T> {
                self.part_mut(range).iter_mut()
            }
            pub fn swap_remove_back(&mut self, index: usize) -> Option<T> {
                let last = self.len().wrapping_sub(1);
                if index > last { return None; }
                self.swap(index, last);
                self.pop_back()
            }
            pub fn swap_remove_front(&mut self, index: usize) -> Option<T> {
                if index >= self.len() { return None; }
                self.swap(index, 0);
                self.pop_front()
            }
            pub fn capacity(&self) -> usize {
                self.len()
            }
            #[native(system_do_nothing)]
            pub fn reserve(&mut self, more: usize);
            #[native(system_do_nothing)]
            pub fn shrink_to_fit(&mut self);
            #[native(list_remove)]
            fn take_at(&mut self, index: usize) -> T;
        }
        pub struct BinaryHeap<T>;
        impl<T> BinaryHeap<T> {
            #[native(list_new_empty)]
            pub fn new() -> BinaryHeap<T>;
            #[native(list_new_empty, 1)]
            pub fn with_capacity(capacity: usize) -> BinaryHeap<T>;
            pub fn from<I: IntoIterator<T>>(items: I) -> BinaryHeap<T> {
                items.into_iter().collect()
            }
            pub fn from_iter<I: IntoIterator<T>>(items: I) -> BinaryHeap<T> {
                items.into_iter().collect()
            }
            #[native(heap_push_value)]
            pub fn push(&mut self, value: T);
            #[native(list_pop, END_LAST)]
            pub fn pop(&mut self) -> Option<T>;
            #[native(list_end_item, END_LAST)]
            pub fn peek(&self) -> Option<&T>;
            #[native(list_length)]
            pub fn len(&self) -> usize;
            #[native(list_length, 1)]
            pub fn is_empty(&self) -> bool;
            #[native(list_clear)]
            pub fn clear(&mut self);
            #[native(list_iterate)]
            pub fn iter(&self) -> Iter<&T>;
            #[native(list_iterate, 1)]
            pub fn into_iter(self) -> Iter<T>;
            pub fn drain(&mut self) -> Iter<T> {
                std::mem::take(self).into_iter()
            }
            #[native(list_itself)]
            pub fn into_vec(self) -> Vec<T>;
            #[native(list_itself)]
            pub fn into_sorted_vec(self) -> Vec<T>;
            #[native(heap_extend)]
            pub fn extend<I: IntoOwned<T>>(&mut self, items: I);
            pub fn append(&mut self, other: &mut BinaryHeap<T>) {
                self.extend(other.drain())
            }
            #[native(list_retain)]
            pub fn retain(&mut self, f: impl FnMut(&T) -> bool);
        }
        pub mod hash_map {
            pub use std::collections::Entry;
            pub use std::collections::OccupiedEntry;
            pub use std::collections::VacantEntry;
            pub use std::collections::HashMap;
        }
        pub mod btree_map {
            pub use std::collections::Entry;
            pub use std::collections::OccupiedEntry;
            pub use std::collections::VacantEntry;
            pub use std::collections::BTreeMap;
        }
        pub mod hash_set {
            pub use std::collections::HashSet;
        }
        pub mod btree_set {
            pub use std::collections::BTreeSet;
        }
        pub mod vec_deque {
            pub use std::collections::VecDeque;
        }
        pub mod binary_heap {
            pub use std::collections::BinaryHeap;
        }
    }
    pub mod rc {
        pub struct Rc<T>;
        impl<T> Rc<T> {
            #[native(shared_new_counted)]
            pub fn new(value: T) -> Rc<T>;
            #[native(shared_new_cyclic)]
            pub fn new_cyclic(f: impl FnOnce(&Weak<T>) -> T) -> Rc<T>;
            #[native(shared_counted_from)]
            pub fn from<U>(value: U) -> Rc<T>;
            #[native(shared_clone_owner)]
            pub fn clone(&self) -> Rc<T>;
            #[native(shared_same_place)]
            pub fn ptr_eq(this: &Rc<T>, other: &Rc<T>) -> bool;
            #[native(shared_count_owners, COUNT_STRONG)]
            pub fn strong_count(this: &Rc<T>) -> usize;
            #[native(shared_count_owners, COUNT_WEAK)]
            pub fn weak_count(this: &Rc<T>) -> usize;
            #[native(shared_downgrade)]
            pub fn downgrade(this: &Rc<T>) -> Weak<T>;
            #[native(shared_try_unwrap)]
            pub fn try_unwrap(this: Rc<T>) -> std::prelude::Result<T, Rc<T>>;
            pub fn into_inner(this: Rc<T>) -> Option<T> {
                Rc::try_unwrap(this).ok()
            }
            pub fn unwrap_or_clone(this: Rc<T>) -> T {
                match Rc::try_unwrap(this) {
                    Ok(value) => value,
                    Err(shared) => (*shared).clone(),
                }
            }
            #[native(shared_get_mut)]
            pub fn get_mut(this: &mut Rc<T>) -> Option<&mut T>;
            #[native(shared_make_mut)]
            pub fn make_mut(this: &mut Rc<T>) -> &mut T;
        }
        pub struct Weak<T>;
        impl<T> Weak<T> {
            #[native(shared_new_weak)]
            pub fn new() -> Weak<T>;
            #[native(shared_upgrade)]
            pub fn upgrade(&self) -> Option<Rc<T>>;
            #[native(shared_clone_owner)]
            pub fn clone(&self) -> Weak<T>;
            #[native(shared_count_owners, COUNT_STRONG)]
            pub fn strong_count(&self) -> usize;
            #[native(shared_count_owners, COUNT_WEAK)]
            pub fn weak_count(&self) -> usize;
            #[native(shared_same_place)]
            pub fn ptr_eq(&self, other: &Weak<T>) -> bool;
        }
    }
    pub mod sync {
        pub struct Arc<T>;
        impl<T> Arc<T> {
            #[native(shared_new_counted)]
            pub fn new(value: T) -> Arc<T>;
            #[native(shared_new_cyclic)]
            pub fn new_cyclic(f: impl FnOnce(&Weak<T>) -> T) -> Arc<T>;
            #[native(shared_counted_from)]
            pub fn from<U>(value: U) -> Arc<T>;
            #[native(shared_clone_owner)]
            pub fn clone(&self) -> Arc<T>;
            #[native(shared_same_place)]
            pub fn ptr_eq(this: &Arc<T>, other: &Arc<T>) -> bool;
            #[native(shared_count_owners, COUNT_STRONG)]
            pub fn strong_count(this: &Arc<T>) -> usize;
            #[native(shared_count_owners, COUNT_WEAK)]
            pub fn weak_count(this: &Arc<T>) -> usize;
            #[native(shared_downgrade)]
            pub fn downgrade(this: &Arc<T>) -> Weak<T>;
            #[native(shared_try_unwrap)]
            pub fn try_unwrap(this: Arc<T>) -> std::prelude::Result<T, Arc<T>>;
            pub fn into_inner(this: Arc<T>) -> Option<T> {
                Arc::try_unwrap(this).ok()
            }
            pub fn unwrap_or_clone(this: Arc<T>) -> T {
                match Arc::try_unwrap(this) {
                    Ok(value) => value,
                    Err(shared) => (*shared).clone(),
                }
            }
            #[native(shared_get_mut)]
            pub fn get_mut(this: &mut Arc<T>) -> Option<&mut T>;
            #[native(shared_make_mut)]
            pub fn make_mut(this: &mut Arc<T>) -> &mut T;
        }
        pub struct Weak<T>;
        impl<T> Weak<T> {
            #[native(shared_new_weak)]
            pub fn new() -> Weak<T>;
            #[native(shared_upgrade)]
            pub fn upgrade(&self) -> Option<Arc<T>>;
            #[native(shared_clone_owner)]
            pub fn clone(&self) -> Weak<T>;
            #[native(shared_count_owners, COUNT_STRONG)]
            pub fn strong_count(&self) -> usize;
            #[native(shared_count_owners, COUNT_WEAK)]
            pub fn weak_count(&self) -> usize;
            #[native(shared_same_place)]
            pub fn ptr_eq(&self, other: &Weak<T>) -> bool;
        }
        pub struct MutexGuard<T>;
        pub struct RwLockReadGuard<T>;
        pub struct RwLockWriteGuard<T>;
        pub use std::prelude::Error as PoisonError;
        pub struct Mutex<T>;
        impl<T> Mutex<T> {
            #[native(shared_new_cell)]
            pub fn new(value: T) -> Mutex<T>;
            #[native(shared_borrow, BORROW_MUT | BORROW_LOCK)]
            pub fn lock(&self) -> std::prelude::Result<MutexGuard<T>, std::prelude::Error>;
            #[native(shared_borrow, BORROW_MUT | BORROW_TRY | BORROW_LOCK)]
            pub fn try_lock(&self) -> std::prelude::Result<MutexGuard<T>, std::prelude::Error>;
            pub fn get_mut(&mut self) -> std::prelude::Result<&mut T, std::prelude::Error> {
                Ok(self.place_mut())
            }
            #[native(shared_use_cell, CELL_REF)]
            fn place_mut(&mut self) -> &mut T;
            #[native(shared_use_cell, CELL_INTO)]
            pub fn into_inner(self) -> std::prelude::Result<T, std::prelude::Error>;
            pub fn is_poisoned(&self) -> bool {
                false
            }
        }
        pub struct RwLock<T>;
        impl<T> RwLock<T> {
            #[native(shared_new_cell)]
            pub fn new(value: T) -> RwLock<T>;
            #[native(shared_borrow, BORROW_LOCK)]
            pub fn read(&self) -> std::prelude::Result<RwLockReadGuard<T>, std::prelude::Error>;
            #[native(shared_borrow, BORROW_MUT | BORROW_LOCK)]
            pub fn write(&self) -> std::prelude::Result<RwLockWriteGuard<T>, std::prelude::Error>;
            #[native(shared_borrow, BORROW_TRY | BORROW_LOCK)]
            pub fn try_read(&self) -> std::prelude::Result<RwLockReadGuard<T>, std::prelude::Error>;
            #[native(shared_borrow, BORROW_MUT | BORROW_TRY | BORROW_LOCK)]
            pub fn try_write(&self) -> std::prelude::Result<RwLockWriteGuard<T>, std::prelude::Error>;
            pub fn get_mut(&mut self) -> std::prelude::Result<&mut T, std::prelude::Error> {
                Ok(self.place_mut())
            }
            #[native(shared_use_cell, CELL_REF)]
            fn place_mut(&mut self) -> &mut T;
            #[native(shared_use_cell, CELL_INTO)]
            pub fn into_inner(self) -> std::prelude::Result<T, std::prelude::Error>;
        }
        pub struct OnceLock<T>;
        impl<T> OnceLock<T> {
            #[native(shared_new_once)]
            pub fn new() -> OnceLock<T>;
            pub fn get(&self) -> Option<&T> {
                self.place().as_ref()
            }
            pub fn get_mut(&mut self) -> Option<&mut T> {
                self.place().as_mut()
            }
            pub fn set(&self, value: T) -> std::prelude::Result<(), T> {
                if self.get().is_some() { return Err(value); }
                *self.place() = Some(value);
                Ok(())
            }
            pub fn get_or_init(&self, f: impl FnOnce() -> T) -> &T {
                if self.get().is_none() {
                    let made = f();
                    *self.place() = Some(made);
                }
                self.get().unwrap()
            }
            #[native(shared_use_cell, CELL_INTO)]
            pub fn into_inner(self) -> Option<T>;
            #[native(shared_use_cell, CELL_REF)]
            fn place(&self) -> &mut Option<T>;
        }
        pub struct LazyLock<T>;
        impl<T> LazyLock<T> {
            #[native(shared_new_lazy)]
            pub fn new(f: impl FnOnce() -> T) -> LazyLock<T>;
        }
        pub mod atomic {
            pub enum Ordering {
                Relaxed,
                Release,
                Acquire,
                AcqRel,
                SeqCst,
            }
            pub struct AtomicBool;
            impl AtomicBool {
                #[native(shared_new_cell)]
                pub fn new(value: bool) -> AtomicBool;
                #[native(shared_use_cell, CELL_GET)]
                pub fn load(&self, order: Ordering) -> bool;
                #[native(shared_use_cell, CELL_SET)]
                pub fn store(&self, value: bool, order: Ordering);
                #[native(shared_use_cell, CELL_REPLACE)]
                pub fn swap(&self, value: bool, order: Ordering) -> bool;
                #[native(shared_use_atomic, ATOMIC_AND)]
                pub fn fetch_and(&self, value: bool, order: Ordering) -> bool;
                #[native(shared_use_atomic, ATOMIC_OR)]
                pub fn fetch_or(&self, value: bool, order: Ordering) -> bool;
                #[native(shared_use_atomic, ATOMIC_XOR)]
                pub fn fetch_xor(&self, value: bool, order: Ordering) -> bool;
                #[native(shared_use_atomic, ATOMIC_EXCHANGE)]
                pub fn compare_exchange(&self, old: bool, new: bool, good: Ordering, bad: Ordering) -> std::prelude::Result<bool, bool>;
                #[native(shared_use_atomic, ATOMIC_EXCHANGE)]
                pub fn compare_exchange_weak(&self, old: bool, new: bool, good: Ordering, bad: Ordering) -> std::prelude::Result<bool, bool>;
                #[native(shared_use_atomic, ATOMIC_UPDATE)]
                pub fn fetch_update(&self, good: Ordering, bad: Ordering, f: impl FnMut(bool) -> Option<bool>) -> std::prelude::Result<bool, bool>;
                #[native(shared_use_cell, CELL_REF)]
                pub fn get_mut(&mut self) -> &mut bool;
                #[native(shared_use_cell, CELL_GET)]
                pub fn into_inner(self) -> bool;
            }
            pub struct AtomicI8;
            impl AtomicI8 {
                #[native(shared_new_cell)]
                pub fn new(value: i8) -> AtomicI8;
                #[native(shared_use_cell, CELL_GET)]
                pub fn load(&self, order: Ordering) -> i8;
                #[native(shared_use_cell, CELL_SET)]
                pub fn store(&self, value: i8, order: Ordering);
                #[native(shared_use_cell, CELL_REPLACE)]
                pub fn swap(&self, value: i8, order: Ordering) -> i8;
                #[native(shared_use_atomic, ATOMIC_ADD)]
                pub fn fetch_add(&self, value: i8, order: Ordering) -> i8;
                #[native(shared_use_atomic, ATOMIC_SUB)]
                pub fn fetch_sub(&self, value: i8, order: Ordering) -> i8;
                #[native(shared_use_atomic, ATOMIC_MAX)]
                pub fn fetch_max(&self, value: i8, order: Ordering) -> i8;
                #[native(shared_use_atomic, ATOMIC_MIN)]
                pub fn fetch_min(&self, value: i8, order: Ordering) -> i8;
                #[native(shared_use_atomic, ATOMIC_AND)]
                pub fn fetch_and(&self, value: i8, order: Ordering) -> i8;
                #[native(shared_use_atomic, ATOMIC_OR)]
                pub fn fetch_or(&self, value: i8, order: Ordering) -> i8;
                #[native(shared_use_atomic, ATOMIC_XOR)]
                pub fn fetch_xor(&self, value: i8, order: Ordering) -> i8;
                #[native(shared_use_atomic, ATOMIC_EXCHANGE)]
                pub fn compare_exchange(&self, old: i8, new: i8, good: Ordering, bad: Ordering) -> std::prelude::Result<i8, i8>;
                #[native(shared_use_atomic, ATOMIC_EXCHANGE)]
                pub fn compare_exchange_weak(&self, old: i8, new: i8, good: Ordering, bad: Ordering) -> std::prelude::Result<i8, i8>;
                #[native(shared_use_atomic, ATOMIC_UPDATE)]
                pub fn fetch_update(&self, good: Ordering, bad: Ordering, f: impl FnMut(i8) -> Option<i8>) -> std::prelude::Result<i8, i8>;
                #[native(shared_use_cell, CELL_REF)]
                pub fn get_mut(&mut self) -> &mut i8;
                #[native(shared_use_cell, CELL_GET)]
                pub fn into_inner(self) -> i8;
            }
            pub struct AtomicI16;
            impl AtomicI16 {
                #[native(shared_new_cell)]
                pub fn new(value: i16) -> AtomicI16;
                #[native(shared_use_cell, CELL_GET)]
                pub fn load(&self, order: Ordering) -> i16;
                #[native(shared_use_cell, CELL_SET)]
                pub fn store(&self, value: i16, order: Ordering);
                #[native(shared_use_cell, CELL_REPLACE)]
                pub fn swap(&self, value: i16, order: Ordering) -> i16;
                #[native(shared_use_atomic, ATOMIC_ADD)]
                pub fn fetch_add(&self, value: i16, order: Ordering) -> i16;
                #[native(shared_use_atomic, ATOMIC_SUB)]
                pub fn fetch_sub(&self, value: i16, order: Ordering) -> i16;
                #[native(shared_use_atomic, ATOMIC_MAX)]
                pub fn fetch_max(&self, value: i16, order: Ordering) -> i16;
                #[native(shared_use_atomic, ATOMIC_MIN)]
                pub fn fetch_min(&self, value: i16, order: Ordering) -> i16;
                #[native(shared_use_atomic, ATOMIC_AND)]
                pub fn fetch_and(&self, value: i16, order: Ordering) -> i16;
                #[native(shared_use_atomic, ATOMIC_OR)]
                pub fn fetch_or(&self, value: i16, order: Ordering) -> i16;
                #[native(shared_use_atomic, ATOMIC_XOR)]
                pub fn fetch_xor(&self, value: i16, order: Ordering) -> i16;
                #[native(shared_use_atomic, ATOMIC_EXCHANGE)]
                pub fn compare_exchange(&self, old: i16, new: i16, good: Ordering, bad: Ordering) -> std::prelude::Result<i16, i16>;
                #[native(shared_use_atomic, ATOMIC_EXCHANGE)]
                pub fn compare_exchange_weak(&self, old: i16, new: i16, good: Ordering, bad: Ordering) -> std::prelude::Result<i16, i16>;
                #[native(shared_use_atomic, ATOMIC_UPDATE)]
                pub fn fetch_update(&self, good: Ordering, bad: Ordering, f: impl FnMut(i16) -> Option<i16>) -> std::prelude::Result<i16, i16>;
                #[native(shared_use_cell, CELL_REF)]
                pub fn get_mut(&mut self) -> &mut i16;
                #[native(shared_use_cell, CELL_GET)]
                pub fn into_inner(self) -> i16;
            }
            pub struct AtomicI32;
            impl AtomicI32 {
                #[native(shared_new_cell)]
                pub fn new(value: i32) -> AtomicI32;
                #[native(shared_use_cell, CELL_GET)]
                pub fn load(&self, order: Ordering) -> i32;
                #[native(shared_use_cell, CELL_SET)]
                pub fn store(&self, value: i32, order: Ordering);
                #[native(shared_use_cell, CELL_REPLACE)]
                pub fn swap(&self, value: i32, order: Ordering) -> i32;
                #[native(shared_use_atomic, ATOMIC_ADD)]
                pub fn fetch_add(&self, value: i32, order: Ordering) -> i32;
                #[native(shared_use_atomic, ATOMIC_SUB)]
                pub fn fetch_sub(&self, value: i32, order: Ordering) -> i32;
                #[native(shared_use_atomic, ATOMIC_MAX)]
                pub fn fetch_max(&self, value: i32, order: Ordering) -> i32;
                #[native(shared_use_atomic, ATOMIC_MIN)]
                pub fn fetch_min(&self, value: i32, order: Ordering) -> i32;
                #[native(shared_use_atomic, ATOMIC_AND)]
                pub fn fetch_and(&self, value: i32, order: Ordering) -> i32;
                #[native(shared_use_atomic, ATOMIC_OR)]
                pub fn fetch_or(&self, value: i32, order: Ordering) -> i32;
                #[native(shared_use_atomic, ATOMIC_XOR)]
                pub fn fetch_xor(&self, value: i32, order: Ordering) -> i32;
                #[native(shared_use_atomic, ATOMIC_EXCHANGE)]
                pub fn compare_exchange(&self, old: i32, new: i32, good: Ordering, bad: Ordering) -> std::prelude::Result<i32, i32>;
                #[native(shared_use_atomic, ATOMIC_EXCHANGE)]
                pub fn compare_exchange_weak(&self, old: i32, new: i32, good: Ordering, bad: Ordering) -> std::prelude::Result<i32, i32>;
                #[native(shared_use_atomic, ATOMIC_UPDATE)]
                pub fn fetch_update(&self, good: Ordering, bad: Ordering, f: impl FnMut(i32) -> Option<i32>) -> std::prelude::Result<i32, i32>;
                #[native(shared_use_cell, CELL_REF)]
                pub fn get_mut(&mut self) -> &mut i32;
                #[native(shared_use_cell, CELL_GET)]
                pub fn into_inner(self) -> i32;
            }
            pub struct AtomicI64;
            impl AtomicI64 {
                #[native(shared_new_cell)]
                pub fn new(value: i64) -> AtomicI64;
                #[native(shared_use_cell, CELL_GET)]
                pub fn load(&self, order: Ordering) -> i64;
                #[native(shared_use_cell, CELL_SET)]
                pub fn store(&self, value: i64, order: Ordering);
                #[native(shared_use_cell, CELL_REPLACE)]
                pub fn swap(&self, value: i64, order: Ordering) -> i64;
                #[native(shared_use_atomic, ATOMIC_ADD)]
                pub fn fetch_add(&self, value: i64, order: Ordering) -> i64;
                #[native(shared_use_atomic, ATOMIC_SUB)]
                pub fn fetch_sub(&self, value: i64, order: Ordering) -> i64;
                #[native(shared_use_atomic, ATOMIC_MAX)]
                pub fn fetch_max(&self, value: i64, order: Ordering) -> i64;
                #[native(shared_use_atomic, ATOMIC_MIN)]
                pub fn fetch_min(&self, value: i64, order: Ordering) -> i64;
                #[native(shared_use_atomic, ATOMIC_AND)]
                pub fn fetch_and(&self, value: i64, order: Ordering) -> i64;
                #[native(shared_use_atomic, ATOMIC_OR)]
                pub fn fetch_or(&self, value: i64, order: Ordering) -> i64;
                #[native(shared_use_atomic, ATOMIC_XOR)]
                pub fn fetch_xor(&self, value: i64, order: Ordering) -> i64;
                #[native(shared_use_atomic, ATOMIC_EXCHANGE)]
                pub fn compare_exchange(&self, old: i64, new: i64, good: Ordering, bad: Ordering) -> std::prelude::Result<i64, i64>;
                #[native(shared_use_atomic, ATOMIC_EXCHANGE)]
                pub fn compare_exchange_weak(&self, old: i64, new: i64, good: Ordering, bad: Ordering) -> std::prelude::Result<i64, i64>;
                #[native(shared_use_atomic, ATOMIC_UPDATE)]
                pub fn fetch_update(&self, good: Ordering, bad: Ordering, f: impl FnMut(i64) -> Option<i64>) -> std::prelude::Result<i64, i64>;
                #[native(shared_use_cell, CELL_REF)]
                pub fn get_mut(&mut self) -> &mut i64;
                #[native(shared_use_cell, CELL_GET)]
                pub fn into_inner(self) -> i64;
            }
            pub struct AtomicIsize;
            impl AtomicIsize {
                #[native(shared_new_cell)]
                pub fn new(value: isize) -> AtomicIsize;
                #[native(shared_use_cell, CELL_GET)]
                pub fn load(&self, order: Ordering) -> isize;
                #[native(shared_use_cell, CELL_SET)]
                pub fn store(&self, value: isize, order: Ordering);
                #[native(shared_use_cell, CELL_REPLACE)]
                pub fn swap(&self, value: isize, order: Ordering) -> isize;
                #[native(shared_use_atomic, ATOMIC_ADD)]
                pub fn fetch_add(&self, value: isize, order: Ordering) -> isize;
                #[native(shared_use_atomic, ATOMIC_SUB)]
                pub fn fetch_sub(&self, value: isize, order: Ordering) -> isize;
                #[native(shared_use_atomic, ATOMIC_MAX)]
                pub fn fetch_max(&self, value: isize, order: Ordering) -> isize;
                #[native(shared_use_atomic, ATOMIC_MIN)]
                pub fn fetch_min(&self, value: isize, order: Ordering) -> isize;
                #[native(shared_use_atomic, ATOMIC_AND)]
                pub fn fetch_and(&self, value: isize, order: Ordering) -> isize;
                #[native(shared_use_atomic, ATOMIC_OR)]
                pub fn fetch_or(&self, value: isize, order: Ordering) -> isize;
                #[native(shared_use_atomic, ATOMIC_XOR)]
                pub fn fetch_xor(&self, value: isize, order: Ordering) -> isize;
                #[native(shared_use_atomic, ATOMIC_EXCHANGE)]
                pub fn compare_exchange(&self, old: isize, new: isize, good: Ordering, bad: Ordering) -> std::prelude::Result<isize, isize>;
                #[native(shared_use_atomic, ATOMIC_EXCHANGE)]
                pub fn compare_exchange_weak(&self, old: isize, new: isize, good: Ordering, bad: Ordering) -> std::prelude::Result<isize, isize>;
                #[native(shared_use_atomic, ATOMIC_UPDATE)]
                pub fn fetch_update(&self, good: Ordering, bad: Ordering, f: impl FnMut(isize) -> Option<isize>) -> std::prelude::Result<isize, isize>;
                #[native(shared_use_cell, CELL_REF)]
                pub fn get_mut(&mut self) -> &mut isize;
                #[native(shared_use_cell, CELL_GET)]
                pub fn into_inner(self) -> isize;
            }
            pub struct AtomicU8;
            impl AtomicU8 {
                #[native(shared_new_cell)]
                pub fn new(value: u8) -> AtomicU8;
                #[native(shared_use_cell, CELL_GET)]
                pub fn load(&self, order: Ordering) -> u8;
                #[native(shared_use_cell, CELL_SET)]
                pub fn store(&self, value: u8, order: Ordering);
                #[native(shared_use_cell, CELL_REPLACE)]
                pub fn swap(&self, value: u8, order: Ordering) -> u8;
                #[native(shared_use_atomic, ATOMIC_ADD)]
                pub fn fetch_add(&self, value: u8, order: Ordering) -> u8;
                #[native(shared_use_atomic, ATOMIC_SUB)]
                pub fn fetch_sub(&self, value: u8, order: Ordering) -> u8;
                #[native(shared_use_atomic, ATOMIC_MAX)]
                pub fn fetch_max(&self, value: u8, order: Ordering) -> u8;
                #[native(shared_use_atomic, ATOMIC_MIN)]
                pub fn fetch_min(&self, value: u8, order: Ordering) -> u8;
                #[native(shared_use_atomic, ATOMIC_AND)]
                pub fn fetch_and(&self, value: u8, order: Ordering) -> u8;
                #[native(shared_use_atomic, ATOMIC_OR)]
                pub fn fetch_or(&self, value: u8, order: Ordering) -> u8;
                #[native(shared_use_atomic, ATOMIC_XOR)]
                pub fn fetch_xor(&self, value: u8, order: Ordering) -> u8;
                #[native(shared_use_atomic, ATOMIC_EXCHANGE)]
                pub fn compare_exchange(&self, old: u8, new: u8, good: Ordering, bad: Ordering) -> std::prelude::Result<u8, u8>;
                #[native(shared_use_atomic, ATOMIC_EXCHANGE)]
                pub fn compare_exchange_weak(&self, old: u8, new: u8, good: Ordering, bad: Ordering) -> std::prelude::Result<u8, u8>;
                #[native(shared_use_atomic, ATOMIC_UPDATE)]
                pub fn fetch_update(&self, good: Ordering, bad: Ordering, f: impl FnMut(u8) -> Option<u8>) -> std::prelude::Result<u8, u8>;
                #[native(shared_use_cell, CELL_REF)]
                pub fn get_mut(&mut self) -> &mut u8;
                #[native(shared_use_cell, CELL_GET)]
                pub fn into_inner(self) -> u8;
            }
            pub struct AtomicU16;
            impl AtomicU16 {
                #[native(shared_new_cell)]
                pub fn new(value: u16) -> AtomicU16;
                #[native(shared_use_cell, CELL_GET)]
                pub fn load(&self, order: Ordering) -> u16;
                #[native(shared_use_cell, CELL_SET)]
                pub fn store(&self, value: u16, order: Ordering);
                #[native(shared_use_cell, CELL_REPLACE)]
                pub fn swap(&self, value: u16, order: Ordering) -> u16;
                #[native(shared_use_atomic, ATOMIC_ADD)]
                pub fn fetch_add(&self, value: u16, order: Ordering) -> u16;
                #[native(shared_use_atomic, ATOMIC_SUB)]
                pub fn fetch_sub(&self, value: u16, order: Ordering) -> u16;
                #[native(shared_use_atomic, ATOMIC_MAX)]
                pub fn fetch_max(&self, value: u16, order: Ordering) -> u16;
                #[native(shared_use_atomic, ATOMIC_MIN)]
                pub fn fetch_min(&self, value: u16, order: Ordering) -> u16;
                #[native(shared_use_atomic, ATOMIC_AND)]
                pub fn fetch_and(&self, value: u16, order: Ordering) -> u16;
                #[native(shared_use_atomic, ATOMIC_OR)]
                pub fn fetch_or(&self, value: u16, order: Ordering) -> u16;
                #[native(shared_use_atomic, ATOMIC_XOR)]
                pub fn fetch_xor(&self, value: u16, order: Ordering) -> u16;
                #[native(shared_use_atomic, ATOMIC_EXCHANGE)]
                pub fn compare_exchange(&self, old: u16, new: u16, good: Ordering, bad: Ordering) -> std::prelude::Result<u16, u16>;
                #[native(shared_use_atomic, ATOMIC_EXCHANGE)]
                pub fn compare_exchange_weak(&self, old: u16, new: u16, good: Ordering, bad: Ordering) -> std::prelude::Result<u16, u16>;
                #[native(shared_use_atomic, ATOMIC_UPDATE)]
                pub fn fetch_update(&self, good: Ordering, bad: Ordering, f: impl FnMut(u16) -> Option<u16>) -> std::prelude::Result<u16, u16>;
                #[native(shared_use_cell, CELL_REF)]
                pub fn get_mut(&mut self) -> &mut u16;
                #[native(shared_use_cell, CELL_GET)]
                pub fn into_inner(self) -> u16;
            }
            pub struct AtomicU32;
            impl AtomicU32 {
                #[native(shared_new_cell)]
                pub fn new(value: u32) -> AtomicU32;
                #[native(shared_use_cell, CELL_GET)]
                pub fn load(&self, order: Ordering) -> u32;
                #[native(shared_use_cell, CELL_SET)]
                pub fn store(&self, value: u32, order: Ordering);
                #[native(shared_use_cell, CELL_REPLACE)]
                pub fn swap(&self, value: u32, order: Ordering) -> u32;
                #[native(shared_use_atomic, ATOMIC_ADD)]
                pub fn fetch_add(&self, value: u32, order: Ordering) -> u32;
                #[native(shared_use_atomic, ATOMIC_SUB)]
                pub fn fetch_sub(&self, value: u32, order: Ordering) -> u32;
                #[native(shared_use_atomic, ATOMIC_MAX)]
                pub fn fetch_max(&self, value: u32, order: Ordering) -> u32;
                #[native(shared_use_atomic, ATOMIC_MIN)]
                pub fn fetch_min(&self, value: u32, order: Ordering) -> u32;
                #[native(shared_use_atomic, ATOMIC_AND)]
                pub fn fetch_and(&self, value: u32, order: Ordering) -> u32;
                #[native(shared_use_atomic, ATOMIC_OR)]
                pub fn fetch_or(&self, value: u32, order: Ordering) -> u32;
                #[native(shared_use_atomic, ATOMIC_XOR)]
                pub fn fetch_xor(&self, value: u32, order: Ordering) -> u32;
                #[native(shared_use_atomic, ATOMIC_EXCHANGE)]
                pub fn compare_exchange(&self, old: u32, new: u32, good: Ordering, bad: Ordering) -> std::prelude::Result<u32, u32>;
                #[native(shared_use_atomic, ATOMIC_EXCHANGE)]
                pub fn compare_exchange_weak(&self, old: u32, new: u32, good: Ordering, bad: Ordering) -> std::prelude::Result<u32, u32>;
                #[native(shared_use_atomic, ATOMIC_UPDATE)]
                pub fn fetch_update(&self, good: Ordering, bad: Ordering, f: impl FnMut(u32) -> Option<u32>) -> std::prelude::Result<u32, u32>;
                #[native(shared_use_cell, CELL_REF)]
                pub fn get_mut(&mut self) -> &mut u32;
                #[native(shared_use_cell, CELL_GET)]
                pub fn into_inner(self) -> u32;
            }
            pub struct AtomicU64;
            impl AtomicU64 {
                #[native(shared_new_cell)]
                pub fn new(value: u64) -> AtomicU64;
                #[native(shared_use_cell, CELL_GET)]
                pub fn load(&self, order: Ordering) -> u64;
                #[native(shared_use_cell, CELL_SET)]
                pub fn store(&self, value: u64, order: Ordering);
                #[native(shared_use_cell, CELL_REPLACE)]
                pub fn swap(&self, value: u64, order: Ordering) -> u64;
                #[native(shared_use_atomic, ATOMIC_ADD)]
                pub fn fetch_add(&self, value: u64, order: Ordering) -> u64;
                #[native(shared_use_atomic, ATOMIC_SUB)]
                pub fn fetch_sub(&self, value: u64, order: Ordering) -> u64;
                #[native(shared_use_atomic, ATOMIC_MAX)]
                pub fn fetch_max(&self, value: u64, order: Ordering) -> u64;
                #[native(shared_use_atomic, ATOMIC_MIN)]
                pub fn fetch_min(&self, value: u64, order: Ordering) -> u64;
                #[native(shared_use_atomic, ATOMIC_AND)]
                pub fn fetch_and(&self, value: u64, order: Ordering) -> u64;
                #[native(shared_use_atomic, ATOMIC_OR)]
                pub fn fetch_or(&self, value: u64, order: Ordering) -> u64;
                #[native(shared_use_atomic, ATOMIC_XOR)]
                pub fn fetch_xor(&self, value: u64, order: Ordering) -> u64;
                #[native(shared_use_atomic, ATOMIC_EXCHANGE)]
                pub fn compare_exchange(&self, old: u64, new: u64, good: Ordering, bad: Ordering) -> std::prelude::Result<u64, u64>;
                #[native(shared_use_atomic, ATOMIC_EXCHANGE)]
                pub fn compare_exchange_weak(&self, old: u64, new: u64, good: Ordering, bad: Ordering) -> std::prelude::Result<u64, u64>;
                #[native(shared_use_atomic, ATOMIC_UPDATE)]
                pub fn fetch_update(&self, good: Ordering, bad: Ordering, f: impl FnMut(u64) -> Option<u64>) -> std::prelude::Result<u64, u64>;
                #[native(shared_use_cell, CELL_REF)]
                pub fn get_mut(&mut self) -> &mut u64;
                #[native(shared_use_cell, CELL_GET)]
                pub fn into_inner(self) -> u64;
            }
            pub struct AtomicUsize;
            impl AtomicUsize {
                #[native(shared_new_cell)]
                pub fn new(value: usize) -> AtomicUsize;
                #[native(shared_use_cell, CELL_GET)]
                pub fn load(&self, order: Ordering) -> usize;
                #[native(shared_use_cell, CELL_SET)]
                pub fn store(&self, value: usize, order: Ordering);
                #[native(shared_use_cell, CELL_REPLACE)]
                pub fn swap(&self, value: usize, order: Ordering) -> usize;
                #[native(shared_use_atomic, ATOMIC_ADD)]
                pub fn fetch_add(&self, value: usize, order: Ordering) -> usize;
                #[native(shared_use_atomic, ATOMIC_SUB)]
                pub fn fetch_sub(&self, value: usize, order: Ordering) -> usize;
                #[native(shared_use_atomic, ATOMIC_MAX)]
                pub fn fetch_max(&self, value: usize, order: Ordering) -> usize;
                #[native(shared_use_atomic, ATOMIC_MIN)]
                pub fn fetch_min(&self, value: usize, order: Ordering) -> usize;
                #[native(shared_use_atomic, ATOMIC_AND)]
                pub fn fetch_and(&self, value: usize, order: Ordering) -> usize;
                #[native(shared_use_atomic, ATOMIC_OR)]
                pub fn fetch_or(&self, value: usize, order: Ordering) -> usize;
                #[native(shared_use_atomic, ATOMIC_XOR)]
                pub fn fetch_xor(&self, value: usize, order: Ordering) -> usize;
                #[native(shared_use_atomic, ATOMIC_EXCHANGE)]
                pub fn compare_exchange(&self, old: usize, new: usize, good: Ordering, bad: Ordering) -> std::prelude::Result<usize, usize>;
                #[native(shared_use_atomic, ATOMIC_EXCHANGE)]
                pub fn compare_exchange_weak(&self, old: usize, new: usize, good: Ordering, bad: Ordering) -> std::prelude::Result<usize, usize>;
                #[native(shared_use_atomic, ATOMIC_UPDATE)]
                pub fn fetch_update(&self, good: Ordering, bad: Ordering, f: impl FnMut(usize) -> Option<usize>) -> std::prelude::Result<usize, usize>;
                #[native(shared_use_cell, CELL_REF)]
                pub fn get_mut(&mut self) -> &mut usize;
                #[native(shared_use_cell, CELL_GET)]
                pub fn into_inner(self) -> usize;
            }
        }
    }
    pub mod cell {
        pub struct Ref<T>;
        impl<T> Ref<T> {
            #[native(shared_map_guard)]
            pub fn map<U>(guard: Ref<T>, f: impl FnOnce(&T) -> &U) -> Ref<U>;
            #[native(shared_clone_owner)]
            pub fn clone(guard: &Ref<T>) -> Ref<T>;
        }
        pub struct RefMut<T>;
        impl<T> RefMut<T> {
            #[native(shared_map_guard)]
            pub fn map<U>(guard: RefMut<T>, f: impl FnOnce(&mut T) -> &mut U) -> RefMut<U>;
        }
        pub use std::prelude::Error as BorrowError;
        pub use std::prelude::Error as BorrowMutError;
        pub struct RefCell<T>;
        impl<T> RefCell<T> {
            #[native(shared_new_cell)]
            pub fn new(value: T) -> RefCell<T>;
            #[native(shared_borrow)]
            pub fn borrow(&self) -> Ref<T>;
            #[native(shared_borrow, BORROW_MUT)]
            pub fn borrow_mut(&self) -> RefMut<T>;
            #[native(shared_borrow, BORROW_TRY)]
            pub fn try_borrow(&self) -> std::prelude::Result<Ref<T>, std::prelude::Error>;
            #[native(shared_borrow, BORROW_MUT | BORROW_TRY)]
            pub fn try_borrow_mut(&self) -> std::prelude::Result<RefMut<T>, std::prelude::Error>;
            #[native(shared_use_cell, CELL_REF)]
            pub fn get_mut(&mut self) -> &mut T;
            #[native(shared_use_cell, CELL_REPLACE)]
            pub fn replace(&self, value: T) -> T;
            pub fn replace_with(&self, f: impl FnOnce(&mut T) -> T) -> T {
                let made = f(&mut *self.borrow_mut());
                self.replace(made)
            }
            pub fn take(&self) -> T {
                self.replace(T::default())
            }
            pub fn swap(&self, other: &RefCell<T>) {
                std::mem::swap(&mut *self.borrow_mut(), &mut *other.borrow_mut())
            }
            #[native(shared_use_cell, CELL_INTO)]
            pub fn into_inner(self) -> T;
        }
        pub struct Cell<T>;
        impl<T> Cell<T> {
            #[native(shared_new_cell)]
            pub fn new(value: T) -> Cell<T>;
            #[native(shared_use_cell, CELL_GET)]
            pub fn get(&self) -> T;
            #[native(shared_use_cell, CELL_SET)]
            pub fn set(&self, value: T);
            #[native(shared_use_cell, CELL_REPLACE)]
            pub fn replace(&self, value: T) -> T;
            pub fn take(&self) -> T {
                self.replace(T::default())
            }
            pub fn swap(&self, other: &Cell<T>) {
                let first = self.get();
                self.set(other.replace(first))
            }
            pub fn update(&self, f: impl FnOnce(T) -> T) {
                self.set(f(self.get()))
            }
            #[native(shared_use_cell, CELL_REF)]
            pub fn get_mut(&mut self) -> &mut T;
            #[native(shared_use_cell, CELL_INTO)]
            pub fn into_inner(self) -> T;
        }
        pub struct OnceCell<T>;
        impl<T> OnceCell<T> {
            #[native(shared_new_once)]
            pub fn new() -> OnceCell<T>;
            pub fn get(&self) -> Option<&T> {
                self.place().as_ref()
            }
            pub fn get_mut(&mut self) -> Option<&mut T> {
                self.place().as_mut()
            }
            pub fn set(&self, value: T) -> std::prelude::Result<(), T> {
                if self.get().is_some() { return Err(value); }
                *self.place() = Some(value);
                Ok(())
            }
            pub fn get_or_init(&self, f: impl FnOnce() -> T) -> &T {
                if self.get().is_none() {
                    let made = f();
                    *self.place() = Some(made);
                }
                self.get().unwrap()
            }
            #[native(shared_use_cell, CELL_INTO)]
            pub fn into_inner(self) -> Option<T>;
            #[native(shared_use_cell, CELL_REF)]
            fn place(&self) -> &mut Option<T>;
        }
        pub struct LazyCell<T>;
        impl<T> LazyCell<T> {
            #[native(shared_new_lazy)]
            pub fn new(f: impl FnOnce() -> T) -> LazyCell<T>;
        }
    }
    pub mod num {
        pub use std::prelude::ParseIntError;
        pub use std::prelude::ParseFloatError;
        pub use std::prelude::Error as TryFromIntError;
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub enum IntErrorKind {
            Empty,
            InvalidDigit,
            PosOverflow,
            NegOverflow,
            Zero,
        }
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum FpCategory {
            Nan,
            Infinite,
            Zero,
            Subnormal,
            Normal,
        }
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        pub struct Wrapping<T>(pub T);
        impl<T> std::ops::Add<Wrapping<T>> for Wrapping<T> {
            type Output = Wrapping<T>;
            fn add(self, other: Wrapping<T>) -> Wrapping<T> {
                Wrapping(self.0 + other.0)
            }
        }
        impl<T> std::ops::AddAssign<Wrapping<T>> for Wrapping<T> {
            fn add_assign(&mut self, other: Wrapping<T>) {
                self.0 = self.0 + other.0;
            }
        }
        impl<T> std::ops::Sub<Wrapping<T>> for Wrapping<T> {
            type Output = Wrapping<T>;
            fn sub(self, other: Wrapping<T>) -> Wrapping<T> {
                Wrapping(self.0 - other.0)
            }
        }
        impl<T> std::ops::SubAssign<Wrapping<T>> for Wrapping<T> {
            fn sub_assign(&mut self, other: Wrapping<T>) {
                self.0 = self.0 - other.0;
            }
        }
        impl<T> std::ops::Mul<Wrapping<T>> for Wrapping<T> {
            type Output = Wrapping<T>;
            fn mul(self, other: Wrapping<T>) -> Wrapping<T> {
                Wrapping(self.0 * other.0)
            }
        }
        impl<T> std::ops::MulAssign<Wrapping<T>> for Wrapping<T> {
            fn mul_assign(&mut self, other: Wrapping<T>) {
                self.0 = self.0 * other.0;
            }
        }
        impl<T> std::ops::Div<Wrapping<T>> for Wrapping<T> {
            type Output = Wrapping<T>;
            fn div(self, other: Wrapping<T>) -> Wrapping<T> {
                Wrapping(self.0 / other.0)
            }
        }
        impl<T> std::ops::DivAssign<Wrapping<T>> for Wrapping<T> {
            fn div_assign(&mut self, other: Wrapping<T>) {
                self.0 = self.0 / other.0;
            }
        }
        impl<T> std::ops::Rem<Wrapping<T>> for Wrapping<T> {
            type Output = Wrapping<T>;
            fn rem(self, other: Wrapping<T>) -> Wrapping<T> {
                Wrapping(self.0 % other.0)
            }
        }
        impl<T> std::ops::RemAssign<Wrapping<T>> for Wrapping<T> {
            fn rem_assign(&mut self, other: Wrapping<T>) {
                self.0 = self.0 % other.0;
            }
        }
        impl<T> std::ops::BitAnd<Wrapping<T>> for Wrapping<T> {
            type Output = Wrapping<T>;
            fn bitand(self, other: Wrapping<T>) -> Wrapping<T> {
                Wrapping(self.0 & other.0)
            }
        }
        impl<T> std::ops::BitAndAssign<Wrapping<T>> for Wrapping<T> {
            fn bitand_assign(&mut self, other: Wrapping<T>) {
                self.0 = self.0 & other.0;
            }
        }
        impl<T> std::ops::BitOr<Wrapping<T>> for Wrapping<T> {
            type Output = Wrapping<T>;
            fn bitor(self, other: Wrapping<T>) -> Wrapping<T> {
                Wrapping(self.0 | other.0)
            }
        }
        impl<T> std::ops::BitOrAssign<Wrapping<T>> for Wrapping<T> {
            fn bitor_assign(&mut self, other: Wrapping<T>) {
                self.0 = self.0 | other.0;
            }
        }
        impl<T> std::ops::BitXor<Wrapping<T>> for Wrapping<T> {
            type Output = Wrapping<T>;
            fn bitxor(self, other: Wrapping<T>) -> Wrapping<T> {
                Wrapping(self.0 ^ other.0)
            }
        }
        impl<T> std::ops::BitXorAssign<Wrapping<T>> for Wrapping<T> {
            fn bitxor_assign(&mut self, other: Wrapping<T>) {
                self.0 = self.0 ^ other.0;
            }
        }
    }
    pub mod string {
        pub use std::prelude::String;
        pub use std::prelude::ToString;
        pub use std::prelude::Error as FromUtf8Error;
    }
    pub mod str {
        pub trait FromStr {}
        pub type Chars<'a> = std::prelude::Iter<char>;
        pub type CharIndices<'a> = std::prelude::Iter<(usize, char)>;
        pub type Bytes<'a> = std::prelude::Iter<u8>;
        pub type Lines<'a> = std::prelude::Iter<&'a str>;
        pub type SplitWhitespace<'a> = std::prelude::Iter<&'a str>;
        pub use std::prelude::Error as Utf8Error;
        pub use std::prelude::ParseBoolError;
        #[native(text_from_utf8, UTF8_CHECKED)]
        pub fn from_utf8(bytes: &[u8]) -> std::prelude::Result<&str, std::prelude::Error>;
    }
    pub mod vec {
        pub use std::prelude::Vec;
        pub type IntoIter<T> = Iter<T>;
    }
    pub mod boxed {
        pub use std::prelude::Box;
    }
    pub mod option {
        pub use std::prelude::Option;
    }
    pub mod result {
        pub use std::prelude::Result;
    }
    pub mod default {
        pub use std::prelude::Default;
    }
    pub mod clone {
        pub use std::prelude::Clone;
    }
    pub mod hash {
        pub use std::prelude::Hash;
        pub trait Hasher {}
    }
    pub mod borrow {
        pub trait Borrow {}
        pub use std::prelude::ToOwned;
    }
    pub mod any {
        pub trait Any {}
        #[native]
        pub fn type_name<T>() -> &str;
    }
    pub mod process {
        #[native(system_refuse)]
        pub fn exit(code: i32) -> !;
        #[native(system_refuse)]
        pub fn abort() -> !;
    }
    pub mod thread {
        pub struct JoinHandle<T>;
        impl<T> JoinHandle<T> {
            #[native(system_joined)]
            pub fn join(self) -> std::prelude::Result<T, std::prelude::Error>;
        }
        #[native(system_do_nothing)]
        pub fn sleep(duration: std::time::Duration);
        #[native(system_do_nothing)]
        pub fn yield_now();
        #[native(system_spawn_thread)]
        pub fn spawn<T>(f: impl FnOnce() -> T) -> JoinHandle<T>;
        pub struct Scope;
        impl Scope {
            pub fn spawn<T>(&self, f: impl FnOnce() -> T) -> JoinHandle<T> {
                std::thread::spawn(f)
            }
        }
        pub fn scope<T>(f: impl FnOnce(&Scope) -> T) -> T {
            f(&Scope)
        }
    }
    pub mod fs {
        #[native(system_read_file, READ_BYTES)]
        pub fn read<P>(path: P) -> std::prelude::Result<Vec<u8>, std::prelude::Error>;
        #[native(system_read_file, READ_TEXT)]
        pub fn read_to_string<P>(path: P) -> std::prelude::Result<String, std::prelude::Error>;
        #[native(system_refuse)]
        pub fn write<P, C>(path: P, contents: C) -> std::prelude::Result<(), std::prelude::Error>;
        #[native(system_refuse)]
        pub fn create_dir_all<P>(path: P) -> std::prelude::Result<(), std::prelude::Error>;
        #[native(system_refuse)]
        pub fn remove_file<P>(path: P) -> std::prelude::Result<(), std::prelude::Error>;
        pub struct File;
        impl File {
            #[native(system_refuse)]
            pub fn open<P>(path: P) -> std::prelude::Result<File, std::prelude::Error>;
            #[native(system_refuse)]
            pub fn create<P>(path: P) -> std::prelude::Result<File, std::prelude::Error>;
        }
    }
    pub mod io {
        pub use std::prelude::Error;
        pub type Result<T> = std::prelude::Result<T, std::prelude::Error>;
        pub trait Read {}
        pub trait Write {}
        pub trait BufRead {}
        pub struct Stdout;
        impl Stdout {
            #[native(system_flush)]
            pub fn flush(&mut self) -> std::prelude::Result<(), std::prelude::Error>;
            #[native(system_first_arg)]
            pub fn lock(&self) -> Stdout;
        }
        pub struct Stderr;
        #[native(system_new_unit)]
        pub fn stdout() -> Stdout;
        #[native(system_new_unit)]
        pub fn stderr() -> Stderr;
    }
}
pub mod core {
    pub use std::*;
}
pub mod alloc {
    pub use std::*;
}
pub mod rand {
    pub trait Rng {}
    pub trait RngCore {}
    pub trait SeedableRng {}
    pub mod rngs {
        pub struct SmallRng;
        impl SmallRng {
            #[native(rand_seed, 1)]
            pub fn seed_from_u64(seed: u64) -> SmallRng;
            #[native(rand_seed_bytes)]
            pub fn from_seed(seed: [u8; 32]) -> SmallRng;
            #[native(rand_seed)]
            pub fn from_os_rng() -> SmallRng;
            #[native(rand_seed)]
            pub fn from_entropy() -> SmallRng;
            #[native(rand_random_value)]
            pub fn random<T>(&mut self) -> T;
            #[native(rand_random_value)]
            pub fn gen<T>(&mut self) -> T;
            #[native(rand_random_range)]
            pub fn random_range<T>(&mut self, range: impl RangeOf<T>) -> T;
            #[native(rand_random_range)]
            pub fn gen_range<T>(&mut self, range: impl RangeOf<T>) -> T;
            #[native(rand_random_bool)]
            pub fn random_bool(&mut self, p: f64) -> bool;
            #[native(rand_random_bool)]
            pub fn gen_bool(&mut self, p: f64) -> bool;
            pub fn random_ratio(&mut self, part: u32, whole: u32) -> bool {
                assert!(part <= whole && whole > 0, "p={}/{} is outside range [0.0, 1.0]", part, whole);
                self.random_bool(part as f64 / whole as f64)
            }
            pub fn gen_ratio(&mut self, part: u32, whole: u32) -> bool {
                self.random_ratio(part, whole)
            }
            #[native(rand_random_iter)]
            pub fn random_iter<T>(&mut self) -> Iter<T>;
            #[native(rand_fill)]
            pub fn fill<T>(&mut self, items: &mut [T]);
            #[native(rand_fill)]
            pub fn fill_bytes(&mut self, bytes: &mut [u8]);
            #[native(rand_next_number, 32)]
            pub fn next_u32(&mut self) -> u32;
            #[native(rand_next_number, 64)]
            pub fn next_u64(&mut self) -> u64;
        }
        pub use SmallRng as StdRng;
    }
    #[native(rand_seed)]
    pub fn rng() -> rngs::SmallRng;
    #[native(rand_seed)]
    pub fn thread_rng() -> rngs::SmallRng;
    pub mod seq {
        pub trait SliceRandom {}
        pub trait IndexedRandom {}
        pub trait IndexedMutRandom {}
    }
    pub mod prelude {
        pub use rand::rng;
        pub use rand::thread_rng;
        pub use rand::seq::SliceRandom;
        pub use rand::seq::IndexedRandom;
        pub use rand::seq::IndexedMutRandom;
        pub use rand::Rng;
        pub use rand::RngCore;
        pub use rand::SeedableRng;
        pub use rand::rngs::SmallRng;
        pub use rand::rngs::StdRng;
    }
}
pub mod tokio {
    pub mod runtime {
        pub struct Runtime;
        impl Runtime {
            #[native(system_ok_unit)]
            pub fn new() -> Result<Runtime, Error>;
            #[native(future_block_on)]
            pub fn block_on<T>(&self, future: Future<T>) -> T;
            #[native(future_spawn)]
            pub fn spawn<T>(&self, future: Future<T>) -> Future<Result<T, Error>>;
        }
        pub struct Builder;
        impl Builder {
            #[native(system_do_nothing)]
            pub fn new_current_thread() -> Builder;
            #[native(system_do_nothing)]
            pub fn new_multi_thread() -> Builder;
            #[native(system_do_nothing)]
            pub fn enable_all(&mut self) -> &mut Builder;
            #[native(system_ok_unit)]
            pub fn build(&mut self) -> Result<Runtime, Error>;
        }
    }
    pub mod task {
        pub type JoinHandle<T> = Future<Result<T, Error>>;
        pub use std::prelude::Error as JoinError;
        #[native(future_spawn)]
        pub fn spawn<T>(future: Future<T>) -> JoinHandle<T>;
        #[native(future_yield)]
        fn run_others();
        pub async fn yield_now() {
            run_others()
        }
    }
    pub mod time {
        pub use std::time::Duration;
        pub async fn sleep(duration: Duration) {
            tokio::task::yield_now().await
        }
    }
    #[native(future_spawn)]
    pub fn spawn<T>(future: Future<T>) -> task::JoinHandle<T>;
    #[native]
    pub fn test();
    #[native]
    pub fn main();
}
pub mod futures {
    pub mod future {
        pub use std::prelude::Future;
        pub use std::future::ready;
        pub async fn join_all<T, I: IntoIterator<Future<T>>>(futures: I) -> Vec<T> {
            let mut results = Vec::new();
            for future in futures { results.push(future.await); }
            results
        }
        pub async fn try_join_all<T, E, I: IntoIterator<Future<Result<T, E>>>>(futures: I) -> Result<Vec<T>, E> {
            let mut results = Vec::new();
            for future in futures { results.push(future.await?); }
            Ok(results)
        }
    }
    pub mod executor {
        #[native(future_block_on)]
        pub fn block_on<T>(future: Future<T>) -> T;
    }
}
pub mod half {
    pub mod prelude {}
}
pub mod safetensors {
    pub struct SafeTensorError;
    pub struct SafeTensors;
    impl SafeTensors {
        #[native]
        pub fn deserialize(bytes: &[u8]) -> Result<SafeTensors, SafeTensorError>;
        #[native]
        pub fn tensor(&self, name: &str) -> Result<tensor::TensorView, SafeTensorError>;
        #[native]
        pub fn names(&self) -> Vec<&str>;
        #[native]
        pub fn len(&self) -> usize;
    }
    pub enum Dtype {
        BOOL,
        U8,
        I8,
        F8_E5M2,
        F8_E4M3,
        I16,
        U16,
        F16,
        BF16,
        I32,
        U32,
        F32,
        F64,
        I64,
        U64,
    }
    pub mod tensor {
        pub use safetensors::Dtype;
        pub use safetensors::SafeTensors;
        pub use safetensors::SafeTensorError;
        pub struct TensorView;
        impl TensorView {
            #[native]
            pub fn shape(&self) -> &[usize];
            #[native]
            pub fn data(&self) -> &[u8];
            #[native]
            pub fn dtype(&self) -> Dtype;
        }
    }
}
pub mod env_logger {
    #[native(system_do_nothing)]
    pub fn init();
    #[native(system_ok_unit)]
    pub fn try_init() -> Result<(), Error>;
    #[native(system_do_nothing)]
    pub fn builder() -> Builder;
    pub struct Builder;
    impl Builder {
        #[native(system_do_nothing)]
        pub fn is_test(&mut self, value: bool) -> &mut Builder;
        #[native(system_ok_unit)]
        pub fn try_init(&mut self) -> Result<(), Error>;
        #[native(system_do_nothing)]
        pub fn init(&mut self);
    }
}
pub mod log {
    #[native(system_do_nothing)]
    pub fn set_max_level();
}
