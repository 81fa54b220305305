// Programs become commands, with a record of where each of their tensors lies.
#include "api/object.h"

#include "engine/lower/lower.h"

static bool is_open(const Tensor *tensor)
{
    return tensor->tier != TIER_HOST && tensor->tier != TIER_TRF && !tensor->address.known;
}

static bool has_axis(const HwTensor *tensor, const char *name)
{
    for (int64_t i = 0; i < tensor->axes.count; i++)
        if (str_equal(tensor->axes.items[i].name, str_from(name)))
            return true;
    return false;
}

// The axes of all its dimensions.
static void add_axes(Arena *arena, const Tensor *tensor, HwTensor *out)
{
    AtomList axes = {0};
    for (Level level = 0; level < LEVEL_COUNT; level++)
        if (tensor->dims[level])
            expr_axes(arena, tensor->dims[level]->expr, &axes);
    for (int64_t i = 0; i < axes.count; i++)
        if (!has_axis(out, axes.items[i]->name))
            *array_push(arena, &out->axes, HwAxis) =
                (HwAxis){str_from(axes.items[i]->name), axes.items[i]->size};
}

static void place_tensors(Arena *arena, const Program *program, const Lowered *lowered)
{
    for (int64_t i = 0; i < lowered->object.tensors.count; i++) {
        HwTensor *tensor = &lowered->object.tensors.items[i];
        const HwArgument *place = &lowered->places[tensor->number];
        const Tensor *from = program->tensors.items[tensor->number];
        tensor->mapping = tensor_mapping_text(arena, from);
        add_axes(arena, from, tensor);
        tensor->address = place->address;
        tensor->bytes = place->bytes;
        tensor->chips = place->chips;
        tensor->clusters = place->clusters;
        tensor->slices = place->slices;
    }
}

static bool lower_placed(const Lower *lower, Program *program, Contra *contra, Lowered *lowered)
{
    if (!lower_place(lower, program) || !lower_program(lower, &contra->sources, &lowered->object))
        return false;
    for (int64_t i = 0; i < program->tensors.count; i++) {
        const Tensor *tensor = program->tensors.items[i];
        bool is_placed = lowered->places[tensor->id].is_placed;
        lowered->places[tensor->id] = tensor_place(lower->arena, lower->machine, tensor);
        lowered->places[tensor->id].is_placed = is_placed;
    }
    place_tensors(lower->arena, program, lowered);
    return true;
}

bool program_lower(Contra *contra, Program *program, Arena *scratch, DiagList *diags,
                   Lowered *lowered)
{
    Arena *arena = &contra->arena;
    Lower lower = {arena, scratch, diags, &contra->machine, program};
    *lowered =
        (Lowered){.object = {.kernel = str_from(program->name),
                             .machine = str_from(contra->machine.name),
                             .machine_hash = object_machine_hash(arena, &contra->machine),
                             .version = str_from(contra_version()),
                             .chips = program->chips.known ? program->chips.value : 1},
                  .places = arena_new(arena, HwArgument, (size_t)program->tensors.count + 1)};
    for (int64_t i = 0; i < program->tensors.count; i++)
        lowered->places[program->tensors.items[i]->id].is_placed =
            is_open(program->tensors.items[i]);
    bool ok = lower_placed(&lower, program, contra, lowered);
    arena_clear(scratch);
    for (int64_t i = 0; i < program->tensors.count; i++)
        if (lowered->places[program->tensors.items[i]->id].is_placed)
            program->tensors.items[i]->address = (MaybeInt){0};
    return ok;
}
