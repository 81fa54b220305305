#include "command/bank.h"

#include "base/checked.h"

// Listings show files that nobody verified, so that any number may be in them.
int64_t fetch_cycles(const HwFetch *fetch)
{
    return saturating_mul(fetch->time, fetch->fetches_per_packet);
}

int64_t switch_cycles(const HwSwitchRoute *route)
{
    return saturating_mul(saturating_mul(route->ring_size, route->in_time), route->packet_flits);
}

int64_t transpose_cycles(const HwTranspose *transpose)
{
    int64_t in = transpose->in_flits, out = transpose->out_flits, count = transpose->iterations;
    if (!transpose->double_buffering)
        return saturating_mul(count, saturating_add(in, out));
    return saturating_add(
        saturating_add(in, saturating_mul(max_i64(count, 1) - 1, max_i64(in, out))), out);
}

// Only the address modulo one round over all banks counts, so that each loop is worked out once
// for each place in the round it can begin at, from the inside, and repeats after at most a round.

enum { BYTE_BITS = 8, MOST_PLACES = 256, MOST_LEVELS = 16 };

static const int64_t MOST_ACCESSES = INT64_C(1) << 40; // beyond, counts stand still

typedef struct {
    int64_t size, stride;   // in bits
    const int64_t *offsets; // in elements, instead of the stride; NULL: none
} BankLoop;

typedef struct {
    int64_t element_bits, base_bit;
    int64_t access_bits;
    int64_t round_bits, row_bits, banks;
    int64_t step_bits; // divides all that addresses are made of: places in a round count by it
    int64_t places;
    BankLoop levels[MOST_LEVELS]; // the innermost first
    int64_t count;
} Shape;

// Accesses one after the other, seen from one bank.
typedef struct {
    int64_t all;                 // how many
    int64_t first, last, within; // that touch it: from the first on, up to the last, at most
} Streak;

static int64_t sum_of(int64_t a, int64_t b)
{
    return min_i64(a + b, MOST_ACCESSES);
}

static Streak streak_join(const Streak *a, const Streak *b)
{
    return (Streak){
        .all = sum_of(a->all, b->all),
        .first = a->first == a->all ? sum_of(a->all, b->first) : a->first,
        .last = b->last == b->all ? sum_of(b->all, a->last) : b->last,
        .within = max_i64(max_i64(a->within, b->within), sum_of(a->last, b->first)),
    };
}

static Streak streak_repeat(const Streak *one, int64_t times)
{
    Streak doubled = *one, result = {0};
    for (; times > 0; times >>= 1) {
        if (times & 1)
            result = streak_join(&result, &doubled);
        doubled = streak_join(&doubled, &doubled);
    }
    return result;
}

// ---- loops

static void add_level(Shape *shape, int64_t size, int64_t stride, const int64_t *offsets)
{
    if (size > 1 && shape->count < MOST_LEVELS)
        shape->levels[shape->count++] = (BankLoop){size, stride, offsets};
}

// As far as it matters: more accesses than that nobody looks at.
static int64_t times(int64_t count, int64_t size)
{
    return min_i64(saturating_mul(count, max_i64(size, 1)), MOST_ACCESSES);
}

// Bits that so many elements are, as far as they matter: modulo one round.
static int64_t bits_of(const Shape *shape, int64_t elements)
{
    return elements % shape->round_bits * shape->element_bits % shape->round_bits;
}

// What lies together is accessed piece by piece; then come the loops around it.
static void find_levels(Shape *shape, const HwNest *nest, int64_t elements)
{
    int64_t i = nest->loops.count - 1, run = 1, inside;
    for (; i >= 0; i--) {
        const HwLoop *loop = &nest->loops.items[i];
        if (loop->size > 1 && (loop->offsets.count || loop->stride != run))
            break;
        run = times(run, loop->size);
    }
    run = max_i64(1, min_i64(run, elements));
    add_level(shape, ceil_div(run * shape->element_bits, shape->access_bits), shape->access_bits,
              NULL);
    for (inside = run; i >= 0; i--) {
        const HwLoop *loop = &nest->loops.items[i];
        int64_t size = min_i64(loop->size, max_i64(1, ceil_div(elements, inside)));
        add_level(shape, size, bits_of(shape, loop->stride),
                  loop->offsets.count ? loop->offsets.items : NULL);
        inside = times(inside, loop->size);
    }
}

