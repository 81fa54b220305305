// Program text, statement by statement: the frame of a program, its axes, its operations.
#include "program/internal.h"
#include "program/text.h"
#include "program/text_read.h"

#include "base/checked.h"

// ---- the frame

// A program runs on as many chips as the machine has. Where that is not said, a text may be one of
// any kernel, and who builds a program has no more than any machine.
static void check_chips(Reader *reader, Span span, MaybeInt *chips)
{
    const Machine *machine = builder_machine(reader->builder);
    bool limited = machine && machine->chips;
    int64_t most = limited            ? machine->chips
                   : reader->by_calls ? machine_fields[MACHINE_FIELD_chips].max
                                      : INT64_MAX;
    if (!chips->known || (chips->value >= 1 && chips->value <= most))
        return;
    Diag *diag =
        chips->value < 1
            ? text_report(reader, DIAG_PROGRAM_NUMBER, span,
                          "a program cannot run on {} chips: it needs one at least", chips->value)
            : text_report(reader, DIAG_PROGRAM_NUMBER, span,
                          "a program cannot run on {} chips: {} {}", chips->value,
                          limited ? "the machine has" : "no machine has more than", most);
    diag_help(diag, reader->by_calls ? "give their number, or CONTRA_UNKNOWN where it is not known"
                                     : "write `chip=1`, or nothing where it is not known");
    chips->known = false;
}

// program NAME (chip=N)?
static void program_line(Reader *reader, Span span, ProgramFrames *frames)
{
    MaybeInt chips = {0};
    reader->broken = reader->lost = false;
    reader->program_span = span;
    reader->scope = scope_new(reader->arena);
    reader->axes = (TextAxes){.arena = reader->arena, .known = {.arena = reader->arena}};
    reader->labels = reader->mappings = (Map){.arena = reader->arena};
    const char *name = text_name(reader);
    Span heading = text_span(reader, span.start);
    *array_push(reader->arena, frames, ProgramFrame) = (ProgramFrame){name, heading, heading};
    if (!name)
        text_syntax_error(reader, "the name of the program");
    int64_t start = text_start(reader);
    if (text_accept_word(reader, "chip"))
        chips.known = text_expect(reader, "=", "`=` and the number of chips") &&
                      text_int(reader, &chips.value, "the number of chips") && !reader->useless;
    check_chips(reader, text_span(reader, start), &chips);
    text_finish(reader);
    reader->program = builder_open(reader->builder, name, span, chips);
    reader->program->notation = reader->by_calls ? NOTATION_CALLS : NOTATION_TEXT;
}

// A program without mistakes in its text is complete: its rules can be asked about the whole.
static void end_line(Reader *reader, ProgramList *programs)
{
    text_end_pass(reader);
    if (text_finish(reader) && !reader->broken)
        *array_push(reader->arena, programs, Program *) = builder_close(reader->builder);
    reader->program = NULL;
}

// Where a program should have ended: before the next one, or with the text.
static void end_program(Reader *reader)
{
    if (!reader->program)
        return;
    text_end_pass(reader);
    diag_add(reader->diags, DIAG_PROGRAM_FRAME, reader->program_span,
             "this program does not end; its last line is `end`");
    reader->program = NULL;
    reader->wrong = true;
}

// return LABEL ("," LABEL)*
static void return_line(Reader *reader)
{
    struct {
        ARRAY(const Tensor *);
    } results = {0};
    do
        *array_push(reader->arena, &results, const Tensor *) =
            text_tensor(reader, (1U << TIER_COUNT) - 1);
    while (text_accept(reader, ","));
    bool useful = text_finish(reader);
    for (int64_t i = 0; useful && i < results.count; i++)
        builder_result(reader->builder, results.items[i]);
}

// choice (number ways ("," number ways)*)?
static void choice_line(Reader *reader)
{
    const Choice *choice = NULL;
    bool more = !text_at_end(reader);
    while (more) {
        int64_t start = text_start(reader);
        Choice *inner = arena_new(reader->arena, Choice, 1);
        inner->outer = choice;
        if (!text_int(reader, &inner->number, "the number of a choice") ||
            !text_int(reader, &inner->ways, "the bits of its ways"))
            return;
        if (inner->number < 0 || !inner->ways)
            text_report(reader, DIAG_PROGRAM_NUMBER, text_span(reader, start),
                        inner->ways ? "choices are counted from 0 on"
                                    : "a choice takes one way at least: a bit for each");
        choice = inner;
        more = text_accept(reader, ",");
    }
    if (text_finish(reader))
        builder_choice(reader->builder, choice);
}

// ---- axes

