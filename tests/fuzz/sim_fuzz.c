// Objects with fields that no compiler writes: refused in words, or executed to the end, with the
// sanitizer and without, which makes no difference to what comes out.
//
// Kernels of the tests are compiled once. Byte 0 and 1 of the input choose one; then every four
// bytes change one field of it: two say which, one how, one is a number.
#include "api/object.h"
#include "command/form.h"
#include "device/device.h"
#include "device/verify.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_KERNELS = 200, MOST_OF_A_FILE = 12, CHANGE_BYTES = 4, FEW = 4 };

static const VerifyLimits limits = {.steps = 1 << 17, .elements = 1 << 17};

static const char *const files[] = {
    "adapter.tcp",    "branches.rs", "casts.rs",       "commits.rs",     "contraction_rows.rs",
    "conversions.rs", "groups.rs",   "inter_slice.rs", "intra_slice.rs", "layouts.rs",
    "operands.rs",    "pairs.rs",    "passes.rs",      "switches.rs",    "moves_of_types.rs",
    "transposes.rs",  "zips.rs",
};

static Contra *contra;
static Str kernels[MOST_KERNELS]; // encoded
static int64_t kernel_count;

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

static void keep(HwObject *object)
{
    StrBuf out = {.arena = &contra->arena};
    DiagList diags = {.arena = &contra->arena};
    make_small(object);
    if (!object_verify(STR("fuzz"), object, &contra->machine, &limits, &diags))
        return;
    record_encode(&out, &record_of_Object, object);
    kernels[kernel_count++] = buf_str(&out);
}

static void compile_file(const char *name)
{
    static const ContraCheckOptions options = {0};
    char path[128];
    int64_t first = contra_kernel_count(contra), kept = kernel_count;
    snprintf(path, sizeof path, "tests/kernels/%s", name);
    ContraText paths[] = {contra_text(path)};
    contra_load(contra, paths, 1, &options);
    for (int64_t i = first; i < contra_kernel_count(contra) && kernel_count < MOST_KERNELS &&
                            kernel_count < kept + MOST_OF_A_FILE;
         i++) {
        ContraObject *object;
        if (contra_compile(contra, i, NULL, 0, &object) == CONTRA_OK)
            keep(&object->object);
    }
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    contra = contra_new();
    contra->machine.hbm_bytes_per_chip = INT64_C(1) << 30; // its table of pages is made every time
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        compile_file(files[i]);
    law(kernel_count > 0, "there are kernels; run this from the top of the tree");
    return 0;
}

// ---- changes

// A field that can be changed, or an entry of a list of numbers.
typedef struct {
    const Field *field;
    void *at;
    bool is_entry;
} Slot;

typedef struct {
    ARRAY(Slot);
} Slots;

static void gather(Arena *arena, Slots *slots, const Record *record, void *data)
{
    for (int64_t i = 0; i < record->count; i++) {
        const Field *field = &record->fields[i];
        void *at = (char *)data + field->offset;
        AnyArray *list = at;
        if (field->kind != FIELD_TEXT && field->kind != FIELD_PART)
            *array_push(arena, slots, Slot) = (Slot){field, at, false};
        if (field->kind == FIELD_PART)
            gather(arena, slots, field->record, at);
        else if (field->kind == FIELD_MAYBE && *(void **)at)
            gather(arena, slots, field->record, *(void **)at);
        for (int64_t k = 0; field->kind == FIELD_INTS && k < list->count; k++)
            *array_push(arena, slots, Slot) = (Slot){field, (int64_t *)list->items + k, true};
        for (int64_t k = 0; field->kind == FIELD_LIST && k < list->count; k++)
            gather(arena, slots, field->record,
                   (char *)list->items + (size_t)k * field->record->size);
    }
}

static int64_t changed_number(int64_t old, uint8_t how, uint8_t number)
{
    uint64_t bits = (uint64_t)old, small = number;
    switch (how % 8) {
    case 0:
        return number;
    case 1:
        return -(int64_t)number;
    case 2:
        return (int64_t)(bits + small);
    case 3:
        return (int64_t)(bits - small);
    case 4:
        return (int64_t)(bits * small);
    case 5:
        return old / (number + 1);
    case 6:
        return (int64_t)(UINT64_C(1) << number % 64);
    default:
        return (int64_t)((UINT64_C(1) << number % 64) - 1);
    }
}

static void change(const Slot *slot, uint8_t how, uint8_t number)
{
    AnyArray *list = slot->at;
    if (slot->is_entry || slot->field->kind == FIELD_INT)
        *(int64_t *)slot->at = changed_number(*(int64_t *)slot->at, how, number);
    else if (slot->field->kind == FIELD_BOOL)
        *(bool *)slot->at = number % 2;
    else if (slot->field->kind == FIELD_ENUM)
        *(int *)slot->at = number % slot->field->value_count;
    else if (slot->field->kind == FIELD_MAYBE)
        *(void **)slot->at = NULL;
    else
        list->count = list->count ? number % (list->count + 1) : 0;
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
    Device *device = device_new(&contra->machine, object_chips(object));
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
    Contra shell = {.machine = contra->machine};
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
    HwObject object = {0};
    Slots slots = {0};
    Fault fault = {0};
    if (size < 2)
        return 0;
    Str kernel = kernels[(data[0] | data[1] << 8) % kernel_count];
    law(record_decode(&arena, kernel, &record_of_Object, &object, &fault), "a kernel is read");
    gather(&arena, &slots, &record_of_Object, &object);
    for (size_t i = 2; i + CHANGE_BYTES <= size; i += CHANGE_BYTES)
        change(&slots.items[(data[i] | data[i + 1] << 8) % slots.count], data[i + 2], data[i + 3]);
    bool holds = object_verify(STR("fuzz.tcpo"), &object, &contra->machine, &limits, &diags);
    law(holds == (diags.error_count == 0), "what is refused has a reason");
    if (holds)
        execute_both(&arena, &object);
    arena_release(&arena);
    return 0;
}
