// Random passes, as text: those that the rules accept become records, which are compared with the
// cells. A case is made from its number alone; a failure names it.
#include "stream_support.h"

#include "../program/program_support.h"
#include "engine/engine.h"
#include "sample.h"
#include "shrink.h"

enum { CASES = 4000, SWITCH_CASES = 400, PIECES = 10 };

static const int64_t axis_sizes[] = {2, 3, 4, 5, 7, 8, 8, 12, 16, 16, 31, 32, 63, 64};
static const char *const types[] = {"i8", "i8", "bf16", "f32", "i4"};
static const int64_t flits[] = {32, 32, 16, 8, 64};

typedef struct {
    char text[32];
    int64_t size;
    char axis;
} Piece;

typedef struct {
    Rng rng;
    Arena *arena;
    Piece pieces[PIECES];
    int64_t count;
    int64_t type;
    char slice[64], cluster[32];
    int64_t sizes[4]; // of A, B, C, D
    // a tile along a whole axis
    char tiled; // 0: none
    int64_t length, starts[2];
} Maker;

// A # padded / outer % inner; what is 0 is left out.
static void add_piece(Maker *m, char axis, int64_t size, int64_t padded, int64_t outer,
                      int64_t inner)
{
    Piece *piece = &m->pieces[m->count++];
    piece->axis = axis;
    piece->size = size;
    int64_t len = snprintf(piece->text, sizeof piece->text, "%c", axis);
    const struct {
        const char *operator;
        int64_t number;
    } parts[] = {{"#", padded}, {"/", outer}, {"%", inner}};
    for (size_t i = 0; i < COUNT_OF(parts); i++)
        if (parts[i].number)
            len += snprintf(piece->text + len, sizeof piece->text - (size_t)len, " %s %" PRId64,
                            parts[i].operator, parts[i].number);
}

// An axis whole, padded, or cut in two, perhaps where it does not end.
static void add_axis(Maker *m, char axis, int64_t size)
{
    int64_t padded = size + (rng_chance(&m->rng, 40) ? rng_below(&m->rng, 9) : 0);
    int64_t inner = sample_divisor(&m->rng, padded);
    if (rng_chance(&m->rng, 50) || inner == 1 || inner == padded) {
        add_piece(m, axis, padded, padded > size ? padded : 0, 0, 0);
        return;
    }
    add_piece(m, axis, padded / inner, padded, inner, 0);
    add_piece(m, axis, inner, padded, 0, inner);
}

// Where the pass runs: D may be spread over slices and clusters, the rest of it over the stream.
static void make_units(Maker *m)
{
    snprintf(m->cluster, sizeof m->cluster, "1 # 2");
    m->sizes[3] = 480 + rng_below(&m->rng, 33);
    switch (rng_below(&m->rng, 5)) {
    case 0:
        snprintf(m->slice, sizeof m->slice, "D # 512 / 2");
        add_piece(m, 'D', 2, 512, 0, 2);
        break;
    case 1:
        snprintf(m->slice, sizeof m->slice, "D # 512 %% 256");
        add_piece(m, 'D', 2, 512, 256, 0);
        break;
    case 2:
        snprintf(m->slice, sizeof m->slice, "D # 512 %% 256");
        snprintf(m->cluster, sizeof m->cluster, "D # 512 / 256");
        break;
    case 3:
        m->sizes[3] = 1 + rng_below(&m->rng, 256);
        snprintf(m->slice, sizeof m->slice, "D # 256");
        break;
    default:
        m->sizes[3] = 256;
        snprintf(m->slice, sizeof m->slice, "D");
    }
}

static void shuffle(Maker *m, Piece *pieces, int64_t count)
{
    for (int64_t i = count - 1; i > 0; i--) {
        int64_t k = rng_below(&m->rng, i + 1);
        Piece kept = pieces[i];
        pieces[i] = pieces[k];
        pieces[k] = kept;
    }
}

