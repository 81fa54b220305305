#include "device/trf.h"

#include <string.h>

enum { SLOT_BITS = 4, SLOT_MASK = 15, EXTRA_BIT = 16 };

// Where half byte `slot` of a row lies; -1: nowhere.
static int64_t slot_place(const Trf *trf, const HwTrfLayout *layout, int64_t row, int64_t slot)
{
    int64_t byte = slot / TRF_SLOTS_PER_BYTE, word = byte / layout->bank_row_bytes;
    int64_t column = word % layout->bank_columns, number = word / layout->bank_columns;
    if (slot < 0 || number / layout->rows_in_bank >= layout->bank_rows_per_row)
        return -1;
    int64_t bank_row = row * layout->bank_rows_per_row + number / layout->rows_in_bank;
    int64_t in_bank = layout->first_row + number % layout->rows_in_bank;
    int64_t slots = layout->slots_per_bank_row;
    int64_t place =
        ((bank_row * layout->bank_columns + column) * trf->rows_per_bank + in_bank) * slots +
        slot % (layout->bank_row_bytes * TRF_SLOTS_PER_BYTE) * slots /
            (layout->bank_row_bytes * TRF_SLOTS_PER_BYTE);
    return place < trf->count ? place : -1;
}

static int32_t slots_of(Scalar type)
{
    return scalar_traits[type].packet_bits / SLOT_BITS;
}

static bool has_extra_bit(Scalar type)
{
    return scalar_traits[type].bits > scalar_traits[type].packet_bits;
}

void trf_load(const Trf *trf, const HwTrfLayout *layout, Scalar type, int64_t row, int64_t slot,
              int64_t count, uint32_t *bits, uint8_t *live)
{
    int32_t slots = slots_of(type);
    for (int64_t i = 0; i < count; i++) {
        uint32_t value = 0, written = TRF_WRITTEN, held = 0;
        for (int32_t k = 0; k < slots; k++) {
            int64_t at = slot_place(trf, layout, row, slot + i * slots + k);
            held = at < 0 ? 0 : trf->slots[at];
            value |= (held & SLOT_MASK) << k * SLOT_BITS;
            written &= held;
        }
        if (has_extra_bit(type) && held & EXTRA_BIT)
            value |= UINT32_C(1) << scalar_traits[type].packet_bits;
        bits[i] = scalar_wrap(type, value);
        live[i] = written != 0;
    }
}

void trf_store(Trf *trf, const HwTrfLayout *layout, Scalar type, int64_t row, int64_t slot,
               int64_t count, const uint32_t *bits, const uint8_t *live)
{
    int32_t slots = slots_of(type);
    trf->is_used = true;
    for (int64_t i = 0; i < count; i++)
        for (int32_t k = 0; k < slots; k++) {
            int64_t at = slot_place(trf, layout, row, slot + i * slots + k);
            bool extra = has_extra_bit(type) && k == slots - 1 &&
                         bits[i] >> scalar_traits[type].packet_bits & 1;
            uint32_t held = (bits[i] >> k * SLOT_BITS & SLOT_MASK) | (extra ? EXTRA_BIT : 0) |
                            (live[i] & 1 ? TRF_WRITTEN : 0);
            if (at >= 0)
                trf->slots[at] = (uint8_t)held;
        }
}

void trf_forget(Trf *trf)
{
    if (trf->is_used)
        memset(trf->slots, 0, (size_t)trf->count);
    trf->is_used = false;
}
