#include "engine/lower/split.h"

#include "engine/shape.h"

#include <assert.h>

// What is left of one dimension.
typedef struct {
    Narrower *narrower;
    const Narrowing *digit;
    bool keeps_room; // a hole stays where something is left out, as in a tile
    bool found;      // the digit is there
    bool failed;     // it is there, but not as one piece
    bool unpadded;   // padding round it was dropped with it
    int64_t place;   // positions that one step of it took
    DiagList none;   // what is made here is right
} Narrow;

static Narrow narrow_of(Narrower *narrower, const Narrowing *digit, bool keeps_room)
{
    return (Narrow){.narrower = narrower,
                    .digit = digit,
                    .keeps_room = keeps_room,
                    .none = {.arena = narrower->arena}};
}

// ---- expressions

// Factors turned back into an expression, from the inside out.
typedef struct {
    Narrow *narrow;
    Span span;
    ExprList parts; // innermost first
    int64_t size;
    int64_t old;       // the size that it had before
    int64_t old_place; // of its outermost term, before
    int64_t place;     // and now
    bool ends_in_digit;
} Rebuild;

static const Expr *term_expr(Narrow *narrow, Span span, Term term, int64_t resize)
{
    DiagList *none = &narrow->none;
    const Expr *expr = expr_atom(none, span, term.atom);
    if (term.stride > 1)
        expr = expr_operator(none, span, EXPR_STRIDE, expr, term.stride);
    if (term.modulo < expr->size)
        expr = expr_operator(none, span, EXPR_MODULO, expr, term.modulo);
    if (resize < expr->size)
        expr = expr_operator(none, span, EXPR_RESIZE, expr, resize);
    narrow->failed |= expr->kind == EXPR_POISON;
    return expr;
}

static const Expr *parts_expr(Rebuild *rebuild)
{
    DiagList *none = &rebuild->narrow->none;
    ExprList items = {0};
    if (!rebuild->parts.count)
        return expr_identity(none, rebuild->span);
    for (int64_t i = rebuild->parts.count - 1; i >= 0; i--)
        *array_push(none->arena, &items, const Expr *) = rebuild->parts.items[i];
    return expr_pair(none, rebuild->span, &items);
}

static void add_part(Rebuild *rebuild, Term term, int64_t resize, int64_t kept)
{
    rebuild->old_place = rebuild->old;
    rebuild->place = rebuild->size;
    rebuild->old *= resize;
    rebuild->ends_in_digit = false;
    if (resize == 1 && !atom_has_origin(term.atom))
        return;
    if (kept > 1 || atom_has_origin(term.atom))
        *array_push(rebuild->narrow->none.arena, &rebuild->parts, const Expr *) =
            term_expr(rebuild->narrow, rebuild->span, term, kept);
    rebuild->size *= kept;
}

static void pad_parts(Rebuild *rebuild, int64_t size, PaddingKind kind)
{
    DiagList *none = &rebuild->narrow->none;
    if (size <= rebuild->size)
        return;
    const Expr *block = parts_expr(rebuild);
    rebuild->parts.count = 0;
    *array_push(none->arena, &rebuild->parts, const Expr *) =
        kind == PADDING_BOTTOM ? expr_hole(none, rebuild->span, block, size)
                               : expr_operator(none, rebuild->span, EXPR_PADDING, block, size);
    rebuild->size = size;
}

// Padding makes as many steps of the outermost term as before; round the digit it goes with it.
static void add_padding(Rebuild *rebuild, const Factor *factor)
{
    Narrow *narrow = rebuild->narrow;
    if (narrow->keeps_room || rebuild->old == rebuild->size) {
        pad_parts(rebuild, factor->size, factor->padding);
    } else if (rebuild->ends_in_digit) {
        narrow->unpadded = true;
    } else if (factor->size % rebuild->old_place == 0) {
        pad_parts(rebuild, factor->size / rebuild->old_place * rebuild->place, factor->padding);
    } else {
        narrow->failed = true;
    }
    rebuild->old = factor->size;
}

static bool has_digit(const Narrow *narrow, const Factor *factor)
{
    const Narrowing *digit = narrow->digit;
    int64_t low = factor->term.stride, high = low * factor->resize;
    return !factor->is_padding && atom_equal(factor->term.atom, digit->term.atom) &&
           digit->term.stride < high && digit->term.stride * digit->size > low;
}

