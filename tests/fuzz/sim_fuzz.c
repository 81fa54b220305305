// Objects with fields that no compiler writes (craft.h): refused in words, or executed to the end.
#include "craft.h"
#include "device/device.h"
#include "device/verify.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { FEW = 4 };

static const VerifyLimits limits = {.steps = 1 << 17, .elements = 1 << 17};

static Craft craft;

static void law(bool holds, const char *name)
{
    if (holds)
        return;
    fprintf(stderr, "broken law: %s\n", name);
    abort();
}

// ---- kernels

// Few slices do what many do, sooner.
static void make_small(HwObject *object)
{
    for (int64_t i = 0; i < object->operations.count; i++)
        for (int64_t k = 0; k < object->operations.items[i].commands.count; k++) {
            HwCommand *command = &object->operations.items[i].commands.items[k];
            HwPipeline *pass = (HwPipeline *)(uintptr_t)command->pass;
            HwDmaCommand *dma = (HwDmaCommand *)(uintptr_t)command->dma;
            if (pass && pass->slices > FEW)
                pass->slices = FEW;
            if (pass)
                pass->clusters = 1;
            if (dma && dma->descriptors.count > FEW)
                dma->descriptors.count = FEW;
        }
}

static bool keep(const Contra *contra, HwObject *object)
{
    Arena arena = {0};
    DiagList diags = {.arena = &arena};
    make_small(object);
    bool ok = object_verify(STR("fuzz"), object, &contra->machine, &limits, &diags);
    arena_release(&arena);
    return ok;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    craft_open(&craft, keep);
    // its table of pages is made every time
    craft.contra->machine.hbm_bytes_per_chip = INT64_C(1) << 30;
    law(craft.count > 0, "there are kernels; run this from the top of the tree");
    return 0;
}

// ---- execution

static void give(Arena *arena, Device *device, const HwArgument *argument)
{
    int64_t positions = device_positions(argument);
    uint32_t *bits = arena_new(arena, uint32_t, (size_t)positions + 1);
    uint8_t *live = arena_new(arena, uint8_t, (size_t)positions + 1);
    for (int64_t i = 0; i < positions; i++) {
        bits[i] = scalar_wrap(argument->type, (uint32_t)i % 5);
        live[i] = 1;
    }
    device_put(device, argument, bits, live);
    device_get(device, argument, bits, live);
}

static void execute(Arena *arena, const HwObject *object, DiagList *diags)
{
    ContraObject made = {.object = *object, .name = STR("fuzz.tcpo")};
    Arguments arguments = {0};
    Contra shell = {.machine = craft.contra->machine};
    object_arguments(&shell, &made, &arguments);
    arena_release(&shell.arena);
    Device *device = device_new(&craft.contra->machine, object_chips(object));
    DeviceProgram *program = device_program_new(object);
    law(device && program, "there is memory for chips");
    for (int64_t i = 0; i < object->arguments.count; i++)
        give(arena, device, &object->arguments.items[i]);
    law(device_run(device, program, diags) == (diags->error_count == 0),
        "what is not finished has a reason");
    for (int64_t i = 0; i < object->results.count; i++)
        give(arena, device, &object->results.items[i]);
    device_program_free(program);
    device_free(device);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Arena arena = {0};
    DiagList diags = {.arena = &arena};
    HwObject object;
    if (craft_object(&craft, &arena, data, size, &object)) {
        bool holds =
            object_verify(STR("fuzz.tcpo"), &object, &craft.contra->machine, &limits, &diags);
        law(holds == (diags.error_count == 0), "what is refused has a reason");
        if (holds)
            execute(&arena, &object, &diags);
    }
    arena_release(&arena);
    return 0;
}
