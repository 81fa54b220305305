// Patterns against values. A pattern is matched against a place: what it binds by reference refers
// to a part of that.
#include "lang/eval/trace_internal.h"

#include "base/checked.h"
#include "lang/eval/drop.h"
#include "lang/eval/whole.h"
#include "lang/std/std.h"

typedef struct {
    Value *place;
    bool by_ref; // a reference was looked through: names are bound to references
} Matched;

static bool bind(Trace *trace, const AstPattern *pattern, Matched matched);

// What no part of the program holds: an item that is not known.
static bool bind_nothing(Trace *trace, const AstPattern *pattern)
{
    Value nothing = VALUE_NOTHING;
    return bind(trace, pattern, (Matched){&nothing, false});
}

static bool bind_item(Trace *trace, const AstPattern *pattern, const ValueList *list, int64_t at,
                      bool by_ref)
{
    bool there = list && at >= 0 && at < list->count;
    return there ? bind(trace, pattern, (Matched){&list->items[at], by_ref})
                 : bind_nothing(trace, pattern);
}

// rest @ ..: the items in between, as a slice.
static void bind_rest(Trace *trace, const AstPattern *pattern, const ValueList *list, int64_t from,
                      int64_t to)
{
    uintptr_t slot = (uintptr_t)map_get(&trace->frame->body->slots, pattern);
    if (!slot)
        return;
    Value *place = arena_new(trace->lang->arena, Value, 1);
    if (list && from <= to) {
        ValueList *part = arena_new(trace->lang->arena, ValueList, 1);
        *part = (ValueList){.items = list->items + from, .count = to - from};
        *place = (Value){.kind = VALUE_LIST, .list = part};
    }
    trace->frame->slots[slot - 1] = (Value){.kind = VALUE_REF, .place = place};
}

static bool bind_items(Trace *trace, const AstPattern *pattern, const ValueList *list, bool by_ref)
{
    const AstPatterns *items = &pattern->items;
    if (pattern->kind == PATTERN_SLICE && list && !pattern_takes(items, list->count))
        return false;
    bool fits = true;
    for (int64_t i = 0; i < items->count; i++) {
        int64_t at = list ? pattern_place(items, i, list->count) : -1;
        int64_t after = items->count - i - 1;
        if (pattern_is_rest(items->items[i]))
            bind_rest(trace, items->items[i], list, i, list ? list->count - after : 0);
        else
            fits &= bind_item(trace, items->items[i], list, at, by_ref);
    }
    return fits;
}

static bool bind_fields(Trace *trace, const AstPattern *pattern, const AstFields *fields,
                        const ValueList *list, bool by_ref)
{
    bool fits = true;
    for (int64_t i = 0; i < pattern->items.count; i++) {
        int64_t at = -1;
        for (int64_t k = 0; k < fields->count; k++)
            if (fields->items[k].name.text == pattern->fields.items[i].text)
                at = k;
        fits &= bind_item(trace, pattern->items.items[i], list, at, by_ref);
    }
    return fits;
}

// Parts of the context are contexts.
static bool bind_context(Trace *trace, const AstPattern *pattern)
{
    Value *context = arena_new(trace->lang->arena, Value, 1);
    context->kind = VALUE_CONTEXT;
    for (int64_t i = 0; i < pattern->items.count; i++)
        (void)bind(trace, pattern->items.items[i], (Matched){context, false});
    return true;
}

static bool is_constant(Trace *trace, Decl *decl, Value value)
{
    bool known = true;
    Value constant = constant_value(trace, decl, &(Use){.kind = USE_DECL, .decl = decl});
    bool equal = value_equal(&constant, &value, &known);
    trace->guessed |= !known;
    return equal || !known;
}

// A variant, struct or constant by its name.
static bool bind_variant(Trace *trace, const AstPattern *pattern, Matched matched)
{
    Decl *decl = map_get(&trace->frame->body->patterns, pattern);
    Value value = *matched.place;
    if (value.kind == VALUE_CONTEXT)
        return bind_context(trace, pattern);
    if (decl && decl->kind == DECL_CONST)
        return is_constant(trace, decl, value);
    trace->guessed |= value.kind == VALUE_UNKNOWN && decl && decl->kind == DECL_VARIANT &&
                      decl->item->variants.count > 1;
    Decl *variant = value_variant(value);
    if (variant && decl && variant != decl)
        return false;
    const ValueList *list = variant                    ? value_fields(trace, matched.place)
                            : value.kind == VALUE_LIST ? value.list
                                                       : NULL;
    if (pattern->kind != PATTERN_STRUCT)
        return bind_items(trace, pattern, list, matched.by_ref);
    return !decl || bind_fields(trace, pattern,
                                decl->kind == DECL_VARIANT ? &decl->variant->fields
                                                           : &decl->item->structure.fields,
                                list, matched.by_ref);
}

