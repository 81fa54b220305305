#include "api/residence.h"

#include "base/checked.h"
#include "engine/tensor.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// ---- values to arrays and back

// Positions and elements are in the same order: no padding, and axes as the array has them.
static bool is_in_order(Arena *arena, const Array *array, const Mapping *mapping)
{
    Mapping normal = mapping_normalise(arena, mapping);
    int64_t axis = array->axes.count - 1;
    if (array->count != mapping->size)
        return false;
    for (int64_t i = 0; i < normal.count; i++) {
        const Factor *factor = &normal.factors[i];
        while (axis >= 0 && array->extents[axis] == 1)
            axis--;
        if (factor->is_padding || axis < 0)
            return false;
        const Term *term = &array->axes.items[axis];
        if (!atom_equal(term->atom, factor->term.atom) || term->stride != factor->term.stride ||
            array->extents[axis] != factor->resize)
            return false;
        axis--;
    }
    return true;
}

// One value a position, with memory of the scratch unless the array has them so.
typedef struct {
    Mapping mapping;
    uint32_t *bits;
    uint8_t *live;
    bool is_array; // these are the array's
} Values;

static Values values_of(Arena *scratch, const Tensor *tensor, Array *array)
{
    Values values = {.mapping = shape_of(scratch, tensor->dims)};
    values.is_array = is_in_order(scratch, array, &values.mapping);
    size_t count = (size_t)values.mapping.size + 1;
    values.bits = values.is_array ? array->bits : arena_new(scratch, uint32_t, count);
    values.live = values.is_array ? array->live : arena_new(scratch, uint8_t, count);
    return values;
}

static Array *array_of(const Residence *residence, const Tensor *tensor)
{
    return residence->executor->array(residence->executor->host, tensor);
}

bool residence_send(Residence *residence, const Tensor *tensor, const HwArgument *place)
{
    Array *array = array_of(residence, tensor);
    if (!array)
        return false;
    Values values = values_of(&residence->scratch, tensor, array);
    bool ok = (values.is_array ||
               array_read_positions(array, &values.mapping, values.bits, values.live)) &&
              device_put(residence->device, place, values.bits, values.live);
    if (ok && !memchr(array->live, 0, (size_t)array->count)) // what has no value is padding
        device_pad(residence->device, place, values.live);
    arena_clear(&residence->scratch);
    return ok;
}

bool residence_get(Residence *residence, const Tensor *tensor, const HwArgument *place,
                   Array *array)
{
    if (!array)
        return false;
    Values values = values_of(&residence->scratch, tensor, array);
    device_get(residence->device, place, values.bits, values.live);
    bool ok =
        values.is_array || array_write_positions(array, &values.mapping, values.bits, values.live);
    arena_clear(&residence->scratch);
    return ok;
}

// ---- who lies there

Resident *residence_find(const Residence *residence, const Tensor *tensor)
{
    for (int64_t i = 0; i < residence->count; i++)
        if (residence->items[i].tensor == tensor)
            return &residence->items[i];
    return NULL;
}

Resident *residence_add(Residence *residence, const Tensor *tensor, const HwArgument *place)
{
    Arena *arena = &residence->contra->arena;
    if (residence->count == residence->capacity) {
        int64_t capacity = residence->capacity * 2 + 16;
        Resident *more = realloc(residence->items, sizeof *more * (size_t)capacity);
        if (!more)
            arena_exhausted(arena);
        residence->items = more;
        residence->capacity = capacity;
    }
    Resident *resident = &residence->items[residence->count++];
    residence->nodes.arena = arena;
    *resident = (Resident){.tensor = tensor, .place = place, .lost.nodes = &residence->nodes};
    return resident;
}

void residence_forget(Residence *residence, const Tensor *tensor)
{
    Resident *resident = residence_find(residence, tensor);
    if (!resident)
        return;
    intervals_clear_all(&resident->lost);
    *resident = residence->items[--residence->count];
}

void residence_free(Residence *residence)
{
    device_free(residence->device);
    arena_release(&residence->scratch);
    free(residence->items);
}

// ---- moving values

bool residence_save(Residence *residence, Resident *resident)
{
    if (resident->is_newer && residence->device)
        resident->is_newer = !residence_get(residence, resident->tensor, resident->place,
                                            array_of(residence, resident->tensor));
    return !resident->is_newer;
}

bool residence_save_all(Residence *residence)
{
    bool ok = true;
    for (int64_t i = 0; i < residence->count; i++)
        ok &= residence_save(residence, &residence->items[i]);
    return ok;
}

bool residence_put(Residence *residence, Resident *resident)
{
    HwArgument place = *resident->place;
    place.storage = -1; // a number of the kernel that the place was made for
    if (!resident->is_here)
        resident->is_here = residence_send(residence, resident->tensor, &place);
    return resident->is_here;
}

