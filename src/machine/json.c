// A machine from JSON, the values of a built-in machine changed member by member; and as people
// read it (a table) and as programs do (JSON again).
//
// Jansson judges the text and decodes each key and value; where a member stands is found by a scan
// of the text it has accepted, since it keeps no places. Decoding member by member also shows every
// repeated key. Nothing of Jansson's is alive while the arena is used: an exhausted arena leaves by
// longjmp, which frees only what is in arenas.
#include "machine/internal.h"

#include "base/checked.h"
#include "base/file.h"
#include "base/near.h"

#include <errno.h>
#include <jansson.h>
#include <string.h>

enum {
    FILE_BYTES_MAX = 1 << 20, // no description of a machine is near it
    NAME_BYTES_MAX = 64,
    SHOWN_BYTES_MAX = 60,                  // of a name or value in a message
    MEMBERS_MAX = 4 * MACHINE_FIELD_COUNT, // beyond it, each is compared with each for nothing
};

// ---- Where the members stand ----

// A member of the object, as bytes of the text: the key with its quotes, and the value.
typedef struct {
    int64_t key_start, key_end;
    int64_t value_start, value_end;
} Member;

typedef struct {
    ARRAY(Member);
} MemberList;

static int64_t skip_blanks(Str text, int64_t at)
{
    while (at < text.len && strchr(" \t\r\n", text.data[at]) && text.data[at])
        at++;
    return at;
}

// `at` is the opening quote; the result is behind the closing one.
static int64_t skip_string(Str text, int64_t at)
{
    for (at++; at < text.len && text.data[at] != '"'; at++)
        at += text.data[at] == '\\';
    return min_i64(at + 1, text.len);
}

// value = string | object | array | anything up to the next comma, bracket or blank
static int64_t skip_value(Str text, int64_t at)
{
    int64_t depth = 0;
    while (at < text.len) {
        char c = text.data[at];
        if (c == '"') {
            at = skip_string(text, at);
        } else if (depth == 0 && strchr(",}] \t\r\n", c)) {
            return at;
        } else {
            depth += (c == '{' || c == '[') - (c == '}' || c == ']');
            at++;
        }
        if (depth == 0 && (c == '"' || c == '}' || c == ']'))
            return at;
    }
    return at;
}

// object = "{" [key ":" value ("," key ":" value)*] "}"
// Requires: an object that Jansson accepted.
static MemberList scan_members(Arena *arena, Str text)
{
    MemberList members = {0};
    int64_t at = skip_blanks(text, skip_blanks(text, 0) + 1);
    while (at < text.len && text.data[at] == '"') {
        Member member = {.key_start = at};
        member.key_end = skip_string(text, at);
        at = skip_blanks(text, member.key_end) + 1; // the colon
        member.value_start = skip_blanks(text, at);
        member.value_end = skip_value(text, member.value_start);
        *array_push(arena, &members, Member) = member;
        at = skip_blanks(text, skip_blanks(text, member.value_end) + 1); // the comma
    }
    return members;
}

// ---- What a value says ----

typedef enum {
    VALUE_NUMBER,
    VALUE_LIST,
    VALUE_FLAG,
    VALUE_TEXT,
    VALUE_HUGE,
    VALUE_OTHER
} ValueKind;

typedef struct {
    ValueKind kind;
    int64_t number;   // of VALUE_NUMBER and VALUE_FLAG
    MachineList list; // its count may be beyond its capacity: the rest is left out
    Str text;
} Value;

static Value value_of_array(const json_t *json)
{
    Value value = {.kind = VALUE_LIST, .list.count = (int64_t)json_array_size(json)};
    for (int64_t i = 0; i < value.list.count; i++) {
        const json_t *item = json_array_get(json, (size_t)i);
        if (!json_is_integer(item))
            return (Value){.kind = VALUE_OTHER};
        if (i < MACHINE_LIST_CAPACITY)
            value.list.values[i] = json_integer_value(item);
    }
    return value;
}

