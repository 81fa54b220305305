#include "run/residence.h"

#include "base/checked.h"

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

static bool send(Residence *residence, const Tensor *tensor, const HwArgument *place, Array *array)
{
    Values values = values_of(&residence->scratch, tensor, array);
    bool ok = (values.is_array ||
               array_read_positions(array, &values.mapping, values.bits, values.live)) &&
              device_put(residence->device, place, values.bits, values.live);
    if (ok && !memchr(array->live, 0, (size_t)array->count)) // what has no value is padding
        device_pad(residence->device, place, values.live);
    arena_clear(&residence->scratch);
    return ok;
}

bool residence_send(Residence *residence, const Tensor *tensor, const HwArgument *place)
{
    Array *array = residence->executor->array(residence->executor->host, tensor);
    return array && send(residence, tensor, place, array);
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

// ---- positions

// An array of the tensor in which only elements of the view have a value.
static bool mark_view(Arena *arena, const View *view, Array *whole, const Mapping *all)
{
    ArrayView to = array_part(arena, view, whole, all);
    ArrayView from = {.array = array_new(whole->type, &to.mapping), .mapping = to.mapping};
    if (!from.array)
        return false;
    memset(from.array->live, 1, (size_t)from.array->count);
    bool ok = array_move_part(&from, &to);
    array_free(from.array);
    return ok;
}

uint8_t *view_positions(Arena *arena, const View *view)
{
    Mapping all = shape_of(arena, view->tensor->dims);
    Array *whole = array_new(view->tensor->type, &all);
    uint32_t *bits = arena_new(arena, uint32_t, (size_t)all.size + 1);
    uint8_t *marks = arena_new(arena, uint8_t, (size_t)all.size + 1);
    bool ok = whole && mark_view(arena, view, whole, &all) &&
              array_read_positions(whole, &all, bits, marks);
    array_free(whole);
    if (scalar_traits[view->tensor->type].packet_bits < 8) // a byte is written as a whole
        for (int64_t i = 0; i + 1 < all.size; i += 2)
            marks[i] = marks[i + 1] = marks[i] | marks[i + 1];
    return ok ? marks : NULL;
}

// The next positions from `from` on, of one chip, that are marked; their count: 0, there are none.
static int64_t next_run(const HwArgument *place, const uint8_t *marks, int64_t *from)
{
    int64_t all = device_positions(place);
    const uint8_t *first = *from < all ? memchr(marks + *from, 1, (size_t)(all - *from)) : NULL;
    if (!first)
        return 0;
    *from = first - marks;
    int64_t most = device_part(place, *from, all - *from);
    const uint8_t *end = memchr(first, 0, (size_t)most);
    return end ? end - first : most;
}

StretchList place_stretches(Arena *arena, const Machine *machine, const HwArgument *place,
                            const uint8_t *positions)
{
    StretchList list = {0};
    int64_t bits = place->element_bits;
    for (int64_t chip = 0; chip < place->chips && !positions; chip++) {
        int64_t low = chip * machine->hbm_bytes_per_chip + place->address;
        stretches_add(arena, &list, (Stretch){low, low + place->bytes});
    }
    for (int64_t from = 0, run; positions && (run = next_run(place, positions, &from)) > 0;
         from += run) {
        int64_t base = from / place->elements * machine->hbm_bytes_per_chip + place->address;
        int64_t first = from % place->elements;
        stretches_add(arena, &list,
                      (Stretch){base + first * bits / 8, base + ceil_div((first + run) * bits, 8)});
    }
    return list;
}

// ---- who lies there

void residence_init(Residence *residence, Contra *contra, Executor *executor)
{
    Arena *arena = &contra->arena;
    residence->contra = contra;
    residence->executor = executor;
    residence->by_tensor.arena = residence->by_op.arena = residence->nodes.arena = arena;
    residence->written.nodes = residence->owners.nodes = &residence->nodes;
    *array_push(arena, &residence->residents, Resident *) = NULL; // numbers are from 1 on
}

void residence_free(Residence *residence)
{
    device_free(residence->device);
    arena_release(&residence->scratch);
}

Resident *residence_find(const Residence *residence, const Tensor *tensor)
{
    return map_get(&residence->by_tensor, tensor);
}

static Resident *new_resident(Residence *residence)
{
    Arena *arena = &residence->contra->arena;
    if (residence->spare.count)
        return residence->spare.items[--residence->spare.count];
    Resident *resident = arena_new(arena, Resident, 1);
    resident->number = residence->residents.count;
    *array_push(arena, &residence->residents, Resident *) = resident;
    return resident;
}

// Chips up to the last one that is no padding: nobody sends anything to the others.
static int64_t chips_with_data(Arena *scratch, const Tensor *tensor, int64_t chips)
{
    const Dim *dim = tensor->dims[LEVEL_CHIP];
    while (dim && chips > 1 && !mapping_cell(scratch, &dim->mapping, chips - 1).count)
        chips--;
    arena_clear(scratch);
    return chips;
}

Resident *residence_add(Residence *residence, const Tensor *tensor, const HwArgument *place)
{
    Resident *resident = new_resident(residence);
    int64_t end, size = residence->contra->machine.hbm_bytes_per_chip;
    *resident = (Resident){.number = resident->number,
                           .tensor = tensor,
                           .place = *place,
                           .lost.nodes = &residence->nodes};
    resident->place.chips = chips_with_data(&residence->scratch, tensor, place->chips);
    resident->place.storage = -1; // a number of the kernel that the place was made for
    resident->is_outside = place->address < 0 || place->is_placed ||
                           !checked_add(place->address, place->bytes, &end) || end > size;
    map_put(&residence->by_tensor, tensor, resident);
    return resident;
}

Resident *residence_have(Residence *residence, const Tensor *tensor, const HwArgument *place)
{
    Resident *resident = residence_find(residence, tensor);
    return resident ? resident : residence_add(residence, tensor, place);
}

void residence_rename(Residence *residence, Resident *resident, const Tensor *tensor)
{
    map_remove(&residence->by_tensor, resident->tensor);
    map_put(&residence->by_tensor, tensor, resident);
    resident->tensor = tensor;
    resident->oracle = NULL;
    resident->seen = 0;
}

void residence_forget(Residence *residence, const Tensor *tensor)
{
    Resident *resident = residence_find(residence, tensor);
    if (!resident)
        return;
    owners_leave(residence, resident);
    intervals_clear_all(&resident->lost);
    map_remove(&residence->by_tensor, tensor);
    *array_push(&residence->contra->arena, &residence->spare, Resident *) = resident;
}

// ---- moving values

static Array *array_of(const Residence *residence, const Resident *resident)
{
    return resident->oracle
               ? oracle_array(resident->oracle, resident->tensor)
               : residence->executor->array(residence->executor->host, resident->tensor);
}

void residence_note(Residence *residence, int64_t low, int64_t high)
{
    intervals_set(&residence->written, (Interval){low, high, ++residence->writes});
}

static void find_newest(void *context, const Interval *part)
{
    int64_t *newest = context;
    *newest = max_i64(*newest, part->value);
}

bool residence_fetch(Residence *residence, Resident *resident)
{
    const HwArgument *place = &resident->place;
    int64_t newest = 0;
    if (resident->is_outside)
        return true;
    intervals_each(&residence->written, place->address, place->address + place->bytes, find_newest,
                   &newest);
    if (newest <= resident->seen)
        return true;
    bool ok = residence_get(residence, resident->tensor, place, array_of(residence, resident));
    resident->seen = ok ? newest : resident->seen;
    return ok;
}

// As many positions from the first on as have a value, or have none, like it. Half bytes that share
// a byte stay together.
static int64_t alike(const HwArgument *place, const uint8_t *live, int64_t count)
{
    int64_t share = max_i64(1, 8 / place->element_bits), at = share;
    bool is_live = memchr(live, 1, (size_t)min_i64(share, count));
    while (at < count && is_live == !!memchr(live + at, 1, (size_t)min_i64(share, count - at)))
        at += share;
    return min_i64(at, count);
}

static bool put_positions(Residence *residence, const Resident *resident, Array *array,
                          const uint8_t *positions)
{
    const HwArgument *place = &resident->place;
    Values values = values_of(&residence->scratch, resident->tensor, array);
    bool ok =
        values.is_array || array_read_positions(array, &values.mapping, values.bits, values.live);
    for (int64_t from = 0, run; ok && (run = next_run(place, positions, &from)) > 0; from += run) {
        run = alike(place, values.live + from, run); // nobody wrote what has no value
        ok = device_put_part(residence->device, place, from, run, values.bits + from,
                             values.live + from);
    }
    arena_clear(&residence->scratch);
    return ok;
}

bool residence_put(Residence *residence, Resident *resident, const uint8_t *positions)
{
    const HwArgument *place = &resident->place;
    Array *array = array_of(residence, resident);
    bool ok = array && (positions ? put_positions(residence, resident, array, positions)
                                  : send(residence, resident->tensor, place, array));
    if (!ok)
        return false;
    residence_note(residence, place->address, place->address + place->bytes);
    resident->seen = residence->writes;
    return true;
}
