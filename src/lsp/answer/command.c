// Commands that lenses offer: running a kernel, a test, showing a schedule. Each reads the program
// anew, as the editor has it, in a process of its own where there is one to have: whatever a
// program does, the server goes on.
#include "lsp/answer/answers.h"

#include "base/checked.h"
#include "run/run.h"

#include <stdlib.h>

enum { USUAL_SECONDS = 60, MOST_SECONDS = 3600, MOST_OUTPUT = 1 << 16, MOST_MESSAGE = 4000 };

typedef struct Work {
    Query *query;
    json_t *(*run)(struct Work *work);
    Contra *contra;
    const json_t *argument;
    Str path, name;        // of the file and of the function in it
    ContraText root;       // of the program
    const json_t *numbers; // of a kernel, by name: texts, numbers, truths
    int seconds;           // that it may take
    double deadline;
    StrBuf output; // what the program printed
} Work;

// What is wrong, as `contra` says it.
static json_t *refuse(Work *work, ContraStatus status)
{
    Str why = status == CONTRA_CANCELLED
                  ? str_format(work->query->arena,
                               "`{}` takes more than {} s: run it with `contra` in a terminal",
                               work->name, work->seconds)
              : status == CONTRA_NO_MEMORY ? STR("there is not enough memory for that")
                                           : str_of(contra_diagnostics(work->contra, CONTRA_PLAIN));
    if (!why.len)
        why = str_format(work->query->arena, "there is no `{}`", work->name);
    return json_pack("{s:b, s:o}", "ok", 0, "message", json_of_str(str_trim(why)));
}

// ---- the program

static bool read_document(void *own, ContraText path, ContraText *text)
{
    const Document *document = server_document_at(own, str_of(path));
    if (document)
        *text = text_of(document->text.text);
    return document != NULL;
}

static bool is_late(void *own)
{
    const Work *work = own;
    const Server *server = work->query->server;
    return server->tools.seconds && server->tools.seconds() > work->deadline;
}

static void take_output(void *own, ContraText text)
{
    Work *work = own;
    int64_t room = MOST_OUTPUT - work->output.len;
    buf_add(&work->output, (Str){text.data, min_i64(text.length, max_i64(room, 0))});
}

static ContraRunOptions run_options(Work *work)
{
    ContraRunOptions options = contra_run_options();
    options.random = true;
    options.is_cancelled = is_late;
    options.print = take_output;
    options.own = work;
    return options;
}

// The number of the kernel; -1: there is none of that name.
static int64_t find_kernel(const Work *work)
{
    const Kernel *kernel;
    for (int64_t i = 0; (kernel = kernel_at(work->contra, i)); i++)
        if (str_equal(kernel->name, work->name) && str_equal(kernel->file, work->path))
            return i;
    return -1;
}

static Str text_of_number(Arena *arena, const json_t *value)
{
    if (json_is_boolean(value))
        return json_is_true(value) ? STR("true") : STR("false");
    if (json_is_integer(value))
        return str_format(arena, "{}", (long long)json_integer_value(value));
    return json_is_real(value) ? str_format(arena, "{.17g}", json_real_value(value))
                               : str_of_json(value);
}

typedef struct {
    ARRAY(ContraInput);
} Inputs;

static Inputs inputs_of(const Work *work)
{
    Arena *arena = work->query->arena;
    Inputs inputs = {0};
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)work->numbers, name, value) *
        array_push(arena, &inputs, ContraInput) =
        (ContraInput){.name = text_of(str_from(name)),
                      .is_number = true,
                      .number = text_of(text_of_number(arena, value))};
    return inputs;
}

static ContraStatus load_kernel(const Work *work, int64_t *kernel)
{
    ContraStatus status = contra_load(work->contra, &work->root, 1, NULL);
    if (status != CONTRA_OK)
        return status;
    if (setjmp(work->contra->on_oom))
        return CONTRA_NO_MEMORY;
    *kernel = find_kernel(work);
    return *kernel < 0 ? CONTRA_INVALID : CONTRA_OK;
}