// Text is copied to `room`, which holds as many bytes as the JSON it comes from.
static Value value_of_json(const json_t *json, char *room)
{
    switch (json_typeof(json)) {
    case JSON_INTEGER:
        return (Value){.kind = VALUE_NUMBER, .number = json_integer_value(json)};
    case JSON_TRUE:
    case JSON_FALSE:
        return (Value){.kind = VALUE_FLAG, .number = json_is_true(json)};
    case JSON_ARRAY:
        return value_of_array(json);
    case JSON_STRING: {
        size_t length = json_string_length(json);
        memcpy(room, json_string_value(json), length);
        return (Value){.kind = VALUE_TEXT, .text = {room, (int64_t)length}};
    }
    case JSON_OBJECT:
    case JSON_REAL:
    case JSON_NULL:
        break;
    }
    return (Value){.kind = VALUE_OTHER};
}

static Value decode(Arena *arena, Str raw)
{
    char *room = arena_alloc(arena, 1, 1, (size_t)raw.len + 1);
    json_error_t error;
    json_t *json = json_loadb(raw.data, (size_t)raw.len, JSON_DECODE_ANY, &error);
    if (!json)
        return (Value){.kind = VALUE_HUGE}; // the text was accepted, but for the size of integers
    Value value = value_of_json(json, room);
    json_decref(json);
    return value;
}

// ---- Members into fields ----

typedef struct {
    Arena *arena;
    DiagList *diags;
    Str text;
    int32_t source;
    Machine *machine;
    MachineOrigin origins[MACHINE_FIELD_COUNT];
    bool ok;
} Loader;

static Span key_span(const Loader *loader, const Member *member)
{
    return (Span){loader->source, member->key_start, member->key_end};
}

static Span value_span(const Loader *loader, const Member *member)
{
    return (Span){loader->source, member->value_start, member->value_end};
}

static Str value_raw(const Loader *loader, const Member *member)
{
    return str_slice(loader->text, member->value_start, member->value_end);
}

// At most SHOWN_BYTES_MAX of a text, cut between characters.
static Str shown(Str text)
{
    if (text.len <= SHOWN_BYTES_MAX)
        return text;
    int64_t end = SHOWN_BYTES_MAX;
    while (end > 0 && ((unsigned char)text.data[end] & 0xC0) == 0x80)
        end--;
    return str_slice(text, 0, end);
}

static const MachineField *find_field(Str name)
{
    for (int64_t i = 0; i < MACHINE_FIELD_COUNT; i++) {
        if (str_equal(name, str_from(machine_fields[i].name)))
            return &machine_fields[i];
    }
    return NULL;
}

// The field whose name is nearest, or NULL where none is near.
static const MachineField *nearest_field(Str name)
{
    const MachineField *nearest = NULL;
    Near near = {.name = name, .most = name.len / 3 + 1};
    for (int64_t i = 0; i < MACHINE_FIELD_COUNT; i++)
        if (near_try(&near, str_from(machine_fields[i].name)))
            nearest = &machine_fields[i];
    return nearest;
}

static void report_unknown(Loader *loader, const Member *member, Str name)
{
    Diag *diag = diag_add(loader->diags, DIAG_MACHINE_FIELD, key_span(loader, member),
                          "`{}` is no field of a machine", shown(name));
    const MachineField *nearest = nearest_field(name);
    if (nearest) {
        diag_help(diag, "did you mean `{}` ({})?", nearest->name, nearest->doc);
        diag_edit(diag, key_span(loader, member), "\"{}\"", nearest->name);
    } else {
        diag_help(diag, "the table of a machine lists all fields");
        diag_help_typed(diag, "`contra machine` lists all fields");
    }
    loader->ok = false;
}

static void report_type(Loader *loader, const Member *member, const char *name, const char *wanted)
{
    Diag *diag = diag_add(loader->diags, DIAG_MACHINE_VALUE, value_span(loader, member),
                          "{} cannot be `{}`", name, shown(value_raw(loader, member)));
    diag_label(diag, "it is {}", wanted);
    loader->ok = false;
}

