mod common;
#[path = "../shared/helper.rs"]
mod helper;
use crate::common::{check, nested::deep};
use paths_of_modules::{self as mc, gen::parts::*, inline::{outside, plain::y}};
#[test]
fn works() { check(mc::top()); assert_eq!(one() + outside::x() + y() + deep() + helper::h() + self::common::nested::deep(), 12); }
mod more { use super::*; use super::common::nested; #[test] fn again() { check(nested::deep()); check(paths_of_modules::top()); check(crate::helper::h()); } }
