// The Tensor Register File of a slice, slot by slot: registers.def says where each byte lies. A
// slot holds half a byte of payload and, in the last slot of an i5 or i9, the bit they have
// besides.
#ifndef CONTRA_DEVICE_TRF_H
#define CONTRA_DEVICE_TRF_H

#include "command/command.h"

typedef struct {
    uint8_t *slots; // low five bits: what it holds; TRF_WRITTEN
    int64_t count;
    int64_t rows_per_bank;
    bool is_used; // something was written since the launch began
} Trf;

enum { TRF_SLOTS_PER_BYTE = 2, TRF_WRITTEN = 0x80 };

// Elements from half byte `slot` of a row on. `live`: 1 for one with a value; bytes that the row
// does not have are none.
void trf_load(const Trf *trf, const HwTrfLayout *layout, Scalar type, int64_t row, int64_t slot,
              int64_t count, uint32_t *bits, uint8_t *live);
void trf_store(Trf *trf, const HwTrfLayout *layout, Scalar type, int64_t row, int64_t slot,
               int64_t count, const uint32_t *bits, const uint8_t *live);

// Nothing in it has a value any more.
void trf_forget(Trf *trf);

#endif
