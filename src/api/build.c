// The life of a program that is built: opened, written line by line, finished or abandoned.
#include "api/build.h"
#include "api/sized.h"

#include "engine/lower/lower.h"

#include <inttypes.h>

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
    if (program)
        *program = NULL;
    CONTRA_ENTER(contra);
    CONTRA_NEEDS(contra, program && name, "`name` and `program`");
    ContraProgram *made = arena_new(&contra->arena, ContraProgram, 1);
    *made =
        (ContraProgram){.contra = contra, .next = contra->building, .own.on_oom = &contra->on_oom};
    contra->building = made;
    made->machine = keep_machine(contra);
    made->treatments = arena_new(&made->own, DiagTreatment, DIAG_CODE_COUNT);
    ContraCheckOptions whole;
    if (!sized_take(contra, SIZED_ContraCheckOptions, options, &whole) ||
        !options_open(contra, &whole, made->treatments, &made->options)) {
        leave_list(&contra->building, made);
        arena_release(&made->own);
        return CONTRA_INVALID;
    }
    made->options.machine = made->machine;
    made->source = add_source(contra, contra_text(name), NO_TEXT);
    made->builder = builder_new(&made->own, &contra->diags, &made->options);
    made->writer = text_writer(made->builder, made->source);
    made->names = (Interner){.arena = &made->own};
    made->params = made->given_texts = (Map){.arena = &made->own};
    *program = made;
    bool known = chips != CONTRA_UNKNOWN;
    const Part parts[] = {TEXT("program"), NAME(name), TEXT(known ? " chip=" : NULL),
                          known ? (Part)INT(chips) : (Part)END_OF_LINE, END_OF_LINE};
    ContraStatus status = build_line(made, NULL, parts, NULL);
    made->unopened = made->writer.reader.lost = status != CONTRA_OK; // the rest is silent then
    return status;
}

static void free_builder(ContraProgram *program)
{
    if (program->builder)
        builder_free(program->builder);
    program->builder = NULL;
}

// What it was made of stays: it is a kernel now.
static void keep_program(ContraProgram *program)
{
    Contra *contra = program->contra;
    leave_list(&contra->building, program);
    free_builder(program);
    program->next = contra->built;
    contra->built = program;
}