// The term, cut into what is inside the digit, the digit, and what is outside it.
static void add_digit(Rebuild *rebuild, const Factor *factor)
{
    Narrow *narrow = rebuild->narrow;
    const Narrowing *digit = narrow->digit;
    Term term = factor->term;
    int64_t low = digit->term.stride / term.stride, step = low * digit->size;
    if (narrow->found || digit->term.stride % term.stride || factor->resize % step) {
        narrow->failed = true;
        return;
    }
    int64_t high = factor->resize / step;
    if (low > 1)
        add_part(rebuild, (Term){term.atom, term.stride, low}, low, low);
    narrow->found = true;
    narrow->place = rebuild->old;
    int64_t modulo = high > 1 || term.modulo % low ? digit->size : term.modulo / low;
    int64_t inside = rebuild->size;
    add_part(rebuild, (Term){term.atom, digit->term.stride, modulo}, digit->size, digit->length);
    rebuild->ends_in_digit = true;
    if (narrow->keeps_room)
        pad_parts(rebuild, inside * digit->size, PADDING_BOTTOM);
    if (high > 1) {
        int64_t rest = term.modulo % step ? high : term.modulo / step;
        add_part(rebuild, (Term){term.atom, term.stride * step, rest}, high, high);
    }
}

static bool names_axis(Narrow *narrow, const Factor *factor)
{
    Mapping whole = mapping_of_term(narrow->none.arena, factor->term, factor->resize);
    AtomList axes = shape_axes(narrow->none.arena, &whole);
    return shape_names(&axes, narrow->digit->term.atom->name);
}

// Whether an element has the digit. What is no plain part of an axis is not taken apart.
static bool element_has_digit(Narrow *narrow, const Mapping *element)
{
    bool has = false;
    for (int64_t i = 0; i < element->count; i++) {
        const Factor *factor = &element->factors[i];
        has |= has_digit(narrow, factor);
        if (!factor->is_padding && factor->term.atom->kind != ATOM_AXIS)
            narrow->failed |= names_axis(narrow, factor);
    }
    return has;
}

static const Expr *narrow_element(Narrow *narrow, const Expr *element)
{
    Mapping whole = mapping_of_expr(narrow->none.arena, element);
    Mapping mapping = mapping_normalise(narrow->none.arena, &whole);
    if (!element_has_digit(narrow, &mapping))
        return element;
    Rebuild rebuild = {
        .narrow = narrow, .span = element->span, .size = 1, .old = 1, .old_place = 1, .place = 1};
    for (int64_t i = 0; i < mapping.count; i++) {
        const Factor *factor = &mapping.factors[i];
        if (factor->is_padding)
            add_padding(&rebuild, factor);
        else if (has_digit(narrow, factor))
            add_digit(&rebuild, factor);
        else
            add_part(&rebuild, factor->term, factor->resize, factor->resize);
    }
    return parts_expr(&rebuild);
}

static const Dim *dim_of(Narrow *narrow, const Dim *old, const ExprList *elements)
{
    DiagList *none = &narrow->none;
    Dim *dim = arena_new(none->arena, Dim, 1);
    dim->expr = elements->count ? expr_pair(none, old->expr->span, elements)
                                : expr_identity(none, old->expr->span);
    dim->span = old->span;
    if (dim->expr->kind == EXPR_POISON)
        narrow->failed = true;
    else
        dim->mapping = mapping_of_expr(none->arena, dim->expr);
    return dim;
}

static const Dim *narrow_dim(Narrow *narrow, const Dim *dim)
{
    Arena *arena = narrow->none.arena;
    ExprList old = {0}, elements = {0};
    int64_t inside = 1;
    expr_elements(arena, dim->expr, &old);
    for (int64_t i = 0; i < old.count; i++) {
        bool found = narrow->found;
        const Expr *element = narrow_element(narrow, old.items[i]);
        inside = !found && narrow->found ? 1 : inside * old.items[i]->size;
        if (element != old.items[i] && element->kind == EXPR_PAIR)
            for (int64_t k = 0; k < element->count; k++)
                *array_push(arena, &elements, const Expr *) = element->items[k];
        else if (element == old.items[i] || element->size > 1)
            *array_push(arena, &elements, const Expr *) = element;
    }
    narrow->place *= inside;
    return narrow->found ? dim_of(narrow, dim, &elements) : dim;
}

