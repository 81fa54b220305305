// Tensors in program text: their declarations, views and tiles.
#include "program/text_read.h"

#include "base/checked.h"

enum { ANY_MEMORY = (1 << TIER_COUNT) - 1 };

// ---- labels

// label = "%" (letter | digit | "_")+
static bool read_label(Reader *reader, Str *label, Span *span)
{
    text_at_end(reader);
    int64_t start = reader->at, end = start + 1;
    if (!text_accept(reader, "%")) {
        text_syntax_error(reader, "a tensor, such as `%0`");
        return false;
    }
    for (; end < reader->line_end; end++) {
        char c = reader->text.data[end];
        if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
              c == '_'))
            break;
    }
    reader->at = end;
    *label = str_slice(reader->text, start + 1, end);
    *span = text_span(reader, start);
    if (label->len == 0)
        text_syntax_error(reader, "the number of a tensor");
    return label->len > 0;
}

Label *text_label_find(Reader *reader, Str label)
{
    return map_get(&reader->labels, intern(&reader->words, label));
}

const Tensor *text_labelled(Reader *reader, Str text)
{
    const Label *label = text_label_find(reader, text);
    return label ? label->tensor : NULL;
}

// A label that is new, before its tensor is known.
static Label *declare(Reader *reader, Str text, Span span)
{
    const Label *before = text_label_find(reader, text);
    if (before && !reader->failed) {
        Diag *diag = text_report(reader, DIAG_PROGRAM_TENSOR_REPEATED, span,
                                 "`%{}` is declared twice", text);
        diag_note(diag, before->span, "first here");
    }
    Label *label = arena_new(reader->arena, Label, 1);
    label->span = span;
    if (!before)
        map_put(&reader->labels, intern(&reader->words, text), label);
    return label;
}

void text_poison_label(Reader *reader, Str text, Span span)
{
    if (text_label_find(reader, text))
        return;
    Label *label = arena_new(reader->arena, Label, 1);
    *label = (Label){.span = span, .made = true};
    map_put(&reader->labels, intern(&reader->words, text), label);
}

// The name in the source: what follows the label, or the label where that is a word.
static const char *read_tensor_name(Reader *reader, Str label)
{
    const char *name = text_name(reader);
    bool number = label.data[0] >= '0' && label.data[0] <= '9';
    return name || number ? name : intern(&reader->words, label);
}

// ---- declarations

static const char *const tier_things[TIER_COUNT] = {
    [TIER_HOST] = "a host tensor", [TIER_HBM] = "an HBM tensor", [TIER_DM] = "a DM tensor",
    [TIER_TRF] = "a TRF tensor",   [TIER_VRF] = "a VRF tensor",
};

static uint32_t tier_levels(Tier tier)
{
    uint32_t levels = 0;
    for (Level level = 0; level < LEVEL_COUNT; level++)
        levels |= (uint32_t)tiers[tier].levels[level] << level;
    return levels;
}

static void report_tier(Reader *reader, Span span, Tier tier, uint32_t allowed)
{
    StrBuf list = {.arena = reader->arena};
    for (Tier other = 0; other < TIER_COUNT; other++)
        if (allowed & 1U << other)
            buf_format(&list, "{}{}", list.len ? " or " : "", tier_things[other]);
    text_report(reader, DIAG_PROGRAM_TIER, span, "{} is needed here, and this is {}",
                buf_str(&list), tier_things[tier]);
}

// at 0x100 | at ? | at FirstHalf; nothing of host
static void read_place(Reader *reader, Tensor *tensor)
{
    if (tensor->tier == TIER_HOST)
        return;
    if (!text_accept_word(reader, "at")) {
        text_syntax_error(reader, "`at` and an address");
        return;
    }
    int64_t start = text_start(reader);
    if (tensor->tier != TIER_TRF) {
        text_maybe(reader, &tensor->address, "an address or `?`");
    } else {
        int half = text_choice(reader, trf_address_names, TRF_COUNT, "an address of the TRF");
        tensor->trf = half < 0 ? TRF_FULL : (TrfAddress)half;
    }
    tensor->address_span = text_span(reader, start);
    tensor->address_fixed = true;
    Str number = str_slice(reader->text, start, reader->at);
    bool hex = number.len > 1 && number.data[1] == 'x';
    tensor->address_base = !tensor->address.known ? 0 : hex ? 16 : 10;
}

static bool next_is_type(Reader *reader)
{
    Str word;
    Scalar type;
    return text_peek_word(reader, &word) && scalar_parse(word, &type);
}

