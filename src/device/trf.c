#include "device/trf.h"

#include "base/checked.h"

#include <string.h>

enum { SLOT_BITS = 4, SLOT_MASK = 15, SLOT_BYTE = 8, MOST_BYTES = 1024 };

int64_t trf_space(int64_t count)
{
    return 2 * count + ceil_div(count, TRF_BLOCK);
}

Trf trf_new(uint8_t *space, int64_t count, int64_t rows_per_bank)
{
    return (Trf){.bytes = space,
                 .marks = space + count,
                 .blocks = space + 2 * count,
                 .count = count,
                 .rows_per_bank = rows_per_bank};
}

// ---- marks

// The marks of a part inside one block, as they are.
static void marks_out(const Trf *trf, int64_t at, int64_t count, uint8_t *marks)
{
    uint8_t state = trf->blocks[at / TRF_BLOCK];
    if (state == TRF_MARKED)
        memcpy(marks, trf->marks + at, (size_t)count);
    else
        memset(marks, state == TRF_ALL ? TRF_WRITTEN : 0, (size_t)count);
}

// From here on the marks of a block count.
static void spell_out(Trf *trf, int64_t block)
{
    int64_t at = block * TRF_BLOCK, count = min_i64(TRF_BLOCK, trf->count - at);
    marks_out(trf, at, count, trf->marks + at);
    trf->blocks[block] = TRF_MARKED;
}

// How many bytes from `at` on are in one block.
static int64_t in_block(int64_t at, int64_t count)
{
    return min_i64(count, TRF_BLOCK - at % TRF_BLOCK);
}

static void marks_in(Trf *trf, int64_t at, int64_t count, const uint8_t *marks)
{
    if (trf->blocks[at / TRF_BLOCK] != TRF_MARKED)
        spell_out(trf, at / TRF_BLOCK);
    memcpy(trf->marks + at, marks, (size_t)count);
}

void trf_mark(Trf *trf, int64_t at, int64_t count)
{
    trf->is_used = true;
    for (int64_t some; count; at += some, count -= some) {
        uint8_t *state = &trf->blocks[at / TRF_BLOCK];
        some = in_block(at, count);
        if (some == TRF_BLOCK || *state == TRF_ALL) {
            *state = TRF_ALL;
            continue;
        }
        if (*state != TRF_MARKED)
            spell_out(trf, at / TRF_BLOCK);
        memset(trf->marks + at, TRF_WRITTEN, (size_t)some);
    }
}

bool trf_has_all(const Trf *trf, int64_t at, int64_t count)
{
    for (int64_t some; count; at += some, count -= some) {
        uint8_t state = trf->blocks[at / TRF_BLOCK];
        some = in_block(at, count);
        if (state == TRF_NONE)
            return false;
        for (int64_t i = 0; state == TRF_MARKED && i < some; i++)
            if ((trf->marks[at + i] & TRF_WRITTEN) != TRF_WRITTEN)
                return false;
    }
    return true;
}

int64_t trf_written_bytes(const Trf *trf)
{
    uint8_t marks[TRF_BLOCK];
    int64_t written = 0;
    for (int64_t at = 0; trf->is_used && at < trf->count; at += TRF_BLOCK) {
        int64_t count = min_i64(TRF_BLOCK, trf->count - at);
        marks_out(trf, at, count, marks);
        for (int64_t i = 0; i < count; i++)
            written += (marks[i] & TRF_WRITTEN) != 0;
    }
    return written;
}

// ---- places

int64_t trf_find(const Trf *trf, const HwTrfLayout *layout, int64_t row, int64_t byte, int64_t *run)
{
    int64_t word = layout->bank_columns * layout->bank_row_bytes;
    int64_t part = layout->rows_in_bank * word;
    if (byte < 0 || byte / part >= layout->bank_rows_per_row)
        return -1;
    int64_t bank_row = row * layout->bank_rows_per_row + byte / part;
    int64_t at = (bank_row * trf->rows_per_bank + layout->first_row) * word + byte % part;
    *run = min_i64(part - byte % part, trf->count - at);
    return *run > 0 ? at : -1;
}

static int32_t slots_of(Scalar type)
{
    return scalar_traits[type].packet_bits / SLOT_BITS;
}

