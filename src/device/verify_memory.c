// Relations of what goes to and from memories: descriptors, arguments, values that are written.
#include "device/verify_internal.h"

#include "base/checked.h"
#include "device/slices.h"

enum { BYTE_BITS = 8, INDEX_BYTES = 4, WRITE_BYTES = 4 };

// ---- places

static bool place_holds(Verify *verify, const char *field, const HwPlace *place)
{
    const VerifyPath path = {verify->path, field, -1};
    bool ok = true;
    verify->path = &path;
    if (place->media == MEDIA_SPM)
        ok = verify_wrong(verify, "media", "is SPM, which no descriptor reaches");
    if (ok && place->media == MEDIA_HOST)
        ok = verify_range(verify, "tensor", place->tensor, 0, VERIFY_MOST);
    else if (ok)
        ok = verify_range(verify, "chip", place->chip, 0, verify->chips - 1);
    if (ok && place->media == MEDIA_DM)
        ok = verify_range(verify, "cluster", place->cluster, 0,
                          verify->machine->clusters_per_chip - 1);
    verify->path = path.up;
    return ok;
}

// A walk over the addresses of one side of a descriptor, in bytes. In DM slices and what is inside
// them are told apart: a stride is the nearest number of slices, and a rest.
typedef struct {
    Interval slices, bytes;
    int64_t slice_stride; // 0: the memory has no slices
    int64_t unit;         // of an address, in bits
} Reach;

static void reach_add(Reach *reach, int64_t last, int64_t stride)
{
    int64_t whole = reach->slice_stride, slices = whole ? nearest_slices(stride, whole) : 0;
    interval_add(&reach->slices, last, slices);
    interval_add(&reach->bytes, last, stride - slices * whole);
}

static Reach reach_from(const Verify *verify, const HwPlace *place, int64_t base, int64_t unit)
{
    Reach reach = {.unit = unit};
    if (place->media == MEDIA_DM)
        reach.slice_stride = verify->machine->dm_virtual_slice_stride_bytes * BYTE_BITS / unit;
    int64_t slice = reach.slice_stride ? base / reach.slice_stride : 0;
    reach.slices = (Interval){slice, slice};
    base -= slice * reach.slice_stride;
    reach.bytes = (Interval){base, base};
    return reach;
}

static bool reach_holds(Verify *verify, const char *field, const HwPlace *place, const Reach *reach,
                        int64_t count)
{
    const Machine *machine = verify->machine;
    bool is_dm = place->media == MEDIA_DM;
    int64_t size = is_dm ? machine->dm_bytes_per_slice : machine->hbm_bytes_per_chip;
    if (is_dm && (reach->slices.least < 0 || reach->slices.most >= machine->slices_per_cluster))
        return verify_wrong(verify, field, "leads to slices %lld to %lld",
                            (long long)reach->slices.least, (long long)reach->slices.most);
    if (reach->bytes.least < 0 ||
        verify_times(reach->bytes.most + count, reach->unit) > verify_times(size, BYTE_BITS))
        return verify_wrong(verify, field, "leads to addresses %lld to %lld, out of the memory",
                            (long long)reach->bytes.least, (long long)reach->bytes.most);
    return true;
}

// ---- descriptors

static bool indirect_holds(Verify *verify, const HwDescriptor *descriptor)
{
    const HwDmaIndirect *indirect = descriptor->indirect;
    Reach reach = reach_from(verify, &indirect->index, indirect->base, BYTE_BITS);
    for (int64_t i = 0; i < descriptor->loops.count; i++)
        reach_add(&reach, descriptor->loops.items[i].limit - 1,
                  descriptor->loops.items[i].index_stride);
    return place_holds(verify, "indirect.index", &indirect->index) &&
           reach_holds(verify, "indirect.base", &indirect->index, &reach, INDEX_BYTES);
}

static bool side_holds(Verify *verify, const HwDescriptor *descriptor, bool is_source)
{
    const HwPlace *place = is_source ? &descriptor->source : &descriptor->dest;
    const HwDmaIndirect *indirect = descriptor->indirect;
    Reach reach =
        reach_from(verify, place, is_source ? descriptor->source_base : descriptor->dest_base,
                   descriptor->unit_bits);
    for (int64_t i = 0; i < descriptor->loops.count; i++) {
        const HwDmaLoopEntry *loop = &descriptor->loops.items[i];
        reach_add(&reach, loop->limit - 1, is_source ? loop->source_stride : loop->dest_stride);
    }
    if (indirect && indirect->is_source == is_source && indirect->limit)
        reach_add(&reach, indirect->limit - 1, indirect->scale);
    return place_holds(verify, is_source ? "source" : "dest", place) &&
           reach_holds(verify, is_source ? "source_base" : "dest_base", place, &reach,
                       descriptor->packet_bytes);
}

