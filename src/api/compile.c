// Kernels become objects; objects become files, listings and JSON, and come back from files.
#include "api/sized.h"
#include "base/checked.h"
#include "base/file.h"
#include "command/form.h"
#include "command/listing.h"
#include "cost/cost.h"
#include "device/verify.h"
#include "program/text.h"
#include "run/object.h"
#include "run/run.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

// ---- compiling

// A kernel with its numbers, ready to be lowered.
static ContraStatus open_kernel(KernelRun *run, int64_t index, const ContraInput *inputs,
                                int64_t count, Program **program)
{
    static const ContraRunOptions options = {0};
    Contra *contra = run->contra;
    request_begin(contra);
    const Kernel *kernel = kernel_wanted(contra, index);
    run->options = &options;
    run->compiles = true;
    if (!kernel || !kernel_arguments(contra, kernel, &run->arguments))
        return CONTRA_INVALID;
    if (diag_cancelled(&contra->diags)) // what is known already is given at once otherwise
        return CONTRA_CANCELLED;
    *program = run_program(run, inputs, count, kernel);
    return status_of(contra, *program ? CONTRA_OK : CONTRA_INVALID);
}

typedef void ProgramForm(StrBuf *out, const Program *program, const SourceList *sources);

static void print_text(StrBuf *out, const Program *program, const SourceList *sources)
{
    (void)sources; // the text has no places
    program_print(out, program);
}

static ContraStatus print_kernel(Contra *contra, int64_t kernel, const ContraInput *inputs,
                                 int64_t count, ProgramForm *print, ContraText *text)
{
    KernelRun run = {.contra = contra, .arena = &contra->request, .scratch = &contra->scratch};
    Program *program = NULL;
    ContraStatus status = open_kernel(&run, kernel, inputs, count, &program);
    if (status != CONTRA_OK)
        return status;
    StrBuf buf = {.arena = &contra->request};
    print(&buf, program, &contra->sources);
    return give_text(contra, &buf, text);
}

ContraStatus contra_kernel_program(Contra *contra, int64_t kernel, const ContraInput *inputs,
                                   int64_t count, ContraText *text)
{
    CONTRA_WRITES(contra, text);
    CONTRA_NEEDS(contra, IS_LIST(inputs, count), "as many `inputs` as it says");
    return print_kernel(contra, kernel, inputs, count, print_text, text);
}

ContraStatus contra_kernel_picture(Contra *contra, int64_t kernel, const ContraInput *inputs,
                                   int64_t count, ContraText *picture)
{
    CONTRA_WRITES(contra, picture);
    CONTRA_NEEDS(contra, IS_LIST(inputs, count), "as many `inputs` as it says");
    return print_kernel(contra, kernel, inputs, count, program_print_svg, picture);
}

ContraStatus contra_compile(Contra *contra, int64_t kernel, const ContraInput *inputs,
                            int64_t count, ContraObject **object)
{
    CONTRA_GIVES(object, NULL);
    CONTRA_ENTER(contra);
    CONTRA_NEEDS(contra, object, "`object`");
    CONTRA_NEEDS(contra, IS_LIST(inputs, count), "as many `inputs` as it says");
    KernelRun run = {.contra = contra, .arena = &contra->request, .scratch = &contra->scratch};
    Program *program = NULL;
    ContraStatus status = open_kernel(&run, kernel, inputs, count, &program);
    if (status != CONTRA_OK)
        return status;
    if (!program_is_whole(contra, run.arguments.kernel))
        return CONTRA_INVALID;
    const Lowered *lowered = run_lower(&run);
    if (!lowered)
        return CONTRA_CANCELLED;
    if (lowered->state == NOT_LOWERABLE) {
        diag_move(&contra->diags, &lowered->why);
        return CONTRA_INVALID;
    }
    ContraObject *made = arena_new(&contra->arena, ContraObject, 1);
    *made = (ContraObject){.contra = contra, .object = lowered->object, .beyond = lowered->why};
    *object = made;
    log_say(contra, CONTRA_LOG_INFO, "compiled {}: {} operations", made->object.kernel,
            made->object.operations.count);
    return CONTRA_OK;
}

