#include "program/picture.h"

#include "base/checked.h"
#include "base/lines.h"
#include "program/picture_page.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
    MOST_OPERATIONS = 200, // more are no picture any more
    LIKE_LEAST = 2,        // fewer rows are not worth a word about where they stand
};

typedef struct {
    Arena *arena;
    const Program *program;
    TextAxes axes;
    Texts texts;
    struct {
        ARRAY(Str);
    } groups;           // the functions that operations stand in, as they come
    bool several_files; // a line is not enough to find an operation
    CardList cards;
    struct {
        ARRAY(const Op *);
    } ops;          // of each card; NULL: of none
    bool *is_drawn; // tensors, by number
} Drawing;

// ---- which operations

typedef struct {
    Span span;
    const void *what; // what it makes is mapped so
    int64_t op, group;
} Site;

static const Tensor *made_by(const Op *op)
{
    if (op->kind != OP_PASS)
        return op->target ? op->target->tensor : NULL;
    const Stage *last = op->pass->stages.items[op->pass->stages.count - 1];
    return last->target ? last->target->tensor : last->result;
}

static const Tensor *source_of(const Op *op)
{
    const View *source = op->kind == OP_PASS ? op->pass->stages.items[0]->sources[0] : op->source;
    return source->tensor;
}

// The function that an operation stands in, as it is called: without its path and what is generic.
static Str function_of(const Drawing *drawing, const Op *op)
{
    Str name = str_from(drawing->program->name);
    if (op->call_count && op->calls[0].source >= 0) {
        Span call = op->calls[0];
        name = str_slice(drawing->texts.sources->items[call.source].text, call.start, call.end);
    }
    int64_t generic = str_find(name, STR("::<"));
    if (generic >= 0)
        name = str_slice(name, 0, generic);
    for (int64_t at; (at = str_find(name, STR("::"))) >= 0;)
        name = str_slice(name, at + 2, name.len);
    return name;
}

// "route.rs"; of those that are all named so, their folder, too.
static Str file_of(const Drawing *drawing, Span span)
{
    Str file = drawing->texts.sources->items[span.source].name, folder = {0};
    for (int64_t at; (at = str_find(file, STR("/"))) >= 0;) {
        folder = str_slice(file, 0, at);
        file = str_slice(file, at + 1, file.len);
    }
    return folder.len && str_equal(file, STR("mod.rs"))
               ? str_format(drawing->arena, "%.*s/%.*s", STR_ARG(folder), STR_ARG(file))
               : file;
}

// "scores (route.rs)"
static Str group_of(const Drawing *drawing, const Op *op)
{
    Str name = function_of(drawing, op);
    if (!drawing->several_files || op->span.source < 0)
        return name;
    return str_format(drawing->arena, "%.*s (%.*s)", STR_ARG(name),
                      STR_ARG(file_of(drawing, op->span)));
}

static int64_t group_number(Drawing *drawing, Str name)
{
    int64_t at = 0;
    while (at < drawing->groups.count && !str_equal(drawing->groups.items[at], name))
        at++;
    if (at == drawing->groups.count)
        *array_push(drawing->arena, &drawing->groups, Str) = name;
    return at;
}

static Site site_of(Drawing *drawing, int64_t number)
{
    const Op *op = drawing->program->ops.items[number];
    const Tensor *made = made_by(op);
    return (Site){op->span, made ? made->dims[LEVEL_ELEMENT] : NULL, number,
                  group_number(drawing, group_of(drawing, op))};
}

static int compare_sites(const void *a, const void *b)
{
    const Site *x = a, *y = b;
    if (x->span.source != y->span.source)
        return x->span.source < y->span.source ? -1 : 1;
    if (x->span.start != y->span.start)
        return x->span.start < y->span.start ? -1 : 1;
    if (x->what != y->what)
        return (uintptr_t)x->what < (uintptr_t)y->what ? -1 : 1;
    return (x->op > y->op) - (x->op < y->op);
}

static int by_group(const void *a, const void *b)
{
    const Site *x = a, *y = b;
    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    return (x->op > y->op) - (x->op < y->op);
}

// The first operation of each site, by group, in their order.
static int64_t sites_of(Drawing *drawing, Site **sites)
{
    int64_t kept = 0, count = drawing->program->ops.count;
    Site *all = arena_new(drawing->arena, Site, (size_t)count + 1);
    for (int64_t i = 0; i < count; i++)
        drawing->several_files |= drawing->program->ops.items[i]->span.source !=
                                  drawing->program->ops.items[0]->span.source;
    for (int64_t i = 0; i < count; i++)
        all[i] = site_of(drawing, i);
    qsort(all, (size_t)count, sizeof *all, compare_sites);
    for (int64_t i = 0; i < count; i++)
        if (!i || !span_same(all[i].span, all[kept - 1].span) || all[i].what != all[kept - 1].what)
            all[kept++] = all[i];
    qsort(all, (size_t)kept, sizeof *all, by_group);
    *sites = all;
    return kept;
}

