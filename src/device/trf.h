// The Tensor Register File of a slice: registers.def says where each byte lies. Bytes of a row that
// are in one bank row stand one behind the other. Each half byte of payload has a mark beside it:
// whether it was written, and the bit that an i5, or the upper half of an i9, has besides. Most
// stores are of plain bytes and many: a block of them that are all alike needs no marks.
#ifndef CONTRA_DEVICE_TRF_H
#define CONTRA_DEVICE_TRF_H

#include "command/command.h"

typedef struct {
    uint8_t *bytes;  // payload
    uint8_t *marks;  // of each byte: TRF_.. of both halves
    uint8_t *blocks; // of TRF_BLOCK bytes each: TRF_NONE, or what their marks are
    int64_t count;
    int64_t rows_per_bank;
    bool is_used; // something was written since the launch began
} Trf;

enum {
    TRF_SLOTS_PER_BYTE = 2,
    TRF_LOW_WRITTEN = 1,
    TRF_HIGH_WRITTEN = 2,
    TRF_WRITTEN = TRF_LOW_WRITTEN | TRF_HIGH_WRITTEN,
    TRF_LOW_EXTRA = 4,
    TRF_HIGH_EXTRA = 8,
};

enum { TRF_BLOCK = 256, TRF_NONE = 0, TRF_ALL, TRF_MARKED };

// Memory that bytes and marks take up, for `count` bytes.
int64_t trf_space(int64_t count);
Trf trf_new(uint8_t *space, int64_t count, int64_t rows_per_bank);

// Where byte `byte` of a row is, and how many bytes are there from it on. -1: the row does not have
// it.
int64_t trf_find(const Trf *trf, const HwTrfLayout *layout, int64_t row, int64_t byte,
                 int64_t *run);

// Elements from half byte `slot` of a row on. `live`: 1 for one with a value; bytes that the row
// does not have are none. NULL: is not asked for.
void trf_load(const Trf *trf, const HwTrfLayout *layout, Scalar type, int64_t row, int64_t slot,
              int64_t count, uint32_t *bits, uint8_t *live);
// `live`: bit 0 counts. NULL: all have a value.
void trf_store(Trf *trf, const HwTrfLayout *layout, Scalar type, int64_t row, int64_t slot,
               int64_t count, const uint32_t *bits, const uint8_t *live);

// Whether all of `count` bytes from place `at` on were written.
bool trf_has_all(const Trf *trf, int64_t at, int64_t count);

int64_t trf_written_bytes(const Trf *trf); // of which at least one half was written

// Nothing in it has a value any more.
void trf_forget(Trf *trf);

#endif