static bool accept_value(Loader *loader, const MachineField *field, const Member *member)
{
    Value value = decode(loader->arena, value_raw(loader, member));
    Span span = value_span(loader, member);
    bool list = machine_field_is_list(field), flag = field->kind == MACHINE_FLAG;
    if (value.kind != (list ? VALUE_LIST : VALUE_NUMBER) && !(flag && value.kind == VALUE_FLAG)) {
        report_type(loader, member, field->name,
                    value.kind == VALUE_HUGE ? "a number of at most 63 bits"
                    : list                   ? "a list of whole numbers"
                    : flag                   ? "true or false"
                                             : "a whole number");
        return false;
    }
    char *place = (char *)loader->machine + field->offset;
    if (list) {
        if (!machine_check_list(field, &value.list, span, loader->diags))
            return false;
        memcpy(place, &value.list, sizeof value.list);
        return true;
    }
    if (!machine_check_value(field, value.number, span, loader->diags))
        return false;
    memcpy(place, &value.number, sizeof value.number);
    return true;
}

static void read_field(Loader *loader, const Member *member, Str name)
{
    const MachineField *field = find_field(name);
    if (!field) {
        report_unknown(loader, member, name);
        return;
    }
    bool accepted = accept_value(loader, field, member);
    loader->origins[field - machine_fields] =
        (MachineOrigin){.span = value_span(loader, member), .refused = !accepted};
    loader->ok &= accepted;
}

// A name is shown in tables and reports: one short line.
static void read_name(Loader *loader, const Member *member)
{
    Value value = decode(loader->arena, value_raw(loader, member));
    bool fits = value.kind == VALUE_TEXT && value.text.len >= 1 && value.text.len <= NAME_BYTES_MAX;
    for (int64_t i = 0; fits && i < value.text.len; i++)
        fits = (unsigned char)value.text.data[i] >= 0x20 && value.text.data[i] != 0x7F;
    if (fits)
        loader->machine->name = str_terminated(loader->arena, value.text);
    else
        report_type(loader, member, "name", "a text of 1 to 64 bytes without control characters");
}

static void read_base(Loader *loader, const Member *member)
{
    Value value = decode(loader->arena, value_raw(loader, member));
    if (value.kind != VALUE_TEXT) {
        report_type(loader, member, "base", "the name of a machine");
        return;
    }
    const Machine *base = machine_find(value.text);
    if (base) {
        *loader->machine = *base;
        return;
    }
    Diag *diag = diag_add(loader->diags, DIAG_MACHINE_UNKNOWN, value_span(loader, member),
                          "no machine is called `{}`", shown(value.text));
    diag_help(diag, "the base is `{}` or `{}`", machine_rngd.name, machine_rngd_s.name);
    loader->ok = false;
}

// The member before `index` with the same key, or NULL.
static const Member *earlier_member(const MemberList *members, const Str *keys, int64_t index)
{
    for (int64_t i = 0; i < index; i++) {
        if (str_equal(keys[i], keys[index]))
            return &members->items[i];
    }
    return NULL;
}

static void report_repeated(Loader *loader, const Member *member, const Member *first, Str key)
{
    Diag *diag = diag_add(loader->diags, DIAG_MACHINE_SYNTAX, key_span(loader, member),
                          "`{}` is given twice", shown(key));
    diag_note(diag, key_span(loader, first), "first given here");
    loader->ok = false;
}

// The base first, wherever it stands: it gives the values the other members change.
static void read_members(Loader *loader, const MemberList *members)
{
    Str *keys = arena_new(loader->arena, Str, (size_t)members->count + 1);
    for (int64_t i = 0; i < members->count; i++) {
        const Member *member = &members->items[i];
        Str key = str_slice(loader->text, member->key_start, member->key_end);
        keys[i] = decode(loader->arena, key).text;
        if (str_equal(keys[i], STR("base")) && !earlier_member(members, keys, i))
            read_base(loader, member);
    }
    loader->machine->name = "custom";
    for (int64_t i = 0; i < members->count; i++) {
        const Member *member = &members->items[i];
        const Member *first = earlier_member(members, keys, i);
        if (first)
            report_repeated(loader, member, first, keys[i]);
        else if (str_equal(keys[i], STR("name")))
            read_name(loader, member);
        else if (!str_equal(keys[i], STR("base")))
            read_field(loader, member, keys[i]);
    }
}

