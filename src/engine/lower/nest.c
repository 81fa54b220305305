#include "engine/lower/nest.h"

#include "engine/memory/tensor.h"

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