// axis ("-" axis)+: read by those who know the rules about skewed axes, as a text of its own, whose
// spans are then moved to where it stands
static bool skewed_axis(Reader *reader, int64_t start)
{
    DiagList diags = {.arena = reader->diags->arena, .treatments = reader->diags->treatments};
    Str word;
    Span span;
    do
        text_word(reader, &word, &span, "a size, or a difference of axes");
    while (text_accept(reader, "-"));
    if (reader->failed)
        return false;
    int64_t before = reader->scope.count;
    scope_parse_axes(&reader->scope, &diags, reader->source,
                     str_slice(reader->text, start, reader->at));
    for (int64_t i = 0; i < diags.count; i++) {
        diags.items[i]->span.start += start;
        diags.items[i]->span.end += start;
        *array_push(reader->diags->arena, reader->diags, Diag *) = diags.items[i];
    }
    reader->diags->error_count += diags.error_count;
    if (reader->scope.count == before)
        return false;
    reader->scope.items[before]->span.start += start;
    reader->scope.items[before]->span.end += start;
    return true;
}

// named NAME: what the axis is called outside of this text
static void rename_axis(Reader *reader, const char *name)
{
    ScopeEntry *entry = reader->scope.items[reader->scope.count - 1];
    Atom *atom = arena_new(reader->arena, Atom, 1);
    *atom = *entry->atom;
    atom->name = name;
    text_axes_show(&reader->axes, atom, entry->atom);
    entry->atom = atom;
}

// A name whose declaration is wrong: its uses are silent.
static void poison_name(Reader *reader, Str name, Span span)
{
    reader->useless = true;
    if (scope_find(&reader->scope, name))
        return;
    ScopeEntry *entry = scope_add(&reader->scope, span, name);
    entry->state = DEFINITION_DONE;
    entry->expr = expr_poison(reader->diags, span);
}

// A number, or a difference of axes. False: reported.
static bool add_axis(Reader *reader, Str name, Span span)
{
    int64_t size;
    char first = text_peek(reader);
    if ((first < '0' || first > '9') && first != '-')
        return skewed_axis(reader, span.start);
    return text_int(reader, &size, "a size") && !reader->useless &&
           scope_add_axis(&reader->scope, reader->diags, span, name, size);
}

// axis NAME = (number | axis ("-" axis)+) ("named" NAME)?
static void axis_line(Reader *reader)
{
    Str name;
    Span span;
    if (!text_word(reader, &name, &span, "the name of an axis") ||
        !text_expect(reader, "=", "`=` and a size"))
        return;
    bool added = add_axis(reader, name, span);
    if (!added)
        poison_name(reader, name, span);
    if (text_accept_word(reader, "named")) {
        const char *outside = text_name(reader);
        if (!outside)
            text_syntax_error(reader, "the name of the axis");
        else if (added)
            rename_axis(reader, outside);
    }
    text_finish(reader);
}

// let NAME = "[" mapping "]"
static void let_line(Reader *reader)
{
    Str name;
    Span span;
    if (!text_word(reader, &name, &span, "a name") ||
        !text_expect(reader, "=", "`=` and a mapping"))
        return;
    int64_t start = text_start(reader);
    const Dim *dim = text_dim(reader);
    text_finish(reader);
    if (!dim || !scope_add_definition(&reader->scope, reader->diags, span, name,
                                      str_slice(reader->text, 0, reader->at), start)) {
        poison_name(reader, name, span);
        return;
    }
    ScopeEntry *entry = reader->scope.items[reader->scope.count - 1];
    entry->state = DEFINITION_DONE;
    entry->expr = dim->expr;
}

// ---- operations

// What an operation takes besides source and target.
typedef enum {
    CLAUSE_INDEX = 1,
    CLAUSE_KEY = 2,
    CLAUSE_SLICED = 4,
    CLAUSE_PATTERN = 8,
    CLAUSE_COUNT = 16,
    CLAUSE_SCALED = 32,
} Clause;

static const char *const clause_words[] = {"index", "key", "sliced", "pattern", "count", "scaled"};

enum { HOST = 1 << TIER_HOST, HBM = 1 << TIER_HBM, DM = 1 << TIER_DM };