// ---- contra.run

// Whole numbers of up to 53 bits are shown as such.
static bool is_whole(double value)
{
    return value > -0x1p53 && value < 0x1p53 && value == (double)(int64_t)value;
}

static json_t *json_of_number(double value)
{
    json_t *number = is_whole(value) ? json_integer((json_int_t)value) : json_real(value);
    return number ? number : json_null(); // what is no number, JSON has not
}

// Elements that nobody wrote have no value.
static bool is_written(const ContraOutput *output, int64_t at)
{
    return !output->initialised || output->initialised[at];
}

static json_t *json_of_output(const ContraOutput *output)
{
    enum { SHOWN = 8 };
    int64_t count = contra_array_count(&output->array);
    json_t *shape = json_array(), *first = json_array();
    for (int64_t i = 0; i < output->array.rank; i++)
        json_array_append_new(shape, json_integer(output->array.shape[i]));
    for (int64_t i = 0; i < count && i < SHOWN; i++)
        json_array_append_new(first, is_written(output, i)
                                         ? json_of_number(contra_array_value(&output->array, i))
                                         : json_null());
    return json_pack("{s:o, s:o, s:o, s:o, s:I}", "name", json_of_str(str_of(output->param.name)),
                     "type", json_of_str(str_of(output->param.type)), "shape", shape, "first",
                     first, "uninitialised", (json_int_t)output->uninitialised);
}

// "result: i32 (4096,) 5, 6, 7, .."
static void add_output(StrBuf *out, const ContraOutput *output)
{
    enum { SHOWN = 6 };
    int64_t count = contra_array_count(&output->array);
    buf_format(out, "\n{}: {} (", ((Str){output->param.name.data, output->param.name.length}),
               ((Str){output->param.type.data, output->param.type.length}));
    for (int64_t i = 0; i < output->array.rank; i++)
        buf_format(out, "{}{}", i ? ", " : "", output->array.shape[i]);
    buf_add(out, output->array.rank == 1 ? STR(",)") : STR(")"));
    for (int64_t i = 0; i < count && i < SHOWN; i++) {
        double value = contra_array_value(&output->array, i);
        if (!is_written(output, i)) {
            buf_add(out, i ? STR(", ?") : STR(" ?"));
            continue;
        }
        buf_format(out, is_whole(value) ? "{}{.0f}" : "{}{.6g}", i ? ", " : " ", value);
    }
    buf_add(out, count > SHOWN ? STR(", ..") : STR(""));
}

// What the run itself warns of: the rest the editor shows already.
static void add_warnings(StrBuf *out, const DiagList *diags)
{
    for (int64_t i = 0; i < diags->count; i++)
        if (diags->items[i]->code == DIAG_OUTPUT_UNINITIALISED)
            buf_format(out, "\nwarning[{}]: {}", diag_infos[diags->items[i]->code].code,
                       diags->items[i]->message);
}

static json_t *run_kernel(Work *work)
{
    int64_t kernel, count;
    const ContraOutput *outputs;
    ContraRunOptions options = run_options(work);
    options.narrow_as_f32 = true;
    Inputs inputs = inputs_of(work);
    ContraStatus status = load_kernel(work, &kernel);
    if (!status)
        status = contra_run_kernel(work->contra, kernel, inputs.items, inputs.count, &options,
                                   &outputs, &count);
    if (status)
        return refuse(work, status);
    StrBuf text = {.arena = work->query->arena};
    json_t *list = json_array();
    buf_format(&text, "`{}` ran with random inputs", work->name);
    for (int64_t i = 0; i < count; i++) {
        add_output(&text, &outputs[i]);
        json_array_append_new(list, json_of_output(&outputs[i]));
    }
    add_warnings(&text, &work->contra->diags);
    return json_pack("{s:b, s:o, s:o}", "ok", 1, "message", json_of_str(buf_str(&text)), "outputs",
                     list);
}

// ---- contra.test

