// What can be done with a kernel or a test, above it. How long a kernel takes is worked out when
// the client wants to show it.
#include "lsp/answer/answers.h"
#include "lsp/program/kernels.h"

typedef struct {
    const Query *query;
    json_t *list;
} LensWalk;

static json_t *argument_of(const Query *query, Decl *decl)
{
    return json_pack("{s:o, s:o}", "uri", json_of_str(query_uri(query, decl->span.source)), "name",
                     json_of_str(decl_path(query->arena, decl)));
}

static json_t *json_of_command(const char *title, const char *command, json_t *argument)
{
    return json_pack("{s:s, s:s, s:[o]}", "title", title, "command", command, "arguments",
                     argument);
}

static void add_lens(const LensWalk *walk, Decl *decl, const char *key, json_t *value)
{
    json_array_append_new(walk->list, json_pack("{s:o, s:o}", "range",
                                                query_range(walk->query, decl->span), key, value));
}

// "run with random inputs (row 2, scale 8)"
static const char *title_of(const Query *query, const char *start, const KernelNumbers *numbers)
{
    StrBuf title = {.arena = query->arena};
    buf_add(&title, str_from(start));
    for (int64_t i = 0; i < numbers->count; i++)
        buf_format(&title, "{}{} {}{}", i ? ", " : " (", numbers->items[i].name,
                   numbers->items[i].value, i + 1 < numbers->count ? "" : ")");
    return str_terminated(query->arena, buf_str(&title));
}

static json_t *argument_with(const Query *query, Decl *decl, const KernelNumbers *numbers)
{
    json_t *argument = argument_of(query, decl), *values = json_object();
    for (int64_t i = 0; i < numbers->count; i++)
        json_object_set_new(values, str_terminated(query->arena, numbers->items[i].name),
                            json_of_str(numbers->items[i].value));
    if (numbers->count)
        json_object_set(argument, "numbers", values);
    json_decref(values);
    return argument;
}

// One that takes numbers is run with those that the program launches it with.
static void add_kernel(const LensWalk *walk, Decl *kernel)
{
    const Query *query = walk->query;
    const Launches *launches = launches_of(query->analysis, kernel);
    for (int64_t i = 0; i < launches->count; i++) {
        const KernelNumbers *numbers = &launches->items[i];
        add_lens(walk, kernel, "command",
                 json_of_command(title_of(query, "run with random inputs", numbers), "contra.run",
                                 argument_with(query, kernel, numbers)));
        add_lens(walk, kernel, "data", argument_with(query, kernel, numbers));
    }
}

static void walk_node(void *own, AstNode node)
{
    const LensWalk *walk = own;
    const Query *query = walk->query;
    Decl *decl = node.kind == NODE_ITEM && node.item->kind == ITEM_FN
                     ? analysis_function(query->analysis, node.item)
                     : NULL;
    if (decl && item_is_kernel(node.item))
        add_kernel(walk, decl);
    if (decl && item_is_test(node.item))
        add_lens(walk, decl, "command",
                 json_of_command("test", "contra.test", argument_of(query, decl)));
    ast_children(node, walk_node, own);
}

json_t *answer_lenses(Query *query)
{
    LensWalk walk = {query, json_array()};
    analysis_items(query->analysis, query->source, walk_node, &walk);
    return walk.list;
}

// ---- cycles

static Decl *kernel_named(const Query *query, Str name)
{
    const Decls *functions = &query->analysis->lang->functions;
    for (int64_t i = 0; i < functions->count; i++) {
        Decl *decl = functions->items[i];
        if (decl->span.source == query->source && item_is_kernel(decl->item) &&
            str_equal(decl_path(query->arena, decl), name))
            return decl;
    }
    return NULL;
}

// 1234567 -> "1,234,567"
static void add_number(StrBuf *out, int64_t number)
{
    if (number >= 1000) {
        add_number(out, number / 1000);
        buf_format(out, ",{03}", (int)(number % 1000));
    } else {
        buf_format(out, "{}", (int)number);
    }
}

static KernelNumbers numbers_of(const Query *query, const json_t *argument)
{
    KernelNumbers numbers = {0};
    const char *name;
    json_t *value;
    json_object_foreach(json_object_get(argument, "numbers"), name, value) *
        array_push(query->arena, &numbers, KernelNumber) =
        (KernelNumber){str_from(name), str_of_json(value)};
    return numbers;
}

static const char *schedule_title(Query *query, const json_t *argument)
{
    KernelNumbers numbers = numbers_of(query, argument);
    StrBuf title = {.arena = query->arena};
    buf_add(&title, str_from(title_of(query, "show schedule", &numbers)));
    if (!query_open(query, str_at(argument, "uri")))
        return str_terminated(query->arena, buf_str(&title));
    analysis_enter(query->analysis);
    Decl *kernel = kernel_named(query, str_at(argument, "name"));
    const KernelCosts *costs =
        kernel ? kernel_costs(query, kernel_time(query->analysis, kernel, &numbers)) : NULL;
    if (costs && costs->cycles >= 0) {
        buf_add(&title, STR(" ("));
        add_number(&title, costs->cycles);
        buf_add(&title, STR(" cycles)"));
    }
    return str_terminated(query->arena, buf_str(&title));
}

json_t *answer_lens(Query *query)
{
    json_t *lens = json_deep_copy(query->params), *data = json_object_get(query->params, "data");
    if (json_is_object(data))
        json_object_set_new(
            lens, "command",
            json_of_command(schedule_title(query, data), "contra.schedule", json_incref(data)));
    return lens;
}
