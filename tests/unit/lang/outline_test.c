// The library: its outline against what the parser finds, and that what it declares is right, which
// no check of a program looks at.
#include "parse_support.h"

#include "lang/std/builtin.h"
#include "lang/syntax/outline.h"
#include "lang/types/signature.h"

typedef struct {
    const char *name;
    Str (*text)(void);
} LibraryText;

static const LibraryText texts[] = {{"<prelude>", builtin_prelude_text},
                                    {"<std>", builtin_std_text}};

static void same_span(Span outlined, Span parsed)
{
    assert_int_equal(outlined.start, parsed.start);
    assert_int_equal(outlined.end, parsed.end);
}

// Both lists name the same items at the same places, before and after those of the outline are
// read.
static void compare_items(Reading *reading, const AstItems *outlined, const AstItems *parsed)
{
    assert_int_equal(outlined->count, parsed->count);
    for (int64_t i = 0; i < parsed->count; i++) {
        AstItem *item = outlined->items[i];
        const AstItem *other = parsed->items[i];
        assert_ptr_equal(item->name.text, other->name.text);
        assert_int_equal(item->kind, other->kind);
        assert_int_equal(item->visibility.kind, other->visibility.kind);
        if (item->kind == ITEM_STRUCT)
            assert_int_equal(item->structure.kind, other->structure.kind);
        if (*item->name.text)
            same_span(item->name.span, other->name.span);
        if (item->unread)
            outline_read(&reading->arena, &reading->names, &reading->sources, item->unread,
                         &reading->next_id, &reading->diags);
        assert_null(item->unread);
        same_span(item->span, other->span);
        if (item->kind == ITEM_MOD)
            compare_items(reading, &item->module.items, &other->module.items);
        else if (item->kind == ITEM_IMPL)
            compare_items(reading, &item->impl.items, &other->impl.items);
        else
            assert_int_equal(item->end_expr - item->first_expr,
                             other->end_expr - other->first_expr);
    }
}

TEST(outline_is_what_the_parser_finds)
{
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        Reading *reading = reading_new();
        read_text(reading, texts[i].text());
        const AstFile *parsed = reading->file;
        const char *wanted = printed(reading);
        AstFile outlined = {.source = 0};
        outlined.items = outline_text(&reading->arena, &reading->names, &reading->sources, 0,
                                      &reading->next_id, &reading->diags);
        compare_items(reading, &outlined.items, &parsed->items);
        reading->file = &outlined;
        assert_string_equal(printed(reading), wanted);
        assert_int_equal(reading->diags.count, 0);
        reading_free(reading);
    }
}

// ---- what it declares

static void check_module(Lang *lang, Module *module);

static void check_decl(Lang *lang, const Module *module, Decl *decl)
{
    decl_read(lang, decl);
    if (decl->kind != DECL_MODULE)
        signature_of(lang, decl);
    else if (decl->module->outer == module)
        check_module(lang, decl->module);
    for (int64_t i = 0; i < decl->variants.capacity; i++)
        if (decl->variants.slots[i].key)
            signature_of(lang, decl->variants.slots[i].value);
    for (int64_t i = 0; i < decl->impls.count; i++) {
        impl_items(lang, decl->impls.items[i]); // declares them
        const Map *members = &decl->impls.items[i]->members;
        for (int64_t k = 0; k < members->capacity; k++)
            if (members->slots[k].key)
                signature_of(lang, decl_read(lang, members->slots[k].value));
    }
}

static void check_module(Lang *lang, Module *module)
{
    module_check_uses(lang, module);
    for (Space space = 0; space < SPACE_COUNT; space++)
        for (int64_t i = 0; i < module->names[space].capacity; i++)
            if (module->names[space].slots[i].key)
                check_decl(lang, module, module->names[space].slots[i].value);
}

static bool read_nothing(void *own, Arena *arena, Str path, Str *text)
{
    (void)own, (void)arena, (void)path, (void)text;
    return false;
}

TEST(library_is_without_mistakes)
{
    Reading *reading = reading_new();
    Lang lang = {.arena = &reading->arena,
                 .names = {.arena = &reading->arena},
                 .sources = &reading->sources,
                 .diags = &reading->diags,
                 .files = {.read = read_nothing}};
    lang_load_prelude(&lang);
    sort_impls(&lang);
    check_module(&lang, lang.builtin);
    for (int64_t i = 0; i < reading->diags.count; i++)
        print_message("%.*s\n", STR_ARG(reading->diags.items[i]->message));
    assert_int_equal(reading->diags.count, 0);
    reading_free(reading);
}