bool verify_descriptor(Verify *verify, const void *record)
{
    const HwDescriptor *descriptor = record;
    int64_t steps = descriptor->packet_bytes;
    if (descriptor->unit_bits != BYTE_BITS && descriptor->unit_bits != BYTE_BITS / 2)
        return verify_wrong(verify, "unit_bits", "is %lld: 4 or 8",
                            (long long)descriptor->unit_bits);
    for (int64_t i = 0; i < descriptor->loops.count; i++)
        steps = verify_times(steps, descriptor->loops.items[i].limit);
    return verify_range(verify, "padding_bits", descriptor->padding_bits, 0,
                        verify_times(descriptor->packet_bytes, descriptor->unit_bits) - 1) &&
           verify_range(verify, "chip", descriptor->chip, 0, verify->chips - 1) &&
           verify_range(verify, "cluster", descriptor->cluster, -1,
                        verify->machine->clusters_per_chip - 1) &&
           verify_range(verify, "engine", descriptor->engine, -1,
                        verify->machine->dma_engines_per_cluster - 1) &&
           side_holds(verify, descriptor, true) && side_holds(verify, descriptor, false) &&
           (!descriptor->indirect || indirect_holds(verify, descriptor)) &&
           verify_spend(verify, steps);
}

bool verify_immediate(Verify *verify, const void *record)
{
    const HwImmediateWrite *write = record;
    return verify_range(verify, "address", write->address, 0,
                        verify->machine->dm_bytes_per_slice - WRITE_BYTES);
}

// ---- arguments

static bool forms_hold(Verify *verify, const HwArgument *argument, int64_t positions)
{
    int64_t padded = 0;
    for (int64_t i = 0; i < argument->forms.count; i++) {
        const HwArrayForm *form = &argument->forms.items[i];
        int64_t size = 1;
        for (int64_t k = 0; k < form->axes.count; k++)
            size = verify_times(size, form->axes.items[k].size);
        padded += form->padded;
        if (size != (form->padded ? positions : argument->live) || padded > 1 || i - padded > 1)
            return verify_wrong(verify, "forms", "are not shapes of its elements");
    }
    return true;
}

// Loops come in ascending order: each steps over all that is inside it.
static bool data_holds(Verify *verify, const HwArgument *argument, int64_t positions)
{
    int64_t reach = 0, end = 0;
    for (int64_t i = argument->loops.count - 1; i >= 0; i--) {
        const HwDataLoop *loop = &argument->loops.items[i];
        if (loop->bound < -1 || loop->bound >= argument->bounds.count)
            return verify_wrong(verify, "loops", "count towards bound %lld of %lld",
                                (long long)loop->bound, (long long)argument->bounds.count);
        if (loop->size > 1 && loop->stride <= reach)
            return verify_wrong(verify, "loops", "are not in ascending order");
        reach = min_i64(reach + verify_times(loop->size - 1, loop->stride), VERIFY_MOST);
        if (verify_times(loop->size, max_i64(loop->weight, -loop->weight)) >= VERIFY_MOST)
            return verify_wrong(verify, "loops", "have a weight that is too large");
    }
    if (!argument->runs.count && reach >= positions)
        return verify_wrong(verify, "loops", "lead beyond its positions");
    if (argument->runs.count % 2)
        return verify_wrong(verify, "runs", "is no list of pairs");
    for (int64_t i = 0; i < argument->runs.count; i += 2) {
        int64_t first = argument->runs.items[i], length = argument->runs.items[i + 1];
        if (first < end || length < 0 || length > positions || first > positions - length)
            return verify_wrong(verify, "runs", "lead beyond its positions, or back");
        end = first + length;
    }
    return true;
}

static bool memory_holds(Verify *verify, const HwArgument *argument)
{
    const Machine *machine = verify->machine;
    bool in_slices = argument->tier != TIER_HOST && argument->tier != TIER_HBM;
    int64_t bits = scalar_traits[argument->type].storage_bits;
    int64_t size = argument->tier == TIER_DM    ? machine->dm_bytes_per_slice
                   : argument->tier == TIER_VRF ? machine->vrf_bytes_per_slice
                                                : machine->hbm_bytes_per_chip;
    if (in_slices &&
        (!verify_range(verify, "clusters", argument->clusters, 1, machine->clusters_per_chip) ||
         !verify_range(verify, "slices", argument->slices, 1, machine->slices_per_cluster)))
        return false;
    if (argument->tier == TIER_TRF) {
        if (!argument->trf)
            return verify_wrong(verify, "trf", "is missing");
        bits = scalar_traits[argument->type].packet_bits;
        size = verify_row_bytes(argument->trf);
        if (!verify_range(verify, "rows", argument->rows, 1, argument->trf->rows))
            return false;
    }
    bool has_address = argument->tier != TIER_HOST && argument->tier != TIER_TRF;
    int64_t address = has_address ? argument->address : 0;
    int64_t held = ceil_div(verify_times(argument->elements, bits), BYTE_BITS);
    return verify_equal(verify, "element_bits", argument->element_bits, bits) &&
           verify_range(verify, "address", address, 0, max_i64(0, size - held)) &&
           verify_range(verify, "elements", held, 1, size);
}

bool verify_argument(Verify *verify, const void *record)
{
    const HwArgument *argument = record;
    int64_t positions = argument->elements;
    positions = verify_times(positions, argument->rows);
    positions = verify_times(positions, argument->slices);
    positions = verify_times(positions, argument->clusters);
    positions = verify_times(positions, argument->chips);
    if (positions > verify->limits->elements)
        return verify_wrong(verify, "elements", "are too many: %lld positions",
                            (long long)positions);
    return memory_holds(verify, argument) && data_holds(verify, argument, positions) &&
           forms_hold(verify, argument, positions) && verify_spend(verify, positions);
}