int64_t narrow_place(Narrower *narrower, const Dim *dim, const Narrowing *narrowing)
{
    Narrow narrow = narrow_of(narrower, narrowing, true);
    narrow_dim(&narrow, dim);
    return narrow.found ? narrow.place : 0;
}

// ---- tensors and views

// A pass on its way to being narrowed.
typedef struct {
    Narrower *narrower;
    const Narrowing *digit;
    const Stage *stage; // the one at hand
    bool seen;          // a stage before has the digit
} NarrowWalk;

static bool fail(const NarrowWalk *walk, const char *what)
{
    const Stage *stage = walk->stage;
    bool input = stage->kind == STAGE_INPUT;
    walk->narrower->reason =
        str_format(walk->narrower->arena, "`{}` {}",
                   input ? position_types[stage->position] : stages[stage->kind].method, what);
    return false;
}

enum { BITS_PER_BYTE = 8 };

// Bytes before the values that are kept. False: these are no multiple of `align`.
static bool bytes_before(const Narrow *narrow, Scalar type, int64_t align, int64_t *bytes)
{
    int64_t bits = narrow->place * narrow->digit->start * scalar_traits[type].packet_bits;
    *bytes = bits / BITS_PER_BYTE;
    return bits % (align * BITS_PER_BYTE) == 0;
}

static const Dim *index_dim(Narrow *narrow, Span span)
{
    const Narrowing *digit = narrow->digit;
    ExprList index = {0};
    Term term = {digit->term.atom, digit->term.stride, digit->size};
    const Expr *expr = term_expr(narrow, span, term, digit->size);
    *array_push(narrow->none.arena, &index, const Expr *) = expr;
    return dim_of(narrow, &(Dim){.expr = expr, .span = span}, &index);
}

// A view becomes a tile of itself; one without the digit stays.
static bool narrow_view(const NarrowWalk *walk, int64_t align, const View **view)
{
    Arena *arena = walk->narrower->arena;
    const View *old = *view;
    Narrow narrow = narrow_of(walk->narrower, walk->digit, true);
    const Dim *element = narrow_dim(&narrow, old->dims[LEVEL_ELEMENT]);
    int64_t bytes;
    if (!narrow.found && !narrow.failed)
        return true;
    const Dim *index = index_dim(&narrow, old->span);
    if (narrow.failed)
        return fail(walk, "has it in the tensor in pieces");
    if (!bytes_before(&narrow, old->tensor->type, align, &bytes))
        return fail(walk, "would start inside a word");
    View *part = arena_new(arena, View, 1);
    *part = *old;
    part->dims[LEVEL_ELEMENT] = element;
    part->offsets[LEVEL_ELEMENT].value += narrow.place * walk->digit->start;
    part->tiles.capacity = part->tiles.count = old->tiles.count + 1;
    part->tiles.items = arena_new(arena, Tile, (size_t)part->tiles.count);
    for (int64_t i = 0; i < old->tiles.count; i++)
        part->tiles.items[i] = old->tiles.items[i];
    part->tiles.items[old->tiles.count] = (Tile){.level = LEVEL_ELEMENT,
                                                 .index = index,
                                                 .length = walk->digit->length,
                                                 .start = {true, walk->digit->start},
                                                 .dim = element,
                                                 .is_split = true,
                                                 .span = old->span};
    *view = part;
    return true;
}

// A tensor in a register file: the same with a hole, further on.
static bool narrow_tensor(const NarrowWalk *walk, const Tensor **tensor)
{
    const Tensor *old = *tensor;
    Narrow narrow = narrow_of(walk->narrower, walk->digit, true);
    const Dim *element = narrow_dim(&narrow, old->dims[LEVEL_ELEMENT]);
    int64_t bytes;
    if (!narrow.found && !narrow.failed)
        return true;
    if (narrow.failed)
        return fail(walk, "has it in the register file in pieces");
    if (!bytes_before(&narrow, old->type, 1, &bytes))
        return fail(walk, "would start inside a byte");
    Tensor *part = arena_new(walk->narrower->arena, Tensor, 1);
    *part = *old;
    part->dims[LEVEL_ELEMENT] = element;
    part->address.value += bytes;
    *tensor = part;
    return true;
}

// ---- stages

// Some other level than Time has the digit, or a part of it.
static bool is_elsewhere(const NarrowWalk *walk, const Stage *stage)
{
    for (Level level = 0; level < LEVEL_COUNT; level++) {
        Narrow narrow = narrow_of(walk->narrower, walk->digit, true);
        if (level == LEVEL_TIME || !stage->dims[level])
            continue;
        narrow_dim(&narrow, stage->dims[level]);
        if (narrow.found || narrow.failed)
            return true;
    }
    return false;
}

