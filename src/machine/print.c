// A machine as people read it (a table) and as programs do (JSON).
#include "machine/machine.h"

#include "base/checked.h"

// 21-33, 35: runs of neighbouring bits are shown by their ends.
static void add_runs(StrBuf *out, const MachineList *bits)
{
    int64_t end;
    for (int64_t i = 0; i < bits->count; i = end) {
        for (end = i + 1; end < bits->count && bits->values[end] == bits->values[end - 1] + 1;)
            end++;
        buf_format(out, "{}{}", i ? ", " : "", bits->values[i]);
        if (end > i + 1)
            buf_format(out, "-{}", bits->values[end - 1]);
    }
}

static void add_values(StrBuf *out, const MachineList *list)
{
    for (int64_t i = 0; i < list->count; i++)
        buf_format(out, "{}{}", i ? ", " : "", list->values[i]);
}

static Str value_text(Arena *arena, const Machine *machine, const MachineField *field)
{
    StrBuf buf = {.arena = arena};
    if (!machine_field_is_list(field))
        buf_format(&buf, "{}", (long long)machine_value(machine, field));
    else if (field->kind == MACHINE_BITS)
        add_runs(&buf, machine_list(machine, field));
    else
        add_values(&buf, machine_list(machine, field));
    return buf_str(&buf);
}

static void add_padded(StrBuf *out, Str text, int64_t width)
{
    buf_add(out, text);
    buf_repeat(out, STR(" "), max_i64(width - text.len, 0) + 2);
}

void machine_print(StrBuf *out, const Machine *machine)
{
    Str values[MACHINE_FIELD_COUNT];
    int64_t name_width = STR("field").len, value_width = STR("value").len;
    int64_t unit_width = STR("unit").len, doc_width = STR("meaning").len;
    for (int64_t i = 0; i < MACHINE_FIELD_COUNT; i++) {
        const MachineField *field = &machine_fields[i];
        values[i] = value_text(out->arena, machine, field);
        name_width = max_i64(name_width, str_from(field->name).len);
        value_width = max_i64(value_width, values[i].len);
        unit_width = max_i64(unit_width, str_from(field->unit).len);
        doc_width = max_i64(doc_width, str_from(field->doc).len);
    }
    buf_format(out, "machine {}\n\n", machine->name);
    add_padded(out, STR("field"), name_width);
    add_padded(out, STR("value"), value_width);
    add_padded(out, STR("unit"), unit_width);
    add_padded(out, STR("meaning"), doc_width);
    buf_add(out, STR("section\n"));
    for (int64_t i = 0; i < MACHINE_FIELD_COUNT; i++) {
        const MachineField *field = &machine_fields[i];
        add_padded(out, str_from(field->name), name_width);
        add_padded(out, values[i], value_width);
        add_padded(out, str_from(field->unit), unit_width);
        add_padded(out, str_from(field->doc), doc_width);
        buf_format(out, "{}\n", field->manual);
    }
}

// Names hold no control characters (load.c sees to that), so two escapes suffice.
static void add_quoted(StrBuf *out, Str text)
{
    buf_add_char(out, '"');
    for (int64_t i = 0; i < text.len; i++) {
        if (text.data[i] == '"' || text.data[i] == '\\')
            buf_add_char(out, '\\');
        buf_add_char(out, text.data[i]);
    }
    buf_add_char(out, '"');
}

void machine_print_json(StrBuf *out, const Machine *machine)
{
    buf_add(out, STR("{\n  \"name\": "));
    add_quoted(out, str_from(machine->name));
    for (int64_t i = 0; i < MACHINE_FIELD_COUNT; i++) {
        const MachineField *field = &machine_fields[i];
        buf_format(out, ",\n  \"{}\": ", field->name);
        if (!machine_field_is_list(field)) {
            buf_format(out, "{}", (long long)machine_value(machine, field));
            continue;
        }
        buf_add_char(out, '[');
        add_values(out, machine_list(machine, field));
        buf_add_char(out, ']');
    }
    buf_add(out, STR("\n}\n"));
}
