// The parts of a line, as docs/program-text.md has them.
#include "api/build.h"

#include "base/checked.h"
#include "engine/dma/dma.h"
#include "program/text_form.h"

#include <inttypes.h>
#include <string.h>

static Str name_of(const ContraProgram *program)
{
    return program->contra->sources.items[program->source].name;
}

static void refuse_tensor(ContraProgram *program, const ContraTensor *tensor)
{
    TextWriter *writer = &program->writer;
    if (!tensor)
        line_refuse(writer, DIAG_ARGUMENT_UNFIT, "a tensor is missing: NULL was given");
    else if (tensor->program->contra != program->contra)
        line_refuse(writer, DIAG_ARGUMENT_UNFIT, "a tensor of another Contra was given");
    else
        line_refuse(writer, DIAG_ARGUMENT_UNFIT,
                    "a tensor of the program `%.*s` was given, and this is `%.*s`",
                    STR_ARG(name_of(tensor->program)), STR_ARG(name_of(program)));
}

// What a handle of this program stands for; NULL: it was refused.
static const Tensor *tensor_of(ContraProgram *program, const ContraTensor *tensor)
{
    if (!tensor || tensor->program != program)
        return NULL;
    return text_labelled(&program->writer.reader,
                         str_format(&program->contra->arena, "%" PRId64, tensor->label));
}

void build_tensor(ContraProgram *program, const ContraTensor *tensor)
{
    TextWriter *writer = &program->writer;
    if (!tensor || tensor->program != program) {
        line_text(writer, " %_");
        refuse_tensor(program, tensor);
        return;
    }
    program->depends_on_refused |= tensor->refused;
    line_label(writer, tensor->label);
}

// Who runs the kernel gives its parameters by name.
static void new_part(ContraProgram *program, const Part *part)
{
    TextWriter *writer = &program->writer;
    program->declares = true;
    line_label(writer, program->label_count);
    line_name(writer, part->given);
    line_text(writer, " =");
    if (part->given && part->number && !*part->given)
        line_refuse(writer, DIAG_ARGUMENT_UNFIT,
                    "the name of a parameter is empty: NULL stands for none");
    if (part->given && part->number &&
        map_get(&program->params, intern(&program->names, str_from(part->given))))
        line_refuse(writer, DIAG_ARGUMENT_UNFIT, "another parameter has this name");
}

static void maybe_part(TextWriter *writer, int64_t number)
{
    line_maybe(writer, (MaybeInt){.known = number != CONTRA_UNKNOWN, .value = number});
}

void build_word(TextWriter *writer, const char *word, const char *what)
{
    if (!word && what)
        line_refuse(writer, DIAG_ARGUMENT_UNFIT, "%s is missing: NULL was given", what);
    if (word && !str_trim(str_from(word)).len)
        line_refuse(writer, DIAG_ARGUMENT_UNFIT, "%s is empty", what ? what : "a word");
    line_word(writer, word);
}

// word ("(" word ")")? "?"?: an operation with its ALU, or a context that stands for any
static void op_part(TextWriter *writer, const Part *part)
{
    Str name = str_trim(str_from(part->given ? part->given : ""));
    int64_t open = str_find(name, STR("("));
    Arena *arena = writer->text.arena;
    bool alu = open > 0 && str_ends_with(name, STR(")"));
    bool any = !alu && str_ends_with(name, STR("?"));
    Str first = str_slice(name, 0, alu ? open : name.len - any);
    build_word(writer, alu || any ? str_terminated(arena, first) : part->given, part->text);
    if (alu) {
        line_text(writer, "(");
        line_word(writer, str_terminated(arena, str_slice(name, open + 1, name.len - 1)));
        line_text(writer, ")");
    }
    if (any)
        line_text(writer, "?");
}

