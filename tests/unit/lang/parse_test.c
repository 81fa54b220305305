// Source text to syntax tree: the grammar, what every mistake is called and where it is put, and
// texts made to break a parser. A case is a row of text; trees are compared as what they print.
#include "lang/parse.h"

#include "base/checked.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct {
    Arena arena;
    Interner names;
    SourceList sources;
    DiagList diags;
    int32_t next_id;
    const AstFile *file; // the last one read
} Reading;

static Reading *reading_new(void)
{
    Reading *reading = calloc(1, sizeof *reading);
    assert_non_null(reading);
    reading->names.arena = reading->diags.arena = &reading->arena;
    return reading;
}

static void reading_free(Reading *reading)
{
    arena_release(&reading->arena);
    free(reading);
}

static void read_text(Reading *reading, Str text)
{
    *array_push(&reading->arena, &reading->sources, Source) = (Source){STR("test.rs"), text};
    int32_t source = (int32_t)reading->sources.count - 1;
    reading->file = parse_file(&reading->arena, &reading->names, &reading->sources, source,
                               &reading->next_id, &reading->diags);
}

static const char *printed(Reading *reading)
{
    StrBuf out = {.arena = &reading->arena};
    ast_print(&out, reading->file);
    return str_terminated(&reading->arena, buf_str(&out));
}

// The diagnostics, one a line: "3-5 E0401\n".
static const char *summary(Reading *reading)
{
    StrBuf out = {.arena = &reading->arena};
    for (int64_t i = 0; i < reading->diags.count; i++) {
        const Diag *diag = reading->diags.items[i];
        buf_printf(&out, "%lld-%lld %s\n", (long long)diag->span.start, (long long)diag->span.end,
                   diag_infos[diag->code].code);
    }
    return str_terminated(&reading->arena, buf_str(&out));
}

// Reads `before text after`, which must be without mistakes, and what is printed again.
static const char *print_wrapped(Reading *reading, const char *before, const char *text,
                                 const char *after)
{
    Str whole = str_format(&reading->arena, "%s%s%s", before, text, after);
    read_text(reading, whole);
    if (reading->diags.count)
        fail_msg("`%s`: %.*s", text, STR_ARG(reading->diags.items[0]->message));
    const char *first = printed(reading);
    read_text(reading, str_from(first));
    if (reading->diags.count)
        fail_msg("`%s` prints as `%s`: %.*s", text, first,
                 STR_ARG(reading->diags.items[0]->message));
    assert_string_equal(printed(reading), first);
    return first;
}

// A row whose print is NULL prints as it is written.
typedef struct {
    const char *text, *print;
} PrintCase;

static void check_prints(const PrintCase *cases, size_t count, const char *before,
                         const char *after, const char *before_print, const char *after_print)
{
    for (size_t i = 0; i < count; i++) {
        Reading *reading = reading_new();
        const char *print = cases[i].print ? cases[i].print : cases[i].text;
        Str wanted = str_format(&reading->arena, "%s%s%s", before_print, print, after_print);
        assert_string_equal(print_wrapped(reading, before, cases[i].text, after), wanted.data);
        reading_free(reading);
    }
}

// ---- expressions

