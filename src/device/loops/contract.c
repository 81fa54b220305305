#include "device/loops/contract.h"

#include "scalar/bits.h"

#include <string.h>

#if defined __AVX2__
#include <immintrin.h>
#endif

// GCC keeps what is of 32 bytes in one register, or in two where they are of 16.
typedef float Floats __attribute__((vector_size(32)));
typedef int32_t Integers __attribute__((vector_size(32)));
typedef uint32_t Words __attribute__((vector_size(32)));
typedef Floats FloatsInMemory __attribute__((aligned(4), may_alias));
typedef Words WordsInMemory __attribute__((aligned(4), may_alias));
typedef uint16_t HalfInMemory __attribute__((aligned(1), may_alias));
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "halves of a cell are in memory's order");
#pragma GCC diagnostic ignored "-Wpsabi" // of functions that are all inlined

// All of a tree is one piece of code, so that sums stay in registers. Checked access by access that
// would take minutes to compile.
#if defined __has_feature
#define IS_CHECKED __has_feature(address_sanitizer)
#elif defined __SANITIZE_ADDRESS__
#define IS_CHECKED 1
#else
#define IS_CHECKED 0
#endif
#if IS_CHECKED
#define INLINE static __attribute__((noinline, unused))
#else
#define INLINE static inline __attribute__((always_inline))
#endif

// ---- what the instruction sets have

// Has it computed here, and not where it is used: so few values wait at a time that all of them are
// in registers.
#if defined __AVX__
INLINE void settle(Floats *value)
{
    __asm__ volatile("" : "+x"(*value));
}
#else
INLINE void settle(Floats *value)
{
    (void)value;
}
#endif

// a * b + c, rounded once.
#if defined __FMA__
enum { HAS_FUSED = true };
INLINE Floats fused(Floats a, Floats b, Floats c)
{
    return (Floats)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
}
#else
enum { HAS_FUSED = false };
INLINE Floats fused(Floats a, Floats b, Floats c)
{
    return a * b + c;
}
#endif

// In each word the products of both halves, added.
#if defined __AVX2__
INLINE Integers multiply_halves(Integers a, Integers b)
{
    return (Integers)_mm256_madd_epi16((__m256i)a, (__m256i)b);
}
#else
INLINE Integers multiply_halves(Integers a, Integers b)
{
    Integers low = ((Integers)((Words)a << 16) >> 16) * ((Integers)((Words)b << 16) >> 16);
    return (Integers)((Words)low + (Words)((a >> 16) * (b >> 16)));
}
#endif

INLINE Floats floats_at(const uint32_t *cells, int64_t cell)
{
    return *(const FloatsInMemory *)(cells + cell * CONTRACT_WIDTH);
}

INLINE Floats float_at(const uint32_t *cells, int64_t cell)
{
    float value = float_of_bits(cells[cell]);
    return (Floats){value, value, value, value, value, value, value, value};
}

INLINE Integers integer_at(const uint32_t *cells, int64_t cell)
{
    int32_t value = (int32_t)cells[cell];
    return (Integers){value, value, value, value, value, value, value, value};
}

// ---- floats

// One step: where its cells are. `vectors` and `singles` are known when it is compiled: together
// CONTRACT_MOST_SINGLES sums at most, those of a vector one behind the other.
typedef struct {
    const uint32_t *v[CONTRACT_VECTORS];
    const uint32_t *b[CONTRACT_MOST_SINGLES];
    int vectors, singles;
    bool is_exact; // products: rounding them changes nothing
} Step;

// Sums of the 2^depth cells from `cell` on, neighbours pairwise, level by level. All are inlined
// into each other, so that what is not added yet stays in registers.
INLINE void tree_0(const Step *step, int64_t cell, Floats *sums)
{
    for (int k = 0; k < step->vectors; k++) {
        Floats v = floats_at(step->v[k], cell);
        for (int i = 0; i < step->singles; i++)
            sums[k * step->singles + i] = float_at(step->b[i], cell) * v;
    }
}

