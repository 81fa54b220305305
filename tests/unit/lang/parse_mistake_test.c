// What every mistake is called, and where it is put.
#include "parse_support.h"

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

TEST(texts_that_are_no_programs)
{
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

TEST(missing_semicolons)
{
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

TEST(brackets_that_do_not_match)
{
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

TEST(literals_that_are_malformed)
{
    static const MistakeCase cases[] = {
        {"const A: u8 = 0x;", "14-16 E0404\n", "const A: u8 = <error>;\n"},
        {"const A: u8 = 1u99;", "14-18 E0404\n", 0},
        {"const A: u8 = 0b12;", "14-18 E0404\n", 0},
        {"const A: u8 = 340282366920938463463374607431768211456;", "14-53 E0404\n", 0},
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

TEST(characters_without_a_place)
{
    static const MistakeCase cases[] = {
        {"fn f() { a ` b; c }", "11-12 E0406\n", 0},
        {"fn f() {} \\ \nfn g() {}", "10-11 E0406\n", "fn f() {}\nfn g() {}\n"},
        {"fn f() { let gr\u00f6\u00dfe = 1; }", "13-20 E0406\n", 0},
        {"fn f() \u2192 u8 {}", "7-10 E0406\n", "fn f() -> u8 {}\n"},
        {"const A: &str = \u201Cx\u201D;", "16-19 E0406\n", 0},
        {"const\u00A0A: u8 = 1;", "5-7 E0406\n", "const A: u8 = 1;\n"},
        {"fn f() { \"\xff\" }", "10-11 E0406\n", 0},
        {"fn f() {} // \xc3(\nfn g() {}", "13-14 E0406\n", ""},
        {"fn f() {} \xff\xfe\nfn g() {}", "10-11 E0406\n", 0},
    };
    check_mistakes(cases, COUNT_OF(cases));
    Reading *reading = reading_new();
    read_text(reading, STR("fn f() {}\0\0fn g() {}"));
    assert_string_equal(summary(reading), "9-11 E0406\n");
    assert_string_equal(printed(reading), "fn f() {}\nfn g() {}\n");
    reading_free(reading);
}

TEST(mappings_that_are_malformed)
{
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

TEST(constructs_outside_of_the_language)
{
    static const MistakeCase cases[] = {
        {"fn f(x: *const u8) {}", "8-17 E0409\n", "fn f(x: <error>) {}\n"},
        {"fn f() { &raw mut x }", "9-17 E0409\n", 0},
        {"fn f() { yield x; y }", "9-14 E0409\n", "fn f() {\n    <error>;\n    y\n}\n"},
        {"fn f() { asm!(\"nop\"); }", "9-20 E0409\n", 0},
        {"fn f() { const || 1; }", "9-14 E0409\n", 0},
        {"union U { a: u8 }\nfn f() {}", "0-5 E0409\n", 0},
        {"extern \"C\" { fn g(); }\nfn f() {}", "0-10 E0409\n", "fn f() {}\n"},
        {"impl !Send for S {}", "0-6 E0409\n", 0},
        {"trait A = B;\nfn f() {}", "8-9 E0409\n", 0},
        {"fn f() { match x { m!() => a } }", "19-23 E0409\n", 0},
    };
    check_mistakes(cases, COUNT_OF(cases));
}

TEST(what_documentation_leaves_out)
{
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

TEST(keywords_that_are_misspelt)
{
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

TEST(generic_arguments_without_colons)
{
    static const MistakeCase cases[] = {
        {"fn f() { HbmTensor<i8, m![1]>::from_addr(0); x }", "18-19 E0414\n",
         "fn f() {\n    HbmTensor::<i8, m![1]>::from_addr(0);\n    x\n}\n"},
        {"fn f() { let v = Vec<u8>::new().len(); }", "20-21 E0414\n", 0},
        {"fn f() { N<5 }", "", 0},
        {"fn f() { Size < 5 }", "", 0},
    };
    check_mistakes(cases, COUNT_OF(cases));
}

TEST(attributes_that_are_malformed)
{
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

TEST(statements_outside_of_functions)
{
    static const MistakeCase cases[] = {
        {"fn main() {}\nlet x = 1;\nfn g() {}", "13-23 E0415\n", "fn main() {}\nfn g() {}\n"},
        {"fn main() { } }\nlet x = 1;", "14-15 E0403\n", 0}, // where it stands is in doubt
    };
    check_mistakes(cases, COUNT_OF(cases));
}

TEST(messages_name_what_was_written)
{
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
        {"const A: u8 = 340282366920938463463374607431768211456;",
         "the number 340282366920938463463374607431768211456 does not fit in 128 bits", 0, 0},
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
            assert_string_equal(diag->notes.items[0].words.text.data, cases[i].note);
        if (cases[i].help)
            assert_string_equal(diag->helps.items[0].words.text.data, cases[i].help);
        reading_free(reading);
    }
}

TEST(mistakes_are_counted_and_sorted)
{
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