static const struct {
    uint32_t source, target; // memories
    uint32_t needs, takes;   // clauses
} op_forms[OP_KIND_COUNT] = {
    [OP_MOVE] = {HOST | HBM | DM, HOST | HBM | DM, 0, 0},
    [OP_PARALLEL_COPY] = {DM, DM, 0, 0},
    [OP_CLUSTER_SHUFFLE] = {HBM | DM, HBM | DM, CLAUSE_PATTERN, CLAUSE_COUNT},
    [OP_CHIP_SHUFFLE] = {HBM | DM, HBM | DM, CLAUSE_PATTERN, CLAUSE_COUNT},
    [OP_CLUSTER_SLICE] = {DM, DM, CLAUSE_KEY | CLAUSE_SLICED | CLAUSE_PATTERN, CLAUSE_COUNT},
    [OP_CHIP_SLICE] = {DM, DM, CLAUSE_KEY | CLAUSE_SLICED | CLAUSE_PATTERN, CLAUSE_COUNT},
    [OP_SCATTER] = {DM, HBM, CLAUSE_INDEX | CLAUSE_KEY, CLAUSE_SCALED},
    [OP_GATHER] = {HBM, DM, CLAUSE_INDEX, 0},
};

// method | kind ("." method)?; where it may go: a method says more than its kind
static bool read_method(Reader *reader, Op *op, uint32_t *targets)
{
    const char *names[OP_METHOD_COUNT + OP_KIND_COUNT];
    for (int i = 0; i < OP_METHOD_COUNT; i++)
        names[i] = op_methods[i].method;
    for (int i = 0; i < OP_KIND_COUNT; i++)
        names[OP_METHOD_COUNT + i] = op_kind_words[i];
    int found = text_choice(reader, names, (int)COUNT_OF(names), "an operation");
    if (found < 0)
        return false;
    op->method = names[found];
    bool is_method = found < OP_METHOD_COUNT;
    op->kind = is_method ? op_methods[found].kind : (OpKind)(found - OP_METHOD_COUNT);
    *targets = is_method ? 1U << op_methods[found].target : op_forms[op->kind].target;
    if (text_accept(reader, ".")) {
        op->method = text_name(reader);
        if (!op->method)
            text_syntax_error(reader, "the name of a method");
    }
    return !reader->failed;
}

// "(" number ("," number)* ")"
static void read_pattern(Reader *reader, Op *op)
{
    struct {
        ARRAY(int64_t);
    } numbers = {0};
    if (!text_expect(reader, "(", "`(` and the numbers of the pattern"))
        return;
    do {
        int64_t number;
        if (!text_int(reader, &number, "a number"))
            return;
        *array_push(reader->arena, &numbers, int64_t) = number;
    } while (text_accept(reader, ","));
    text_expect(reader, ")", "`,` or `)`");
    op->pattern = numbers.items;
    op->pattern_count = numbers.count;
}

static void read_clause(Reader *reader, Op *op, Clause clause)
{
    switch (clause) {
    case CLAUSE_INDEX:
        op->index = text_view(reader, HBM, false);
        return;
    case CLAUSE_KEY:
        op->key = text_dim(reader);
        return;
    case CLAUSE_SLICED:
        op->sliced = text_dim(reader);
        return;
    case CLAUSE_PATTERN:
        read_pattern(reader, op);
        return;
    case CLAUSE_COUNT:
        text_int(reader, &op->declared_count, "a number");
        return;
    case CLAUSE_SCALED:
        op->scaled = true;
        return;
    }
}

static void report_needed(Reader *reader, const Op *op, uint32_t missing)
{
    StrBuf list = {.arena = reader->arena};
    for (size_t i = 0; i < COUNT_OF(clause_words); i++)
        if (missing & 1U << i)
            buf_format(&list, "{}`{}`", list.len ? " and " : "", clause_words[i]);
    if (missing)
        text_report(reader, DIAG_PROGRAM_CLAUSE, text_here(reader), "`{}` needs {}", op->method,
                    buf_str(&list));
}

// The index of the clause whose word stands next, which is taken; -1: none does.
static int accept_clause(Reader *reader)
{
    for (int i = 0; i < (int)COUNT_OF(clause_words); i++)
        if (text_accept_word(reader, clause_words[i]))
            return i;
    return -1;
}

static void read_clauses(Reader *reader, Op *op)
{
    uint32_t seen = 0, needs = op_forms[op->kind].needs, takes = op_forms[op->kind].takes | needs;
    for (;;) {
        int64_t start = text_start(reader);
        int found = accept_clause(reader);
        if (found < 0)
            break;
        uint32_t clause = 1U << found;
        if (!(takes & clause) || seen & clause)
            text_report(reader, DIAG_PROGRAM_CLAUSE, text_span(reader, start), "`{}` takes {} `{}`",
                        op->method, seen & clause ? "only one" : "no", clause_words[found]);
        seen |= clause;
        read_clause(reader, op, (Clause)clause);
        if (clause == CLAUSE_PATTERN)
            op->pattern_span = text_span(reader, start);
    }
    if (!reader->failed)
        report_needed(reader, op, needs & ~seen);
}

