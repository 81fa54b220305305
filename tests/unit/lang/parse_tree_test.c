// Spans, numbers and names of the tree, and texts made to break a parser.
#include "parse_support.h"

// ---- the tree itself

TEST(spans_cover_what_was_written)
{
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

TEST(expressions_are_numbered_through)
{
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

TEST(attributes_keep_their_text)
{
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

TEST(names_are_interned)
{
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

TEST(nesting_is_limited)
{
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

TEST(chains_are_limited)
{
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
TEST(lists_are_not_limited)
{
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

TEST(any_bytes_are_survived)
{
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
                buf_format(&text, "{}{}", parts[i], parts[k]);
            read_text(reading, buf_str(&text));
            printed(reading);
            assert_true(reading->diags.count <= 100);
            reading_free(reading);
        }
    }
}

TEST(nothing_is_a_program)
{
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

TEST(memory_may_run_out_anywhere)
{
    int64_t n = 1;
    while (!memory_suffices(n))
        n++;
    assert_true(n > 50);
}
