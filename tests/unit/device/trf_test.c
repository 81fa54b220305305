// The Tensor Register File against a model of single slots, as registers.def numbers them.
#include "device/trf.h"

#include "machine/machine.h"
#include "sample.h"
#include "shrink.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CASES = 2000, MOST_ELEMENTS = 200, SLOT_BITS = 4, EXTRA = 16, WRITTEN = 32 };

static int64_t slot_place(const HwTrfLayout *layout, int64_t row, int64_t slot)
{
    int64_t byte = slot / 2, word = byte / layout->bank_row_bytes;
    int64_t column = word % layout->bank_columns, number = word / layout->bank_columns;
    if (number / layout->rows_in_bank >= layout->bank_rows_per_row)
        return -1;
    int64_t bank_row = row * layout->bank_rows_per_row + number / layout->rows_in_bank;
    int64_t in_bank = layout->first_row + number % layout->rows_in_bank;
    return ((bank_row * layout->bank_columns + column) * machine_rngd.trf_rows_per_bank + in_bank) *
               layout->slots_per_bank_row +
           slot % layout->slots_per_bank_row;
}

static HwTrfLayout choose_layout(Rng *rng)
{
    const Machine *machine = &machine_rngd;
    int64_t rows = INT64_C(1) << rng_below(rng, 4), halves = 1 + rng_below(rng, 2);
    int64_t in_half = machine->trf_rows_per_bank / halves;
    return (HwTrfLayout){.rows = rows,
                         .bank_rows_per_row = machine->trf_bank_rows / rows,
                         .bank_columns = machine->trf_bank_columns,
                         .bank_row_bytes = machine->trf_row_bytes,
                         .first_row = rng_below(rng, halves) * in_half,
                         .rows_in_bank = in_half,
                         .slots_per_bank_row = machine->trf_slots_per_row};
}

// Elements of a type somewhere in a row: near the end of a bank as often as not.
typedef struct {
    HwTrfLayout layout;
    Scalar type;
    int64_t row, slot, count, slots;
    uint32_t bits[MOST_ELEMENTS];
    uint8_t live[MOST_ELEMENTS];
} Part;

static void choose_part(Rng *rng, Part *part)
{
    static const Scalar types[] = {SCALAR_I4,     SCALAR_I5,   SCALAR_I8, SCALAR_I9,
                                   SCALAR_F8E4M3, SCALAR_BF16, SCALAR_F32};
    part->layout = choose_layout(rng);
    part->type = types[rng_below(rng, sizeof types / sizeof *types)];
    part->slots = scalar_traits[part->type].packet_bits / SLOT_BITS;
    part->row = rng_below(rng, part->layout.rows);
    part->count = 1 + rng_below(rng, MOST_ELEMENTS);
    int64_t bank = part->layout.rows_in_bank * part->layout.bank_columns * 64;
    int64_t near = rng_chance(rng, 50) ? 0 : bank - MOST_ELEMENTS;
    part->slot = (near + rng_below(rng, MOST_ELEMENTS)) / part->slots * part->slots;
    bool whole = rng_chance(rng, 50);
    for (int64_t i = 0; i < part->count; i++) {
        part->bits[i] = scalar_wrap(part->type, (uint32_t)rng_next(rng));
        part->live[i] = whole || rng_chance(rng, 80) ? 1 : 2;
    }
}

static void store_slots(uint8_t *slots, const Part *part)
{
    const ScalarTraits *traits = &scalar_traits[part->type];
    for (int64_t i = 0; i < part->count * part->slots; i++) {
        int64_t at = slot_place(&part->layout, part->row, part->slot + i);
        uint32_t bits = part->bits[i / part->slots];
        bool extra = traits->bits > traits->packet_bits && i % part->slots == part->slots - 1 &&
                     bits >> traits->packet_bits & 1;
        if (at >= 0)
            slots[at] = (uint8_t)((bits >> i % part->slots * SLOT_BITS & 15) | (extra ? EXTRA : 0) |
                                  (part->live[i / part->slots] & 1 ? WRITTEN : 0));
    }
}

static void check_slots(const uint8_t *slots, const Part *part, const uint32_t *bits,
                        const uint8_t *live)
{
    const ScalarTraits *traits = &scalar_traits[part->type];
    for (int64_t i = 0; i < part->count; i++) {
        uint32_t value = 0, held = 0, written = WRITTEN;
        for (int64_t k = 0; k < part->slots; k++) {
            int64_t at = slot_place(&part->layout, part->row, part->slot + i * part->slots + k);
            held = at < 0 ? 0 : slots[at];
            value |= (held & 15) << k * SLOT_BITS;
            written &= held;
        }
        if (traits->bits > traits->packet_bits && held & EXTRA)
            value |= UINT32_C(1) << traits->packet_bits;
        assert_int_equal(bits[i], scalar_wrap(part->type, value));
        assert_int_equal(live[i], written != 0);
    }
}

static void check_forgotten(const Trf *trf, Rng *rng)
{
    uint32_t bits[MOST_ELEMENTS];
    uint8_t live[MOST_ELEMENTS];
    Part part;
    choose_part(rng, &part);
    trf_load(trf, &part.layout, part.type, part.row, part.slot, part.count, bits, live);
    for (int64_t i = 0; i < part.count; i++)
        assert_false(live[i]);
}

static void bytes_are_where_the_layout_says(void **state)
{
    (void)state;
    const Machine *machine = &machine_rngd;
    Rng rng = {test_seed()};
    int64_t count = machine->trf_bank_rows * machine->trf_bank_columns *
                    machine->trf_rows_per_bank * machine->trf_row_bytes;
    uint8_t *space = calloc((size_t)trf_space(count), 1), *slots = calloc((size_t)count, 2);
    assert_true(space && slots);
    Trf trf = trf_new(space, count, machine->trf_rows_per_bank);
    for (int64_t i = 0; i < (int64_t)(CASES * test_scale()) + 1; i++) {
        uint32_t bits[MOST_ELEMENTS];
        uint8_t live[MOST_ELEMENTS];
        Part part;
        choose_part(&rng, &part);
        store_slots(slots, &part);
        trf_store(&trf, &part.layout, part.type, part.row, part.slot, part.count, part.bits,
                  part.live);
        choose_part(&rng, &part);
        trf_load(&trf, &part.layout, part.type, part.row, part.slot, part.count, bits, live);
        check_slots(slots, &part, bits, live);
    }
    trf_forget(&trf);
    for (int64_t i = 0; i < (int64_t)(CASES * test_scale()) + 1; i++)
        check_forgotten(&trf, &rng);
    free(space);
    free(slots);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bytes_are_where_the_layout_says)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