// A piece as it is in a tile of a tensor, or in a stream of that tile.
static void print_piece(const Maker *m, StrBuf *out, const Piece *piece, bool in_memory)
{
    if (piece->axis != m->tiled)
        buf_format(out, "{}", piece->text);
    else if (m->length == 1)
        buf_format(out, "1 # {}", in_memory ? piece->size : 1);
    else
        buf_format(out, "{c} = {} # {}", piece->axis, m->length,
                   in_memory ? piece->size : m->length);
}

static Str print_list(const Maker *m, const Piece *pieces, int64_t count, int how)
{
    StrBuf out = {.arena = m->arena};
    for (int64_t i = 0; i < count; i++) {
        buf_add(&out, i ? STR(", ") : STR(""));
        if (how == 0)
            buf_format(&out, "{}", pieces[i].text);
        else
            print_piece(m, &out, &pieces[i], how == 1);
    }
    return count ? buf_str(&out) : STR("1");
}

static Str view_text(const Maker *m, const char *label, const Piece *pieces, int64_t which)
{
    if (!m->tiled)
        return str_format(m->arena, "{}", label);
    Str tile = print_list(m, pieces, m->count, 1);
    return str_format(m->arena, "{}.tile<[{c}], {}, [{}]>({})", label, m->tiled, m->length, tile,
                      m->starts[which]);
}

static void choose_tile(Maker *m)
{
    const Piece *piece = &m->pieces[rng_below(&m->rng, m->count)];
    int64_t size = piece->axis >= 'A' && piece->axis <= 'C' ? m->sizes[piece->axis - 'A'] : 0;
    if (!rng_chance(&m->rng, 30) || piece->size != size || piece->text[1])
        return;
    m->tiled = piece->axis;
    m->length = 1 + rng_below(&m->rng, size);
    m->starts[0] = rng_below(&m->rng, size - m->length + 1);
    m->starts[1] = rng_below(&m->rng, size - m->length + 1);
}

static Str make_pass(Maker *m)
{
    int64_t axes = 1 + rng_below(&m->rng, 3);
    make_units(m);
    for (int64_t i = 0; i < axes; i++) {
        m->sizes[i] = axis_sizes[rng_below(&m->rng, COUNT_OF(axis_sizes))];
        add_axis(m, (char)('A' + i), m->sizes[i]);
    }
    m->type = rng_below(&m->rng, COUNT_OF(types));
    choose_tile(m);
    Piece from[PIECES], to[PIECES], stream[PIECES];
    memcpy(stream, m->pieces, sizeof stream);
    shuffle(m, stream, m->count);
    memcpy(from, stream, sizeof from);
    memcpy(to, stream, sizeof to);
    shuffle(m, from, rng_chance(&m->rng, 50) ? m->count : m->count - 1);
    shuffle(m, to, rng_chance(&m->rng, 50) ? m->count : m->count - 1);
    int64_t inside = 1 + rng_below(&m->rng, 2), flit = flits[m->type];
    inside = min_i64(inside, m->count);
    StrBuf out = {.arena = m->arena};
    buf_format(&out, "program p chip=1\n");
    for (int64_t i = 0; i < 4; i++)
        if (m->sizes[i])
            buf_format(&out, "axis {c} = {}\n", (char)('A' + i), m->sizes[i]);
    Str in = print_list(m, from, m->count, 0), back = print_list(m, to, m->count, 0);
    buf_format(&out, "%0 = param dm {} chip [1] cluster [{}] slice [{}] element [{}] at 0x0\n",
               types[m->type], m->cluster, m->slice, in);
    if (m->tiled)
        buf_format(&out,
                   "%1 = param dm {} chip [1] cluster [{}] slice [{}] element [{}] at 0x20000\n",
                   types[m->type], m->cluster, m->slice, back);
    Str source = view_text(m, "%0", from, 0), target = view_text(m, "%1", to, 1);
    Str time = print_list(m, stream, m->count - inside, 2);
    Str packet = print_list(m, stream + m->count - inside, inside, 2);
    buf_format(&out, "pass main\n  begin {}\n", source);
    buf_format(&out, "  fetch {} time [{}] packet [[{}] # {}]\n", types[m->type], time, packet,
               flit);
    if (m->tiled)
        buf_format(&out, "  commit_view -> mut {}\nend\n", target);
    else
        buf_format(&out, "  commit -> %1 = dm element [{}] at 0x20000\nend\n", back);
    return buf_str(&out);
}

