// Objects as values: what they come to, for programs.
#include "api/sized.h"

#include "base/checked.h"
#include "run/object.h"

#include <stdlib.h>

static const Tier memories[] = {TIER_HBM, TIER_DM, TIER_TRF, TIER_VRF};

ContraStatus contra_object_summary(Contra *contra, const ContraObject *given,
                                   ContraObjectSummary *summary)
{
    sized_empty(SIZED_ContraObjectSummary, summary);
    CONTRA_ENTER(contra);
    CONTRA_NEEDS(contra, given, "`object`");
    CONTRA_OWNS(contra, given, "an object");
    if (!sized_fits(contra, SIZED_ContraObjectSummary, summary))
        return CONTRA_INVALID;
    const HwObject *object = &given->object;
    ContraObjectSummary made = {
        .kernel = text_of(object->kernel),
        .machine = text_of(object->machine),
        .version = text_of(object->version),
        .chips = object->chips,
        .operation_count = object->operations.count,
        .tensor_count = object->tensors.count,
        .memory_count = COUNT_OF(memories),
    };
    for (int64_t i = 0; i < object->operations.count; i++) {
        const HwOperation *operation = &object->operations.items[i];
        for (int64_t k = 0; k < operation->commands.count; k++) {
            const HwCommand *command = &operation->commands.items[k];
            made.pass_count += command->pass != NULL;
            made.dma_count += command->dma != NULL;
            made.write_count += command->immediate != NULL;
            made.descriptor_count += command->dma ? command->dma->descriptors.count : 0;
        }
    }
    sized_give(SIZED_ContraObjectSummary, &made, summary);
    return CONTRA_OK;
}

static ContraMemoryUse place_of_memory(const Machine *machine, Tier tier)
{
    const int64_t bytes[TIER_COUNT] = {[TIER_HBM] = machine->hbm_bytes_per_chip,
                                       [TIER_DM] = machine->dm_bytes_per_slice,
                                       [TIER_TRF] = machine->trf_bytes_per_slice,
                                       [TIER_VRF] = machine->vrf_bytes_per_slice};
    bool is_of_chip = tier == TIER_HBM;
    return (ContraMemoryUse){.memory = tiers[tier].name,
                             .bytes = bytes[tier],
                             .clusters = is_of_chip ? 1 : machine->clusters_per_chip,
                             .slices = is_of_chip ? 1 : machine->slices_per_cluster};
}

static int compare_addresses(const void *a, const void *b)
{
    int64_t x = (*(const HwTensor *const *)a)->address, y = (*(const HwTensor *const *)b)->address;
    return (x > y) - (x < y);
}

// A file may say anything.
static bool has_place(const HwTensor *tensor)
{
    return tensor->address >= 0 && tensor->bytes >= 0 &&
           tensor->bytes <= INT64_MAX - tensor->address;
}

// In the order of their addresses, each byte counts where it comes first.
static void count_bytes(Arena *scratch, const HwObject *object, Tier tier, ContraMemoryUse *made)
{
    const HwTensor **there =
        arena_new(scratch, const HwTensor *, (size_t)object->tensors.count + 1);
    for (int64_t i = 0; i < object->tensors.count; i++)
        if (object->tensors.items[i].tier == tier && has_place(&object->tensors.items[i]))
            there[made->tensor_count++] = &object->tensors.items[i];
    qsort(there, (size_t)made->tensor_count, sizeof *there, compare_addresses);
    for (int64_t i = 0; i < made->tensor_count; i++) {
        int64_t end = there[i]->address + there[i]->bytes;
        made->used += max_i64(0, end - max_i64(there[i]->address, made->end));
        made->end = max_i64(made->end, end);
    }
}

ContraStatus contra_object_memory(Contra *contra, const ContraObject *object, int64_t index,
                                  ContraMemoryUse *memory)
{
    sized_empty(SIZED_ContraMemoryUse, memory);
    CONTRA_ENTER(contra);
    CONTRA_NEEDS(contra, object, "`object`");
    CONTRA_OWNS(contra, object, "an object");
    CONTRA_NEEDS(contra, IS_INDEX(index, COUNT_OF(memories)), "the number of a memory");
    if (!sized_fits(contra, SIZED_ContraMemoryUse, memory))
        return CONTRA_INVALID;
    ContraMemoryUse made = place_of_memory(&contra->machine, memories[index]);
    ArenaMark mark = arena_mark(&contra->scratch); // there may be results in it
    count_bytes(&contra->scratch, &object->object, memories[index], &made);
    arena_reset(&contra->scratch, mark);
    sized_give(SIZED_ContraMemoryUse, &made, memory);
    return CONTRA_OK;
}