// Mode10: what begins with other letters would be read as an operand
static void mode_part(TextWriter *writer, const char *mode)
{
    Str word = str_trim(str_from(mode ? mode : ""));
    if (mode && !word.len)
        line_refuse(writer, DIAG_ARGUMENT_UNFIT,
                    "the argument mode is empty: NULL stands for the usual one");
    line_word(writer, mode);
    if (!mode || !word.len || str_starts_with(word, STR("Mode")))
        return;
    Diag *diag =
        line_refuse(writer, DIAG_PROGRAM_NAME, "`%.*s` is not an argument mode", STR_ARG(word));
    const char *names[MODE_COUNT];
    for (int i = 0; i < MODE_COUNT; i++)
        names[i] = arg_modes[i].name;
    if (!diag)
        return;
    diag->span.start = diag->span.end - word.len; // of the line, the word alone
    text_help_near(diag, word, names, MODE_COUNT);
}

// ---- contexts of moves

static void help_contexts(ContraProgram *program, Diag *diag, const Part *part)
{
    const ContraTensor *from = part->data;
    const Tensor *source = tensor_of(program, from);
    Str method = str_trim(str_from(part->text));
    for (int i = 0; i < OP_METHOD_COUNT && source; i++) {
        const OpMethod *op = &op_methods[i];
        Str fit = dma_contexts(diag->arena, op->kind, source->tier, op->target);
        if (str_equal(method, str_from(op->method)) && fit.len)
            diag_help(diag, "contra_%.*s from %s to %s runs on %.*s", STR_ARG(method),
                      tiers[source->tier].name, tiers[op->target].name, STR_ARG(fit));
    }
    diag_help(diag, "there are `main`, `sub`, `tdma` and `pdma`");
}

// tdma: the word that a line begins with; `text`: its method, `data`: what it moves
static void context_part(ContraProgram *program, const Part *part)
{
    TextWriter *writer = &program->writer;
    Str word = str_trim(str_from(part->given ? part->given : ""));
    bool known = false;
    Diag *diag = NULL;
    for (Context context = 0; context < CONTEXT_COUNT; context++)
        known |= str_equal(word, str_from(context_names[context]));
    if (!part->given)
        diag = line_refuse(writer, DIAG_PROGRAM_NAME, "the context is missing: NULL was given");
    else if (!word.len)
        diag = line_refuse(writer, DIAG_PROGRAM_NAME, "the context is empty");
    line_word(writer, part->given ? part->given : "_");
    if (word.len && !known)
        diag = line_refuse(writer, DIAG_PROGRAM_NAME, "`%.*s` is not a context", STR_ARG(word));
    if (diag)
        help_contexts(program, diag, part);
}

// ---- tensors

static void address_part(TextWriter *writer, const ContraLayout *layout)
{
    if (layout->tier == CONTRA_HOST)
        return;
    line_text(writer, " at");
    if (layout->tier == CONTRA_TRF && !layout->half)
        line_refuse(writer, DIAG_ARGUMENT_UNFIT, "the half of the TRF is missing: NULL was given");
    if (layout->tier == CONTRA_TRF)
        line_word(writer, layout->half);
    else if (layout->address < 0) // unknown, or wrong
        maybe_part(writer, layout->address);
    else
        buf_printf(&writer->text, " 0x%" PRIx64, (uint64_t)layout->address);
}

static void dims_part(TextWriter *writer, const ContraLayout *layout)
{
    line_mapping(writer, "chip", layout->chip);
    line_mapping(writer, "cluster", layout->cluster);
    line_mapping(writer, "slice", layout->slice);
    line_mapping(writer, "row", layout->row);
    line_mapping(writer, "element", layout->element);
}

static bool tier_is_known(TextWriter *writer, const ContraLayout *layout)
{
    bool known = IS_ENUM(layout->tier, TIER_COUNT);
    if (!known)
        line_refuse(writer, DIAG_ARGUMENT_UNFIT,
                    "%d is no memory: there are CONTRA_HOST (%d) to CONTRA_VRF (%d)",
                    (int)layout->tier, CONTRA_HOST, CONTRA_VRF);
    return known;
}

static void layout_part(TextWriter *writer, const ContraLayout *layout, bool whole)
{
    if (tier_is_known(writer, layout))
        line_word(writer, tier_words[layout->tier]);
    if (whole && !layout->type)
        line_refuse(writer, DIAG_ARGUMENT_UNFIT,
                    "the type is missing: NULL was given, and nothing gives this tensor another");
    if (layout->type)
        build_word(writer, layout->type, "the type");
    dims_part(writer, layout);
    address_part(writer, layout);
}