// ---- switches

// The bits of a slice number in runs, outermost first.
static int64_t make_runs(Maker *m, int64_t *sizes)
{
    int64_t count = 0;
    for (int64_t left = 256; left > 1; left /= sizes[count++]) {
        sizes[count] = INT64_C(2) << rng_below(&m->rng, 4);
        if (sizes[count] > left)
            sizes[count] = left;
    }
    return count;
}

// Some runs go to Time in their order, the others stay in any order; new axes fill what is free.
static Str make_custom(Maker *m, int64_t ring)
{
    int64_t sizes[8], count = make_runs(m, sizes), place = 256, fresh = 0;
    StrBuf out = {.arena = m->arena}, time = {.arena = m->arena}, axes = {.arena = m->arena};
    Piece kept[8];
    for (int64_t i = 0; i < count; i++) {
        place /= sizes[i];
        char text[32];
        snprintf(text, sizeof text, "S / %" PRId64 " %% %" PRId64, place, sizes[i]);
        bool moves = rng_chance(&m->rng, 40);
        kept[i].size = sizes[i];
        if (!moves) {
            memcpy(kept[i].text, text, sizeof text);
            continue;
        }
        bool cut = rng_chance(&m->rng, 30) && sizes[i] > 2;
        buf_format(&time, ", {}", text);
        if (cut)
            buf_format(&time, " = {}", sizes[i] - 1);
        snprintf(kept[i].text, sizeof kept[i].text, "%c", (char)('K' + fresh));
        buf_format(&axes, "axis {c} = {}\n", (char)('K' + fresh++), sizes[i]);
    }
    if (rng_chance(&m->rng, 60))
        shuffle(m, kept, count);
    Str slice = print_list(m, kept, count, 0);
    buf_format(&out,
               "program p chip=1\naxis S = 256\naxis T = 3\naxis P = 32\n{}%0 = param dm i8 chip "
               "[1] cluster [1 # 2] slice [S] element [T, P] at 0x0\npass main\n  begin %0\n  "
               "fetch i8 time [T] packet [P]\n  switch CustomBroadcast ring_size={} slice [{}] "
               "time [T{}]\n  open\nend\n",
               buf_str(&axes), ring, slice, buf_str(&time));
    return buf_str(&out);
}

typedef struct {
    const char *name, *slice, *time;
    bool has_time0;
} TopologyText;

// %1 slice2 x .., by letters: a = slice1 x slice0, b = slice1, c = slice0, d = time0, e = b x d.
static const TopologyText topologies[] = {
    {"Broadcast01", "S / a, X, Y", "T / d, S / c % b, T % d, S % c", true},
    {"Broadcast1", "S / a, X, S % c", "T, S / c % b", false},
    {"Transpose", "S / a, S % c, S / c % b", "T", false},
    {"InterTranspose", "S / a, T / d % b, S % c", "T / e, T % d, S / c % b", true},
    {"TransposedBroadcast1", "S / a, Y, S / c % b", "T, S % c", false},
};

static Str fill(Arena *arena, const char *form, const int64_t *values)
{
    StrBuf out = {.arena = arena};
    for (; *form; form++) {
        if (*form >= 'a' && *form <= 'e')
            buf_format(&out, "{}", values[*form - 'a']);
        else
            buf_format(&out, "{c}", *form);
    }
    return buf_str(&out);
}