static bool has_extra_bit(Scalar type)
{
    return scalar_traits[type].bits > scalar_traits[type].packet_bits;
}

// ---- elements and bytes

// Payload and marks of a part of a row.
typedef struct {
    uint8_t bytes[MOST_BYTES], marks[MOST_BYTES];
} Part;

// Of the extra bit in the mark of a half byte, or of the last one of an element.
static uint32_t extra_mark(Scalar type, uint32_t bits, uint32_t mark)
{
    return has_extra_bit(type) && bits >> scalar_traits[type].packet_bits & 1 ? mark : 0;
}

static void put_half(Scalar type, Part *part, int64_t slot, uint32_t bits, bool live)
{
    int64_t at = slot / TRF_SLOTS_PER_BYTE, high = slot % TRF_SLOTS_PER_BYTE;
    uint32_t mark = (live ? TRF_LOW_WRITTEN : 0) | extra_mark(type, bits, TRF_LOW_EXTRA);
    uint32_t marks = TRF_LOW_WRITTEN | TRF_LOW_EXTRA;
    part->bytes[at] = (uint8_t)((part->bytes[at] & ~(SLOT_MASK << high * SLOT_BITS)) |
                                (bits & SLOT_MASK) << high * SLOT_BITS);
    part->marks[at] = (uint8_t)((part->marks[at] & ~(marks << high)) | mark << high);
}

static void put_element(Scalar type, Part *part, int64_t slot, uint32_t bits, bool live)
{
    int64_t at = slot / TRF_SLOTS_PER_BYTE, count = slots_of(type) / TRF_SLOTS_PER_BYTE;
    for (int64_t i = 0; i < count; i++) {
        part->bytes[at + i] = (uint8_t)(bits >> i * SLOT_BYTE);
        part->marks[at + i] = live ? TRF_WRITTEN : 0;
    }
    part->marks[at + count - 1] |= (uint8_t)extra_mark(type, bits, TRF_HIGH_EXTRA);
}

static uint32_t get_half(Scalar type, const Part *part, int64_t slot, bool *live)
{
    int64_t at = slot / TRF_SLOTS_PER_BYTE, high = slot % TRF_SLOTS_PER_BYTE;
    uint32_t mark = (uint32_t)part->marks[at] >> high;
    uint32_t extra = has_extra_bit(type) && mark & TRF_LOW_EXTRA ? 1 << SLOT_BITS : 0;
    *live = mark & TRF_LOW_WRITTEN;
    return ((uint32_t)part->bytes[at] >> high * SLOT_BITS & SLOT_MASK) | extra;
}

static uint32_t get_element(Scalar type, const Part *part, int64_t slot, bool *live)
{
    int64_t at = slot / TRF_SLOTS_PER_BYTE, count = slots_of(type) / TRF_SLOTS_PER_BYTE;
    uint32_t bits = 0, marks = UINT32_MAX;
    for (int64_t i = 0; i < count; i++) {
        bits |= (uint32_t)part->bytes[at + i] << i * SLOT_BYTE;
        marks &= part->marks[at + i] | ~(uint32_t)TRF_WRITTEN;
    }
    *live = (marks & TRF_WRITTEN) == TRF_WRITTEN;
    if (has_extra_bit(type) && part->marks[at + count - 1] & TRF_HIGH_EXTRA)
        bits |= UINT32_C(1) << scalar_traits[type].packet_bits;
    return bits;
}

static bool all_live(const uint8_t *live, int64_t count)
{
    uint32_t all = 1;
    for (int64_t i = 0; live && i < count; i++)
        all &= live[i];
    return all;
}

// ---- rows

static void copy_out(const Trf *trf, const HwTrfLayout *layout, int64_t row, int64_t byte,
                     int64_t count, Part *part)
{
    memset(part->bytes, 0, (size_t)count);
    memset(part->marks, 0, (size_t)count);
    for (int64_t done = 0, some; done < count; done += some) {
        int64_t run = 0, at = trf_find(trf, layout, row, byte + done, &run);
        some = at < 0 ? 1 : min_i64(run, count - done);
        if (at >= 0) {
            some = in_block(at, some);
            memcpy(part->bytes + done, trf->bytes + at, (size_t)some);
            marks_out(trf, at, some, part->marks + done);
        }
    }
}

