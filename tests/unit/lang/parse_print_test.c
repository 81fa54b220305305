// The grammar: what is read prints as it was written.
#include "parse_support.h"

// ---- expressions

TEST(expressions_print_as_written)
{
    static const PrintCase cases[] = {
        {"a", 0},
        {"-a.b()", 0},
        {"&mut *x", 0},
        {"&&x", 0},
        {"--1", 0},
        {"!a & !b", 0},
        {"*a = b = c", 0},
        {"a += 1 << 2", 0},
        {"a >>= 1", 0},
        // ranges
        {"..", 0},
        {"..b", 0},
        {"a..", 0},
        {"a..=b", 0},
        {"..=b", 0},
        {"f(.., ..)", 0},
        {"v[..n]", 0},
        {"0..19usize", 0},
        // calls, fields, tuples of tuples
        {"a.0.1", 0},
        {"a.0 .1.2", "a.0.1.2"},
        {"a.b.c(d)(e)[f]?", 0},
        {"a.await?.b", 0},
        {"1.max(2)", 0},
        {"1.5_f64.max(2.)", "1.5f64.max(2.0)"},
        {"a.f::<u8, _>(b)", 0},
        {"a.f::<{ N }>()", 0},
        {"&mut ctx.tdma", 0},
        // brackets
        {"()", 0},
        {"(a)", 0},
        {"(a,)", 0},
        {"(a, b,)", "(a, b)"},
        {"[]", 0},
        {"[a, b,]", "[a, b]"},
        {"[[0; 2]; n]", 0},
        {"(_, a) = b", 0},
        // paths
        {"a::b::<u8>::c::<T, 4>", 0},
        {"::a::b", 0},
        {"<T>::X", 0},
        {"<T as a::Tr<u8>>::X", 0},
        {"<<T as A>::B as C>::D", 0},
        {"<m![A, B]>::SIZE", 0},
        {"Vec::<Vec<u8>>::new()", 0},
        {"HbmTensor::<i8, m![1], m![A]>::from_addr(0)", 0},
        {"T::<-1, true, 'a'>", 0},
        {"T::<'a, Item = u8>::f", 0},
        {"Self::new(self, crate::a, super::b)", 0},
        {"r#type", 0},
        {"r#x", "x"},
        // structures, and where they are not
        {"S { a: 1, b, ..c }", "S { a: 1, b: b, ..c }"},
        {"S {}", 0},
        {"S { ..c }", 0},
        {"a::S::<u8> { 0: x, 1: y }", 0},
        {"if a == (S { x: 1 }) {}", 0},
        {"if f(S { x: 1 }) {}", 0},
        {"if a == b {}", 0},
        {"match a {}", "match a {\n    }"},
        // control flow
        {"if a { b } else if c { d } else { e }", 0},
        {"if let Some(x) = a && x > 1 {}", 0},
        {"while let Some(x) = it.next() {}", 0},
        {"'a: loop {}", 0},
        {"'a: while b {}", 0},
        {"'a: { break 'a 1 }", 0},
        {"continue 'a", 0},
        {"return", 0},
        {"return a", 0},
        {"for (i, x) in v.iter().enumerate() {}", 0},
        {"for i in 0..n {}", 0},
        {"match x { 1 => a, 2 | 3 => {} _ if c => { b } _ => d }",
         "match x {\n        1 => a,\n        2 | 3 => {},\n        _ if c => { b },\n"
         "        _ => d,\n    }"},
        {"unsafe { f() }", 0},
        {"async { a }", 0},
        {"async move { a }", 0},
        {"{ a }", 0},
        // closures
        {"|x| x + 1", 0},
        {"|| ()", 0},
        {"move |x: u8, (a, b)| -> u8 { a }", 0},
        {"async |x| x", 0},
        {"|&x| |y| x", 0},
        {"|_| {}", 0},
        // macros
        {"vec![1, 2]", "vec!(1, 2)"},
        {"vec![0; n]", "vec!(0; n)"},
        {"vec![]", "vec!()"},
        {"assert_eq!(a, b, \"{}\", c)", 0},
        {"format!(\"{x}\", x = 1)", 0},
        {"std::println!(\"a\")", "println!(\"a\")"},
        {"foo!(a b [c] $x => 'y)", "foo!(..)"},
        {"matches!(a, Some(x) if x > 1,)",
         "(match (a) {\n        Some(x) if x > 1 => true,\n        _ => false,\n    })"},
        {"i![]", 0},
        {"i![A: 1, B / 2: j + 1,]", "i![A: 1, B / 2: j + 1]"},
        {"i![A, B: 5]", 0},
        {"i![[A, B] # 4: 5, C: 6]", 0},
        {"i!(A: 1)", "i![A: 1]"},
    };
    check_prints(cases, COUNT_OF(cases), "fn f() { let x = ", "; }",
                 "fn f() {\n    let x = ", ";\n}\n");
}