// Dimensions that the line leaves out come from what the tensor is made of; where that is wrong,
// they are not missed.
static void read_tensor_dims(Reader *reader, Tensor *tensor, const Inherited *from)
{
    uint32_t levels = tier_levels(tensor->tier);
    DimForm form = {levels, levels, tier_things[tensor->tier]};
    for (Level level = 0; level < LEVEL_COUNT; level++)
        if (from && level_is_inherited(level) && (!from->dims || from->dims[level]))
            form.required &= ~(1U << level);
    text_dims(reader, &form, tensor->dims);
    for (Level level = 0; level < LEVEL_COUNT; level++)
        if (from && from->dims && levels & 1U << level && !tensor->dims[level] &&
            level_is_inherited(level))
            tensor->dims[level] = from->dims[level];
}

// tier type? (level "[" mapping "]")* place
static void read_tensor_type(Reader *reader, Tensor *tensor, uint32_t allowed,
                             const Inherited *from)
{
    int64_t start = text_start(reader);
    int tier = text_choice(reader, tier_words, TIER_COUNT, "a memory");
    if (tier < 0) {
        reader->failed = true; // what follows depends on it
        return;
    }
    tensor->tier = (Tier)tier;
    if (!(allowed & 1U << tier))
        report_tier(reader, text_span(reader, start), tensor->tier, allowed);
    tensor->type = from ? from->type : SCALAR_I32;
    if (!from || next_is_type(reader))
        text_type(reader, &tensor->type);
    read_tensor_dims(reader, tensor, from);
    read_place(reader, tensor);
}

// reshape label (level "[" mapping "]")*: what is left out is as it was
static const Tensor *read_reshape(Reader *reader, Tensor *tensor, int64_t start)
{
    const Tensor *from = text_tensor(reader, ANY_MEMORY);
    tensor->tier = from ? from->tier : TIER_DM;
    if (from)
        read_tensor_dims(reader, tensor, &(Inherited){from->type, from->dims});
    else
        text_dims(reader, &(DimForm){tier_levels(TIER_DM), 0, tier_things[TIER_DM]}, tensor->dims);
    if (!text_finish(reader))
        return NULL;
    tensor->span = text_span(reader, start);
    return builder_reshape(reader->builder, from, tensor);
}

// view label tile*: a view under a name
static void read_view_line(Reader *reader, Label *label)
{
    label->made = true;
    const View *view = text_view(reader, ANY_MEMORY, false);
    if (!text_finish(reader) || !view)
        return;
    label->tensor = view->tensor;
    label->view = view;
}

// The words of origins, and that of a view.
static int read_origin(Reader *reader)
{
    const char *words[ORIGIN_COUNT + 1] = {[ORIGIN_COUNT] = "view"};
    for (int i = 0; i < ORIGIN_COUNT; i++)
        words[i] = origin_words[i];
    return text_choice(reader, words, (int)COUNT_OF(words),
                       "`param`, `from_addr`, `result`, `reshape` or `view`");
}

void text_tensor_line(Reader *reader)
{
    Str text;
    Span span;
    if (!read_label(reader, &text, &span))
        return;
    Tensor tensor = {.name = read_tensor_name(reader, text)};
    bool is = text_expect(reader, "=", "`=` and what it is");
    Label *label = declare(reader, text, span);
    if (!is)
        return;
    int origin = read_origin(reader);
    if (origin < 0)
        return;
    if (origin == ORIGIN_COUNT) {
        read_view_line(reader, label);
        return;
    }
    tensor.origin = (TensorOrigin)origin;
    label->made = tensor.origin != ORIGIN_RESULT;
    if (tensor.origin == ORIGIN_RESHAPE) {
        label->tensor = read_reshape(reader, &tensor, span.start);
        return;
    }
    read_tensor_type(reader, &tensor, ANY_MEMORY, NULL);
    if (!text_finish(reader))
        return;
    tensor.span = text_span(reader, span.start);
    label->tensor = builder_tensor(reader->builder, &tensor);
}

// name? "=" tier ..: the rest of a line that makes a tensor
static const Tensor *read_new_tensor(Reader *reader, Str text, Span span, uint32_t allowed,
                                     const Inherited *from)
{
    Tensor tensor = {.origin = ORIGIN_RESULT, .name = read_tensor_name(reader, text)};
    bool is = text_expect(reader, "=", "`=` and the memory of the tensor");
    Label *label = declare(reader, text, span);
    label->made = true;
    if (!is)
        return NULL;
    read_tensor_type(reader, &tensor, allowed, from);
    if (!text_finish(reader) || !from->dims)
        return NULL;
    tensor.span = text_span(reader, span.start);
    return label->tensor = builder_tensor(reader->builder, &tensor);
}

// ---- uses

static Label *read_known_label(Reader *reader, uint32_t allowed, Span *span)
{
    Str text;
    if (!read_label(reader, &text, span))
        return NULL;
    Label *label = text_label_find(reader, text);
    if (!label) {
        text_report(reader, DIAG_PROGRAM_TENSOR, *span, "`%{}` is not declared above", text);
        return NULL;
    }
    if (!label->tensor)
        reader->useless = true; // reported where it is declared
    else if (!(allowed & 1U << label->tensor->tier))
        report_tier(reader, *span, label->tensor->tier, allowed);
    return label;
}