// Arrays of tensors that share bytes have the same there, so that their order is all one; but those
// of a name alone may have nothing.
bool residence_put_all(Residence *residence)
{
    bool ok = true;
    for (int64_t i = 0; i < residence->count; i++) {
        Resident *resident = &residence->items[i];
        if (!resident->is_here || !resident->is_given)
            continue;
        resident->is_here = false;
        ok &= residence_put(residence, resident);
    }
    return ok;
}

static bool gives_way(const Resident *resident, const HwArgument *place)
{
    return resident->place->is_placed || place->is_placed;
}

bool residence_make_way(Residence *residence, const HwArgument *place, const Tensor *tensor)
{
    bool ok = true;
    for (int64_t i = 0; i < residence->count; i++) {
        Resident *resident = &residence->items[i];
        if (resident->tensor == tensor || !argument_meets(resident->place, place))
            continue;
        if (!gives_way(resident, place))
            ok &= residence_put(residence, resident);
        else if (resident->is_here)
            resident->is_here = !residence_save(residence, resident);
        ok &= resident->is_here != gives_way(resident, place);
    }
    return ok;
}

bool residence_is_taken(const Residence *residence, const HwArgument *place, const Tensor *tensor)
{
    for (int64_t i = 0; i < residence->count; i++) {
        const Resident *resident = &residence->items[i];
        if (resident->tensor != tensor && argument_meets(resident->place, place) &&
            !gives_way(resident, place))
            return true;
    }
    return false;
}

// ---- bytes that were written over

// The bytes of a resident that an access meets.
static bool common_bytes(const Resident *resident, const Access *access, Interval *common)
{
    const HwArgument *place = resident->place;
    common->low = max_i64(place->address, access->low);
    common->high = min_i64(place->address + place->bytes, access->high);
    return place->tier == TIER_HBM && access->tensor->tier == TIER_HBM && !place->is_placed &&
           common->low < common->high && access_meets(access, common->low, common->high);
}

void residence_note_write(Residence *residence, const Op *op, const Access *access,
                          const Program *kernel, const Tensor *tensor)
{
    bool is_noted = false;
    for (int64_t i = 0; i < residence->count; i++) {
        Resident *resident = &residence->items[i];
        Interval common = {.value = residence->overwrites.count - is_noted};
        if (!common_bytes(resident, access, &common))
            continue;
        if (resident->tensor == tensor) {
            intervals_clear(&resident->lost, common.low, common.high);
            continue;
        }
        if (!is_noted)
            *array_push(&residence->contra->arena, &residence->overwrites, Overwrite) =
                (Overwrite){op, access->tensor, kernel};
        is_noted = true;
        resident->is_newer = true;
        intervals_set(&resident->lost, common);
    }
}

// ---- reports

// "`to_hbm` of `more`"
static Str actor_text(Arena *arena, const Op *op, const Program *kernel)
{
    const char *method = op->method ? op->method : "a pass";
    return kernel ? str_format(arena, "`%s` of `%s`", method, kernel->name)
                  : str_format(arena, "`%s` of the host", method);
}

static Str range_text(Arena *arena, int64_t low, int64_t high)
{
    return str_format(arena, "0x%" PRIx64 "..0x%" PRIx64, (uint64_t)low, (uint64_t)high);
}

typedef struct {
    const Residence *residence;
    const Op *op;
    const Access *access;
    const Program *kernel;
    const Resident *resident;
    bool is_lost;
} Reader;

static void report_lost(void *context, const Interval *part)
{
    Reader *reader = context;
    const Residence *residence = reader->residence;
    Arena *arena = &residence->contra->arena;
    const Overwrite *overwrite = &residence->overwrites.items[part->value];
    const Tensor *tensor = reader->resident->tensor;
    const HwArgument *place = reader->resident->place;
    if (reader->is_lost || !access_meets(reader->access, part->low, part->high))
        return;
    reader->is_lost = true;
    Str name = tensor_text(arena, reader->access->tensor);
    Diag *diag = diag_add(&residence->contra->diags, DIAG_SANITIZE_OVERWRITTEN, overwrite->op->span,
                          "%.*s writes over bytes %.*s of %.*s (HBM %.*s), which %.*s still reads",
                          STR_ARG(actor_text(arena, overwrite->op, overwrite->kernel)),
                          STR_ARG(range_text(arena, part->low, part->high)), STR_ARG(name),
                          STR_ARG(range_text(arena, place->address, place->address + place->bytes)),
                          STR_ARG(actor_text(arena, reader->op, reader->kernel)));
    Span said = tensor->address_span;
    diag_note(diag, said.end > said.start ? said : tensor->span, "%.*s lies here", STR_ARG(name));
    diag_note(diag, reader->access->span, "it is read here");
    diag_help(diag, "put one of the two elsewhere, or read this one before it is written over");
}

bool residence_check_read(const Residence *residence, const Op *op, const Access *access,
                          const Program *kernel, const Resident *resident)
{
    Reader reader = {residence, op, access, kernel, resident, false};
    intervals_each(&resident->lost, access->low, access->high, report_lost, &reader);
    return !reader.is_lost;
}