static void expressions_print_as_written(void **state)
{
    (void)state;
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

static void literals_are_decoded(void **state)
{
    (void)state;
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

static void operators_bind_as_in_rust(void **state)
{
    (void)state;
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
        read_text(reading, str_format(&reading->arena, "const C: T = %s;", cases[i].text));
        assert_string_equal(summary(reading), "");
        add_shape(&out, reading->file->items.items[0]->constant.value);
        assert_string_equal(str_terminated(&reading->arena, buf_str(&out)), cases[i].shape);
        reading_free(reading);
    }
}

// ---- types and patterns

static void types_print_as_written(void **state)
{
    (void)state;
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

static void mapping_operators_go_from_left_to_right(void **state)
{
    (void)state;
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

static void patterns_print_as_written(void **state)
{
    (void)state;
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

static void items_print_as_written(void **state)
{
    (void)state;
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
        {"pub(crate) mod a {}", "pub mod a {}"},
        {"pub(in a::b) fn f() {}", "pub fn f() {}"},
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
        {"struct S(u8, pub T);", "struct S(u8, T);"},
        {"struct S();", 0},
        {"struct S { a: u8, pub(crate) b: T, }", "struct S { a: u8, b: T }"},
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

static void comments_are_docs_or_nothing(void **state)
{
    (void)state;
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

static void statements_end_where_they_should(void **state)
{
    (void)state;
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

static void values_of_blocks_are_their_last_expression(void **state)
{
    (void)state;
    static const PrintCase cases[] = {
        {"a", 0}, {"if a { b }.c()", 0}, {"unsafe { f() }", 0}, {"a = b", 0}, {"|x| { x }", 0},
    };
    check_prints(cases, COUNT_OF(cases), "fn f() { ", " }", "fn f() { ", " }\n");
}

// ---- what documentation shows

static void documentation_becomes_a_program(void **state)
{
    (void)state;
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

// ---- mistakes

typedef struct {
    const char *text, *diags, *print;
} MistakeCase;

static void check_mistakes(const MistakeCase *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        Reading *reading = reading_new();
        read_text(reading, str_from(cases[i].text));
        if (strcmp(summary(reading), cases[i].diags))
            print_message("in `%s`\n", cases[i].text);
        assert_string_equal(summary(reading), cases[i].diags);
        if (cases[i].print)
            assert_string_equal(printed(reading), cases[i].print);
        reading_free(reading);
    }
}

static void texts_that_are_no_programs(void **state)
{
    (void)state;
    static const MistakeCase cases[] = {
        {"fn f() { let x = ; y }", "17-18 E0401\n", "fn f() {\n    let x = <error>;\n    y\n}\n"},
        {"fn f() { x.; y }", "11-12 E0401\n", "fn f() {\n    <error>;\n    y\n}\n"},
        {"fn f() { x as ; y }", "14-15 E0401\n", 0},
        {"fn f() { a b c d; e }", "11-12 E0401\n", "fn f() {\n    a;\n    e\n}\n"},
        {"fn f() { 5 = = 3 }", "13-14 E0401\n", 0},
        {"fn f() { g(a, , b); [1,,2] }", "14-15 E0401\n23-24 E0401\n",
         "fn f() {\n    g(a, <error>, b);\n    [1, <error>, 2]\n}\n"},
        {"fn f() { match x { 1 = a, 2 => b } }", "21-22 E0401\n", 0},
        {"fn f() { let 1 + 2 = x; }", "15-16 E0401\n", 0},
        {"fn f() { let z = let w = 3; }", "17-20 E0401\n", 0},
        {"fn f() { else {} }", "9-13 E0401\n", 0},
        {"fn f() { x.1u8; }", "11-14 E0401\n", 0},
        {"fn f() { a < b < c < d }", "15-16 E0401\n", 0},
        {"fn f() { S { a: 1 b: 2 } }", "18-19 E0401\n", 0},
        // lists go on after their commas
        {"fn f(a b, c: u8) {}", "7-8 E0401\n", "fn f(a: <error>, c: u8) {}\n"},
        {"fn f(a: u8 b: u8) {}", "11-12 E0401\n", 0},
        {"struct S { a u8, b: u8 }", "13-15 E0401\n", "struct S { a: <error>, b: u8 }\n"},
        {"enum E { A B, C }", "11-12 E0401\n", "enum E {\n    A,\n    C,\n}\n"},
        {"use a::{b c, d};", "10-11 E0401\n", "use {a::b, a::d};\n"},
        // items after a mistake are read, wherever they stand
        {"fn f() -> { 1 }\nfn g() {}", "10-11 E0401\n", "fn f() -> <error>;\nfn g() {}\n"},
        {"fn () {}\nfn g() {}", "3-4 E0401\n", "fn g() {}\n"},
        {"impl { fn f() {} }\nfn g() {}", "5-6 E0401\n", 0},
        {"use a::; use ; fn f() {}", "7-8 E0401\n13-14 E0401\n", 0},
        {"type T = Vec<u8;\nfn f() {}", "15-16 E0401\n", "type T = <error>;\nfn f() {}\n"},
        {"@ fn f() {}", "0-1 E0401\n", "fn f() {}\n"},
        {"pub pub fn f() {}", "4-7 E0401\n", "fn f() {}\n"},
        {"fn g<T {} fn h() {}", "7-8 E0401\n", "fn g<T>();\nfn h() {}\n"},
        {"fn f()\nwhere T: A,\n#[b]\nfn g() {}", "19-20 E0401\n", "fn f();\n#[b]\nfn g() {}\n"},
        {"const X: u8; type Y; fn f() {}", "11-12 E0401\n19-20 E0401\n", 0},
        {"mod a { let x = 1; fn f() {} }", "8-11 E0401\n", "mod a {\n    fn f() {}\n}\n"},
        {"fn f() {", "8-8 E0403\n", "fn f() {}\n"},
        {"fn f(", "5-5 E0403\n", 0},
        {"fn", "2-2 E0401\n", 0},
    };
    check_mistakes(cases, COUNT_OF(cases));
}

static void missing_semicolons(void **state)
{
    (void)state;
    static const MistakeCase cases[] = {
        {"fn f() { let x = 1\n let y = 2; }", "18-18 E0402\n",
         "fn f() {\n    let x = 1;\n    let y = 2;\n}\n"},
        {"fn f() {\n    foo()\n    bar();\n}", "18-18 E0402\n",
         "fn f() {\n    foo();\n    bar();\n}\n"},
        {"fn f() { let y = 1 }", "18-18 E0402\n", 0},
        {"axes![A = 8]\nfn f() {}", "12-12 E0402\n", "axes![A = 8];\nfn f() {}\n"},
        {"use a\nuse b;", "5-5 E0402\n", "use a;\nuse b;\n"},
        {"let x = 1", "9-9 E0402\n", 0},
        {"fn f() { x y; }", "11-12 E0401\n", 0},
    };
    check_mistakes(cases, COUNT_OF(cases));
}

static void brackets_that_do_not_match(void **state)
{
    (void)state;
    static const MistakeCase cases[] = {
        // a list ends before what cannot stand in one
        {"fn f() {\n    foo(1, 2;\n    bar();\n}\nfn g() {}", "21-22 E0403\n",
         "fn f() {\n    foo(1, 2);\n    bar();\n}\nfn g() {}\n"},
        {"fn f() {\n  g(k, (a, b)\n  let c = 2;\n}", "25-28 E0403\n",
         "fn f() {\n    g(k, (a, b));\n    let c = 2;\n}\n"},
        {"fn f() { g([1, 2; }", "18-19 E0403\n18-19 E0403\n", 0},
        {"mod a { fn f() {} fn g( {} }\nfn h() {}", "27-28 E0403\n", 0},
        // a block ends by indentation
        {"fn f() {\n    if x {\n        foo();\n    bar();\n}\nfn g() {}", "46-47 E0403\n",
         "fn f() { if x {\n    foo();\n    bar();\n} }\nfn g() {}\n"},
        {"fn f() {\n    foo();\n\nfn g() {}\nfn h() {}\n", "21-23 E0403\n",
         "fn f() {\n    foo();\n}\nfn g() {}\nfn h() {}\n"},
        // text that is not indented at all closes nothing early
        {"fn f() {\nuse a;\nlet x = 1;\nfn g() {}\n", "36-36 E0403\n",
         "fn f() {\n    use a;\n    let x = 1;\n    fn g() {}\n}\n"},
        // one too many
        {"fn f() { foo()) }\nfn g() {}", "14-15 E0403\n", "fn f() { foo() }\nfn g() {}\n"},
        {"fn f() {} }\nfn g() {}", "10-11 E0403\n", "fn f() {}\nfn g() {}\n"},
        // the wrong one
        {"fn f() { [1, 2) }", "14-15 E0403\n", "fn f() { [1, 2] }\n"},
        {"fn f() { g({ x ) }\nfn h() {}", "15-16 E0403\n", "fn f() { g({ x }) }\nfn h() {}\n"},
    };
    check_mistakes(cases, COUNT_OF(cases));
}

static void literals_that_are_malformed(void **state)
{
    (void)state;
    static const MistakeCase cases[] = {
        {"const A: u8 = 0x;", "14-16 E0404\n", "const A: u8 = <error>;\n"},
        {"const A: u8 = 1u99;", "14-18 E0404\n", 0},
        {"const A: u8 = 0b12;", "14-18 E0404\n", 0},
        {"const A: u8 = 18446744073709551616;", "14-34 E0404\n", 0},
        {"const A: u8 = 1e999;", "14-19 E0404\n", 0},
        {"const A: u8 = 1.5u8;", "14-19 E0404\n", 0},
        {"const A: u8 = '\\q';", "15-17 E0404\n", 0},
        {"const A: u8 = '\\nn';", "15-18 E0404\n", 0},
        {"const A: u8 = \"a\\xff\";", "16-20 E0404\n", 0},
        {"const A: u8 = '\\u{110000}';", "15-25 E0404\n", 0},
        {"const A: u8 = b'\\u{41}';", "16-22 E0404\n", 0},
        {"const A: u8 = \"\\x4\";", "15-18 E0404\n", 0},
        // not closed: reading goes on
        {"const A: u8 = 'ab';", "14-18 E0405\n", 0},
        {"const A: u8 = '';", "14-16 E0405\n", 0},
        {"fn f() { let s = \"abc; }\nfn g() {}\n", "17-18 E0405\n",
         "fn f() {\n    let s = \"abc\";\n}\nfn g() {}\n"},
        {"fn f() { let s = \"abc;\n let t = \"def\"; let u = \"x\"; }\nfn g() {}\n",
         "17-18 E0405\n",
         "fn f() {\n    let s = \"abc\";\n    let t = \"def\";\n    let u = \"x\";\n}\n"
         "fn g() {}\n"},
        {"const A: &str = r#\"abc\";\nfn g() {}", "16-19 E0405\n", 0},
        {"fn f() {}\n/* open\nfn g() {}\n", "10-12 E0405\n", "fn f() {}\nfn g() {}\n"},
        {"fn f() {}\n/* a /* b */\nfn g() {}\n", "10-12 E0405\n", "fn f() {}\nfn g() {}\n"},
    };
    check_mistakes(cases, COUNT_OF(cases));
}

static void characters_without_a_place(void **state)
{
    (void)state;
    static const MistakeCase cases[] = {
        {"fn f() { a ` b; c }", "11-12 E0406\n", 0},
        {"fn f() {} \\ \nfn g() {}", "10-11 E0406\n", "fn f() {}\nfn g() {}\n"},
        {"fn f() { let gr\u00f6\u00dfe = 1; }", "13-20 E0406\n", 0},
        {"fn f() \u2192 u8 {}", "7-10 E0406\n", "fn f() -> u8 {}\n"},
        {"const A: &str = \u201Cx\u201D;", "16-19 E0406\n", 0},
        {"const\u00A0A: u8 = 1;", "5-7 E0406\n", "const A: u8 = 1;\n"},
        {"fn f() { \"\xff\" }", "10-11 E0406\n", 0},
        {"fn f() {} // \xc3(\nfn g() {}", "13-14 E0406\n", "fn f() {}\nfn g() {}\n"},
        {"fn f() {} \xff\xfe\nfn g() {}", "10-11 E0406\n", 0},
    };
    check_mistakes(cases, COUNT_OF(cases));
    Reading *reading = reading_new();
    read_text(reading, STR("fn f() {}\0\0fn g() {}"));
    assert_string_equal(summary(reading), "9-11 E0406\n");
    assert_string_equal(printed(reading), "fn f() {}\nfn g() {}\n");
    reading_free(reading);
}

static void mappings_that_are_malformed(void **state)
{
    (void)state;
    static const MistakeCase cases[] = {
        {"type T = m![];", "11-13 E0407\n", "type T = m![<error>];\n"},
        {"type T = m![A, ()];", "15-17 E0407\n", 0},
        {"type T = m![A,];", "13-14 E0407\n", "type T = m![A];\n"},
        {"type T = m![[A, B,] / 2];", "17-18 E0407\n", 0},
        {"type T = m![A / 0x10, B];", "16-20 E0407\n", "type T = m![<error>, B];\n"},
        {"type T = m![A / 1_0];", "16-19 E0407\n", 0},
        {"type T = m![A / 4u8];", "16-19 E0407\n", 0},
        {"type T = m![A / N];", "16-17 E0407\n", 0},
        {"type T = m![A / (2 + 3)];", "16-17 E0407\n", 0},
        {"type T = m![A / 2.5];", "16-19 E0407\n", 0},
        {"type T = m![A /];", "15-16 E0407\n", 0},
        {"type T = m![/ 2];", "12-13 E0407\n", 0},
        {"type T = m![, A];", "12-13 E0407\n", 0},
        {"type T = m![A B];", "14-15 E0407\n", 0},
        {"type T = m![A * 2];", "14-15 E0407\n", 0},
        {"type T = m![A @ 2];", "14-15 E0407\n", 0},
        {"type T = m![I: 2, A];", "13-14 E0407\n", 0},
        {"type T = m![a::B];", "13-15 E0407\n", 0},
        {"type T = m![A / 9223372036854775808];", "16-35 E0404\n", 0},
        {"type T = x![A];", "9-14 E0409\n", 0},
        // where a value should stand
        {"fn f() { m![A]; g }", "9-14 E0407\n", "fn f() {\n    <error>;\n    g\n}\n"},
        {"fn f() { m![A]::SIZE }", "9-14 E0407\n", 0},
        {"fn f() { i![A] }", "13-14 E0401\n", 0},
        {"fn f() { i![A,: 1] }", "13-14 E0407\n", 0},
        // axes
        {"axes![A];", "7-8 E0410\n", "axes![A = <error>];\n"},
        {"axes![A = ];", "10-11 E0410\n", 0},
        {"axes![8 = A];", "6-7 E0410\n", 0},
        {"axes![A: 8, B = 4];", "7-8 E0410\n", "axes![A = <error>, B = 4];\n"},
        {"axes![A = 8 B = 9];", "12-13 E0401\n", 0},
    };
    check_mistakes(cases, COUNT_OF(cases));
}

static void constructs_outside_of_the_language(void **state)
{
    (void)state;
    static const MistakeCase cases[] = {
        {"fn f(x: *const u8) {}", "8-17 E0409\n", "fn f(x: <error>) {}\n"},
        {"fn f() { &raw mut x }", "9-17 E0409\n", 0},
        {"fn f() { yield x; y }", "9-14 E0409\n", "fn f() {\n    <error>;\n    y\n}\n"},
        {"fn f() { asm!(\"nop\"); }", "9-20 E0409\n", 0},
        {"fn f() { const { 1 } }", "9-14 E0409\n", 0},
        {"union U { a: u8 }\nfn f() {}", "0-5 E0409\n", 0},
        {"extern \"C\" { fn g(); }\nfn f() {}", "0-10 E0409\n", "fn f() {}\n"},
        {"impl !Send for S {}", "0-6 E0409\n", 0},
        {"trait A = B;\nfn f() {}", "8-9 E0409\n", 0},
        {"fn f() { match x { m!() => a } }", "19-23 E0409\n", 0},
    };
    check_mistakes(cases, COUNT_OF(cases));
}

static void what_documentation_leaves_out(void **state)
{
    (void)state;
    static const MistakeCase cases[] = {
        {"fn f() { let x: T = ...; foo(...); y }", "20-23 E0412\n29-32 E0412\n",
         "fn f() {\n    let x: T = <error>;\n    foo(<error>);\n    y\n}\n"},
        {"fn f() { ... }", "9-12 E0412\n", 0},
        {"struct S { ... }\nfn f() {}", "11-14 E0412\n", "struct S {}\nfn f() {}\n"},
        {"fn f() { a ... b }", "11-14 E0412\n", 0},
        {"fn f() { match x { 0...9 => a } }", "20-23 E0412\n", 0},
        {"let x: T = ...;", "11-14 E0412\n", "fn fragment() {\n    let x: T = <error>;\n}\n"},
    };
    check_mistakes(cases, COUNT_OF(cases));
}

static void keywords_that_are_misspelt(void **state)
{
    (void)state;
    static const MistakeCase cases[] = {
        {"fnn f() {}\nfn g() {}", "0-3 E0413\n", "fn f() {}\nfn g() {}\n"},
        {"pub strcut S { a: u8 }", "4-10 E0413\n", "pub struct S { a: u8 }\n"},
        {"fn f() { lett x = 1; retrun 5; fro i in 0..3 {} iff x {} }",
         "9-13 E0413\n21-27 E0413\n31-34 E0413\n48-51 E0413\n",
         "fn f() {\n    let x = 1;\n    return 5;\n    for i in 0..3 {};\n    if x {}\n}\n"},
        {"function f() {}\nclass X {}", "0-8 E0413\n16-21 E0413\n", "fn f() {}\nstruct X {}\n"},
        {"fn f() { if a {} elif b {} esle {} }", "17-21 E0413\n27-31 E0413\n",
         "fn f() { if a {} else if b {} else {} }\n"},
    };
    check_mistakes(cases, COUNT_OF(cases));
}

static void generic_arguments_without_colons(void **state)
{
    (void)state;
    static const MistakeCase cases[] = {
        {"fn f() { HbmTensor<i8, m![1]>::from_addr(0); x }", "18-19 E0414\n",
         "fn f() {\n    HbmTensor::<i8, m![1]>::from_addr(0);\n    x\n}\n"},
        {"fn f() { let v = Vec<u8>::new().len(); }", "20-21 E0414\n", 0},
        {"fn f() { N<5 }", "", 0},
        {"fn f() { Size < 5 }", "", 0},
    };
    check_mistakes(cases, COUNT_OF(cases));
}

static void attributes_that_are_malformed(void **state)
{
    (void)state;
    static const MistakeCase cases[] = {
        {"#[] fn f() {}", "2-3 E0411\n", "fn f() {}\n"},
        {"#[1] fn f() {}", "2-3 E0411\n", "fn f() {}\n"},
        {"#[a b] fn f() {}", "4-5 E0411\n", "fn f() {}\n"},
        {"# fn f() {}", "2-4 E0411\n", "fn f() {}\n"},
        {"fn f() { 1; #![late] 2 }", "12-14 E0411\n", 0},
        {"fn f() { #[a] }", "14-15 E0401\n", 0},
    };
    check_mistakes(cases, COUNT_OF(cases));
}

static void statements_outside_of_functions(void **state)
{
    (void)state;
    static const MistakeCase cases[] = {
        {"fn main() {}\nlet x = 1;\nfn g() {}", "13-23 E0415\n", "fn main() {}\nfn g() {}\n"},
        {"fn main() { } }\nlet x = 1;", "14-15 E0403\n", 0}, // where it stands is in doubt
    };
    check_mistakes(cases, COUNT_OF(cases));
}

static void messages_name_what_was_written(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message, *note, *help;
    } cases[] = {
        {"fn f() { g(a b) }", "found `b` where `,` or `)` should stand", 0, 0},
        {"fn f() { 1 +", "`{` is never closed", "opened here", 0},
        {"fn f() {\n    g(1;\n}", "`(` is not closed before `;`", "opened here", 0},
        {"fn f() {\n    g(1\n      b);\n}", "found `b` where `,` or `)` should stand",
         "opened here", 0},
        {"fn f() {\n    let x = 1\n}", "`;` is missing after `1`", 0, "write `let x = 1;`"},
        {"type T = m![A / 0x10];", "`0x10` is not a plain decimal number", 0, "write `16`"},
        {"type T = m![A, B,];", "no comma follows the last element of a mapping", 0,
         "leave the `,` out"},
        {"fn f() { m![A]::SIZE }", "a mapping is a type, and an expression should stand here", 0,
         "write `<m![A]>::`"},
        {"lett x = 1;", "`lett` is no keyword", 0, "write `let`"},
        {"let x = ...;", "`...` stands where an expression should stand: something was left out", 0,
         "a value that does not exist yet is `todo!()`"},
        {"fn f() { Vec<u8>::new() }", "`Vec<` compares in an expression", 0, "write `Vec::<`"},
        {"fn f(x: *mut u8) {}", "a raw pointer: the language does not have this", 0, 0},
        {"const A: u8 = 99999999999999999999;",
         "the number 99999999999999999999 does not fit in 64 bits", 0, 0},
        {"fn", "the text ends where the name of a function should stand", 0, 0},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Reading *reading = reading_new();
        read_text(reading, str_from(cases[i].text));
        assert_true(reading->diags.count > 0);
        const Diag *diag = reading->diags.items[0];
        assert_string_equal(str_terminated(&reading->arena, diag->message), cases[i].message);
        assert_int_equal(diag->notes.count, cases[i].note != NULL);
        assert_int_equal(diag->helps.count, cases[i].help != NULL);
        if (cases[i].note)
            assert_string_equal(diag->notes.items[0].text.data, cases[i].note);
        if (cases[i].help)
            assert_string_equal(diag->helps.items[0].text.data, cases[i].help);
        reading_free(reading);
    }
}

static void mistakes_are_counted_and_sorted(void **state)
{
    (void)state;
    Reading *reading = reading_new();
    StrBuf text = {.arena = &reading->arena};
    buf_repeat(&text, STR("fn f() { let = 1; }\n"), 150);
    buf_add(&text, STR("fn g() {\n"));
    read_text(reading, buf_str(&text));
    assert_int_equal(reading->diags.count, 100);
    assert_int_equal(reading->file->items.count, 151);
    int64_t notes = 0;
    for (int64_t i = 0; i < reading->diags.count; i++) {
        notes += reading->diags.items[i]->notes.count &&
                 !reading->diags.items[i]->notes.items[0].span.start;
        if (i)
            assert_true(reading->diags.items[i - 1]->span.start <=
                        reading->diags.items[i]->span.start);
    }
    assert_int_equal(notes, 1); // the last says that there are more
    reading_free(reading);
}

// ---- the tree itself

static void spans_cover_what_was_written(void **state)
{
    (void)state;
    Reading *reading = reading_new();
    static const char text[] = "#[a] fn k ( x : & T ) -> U { x . f :: <u8> ( 1 ) ; y }";
    read_text(reading, str_from(text));
    const AstItem *item = reading->file->items.items[0];
    const AstExpr *call = item->function.body->statements.items[0].value;
    const struct {
        Span span;
        const char *text;
    } spans[] = {
        {item->span, text},
        {item->name.span, "k"},
        {item->attributes.items[0].span, "#[a]"},
        {item->function.signature, "fn k ( x : & T ) -> U"},
        {item->function.params.items[0].pattern->span, "x"},
        {item->function.params.items[0].type->span, "& T"},
        {item->function.result->span, "U"},
        {item->function.body->span, "{ x . f :: <u8> ( 1 ) ; y }"},
        {item->function.body->statements.items[0].span, "x . f :: <u8> ( 1 ) ;"},
        {call->span, "x . f :: <u8> ( 1 )"},
        {call->method.receiver->span, "x"},
        {call->method.name.name.span, "f"},
        {call->method.name.args_span, "<u8>"},
        {call->method.args_span, "( 1 )"},
        {item->function.body->tail->span, "y"},
    };
    for (size_t i = 0; i < COUNT_OF(spans); i++) {
        Str got = str_slice(str_from(text), spans[i].span.start, spans[i].span.end);
        assert_string_equal(str_terminated(&reading->arena, got), spans[i].text);
    }
    reading_free(reading);
}

static void expressions_are_numbered_through(void **state)
{
    (void)state;
    Reading *reading = reading_new();
    reading->next_id = 10;
    read_text(reading, STR("const A: u8 = 1 + 2;"));
    const AstExpr *sum = reading->file->items.items[0]->constant.value;
    assert_int_equal(reading->file->expr_count, 3);
    assert_int_equal(reading->next_id, 13);
    assert_true(sum->id >= 10 && sum->id < 13 && sum->binary.left->id != sum->id);
    read_text(reading, STR("const A: u8 = 1;"));
    assert_int_equal(reading->file->items.items[0]->constant.value->id, 13);
    assert_int_equal(reading->file->source, 1);
    reading_free(reading);
}

static void attributes_keep_their_text(void **state)
{
    (void)state;
    Reading *reading = reading_new();
    static const char text[] =
        "#[device( chip = 1 )] #[path = \"a.rs\"] #[test()] #[a::b] fn f() {}";
    read_text(reading, str_from(text));
    const AstAttributes *attributes = &reading->file->items.items[0]->attributes;
    static const struct {
        const char *name, *args;
        int64_t start;
    } cases[] = {
        {"device", "chip = 1", 10}, {"path", "\"a.rs\"", 31}, {"test", "", 46}, {"a::b", "", 55}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const AstAttribute *found = attribute_find(attributes, cases[i].name);
        assert_non_null(found);
        assert_true(str_equal(found->args, str_from(cases[i].args)));
        assert_int_equal(found->args_start, cases[i].start);
    }
    assert_null(attribute_find(attributes, "missing"));
    reading_free(reading);
}

static void names_are_interned(void **state)
{
    (void)state;
    Reading *reading = reading_new();
    read_text(reading, STR("const A: u8 = A; type B = r#A;"));
    const AstItems *items = &reading->file->items;
    const char *name = items->items[0]->name.text;
    assert_ptr_equal(items->items[0]->constant.value->path.segments.items[0].name.text, name);
    assert_ptr_equal(items->items[1]->alias.type->path.segments.items[0].name.text, name);
    reading_free(reading);
}

// ---- texts made to break a parser

// `before`, `open` as often as wanted, `middle`, `close` as often, `after`
typedef struct {
    const char *before, *open, *middle, *close, *after;
} NestedText;

static const char *read_nested(Reading *reading, const NestedText *nested, int64_t times)
{
    StrBuf text = {.arena = &reading->arena};
    buf_add(&text, str_from(nested->before));
    buf_repeat(&text, str_from(nested->open), times);
    buf_add(&text, str_from(nested->middle));
    buf_repeat(&text, str_from(nested->close), times);
    buf_add(&text, str_from(nested->after));
    read_text(reading, buf_str(&text));
    printed(reading);
    return summary(reading);
}

static void nesting_is_limited(void **state)
{
    (void)state;
    static const NestedText cases[] = {
        {"fn f() { ", "(", "1", ")", "; } fn g() {}"},
        {"fn f() { ", "-", "1", "", "; } fn g() {}"},
        {"fn f() { ", "&", "x", "", "; } fn g() {}"},
        {"fn f() { ", "[", "1", "]", "; } fn g() {}"},
        {"fn f() { ", "g(", "1", ")", "; } fn g() {}"},
        {"fn f() { ", "x = ", "1", "", "; } fn g() {}"},
        {"fn f() { ", "|x| ", "1", "", "; } fn g() {}"},
        {"fn f() { ", "return ", "1", "", "; } fn g() {}"},
        {"fn f() { ", "{ ", "1", " }", " } fn g() {}"},
        {"fn f() { ", "if a { ", "1", " }", " } fn g() {}"},
        {"fn f() { ", "match a { _ => ", "1", " }", " } fn g() {}"},
        {"fn f() { ", "vec![", "1", "]", "; } fn g() {}"},
        {"fn f() { ", "S { a: ", "1", " }", "; } fn g() {}"},
        {"type T = ", "A<", "u8", ">", "; fn g() {}"},
        {"type T = ", "&", "u8", "", "; fn g() {}"},
        {"type T = ", "(", "u8", ")", "; fn g() {}"},
        {"type T = ", "[", "u8", "]", "; fn g() {}"},
        {"type T = ", "fn() -> ", "u8", "", "; fn g() {}"},
        {"type T = m![", "[", "A", "]", "]; fn g() {}"},
        {"type T = ", "m![{ ", "u8", " }]", "; fn g() {}"},
        {"fn f() { let ", "(", "x", ")", " = 1; } fn g() {}"},
        {"fn f() { let ", "&", "x", "", " = 1; } fn g() {}"},
        {"fn f() { let ", "x @ ", "x", "", " = 1; } fn g() {}"},
        {"", "mod a { ", "", "}", " fn g() {}"},
        {"", "fn f() { ", "", "}", " fn g() {}"},
        {"use ", "a::{", "b", "}", "; fn g() {}"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Reading *reading = reading_new();
        assert_string_equal(read_nested(reading, &cases[i], 60), "");
        read_nested(reading, &cases[i], 20000);
        if (reading->diags.count != 1 || reading->diags.items[0]->code != DIAG_NESTING)
            if (strncmp(cases[i].open, "a::", 3) != 0) // long paths end before deep ones
                fail_msg("`%s` often: %s", cases[i].open, summary(reading));
        int64_t count = reading->file->items.count;
        assert_string_equal(reading->file->items.items[count - 1]->name.text, "g");
        reading_free(reading);
    }
}

static void chains_are_limited(void **state)
{
    (void)state;
    static const NestedText cases[] = {
        {"fn f() { x", ".a()", "", "", "; y } fn g() {}"},
        {"fn f() { x", ".0", "", "", "; y } fn g() {}"},
        {"fn f() { x", "(1)", "", "", "; y } fn g() {}"},
        {"fn f() { x", "[0]", "", "", "; y } fn g() {}"},
        {"fn f() { x", "?", "", "", "; y } fn g() {}"},
        {"fn f() { x", " + 1", "", "", "; y } fn g() {}"},
        {"fn f() { x", " as u8", "", "", "; y } fn g() {}"},
        {"fn f() { if a {}", " else if b {}", "", "", " y } fn g() {}"},
        {"type T = m![A", " / 1", "", "", "]; fn g() {}"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Reading *reading = reading_new();
        assert_string_equal(read_nested(reading, &cases[i], 9900), "");
        read_nested(reading, &cases[i], 100000);
        assert_int_equal(reading->diags.count, 1);
        assert_int_equal(reading->diags.items[0]->code, DIAG_NESTING);
        assert_string_equal(reading->file->items.items[1]->name.text, "g");
        reading_free(reading);
    }
}

// What is long but not deep is read whole.
static void lists_are_not_limited(void **state)
{
    (void)state;
    static const NestedText cases[] = {
        {"fn f() { g(", "1, ", "", "", ") }"},
        {"use a::{", "b, ", "", "", "};"},
        {"type T = (", "u8, ", "", "", ");"},
        {"type T = m![A", ", B", "", "", "];"},
        {"fn f() { ", "x.a().b(); ", "", "", "}"},
        {"fn f() { match x { ", "A | ", "B", "", " => 1 } }"},
        {"", "/// x\n", "fn f() {}", "", ""},
        {"", "#[a]\n", "fn f() {}", "", ""},
        {"", "struct S;\n", "", "", ""},
        {"fn f<T>() where ", "T: A, ", "", "", "{}"},
        {"fn f() { foo!", "(", "", ")", " }"},
        {"/* ", "/* ", "", " */", " */ fn f() {}"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Reading *reading = reading_new();
        assert_string_equal(read_nested(reading, &cases[i], 50000), "");
        reading_free(reading);
    }
}

static void any_bytes_are_survived(void **state)
{
    (void)state;
    static const char *const parts[] = {
        "(",    ")",         "[",    "]",     "{",      "}", "(]",   "([{", "\"",
        "\"\n", "'",         "r#\"", "/*",    "*/",     "#", "#!",   "#[",  "<",
        ">>",   "&",         "..",   "...",   "@ ",     ";", "\xff", "fn ", "let ",
        "if ",  "use ",      "m![",  "i![",   "axes![", "|", "'a ",  "0x",  "else ",
        "\\",   "match x {", "\n}",  "impl ", "where ", ",", "::",   "pub "};
    for (size_t i = 0; i < COUNT_OF(parts); i++) {
        for (size_t k = 0; k < COUNT_OF(parts); k++) {
            Reading *reading = reading_new();
            StrBuf text = {.arena = &reading->arena};
            for (int n = 0; n < 40; n++)
                buf_printf(&text, "%s%s", parts[i], parts[k]);
            read_text(reading, buf_str(&text));
            printed(reading);
            assert_true(reading->diags.count <= 100);
            reading_free(reading);
        }
    }
}

static void nothing_is_a_program(void **state)
{
    (void)state;
    Reading *reading = reading_new();
    read_text(reading, (Str){0});
    assert_string_equal(summary(reading), "");
    assert_string_equal(printed(reading), "");
    reading_free(reading);
}

// Reads a text of everything with memory that runs out at the n-th allocation. True: it did not.
static bool memory_suffices(int64_t n)
{
    static const char text[] =
        "/// d\n#[a(b)] fn f<T: M>(x: &T) where T: N { let y = g(x)?; [1, 2; }\n"
        "type T = m![A / 2, B]; axes![A = 8]; enum E { A(u8) } let z = \"\\n\";";
    Reading *reading = reading_new();
    jmp_buf exhausted;
    reading->arena.on_oom = &exhausted;
    if (setjmp(exhausted) == 0) {
        reading->arena.fail_in = n;
        read_text(reading, str_from(text));
        reading_free(reading);
        return true;
    }
    reading_free(reading);
    return false;
}

static void memory_may_run_out_anywhere(void **state)
{
    (void)state;
    int64_t n = 1;
    while (!memory_suffices(n))
        n++;
    assert_true(n > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expressions_print_as_written),
        cmocka_unit_test(literals_are_decoded),
        cmocka_unit_test(operators_bind_as_in_rust),
        cmocka_unit_test(types_print_as_written),
        cmocka_unit_test(mapping_operators_go_from_left_to_right),
        cmocka_unit_test(patterns_print_as_written),
        cmocka_unit_test(items_print_as_written),
        cmocka_unit_test(comments_are_docs_or_nothing),
        cmocka_unit_test(statements_end_where_they_should),
        cmocka_unit_test(values_of_blocks_are_their_last_expression),
        cmocka_unit_test(documentation_becomes_a_program),
        cmocka_unit_test(texts_that_are_no_programs),
        cmocka_unit_test(missing_semicolons),
        cmocka_unit_test(brackets_that_do_not_match),
        cmocka_unit_test(literals_that_are_malformed),
        cmocka_unit_test(characters_without_a_place),
        cmocka_unit_test(mappings_that_are_malformed),
        cmocka_unit_test(constructs_outside_of_the_language),
        cmocka_unit_test(what_documentation_leaves_out),
        cmocka_unit_test(keywords_that_are_misspelt),
        cmocka_unit_test(generic_arguments_without_colons),
        cmocka_unit_test(attributes_that_are_malformed),
        cmocka_unit_test(statements_outside_of_functions),
        cmocka_unit_test(messages_name_what_was_written),
        cmocka_unit_test(mistakes_are_counted_and_sorted),
        cmocka_unit_test(spans_cover_what_was_written),
        cmocka_unit_test(expressions_are_numbered_through),
        cmocka_unit_test(attributes_keep_their_text),
        cmocka_unit_test(names_are_interned),
        cmocka_unit_test(nesting_is_limited),
        cmocka_unit_test(chains_are_limited),
        cmocka_unit_test(lists_are_not_limited),
        cmocka_unit_test(any_bytes_are_survived),
        cmocka_unit_test(nothing_is_a_program),
        cmocka_unit_test(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