static bool ends_in_name(Str whole, Str name)
{
    return str_ends_with(whole, name) &&
           (whole.len == name.len || whole.data[whole.len - name.len - 1] == ':');
}

static int64_t find_test(const Work *work)
{
    int64_t count = contra_test_count(work->contra);
    for (int64_t i = 0; i < count; i++) {
        ContraTest test = contra_test_info();
        if (contra_test(work->contra, i, &test) == CONTRA_OK &&
            ends_in_name(str_of(test.name), work->name) && str_equal(str_of(test.file), work->path))
            return i;
    }
    return -1;
}

static json_t *run_test(Work *work)
{
    ContraTestResult result = contra_test_result();
    ContraRunOptions options = run_options(work);
    options.random = false;
    options.sanitize = true;
    ContraStatus status = contra_check_types(work->contra, &work->root, 1, NULL);
    int64_t test = status ? -1 : find_test(work);
    if (test < 0)
        return refuse(work, status ? status : CONTRA_INVALID);
    status = contra_test_run(work->contra, test, &options, &result);
    if (status && status != CONTRA_INVALID)
        return refuse(work, status);
    StrBuf text = {.arena = work->query->arena};
    buf_format(&text, "test `{}` {}", work->name, result.passed ? "passed" : "failed");
    if (!result.passed)
        buf_format(&text, "\n{}", str_of(contra_diagnostics(work->contra, CONTRA_PLAIN)));
    Str message = str_trim(buf_str(&text));
    return json_pack("{s:b, s:o, s:o}", "ok", result.passed, "message", json_of_str(message),
                     "output", json_of_str(buf_str(&work->output)));
}

// ---- contra.schedule

static ContraStatus make_schedule(const Work *work, ContraSchedule **schedule)
{
    int64_t kernel;
    ContraObject *object;
    Inputs inputs = inputs_of(work);
    ContraStatus status = load_kernel(work, &kernel);
    if (!status)
        status = contra_compile(work->contra, kernel, inputs.items, inputs.count, &object);
    return status ? status : contra_schedule(work->contra, object, NULL, schedule);
}

// The page: in a file for the browser, or (`"form": "html"`) for a panel of the editor, or
// (`"form": "text"`) none.
static void add_page(const Work *work, json_t *result, ContraText schedule)
{
    enum { PATH_ROOM = 4096 };
    const ServerTools *tools = &work->query->server->tools;
    Str form = str_at(work->argument, "form");
    char path[PATH_ROOM];
    size_t length = 0;
    bool has_page = tools->page && !str_equal(form, STR("text"));
    char *page = has_page ? tools->page(schedule, &length) : NULL;
    if (page && str_equal(form, STR("html"))) {
        json_object_set_new(result, "html", json_stringn(page, length));
    } else if (page && tools->keep && tools->keep(page, length, path, sizeof path)) {
        Str uri = uri_of_path(work->query->arena, str_from(path));
        json_object_set_new(result, "uri", json_of_str(uri));
        Str text = str_format(work->query->arena, "the schedule of `{}`, until the server ends: {}",
                              work->name, path);
        json_object_set_new(result, "message", json_of_str(text));
    }
    free(page);
}

static json_t *show_schedule(Work *work)
{
    ContraSchedule *schedule;
    ContraText json, summary;
    ContraScheduleTextOptions form = contra_schedule_text_options();
    form.form = CONTRA_SCHEDULE_JSON;
    ContraStatus status = make_schedule(work, &schedule);
    if (!status)
        status = contra_schedule_text(work->contra, schedule, &form, &json);
    if (!status)
        status = contra_schedule_text(work->contra, schedule, NULL, &summary);
    if (status)
        return refuse(work, status);
    json_t *result = json_pack("{s:b, s:I, s:o}", "ok", 1, "cycles",
                               (json_int_t)contra_schedule_cycles(schedule), "summary",
                               json_of_str(str_of(summary)));
    add_page(work, result, json);
    return result;
}

// ---- all