static bool bind_literal(Trace *trace, const AstPattern *pattern, Value value)
{
    Value low = pattern->low ? value_strip(trace_expr(trace, pattern->low)) : VALUE_NOTHING;
    bool known = true;
    bool equal = !pattern->is_range && value_equal(&low, &value, &known);
    trace->guessed |= !known || value.kind == VALUE_UNKNOWN;
    if (!pattern->is_range)
        return equal || !known;
    Value high = pattern->high ? value_strip(trace_expr(trace, pattern->high)) : VALUE_NOTHING;
    if (!value_is_whole(value) && value.kind != VALUE_FLOAT)
        return true;
    Type *type = body_type(trace->frame->body, pattern->low ? pattern->low : pattern->high);
    int above = 1, below = -1;
    if (low.kind == value.kind)
        value_compare(trace, value, low, type, &above);
    if (high.kind == value.kind)
        value_compare(trace, value, high, type, &below);
    return (above == 0 || above == 1) && (below == -1 || (below == 0 && pattern->inclusive));
}

// Patterns other than names look through references.
static Matched look_through(Matched matched)
{
    enum { LONGEST_CHAIN = 64 };
    for (int i = 0; i < LONGEST_CHAIN && matched.place->kind == VALUE_REF; i++)
        matched = (Matched){matched.place->place, true};
    return matched;
}

static bool bind_name(Trace *trace, const AstPattern *pattern, Matched matched)
{
    uintptr_t slot = (uintptr_t)map_get(&trace->frame->body->slots, pattern);
    if (!slot) // a constant or a variant
        return bind_variant(trace, pattern, look_through(matched));
    bool refers = (matched.by_ref || pattern->by_ref) && matched.place->kind != VALUE_REF &&
                  matched.place->kind != VALUE_POISON && matched.place->kind != VALUE_UNKNOWN;
    Value *slots = trace->frame->slots;
    bool owns = follows_drops(trace) && !refers &&
                type_drops(trace, trace->frame->body->slot_types.items[slot - 1]);
    if (owns) {
        drops_push(trace, &slots[slot - 1]);
        *array_push(trace->lang->arena, &trace->moves, Place) =
            (Place){matched.place, *matched.place};
    }
    slots[slot - 1] = refers ? (Value){.kind = VALUE_REF, .place = matched.place} : *matched.place;
    if (matched.place->kind == VALUE_TENSOR)
        builder_name(trace->builder, matched.place->tensor, pattern->name.text);
    return !pattern->inner || bind(trace, pattern->inner, matched);
}

static bool bind_any(Trace *trace, const AstPattern *pattern, Matched matched)
{
    int64_t drops = trace->drops.count, moves = trace->moves.count;
    for (int64_t i = 0; i < pattern->items.count; i++) {
        if (bind(trace, pattern->items.items[i], matched))
            return true;
        trace->drops.count = drops;
        trace->moves.count = moves;
    }
    return false;
}

static bool bind(Trace *trace, const AstPattern *pattern, Matched matched)
{
    switch (pattern->kind) {
    case PATTERN_BIND:
        return bind_name(trace, pattern, matched);
    case PATTERN_REF:
        if (matched.place->kind == VALUE_REF)
            matched.place = matched.place->place;
        return bind(trace, pattern->inner, (Matched){matched.place, false});
    case PATTERN_OR:
        return bind_any(trace, pattern, matched);
    case PATTERN_TUPLE:
    case PATTERN_SLICE:
        matched = look_through(matched);
        trace->guessed |= pattern->kind == PATTERN_SLICE && matched.place->kind == VALUE_UNKNOWN;
        return bind_items(trace, pattern,
                          matched.place->kind == VALUE_LIST ? matched.place->list : NULL,
                          matched.by_ref);
    case PATTERN_PATH:
    case PATTERN_VARIANT:
    case PATTERN_STRUCT:
        return bind_variant(trace, pattern, look_through(matched));
    case PATTERN_LITERAL:
        return bind_literal(trace, pattern, value_strip(*matched.place));
    case PATTERN_WILDCARD:
    case PATTERN_REST:
    case PATTERN_ERROR:
        break;
    }
    return true;
}

bool bind_pattern(Trace *trace, const AstPattern *pattern, Value value)
{
    // what names may refer to must live on; a reference has its place already
    bool lasting = pattern->kind == PATTERN_BIND && pattern->by_ref && value.kind != VALUE_REF;
    Value local = value;
    Value *place = lasting ? arena_copy(trace->lang->arena, &value, sizeof value) : &local;
    int64_t drops = trace->drops.count;
    trace->moves.count = 0;
    bool fits = bind(trace, pattern, (Matched){place, false});
    if (!fits)
        trace->drops.count = drops;
    for (int64_t i = 0; i < trace->moves.count && fits; i++) {
        Place *move = &trace->moves.items[i];
        if (move->place == &local)
            move->place = NULL; // the caller's
        else
            *move->place = (Value){.kind = VALUE_MOVED};
    }
    return fits;
}

void unbind_pattern(Trace *trace, int64_t drops)
{
    for (int64_t i = 0; i < trace->moves.count; i++)
        if (trace->moves.items[i].place)
            *trace->moves.items[i].place = trace->moves.items[i].value;
    trace->drops.count = drops;
}

bool bind_owned(Trace *trace, const AstPattern *pattern, Value value, Type *type)
{
    bool rest = follows_drops(trace) && pattern->kind != PATTERN_BIND;
    if (rest && type && type_drops(trace, type))
        drops_keep(trace, value);
    return bind_pattern(trace, pattern, value);
}