// The mappings of a tensor that is there: its memory and type stay. `given`: the tensor.
static void shape_part(ContraProgram *program, const ContraLayout *layout, const ContraTensor *of)
{
    TextWriter *writer = &program->writer;
    const Tensor *tensor = tensor_of(program, of);
    if (tier_is_known(writer, layout) && tensor && (int)layout->tier != (int)tensor->tier)
        line_refuse(writer, DIAG_PROGRAM_TIER,
                    "a tensor of %s is given another shape, and the layout is one of %s",
                    tiers[tensor->tier].name, tiers[layout->tier].name);
    if (tensor && layout->type &&
        !str_equal(str_trim(str_from(layout->type)), str_from(scalar_name(tensor->type))))
        line_refuse(writer, DIAG_ARGUMENT_UNFIT,
                    "a tensor of %s is given another shape, and the layout says `%s`: the type "
                    "stays, and may be NULL here",
                    scalar_name(tensor->type), layout->type);
    dims_part(writer, layout);
}

// ---- lists

bool build_list_is_given(TextWriter *writer, const void *items, int64_t count, int64_t most,
                         const char *what)
{
    if (count < 0)
        line_refuse(writer, DIAG_ARGUMENT_UNFIT,
                    "%" PRId64 " %s are given: a count is not negative", count, what);
    else if (count > most)
        line_refuse(writer, DIAG_ARGUMENT_UNFIT,
                    "%" PRId64 " %s are given, and %" PRId64 " at most can be", count, what, most);
    else if (!items && count)
        line_refuse(writer, DIAG_ARGUMENT_UNFIT, "%" PRId64 " %s are missing: NULL was given",
                    count, what);
    return items && count >= 0 && count <= most;
}

// pattern (1, 0) count 2
static void pattern_part(TextWriter *writer, const ContraPattern *pattern)
{
    int64_t most = machine_fields[MACHINE_FIELD_chips].max;
    bool given =
        build_list_is_given(writer, pattern->sources, pattern->count, most, "sources of a pattern");
    if (!pattern->count)
        line_refuse(writer, DIAG_ARGUMENT_UNFIT,
                    "the pattern has no sources: it names one for each cluster or chip");
    line_text(writer, " pattern (");
    for (int64_t i = 0; given && i < pattern->count; i++) {
        line_text(writer, i ? "," : "");
        line_int(writer, pattern->sources[i]);
    }
    line_text(writer, ")");
    if (!pattern->dim)
        return;
    line_text(writer, " count");
    line_int(writer, pattern->dim);
}

static void table_part(TextWriter *writer, const ContraFetchOptions *options)
{
    Scalar type;
    line_text(writer, " table");
    line_word(writer, options->table_type);
    line_text(writer, " (");
    bool known = options->table_type && scalar_parse(str_from(options->table_type), &type);
    if (!options->table_type)
        line_refuse(writer, DIAG_ARGUMENT_UNFIT,
                    "the type of the table is missing: NULL was given");
    for (int64_t i = 0; known && i < options->table_count; i++) {
        line_text(writer, i ? ", " : "");
        literal_print(&writer->text, type, options->table[i]);
    }
    line_text(writer, ")");
}

static void fetch_part(TextWriter *writer, const ContraFetchOptions *options)
{
    enum { MOST_ENTRIES = 65536, MOST_ZERO_POINTS = 2 };
    if (build_list_is_given(writer, options->table, options->table_count, MOST_ENTRIES,
                            "entries of the table"))
        table_part(writer, options);
    if (!build_list_is_given(writer, options->zero_points, options->zero_point_count,
                             MOST_ZERO_POINTS, "zero points") ||
        !options->zero_point_count)
        return;
    line_text(writer, " zero_points (");
    for (int64_t i = 0; i < options->zero_point_count; i++) {
        line_text(writer, i ? "," : "");
        line_int(writer, options->zero_points[i]);
    }
    line_text(writer, ")");
}

static void refuse_numbers(TextWriter *writer, const SwitchInfo *info, int64_t count, int64_t given)
{
    StrBuf list = {.arena = writer->text.arena};
    for (int64_t i = 0; i < count; i++)
        buf_printf(&list, "%s`%s`", i ? ", " : "", info->fields[i]);
    line_refuse(writer, DIAG_ARGUMENT_UNFIT,
                "%s takes %" PRId64 " number%s, %.*s, and is given %" PRId64, info->name, count,
                count == 1 ? "" : "s", STR_ARG(buf_str(&list)), given);
}

