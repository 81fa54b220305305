// Words that name nothing which is declared: macros and attributes.
#include "lsp/complete.h"
#include "lsp/hover.h"

#include "base/checked.h"

#include <ctype.h>
#include <string.h>

static const struct {
    const char *name, *docs;
} macros[] = {
    {"axes", "Declares axes with their sizes: `axes![Rows = 8, Columns = 64];`"},
    {"i", "An index into a tensor: `i![Rows: 3, Columns: 0]`"},
    {"vec", "A `Vec` of these values, or of one value so many times: `vec![0; 8]`"},
    {"format", "A `String`: the text with each `{}` replaced by a value"},
    {"print", "Prints the text with each `{}` replaced by a value"},
    {"println", "Prints a line: the text with each `{}` replaced by a value"},
    {"eprint", "Prints to the error output"},
    {"eprintln", "Prints a line to the error output"},
    {"write", "Writes the text with each `{}` replaced by a value"},
    {"writeln", "Writes a line"},
    {"assert", "Fails unless the condition holds"},
    {"assert_eq", "Fails unless the two values are equal"},
    {"assert_ne", "Fails if the two values are equal"},
    {"debug_assert", "Fails unless the condition holds"},
    {"debug_assert_eq", "Fails unless the two values are equal"},
    {"matches", "Whether the value has the form of the pattern"},
    {"include_bytes", "The bytes of a file, whose path starts beside this one"},
    {"include_str", "The text of a file, whose path starts beside this one"},
    {"panic", "Ends the program with a message"},
    {"todo", "Fails: this is still to be written"},
    {"unimplemented", "Fails: this is not written"},
    {"unreachable", "Fails: nothing should come here"},
};

static bool is_letter(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static Str macro_docs(Str name)
{
    for (size_t i = 0; i < COUNT_OF(macros); i++)
        if (str_equal(name, str_from(macros[i].name)))
            return str_from(macros[i].docs);
    return STR("");
}

bool hover_word(const Hover *hover, Span *span)
{
    Query at = *hover->query;
    Str text = at.analysis->contra->sources.items[at.source].text;
    while (at.offset < text.len && is_letter(text.data[at.offset]))
        at.offset++;
    Cursor cursor = cursor_at(&at, hover->trail);
    bool macro = at.offset < text.len && text.data[at.offset] == '!';
    if (cursor.is_text || !cursor.word.len)
        return false;
    Str docs = macro ? macro_docs(cursor.word) : attribute_docs(&cursor);
    if (!docs.len)
        return false;
    buf_printf(hover->out, "```rust\n%.*s%s\n```\n\n%.*s\n", STR_ARG(cursor.word), macro ? "!" : "",
               STR_ARG(docs));
    *span = (Span){at.source, cursor.start, at.offset};
    return true;
}
