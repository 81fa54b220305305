// What a pass touches of the memories of a slice, memory by memory and way by way: as runs, worked
// out of its records.
#ifndef CONTRA_DEVICE_SANITIZE_SETS_H
#define CONTRA_DEVICE_SANITIZE_SETS_H

#include "device/sanitize.h"

// Each memory that a pass touches, in one way.
typedef enum {
    SET_FETCH,
    SET_VRF_READ,
    SET_TRF_READ,
    SET_TRF_PADDING, // that is multiplied by zeros and added to data; runs of half bytes of rows,
                     // one row behind the other
    SET_COMMIT,
    SET_VRF_STORE,
    SET_TRF_STORE,
    SETS
} SetKind;

enum { MARK_DATA = 1, MARK_PADDING = 2 };

// How much of what a unit touches is data; and whether two units touch the same, for certain.
bool set_alike(const Device *device, const HwPipeline *pass, SetKind kind, int64_t unit,
               int64_t other);
// The runs of a unit; `all`: of one without padding. False: no memory.
bool set_runs(const Device *device, const HwPipeline *pass, SetKind kind, int64_t unit, bool all,
              RunList *runs);

// ---- inside: painting

typedef struct {
    const Device *device;
    const HwPipeline *pass;
    Painter *painter;
    int64_t unit;
    uint8_t mark;
    // elements of a nest
    WalkNest nest;
    int64_t base_bit, element_bits;
    // positions of a stream: packets, each so many positions, of which the first are elements of
    // the nest
    int64_t packet, kept, bases;
    bool failed; // no memory
} Paint;

// TRF (sanitize_trf.c).
void paint_trf_store(Paint *paint, bool all);
void paint_trf_read(Paint *paint, bool all);
void paint_trf_padding(Paint *paint, bool all);

// ---- inside: TRF

int64_t trf_row_slots(const HwTrfLayout *layout); // half bytes of a row
DataTest reduce_data(const HwReduce *reduce);
int64_t reduce_span(const HwReduce *reduce); // products of a unit

// Looks at the values of SET_TRF_PADDING.
void trf_padding_check(Device *device, const HwPipeline *pass, const ShadowPlace *place,
                       const RunList *runs);

#endif
