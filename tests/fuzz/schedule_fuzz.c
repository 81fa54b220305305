// Schedules of crafted objects (craft.h), and what is made of them: refused in words, or a
// document, trace events and a summary. The bytes are also an order of operations, and documents
// that are compared.
//
// Byte 0 is the cost model and the length of an order; what follows is the order, then the object.
#include "craft.h"
#include "device/verify.h"
#include "law.h"
#include "schedule/export.h"

#include <jansson.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_ORDER = 32, CHANGE_BYTES = 3 };

static const VerifyLimits limits = {.steps = 1 << 24, .elements = 1 << 20};

static Craft craft;

static bool keep(const Contra *contra, HwObject *object)
{
    Arena arena = {0};
    DiagList diags = {.arena = &arena};
    bool ok = object_verify(STR("fuzz"), object, &contra->machine, &limits, &diags);
    arena_release(&arena);
    return ok;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    craft_open(&craft, keep);
    law(craft.count > 0, "there are kernels; run this from the top of the tree");
    return 0;
}

// ---- schedules

static void check_json(Str text, const char *name)
{
    json_error_t error;
    json_t *root = json_loadb(text.data, (size_t)text.len, 0, &error);
    law(root != NULL, name);
    json_decref(root);
}

static void compare(Arena *arena, Str a, Str b)
{
    StrBuf text = {.arena = arena}, json = {.arena = arena};
    DiagList diags = {.arena = arena};
    ScheduleSource sources[] = {{STR("a"), a}, {STR("b"), b}};
    bool ok = schedule_compare(&text, &diags, sources, COMPARE_TEXT);
    law(ok == (diags.error_count == 0), "documents that are not compared have a reason");
    law(ok == schedule_compare(&json, &diags, sources, COMPARE_JSON), "in each form");
    if (ok)
        check_json(buf_str(&json), "a comparison is a document");
}

// A document with some bytes changed, beside the one it was.
static void compare_changed(Arena *arena, Str document, const uint8_t *data, size_t size)
{
    char *text = arena_copy(arena, document.data, (size_t)document.len);
    for (size_t i = 0; i + CHANGE_BYTES <= size; i += CHANGE_BYTES)
        text[(int64_t)(data[i] | data[i + 1] << 8) % document.len] = (char)data[i + 2];
    compare(arena, document, (Str){text, document.len});
}

static Str print_all(Arena *arena, Arena *scratch, const Schedule *schedule)
{
    StrBuf json = {.arena = arena}, trace = {.arena = arena}, text = {.arena = arena};
    schedule_print_json(&json, scratch, schedule);
    schedule_print_trace(&trace, schedule);
    schedule_print_summary(&text, schedule, &(SummaryOptions){.width = 80});
    check_json(buf_str(&json), "a schedule is a document");
    check_json(buf_str(&trace), "a schedule has trace events");
    law(text.len > 0, "a schedule has a summary");
    return buf_str(&json);
}

static void check_schedule(Arena *arena, const HwObject *object, const ScheduleOptions *options,
                           const uint8_t *data, size_t size)
{
    Arena scratch = {0};
    DiagList diags = {.arena = arena};
    const Schedule *schedule =
        schedule_new(arena, &scratch, &diags, &craft.contra->machine, object, options);
    law((schedule != NULL) == (diags.error_count == 0), "what is not scheduled has a reason");
    if (schedule) {
        Str document = print_all(arena, &scratch, schedule);
        compare(arena, document, document);
        compare_changed(arena, document, data, size);
    }
    arena_release(&scratch);
}

static void check_order(Arena *arena, Str text)
{
    DiagList diags = {.arena = arena};
    OrderList order = {0};
    law(order_read(arena, &diags, STR("fuzz.order"), text, &order) == (diags.error_count == 0),
        "an order that is refused has a reason");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Arena arena = {0};
    DiagList diags = {.arena = &arena};
    HwObject object;
    Str text = {(const char *)data, (int64_t)size};
    int64_t order[MOST_ORDER];
    size_t named = size ? data[0] / COST_MODELS % MOST_ORDER : 0;
    check_order(&arena, text);
    compare(&arena, text, text);
    if (size > named + 1) {
        const uint8_t *rest = data + 1 + named;
        size_t left = size - 1 - named;
        for (size_t i = 0; i < named; i++)
            order[i] = (int8_t)data[1 + i];
        ScheduleOptions options = {data[0] % COST_MODELS, named ? order : NULL, (int64_t)named};
        if (craft_object(&craft, &arena, rest, left, &object) &&
            object_verify(STR("fuzz.tcpo"), &object, &craft.contra->machine, &limits, &diags))
            check_schedule(&arena, &object, &options, rest, left);
    }
    arena_release(&arena);
    return 0;
}