const Tensor *text_tensor(Reader *reader, uint32_t allowed)
{
    Span span;
    const Label *label = read_known_label(reader, allowed, &span);
    if (label && label->view) {
        Diag *diag = text_report(reader, DIAG_PROGRAM_VIEW, span,
                                 "a whole tensor is needed here, and this is a view of one");
        diag_note(diag, label->span, "declared here");
    }
    return label ? label->tensor : NULL;
}

static bool read_start(Reader *reader, Tile *tile)
{
    int64_t start = text_start(reader);
    bool read = text_maybe(reader, &tile->start, "the start or `?`");
    tile->start_span = text_span(reader, start);
    return read;
}

// "." method "<" index "," length "," level ">" "(" start ")"
static const View *read_tile(Reader *reader, const View *from)
{
    Tile tile = {0};
    const Dim *dim = NULL;
    int64_t start = text_start(reader);
    int level = text_choice(reader, tile_methods, LEVEL_COUNT, "a method that tiles");
    Span method = text_span(reader, start);
    if (!text_expect(reader, "<", "`<`"))
        return NULL;
    tile.index = text_dim(reader);
    if (!text_expect(reader, ",", "`,`") || !text_int(reader, &tile.length, "the length") ||
        !text_expect(reader, ",", "`,`"))
        return NULL;
    dim = text_dim(reader);
    if (!text_expect(reader, ">", "`>`") || !text_expect(reader, "(", "`(`") ||
        !read_start(reader, &tile) || !text_expect(reader, ")", "`)`"))
        return NULL;
    if (!from || !tile.index || !dim || level < 0)
        return NULL;
    tile.level = (Level)level;
    tile.span = text_span(reader, start);
    if (!from->dims[level]) {
        text_report(reader, DIAG_PROGRAM_LEVEL, method, "{} has no `{}`",
                    tier_things[from->tensor->tier], level_words[level]);
        return NULL;
    }
    return builder_tile(reader->builder, from, &tile, dim);
}

static const View *read_tiles(Reader *reader, const View *view)
{
    while (!reader->failed && text_accept(reader, "."))
        view = read_tile(reader, view);
    return view;
}

// ("mut" | "const")? label tile*
const View *text_view(Reader *reader, uint32_t allowed, bool usually_mut)
{
    Span span;
    bool is_mut = text_accept_word(reader, "mut");
    bool is_const = !is_mut && text_accept_word(reader, "const");
    Label *label = read_known_label(reader, allowed, &span);
    if (!label)
        return NULL;
    is_mut |= usually_mut && !is_const;
    label->made |= usually_mut;
    const Tensor *tensor = label->tensor;
    const View *view = !tensor ? NULL
                       : label->view
                           ? builder_view_again(reader->builder, label->view, is_mut, span)
                           : builder_view(reader->builder, tensor, is_mut, span);
    return read_tiles(reader, view);
}

// ---- what an operation writes

// A line that starts a declaration here: a label that is followed by a name or by "=".
static bool is_declaration(Reader *reader)
{
    Str text;
    Span span;
    int64_t start = text_start(reader);
    bool is_label = text_peek(reader) == '%' && read_label(reader, &text, &span);
    char next = text_peek(reader);
    reader->at = start;
    return is_label && next && next != '.';
}

// The tensor whose label stands there is made now, if it was not before.
static const Tensor *make_declared(Reader *reader, uint32_t allowed)
{
    Span span;
    Label *label = read_known_label(reader, allowed, &span);
    if (!label || !label->tensor)
        return NULL;
    if (label->made) {
        Diag *diag = text_report(reader, DIAG_PROGRAM_RESULT, span,
                                 "this tensor is there already; a new one is made here");
        diag_note(diag, label->span, "declared here");
    }
    label->made = true;
    return text_finish(reader) ? label->tensor : NULL;
}

const Tensor *text_result(Reader *reader, uint32_t allowed, const Inherited *from)
{
    Str text;
    Span span;
    if (!text_expect(reader, "->", "`->` and the tensor that is made"))
        return NULL;
    if (!is_declaration(reader))
        return make_declared(reader, allowed);
    if (!read_label(reader, &text, &span))
        return NULL;
    return read_new_tensor(reader, text, span, allowed, from);
}

const View *text_target(Reader *reader, uint32_t allowed, const Inherited *from)
{
    Str text;
    Span span;
    if (!text_expect(reader, "->", "`->` and what is written"))
        return NULL;
    if (!is_declaration(reader))
        return text_view(reader, allowed, true);
    if (!read_label(reader, &text, &span))
        return NULL;
    const Tensor *tensor = read_new_tensor(reader, text, span, allowed, from);
    return tensor ? builder_view(reader->builder, tensor, true, span) : NULL;
}
