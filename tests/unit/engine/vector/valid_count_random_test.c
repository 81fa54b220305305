// The Valid Count Generator on random placements of one padded axis. What is accepted must be
// right. What the manual's table supports must be accepted, and a search over configurations must
// find one for it, too.
#include "valid_count_support.h"

#include "sample.h"

#include <inttypes.h>

enum { MOST_DIGITS = 4, ROUNDS = 1500 };

// One part of R: digits of the padded axis from `stride` on.
typedef struct {
    Level level;
    int64_t stride, extent;
} Piece;

typedef struct {
    Piece pieces[MOST_DIGITS]; // innermost of R first
    int64_t count;
    int64_t size, padded;
    int64_t order[LEVEL_COUNT][MOST_DIGITS + 1]; // of each level, innermost first; -1: another axis
    int64_t length[LEVEL_COUNT];
    Arena arena;
    const char *axes, *text[LEVEL_COUNT];
} Random;

static int64_t random_extent(Rng *rng, Level level)
{
    static const int64_t any[] = {2, 2, 3, 4, 5, 8};
    static const int64_t powers[] = {2, 2, 4, 4, 8, 2};
    const int64_t *from = level == LEVEL_SLICE && rng_chance(rng, 90) ? powers : any;
    return from[rng_below(rng, 6)];
}

static void random_pieces(Random *random, Rng *rng)
{
    static const Level levels[] = {LEVEL_SLICE, LEVEL_TIME, LEVEL_TIME, LEVEL_PACKET};
    int64_t room[LEVEL_COUNT] = {[LEVEL_SLICE] = 16, [LEVEL_TIME] = 24, [LEVEL_PACKET] = 8};
    int64_t wanted = 1 + rng_below(rng, MOST_DIGITS);
    random->padded = 1;
    for (int64_t i = 0; i < wanted; i++) {
        Level level = levels[rng_below(rng, 4)];
        int64_t extent = random_extent(rng, level);
        if (extent > room[level])
            continue;
        room[level] /= extent;
        random->pieces[random->count++] = (Piece){level, random->padded, extent};
        random->padded *= extent;
    }
    random->size = 1 + rng_below(rng, random->padded);
    if (rng_chance(rng, 30)) // multiples of a place are where degenerate cases are
        random->size = max_i64(random->size / 4 * 4, 1);
}

static void insert_at(Random *random, Level level, int64_t at, int64_t value)
{
    int64_t *order = random->order[level];
    for (int64_t i = random->length[level]++; i > at; i--)
        order[i] = order[i - 1];
    order[at] = value;
}

// Mostly in order of R, sometimes not; other axes in between.
static void random_order(Random *random, Rng *rng)
{
    for (int64_t i = 0; i < random->count; i++) {
        Level level = random->pieces[i].level;
        int64_t length = random->length[level];
        insert_at(random, level, rng_chance(rng, 80) ? length : rng_below(rng, length + 1), i);
    }
    if (rng_chance(rng, 60))
        insert_at(random, LEVEL_SLICE, rng_below(rng, random->length[LEVEL_SLICE] + 1), -1);
    if (rng_chance(rng, 60))
        insert_at(random, LEVEL_TIME, rng_below(rng, random->length[LEVEL_TIME] + 1), -1);
    if (random->length[LEVEL_PACKET] == 0 && rng_chance(rng, 50))
        insert_at(random, LEVEL_PACKET, 0, -1);
}

static void print_level(Random *random, Level level, const char *other)
{
    StrBuf out = {.arena = &random->arena};
    int64_t size = 1;
    for (int64_t i = random->length[level] - 1; i >= 0; i--) {
        int64_t at = random->order[level][i];
        const Piece *piece = &random->pieces[max_i64(at, 0)];
        size *= at < 0 ? 2 : piece->extent;
        if (at < 0)
            buf_add(&out, str_from(other));
        else
            buf_format(&out, "R # {} / {} % {}", random->padded, piece->stride, piece->extent);
        buf_add(&out, i ? STR(", ") : STR(""));
    }
    if (out.len == 0)
        buf_add(&out, STR("1"));
    Str text = buf_str(&out);
    if (level == LEVEL_PACKET && size < 8)
        text = str_format(&random->arena, "[{}] # 8", text);
    random->text[level] = str_terminated(&random->arena, text);
}

