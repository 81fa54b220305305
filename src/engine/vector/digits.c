#include "engine/vector/digits.h"

#include "base/checked.h"
#include "mapping/cell.h"

// The element of a dimension that is being read.
typedef struct {
    Arena *arena;
    Level level;
    DigitList *digits;
    int64_t base; // positions of the dimension inside the element
    const Expr *element;
    const Atom *owner; // the one axis it names; NULL: none, or several
} Reader;

static bool has_axis(const AtomList *axes, const Atom *axis)
{
    for (int64_t i = 0; i < axes->count; i++)
        if (atom_equal(axes->items[i], axis))
            return true;
    return false;
}

bool digits_name(Arena *arena, const Dim *dim, const Atom *axis)
{
    AtomList axes = {0};
    expr_axes(arena, dim->expr, &axes);
    return has_axis(&axes, axis);
}

// Padding round a term adds steps to it where it ends on one. `[A, B] # 10` with 2 x 3 does not,
// which is no matter at the very outside of a dimension: the last step of A is cut short.
static bool is_regular(const Mapping *mapping, bool outermost)
{
    int64_t size = 1, place = 1;
    for (int64_t i = 0; i < mapping->count; i++) {
        const Factor *factor = &mapping->factors[i];
        bool last = outermost && i == mapping->count - 1;
        if (factor->is_padding && factor->size % place && !last)
            return false;
        place = factor->is_padding ? place : size;
        size = factor->is_padding ? factor->size : size * factor->resize;
    }
    return true;
}

static Digit *push_digit(Reader *reader, int64_t place, const Term *term, int64_t resize)
{
    Digit *digit = array_push(reader->arena, reader->digits, Digit);
    *digit = (Digit){.level = reader->level,
                     .place = reader->base * place,
                     .extent = resize,
                     .resize = resize,
                     .end = reader->base * place * resize,
                     .term = *term};
    return digit;
}

static void extend_digit(const Reader *reader, Digit *digit, int64_t size)
{
    digit->end = reader->base * size;
    digit->extent = ceil_div(digit->end, digit->place);
}

// What `/ n` makes of one step: 8 of `R # 64 / 8`. At least the size of the axis.
static int64_t written_stride(const Expr *element, const Atom *axis)
{
    int64_t stride = 1;
    for (; element->inner; element = element->inner)
        if (element->kind == EXPR_STRIDE && !checked_mul(stride, element->number, &stride))
            return axis->size;
    return max_i64(stride, axis->size);
}

// Padding at the very inside of an element. Where the element names one axis it is a digit of that
// axis, each step of which leads beyond the axis.
static Digit *push_bare_padding(Reader *reader)
{
    const Atom *owner = reader->owner;
    Term term = {.atom = owner, .stride = 1, .modulo = 1};
    if (owner)
        term.stride = written_stride(reader->element, owner);
    return push_digit(reader, 1, &term, 1);
}

static void read_factors(Reader *reader, const Mapping *mapping)
{
    Digit *last = NULL;
    int64_t size = 1;
    for (int64_t i = 0; i < mapping->count; i++) {
        const Factor *factor = &mapping->factors[i];
        if (!factor->is_padding) {
            last = push_digit(reader, size, &factor->term, factor->resize);
            size *= factor->resize;
            continue;
        }
        last = last ? last : push_bare_padding(reader);
        extend_digit(reader, last, factor->size);
        size = factor->size;
    }
}

// An element whose padding ends inside a digit counts as one digit of all that it holds.
static void read_whole(Reader *reader, const Mapping *mapping)
{
    Mapping core = mapping_strip(mapping);
    Term term = {atom_block(reader->arena, &core), 1, core.size};
    extend_digit(reader, push_digit(reader, 1, &term, core.size), mapping->size);
}

static void read_element(Reader *reader, const Expr *element, bool outermost)
{
    AtomList axes = {0};
    expr_axes(reader->arena, element, &axes);
    reader->element = element;
    reader->owner = axes.count == 1 ? axes.items[0] : NULL;
    Mapping written = mapping_of_expr(reader->arena, element);
    Mapping mapping = mapping_normalise(reader->arena, &written);
    if (is_regular(&mapping, outermost))
        read_factors(reader, &mapping);
    else
        read_whole(reader, &mapping);
    reader->base *= mapping.size;
}

void digits_add(Arena *arena, Level level, const Dim *dim, DigitList *digits)
{
    ExprList elements = {0};
    Reader reader = {.arena = arena, .level = level, .digits = digits, .base = 1};
    expr_elements(arena, dim->expr, &elements);
    for (int64_t i = elements.count - 1; i >= 0; i--)
        read_element(&reader, elements.items[i], i == 0);
}

bool digit_counts(const Digit *digit, const Atom *axis)
{
    return digit->term.atom && atom_equal(digit->term.atom, axis);
}

bool digit_mixes(Arena *arena, const Digit *digit, const Atom *axis)
{
    AtomList axes = {0};
    if (!digit->term.atom || atom_equal(digit->term.atom, axis))
        return false;
    atom_axes(arena, digit->term.atom, &axes);
    return has_axis(&axes, axis);
}

Mapping digits_without(Arena *arena, const DigitList *digits, const Atom *axis)
{
    MappingBuilder builder = mapping_build(arena);
    for (int64_t i = 0; i < digits->count; i++) {
        const Digit *digit = &digits->items[i];
        if (digit_counts(digit, axis))
            continue;
        int64_t end = digit->end / (digit->place / builder.size); // without what was taken out
        if (digit->term.atom) {
            Mapping term = mapping_of_term(arena, digit->term, digit->resize);
            mapping_build_add(&builder, &term);
        }
        mapping_build_pad(&builder, end, PADDING_TOP);
    }
    return mapping_build_done(&builder);
}