ContraStatus contra_object_kernel(Contra *contra, const ContraObject *object, int64_t *kernel)
{
    CONTRA_GIVES(kernel, -1);
    CONTRA_ENTER(contra);
    CONTRA_NEEDS(contra, object && kernel, "`object` and `kernel`");
    CONTRA_OWNS(contra, object, "an object");
    kernel_at(contra, 0); // those of the sources come first
    if (!object_admit(contra, object))
        return CONTRA_INVALID;
    *array_push(&contra->arena, &contra->kernels, Kernel) =
        (Kernel){.name = object->object.kernel, .file = object->name, .object = object};
    *kernel = contra->kernels.count - 1;
    return CONTRA_OK;
}

// ---- files

static ContraStatus parse_object(Contra *contra, Str name, Str bytes, ContraObject **object)
{
    ContraObject *made = arena_new(&contra->arena, ContraObject, 1);
    made->contra = contra;
    made->name = name;
    if (!object_read(&contra->arena, name, bytes, &contra->diags, &made->object, &made->facts))
        return CONTRA_INVALID;
    *object = made;
    return CONTRA_OK;
}

ContraStatus contra_object_read(Contra *contra, ContraText path, ContraObject **object)
{
    CONTRA_GIVES(object, NULL);
    CONTRA_ENTER(contra);
    CONTRA_NEEDS(contra, object, "`object`");
    Str bytes, name = str_copy(&contra->arena, str_of(path));
    if (file_read(&contra->arena, name, &bytes))
        return parse_object(contra, name, bytes, object);
    return request_refuse(contra, DIAG_FILE_UNREADABLE, "cannot read `{}`: {}", name,
                          strerror(errno));
}

ContraStatus contra_object_parse(Contra *contra, ContraText name, ContraText bytes,
                                 ContraObject **object)
{
    CONTRA_GIVES(object, NULL);
    CONTRA_ENTER(contra);
    CONTRA_NEEDS(contra, object, "`object`");
    return parse_object(contra, str_copy(&contra->arena, str_of(name)),
                        str_copy(&contra->arena, str_of(bytes)), object);
}

// Whether a file is one of those that were read.
static bool is_source(const Contra *contra, const char *path)
{
    struct stat there, other;
    if (stat(path, &there))
        return false;
    for (int64_t i = 0; i < contra->sources.count; i++) {
        Arena scratch = {.on_oom = contra->arena.on_oom};
        bool same = !stat(str_terminated(&scratch, contra->sources.items[i].name), &other) &&
                    there.st_dev == other.st_dev && there.st_ino == other.st_ino;
        arena_release(&scratch);
        if (same)
            return true;
    }
    return false;
}

// Why nothing is written there. NULL: it may be.
static const char *why_kept(Contra *contra, Str name)
{
    Str bytes = {0};
    bool is_other = file_map(&contra->arena, name, &bytes) && bytes.len && !object_is(bytes);
    file_unmap(bytes);
    if (is_source(contra, str_terminated(&contra->arena, name)))
        return "the kernel was read from it";
    if (is_other)
        return "it is there, and is no object file";
    if (str_ends_with(name, STR(".rs")) || str_ends_with(name, STR(".tcp")))
        return "that is the name of a source";
    return NULL;
}

ContraStatus contra_object_write(Contra *contra, const ContraObject *object, ContraText path)
{
    CONTRA_ENTER(contra);
    CONTRA_TAKES(contra, object, "an object");
    StrBuf buf = {.arena = &contra->arena};
    if (object->beyond.count) {
        diag_move(&contra->diags, &object->beyond);
        return CONTRA_INVALID;
    }
    object_write(&buf, &object->object);
    Str bytes = buf_str(&buf), name = str_copy(&contra->arena, str_of(path));
    const char *why = why_kept(contra, name);
    if (why) {
        Diag *diag =
            request_report(contra, DIAG_FILE_UNREADABLE, "cannot write `{}`: {}", name, why);
        diag_help(diag, "name another file, as K.tcpo");
        return CONTRA_INVALID;
    }
    if (file_write(&contra->arena, name, &bytes, 1))
        return CONTRA_OK;
    return request_refuse(contra, DIAG_FILE_UNREADABLE, "cannot write `{}`: {}", name,
                          strerror(errno));
}

