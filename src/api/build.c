// Programs that are built by calls: their life, and how their lines are read.
#include "api/build.h"
#include "api/sized.h"

#include "engine/lower/lower.h"

// ---- life

static void leave_list(ContraProgram **link, const ContraProgram *program)
{
    while (*link != program)
        link = &(*link)->next;
    *link = program->next;
}

ContraStatus contra_program_new(Contra *contra, const char *name, int64_t chips,
                                const ContraCheckOptions *options, ContraProgram **program)
{
    CONTRA_GIVES(program, NULL);
    CONTRA_ENTER(contra);
    CONTRA_NEEDS(contra, program && name, "`name` and `program`");
    ContraProgram *made = arena_new(&contra->arena, ContraProgram, 1);
    *made =
        (ContraProgram){.contra = contra, .next = contra->building, .own.on_oom = &contra->on_oom};
    contra->building = made;
    Arena *own = &made->own;
    made->machine = keep_machine(contra);
    made->treatments = arena_new(own, DiagTreatment, DIAG_CODE_COUNT);
    ContraCheckOptions whole;
    if (!sized_take(contra, SIZED_ContraCheckOptions, options, &whole) ||
        !options_open(contra, &whole, made->treatments, &made->options)) {
        leave_list(&contra->building, made);
        arena_release(own);
        return CONTRA_INVALID;
    }
    made->options.machine = made->machine;
    made->source = add_source(contra, contra_text(name), NO_TEXT);
    made->builder = builder_new(own, &contra->diags, &made->options);
    made->reader = (Reader){.builder = made->builder,
                            .arena = own,
                            .diags = &contra->diags,
                            .source = made->source,
                            .by_calls = true,
                            .words = {.arena = own}};
    made->text.arena = made->names.arena = made->params.arena = made->given_texts.arena = own;
    *program = made;
    bool known = chips != CONTRA_UNKNOWN;
    ContraStatus status =
        build_line(made,
                   PARTS(TEXT("program"), NAME(name), TEXT(known ? " chip=" : NULL),
                         {.write = known ? line_int : NULL, .number = chips}),
                   NULL);
    made->unopened = made->reader.lost = status != CONTRA_OK; // the rest is silent then
    return status;
}

static void free_builder(ContraProgram *program)
{
    if (program->builder)
        builder_free(program->builder);
    program->builder = NULL;
}

// The program is finished; it stays as it is until the Contra is freed.
static void keep_program(ContraProgram *program)
{
    Contra *contra = program->contra;
    leave_list(&contra->building, program);
    free_builder(program);
    program->next = contra->built;
    contra->built = program;
}

// The program is abandoned. Its lines stay if a diagnostic shows some of them, and so do mappings
// that were lent.
static void drop_program(ContraProgram *program)
{
    Contra *contra = program->contra;
    Source *source = &contra->sources.items[program->source];
    source->text = program->is_shown ? str_copy(&contra->arena, source->text) : (Str){0};
    program->text = (StrBuf){0};
    program->is_interleaved = false;
    keep_program(program);
    if (program->is_lent)
        return;
    leave_list(&contra->built, program);
    arena_release(&program->own);
}

static ContraStatus abandon(ContraProgram *program)
{
    PROGRAM_ENTER(program);
    drop_program(program);
    return CONTRA_OK;
}

void contra_program_abandon(ContraProgram *program)
{
    if (program && program->builder)
        abandon(program);
}

void build_release(Contra *contra)
{
    while (contra->building)
        keep_program(contra->building);
    for (ContraProgram *program = contra->built; program; program = program->next)
        arena_release(&program->own);
}

static void add_kernel(Contra *contra, Program *program, ContraText file, int64_t *kernel)
{
    *array_push(&contra->arena, &contra->programs, Program *) = program;
    *array_push(&contra->arena, &contra->kernels, Kernel) =
        (Kernel){.name = str_from(program->name), .file = str_of(file), .program = program};
    *kernel = contra->kernels.count - 1;
}

// ---- passes under way

static void reader_enter(Reader *reader, const ContraStream *stream)
{
    reader->pass = stream->pass;
    reader->pass_span = stream->span;
    reader->pass_broken = reader->pass_lost = stream->is_broken; // what was wrong has been said
}

// Marks a pass that cannot go on; the reason has been reported.
static void break_pass(ContraStream *stream)
{
    stream->is_broken = true;
    if (stream->pass)
        builder_give_up(stream->pass);
}

// Streams that nobody stored are reported where they began, but for those that were refused.
static void end_passes(ContraProgram *program)
{
    const DiagList *diags = &program->contra->diags;
    int64_t before = diags->count;
    for (int64_t i = 0; i < program->streams.count; i++) {
        if (program->streams.items[i]->refused)
            continue;
        reader_enter(&program->reader, program->streams.items[i]);
        text_end_pass(&program->reader);
    }
    program->is_shown |= diags->count > before;
}