static bool narrow_begin(NarrowWalk *walk, Stage *stage)
{
    const Dim *element = stage->dims[LEVEL_PACKET];
    for (int32_t i = 0; i < 2 && stage->sources[i]; i++)
        if (!narrow_view(walk, 1, &stage->sources[i]))
            return false;
    assert(stage->sources[0]);
    stage->dims[LEVEL_PACKET] = stage->sources[0]->dims[LEVEL_ELEMENT];
    walk->seen = stage->dims[LEVEL_PACKET] != element;
    return !is_elsewhere(walk, stage) || fail(walk, "has it in Slice, Cluster or Chip, too");
}

// A tensor that the caller has begun with: Element is Time and Packet.
static bool narrow_input(NarrowWalk *walk, Stage *stage)
{
    Narrow time = narrow_of(walk->narrower, walk->digit, true);
    Narrow packet = narrow_of(walk->narrower, walk->digit, true);
    stage->dims[LEVEL_TIME] = narrow_dim(&time, stage->dims[LEVEL_TIME]);
    stage->dims[LEVEL_PACKET] = narrow_dim(&packet, stage->dims[LEVEL_PACKET]);
    int64_t bytes;
    walk->seen = time.found || packet.found;
    if (time.failed || packet.failed || (time.found && packet.found) || is_elsewhere(walk, stage))
        return fail(walk, "has it in pieces");
    return !packet.found || bytes_before(&packet, stage->type, 1, &bytes) ||
           fail(walk, "would start inside a byte");
}

// Whether padding may be left out with the digit: what is loaded into TRF is all of it, zeros too.
static bool may_drop_padding(const Pass *pass)
{
    return pass->stages.items[pass->stages.count - 1]->kind != STAGE_TO_TRF;
}

static bool narrow_time(NarrowWalk *walk, const Pass *pass, Stage *stage)
{
    Narrow narrow = narrow_of(walk->narrower, walk->digit, false);
    const Dim *time = narrow_dim(&narrow, stage->dims[LEVEL_TIME]);
    if (is_elsewhere(walk, stage))
        return fail(walk, "has it outside Time");
    if (narrow.failed || (narrow.unpadded && !may_drop_padding(pass)))
        return fail(walk, "has it in Time in pieces, or padded");
    if (walk->seen && !narrow.found)
        return fail(walk, "takes it out of Time");
    walk->seen |= narrow.found;
    stage->dims[LEVEL_TIME] = time;
    if (stage->tile_time) {
        Narrow tiled = narrow_of(walk->narrower, walk->digit, false);
        stage->tile_time = narrow_dim(&tiled, stage->tile_time);
        if (tiled.failed || tiled.found != narrow.found)
            return fail(walk, "takes it apart");
    }
    return true;
}

// Which group an element belongs to must not change where its index is counted from the start of
// the part.
static bool keeps_groups(const NarrowWalk *walk, const Stage *stage)
{
    const Narrowing *digit = walk->digit;
    bool toggles = stage->branch == BRANCH_AXIS_TOGGLE && stage->axis &&
                   atom_equal(stage->axis, digit->term.atom);
    return !toggles || digit->start * digit->term.stride % 2 == 0;
}

static bool narrow_operands(const NarrowWalk *walk, Stage *stage)
{
    bool ok = !stage->trf || narrow_tensor(walk, &stage->trf);
    for (int32_t i = 0; i < stage->operand_count && ok; i++)
        if (stage->operands[i].kind == OPERAND_VRF)
            ok = narrow_tensor(walk, &stage->operands[i].vrf);
    return ok && (!stage->branch_vrf || narrow_tensor(walk, &stage->branch_vrf));
}

static const View *whole_view(Arena *arena, const Tensor *tensor, Span span)
{
    View *view = arena_new(arena, View, 1);
    *view = (View){.tensor = tensor, .is_mut = true, .span = span, .sound = tensor->sound};
    for (Level level = 0; level < LEVEL_COUNT; level++) {
        view->dims[level] = tensor->dims[level];
        view->offsets[level] = (MaybeInt){.known = true};
    }
    return view;
}