static void random_placement(Random *random, Rng *rng)
{
    *random = (Random){0};
    random_pieces(random, rng);
    random_order(random, rng);
    print_level(random, LEVEL_SLICE, "X");
    print_level(random, LEVEL_TIME, "Y");
    print_level(random, LEVEL_PACKET, "Z");
    random->axes = str_terminated(&random->arena,
                                  str_format(&random->arena, "R={},X=2,Y=2,Z=2", random->size));
}

// ---- the manual's table

// In which order the pieces of one level lie, inner to outer: upwards, and nothing of R left out.
static bool is_run(const Random *random, Level level, int64_t *first, int64_t *size)
{
    int64_t next = -1;
    *size = 1;
    for (int64_t i = 0; i < random->length[level]; i++) {
        int64_t at = random->order[level][i];
        if (at < 0)
            continue;
        const Piece *piece = &random->pieces[at];
        if (next >= 0 && piece->stride != next)
            return false;
        *first = next < 0 ? piece->stride : *first;
        next = piece->stride * piece->extent;
        *size *= piece->extent;
    }
    return true;
}

static bool is_on(const Random *random, Level level)
{
    for (int64_t i = 0; i < random->count; i++)
        if (random->pieces[i].level == level)
            return true;
    return false;
}

// The bits of the slice number are its own: every size is a power of two.
static bool has_bits(const Random *random)
{
    for (int64_t i = 0; i < random->count; i++) {
        const Piece *piece = &random->pieces[i];
        if (piece->level == LEVEL_SLICE && piece->extent & (piece->extent - 1))
            return false;
    }
    return true;
}

// R in Packet: its innermost part, and it alone.
static bool leads_packet(const Random *random)
{
    int64_t first = 1, size;
    return is_run(random, LEVEL_PACKET, &first, &size) && first == 1 &&
           (random->length[LEVEL_PACKET] == 0 || random->order[LEVEL_PACKET][0] >= 0);
}

static bool is_supported(const Random *random)
{
    bool slice = is_on(random, LEVEL_SLICE), time = is_on(random, LEVEL_TIME);
    int64_t slice_first = 1, slice_size, time_first, time_size = 1;
    if (is_on(random, LEVEL_PACKET))
        return !slice && leads_packet(random);
    if (!slice)
        return true;
    if (!is_run(random, LEVEL_SLICE, &slice_first, &slice_size) || !has_bits(random))
        return false;
    if (!time)
        return true;
    for (int64_t i = 0; i < random->count; i++)
        if (random->pieces[i].level == LEVEL_TIME)
            time_size *= random->pieces[i].extent;
    time_first = slice_first == 1 ? slice_size : 1;
    bool standard = slice_first == time_size && time_first == 1;
    bool transposed = slice_first == 1 && time_size == ceil_div(random->size, slice_size);
    return standard || transposed;
}

// ---- the search

// The counts that are right in one packet: least .. most; least > most: none is.
typedef struct {
    int64_t least, most;
} Range;

typedef struct {
    const Random *random;
    Range *ranges; // slice, step
    int64_t slices, steps;
} Search;

static Range range_of(const Truth *truth, int64_t packet)
{
    Range range = {0, truth->lanes};
    for (int64_t p = 0; p < truth->lanes; p++) {
        int8_t valid = truth->valid[packet * truth->lanes + p];
        if (valid == 1)
            range.least = p + 1;
        if (valid == 0)
            range.most = min_i64(range.most, p);
    }
    return range;
}

// What the parts of R in Time add up to at t, those of `set` only.
static int64_t index_at(const Random *random, int64_t t, uint32_t set)
{
    int64_t index = 0;
    for (int64_t i = 0; i < random->length[LEVEL_TIME]; i++) {
        int64_t at = random->order[LEVEL_TIME][i];
        int64_t extent = at < 0 ? 2 : random->pieces[at].extent;
        if (at >= 0 && set & 1U << at)
            index += t % extent * random->pieces[at].stride;
        t /= extent;
    }
    return index;
}