// ---- lines

static void open_line(ContraProgram *program)
{
    DiagList *diags = &program->contra->diags;
    diags->treatments = program->treatments;
    program->errors_before = diags->error_count;
    program->diags_before = diags->count;
    program->depends_on_refused = program->unopened;
    program->declares = program->line_refused = false;
    program->start = program->text.len;
}

// Remembers that the line at hand is one of a pass whose lines so far end with stretch `last`.
static int64_t add_to_stretch(ContraProgram *program, int64_t last, bool in_pass)
{
    int64_t count = program->stretches.count;
    bool goes_on =
        in_pass ? last == count && last : count && !program->stretches.items[count - 1].in_pass;
    if (goes_on)
        return count;
    *array_push(&program->own, &program->stretches, BuildStretch) =
        (BuildStretch){program->start, last, in_pass};
    program->is_interleaved |= last != 0;
    return count + 1;
}

// Reads the current line. False: it has no effect, and a diagnostic says why.
static bool read_text(ContraProgram *program)
{
    Reader *reader = &program->reader;
    buf_add_char(&program->text, '\n');
    reader->text = buf_str(&program->text);
    reader->at = program->start;
    reader->line_end = reader->text.len - 1;
    reader->failed = reader->useless = false;
    if (program->line_refused)
        reader->broken = true;
    else
        text_statement(reader, &program->programs);
    return !program->line_refused && !reader->useless;
}

// `stream`: the pass that the line belongs to, starts or leaves open; NULL: none.
static bool read_line(ContraProgram *program, ContraStream *stream)
{
    Reader *reader = &program->reader;
    if (!stream) {
        reader->pass = NULL;
        add_to_stretch(program, 0, false);
        return read_text(program);
    }
    stream->stretch = add_to_stretch(program, stream->stretch, true);
    reader_enter(reader, stream);
    bool ok = read_text(program);
    stream->pass = reader->pass;
    stream->span = reader->pass_span;
    if (reader->pass_broken || program->line_refused)
        break_pass(stream);
    reader->pass = NULL;
    return ok;
}

// True: neither the line nor a rule about it was refused.
static bool close_line(ContraProgram *program, ContraStream *stream)
{
    Contra *contra = program->contra;
    bool is_read = read_line(program, stream);
    contra->sources.items[program->source].text = buf_str(&program->text);
    contra->diags.treatments = contra->treatments;
    bool ok = is_read && contra->diags.error_count == program->errors_before &&
              !program->depends_on_refused && !(stream && stream->refused);
    if (stream)
        stream->refused |= !ok;
    program->refused |= !ok;
    program->is_shown |= contra->diags.count > program->diags_before;
    return ok;
}

// Of a line without effect, the tensor it should have declared is known to be wrong.
static ContraTensor *make_tensor(ContraProgram *program, bool refused)
{
    ContraTensor *tensor = arena_new(&program->contra->arena, ContraTensor, 1);
    *tensor = (ContraTensor){program, program->label_count++, refused};
    if (refused)
        text_poison_label(&program->reader, str_format(&program->own, "{}", tensor->label),
                          SPAN_NOWHERE);
    return tensor;
}

static ContraStatus build(ContraProgram *program, ContraStream *stream, const Part *parts,
                          ContraTensor **made)
{
    CONTRA_GIVES(made, NULL);
    PROGRAM_ENTER(program);
    open_line(program);
    line_parts(program, &(Part){.data = parts});
    bool ok = close_line(program, stream);
    ContraTensor *tensor = program->declares ? make_tensor(program, !ok) : NULL;
    CONTRA_GIVES(made, tensor);
    return ok ? CONTRA_OK : CONTRA_INVALID;
}

ContraStatus build_line(ContraProgram *program, const Part *parts, ContraTensor **made)
{
    return build(program, NULL, parts, made);
}

ContraStatus build_stage(ContraStream *stream, const Part *parts, ContraTensor **made)
{
    return build(stream ? stream->program : NULL, stream, parts, made);
}

ContraStatus build_refuse(ContraStream *stream)
{
    stream->refused = stream->program->refused = true;
    break_pass(stream);
    return CONTRA_INVALID;
}

ContraStatus build_refuse_closed(const ContraProgram *program)
{
    Contra *contra = program->contra;
    return request_refuse(contra, DIAG_ARGUMENT_UNFIT,
                          "the program `{}` is finished or abandoned: no call can be for it",
                          contra->sources.items[program->source].name);
}

// A call without a place for what it gives back.
static ContraStatus refuse_null(ContraProgram *program, const char *function, const char *what)
{
    PROGRAM_ENTER(program);
    return refuse_argument(program->contra, function, what);
}