// Only its lines stay, if a diagnostic shows some of them.
static void drop_program(ContraProgram *program)
{
    Contra *contra = program->contra;
    Source *source = &contra->sources.items[program->source];
    source->text = program->is_shown ? str_copy(&contra->arena, source->text) : (Str){0};
    leave_list(&contra->building, program);
    free_builder(program);
    program->writer = (TextWriter){0};
    if (!program->is_lent) {
        arena_release(&program->own);
        return;
    }
    program->next = contra->built;
    contra->built = program;
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

static void free_list(ContraProgram *program)
{
    for (; program; program = program->next) {
        free_builder(program);
        arena_release(&program->own);
    }
}

void build_release(Contra *contra)
{
    free_list(contra->building);
    free_list(contra->built);
}

static void add_kernel(Contra *contra, Program *program, ContraText file, int64_t *kernel)
{
    *array_push(&contra->arena, &contra->programs, Program *) = program;
    *array_push(&contra->arena, &contra->kernels, Kernel) =
        (Kernel){.name = str_from(program->name), .file = str_of(file), .program = program};
    *kernel = contra->kernels.count - 1;
}

// Streams that nobody stored are reported where they began, but for those that were refused.
static void end_passes(ContraProgram *program)
{
    const DiagList *diags = &program->contra->diags;
    int64_t before = diags->count;
    for (int64_t i = 0; i < program->streams.count; i++)
        if (!program->streams.items[i]->refused)
            writer_end_pass(&program->writer, &program->streams.items[i]->pass);
    program->is_shown |= diags->count > before;
}

// A call without a place for what it gives back.
static ContraStatus refuse_null(ContraProgram *program, const char *function, const char *what)
{
    PROGRAM_ENTER(program);
    return refuse_argument(program->contra, function, what);
}

static ContraStatus write_end(ContraProgram *program, bool *ended)
{
    PROGRAM_ENTER(program);
    end_passes(program);
    *ended = !program->writer.reader.broken;
    return build_line(program, NULL, (const Part[]){TEXT("end"), END_OF_LINE}, NULL);
}

// Tensors without addresses must have room beside those that have one, or the program cannot be
// compiled. Where no memory counts, or what is too large for one only warns, nobody asks for it.
static bool has_room(ContraProgram *program)
{
    Contra *contra = program->contra;
    bool counts = program->options.memory == MEMORY_REAL &&
                  program->options.rule_set == RULES_CONTRA &&
                  program->treatments[DIAG_TENSOR_CAPACITY] == TREAT_AS_IS;
    Program *made = program->writer.programs.items[0];
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
    add_kernel(contra, program->writer.programs.items[0],
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

ContraText contra_program_lines(const ContraProgram *program)
{
    if (!program)
        return NO_TEXT;
    CONTRA_ENTER_FOR(program->contra, NO_TEXT, NO_TEXT);
    return text_of(writer_lines(&program->writer, &program->contra->arena));
}

// ---- lines

static void open_line(ContraProgram *program)
{
    DiagList *diags = &program->contra->diags;
    diags->treatments = program->treatments;
    program->errors_before = diags->error_count;
    program->diags_before = diags->count;
    program->depends_on_refused = program->unopened;
    program->declares = false;
    line_begin(&program->writer);
}

// Of a line without effect, the tensor it should have declared is known to be wrong.
static ContraTensor *make_tensor(ContraProgram *program, bool refused)
{
    ContraTensor *tensor = arena_new(&program->contra->arena, ContraTensor, 1);
    *tensor = (ContraTensor){program, program->label_count++, refused};
    if (refused)
        text_poison_label(&program->writer.reader,
                          str_format(&program->own, "%" PRId64, tensor->label), SPAN_NOWHERE);
    return tensor;
}

// True: neither the line nor a rule about it was refused.
static bool close_line(ContraProgram *program, ContraStream *stream)
{
    Contra *contra = program->contra;
    bool read = stream ? line_end_in(&program->writer, &stream->pass) : line_end(&program->writer);
    contra->sources.items[program->source].text = buf_str(&program->writer.text);
    contra->diags.treatments = contra->treatments;
    bool ok = read && contra->diags.error_count == program->errors_before &&
              !program->depends_on_refused && !(stream && stream->refused);
    if (stream)
        stream->refused |= !ok;
    program->refused |= !ok;
    program->is_shown |= contra->diags.count > program->diags_before;
    return ok;
}

static void write_parts(ContraProgram *program, const Part *parts)
{
    for (; parts->kind != PART_END; parts++)
        build_part(program, parts);
}

ContraStatus build_line(ContraProgram *program, ContraStream *stream, const Part *parts,
                        ContraTensor **made)
{
    if (made)
        *made = NULL;
    PROGRAM_ENTER(program);
    open_line(program);
    write_parts(program, parts);
    bool ok = close_line(program, stream);
    ContraTensor *tensor = program->declares ? make_tensor(program, !ok) : NULL;
    if (made)
        *made = tensor;
    return ok ? CONTRA_OK : CONTRA_INVALID;
}

ContraStatus build_stage(ContraStream *stream, const Part *parts, ContraTensor **made)
{
    return build_line(stream ? stream->program : NULL, stream, parts, made);
}

ContraStatus build_refuse(ContraStream *stream)
{
    stream->refused = stream->program->refused = true;
    writer_break_pass(&stream->pass);
    return CONTRA_INVALID;
}

ContraStatus build_refuse_closed(const ContraProgram *program)
{
    Contra *contra = program->contra;
    diag_add(&contra->diags, DIAG_ARGUMENT_UNFIT, SPAN_NOWHERE,
             "the program `%.*s` is finished or abandoned: no call can be for it",
             STR_ARG(contra->sources.items[program->source].name));
    return CONTRA_INVALID;
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
    if (stream)
        *stream = NULL;
    if (!stream)
        return refuse_null(program, "a function that begins a pass", "`stream`");
    const Part pass[] = {TEXT("pass"), OP("the context", context), END_OF_LINE};
    ContraStatus status = open_stream(program, stream);
    if (status != CONTRA_OK)
        return status;
    status = build_line(program, *stream, pass, NULL);
    return status == CONTRA_NO_MEMORY ? status : build_line(program, *stream, parts, NULL);
}

ContraProgram *build_program_of(const ContraTensor *tensor)
{
    return tensor ? tensor->program : NULL;
}