static bool gate_fits(const Search *search, const ValidGate *gate, uint32_t set,
                      const int64_t *packet)
{
    for (int64_t s = 0; s < search->slices; s++)
        for (int64_t t = 0; t < search->steps; t++) {
            Range range = search->ranges[s * search->steps + t];
            int64_t masked = s & gate->mask;
            bool checked = masked == gate->match || (masked > gate->match && gate->transposed);
            bool open =
                masked < gate->match || (checked && index_at(search->random, t, set) < gate->valid);
            int64_t count = open ? packet[t] : 0;
            if (count < range.least || count > range.most)
                return false;
        }
    return true;
}

// Packets that some gate must leave open, at any rate, have a right count.
static bool packet_fits(const Search *search, const int64_t *packet)
{
    for (int64_t i = 0; i < search->slices * search->steps; i++) {
        Range range = search->ranges[i];
        int64_t count = packet[i % search->steps];
        if (range.least > 0 && (count < range.least || count > range.most))
            return false;
    }
    return true;
}

static bool search_gates(const Search *search, uint32_t set, const int64_t *packet)
{
    for (int64_t mask = 0; mask < search->slices; mask++)
        for (int64_t match = 0; match <= search->slices; match++)
            for (int64_t valid = 0; valid <= search->random->size; valid++)
                for (int transposed = 0; transposed < 2; transposed++) {
                    ValidGate gate = {mask, match, valid, transposed};
                    if (gate_fits(search, &gate, set, packet))
                        return true;
                }
    return false;
}

// Every packet dim and every gate, the parts of Time dealt out in every way.
static bool search_all(const Search *search)
{
    int64_t packet[256];
    for (uint32_t set = 0; set < 1U << search->random->count; set++)
        for (int64_t stride = 1; stride <= 8; stride++)
            for (int64_t valid = 0; valid <= search->random->size + 8; valid++) {
                for (int64_t t = 0; t < search->steps; t++) {
                    int64_t index = index_at(search->random, t, ~set);
                    packet[t] = min_i64(stride, max_i64(0, valid - index));
                }
                if (packet_fits(search, packet) && search_gates(search, set, packet))
                    return true;
            }
    return false;
}

static bool is_expressible(Placement *place, const Random *random, const Truth *truth)
{
    int64_t count = truth->slices * truth->steps;
    Search search = {.random = random, .slices = truth->slices, .steps = truth->steps};
    search.ranges = arena_new(&place->world->arena, Range, (size_t)count);
    for (int64_t i = 0; i < count; i++) {
        search.ranges[i] = range_of(truth, i);
        if (search.ranges[i].least > search.ranges[i].most)
            return false;
    }
    return search_all(&search);
}

// ---- the laws

typedef struct {
    int64_t accepted, supported, missed;
} Tally;

static void report(const Random *random, const Placement *place, const char *what)
{
    fail_msg("%s: %s [%s] [%s] [%s]: %s", what, random->axes, random->text[LEVEL_SLICE],
             random->text[LEVEL_TIME], random->text[LEVEL_PACKET], problems[place->result.problem]);
}

static void try_placement(Random *random, Tally *tally)
{
    Placement place;
    const char *const texts[] = {"1", random->text[LEVEL_SLICE], random->text[LEVEL_TIME],
                                 random->text[LEVEL_PACKET]};
    place_derive(&place, random->axes, texts, "R");
    Truth truth = truth_of(&place);
    if (place.ok && !config_is_right(&truth, &place.result))
        report(random, &place, "accepted, and wrong");
    if (!place.ok && is_supported(random))
        report(random, &place, "supported, and refused");
    bool small = truth.slices * truth.steps <= 32;
    if (!place.ok && small && is_expressible(&place, random, &truth)) {
        tally->missed++;
        if (getenv("CONTRA_TEST_VERBOSE"))
            print_message("missed: %s [%s] [%s] [%s]: %s\n", random->axes,
                          random->text[LEVEL_SLICE], random->text[LEVEL_TIME],
                          random->text[LEVEL_PACKET], problems[place.result.problem]);
    }
    tally->accepted += place.ok;
    tally->supported += is_supported(random);
    world_free(place.world);
}