static void copy_in(Trf *trf, const HwTrfLayout *layout, int64_t row, int64_t byte, int64_t count,
                    const Part *part)
{
    for (int64_t done = 0, some; done < count; done += some) {
        int64_t run = 0, at = trf_find(trf, layout, row, byte + done, &run);
        some = at < 0 ? 1 : min_i64(run, count - done);
        if (at >= 0) {
            some = in_block(at, some);
            memcpy(trf->bytes + at, part->bytes + done, (size_t)some);
            marks_in(trf, at, some, part->marks + done);
        }
    }
}

// Elements at a time, such that a part holds them wherever they begin.
static int64_t most_elements(Scalar type)
{
    return (MOST_BYTES - 1) * TRF_SLOTS_PER_BYTE / slots_of(type);
}

void trf_load(const Trf *trf, const HwTrfLayout *layout, Scalar type, int64_t row, int64_t slot,
              int64_t count, uint32_t *bits, uint8_t *live)
{
    Part part;
    int32_t slots = slots_of(type);
    for (int64_t done = 0, some; done < count; done += some, slot += some * slots) {
        int64_t first = slot / TRF_SLOTS_PER_BYTE, offset = slot % TRF_SLOTS_PER_BYTE;
        some = min_i64(count - done, most_elements(type));
        copy_out(trf, layout, row, first, ceil_div(offset + some * slots, TRF_SLOTS_PER_BYTE),
                 &part);
        for (int64_t i = 0; i < some; i++) {
            bool has_value = false;
            uint32_t value = slots == 1 ? get_half(type, &part, offset + i, &has_value)
                                        : get_element(type, &part, i * slots, &has_value);
            bits[done + i] = scalar_wrap(type, value);
            if (live)
                live[done + i] = has_value;
        }
    }
}

uint8_t *trf_take(Trf *trf, const HwTrfLayout *layout, Scalar type, int64_t row, int64_t slot,
                  int64_t count)
{
    int32_t slots = slots_of(type);
    int64_t run = 0, bytes = count * slots / TRF_SLOTS_PER_BYTE;
    if (has_extra_bit(type) || slots < TRF_SLOTS_PER_BYTE)
        return NULL;
    int64_t at = trf_find(trf, layout, row, slot / TRF_SLOTS_PER_BYTE, &run);
    if (at < 0 || run < bytes)
        return NULL;
    trf_mark(trf, at, bytes);
    return trf->bytes + at;
}

void trf_store(Trf *trf, const HwTrfLayout *layout, Scalar type, int64_t row, int64_t slot,
               int64_t count, const uint32_t *bits, const uint8_t *live)
{
    Part part;
    int32_t slots = slots_of(type);
    trf->is_used = true;
    uint8_t *plain = all_live(live, count) ? trf_take(trf, layout, type, row, slot, count) : NULL;
    if (plain) {
        scalar_pack(type, bits, count, plain, 0);
        return;
    }
    for (int64_t done = 0, some; done < count; done += some, slot += some * slots) {
        int64_t first = slot / TRF_SLOTS_PER_BYTE, offset = slot % TRF_SLOTS_PER_BYTE;
        some = min_i64(count - done, most_elements(type));
        int64_t bytes = ceil_div(offset + some * slots, TRF_SLOTS_PER_BYTE);
        if (slots == 1)
            copy_out(trf, layout, row, first, bytes, &part); // the halves that stay
        for (int64_t i = 0; i < some; i++) {
            bool has_value = !live || live[done + i] & 1;
            if (slots == 1)
                put_half(type, &part, offset + i, bits[done + i], has_value);
            else
                put_element(type, &part, i * slots, bits[done + i], has_value);
        }
        copy_in(trf, layout, row, first, bytes, &part);
    }
}

void trf_forget(Trf *trf)
{
    if (trf->is_used) // bytes and marks of such blocks are of no account
        memset(trf->blocks, TRF_NONE, (size_t)ceil_div(trf->count, TRF_BLOCK));
    trf->is_used = false;
}
