// How much room values take, and when a program that asks for too much of it ends: as the language
// says, where its numbers say so, before anything is asked of the machine.
#include "lang/std/native.h"

#include "base/checked.h"

static int64_t align_up(int64_t size, int64_t align)
{
    return ceil_div(size, align) * align;
}

bool size_of_type(Trace *trace, Type *type, int64_t *size, int64_t *align)
{
    type = type_of(type);
    int64_t part, part_align;
    *size = 0;
    *align = 1;
    switch (type->kind) {
    case TYPE_REF: {
        Type *to = type_of(type->args[0]);
        *align = 8;
        *size = to->kind == TYPE_SLICE || type_is_prim(to, PRIM_str) ? 16 : 8;
        return true;
    }
    case TYPE_ARRAY:
        if (!size_of_type(trace, type->args[0], &part, align) ||
            type_of(type->args[1])->kind != TYPE_CONST)
            return false;
        *size = part * type_of(type->args[1])->value;
        return true;
    case TYPE_TUPLE:
        for (int32_t i = 0; i < type->arg_count; i++) {
            if (!size_of_type(trace, type->args[i], &part, &part_align))
                return false;
            *size += part; // in the best order, which has no gaps but at the end
            *align = max_i64(*align, part_align);
        }
        *size = align_up(*size, *align);
        return true;
    case TYPE_NAMED:
        break;
    default:
        return false;
    }
    if (type->decl->kind == DECL_PRIM) {
        *size = *align = (prims[type->decl->prim].bits + 7) / 8;
        return type->decl->prim != PRIM_str;
    }
    if (type->decl->is_builtin) {
        static const struct {
            const char *name;
            int64_t size;
        } known[] = {{"Vec", 24}, {"String", 24}, {"Box", 8}, {"Rc", 8}, {"Arc", 8}};
        *align = 8;
        for (size_t i = 0; i < COUNT_OF(known); i++)
            if (type_is_named(type, known[i].name)) {
                *size = known[i].size;
                return true;
            }
        return false;
    }
    if (type->decl->kind != DECL_STRUCT)
        return false;
    for (int64_t i = 0; i < type->decl->item->structure.fields.count; i++) {
        Type *field = value_item_type(trace, type, VALUE_NOTHING, i);
        if (!field || !size_of_type(trace, field, &part, &part_align))
            return false;
        *size += part;
        *align = max_i64(*align, part_align);
    }
    *size = align_up(*size, *align);
    return true;
}

bool room_to_look(const Trace *trace, Int128 count)
{
    enum { MOST_LOOKED_AT = 1 << 20 };
    return trace->run || count <= MOST_LOOKED_AT;
}

Int128 iter_expected(const Iter *iter)
{
    Int128 size = iter->is_open ? (Int128)UINT64_MAX : iter_size(iter);
    return size < 0 ? 0 : size;
}

bool room_for(Trace *trace, Int128 count, Type *item, Span span)
{
    static const Int128 address_space = (Int128)1 << 47; // of a machine of today
    int64_t size = 1, align;
    if (!trace->run || trace->flow != FLOW_ON)
        return trace->flow == FLOW_ON;
    if (item && !size_of_type(trace, item, &size, &align))
        size = 1;
    if (count > (Int128)UINT64_MAX)
        count = (Int128)UINT64_MAX;
    Int128 bytes = count * size, held = count * (item ? (Int128)sizeof(Value) : 1);
    if (bytes > INT64_MAX)
        trace_panic(trace, span, STR("capacity overflow"));
    else if (bytes > address_space)
        trace_panic_words(trace, span, "memory allocation of {} bytes failed", (int64_t)bytes);
    else if (held > address_space) // of a type without a size, or of a small one
        trace_panic_words(trace, span, "there is no memory for {} values",
                          (unsigned long long)count);
    return trace->flow == FLOW_ON;
}