// ---- The text as a whole ----

static void report_json_error(Loader *loader, const json_error_t *error)
{
    int64_t end = max_i64(min_i64(error->position, loader->text.len), 0);
    bool huge = json_error_code(error) == json_error_numeric_overflow;
    diag_add(loader->diags, huge ? DIAG_MACHINE_VALUE : DIAG_MACHINE_SYNTAX,
             ((Span){loader->source, max_i64(end - 1, 0), end}), "{}",
             error->text[0] ? error->text : "this is not JSON");
    loader->ok = false;
}

// Is the text JSON, and an object?
static bool check_syntax(Loader *loader)
{
    // Integers are read as reals here: one that is too large is reported with its field later.
    json_error_t error;
    json_t *json = json_loadb(loader->text.data, (size_t)loader->text.len,
                              JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL, &error);
    bool is_object = json_is_object(json);
    bool is_json = json != NULL;
    json_decref(json);
    if (!is_json) {
        report_json_error(loader, &error);
    } else if (!is_object) {
        int64_t start = skip_blanks(loader->text, 0);
        diag_add(loader->diags, DIAG_MACHINE_SYNTAX,
                 ((Span){loader->source, start, skip_value(loader->text, start)}),
                 "a machine is a JSON object: `{{ \"FIELD\": VALUE, .. }`");
    }
    return is_object;
}

// The text may be anything: Jansson judges it first. Fields are checked one by one as they are
// read, relations between them at the end, when the machine is complete; so each mistake is
// reported once.
bool machine_parse_json(Arena *arena, Str json_text, int32_t source, DiagList *diags, Machine *out)
{
    Machine machine = machine_rngd;
    Loader loader = {.arena = arena,
                     .diags = diags,
                     .text = json_text.data ? json_text : STR(""),
                     .source = source,
                     .machine = &machine,
                     .ok = true};
    for (int64_t i = 0; i < MACHINE_FIELD_COUNT; i++)
        loader.origins[i].span = SPAN_NOWHERE;
    if (!check_syntax(&loader))
        return false;
    MemberList members = scan_members(arena, json_text);
    if (members.count > MEMBERS_MAX) {
        diag_add(diags, DIAG_MACHINE_FIELD, key_span(&loader, &members.items[MEMBERS_MAX]),
                 "{} members are given, but a machine has {} fields", members.count,
                 MACHINE_FIELD_COUNT);
        return false;
    }
    read_members(&loader, &members);
    loader.ok &= machine_check_relations(&machine, loader.origins, diags);
    if (loader.ok)
        *out = machine;
    return loader.ok;
}

// ---- The file ----

bool machine_load(Arena *arena, SourceList *sources, Str path, DiagList *diags, Machine *out)
{
    Str text;
    if (!file_read_most(arena, path, FILE_BYTES_MAX, &text)) {
        diag_add(diags, DIAG_FILE_UNREADABLE, SPAN_NOWHERE, "cannot read `{}`: {}", path,
                 errno == EFBIG ? "a machine file has at most 1 MiB" : strerror(errno));
        return false;
    }
    *array_push(arena, sources, Source) = (Source){.name = str_copy(arena, path), .text = text};
    return machine_parse_json(arena, text, (int32_t)(sources->count - 1), diags, out);
}

// ---- As text ----

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
        buf_format(&buf, "{}", machine_value(machine, field));
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

// A table of all fields, each column as wide as its widest text, which is found first. The last
// one, the section of the manual, needs no width.
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

// Names hold no control characters (read_name sees to that), so two escapes suffice.
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
            buf_format(out, "{}", machine_value(machine, field));
            continue;
        }
        buf_add_char(out, '[');
        add_values(out, machine_list(machine, field));
        buf_add_char(out, ']');
    }
    buf_add(out, STR("\n}\n"));
}
