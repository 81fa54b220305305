// Objects with fields that no compiler writes (craft.h): refused in words, or executed to the end,
// with the sanitizer and without, which makes no difference to what comes out.
#include "craft.h"
#include "device/device.h"
#include "device/verify.h"
#include "law.h"
#include "run/run.h"

#include <stdlib.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { FEW = 4 };

static const VerifyLimits limits = {.steps = 1 << 17, .elements = 1 << 17};

static Craft craft;

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

// What came out of one execution.
typedef struct {
    uint64_t hash;
    int64_t errors;
} Outcome;

static void hash_bits(Outcome *out, uint32_t bits)
{
    out->hash = (out->hash ^ bits) * UINT64_C(0x100000001b3);
}

static void give(Arena *arena, Device *device, const HwArgument *argument)
{
    int64_t positions = device_positions(argument);
    uint32_t *bits = arena_new(arena, uint32_t, (size_t)positions + 1);
    uint8_t *live = arena_new(arena, uint8_t, (size_t)positions + 1);
    for (int64_t i = 0; i < positions; i++) {
        bits[i] = scalar_wrap(argument->type, (uint32_t)i % 5);
        live[i] = 1;
    }
    law(device_put(device, argument, bits, live), "there is memory for arguments");
    for (int64_t i = 0; i < positions; i++)
        live[i] = i % 7 != 0;
    device_pad(device, argument, live);
}

static void take(Arena *arena, Device *device, const DeviceProgram *program,
                 const HwArgument *argument, Outcome *out)
{
    int64_t positions = device_positions(argument);
    uint32_t *bits = arena_new(arena, uint32_t, (size_t)positions + 1);
    uint8_t *live = arena_new(arena, uint8_t, (size_t)positions + 1);
    device_check_result(device, program, argument);
    device_get(device, argument, bits, live);
    for (int64_t i = 0; i < positions; i++)
        hash_bits(out, live[i] ? bits[i] : UINT32_MAX);
}

static Outcome execute(Arena *arena, const HwObject *object, bool sanitize)
{
    Outcome out = {0};
    DiagList diags = {.arena = arena};
    Device *device = device_new(&craft.contra->machine, object_chips(object));
    DeviceProgram *program = device_program_new(object);
    law(device && program, "there is memory for chips");
    law(device_sanitize(device, sanitize), "there is memory for shadows");
    device_begin(device);
    for (int64_t i = 0; i < object->arguments.count; i++)
        give(arena, device, &object->arguments.items[i]);
    law(device_run(device, program, &diags) == (diags.error_count == 0),
        "what is not finished has a reason");
    for (int64_t i = 0; i < object->results.count; i++)
        take(arena, device, program, &object->results.items[i], &out);
    for (int64_t i = 0; i < object->arguments.count; i++)
        take(arena, device, program, &object->arguments.items[i], &out);
    out.errors = diags.error_count;
    device_program_free(program);
    device_free(device);
    return out;
}

static void execute_both(Arena *arena, const HwObject *object)
{
    ContraObject made = {.object = *object, .name = STR("fuzz.tcpo")};
    Arguments arguments = {0};
    Contra shell = {.machine = craft.contra->machine};
    object_arguments(&shell, &made, &arguments);
    arena_release(&shell.arena);
    Outcome plain = execute(arena, object, false), watched = execute(arena, object, true);
    law(plain.hash == watched.hash && plain.errors == watched.errors,
        "the sanitizer changes no result");
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
            execute_both(&arena, &object);
    }
    arena_release(&arena);
    return 0;
}