static const struct {
    const char *name, *doing;
    json_t *(*run)(Work *work);
} commands[] = {
    {"contra.run", "Running", run_kernel},
    {"contra.schedule", "Scheduling", show_schedule},
    {"contra.test", "Testing", run_test},
};

json_t *command_names(void)
{
    json_t *list = json_array();
    for (size_t i = 0; i < COUNT_OF(commands); i++)
        json_array_append_new(list, json_string(commands[i].name));
    return list;
}

static json_t *do_work(Work *work)
{
    const ServerTools *tools = &work->query->server->tools;
    work->contra = contra_new();
    work->deadline = (tools->seconds ? tools->seconds() : 0) + work->seconds;
    work->output.arena = work->query->arena;
    if (!work->contra)
        longjmp(work->query->server->on_oom, 1);
    contra_set_words(work->contra, CONTRA_WORDS_COMMANDS);
    contra_use_files(work->contra, read_document, work->query->server);
    json_t *result = work->run(work);
    contra_free(work->contra);
    return result;
}

// Without memory a process of its own says nothing: the way out of the server's is not for it.
static char *work_as_text(void *own)
{
    Work *work = own;
    if (setjmp(work->query->server->on_oom))
        return NULL;
    json_t *result = do_work(work);
    char *text = json_dumps(result, JSON_COMPACT);
    json_decref(result);
    return text;
}

// ---- messages

enum { MESSAGE_ERROR = 1, MESSAGE_INFO = 3 };

static void show_message(Server *server, const json_t *result)
{
    Str text = str_at(result, "message");
    bool is_well = json_is_true(json_object_get(result, "ok"));
    if (text.len > MOST_MESSAGE)
        text = str_format(&server->arena, "{}..", ((Str){text.data, MOST_MESSAGE}));
    if (text.len)
        server_notify(server, "window/showMessage",
                      json_pack("{s:i, s:o}", "type", is_well ? MESSAGE_INFO : MESSAGE_ERROR,
                                "message", json_of_str(text)));
}

json_t *command_result(Server *server, const char *text)
{
    json_t *result = text ? json_loads(text, 0, NULL) : NULL;
    if (!result)
        result = json_pack("{s:b, s:s}", "ok", 0, "message",
                           "it took too long, or more memory than there is");
    show_message(server, result);
    return result;
}

static json_t *run_command(Work *work, const char *doing)
{
    enum { GRACE_SECONDS = 5 }; // it ends by itself, if it can
    Query *query = work->query;
    if (!query->server->tools.start) {
        json_t *result = do_work(work);
        show_message(query->server, result);
        return result;
    }
    Str title = str_format(query->arena, "{} {}", doing, work->name);
    if (!job_start(query, str_terminated(query->arena, title),
                   (ServerJob){.work = work_as_text,
                               .own = work,
                               .seconds = work->seconds + GRACE_SECONDS}))
        query->error = "so much runs already that this cannot: wait for the end of something";
    return NULL;
}

json_t *answer_command(Query *query)
{
    Str name = str_at(query->params, "command");
    const json_t *argument = json_array_get(json_object_get(query->params, "arguments"), 0);
    Work work = {.query = query, .argument = argument};
    work.path = path_of_uri(query->arena, str_at(argument, "uri"));
    work.name = str_at(argument, "name");
    const Crate *crate = crate_reading(query->server, work.path);
    if (!crate || !work.name.len) {
        query->error = "a command needs the `uri` of a file that is open, and a `name` in it";
        return NULL;
    }
    work.root = text_of(crate->path);
    work.numbers = json_object_get(argument, "numbers");
    json_int_t seconds = json_integer_value(json_object_get(argument, "seconds"));
    work.seconds = seconds > 0 && seconds <= MOST_SECONDS ? (int)seconds : USUAL_SECONDS;
    for (size_t i = 0; i < COUNT_OF(commands); i++)
        if (str_equal(name, str_from(commands[i].name))) {
            work.run = commands[i].run;
            return run_command(&work, commands[i].doing);
        }
    query->error = "there is no such command";
    return NULL;
}
