// Mappings from arbitrary bytes, and the laws that hold for every one that is accepted.
//
// The input is lines of text:
//
//     A=8,B=512        axes
//     L=A, B # 1024    a definition; may be empty
//     A, B             X: a mapping, the dividend, the buffer
//     A                Y: the divisor, Time
//     B % 32           Z: Packet
//     ...              options, a byte each: see Options
//
// A broken law aborts. Whatever takes time in proportion to a size is sampled or cut short, so that
// no input takes long.
#include "base/checked.h"
#include "base/diag.h"
#include "engine/sequencer.h"
#include "law.h"
#include "mapping/cell.h"
#include "mapping/divide.h"
#include "mapping/expr.h"
#include "mapping/picture.h"

#include <jansson.h>

enum { LINE_COUNT = 6, LINE_BYTES_MAX = 160, SAMPLES = 24, EQUAL_FACTORS_MAX = 4 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct {
    Arena arena;
    SourceList sources;
    DiagList diags;
    Scope scope;
    Str lines[LINE_COUNT];
} Run;

typedef struct {
    int64_t number; // where to split, how long a tile is, the span of a division
    DivideKind divide;
    SequenceEngine engine;
    Context context;
    Scalar type, cast;
    const Machine *machine;
} Options;

static unsigned option(const Run *run, int64_t index)
{
    Str line = run->lines[5];
    return index < line.len ? (unsigned char)line.data[index] : '0';
}

static Options options_of(const Run *run)
{
    return (Options){.number = 1 + option(run, 0) % 16,
                     .divide = (DivideKind)(option(run, 1) % 3),
                     .engine = (SequenceEngine)(option(run, 2) % 4),
                     .context = (Context)(option(run, 3) % 2),
                     .type = (Scalar)(option(run, 4) % SCALAR_COUNT),
                     .cast = (Scalar)(option(run, 5) % SCALAR_COUNT),
                     .machine = option(run, 6) % 2 ? &machine_rngd_s : &machine_rngd};
}

static int32_t add_source(Run *run, Str name, Str text)
{
    *array_push(&run->arena, &run->sources, Source) = (Source){name, text, NULL};
    return (int32_t)run->sources.count - 1;
}

// The n-th sampled position: both ends first, then spread over the rest.
static int64_t sample(int64_t n, int64_t size)
{
    uint64_t spread = (uint64_t)n * 0x9E3779B97F4A7C15u;
    return n < 4 ? min_i64(n, size - 1)
                 : (n < 8 ? max_i64(0, size - n + 3) : (int64_t)((spread >> 1) % (uint64_t)size));
}

// A linear combination may share a position among so many indices that listing them is the work.
static bool lists_much(const Mapping *mapping)
{
    for (int64_t i = 0; i < mapping->count; i++) {
        const Factor *factor = &mapping->factors[i];
        if (factor->is_padding || factor->term.atom->kind == ATOM_AXIS)
            continue;
        if (factor->term.atom->kind == ATOM_LINEAR && factor->term.atom->size > 64)
            return true;
        if (factor->term.atom->inner && lists_much(factor->term.atom->inner))
            return true;
        for (int64_t k = 0; k < factor->term.atom->part_count; k++)
            if (factor->term.atom->parts && lists_much(factor->term.atom->parts[k]))
                return true;
    }
    return false;
}

static bool same_cell(const Mapping *a, const Mapping *b, int64_t at)
{
    Arena scratch = {0};
    Cell left = mapping_cell(&scratch, a, at), right = mapping_cell(&scratch, b, at);
    bool same = left.truncated || right.truncated || cell_equal(&left, &right);
    arena_release(&scratch);
    return same;
}

static void same_cells(const Mapping *a, const Mapping *b, const char *name, Str text)
{
    law_of(a->size == b->size, name, text);
    if (lists_much(a) || lists_much(b))
        return;
    for (int64_t i = 0; i < SAMPLES; i++)
        law_of(same_cell(a, b, sample(i, a->size)), name, text);
}

// ---- one mapping

static const Expr *reparse(Run *run, Str text)
{
    DiagList diags = {.arena = &run->arena};
    return mapping_parse(&run->scope, &diags, 0, text);
}

// What is printed may be refused only for being longer than what was written.
static bool too_long(const Run *run, Str text)
{
    Arena scratch = {0};
    DiagList diags = {.arena = &scratch};
    Scope scope = run->scope;
    mapping_parse(&scope, &diags, 0, text);
    bool deep = diags.count && diags.items[0]->code == DIAG_TOO_DEEP;
    arena_release(&scratch);
    return deep;
}

static void check_print(Run *run, const Mapping *mapping)
{
    Str text = mapping_text(&run->arena, mapping);
    const Expr *again = reparse(run, text);
    if (again->kind == EXPR_POISON) {
        law_of(too_long(run, text), "what is printed parses", text);
        return;
    }
    Mapping factors = mapping_of_expr(&run->arena, again);
    Mapping left = mapping_normalise(&run->arena, mapping);
    Mapping right = mapping_normalise(&run->arena, &factors);
    law_of(mapping_same(&left, &right), "printing and parsing changes nothing", text);
}

static void check_split(Run *run, const Mapping *mapping, int64_t at, Str text)
{
    if (mapping->size % at)
        return;
    Mapping outer, inner;
    mapping_split(&run->arena, mapping, at, &outer, &inner);
    law_of(inner.size == at && outer.size == mapping->size / at, "a split has its sizes", text);
    Mapping joined = mapping_pair(&run->arena, &outer, &inner);
    same_cells(mapping, &joined, "outer and inner make the whole", text);
}

static void check_picture(Run *run, const Mapping *mapping, const Mapping *normal, Str text)
{
    AtomList axes = {0};
    Arena scratch = {0};
    StrBuf out = {.arena = &run->arena};
    mapping_axes(&run->arena, mapping, &axes);
    Picture picture = {.mapping = mapping,
                       .normal = normal,
                       .axes = &axes,
                       .title = text,
                       .most = 40,
                       .scratch = &scratch};
    picture_text(&out, &picture);
    picture_svg(&out, &picture);
    arena_release(&scratch);
}

static void check_mapping(Run *run, const Expr *expr, const Options *options)
{
    Str text = expr_text(&run->arena, expr);
    Mapping mapping = mapping_of_expr(&run->arena, expr);
    Mapping normal = mapping_normalise(&run->arena, &mapping);
    law_of(mapping.size == expr->size && mapping.size >= 1, "sizes agree", text);
    same_cells(&mapping, &normal, "normalising changes no cell", text);
    Mapping twice = mapping_normalise(&run->arena, &normal);
    law_of(mapping_same(&normal, &twice), "normalising twice is normalising once", text);
    const Expr *again = reparse(run, text);
    if (again->kind != EXPR_POISON) {
        law_of(str_equal(expr_text(&run->arena, again), text), "as written, again", text);
        Mapping factors = mapping_of_expr(&run->arena, again);
        law_of(mapping_same(&factors, &mapping), "as written, the same factors", text);
    } else {
        law_of(too_long(run, text), "what is printed as written parses", text);
    }
    check_print(run, &mapping);
    check_print(run, &normal);
    check_split(run, &mapping, options->number, text);
    mapping_canonical_axes(&run->arena, &mapping);
    if (!lists_much(&mapping))
        check_picture(run, &mapping, &normal, text);
}

// ---- two mappings

static bool is_plain(const Mapping *mapping)
{
    for (int64_t i = 0; i < mapping->count; i++)
        if (!mapping->factors[i].is_padding && mapping->factors[i].term.atom->kind != ATOM_AXIS)
            return false;
    return true;
}

// Does position `from` of the buffer hold what position `at` of the stream asks for, on every axis
// that both name? Padding in the stream asks for nothing.
static bool supplies(const Mapping *buffer, int64_t from, const Mapping *stream, int64_t at)
{
    Arena scratch = {0};
    AtomList axes = {0}, held = {0};
    mapping_axes(&scratch, stream, &axes);
    mapping_axes(&scratch, buffer, &held);
    Cell want = mapping_cell(&scratch, stream, at);
    bool ok = want.count != 1; // several: which of them is meant is not decided here
    Cell have = ok ? (Cell){0} : mapping_cell(&scratch, buffer, from);
    for (int64_t i = 0; i < have.count && !ok; i++) {
        bool agrees = true;
        for (int64_t k = 0; k < axes.count; k++) {
            bool both = false;
            for (int64_t h = 0; h < held.count; h++)
                both |= atom_equal(held.items[h], axes.items[k]);
            agrees &= !both || index_value(&want.items[0], axes.items[k]) ==
                                   index_value(&have.items[i], axes.items[k]);
        }
        ok = agrees;
    }
    arena_release(&scratch);
    return ok;
}

// The digit of piece `which` at a position: what is left of it after the pieces outside.
static int64_t digit_of(const Division *division, int64_t which, int64_t at)
{
    int64_t stride = division->matches.items[which].divisor_stride, outer = INT64_MAX;
    for (int64_t i = 0; i < division->matches.count; i++)
        if (division->matches.items[i].divisor_stride > stride)
            outer = min_i64(outer, division->matches.items[i].divisor_stride);
    return at % outer / stride;
}

// Where each found piece of the divisor sits in the dividend is where its digits lead.
static void check_division(Run *run, const Mapping *dividend, const Mapping *divisor,
                           const Options *options, Str text)
{
    Division division =
        mapping_divide(&run->arena, dividend, divisor, options->divide, options->number);
    Mapping x = mapping_normalise(&run->arena, dividend);
    Mapping y = mapping_normalise(&run->arena, divisor);
    bool all = division.exact && options->divide != DIVIDE_SPAN && is_plain(&x) && is_plain(&y);
    for (int64_t i = 0; i < division.matches.count; i++)
        all &= division.matches.items[i].kind == MATCH_FOUND && !division.matches.items[i].list &&
               division.matches.items[i].extent >= division.matches.items[i].resize;
    for (int64_t n = 0; all && n < SAMPLES; n++) {
        int64_t at = sample(n, y.size), from = 0;
        for (int64_t i = 0; i < division.matches.count; i++)
            from += digit_of(&division, i, at) * division.matches.items[i].dividend_stride;
        law_of(supplies(&x, from, &y, at), "found strides lead to the same index", text);
    }
    mapping_text(&run->arena, &division.dividend_residue);
    mapping_text(&run->arena, &division.divisor_residue);
    mapping_text(&run->arena, &division.dividend_remainder);
    mapping_text(&run->arena, &division.divisor_remainder);
}

static void check_equality(Run *run, const Mapping *a, const Mapping *b, Str text)
{
    bool small = a->count <= EQUAL_FACTORS_MAX && b->count <= EQUAL_FACTORS_MAX &&
                 a->size <= 4096 && !lists_much(a) && !lists_much(b);
    if (!small)
        return;
    MappingEquality equality = mapping_equal(&run->arena, a, b);
    if (equality == MAPPINGS_EQUAL)
        same_cells(a, b, "equal mappings have equal cells", text);
    law_of(mapping_equal(&run->arena, b, a) == equality, "equality is symmetric", text);
    bool differs = a->size != b->size;
    for (int64_t i = 0; i < a->size && !differs && equality == MAPPINGS_DIFFER; i++)
        differs = !same_cell(a, b, i);
    law_of(differs || equality != MAPPINGS_DIFFER, "different mappings differ somewhere", text);
}

static void check_tile(Run *run, const Mapping *mapping, const Mapping *index, int64_t length,
                       Str text)
{
    Mapping tile;
    if (length > index->size || !mapping_tile(&run->arena, mapping, index, length, &tile))
        return;
    mapping_text(&run->arena, &tile);
    law_of(tile.size >= 1, "a tile has a size", text);
}

// ---- three mappings

static int64_t address_of(const Sequence *sequence, int64_t at)
{
    int64_t address = sequence->base_offset;
    for (int64_t i = sequence->written.count - 1; i >= 0; i--) {
        const SequenceEntry *entry = &sequence->written.items[i];
        int64_t digit = at % entry->size;
        address += entry->offsets ? entry->offsets[digit] : digit * entry->stride;
        at /= entry->size;
    }
    return address;
}

// Whether one of the first positions is no padding: a shift or a list may leave nothing else.
static bool holds_something(const Mapping *mapping)
{
    Arena scratch = {0};
    bool live = false;
    for (int64_t at = 0; at < min_i64(mapping->size, 256) && !live; at++) {
        live = mapping_cell(&scratch, mapping, at).count > 0;
        arena_release(&scratch);
    }
    return live;
}

static void check_sequence(Run *run, const Expr *const *exprs, const Options *options)
{
    SequenceRequest request = {.machine = options->machine,
                               .engine = options->engine,
                               .context = options->context,
                               .buffer = exprs[0],
                               .time = exprs[1],
                               .packet = exprs[2],
                               .type = options->type,
                               .cast = options->cast};
    Sequence sequence;
    int64_t positions;
    if (!sequencer_derive(&run->arena, &request, &run->diags, &sequence))
        return;
    Str text = expr_text(&run->arena, exprs[0]);
    StrBuf config = {.arena = &run->arena};
    sequencer_print(&config, &sequence, options->engine);
    law_of(sequence.entries.count <= options->machine->sequencer_entries, "entries fit", text);
    law_of(sequence.access_bytes > 0 && sequence.cycles > 0, "an access has a size", text);
    Mapping buffer = mapping_of_expr(&run->arena, exprs[0]);
    Mapping time = mapping_of_expr(&run->arena, exprs[1]);
    Mapping packet = mapping_of_expr(&run->arena, exprs[2]);
    if (sequencer_writes(options->engine) || !checked_mul(time.size, packet.size, &positions))
        return;
    Mapping stream = mapping_pair(&run->arena, &time, &packet);
    if (lists_much(&buffer) || lists_much(&stream) || mapping_has_overlap(&run->arena, &stream))
        return;
    // Where a shifted axis starts that nobody walks is not said.
    if (!is_plain(&buffer) && (!sequence.walks_all || !holds_something(&buffer)))
        return;
    for (int64_t n = 0; n < SAMPLES; n++) {
        int64_t at = sample(n, positions);
        law_of(supplies(&buffer, address_of(&sequence, at), &stream, at),
               "the loop nest reads what the stream asks for", text);
    }
}

static void check_diagnostics(Run *run)
{
    StrBuf text = {.arena = &run->arena}, json = {.arena = &run->arena};
    diag_render_text(&text, &run->sources, &run->diags, DIAG_PLAIN);
    diag_render_text(&text, &run->sources, &run->diags, DIAG_COLOUR);
    diag_render_json(&json, &run->sources, &run->diags);
    json_error_t error;
    json_t *parsed = json_loadb(json.data, (size_t)json.len, 0, &error);
    law_of(parsed && (int64_t)json_array_size(parsed) == run->diags.count, "diagnostics are JSON",
           buf_str(&json));
    json_decref(parsed);
}

static void split_lines(Run *run, const uint8_t *data, size_t size)
{
    Str rest = {(const char *)arena_copy(&run->arena, data, size), (int64_t)size};
    for (int64_t i = 0; i < LINE_COUNT; i++) {
        int64_t end = 0;
        while (end < rest.len && rest.data[end] != '\n')
            end++;
        run->lines[i] = str_slice(rest, 0, min_i64(end, LINE_BYTES_MAX));
        rest = str_slice(rest, min_i64(end + 1, rest.len), rest.len);
    }
}

static void check_all(Run *run)
{
    static const char *const names[] = {"X", "Y", "Z"};
    Options options = options_of(run);
    scope_parse_axes(&run->scope, &run->diags, add_source(run, STR("axes"), run->lines[0]),
                     run->lines[0]);
    if (run->lines[1].len)
        scope_parse_definition(&run->scope, &run->diags,
                               add_source(run, STR("definition"), run->lines[1]), run->lines[1]);
    scope_resolve(&run->scope, &run->diags);
    const Expr *exprs[3];
    Mapping mappings[3];
    bool good = true;
    for (int64_t i = 0; i < 3; i++) {
        Str line = run->lines[2 + i].len ? run->lines[2 + i] : STR("1");
        exprs[i] = mapping_parse(&run->scope, &run->diags,
                                 add_source(run, str_from(names[i]), line), line);
        bool parsed = exprs[i]->kind != EXPR_POISON && expr_check_overlap(&run->diags, exprs[i]);
        good &= parsed;
        if (!parsed)
            continue;
        mappings[i] = mapping_of_expr(&run->arena, exprs[i]);
        check_mapping(run, exprs[i], &options);
    }
    if (!good)
        return;
    Str text = expr_text(&run->arena, exprs[0]);
    check_division(run, &mappings[0], &mappings[1], &options, text);
    check_equality(run, &mappings[0], &mappings[1], text);
    check_tile(run, &mappings[0], &mappings[1], options.number, text);
    check_sequence(run, exprs, &options);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Run run = {0};
    run.diags.arena = &run.arena;
    run.scope = scope_new(&run.arena);
    split_lines(&run, data, size);
    check_all(&run);
    check_diagnostics(&run);
    arena_release(&run.arena);
    return 0;
}