static bool narrow_sink(const NarrowWalk *walk, Stage *stage)
{
    if (!walk->seen)
        return fail(walk, "does not get it");
    if (stage->kind == STAGE_TO_TRF) // loops over flits, whatever they hold
        return true;
    if (stage->kind == STAGE_TO_VRF)
        return narrow_tensor(walk, &stage->result);
    if (!stage->target)
        stage->target = whole_view(walk->narrower->arena, stage->result, stage->span);
    return narrow_view(walk, walk->narrower->machine->commit_word_bytes, &stage->target);
}

// Steps that a switch counts inside what it moves.
static void narrow_switch(const NarrowWalk *walk, const Stage *before, SwitchConfig *config)
{
    int64_t place = narrow_place(walk->narrower, before->dims[LEVEL_TIME], walk->digit);
    if (place && place < config->time0 && config->time0 % walk->digit->size == 0)
        config->time0 = config->time0 / walk->digit->size * walk->digit->length;
}

static bool narrow_stage(NarrowWalk *walk, const Pass *pass, Stage *stage)
{
    walk->stage = stage;
    if (stage->kind == STAGE_SWITCH)
        narrow_switch(walk, pass->stages.items[stage->index - 1], &stage->config);
    if (stage->kind == STAGE_BEGIN || stage->kind == STAGE_BEGIN_INTERLEAVED)
        return narrow_begin(walk, stage);
    if (stage->kind == STAGE_INPUT && stage->position == POSITION_BEGIN)
        return narrow_input(walk, stage);
    if (stage->kind == STAGE_VECTOR_FILTER)
        return fail(walk, "packs what it keeps");
    if (!keeps_groups(walk, stage))
        return fail(walk, "counts it by AxisToggle");
    return narrow_time(walk, pass, stage) && narrow_operands(walk, stage) &&
           (stage->position != POSITION_SINK || narrow_sink(walk, stage));
}

// A copy whose stages can be changed.
static Pass *copy_pass(Arena *arena, const Pass *pass)
{
    Pass *copy = arena_new(arena, Pass, 1);
    *copy = *pass;
    copy->stages.items = arena_new(arena, Stage *, (size_t)pass->stages.count);
    copy->stages.capacity = pass->stages.count;
    for (int64_t i = 0; i < pass->stages.count; i++) {
        Stage *stage = arena_new(arena, Stage, 1);
        *stage = *pass->stages.items[i];
        stage->facts = NULL;
        stage->before = i ? copy->stages.items[i - 1] : NULL;
        copy->stages.items[i] = stage;
    }
    return copy;
}

const Pass *narrow_pass(Narrower *narrower, const Pass *pass, const Narrowing *narrowing)
{
    Pass *part = copy_pass(narrower->arena, pass);
    NarrowWalk walk = {.narrower = narrower, .digit = narrowing};
    for (int64_t i = 0; i < part->stages.count; i++)
        if (!narrow_stage(&walk, pass, part->stages.items[i]))
            return NULL;
    return part;
}

// ---- padding

// An element without what is padded round it; NULL: nothing is left.
static const Expr *strip_element(const Expr *element)
{
    while (element->kind == EXPR_PADDING)
        element = element->inner;
    return element->kind == EXPR_IDENTITY ? NULL : element;
}

static const Dim *strip_time(Narrower *narrower, const Dim *dim)
{
    Narrow narrow = narrow_of(narrower, NULL, false);
    ExprList old = {0}, elements = {0};
    bool changed = false;
    expr_elements(narrower->arena, dim->expr, &old);
    for (int64_t i = 0; i < old.count; i++) {
        const Expr *element = strip_element(old.items[i]);
        changed |= old.items[i]->kind == EXPR_PADDING;
        if (element)
            *array_push(narrower->arena, &elements, const Expr *) = element;
    }
    return changed ? dim_of(&narrow, dim, &elements) : dim;
}

const Pass *narrow_padding(Narrower *narrower, const Pass *pass)
{
    Pass *part = copy_pass(narrower->arena, pass);
    bool changed = false;
    for (int64_t i = 0; i < part->stages.count; i++) {
        Stage *stage = part->stages.items[i];
        const Dim *time = stage->dims[LEVEL_TIME];
        stage->dims[LEVEL_TIME] = strip_time(narrower, time);
        changed |= stage->dims[LEVEL_TIME] != time;
        if (stage->tile_time)
            stage->tile_time = strip_time(narrower, stage->tile_time);
    }
    return changed ? part : NULL;
}
