// Factors as an expression that parses back to them. The outermost stands first, so the text is
// put together from the inside: each factor either goes before the elements so far, or, a padding
// that is not a multiple of its last element, round all of them.
#include "mapping/mapping.h"

#include "base/checked.h"

typedef struct {
    ARRAY(Str);
} StrList;

static void print_list(StrBuf *out, const Atom *atom)
{
    buf_add(out, STR(" @ ["));
    for (int64_t i = 0; i < atom->size; i++)
        buf_format(out, "{}{}", i ? ", " : "", atom->offsets[i]);
    buf_add(out, STR("]"));
}

// A mapping as an operand: in brackets only where it needs them.
static void print_operand(StrBuf *out, const Mapping *mapping)
{
    Str text = mapping_text(out->arena, mapping);
    int64_t depth = 0;
    bool group = text.data[0] == '#';
    for (int64_t i = 0; i < text.len && !group; i++) {
        char c = text.data[i];
        depth += (c == '[' || c == '(') - (c == ']' || c == ')');
        group = c == ',' && depth == 0;
    }
    buf_format(out, group ? "[{}]" : "{}", text);
}

static void print_linear(StrBuf *out, const Atom *atom)
{
    buf_add(out, STR("$("));
    for (int64_t i = 0; i < atom->part_count; i++) {
        buf_add(out, i ? STR(", ") : STR(""));
        print_operand(out, atom->parts[i]);
        buf_format(out, ":{}", atom->weights[i]);
    }
    buf_add(out, STR(")"));
}

static void print_shift(StrBuf *out, const Atom *atom)
{
    if (atom->shift < 0)
        buf_format(out, "[# {} + ", -atom->shift);
    print_operand(out, atom->inner);
    if (atom->shift < 0)
        buf_add(out, STR("]"));
    else
        buf_format(out, " @ {}", atom->shift);
}

static void print_atom(StrBuf *out, const Atom *atom)
{
    switch (atom->kind) {
    case ATOM_AXIS:
    case ATOM_SKEW:
        buf_add(out, str_from(atom->name));
        return;
    case ATOM_BLOCK:
        print_operand(out, atom->inner);
        return;
    case ATOM_SHIFT:
        print_shift(out, atom);
        return;
    case ATOM_LIST:
        print_operand(out, atom->inner);
        print_list(out, atom);
        return;
    case ATOM_LINEAR:
        print_linear(out, atom);
        return;
    }
}

// Whether the parser takes an atom apart where it is cut evenly: `A = 10 % 2` is A, not digits of
// `A = 10`, which may have others elsewhere that carry beyond 10. Padding keeps it whole.
static bool comes_apart(const Atom *atom)
{
    if (atom->kind != ATOM_BLOCK || atom->inner->count != 1)
        return false;
    const Factor *only = &atom->inner->factors[0];
    return !only->is_padding && only->resize < ceil_div(only->term.atom->size, only->term.stride);
}

// Whether the parser keeps only what it needs of the start of an atom: `[A, B] = 33` with B = 8 is
// a start of `[A = 5, B]`, and `A = 10 = 4` is A.
static bool start_is_shortened(Arena *arena, const Atom *atom, int64_t size)
{
    Mapping start;
    return atom->kind == ATOM_BLOCK && size < atom->size &&
           (mapping_prefix(arena, atom->inner, size, &start) || start.size < atom->size);
}

// What would be shortened as a start is a modulo instead, which keeps it.
static Term term_to_print(Arena *arena, const Term *term, int64_t resize)
{
    Term result = *term;
    if (result.stride == 1 && start_is_shortened(arena, result.atom, resize))
        result.modulo = min_i64(result.modulo, resize);
    return result;
}

// Writes `atom # padded % unit / stride = resize` with only the parts that change something. The
// padding makes every cut even, which the parser demands; cutting at the far end comes first where
// cutting at the near end would take a composite apart.
void term_print(StrBuf *out, const Term *of, int64_t resize)
{
    Term term = term_to_print(out->arena, of, resize);
    int64_t size = term.atom->size, unit, more;
    int64_t above = ceil_div(size, term.stride);
    bool top = term.modulo >= above;
    if (!checked_mul(term.stride, term.modulo, &unit))
        top = true;
    print_atom(out, term.atom);
    if (resize == 1 && size > 1) { // an origin: the one block of all positions
        buf_format(out, " / {}", size);
        return;
    }
    if (top)
        unit = term.stride;
    int64_t padded;
    if (!checked_round_up(size, unit, &padded))
        padded = size;
    if (padded == size && unit > 1 && comes_apart(term.atom) && checked_add(size, unit, &more))
        padded = more;
    if (padded != size)
        buf_format(out, " # {}", padded);
    // What is kept whole must be cut at its far end first: cut at the near one, it might come apart
    // there, and the rest of it would be something else.
    bool far_first = !top && term.atom->kind != ATOM_AXIS;
    if (far_first)
        buf_format(out, " % {}", unit);
    if (term.stride > 1)
        buf_format(out, " / {}", term.stride);
    if (!top && !far_first)
        buf_format(out, " % {}", term.modulo);
    if (resize != (top ? padded / term.stride : term.modulo))
        buf_format(out, " = {}", resize);
}

static Str join(Arena *arena, const StrList *elements)
{
    StrBuf buf = {.arena = arena};
    for (int64_t i = elements->count - 1; i >= 0; i--)
        buf_format(&buf, "{}{}", elements->items[i], i ? ", " : "");
    return buf_str(&buf);
}

// `below`: positions inside the last element; 0 when there is none.
static void print_padding(Arena *arena, StrList *elements, const Factor *factor, int64_t below)
{
    const char *sign = factor->padding == PADDING_TOP ? "#" : "#_";
    if (elements->count == 0) {
        *array_push(arena, elements, Str) = str_format(arena, "1 {} {}", sign, factor->size);
        return;
    }
    Str *last = &elements->items[elements->count - 1];
    if (factor->size % below == 0) {
        *last = str_format(arena, "{} {} {}", *last, sign, factor->size / below);
        return;
    }
    Str all = join(arena, elements);
    elements->count = 0;
    *array_push(arena, elements, Str) = str_format(arena, "[{}] {} {}", all, sign, factor->size);
}

void mapping_print(StrBuf *out, const Mapping *mapping)
{
    StrList elements = {0};
    int64_t below = 1, size = 1;
    for (int64_t i = 0; i < mapping->count; i++) {
        const Factor *factor = &mapping->factors[i];
        if (factor->is_padding) {
            print_padding(out->arena, &elements, factor, below);
            below = factor->size % below ? 1 : below; // the bracket holds everything
            size = factor->size;
            continue;
        }
        StrBuf text = {.arena = out->arena};
        term_print(&text, &factor->term, factor->resize);
        *array_push(out->arena, &elements, Str) = buf_str(&text);
        below = size;
        size *= factor->resize;
    }
    buf_add(out, elements.count ? join(out->arena, &elements) : STR("1"));
}

Str mapping_text(Arena *arena, const Mapping *mapping)
{
    StrBuf buf = {.arena = arena};
    mapping_print(&buf, mapping);
    return buf_str(&buf);
}