static int64_t magnitude(int64_t value)
{
    return value < 0 ? -value : value;
}

static int64_t find_step(const Shape *shape)
{
    int64_t step = shape->round_bits;
    for (int64_t i = 0; i < shape->count; i++) {
        const BankLoop *level = &shape->levels[i];
        if (!level->offsets)
            step = gcd_i64(step, magnitude(level->stride));
        for (int64_t k = 0; level->offsets && k < level->size; k++)
            step = gcd_i64(step, magnitude(bits_of(shape, level->offsets[k])));
    }
    return step;
}

// ---- one bank

static bool touches(const Shape *shape, int64_t place, int64_t bank)
{
    int64_t from = place * shape->step_bits + shape->base_bit % shape->step_bits;
    int64_t first = from / shape->row_bits;
    int64_t last = (from + shape->access_bits - 1) / shape->row_bits;
    int64_t distance = (bank - first % shape->banks + shape->banks) % shape->banks;
    return first + distance <= last;
}

static int64_t place_of(const Shape *shape, int64_t bits)
{
    int64_t place = bits / shape->step_bits % shape->places;
    return place < 0 ? place + shape->places : place;
}

static Streak streak_of_loop(const Shape *shape, const BankLoop *level, const Streak *inside,
                             int64_t place)
{
    Streak row = {0};
    int64_t step = place_of(shape, level->stride);
    int64_t period = shape->places / gcd_i64(shape->places, step);
    if (level->offsets) {
        for (int64_t k = 0; k < level->size; k++) {
            int64_t at = place + place_of(shape, bits_of(shape, level->offsets[k]));
            row = streak_join(&row, &inside[at % shape->places]);
        }
        return row;
    }
    if (period == 1)
        return streak_repeat(&inside[place], level->size);
    Streak rest = {0};
    for (int64_t k = 0, at = place; k < min_i64(period, level->size); k++) {
        if (k == level->size % period)
            rest = row;
        row = streak_join(&row, &inside[at]);
        at = (at + step) % shape->places;
    }
    if (level->size < period)
        return row;
    row = streak_repeat(&row, level->size / period);
    return streak_join(&row, &rest);
}

static int64_t streak_of_bank(const Shape *shape, int64_t bank)
{
    Streak rows[2][MOST_PLACES];
    for (int64_t place = 0; place < shape->places; place++) {
        int64_t hit = touches(shape, place, bank);
        rows[0][place] = (Streak){1, hit, hit, hit};
    }
    for (int64_t i = 0; i < shape->count; i++)
        for (int64_t place = 0; place < shape->places; place++)
            rows[(i + 1) % 2][place] = streak_of_loop(shape, &shape->levels[i], rows[i % 2], place);
    return rows[shape->count % 2][place_of(shape, shape->base_bit)].within;
}

int64_t bank_streak(const Machine *machine, const HwNest *nest, int64_t elements)
{
    Shape shape = {
        .element_bits = nest->element_bits,
        .access_bits = min_i64(max_i64(nest->access_bytes, 1), MOST_ACCESSES) * BYTE_BITS,
        .round_bits = machine->dm_banks_per_slice * machine->dm_row_bytes * BYTE_BITS,
        .row_bits = machine->dm_row_bytes * BYTE_BITS,
        .banks = machine->dm_banks_per_slice,
    };
    shape.base_bit = nest->base % shape.round_bits * BYTE_BITS % shape.round_bits;
    shape.base_bit = (shape.base_bit + shape.round_bits) % shape.round_bits;
    find_levels(&shape, nest, elements);
    shape.step_bits = find_step(&shape);
    shape.places = shape.round_bits / shape.step_bits;
    if (shape.places > MOST_PLACES || nest->loops.count >= MOST_LEVELS)
        return BANK_STREAK_UNKNOWN;
    int64_t longest = 0;
    for (int64_t bank = 0; bank < shape.banks; bank++)
        longest = max_i64(longest, streak_of_bank(&shape, bank));
    return longest;
}