TEST(literals_are_decoded)
{
    static const PrintCase cases[] = {
        {"0", 0},
        {"0x1F", "31"},
        {"0XfF", "255"},
        {"0o17", "15"},
        {"0b1_01", "5"},
        {"1_000u64", "1000u64"},
        {"0x936ad000", "2473250816"},
        {"0xFFu8", "255u8"},
        {"0xFFFF_FFFF_FFFF_FFFF", "18446744073709551615"},
        {"1.", "1.0"},
        {"1e3", "1000.0"},
        {"1E+3", "1000.0"},
        {"2.5e-3f32", "0.0025f32"},
        {"1f32", "1.0f32"},
        {"1_0.5_0_f64", "10.5f64"},
        {"6.25e-8f32", "6.25e-08f32"},
        {"-3.39e38f32", "-3.39e+38f32"},
        {"0.1", 0},
        {"true", 0},
        {"'a'", 0},
        {"'\\n'", "'\\u{a}'"},
        {"'\\''", 0},
        {"'\\u{1_F600}'", "'\\u{1f600}'"},
        {"'\u00e9'", "'\\u{e9}'"},
        {"b'x'", "b'\\x78'"},
        {"b'\\xff'", 0},
        {"\"a\\tb\\\"\"", "\"a\\x09b\\\"\""},
        {"\"a\\\n   b\"", "\"ab\""},
        {"\"a\r\nb\"", "\"a\\x0ab\""},
        {"\"\u00e9\\u{e9}\"", "\"\u00e9\u00e9\""},
        {"r\"a\\b\"", "\"a\\\\b\""},
        {"r#\"a\"b\"#", "\"a\\\"b\""},
        {"b\"a\\x00\"", 0},
        {"br##\"x\"#\"##", "b\"x\\x22#\""},
        {"\"\"", 0},
    };
    check_prints(cases, COUNT_OF(cases), "const C: T = ", ";", "const C: T = ", ";\n");
}

// An expression with brackets around every operand that has operators.
static void add_shape(StrBuf *out, const AstExpr *expr);

static void add_two(StrBuf *out, const AstExpr *left, const char *op, const AstExpr *right)
{
    buf_add_char(out, '(');
    if (left)
        add_shape(out, left);
    buf_add(out, str_from(op));
    if (right)
        add_shape(out, right);
    buf_add_char(out, ')');
}

static void add_shape(StrBuf *out, const AstExpr *expr)
{
    static const char *const binary[] = {"+",  "-",  "*",  "/",  "%",  "&", "|",  "^", "<<",
                                         ">>", "&&", "||", "==", "!=", "<", "<=", ">", ">="};
    static const char *const unary[] = {"-", "!", "*", "&", "&mut "};
    switch ((int)expr->kind) {
    case AST_BINARY:
        add_two(out, expr->binary.left, binary[expr->binary.op], expr->binary.right);
        return;
    case AST_ASSIGN:
        add_two(out, expr->binary.left, "=", expr->binary.right);
        return;
    case AST_RANGE:
        add_two(out, expr->range.low, expr->range.inclusive ? "..=" : "..", expr->range.high);
        return;
    case AST_UNARY:
        add_two(out, NULL, unary[expr->unary.op], expr->unary.inner);
        return;
    case AST_CAST:
        add_two(out, expr->cast.inner, " as T", NULL);
        return;
    case AST_FIELD:
        add_two(out, expr->field.inner, ".f", NULL);
        return;
    case AST_CALL:
        add_two(out, expr->call.callee, "()", NULL);
        return;
    case AST_CLOSURE:
        add_two(out, NULL, "|| ", expr->closure.body);
        return;
    case AST_RETURN:
        add_two(out, NULL, "return ", expr->inner);
        return;
    case AST_LET:
        add_two(out, NULL, "let ", expr->loop.inner);
        return;
    case AST_IF:
        add_two(out, NULL, "if ", expr->branch.condition);
        return;
    case AST_PAREN:
        add_two(out, NULL, "[]", expr->inner);
        return;
    case AST_PATH:
        buf_add(out, str_from(expr->path.segments.items[0].name.text));
        return;
    }
    buf_add_char(out, '?');
}