// context method source clause* "->" target
static void op_line(Reader *reader, Context context)
{
    Op op = {.context = context};
    int64_t start = text_start(reader);
    uint32_t targets;
    if (!read_method(reader, &op, &targets))
        return;
    op.span = text_span(reader, start);
    op.source = text_view(reader, op_forms[op.kind].source, false);
    read_clauses(reader, &op);
    Inherited from = {op.source ? op.source->tensor->type : SCALAR_I32,
                      op.source ? op.source->dims : NULL};
    op.target = text_target(reader, targets, &from);
    if (text_finish(reader))
        builder_op(reader->builder, &op);
}

// ---- statements

static bool is_context(Str word, Context *context)
{
    for (*context = 0; *context < CONTEXT_COUNT; (*context)++)
        if (str_equal(word, str_from(context_names[*context])))
            return true;
    return false;
}

static void report_outside(Reader *reader, Span span)
{
    if (!reader->lost)
        diag_add(reader->diags, DIAG_PROGRAM_FRAME, span,
                 "this line stands outside of a program; `program NAME` starts one");
    reader->lost = reader->wrong = true;
}

// In a pass this is a stage that was misspelt: the pass goes on.
static void report_statement(Reader *reader, Span span, Str word)
{
    const char *names[STAGE_COUNT + 12] = {"program", "axis", "let", "return", "end",  "pass",
                                           "open",    "main", "sub", "tdma",   "pdma", "input"};
    for (StageKind kind = STAGE_INPUT + 1; kind < STAGE_COUNT; kind++)
        names[12 + kind] = stages[kind].method;
    Diag *diag =
        text_report(reader, DIAG_PROGRAM_STATEMENT, span, "`{}` does not start a line", word);
    text_help_near(diag, word, names, (int)COUNT_OF(names));
    reader->pass_broken |= reader->pass != NULL;
}

// A line that is no stage, so that the pass before it is over.
static void plain_line(Reader *reader, Str word, Span span)
{
    static const struct {
        const char *word;
        void (*read)(Reader *reader);
    } lines[] = {{"axis", axis_line},
                 {"let", let_line},
                 {"return", return_line},
                 {"pass", text_pass_line},
                 {"choice", choice_line}};
    Context context;
    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        if (str_equal(word, str_from(lines[i].word))) {
            text_end_pass(reader);
            lines[i].read(reader);
            return;
        }
    }
    if (is_context(word, &context)) {
        text_end_pass(reader);
        op_line(reader, context);
    } else {
        report_statement(reader, span, word);
    }
}

static void word_line(Reader *reader, ProgramList *programs)
{
    Str word;
    Span span;
    if (!text_word(reader, &word, &span, "the start of a statement"))
        return;
    StageKind kind = text_stage_find(word);
    if (str_equal(word, STR("program"))) {
        end_program(reader);
        program_line(reader, span, &programs->frames);
    } else if (!reader->program) {
        report_outside(reader, span);
    } else if (kind != STAGE_COUNT) {
        text_stage_line(reader, kind, span);
    } else if (str_equal(word, STR("open"))) {
        text_open_line(reader, span);
    } else if (str_equal(word, STR("end"))) {
        end_line(reader, programs);
    } else {
        plain_line(reader, word, span);
    }
}

static void statement(Reader *reader, ProgramList *programs)
{
    if (text_peek(reader) != '%') {
        word_line(reader, programs);
        return;
    }
    if (!reader->program) {
        report_outside(reader, (Span){reader->source, reader->at, reader->at + 1});
        return;
    }
    text_end_pass(reader);
    text_tensor_line(reader);
}

void text_statement(Reader *reader, ProgramList *programs)
{
    bool is_inside = reader->program;
    statement(reader, programs);
    if (is_inside || reader->program)
        programs->frames.items[programs->frames.count - 1].whole.end = reader->line_end;
    reader->broken |= reader->useless;
    reader->wrong |= reader->useless;
}

bool program_parse(Builder *builder, int32_t source, Str text, ProgramList *programs)
{
    Arena *arena = builder_arena(builder);
    Reader reader = {.builder = builder,
                     .arena = arena,
                     .diags = builder_diags(builder),
                     .source = source,
                     .text = text,
                     .words = {.arena = arena}};
    int64_t errors_before = reader.diags->error_count;
    while (text_line(&reader)) {
        text_statement(&reader, programs);
        text_skip_line(&reader);
    }
    end_program(&reader);
    return !reader.wrong && reader.diags->error_count == errors_before;
}