// Of two vectors both cells wait in registers for all singles: loads are what bounds it.
INLINE void tree_1(const Step *step, int64_t cell, Floats *sums)
{
    Floats b0[CONTRACT_MOST_SINGLES], b1[CONTRACT_MOST_SINGLES];
    for (int i = 0; i < step->singles; i++) {
        b0[i] = float_at(step->b[i], cell);
        b1[i] = float_at(step->b[i], cell + 1);
        if (step->vectors > 1) {
            settle(&b0[i]);
            settle(&b1[i]);
        }
    }
    for (int k = 0; k < step->vectors; k++) {
        Floats v0 = floats_at(step->v[k], cell), v1 = floats_at(step->v[k], cell + 1);
        if (step->vectors > 1) {
            settle(&v0);
            settle(&v1);
        }
        for (int i = 0; i < step->singles; i++) {
            Floats *sum = &sums[k * step->singles + i];
            *sum = step->is_exact ? fused(b1[i], v1, b0[i] * v0) : b0[i] * v0 + b1[i] * v1;
            settle(sum);
        }
    }
}

#define TREE(depth, below)                                                 \
    INLINE void tree_##depth(const Step *step, int64_t cell, Floats *sums) \
    {                                                                      \
        Floats right[CONTRACT_MOST_SINGLES];                               \
        tree_##below(step, cell, sums);                                    \
        tree_##below(step, cell + (INT64_C(1) << (below)), right);         \
        for (int i = 0; i < step->vectors * step->singles; i++) {          \
            sums[i] += right[i];                                           \
            settle(&sums[i]);                                              \
        }                                                                  \
    }
TREE(2, 1)
TREE(3, 2)
TREE(4, 3)
TREE(5, 4)

enum { INLINED_DEPTH = 5, INLINED_CELLS = 1 << INLINED_DEPTH };

// A tree of more levels: of the sums of trees below it, one is left waiting on each level at most.
INLINE void tree_deep(const Step *step, int64_t cells, Floats *sums)
{
    Floats waiting[CONTRACT_DEPTHS - INLINED_DEPTH][CONTRACT_MOST_SINGLES];
    int64_t number = 0;
    do {
        int level = 0;
        tree_5(step, number * INLINED_CELLS, sums);
        for (; number >> level & 1; level++)
            for (int i = 0; i < step->vectors * step->singles; i++)
                sums[i] = waiting[level][i] + sums[i];
        for (int i = 0; i < step->vectors * step->singles; i++)
            waiting[level][i] = sums[i];
    } while (++number < cells / INLINED_CELLS);
}

#define FLOATS_LOOP(name, most, each, tree, size, exact)                             \
    static void name(const ContractBlock *block)                                     \
    {                                                                                \
        Floats sums[(most) * (each)];                                                \
        for (int i = 0; i < (most) * (each); i++)                                    \
            sums[i] = floats_at(block->sums[i], 0);                                  \
        for (int64_t t = 0; t < block->steps; t++) {                                 \
            Step step = {.vectors = (most), .singles = (each), .is_exact = (exact)}; \
            Floats more[(most) * (each)];                                            \
            for (int k = 0; k < (most); k++)                                         \
                step.v[k] = block->v[k] + block->v_at[t] * CONTRACT_WIDTH;           \
            for (int i = 0; i < (each); i++)                                         \
                step.b[i] = block->b[i] + block->b_at[t];                            \
            tree(&step, size, more);                                                 \
            for (int i = 0; i < (most) * (each); i++)                                \
                sums[i] += more[i];                                                  \
        }                                                                            \
        for (int i = 0; i < (most) * (each); i++)                                    \
            *(FloatsInMemory *)block->sums[i] = sums[i];                             \
    }