TEST(random_placements)
{
    Rng rng = {.state = 20240711};
    Tally tally = {0};
    static Random random;
    for (int64_t i = 0; i < ROUNDS; i++) {
        random_placement(&random, &rng);
        try_placement(&random, &tally);
        arena_release(&random.arena);
    }
    print_message("%d placements: %" PRId64 " accepted, %" PRId64 " in the table, %" PRId64
                  " more expressible\n",
                  ROUNDS, tally.accepted, tally.supported, tally.missed);
    assert_true(tally.supported > ROUNDS / 4 && tally.accepted < ROUNDS);
}

// ---- several axes at once

enum { MOST_AXES = 3 };

// The elements of one level, in the order in which they were dealt out.
typedef struct {
    StrBuf text;
    int64_t size;
} Elements;

static void add_element(Elements *level, Str element, int64_t size)
{
    if (level->size * size > 24)
        return;
    if (level->text.len)
        buf_add(&level->text, STR(", "));
    buf_add(&level->text, element);
    level->size *= size;
}

// `R # 12 / 4 % 3`, now and then cut short: `.. = 2 # 3`.
static Str random_element(Arena *arena, Rng *rng, char axis, int64_t padded, int64_t stride,
                          int64_t extent)
{
    StrBuf out = {.arena = arena};
    buf_format(&out, "{c} # {} / {} % {}", axis, padded, stride, extent);
    if (extent > 1 && rng_chance(rng, 15))
        buf_format(&out, " = {} # {}", (1 + rng_below(rng, extent - 1)), extent);
    return buf_str(&out);
}

static void deal_axis(Arena *arena, Rng *rng, char name, StrBuf *axes, Elements levels[3])
{
    int64_t extents[2] = {1 + rng_below(rng, 4), 1 + rng_below(rng, 4)};
    int64_t padded = extents[0] * extents[1], stride = 1;
    int64_t size = rng_chance(rng, 50) ? padded : 1 + rng_below(rng, padded);
    buf_format(axes, "{}{c}={}", axes->len ? "," : "", name, size);
    for (int i = 0; i < 2; i++) {
        Str element = random_element(arena, rng, name, padded, stride, extents[i]);
        Elements *level = &levels[rng_below(rng, 3)];
        int64_t most = level == &levels[2] ? 8 : 24;
        if (level->size * extents[i] <= most)
            add_element(level, element, extents[i]);
        stride *= extents[i];
    }
}

static const char *level_text(Arena *arena, const Elements *level, bool is_packet)
{
    Str text = level->text.len ? buf_str(&level->text) : STR("1");
    if (is_packet && level->size < 8)
        text = str_format(arena, "[{}] # 8", text);
    return str_terminated(arena, text);
}

// Reducing an axis that shares its lanes is refused before anything is counted.
static bool shares_lanes(const char *packet)
{
    return strchr(packet, 'A') && (strchr(packet, 'B') || strchr(packet, 'C'));
}

// All axes, or A alone.
static bool try_axes(Rng *rng)
{
    Arena arena = {0};
    StrBuf axes = {.arena = &arena};
    Elements levels[3];
    for (int i = 0; i < 3; i++)
        levels[i] = (Elements){.text = {.arena = &arena}, .size = 1};
    for (int i = 0; i < MOST_AXES; i++)
        deal_axis(&arena, rng, (char)('A' + i), &axes, levels);
    const char *texts[] = {"1", level_text(&arena, &levels[0], false),
                           level_text(&arena, &levels[1], false),
                           level_text(&arena, &levels[2], true)};
    Placement place;
    bool one = rng_chance(rng, 50) && !shares_lanes(texts[3]);
    place_derive(&place, str_terminated(&arena, buf_str(&axes)), texts, one ? "A" : NULL);
    Truth truth = truth_of(&place);
    if (place.ok && !config_is_right(&truth, &place.result))
        fail_msg("%s [%s] [%s] [%s]: %s is wrong", str_terminated(&arena, buf_str(&axes)), texts[1],
                 texts[2], texts[3], config_text(&place.world->arena, &place.result));
    bool ok = place.ok;
    world_free(place.world);
    arena_release(&arena);
    return ok;
}

TEST(several_axes)
{
    Rng rng = {.state = 577};
    int64_t accepted = 0;
    for (int64_t i = 0; i < ROUNDS; i++)
        accepted += try_axes(&rng);
    print_message("%" PRId64 " of %d accepted\n", accepted, ROUNDS);
    assert_true(accepted > ROUNDS / 4 && accepted < ROUNDS);
}