static ContraStatus open_stream(ContraProgram *program, ContraStream **stream)
{
    PROGRAM_ENTER(program);
    ContraStream *made = arena_new(&program->contra->arena, ContraStream, 1);
    made->program = program;
    *array_push(&program->own, &program->streams, ContraStream *) = made;
    *stream = made;
    return CONTRA_OK;
}

ContraStatus build_begin(ContraProgram *program, const char *context, const Part *parts,
                         ContraStream **stream)
{
    CONTRA_GIVES(stream, NULL);
    if (!stream)
        return refuse_null(program, "a function that begins a pass", "`stream`");
    ContraStatus status = open_stream(program, stream);
    if (status != CONTRA_OK)
        return status;
    status = build_stage(*stream, PARTS(TEXT("pass"), OP("the context", context)), NULL);
    return status == CONTRA_NO_MEMORY ? status : build_stage(*stream, parts, NULL);
}

ContraProgram *build_program_of(const ContraTensor *tensor)
{
    return tensor ? tensor->program : NULL;
}

// ---- the end

static ContraStatus write_end(ContraProgram *program, bool *ended)
{
    PROGRAM_ENTER(program);
    end_passes(program);
    *ended = !program->reader.broken;
    return build_line(program, PARTS(TEXT("end")), NULL);
}

// Tensors without addresses must have room beside those that have one, or the program cannot be
// compiled. Where no memory counts, or what is too large for one only warns, nobody asks for it.
static bool has_room(ContraProgram *program)
{
    Contra *contra = program->contra;
    bool counts = program->options.memory == MEMORY_REAL &&
                  program->options.rule_set == RULES_CONTRA &&
                  program->treatments[DIAG_TENSOR_CAPACITY] == TREAT_AS_IS;
    Program *made = program->programs.items[0];
    ArenaMark mark = arena_mark(&contra->scratch); // there may be results in it
    Lower lower = {&contra->arena, &contra->scratch, &contra->diags, program->machine, made};
    bool fits = !counts || lower_has_room(&lower, made);
    arena_reset(&contra->scratch, mark);
    return fits;
}

static ContraStatus make_kernel(ContraProgram *program, bool ended, int64_t *kernel)
{
    PROGRAM_ENTER(program);
    Contra *contra = program->contra;
    bool refused = !ended || program->refused;
    if (refused || !has_room(program)) {
        program->is_shown |= !refused;
        drop_program(program);
        return CONTRA_INVALID;
    }
    keep_program(program);
    add_kernel(contra, program->programs.items[0],
               text_of(contra->sources.items[program->source].name), kernel);
    if (program->options.memory == MEMORY_DETACHED) { // only the oracle can run it
        contra->settings++;
        contra->builder_options.memory = MEMORY_DETACHED;
    }
    return CONTRA_OK;
}

ContraStatus contra_program_finish(ContraProgram *program, int64_t *kernel)
{
    bool ended = false;
    if (!kernel)
        return refuse_null(program, __func__, "`kernel`");
    *kernel = -1;
    ContraStatus status = write_end(program, &ended);
    bool is_open = program && program->builder && status != CONTRA_NO_MEMORY;
    return is_open ? make_kernel(program, ended, kernel) : status;
}

// ---- all lines

static Str stretch_text(const ContraProgram *program, int64_t number)
{
    bool last = number == program->stretches.count;
    int64_t end = last ? program->text.len : program->stretches.items[number].start;
    return str_slice(buf_str(&program->text), program->stretches.items[number - 1].start, end);
}

// The lines as a text that reads as the same program. It keeps the lines of a pass together, where
// its last line stands and the pass takes effect.
static Str lines_in_order(const ContraProgram *program, Arena *arena)
{
    const BuildStretch *stretches = program->stretches.items;
    int64_t count = program->stretches.count;
    StrBuf lines = {.arena = arena};
    int64_t *next = arena_new(arena, int64_t, (size_t)count + 1); // 0: it is the last of its pass
    for (int64_t i = 1; i <= count; i++)
        next[stretches[i - 1].before] = i;
    for (int64_t i = 1; i <= count; i++) {
        int64_t first = i;
        if (next[i])
            continue;
        while (stretches[first - 1].before)
            first = stretches[first - 1].before;
        for (; first; first = next[first])
            buf_add(&lines, stretch_text(program, first));
    }
    return buf_str(&lines);
}

ContraText contra_program_lines(const ContraProgram *program)
{
    if (!program)
        return NO_TEXT;
    CONTRA_ENTER_FOR(program->contra, NO_TEXT, NO_TEXT);
    return text_of(program->is_interleaved ? lines_in_order(program, &program->contra->arena)
                                           : buf_str(&program->text));
}