#define FLOATS_LOOPS(name, tree, size, exact)      \
    FLOATS_LOOP(name##_1, 1, 1, tree, size, exact) \
    FLOATS_LOOP(name##_2, 1, 2, tree, size, exact) \
    FLOATS_LOOP(name##_4, 1, 4, tree, size, exact) \
    FLOATS_LOOP(name##_twice, 2, 2, tree, size, exact)
#define FLOATS_ALL(name, exact)              \
    FLOATS_LOOPS(name##_1, tree_1, 0, exact) \
    FLOATS_LOOPS(name##_2, tree_2, 0, exact) \
    FLOATS_LOOPS(name##_3, tree_3, 0, exact) \
    FLOATS_LOOPS(name##_4, tree_4, 0, exact) \
    FLOATS_LOOPS(name##_5, tree_5, 0, exact) \
    FLOATS_LOOPS(name##_deep, tree_deep, block->cells, exact)
FLOATS_LOOPS(floats_0, tree_0, 0, false)
FLOATS_ALL(floats, false)
FLOATS_ALL(exact, true)

// ---- integers

// Sums wrap: any order gives the same.
#define INTEGERS_LOOP(count)                                                                       \
    static void integers_##count(const ContractBlock *block)                                       \
    {                                                                                              \
        Words sums[count];                                                                         \
        for (int i = 0; i < (count); i++)                                                          \
            sums[i] = *(const WordsInMemory *)block->sums[i];                                      \
        for (int64_t t = 0; t < block->steps; t++) {                                               \
            const uint32_t *v = block->v[0] + block->v_at[t] * CONTRACT_WIDTH;                     \
            for (int64_t k = 0; k < block->cells; k++) {                                           \
                Integers cell = (Integers) * (const WordsInMemory *)(v + k * CONTRACT_WIDTH);      \
                for (int i = 0; i < (count); i++)                                                  \
                    sums[i] +=                                                                     \
                        (Words)multiply_halves(integer_at(block->b[i] + block->b_at[t], k), cell); \
            }                                                                                      \
        }                                                                                          \
        for (int i = 0; i < (count); i++)                                                          \
            *(WordsInMemory *)block->sums[i] = sums[i];                                            \
    }
INTEGERS_LOOP(1)
INTEGERS_LOOP(2)
INTEGERS_LOOP(4)

// ---- factors

static void shift(const uint32_t *values, int64_t count, uint32_t *cells)
{
#pragma GCC ivdep
    for (int64_t i = 0; i < count; i++)
        cells[i] = values[i] << 16;
}

static void look_up(const uint32_t *table, const uint32_t *values, int64_t count, uint32_t *cells)
{
    for (int64_t i = 0; i < count; i++)
        cells[i] = table[values[i] & 0xff];
}

static void halve(const uint32_t *values, int64_t count, uint32_t *cells)
{
#pragma GCC ivdep
    for (int64_t i = 0; i < count; i++)
        cells[i] = values[i] & 0xffff;
}

// What is written lies behind what is still to be read, in place, too.
static void pair(const uint32_t *values, int64_t count, uint32_t *cells)
{
    enum { BLOCK = 256 };
    uint16_t halves[BLOCK];
    for (int64_t from = 0; from < count; from += BLOCK) {
        int64_t some = count - from < BLOCK ? count - from : BLOCK;
        for (int64_t i = 0; i < some; i++)
            halves[i] = (uint16_t)values[from + i];
        for (int64_t i = some; i % 2; i++)
            halves[i] = 0;
        memcpy(cells + from / 2, halves, (size_t)(some + some % 2) * sizeof *halves);
    }
}

static void shift_bytes(const uint8_t *bytes, int64_t count, uint32_t *cells)
{
    const HalfInMemory *halves = (const HalfInMemory *)bytes;
    for (int64_t i = 0; i < count; i++)
        cells[i] = (uint32_t)halves[i] << 16;
}

static void look_up_bytes(const uint32_t *table, const uint8_t *bytes, int64_t count,
                          uint32_t *cells)
{
    for (int64_t i = 0; i < count; i++)
        cells[i] = table[bytes[i]];
}

static void pair_bytes(const uint8_t *bytes, int64_t count, uint32_t *cells)
{
    for (int64_t i = 0; i < count / 2; i++) {
        uint32_t low = (uint32_t)(int8_t)bytes[2 * i], high = (uint32_t)(int8_t)bytes[2 * i + 1];
        cells[i] = (low & 0xffff) | high << 16;
    }
    if (count % 2)
        cells[count / 2] = (uint32_t)(int8_t)bytes[count - 1] & 0xffff;
}

// Nibbles are signed: the sign moves up from bit 3.
static void pair_nibbles(const uint8_t *bytes, int64_t count, uint32_t *cells)
{
    for (int64_t i = 0; i < count / 2; i++) {
        uint32_t low = ((bytes[i] & 15U) ^ 8U) - 8U, high = ((bytes[i] >> 4U) ^ 8U) - 8U;
        cells[i] = (low & 0xffff) | high << 16;
    }
    if (count % 2)
        cells[count / 2] = (((bytes[count / 2] & 15U) ^ 8U) - 8U) & 0xffff;
}

static bool all_have(const uint8_t *bytes, int64_t count, uint8_t bits)
{
    enum { BLOCK = 4096 };
    uint8_t all = bits;
    for (int64_t from = 0; from < count && all == bits; from += BLOCK) {
        int64_t end = count - from < BLOCK ? count : from + BLOCK;
        for (int64_t i = from; i < end; i++)
            all &= bytes[i];
    }
    return all == bits;
}

// ---- eight side by side

#define SHUFFLE(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)

// Eight by eight cells: three rounds, in each of which half of the cells change rows.
INLINE void interleave_eight(const uint32_t *const rows[CONTRACT_WIDTH], int64_t at,
                             uint32_t *cells)
{
    Words a[CONTRACT_WIDTH], b[CONTRACT_WIDTH];
    for (int i = 0; i < CONTRACT_WIDTH; i++)
        a[i] = *(const WordsInMemory *)(rows[i] + at);
    for (int i = 0; i < CONTRACT_WIDTH; i += 2) {
        b[i] = SHUFFLE(a[i], a[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
        b[i + 1] = SHUFFLE(a[i], a[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
    }
    for (int i = 0; i < CONTRACT_WIDTH; i += 4)
        for (int k = 0; k < 2; k++) {
            a[i + 2 * k] = SHUFFLE(b[i + k], b[i + 2 + k], 0, 1, 8, 9, 4, 5, 12, 13);
            a[i + 2 * k + 1] = SHUFFLE(b[i + k], b[i + 2 + k], 2, 3, 10, 11, 6, 7, 14, 15);
        }
    for (int i = 0; i < 4; i++) {
        b[i] = SHUFFLE(a[i], a[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        b[i + 4] = SHUFFLE(a[i], a[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
    for (int i = 0; i < CONTRACT_WIDTH; i++)
        *(WordsInMemory *)(cells + i * CONTRACT_WIDTH) = b[i];
}

static void interleave(const uint32_t *const rows[CONTRACT_WIDTH], int64_t count, uint32_t *cells)
{
    int64_t at = 0;
    for (; at + CONTRACT_WIDTH <= count; at += CONTRACT_WIDTH)
        interleave_eight(rows, at, cells + at * CONTRACT_WIDTH);
    for (; at < count; at++)
        for (int64_t i = 0; i < CONTRACT_WIDTH; i++)
            cells[at * CONTRACT_WIDTH + i] = rows[i][at];
}

static void find_range(const uint32_t *cells, int64_t count, ContractRange *range)
{
    uint32_t least = range->least, most = range->most;
    for (int64_t i = 0; i < count; i++) {
        uint32_t size = cells[i] << 1; // without the sign
        least = size - 1 < least ? size - 1 : least;
        most = size > most ? size : most;
    }
    *range = (ContractRange){least, most};
}

static void clean(uint32_t *sums, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        sums[i] = sums[i] << 1 > UINT32_C(0xff000000) ? F32_NAN : sums[i];
}

// ---- the table

#define ROW(name, depth)                                                                   \
    {                                                                                      \
        name##_##depth##_1, name##_##depth##_2, name##_##depth##_4, name##_##depth##_twice \
    }
#define ROWS(name)                                                                            \
    {                                                                                         \
        ROW(floats, 0), ROW(name, 1), ROW(name, 2), ROW(name, 3), ROW(name, 4), ROW(name, 5), \
            ROW(name, deep), ROW(name, deep), ROW(name, deep)                                 \
    }

const ContractLoops LOOPS(contract_loops) = {
    .floats = {ROWS(floats), ROWS(exact)},
    .has_fused = HAS_FUSED,
    .integers = {integers_1, integers_2, integers_4, NULL},
    .shift = shift,
    .look_up = look_up,
    .halve = halve,
    .pair = pair,
    .shift_bytes = shift_bytes,
    .look_up_bytes = look_up_bytes,
    .pair_bytes = pair_bytes,
    .pair_nibbles = pair_nibbles,
    .interleave = interleave,
    .all_have = all_have,
    .find_range = find_range,
    .clean = clean,
};