TEST(operators_bind_as_in_rust)
{
    static const struct {
        const char *text, *shape;
    } cases[] = {
        {"a + b * c - d % e", "((a+(b*c))-(d%e))"},
        {"a - b - c", "((a-b)-c)"},
        {"a << b + c", "(a<<(b+c))"},
        {"a | b ^ c & d << e", "(a|(b^(c&(d<<e))))"},
        {"a & b == c", "((a&b)==c)"},
        {"a || b && c == d", "(a||(b&&(c==d)))"},
        {"a && b || c", "((a&&b)||c)"},
        {"-a as T * b", "(((-a) as T)*b)"},
        {"a as T as T", "((a as T) as T)"},
        {"-a.f", "(-(a.f))"},
        {"!a()", "(!(a()))"},
        {"&mut *a.f", "(&mut (*(a.f)))"},
        {"&&a", "(&(&a))"},
        {"a && &b", "(a&&(&b))"},
        {"a..b + c", "(a..(b+c))"},
        {"a + b..", "((a+b)..)"},
        {"..a || b", "(..(a||b))"},
        {"a = b..c", "(a=(b..c))"},
        {"a = b = c", "(a=(b=c))"},
        {"a += b + c", "(a=(b+c))"},
        {"a == b || return c + d", "((a==b)||(return (c+d)))"},
        {"|| a + b", "(|| (a+b))"},
        {"(a + b) * c", "(([](a+b))*c)"},
        {"if let x = a == b && c {}", "(if ((let (a==b))&&c))"},
        {"if let x = a || b {}", "(if ((let a)||b))"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Reading *reading = reading_new();
        StrBuf out = {.arena = &reading->arena};
        read_text(reading, str_format(&reading->arena, "const C: T = {};", cases[i].text));
        assert_string_equal(summary(reading), "");
        add_shape(&out, reading->file->items.items[0]->constant.value);
        assert_string_equal(str_terminated(&reading->arena, buf_str(&out)), cases[i].shape);
        reading_free(reading);
    }
}

// ---- types and patterns

TEST(types_print_as_written)
{
    static const PrintCase cases[] = {
        {"u8", 0},
        {"a::B<C>", 0},
        {"Vec<Vec<Vec<u8>>>", 0},
        {"&mut T", 0},
        {"&'a T", "&T"},
        {"&&'a mut T", "&&mut T"},
        {"()", 0},
        {"(A,)", 0},
        {"(A, B)", 0},
        {"(A)", "A"},
        {"[T; N * 2]", 0},
        {"[T]", 0},
        {"_", 0},
        {"!", 0},
        {"fn()", 0},
        {"fn(A, b: B) -> C", "fn(A, B) -> C"},
        {"unsafe extern \"C\" fn(A)", "fn(A)"},
        {"impl Fn(A, B) -> C", 0},
        {"impl FnMut()", 0},
        {"dyn Fn(A)", "impl Fn(A)"},
        {"&dyn Tr", 0},
        {"impl Tr<A> + 'a + Send", "impl Tr<A>"},
        {"for<'a> fn(&'a T)", "fn(&T)"},
        {"impl for<'a> Fn(&'a T) -> U", "impl Fn(&T) -> U"},
        {"<T as Tr>::X", 0},
        {"T::X", 0},
        {"::a::B", 0},
        {"Vec::<u8>", "Vec<u8>"},
        {"T<'a, 'static, 3, -3, { N + 1 }, true, Item = u8>", 0},
        {"T<>", 0},
        // mappings: one precedence, grouping kept where it says something
        {"m![A]", 0},
        {"m!(A)", "m![A]"},
        {"m!{A}", "m![A]"},
        {"m![1]", 0},
        {"m![7]", 0},
        {"m![A, B]", 0},
        {"m![A / 2 % 3 = 4 # 5]", 0},
        {"m![A#2,B%3]", "m![A # 2, B % 3]"},
        {"m![[A, B] / 2]", 0},
        {"m![(A, B) # 4, C]", "m![[A, B] # 4, C]"},
        {"m![A, [B, C]]", 0},
        {"m![[[A]]]", "m![A]"},
        {"m![{ a::B<C> } / 2, A]", 0},
        {"m![1 # 2]", 0},
        {"HbmTensor<i8, m![A], m![B]>", 0},
    };
    check_prints(cases, COUNT_OF(cases), "type T = ", ";", "type T = ", ";\n");
}

TEST(mapping_operators_go_from_left_to_right)
{
    Reading *reading = reading_new();
    read_text(reading, STR("type T = m![A # 32 / 4];"));
    const AstMapping *mapping = reading->file->items.items[0]->alias.type->mapping;
    assert_int_equal(mapping->op, '/');
    assert_int_equal(mapping->number, 4);
    assert_int_equal(mapping->span.start, 12);
    assert_int_equal(mapping->span.end, 22);
    assert_int_equal(mapping->number_span.start, 21);
    assert_int_equal(mapping->inner->op, '#');
    assert_int_equal(mapping->inner->span.end, 18);
    assert_int_equal(mapping->inner->inner->kind, AST_MAPPING_SYMBOL);
    reading_free(reading);
}

TEST(patterns_print_as_written)
{
    static const PrintCase cases[] = {
        {"_", 0},
        {"x", 0},
        {"mut x", 0},
        {"ref mut x", 0},
        {"x @ 1..=5", 0},
        {"x @ Some(_)", 0},
        {"x @ (A | B)", 0},
        {"()", 0},
        {"(a,)", 0},
        {"(a)", "a"},
        {"(a, .., b)", 0},
        {"(..)", "(..,)"},
        {"[]", 0},
        {"[a, rest @ ..]", 0},
        {"A::B", 0},
        {"A::B(x, _)", 0},
        {"Some(Some(x))", 0},
        {"P { x, y: 1, .. }", "P { x: x, y: 1, .. }"},
        {"P { ref x, mut y }", "P { x: ref x, y: mut y }"},
        {"P {}", 0},
        {"P { .. }", 0},
        {"&x", 0},
        {"&mut x", 0},
        {"&&x", 0},
        {"&(A | B)", 0},
        {"-1", 0},
        {"1.5", 0},
        {"\"s\"", 0},
        {"true", 0},
        {"1..5", 0},
        {"-5..=-1", 0},
        {"'a'..='z'", 0},
        {"..=5", 0},
        {"..5", 0},
        {"5..", 0},
        {"A::MIN..=A::MAX", 0},
        {"A..=B", 0},
        {"| A | B", "A | B"},
        {"(1 | 2, x)", 0},
        {"<T>::X", 0},
    };
    check_prints(cases, COUNT_OF(cases), "fn f() { match x { ", " => {} } }",
                 "fn f() { match x {\n    ", " => {},\n} }\n");
}

// ---- items and statements

TEST(items_print_as_written)
{
    static const PrintCase cases[] = {
        {"use a::b::c;", 0},
        {"use a::*;", 0},
        {"use *;", 0},
        {"use a::b as c;", 0},
        {"use a::b as _;", 0},
        {"use a::{b, c::d, e as f, g::*,};", "use {a::b, a::c::d, a::e as f, a::g::*};"},
        {"use a::{self, b::{self as c}};", "use {a, a::b as c};"},
        {"use ::a::{b};", "use ::a::b;"},
        {"pub use super::*;", 0},
        {"use crate::x;", 0},
        {"use {};", 0},
        {"mod a;", 0},
        {"mod a { #![x] use super::*; fn f() {} }", "mod a {\n    use super::*;\n    fn f() {}\n}"},
        {"pub(crate) mod a {}", 0},
        {"pub(in super::a) fn f() {}", 0},
        {"pub(self) fn f() {}", "fn f() {}"},
        {"pub(super) fn f() {}", 0},
        {"fn f(a: u8, (b, c): T,) -> u8 { a }", "fn f(a: u8, (b, c): T) -> u8 { a }"},
        {"fn f<'l, const T: Tu, D: Scalar + Copy, E = u8>(x: X<'l, T, D>) {}", 0},
        {"fn f<const N: usize = 3>() {}", 0},
        {"fn f<T>() where T: A + B, Vec<T>: C, 'a: 'b, for<'x> T: D<'x> {}",
         "fn f<T: A + B + D<'x>>() {}"},
        {"fn f<F>(f: F) where F: Fn(u8) -> u8, {}", "fn f<F: Fn(u8) -> u8>(f: F) {}"},
        {"fn f<T: ?Sized + 'static>() {}", "fn f<T>() {}"},
        {"pub const unsafe extern \"C\" fn f() {}", "pub const unsafe fn f() {}"},
        {"async unsafe fn f() {}", 0},
        {"fn f();", 0},
        {"fn f(self, a: u8) {}", 0},
        {"fn f(&self) {}", 0},
        {"fn f(&'a mut self) {}", "fn f(&mut self) {}"},
        {"fn f(mut self) {}", "fn f(self) {}"},
        {"fn f(self: &mut Self) {}", "fn f(&mut self) {}"},
        {"fn f(self: Box<Self>) {}", "fn f(self) {}"},
        {"fn f() -> impl Fn(u8) -> u8 { |x| x }", 0},
        {"type T<'l> = S<'l, u8>;", 0},
        {"axes![A = 8, B = 512,];", "axes![A = 8, B = 512];"},
        {"axes! { A = 8 }", "axes![A = 8];"},
        {"axes!();", "axes![];"},
        {"const A: [u64; 2] = [1, 2];", 0},
        {"static mut X: u8 = 1;", "const X: u8 = 1;"},
        {"const _: () = ();", 0},
        {"struct S;", 0},
        {"struct S(u8, pub T);", 0},
        {"struct S(pub (crate::A, u8));", 0},
        {"struct S();", 0},
        {"struct S { a: u8, pub(crate) b: T, }", "struct S { a: u8, pub(crate) b: T }"},
        {"struct S<T: M>(T) where T: X;", "struct S<T: M + X>(T);"},
        {"struct S<T> where T: M {}", "struct S<T: M> {}"},
        {"enum E { A, B(u8), C { x: u8 }, D = 3, }",
         "enum E {\n    A,\n    B(u8),\n    C { x: u8 },\n    D = 3,\n}"},
        {"impl S { const A: u8 = 1; type T = u8; pub fn f(&self) {} }",
         "impl S {\n    const A: u8 = 1;\n    type T = u8;\n    pub fn f(&self) {}\n}"},
        {"unsafe impl<T: M> Tr<T> for S<T> where T: X {}", "impl<T: M + X> Tr<T> for S<T> {}"},
        {"trait T<A>: B + C where A: D { const A: u8; type X: Y; fn f(&self); fn g() {} }",
         "trait T<A: D> {\n    const A: u8;\n    type X;\n    fn f(&self);\n    fn g() {}\n}"},
        {"extern crate a as b;", "extern crate a;"},
        {"macro_rules! m { ($x:expr) => { $x }; }", "macro_rules! m { .. }"},
        {"macro_rules! m(() => {});", "macro_rules! m { .. }"},
        {"#[a] #[b(c = 1)] #[c = \"d\"] fn f() {}", "#[a]\n#[b(c = 1)]\n#[c(\"d\")]\nfn f() {}"},
        {"#[tokio::test] async fn f() {}", "#[tokio::test]\nasync fn f() {}"},
        {"#[derive(A, B)] struct S { #[x] a: u8 }", "#[derive(A, B)]\nstruct S { a: u8 }"},
        {"fn f() { #![a] 1 }", "#[a]\nfn f() { 1 }"},
        {"#!/bin/contra\nfn f() {}", "fn f() {}"},
        {"\xEF\xBB\xBF#![a]\nfn f() {}", "#![a]\nfn f() {}"},
    };
    check_prints(cases, COUNT_OF(cases), "", "", "", "\n");
}

TEST(comments_are_docs_or_nothing)
{
    static const PrintCase cases[] = {
        {"/// one\n///  two\n///\n///three  \nfn f() {}",
         "/// one\n///  two\n///\n/// three\nfn f() {}"},
        {"/// a\n#[b]\n/// c\nfn f() {}", "/// a\n/// c\n#[b]\nfn f() {}"},
        {"/** a */ fn f() {}", "/// a\nfn f() {}"},
        {"/**\n * a\n *  b\n */\nfn f() {}", "/// a\n///  b\nfn f() {}"},
        {"//! no\n// no\n//// no\n/*** no */\n/**/\n/*! no */\nfn f() {}", "fn f() {}"},
        {"enum E {\n/// a\nA,\n/// b\n/// c\n#[x] B(u8) }",
         "enum E {\n    /// a\n    A,\n    /// b\n    /// c\n    B(u8),\n}"},
        {"fn f(/// p\n a: u8) { /// s\n let x = 1; /* \u2192 /* nested */ */ }",
         "fn f(a: u8) {\n    let x = 1;\n}"},
        {"use a::{b, // \uD55C\n c};", "use {a::b, a::c};"},
    };
    check_prints(cases, COUNT_OF(cases), "", "", "", "\n");
}

TEST(statements_end_where_they_should)
{
    static const PrintCase cases[] = {
        {"let x;", 0},
        {"let (a, mut b): (u8, T) = c;", 0},
        {"let Some(x) = y else { return };", 0},
        {"x;", 0},
        {";;x;;", "x;"},
        {"f(x); y", "f(x);\n    y"},
        {"if a { b } -1", "if a { b };\n    -1"},
        {"match a {} ; b", "match a {\n    };\n    b"},
        {"{ a } { b }", "{ a };\n    { b }"},
        {"if a {} else if b {} x", "if a {} else if b {};\n    x"},
        {"foo! { a } b", "foo!(..);\n    b"},
        {"foo!(a); b", "foo!(..);\n    b"},
        {"fn g() {} g()", "fn g() {}\n    g()"},
        {"axes![A = 8]; x", "axes![A = 8];\n    x"},
        {"#[a] let x = 1;", "let x = 1;"},
        {"#[a] fn g() {}", "#[a]\n    fn g() {}"},
        {"let union = auto; union", "let union = auto;\n    union"},
        {"return x; y", "return x;\n    y"},
    };
    check_prints(cases, COUNT_OF(cases), "fn f() { ", " }", "fn f() {\n    ", "\n}\n");
}

TEST(values_of_blocks_are_their_last_expression)
{
    static const PrintCase cases[] = {
        {"a", 0}, {"if a { b }.c()", 0}, {"unsafe { f() }", 0}, {"a = b", 0}, {"|x| { x }", 0},
    };
    check_prints(cases, COUNT_OF(cases), "fn f() { ", " }", "fn f() { ", " }\n");
}

// ---- what documentation shows

TEST(documentation_becomes_a_program)
{
    static const PrintCase cases[] = {
        // the wrapper is taken off
        {"#![a]\nfn main() {\n#![b]\nextern crate c;\nuse d::*;\nfn k() {}\n}",
         "#![a]\n#![b]\nextern crate c;\nuse d::*;\nfn k() {}\n"},
        // what is left stays in main
        {"fn main() {\nextern crate c;\naxes![A = 8];\nlet x = 1;\nfn k() {}\nx\n}",
         "extern crate c;\naxes![A = 8];\nfn k() {}\nfn main() {\n    let x = 1;\n    x\n}\n"},
        // any other main is left alone
        {"fn main() {\n    struct S;\n}", "fn main() {\n    struct S;\n}\n"},
        {"async fn main() {\n    extern crate c;\n}",
         "async fn main() {\n    extern crate c;\n}\n"},
        // one in the other
        {"fn main() { extern crate a; fn main() { #![b] extern crate c; } }",
         "#![b]\nextern crate a;\nextern crate c;\n"},
        // fragments
        {"axes![A = 3];\nlet x = a;\n", "axes![A = 3];\nfn fragment() {\n    let x = a;\n}\n"},
        {"// why\ninput\n    .a()\n    .b()", "fn fragment() { input.a().b() }\n"},
        {"f(i) = if i == 0 { 0 } else { 1 }",
         "fn fragment() { f(i) = if i == 0 { 0 } else { 1 } }\n"},
        {"fn g() {}\ng();", "fn g() {}\nfn fragment() {\n    g();\n}\n"},
        {"", ""},
        {"// nothing", ""},
    };
    check_prints(cases, COUNT_OF(cases), "", "", "", "");
}
