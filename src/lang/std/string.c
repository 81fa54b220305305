// Texts that grow: String.
#include "lang/std/native.h"

#include "base/checked.h"
#include "lang/eval/range.h"
#include "lang/syntax/text.h"

#include <string.h>

void text_append(Trace *trace, Value *string, Str more)
{
    enum { FIRST_BYTES = 32 };
    int64_t length = string->text.len + more.len;
    if (length > string->capacity) {
        int64_t capacity = max_i64(FIRST_BYTES, 2 * length);
        char *data = arena_new(trace->lang->arena, char, (size_t)capacity);
        if (string->text.len)
            memcpy(data, string->text.data, (size_t)string->text.len);
        string->text.data = data;
        string->capacity = capacity;
    }
    char *data = (char *)(uintptr_t)string->text.data; // of its own, as its capacity says
    if (more.len)
        memmove(data + string->text.len, more.data, (size_t)more.len);
    string->text.len = length;
}

NATIVE(string_new_text)
{
    int64_t capacity = 0;
    if (call->count)
        std_int(call, 0, &capacity);
    *result = value_text(STR(""));
    room_for(call->trace, (uint64_t)capacity, NULL, call->span);
    return true;
}

NATIVE(string_push)
{
    Value *place = std_place(call, 0), more = std_arg(call, 1);
    if (!place || place->kind != VALUE_STRING)
        return false;
    StrBuf one = {.arena = call->trace->lang->arena};
    if (more.kind == VALUE_INT)
        text_encode(&one, (uint32_t)more.integer);
    text_append(call->trace, place, more.kind == VALUE_INT ? buf_str(&one) : more.text);
    *result = unit_value();
    return more.kind == VALUE_INT || more.kind == VALUE_STRING;
}

// The text in between is replaced: insert, insert_str, remove, replace_range.
static void splice(const StdCall *call, Value *place, int64_t from, int64_t to, Str with)
{
    StrBuf out = {.arena = call->trace->lang->arena};
    buf_add(&out, str_slice(place->text, 0, from));
    buf_add(&out, with);
    buf_add(&out, str_slice(place->text, to, place->text.len));
    *place = value_text(buf_str(&out));
}

NATIVE(string_truncate)
{
    Value *place = std_place(call, 0);
    int64_t length;
    if (!place || place->kind != VALUE_STRING || !std_count(call, 1, &length))
        return false;
    if (length < place->text.len && text_is_inside(place->text.data[length]))
        return std_panic(call, result, "assertion failed: self.is_char_boundary(new_len)");
    place->text.len = min_i64(place->text.len, length);
    return std_unit(result);
}

static bool is_boundary(Str text, uint64_t at)
{
    uint64_t length = (uint64_t)text.len;
    return at == length || (at < length && !text_is_inside(text.data[at]));
}

// drain, replace_range
NATIVE(string_take_range)
{
    Value *place = std_place(call, 0), range = std_arg(call, 1);
    uint64_t from, to;
    if (!place || place->kind != VALUE_STRING || range.kind != VALUE_RANGE)
        return false;
    Str text = place->text, with = STR("");
    if (call->op == RANGE_REPLACE && !std_text(call, 2, &with))
        return false;
    if (!range_places(range, text.len, &from, &to) || from > to || !is_boundary(text, from) ||
        !is_boundary(text, to))
        return std_panic(call, result, "the range does not lie between characters of the string");
    splice(call, place, (int64_t)from, (int64_t)to, with);
    Str taken = str_slice(text, (int64_t)from, (int64_t)to);
    *result = call->op == RANGE_DRAIN ? value_iter(iter_over_text(call->trace, taken, false, false))
                                      : unit_value();
    return true;
}