// ---- names

static Str name_of(Arena *arena, const Tensor *tensor)
{
    if (tensor->name)
        return str_from(tensor->name);
    if (tensor->tier != TIER_TRF && tensor_given_address(tensor).known)
        return str_format(arena, "%s at 0x%" PRIx64, tiers[tensor->tier].name,
                          tensor->address.value);
    return str_from(tiers[tensor->tier].name);
}

// A pass stands where it begins, as in a schedule.
static Span span_of(const Op *op)
{
    return op->kind == OP_PASS ? op->pass->stages.items[0]->span : op->span;
}

// "line 12", for those who look at `source`.
static void add_place(const Drawing *drawing, StrBuf *out, const Op *op, int32_t source)
{
    Span span = span_of(op);
    if (span.source < 0)
        return;
    buf_printf(out, "line %" PRId64, place_of(&drawing->texts, span.source, span.start).line);
    if (span.source != source)
        buf_printf(out, " of %.*s", STR_ARG(file_of(drawing, span)));
}

// "to_vrf (main), line 12: x and y → z"
static Str title_of(const Drawing *drawing, const Op *op)
{
    Arena *arena = drawing->arena;
    StrBuf out = {.arena = arena};
    const Stage *first = op->kind == OP_PASS ? op->pass->stages.items[0] : NULL;
    const Tensor *made = made_by(op);
    buf_printf(&out, "%s (%s)", op->method, context_names[op->context]);
    if (op->span.source >= 0)
        buf_add(&out, STR(", "));
    add_place(drawing, &out, op, op->span.source);
    buf_add(&out, STR(": "));
    buf_add(&out, name_of(arena, source_of(op)));
    if (first && first->sources[1]) {
        buf_add(&out, STR(" and "));
        buf_add(&out, name_of(arena, first->sources[1]->tensor));
    }
    if (op->index) {
        buf_add(&out, STR(" by "));
        buf_add(&out, name_of(arena, op->index->tensor));
    }
    if (made) {
        buf_add(&out, STR(" → "));
        buf_add(&out, name_of(arena, made));
    }
    return buf_str(&out);
}

// ---- rows

static bool same_text(const Drawing *drawing, const Dim *a, const Dim *b)
{
    if (!a || !b || a == b)
        return a == b;
    return str_equal(page_text(drawing->arena, &drawing->axes, a->expr),
                     page_text(drawing->arena, &drawing->axes, b->expr));
}

// A tensor, the first time, that comes from `source` (NULL: from nowhere). What is one chip,
// cluster or slice says nothing.
static void add_tensor(Drawing *drawing, Card *card, const Tensor *tensor, const Tensor *source)
{
    if (drawing->is_drawn[tensor->id])
        return;
    StrBuf note = {.arena = drawing->arena};
    Row *row = array_push(drawing->arena, &card->rows, Row);
    buf_printf(&note, "%s", scalar_name(tensor->type));
    if (tensor->name)
        buf_printf(&note, " in %s", tiers[tensor->tier].name);
    if (tensor->tier == TIER_TRF)
        buf_printf(&note, ", %s", trf_address_names[tensor->trf]);
    else if (tensor->name && tensor_given_address(tensor).known)
        buf_printf(&note, " at 0x%" PRIx64, tensor->address.value);
    row->name = name_of(drawing->arena, tensor);
    row->note = buf_str(&note);
    for (Level level = 0; level < LEVEL_COUNT; level++)
        if (tensor->dims[level] && (level > LEVEL_SLICE || tensor->dims[level]->mapping.size > 1)) {
            row->dims[level] = tensor->dims[level];
            if (source && level <= LEVEL_SLICE &&
                same_text(drawing, tensor->dims[level], source->dims[level]))
                row->kept |= 1U << level;
        }
    drawing->is_drawn[tensor->id] = true;
}

static Str note_of(Arena *arena, const Stage *stage)
{
    if (stage->trf)
        return str_format(arena, "with %s", stage->trf->name ? stage->trf->name : "TRF");
    return stage->type != stage->before->type ? str_format(arena, "to %s", scalar_name(stage->type))
                                              : STR("");
}