ContraStatus contra_object_strip(Contra *contra, ContraObject *object)
{
    CONTRA_ENTER(contra);
    CONTRA_TAKES(contra, object, "an object");
    object->object = object_copy(&contra->arena, &object->object); // others have the same records
    record_strip(&record_of_Object, &object->object);
    return CONTRA_OK;
}

ContraStatus contra_object_fits(Contra *contra, const ContraObject *object)
{
    CONTRA_ENTER(contra);
    CONTRA_TAKES(contra, object, "an object");
    Str name = object->name.len ? object->name : object->object.kernel;
    bool fits = object_fits_machine(&contra->arena, name, &object->object, &contra->machine,
                                    &contra->diags);
    return fits ? CONTRA_OK : CONTRA_INVALID;
}

// ---- what people and programs read

// The object with a report on each operation. Without, where its machine is another one or it comes
// from a file whose commands no chip could execute.
static HwObject reported(Contra *contra, const ContraObject *object)
{
    Arena *arena = &contra->request;
    HwObject out = object->object;
    DiagList faults = {.arena = arena};
    if (!object_fits_machine(arena, object->name, &out, &contra->machine, &faults) ||
        (object->name.len &&
         !object_verify(object->name, &out, &contra->machine, &verify_any_work, &faults)))
        return out;
    CostBook *book = cost_book_new(arena, &contra->scratch, &contra->machine, COST_MANUAL);
    const HwUse *uses = use_of_object(arena, &contra->machine, book, &out);
    out.operations.items =
        arena_copy(arena, out.operations.items, sizeof(HwOperation) * (size_t)out.operations.count);
    for (int64_t i = 0; i < out.operations.count; i++)
        out.operations.items[i].use = &uses[i];
    return out;
}

ContraStatus contra_object_text(Contra *contra, const ContraObject *object,
                                const ContraListingOptions *given, ContraText *text)
{
    CONTRA_WRITES(contra, text);
    ContraListingOptions options;
    CONTRA_TAKES(contra, object, "an object");
    if (!sized_take(contra, SIZED_ContraListingOptions, given, &options))
        return CONTRA_INVALID;
    StrBuf buf = {.arena = &contra->request};
    Listing listing = {.out = &buf,
                       .colour = options.colour,
                       .verbose = options.verbose,
                       .is_typed = contra->diags.is_typed,
                       .width = options.width};
    HwObject shown = reported(contra, object);
    if (options.json)
        record_print_json(&buf, &record_of_Object, &shown);
    else
        listing_print(&listing, &shown, object->name.len ? &object->facts : NULL);
    return give_text(contra, &buf, text);
}

ContraStatus contra_object_schema(Contra *contra, ContraText *text)
{
    CONTRA_WRITES(contra, text);
    StrBuf buf = {.arena = &contra->request};
    record_print_schema(&buf, &record_of_Object);
    return give_text(contra, &buf, text);
}

// ---- facts about objects, as values for programs

static const Tier memories[] = {TIER_HBM, TIER_DM, TIER_TRF, TIER_VRF};

ContraStatus contra_object_summary(Contra *contra, const ContraObject *object,
                                   ContraObjectSummary *summary)
{
    CONTRA_FILLS(contra, ContraObjectSummary, summary);
    CONTRA_TAKES(contra, object, "an object");
    const HwObject *of = &object->object;
    ContraObjectSummary made = {
        .kernel = text_of(of->kernel),
        .machine = text_of(of->machine),
        .version = text_of(of->version),
        .chips = of->chips,
        .operation_count = of->operations.count,
        .tensor_count = of->tensors.count,
        .memory_count = COUNT_OF(memories),
    };
    for (int64_t i = 0; i < of->operations.count; i++) {
        const HwOperation *operation = &of->operations.items[i];
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
    return compare_i64(x, y);
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
    CONTRA_FILLS(contra, ContraMemoryUse, memory);
    CONTRA_TAKES(contra, object, "an object");
    CONTRA_NEEDS(contra, IS_INDEX(index, COUNT_OF(memories)), "the number of a memory");
    ContraMemoryUse made = place_of_memory(&contra->machine, memories[index]);
    ArenaMark mark = arena_mark(&contra->scratch); // there may be results in it
    count_bytes(&contra->scratch, &object->object, memories[index], &made);
    arena_reset(&contra->scratch, mark);
    sized_give(SIZED_ContraMemoryUse, &made, memory);
    return CONTRA_OK;
}
