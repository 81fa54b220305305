// Documents of schedules, and pages with one in them, as a comparison needs them.
#include "schedule/compare_rows.h"

#include "base/checked.h"
#include "schedule/export.h"

#include <string.h>

static bool refuse(const ScheduleSource *source, DiagList *diags, const char *why)
{
    diag_add(diags, DIAG_SCHEDULE_FILE, SPAN_NOWHERE, "`{}` is no schedule: {}", source->name, why);
    return false;
}

// Sums of the numbers of a document stay in 64 bits.
enum { MOST_OPERATIONS = 1 << 22 };
static const int64_t most_cycles = INT64_C(1) << 40;

static bool is_count(const json_t *value, int64_t most)
{
    return json_is_integer(value) && json_integer_value(value) >= 0 &&
           json_integer_value(value) <= most;
}

const json_t *document_field(const Document *document, const json_t *operation, const char *key)
{
    const json_t *own = json_object_get(operation, key), *kind = json_object_get(operation, "kind");
    if (own || !json_is_integer(kind) || json_integer_value(kind) < 0)
        return own;
    return json_object_get(json_array_get(document->kinds, (size_t)json_integer_value(kind)), key);
}

bool document_is_cycles(const json_t *value)
{
    return is_count(value, most_cycles);
}

int64_t document_number(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

const char *document_text(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static bool operation_is_whole(const Document *document, const json_t *operation)
{
    const json_t *source = document_field(document, operation, "source");
    const json_t *begin = json_object_get(operation, "begin");
    const json_t *end = json_object_get(operation, "end");
    return is_count(begin, most_cycles) && is_count(end, most_cycles) &&
           json_integer_value(begin) <= json_integer_value(end) && is_count(source, INT64_MAX) &&
           json_is_string(json_array_get(document->texts, (size_t)json_integer_value(source))) &&
           json_is_string(document_field(document, operation, "method"));
}

static bool check_operations(const ScheduleSource *source, DiagList *diags,
                             const Document *document)
{
    enum { WHY_BYTES = 80 };
    char why[WHY_BYTES];
    if (json_array_size(document->operations) > MOST_OPERATIONS)
        return refuse(source, diags, "it has too many operations");
    for (size_t i = 0; i < json_array_size(document->operations); i++)
        if (!operation_is_whole(document, json_array_get(document->operations, i))) {
            snprintf(why, sizeof why, "operation %zu lacks something", i);
            return refuse(source, diags, why);
        }
    return true;
}

// Why it is no schedule that can be read here. NULL: it is one, as far as that shows at once.
static const char *why_not(const Document *document)
{
    const char *format = json_string_value(json_object_get(document->root, "format"));
    const json_t *version = json_object_get(document->root, "version");
    if (!format || strcmp(format, "contra-schedule") != 0)
        return "it does not say \"format\": \"contra-schedule\"";
    if (!json_is_integer(version) || json_integer_value(version) < 1)
        return "it lacks `version`";
    if (json_integer_value(version) > SCHEDULE_VERSION)
        return "it is of a newer version: compare it with the contra that wrote it";
    if (!json_is_array(document->texts) || !json_is_array(document->operations) ||
        !is_count(json_object_get(document->root, "cycles"), most_cycles))
        return "it lacks `cycles`, `texts` or `operations`";
    return NULL;
}

// A page has its schedule in it, in which no `<` stands. Without one: the text as it is.
static Str schedule_in(Str text)
{
    const Str mark = STR("<script type=\"application/json\" id=\"schedule\">");
    int64_t at = str_starts_with(str_trim(text), STR("<")) ? str_find(text, mark) : -1;
    if (at < 0)
        return text;
    Str rest = str_slice(text, at + mark.len, text.len);
    int64_t end = str_find(rest, STR("<"));
    return end < 0 ? rest : str_slice(rest, 0, end);
}

bool document_read(const ScheduleSource *source, DiagList *diags, Document *document)
{
    enum { WHY_BYTES = 300 };
    json_error_t error;
    char why[WHY_BYTES];
    Str text = schedule_in(source->text);
    document->root = json_loadb(text.data ? text.data : "", (size_t)text.len, 0, &error);
    if (!document->root) {
        snprintf(why, sizeof why, "line %d: %s", error.line, error.text);
        return refuse(source, diags, why);
    }
    document->texts = json_object_get(document->root, "texts");
    document->kinds = json_object_get(document->root, "kinds");
    document->operations = json_object_get(document->root, "operations");
    if (why_not(document))
        return refuse(source, diags, why_not(document));
    return check_operations(source, diags, document);
}