static Str make_regular(Maker *m)
{
    const TopologyText *topology = &topologies[rng_below(&m->rng, COUNT_OF(topologies))];
    int64_t slice1 = INT64_C(2) << rng_below(&m->rng, 4), slice0 = INT64_C(2)
                                                                   << rng_below(&m->rng, 3);
    int64_t time0 = 2 + rng_below(&m->rng, 3), outer = 1 + rng_below(&m->rng, 3);
    int64_t values[] = {slice1 * slice0, slice1, slice0, time0, slice1 * time0};
    Str slice = fill(m->arena, topology->slice, values),
        time = fill(m->arena, topology->time, values);
    Str time0_text = topology->has_time0 ? str_format(m->arena, " time0={}", time0) : STR("");
    return str_format(m->arena,
                      "program p chip=1\naxis S = 256\naxis T = {}\naxis P = 40\naxis X = {}\naxis "
                      "Y = {}\n%0 = param dm i8 chip [1] cluster [1 # 2] slice [S] element [T, P] "
                      "at 0x0\npass main\n  begin %0\n  fetch i8 time [T] packet [P]\n  switch {} "
                      "slice1={} slice0={}{} slice [{}] time [{}]\n  open\nend\n",
                      outer * slice1 * time0, slice1, slice0, topology->name, slice1, slice0,
                      time0_text, slice, time);
}

// ---- all of it

static void compare_text(Compare *c, Str text, int64_t number)
{
    Desk *desk = desk_new(&engine_rules);
    char name[64];
    DiagList diags = {.arena = &desk->arena};
    if (desk_read(desk, text) && desk->programs.count) {
        const Program *program = desk->programs.items[0];
        snprintf(name, sizeof name, "case %" PRId64, number);
        c->name = name;
        c->text = text;
        c->lower = (Lower){.arena = &desk->arena,
                           .scratch = &desk->arena,
                           .diags = &diags,
                           .machine = &machine_rngd,
                           .program = program};
        for (int64_t i = 0; i < program->ops.count; i++)
            compare_pass(c, program->ops.items[i]->pass);
        for (int64_t i = 0; i < program->open.count; i++)
            compare_pass(c, program->open.items[i]);
        arena_clear(&c->arena);
    }
    desk_free(desk);
}

static Maker maker_of(Arena *arena, int64_t number)
{
    return (Maker){.rng = {(uint64_t)number * 0x9E3779B97F4A7C15u + 1}, .arena = arena};
}

TEST(passes_meet_their_cells)
{
    Compare c = {0};
    Arena arena = {0};
    for (int64_t i = 0; i < (int64_t)(CASES * test_scale()); i++) {
        Maker m = maker_of(&arena, i);
        compare_text(&c, make_pass(&m), i);
        arena_clear(&arena);
    }
    print_message("%" PRId64 " passes, %" PRId64 " masks\n", c.passes, c.masks);
    assert_true((double)c.passes > CASES * test_scale() / 100);
    arena_release(&arena);
    arena_release(&c.arena);
    arena_release(&c.scratch);
}

TEST(switches_meet_their_cells)
{
    Compare c = {0};
    Arena arena = {0};
    for (int64_t i = 0; i < (int64_t)(SWITCH_CASES * test_scale()); i++) {
        Maker m = maker_of(&arena, i);
        compare_text(&c, make_regular(&m), i);
        for (int64_t ring = 1; ring <= 256; ring *= 2) {
            Maker same = maker_of(&arena, i);
            compare_text(&c, make_custom(&same, ring), i);
        }
        arena_clear(&arena);
    }
    print_message("%" PRId64 " switches\n", c.switches);
    assert_true((double)c.switches > SWITCH_CASES * test_scale());
    arena_release(&arena);
    arena_release(&c.arena);
    arena_release(&c.scratch);
}