// A stage that maps levels: those which it changes; without any it joins the row before. What
// `begin` maps nobody sees but for slices, which are those of the tensor.
static void add_stage(Drawing *drawing, Card *card, const Stage *stage)
{
    Arena *arena = drawing->arena;
    uint32_t sets = stages[stage->kind].sets & ~(1U << LEVEL_CHIP | 1U << LEVEL_CLUSTER);
    Row row = {.name = str_format(arena, ".%s", stages[stage->kind].method),
               .note = note_of(arena, stage)};
    bool changes = false, is_first = !stage->before->before;
    for (Level level = 0; level < LEVEL_COUNT; level++)
        if (sets & 1U << level &&
            ((is_first && level != LEVEL_SLICE) ||
             !same_text(drawing, stage->dims[level], stage->before->dims[level]))) {
            row.dims[level] = stage->dims[level];
            changes = true;
        }
    Row *before = card->rows.count ? &card->rows.items[card->rows.count - 1] : NULL;
    if (changes)
        *array_push(arena, &card->rows, Row) = row;
    else if (sets && before && (!row.note.len || !before->note.len)) {
        before->name = str_format(arena, "%.*s%.*s", STR_ARG(before->name), STR_ARG(row.name));
        before->note = row.note.len ? row.note : before->note;
    }
}

// ---- passes that look alike

static bool same_row(const Drawing *drawing, const Row *a, const Row *b)
{
    bool same = str_equal(a->name, b->name) && str_equal(a->note, b->note);
    for (Level level = 0; level < LEVEL_COUNT && same; level++)
        same = same_text(drawing, a->dims[level], b->dims[level]);
    return same;
}

// Do the rows of a card begin with all those of another one?
static bool begins_with(const Drawing *drawing, const Card *card, const Card *rows)
{
    bool same = rows->rows.count <= card->rows.count;
    for (int64_t i = 0; i < rows->rows.count && same; i++)
        same = same_row(drawing, &card->rows.items[i], &rows->rows.items[i]);
    return same;
}

// The first pass whose stages are these; NULL: there is none.
static const Op *like_before(const Drawing *drawing, const Card *card)
{
    for (int64_t i = 0; i < drawing->cards.count && card->rows.count >= LIKE_LEAST; i++)
        if (drawing->ops.items[i] && begins_with(drawing, &drawing->cards.items[i], card))
            return drawing->ops.items[i];
    return NULL;
}

// ---- cards

static void add_card(Drawing *drawing, Card card, const Op *op)
{
    *array_push(drawing->arena, &drawing->ops, const Op *) = op;
    *array_push(drawing->arena, &drawing->cards, Card) = card;
}

static void add_op(Drawing *drawing, const Site *site)
{
    Arena *arena = drawing->arena;
    const Op *op = drawing->program->ops.items[site->op];
    bool alone = drawing->groups.count == 1; // nothing to tell apart
    Card card = {.group = alone ? STR("") : drawing->groups.items[site->group],
                 .title = title_of(drawing, op)};
    for (int64_t i = 1; op->kind == OP_PASS && i < op->pass->stages.count; i++)
        add_stage(drawing, &card, op->pass->stages.items[i]);
    const Op *like = like_before(drawing, &card);
    if (like) {
        StrBuf title = {.arena = arena};
        buf_add(&title, card.title);
        if (span_same(span_of(like), span_of(op))) { // two functions end it
            buf_add(&title, STR(", through the same stages"));
        } else {
            buf_add(&title, STR(", through the stages of "));
            add_place(drawing, &title, like, op->span.source);
        }
        card.title = buf_str(&title);
        card.rows = (RowList){0};
    }
    const Tensor *made = made_by(op);
    if (made)
        add_tensor(drawing, &card, made, source_of(op));
    add_card(drawing, card, op);
}

static void add_parameters(Drawing *drawing)
{
    Card card = {0};
    for (int64_t i = 0; i < drawing->program->tensors.count; i++)
        if (drawing->program->tensors.items[i]->origin == ORIGIN_PARAM)
            add_tensor(drawing, &card, drawing->program->tensors.items[i], NULL);
    add_card(drawing, card, NULL);
}

void program_print_svg(StrBuf *out, const Program *program, const SourceList *sources)
{
    Arena *arena = out->arena;
    Drawing drawing = {.arena = arena,
                       .program = program,
                       .axes = text_axes(arena, program),
                       .texts = texts_of(arena, sources),
                       .is_drawn = arena_new(arena, bool, (size_t)program->tensors.count + 1)};
    Site *sites;
    int64_t count = sites_of(&drawing, &sites);
    add_parameters(&drawing);
    for (int64_t i = 0; i < min_i64(count, MOST_OPERATIONS); i++)
        add_op(&drawing, &sites[i]);
    if (count > MOST_OPERATIONS)
        add_card(&drawing,
                 (Card){.title = str_format(arena, "%" PRId64 " more", count - MOST_OPERATIONS)},
                 NULL);
    page_draw(out, str_from(program->name), &drawing.cards, &drawing.axes);
}
