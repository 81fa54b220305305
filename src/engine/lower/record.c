#include "engine/lower/record.h"

#include "base/checked.h"
#include "engine/memory/memory.h"

#include <string.h>

// ---- units

enum { WORD_BITS = 64 };

static int64_t size_of(const Dim *dim)
{
    return dim ? dim->mapping.size : 1;
}

Units units_of(const Dim *const dims[LEVEL_COUNT], const View *view)
{
    Units units = {.chips = size_of(dims[LEVEL_CHIP]),
                   .clusters = size_of(dims[LEVEL_CLUSTER]),
                   .slices = size_of(dims[LEVEL_SLICE])};
    if (view) {
        units.first_chip = view->offsets[LEVEL_CHIP].value;
        units.first_cluster = view->offsets[LEVEL_CLUSTER].value;
        units.first_slice = view->offsets[LEVEL_SLICE].value;
    }
    return units;
}

int64_t units_count(const Units *units)
{
    return units->chips * units->clusters * units->slices;
}

static bool rows_are_alike(const Units *units, const bool *marks)
{
    if (units->first_chip || units->first_cluster)
        return false;
    for (int64_t row = 1; row < units->chips * units->clusters; row++)
        if (memcmp(marks, marks + row * units->slices, (size_t)units->slices * sizeof *marks) != 0)
            return false;
    return true;
}

static bool any_marked(const bool *marks, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (marks[i])
            return true;
    return false;
}

static void push_row(Arena *arena, const Units *units, const bool *marks, HwClusterBits *row)
{
    int64_t words = ceil_div(units->slices, WORD_BITS);
    for (int64_t i = 0; i < words; i++)
        *array_push(arena, &row->slices, uint64_t) = 0;
    for (int64_t i = 0; i < units->slices; i++) {
        int64_t slice = (units->first_slice + i) % units->slices;
        if (marks[i])
            row->slices.items[slice / WORD_BITS] |= UINT64_C(1) << slice % WORD_BITS;
    }
}

void units_bitmaps(Arena *arena, const Units *units, const bool *marks, void *list)
{
    bool alike = rows_are_alike(units, marks);
    int64_t rows = alike ? 1 : units->chips * units->clusters;
    for (int64_t i = 0; i < rows; i++) {
        const bool *own = marks + i * units->slices;
        if (!any_marked(own, units->slices))
            continue;
        HwClusterBits *row = array_push(arena, list, HwClusterBits);
        row->chip = alike ? -1 : units->first_chip + i / units->clusters;
        row->cluster = alike ? -1 : units->first_cluster + i % units->clusters;
        push_row(arena, units, own, row);
    }
}

// ---- sequences and addresses

static int64_t bytes_of(Scalar type, int64_t elements)
{
    return elements * scalar_traits[type].packet_bits / 8;
}

HwNest nest_lower(const Lower *lower, const Sequence *sequence, Scalar type, int64_t start)
{
    HwNest nest = {.element_bits = scalar_traits[type].packet_bits,
                   .base = start + bytes_of(type, sequence->base_offset),
                   .access_bytes = sequence->access_bytes};
    for (int64_t i = 0; i < sequence->entries.count; i++) {
        const SequenceEntry *entry = &sequence->entries.items[i];
        HwLoop *loop = array_push(lower->arena, &nest.loops, HwLoop);
        *loop = (HwLoop){.size = entry->size,
                         .stride = entry->stride,
                         .packet = entry->is_packet,
                         .term = str_copy(lower->arena, entry->term)};
        for (int64_t k = 0; entry->offsets && k < entry->size; k++)
            *array_push(lower->arena, &loop->offsets, int64_t) = entry->offsets[k];
    }
    return nest;
}

bool address_lower(const Lower *lower, const Tensor *tensor, const View *view, Span span,
                   int64_t *address)
{
    bool known = tensor->address.known;
    for (Level level = 0; level < LEVEL_COUNT && view; level++)
        known &= view->offsets[level].known;
    if (!known) {
        diag_add(lower->diags, DIAG_UNDECIDED, span,
                 "where {} lies is known only when the kernel is called",
                 tensor_text(lower->scratch, tensor));
        return false;
    }
    int64_t offset = view ? view->offsets[LEVEL_ELEMENT].value : 0;
    *address = tensor->address.value + bytes_of(tensor->type, offset);
    return true;
}