// Broadcast01 slice1=4 slice0=2 time0=1: the fields that the topology has
static void switch_part(TextWriter *writer, const Part *part)
{
    const int64_t *numbers = part->data;
    const SwitchInfo *info = NULL;
    for (int i = 0; i < SWITCH_COUNT && part->given; i++)
        if (strcmp(switches[i].name, part->given) == 0)
            info = &switches[i];
    build_word(writer, part->given, "the topology");
    if (!info) // which is reported
        return;
    int64_t count = 0;
    while (count < SWITCH_FIELDS && info->fields[count])
        count++;
    if (part->number != count || !numbers)
        refuse_numbers(writer, info, count, numbers ? part->number : 0);
    for (int64_t i = 0; i < count && part->number == count && numbers; i++) {
        line_text(writer, " ");
        line_text(writer, info->fields[i]);
        line_text(writer, "=");
        line_int(writer, numbers[i]);
    }
}

static void skew_part(TextWriter *writer, const Part *part)
{
    enum { MOST_AXES = 256 };
    const char *const *axes = part->data;
    bool given = build_list_is_given(writer, axes, part->number, MOST_AXES, "axes");
    if (!part->number)
        line_refuse(writer, DIAG_ARGUMENT_UNFIT, "an axis is skewed by one other at least");
    for (int64_t i = 0; given && i < part->number; i++) {
        line_text(writer, " -");
        build_word(writer, axes[i], "the name of an axis");
    }
}

static void choices_part(TextWriter *writer, const Part *part)
{
    enum { MOST_CHOICES = 65536 };
    const ContraChoice *choices = part->data;
    bool given = build_list_is_given(writer, choices, part->number, MOST_CHOICES, "choices");
    for (int64_t i = 0; given && i < part->number; i++) {
        line_text(writer, i ? "," : "");
        line_int(writer, choices[i].number);
        line_int(writer, choices[i].ways);
    }
}

// ---- all of them

void build_part(ContraProgram *program, const Part *part)
{
    TextWriter *writer = &program->writer;
    switch (part->kind) {
    case PART_END:
        return;
    case PART_TEXT:
        line_text(writer, part->text ? part->text : "");
        return;
    case PART_WORD:
        build_word(writer, part->given, part->text);
        return;
    case PART_NAME:
        if (part->given && !*part->given)
            line_refuse(writer, DIAG_ARGUMENT_UNFIT, "the name is empty");
        line_name(writer, part->given);
        return;
    case PART_DIM:
        if (!part->given && part->data)
            line_refuse(writer, DIAG_ARGUMENT_UNFIT, "%s is missing: NULL was given",
                        (const char *)part->data);
        line_mapping(writer, part->text, part->given);
        return;
    case PART_INT:
        line_int(writer, part->number);
        return;
    case PART_MAYBE:
        maybe_part(writer, part->number);
        return;
    case PART_OP:
        op_part(writer, part);
        return;
    case PART_MODE:
        mode_part(writer, part->given);
        return;
    case PART_GROUP:
        build_group(writer, part->number);
        return;
    case PART_TENSOR:
        build_tensor(program, part->data);
        return;
    case PART_NEW:
        new_part(program, part);
        return;
    case PART_CONTEXT:
        context_part(program, part);
        return;
    case PART_LAYOUT:
        layout_part(writer, part->data, part->number);
        return;
    case PART_SHAPE:
        shape_part(program, part->data, part->of);
        return;
    case PART_PATTERN:
        pattern_part(writer, part->data);
        return;
    case PART_FETCH:
        fetch_part(writer, part->data);
        return;
    case PART_SWITCH:
        switch_part(writer, part);
        return;
    case PART_OPERANDS:
        build_operands(program, part);
        return;
    case PART_BRANCH:
        build_branch(program, part->data);
        return;
    case PART_SKEW:
        skew_part(writer, part);
        return;
    case PART_CHOICES:
        choices_part(writer, part);
        return;
    }
}
