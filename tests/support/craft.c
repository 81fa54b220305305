#include "craft.h"

#include "command/form.h"

#include <assert.h>
#include <stdio.h>

enum { MOST_OF_A_FILE = 12, CHANGE_BYTES = 4 };

static const char *const files[] = {
    "adapter.tcp",    "branches.rs", "casts.rs",       "commits.rs",     "contraction_rows.rs",
    "conversions.rs", "groups.rs",   "inter_slice.rs", "intra_slice.rs", "layouts.rs",
    "operands.rs",    "pairs.rs",    "passes.rs",      "switches.rs",    "moves_of_types.rs",
    "transposes.rs",  "zips.rs",
};

// ---- kernels

static void compile_file(Craft *craft, const char *name,
                         bool (*keep)(const Contra *contra, HwObject *object))
{
    ContraCheckOptions options = contra_check_options();
    Contra *contra = craft->contra;
    char path[128];
    int64_t first = contra_kernel_count(contra), kept = craft->count;
    snprintf(path, sizeof path, "tests/kernels/%s", name);
    ContraText paths[] = {contra_text(path)};
    contra_load(contra, paths, 1, &options);
    for (int64_t i = first; i < contra_kernel_count(contra) && craft->count < CRAFT_MOST_KERNELS &&
                            craft->count < kept + MOST_OF_A_FILE;
         i++) {
        ContraObject *object;
        StrBuf out = {.arena = &contra->arena};
        if (contra_compile(contra, i, NULL, 0, &object) != CONTRA_OK ||
            !keep(contra, &object->object))
            continue;
        record_encode(&out, &record_of_Object, &object->object);
        craft->kernels[craft->count++] = buf_str(&out);
    }
}

void craft_open(Craft *craft, bool (*keep)(const Contra *contra, HwObject *object))
{
    craft->contra = contra_new();
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        compile_file(craft, files[i], keep);
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

bool craft_object(const Craft *craft, Arena *arena, const uint8_t *data, size_t size,
                  HwObject *object)
{
    Slots slots = {0};
    Fault fault = {0};
    *object = (HwObject){0};
    if (size < 2 || !craft->count)
        return false;
    Str kernel = craft->kernels[(data[0] | data[1] << 8) % craft->count];
    if (!record_decode(arena, kernel, &record_of_Object, object, &fault))
        return false;
    gather(arena, &slots, &record_of_Object, object);
    assert(slots.count > 0); // an object has numbers at least
    for (size_t i = 2; i + CHANGE_BYTES <= size; i += CHANGE_BYTES)
        change(&slots.items[(data[i] | data[i + 1] << 8) % slots.count], data[i + 2], data[i + 3]);
    return true;
}
