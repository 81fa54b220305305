// The parts of a line: each writes an argument of the caller as program text, or refuses it.
#include "api/build.h"

#include "base/checked.h"
#include "base/utf8.h"
#include "engine/dma/dma.h"

#include <string.h>

static Span span_from(const ContraProgram *program, int64_t start)
{
    return (Span){program->source, start, program->text.len};
}

// Reports something about the line so far, from its first word on. NULL: the line was refused
// before.
#define refuse(program, code, ...) refuse(program, code, MESSAGE(__VA_ARGS__))

static Diag *(refuse)(ContraProgram *program, DiagCode code, Message message)
{
    if (program->line_refused)
        return NULL;
    int64_t start = program->start;
    while (start < program->text.len && program->text.data[start] == ' ')
        start++;
    program->line_refused = true;
    return (diag_add)(program->reader.diags, code, span_from(program, start), message);
}

// ---- arguments of the caller

// The blank before a part: none at the start of the line, in a bracket, or behind `name=`.
static void add_gap(ContraProgram *program)
{
    const StrBuf *text = &program->text;
    int64_t len = text->len - program->start;
    char last = len > 0 ? text->data[text->len - 1] : '(';
    bool tight =
        last == '(' || last == '<' || (last == '=' && len > 1 && text->data[text->len - 2] != ' ');
    if (!tight)
        buf_add_char(&program->text, ' ');
}

static void add_text(ContraProgram *program, const char *text)
{
    buf_add(&program->text, str_from(text));
}

// Adds the given text on one line. Bytes that are not text are shown as `?` and reported.
static void add_argument(ContraProgram *program, Str text)
{
    int64_t start = program->text.len;
    for (Str rest = text; rest.len;) {
        int64_t fault = utf8_fault(rest);
        for (int64_t i = 0; i < fault; i++) {
            char c = rest.data[i];
            buf_add_char(&program->text, c == '\n' || c == '\r' || c == '\t' ? ' ' : c);
        }
        bool faulty = fault < rest.len;
        if (faulty && !program->line_refused) {
            buf_add_char(&program->text, '?');
            diag_add(program->reader.diags, DIAG_CHARACTER, span_from(program, start),
                     "the text is not UTF-8: the byte 0x{02x} is part of no character",
                     (unsigned char)rest.data[fault]);
        }
        program->line_refused |= faulty;
        rest = str_slice(rest, fault + faulty, rest.len);
    }
}

static void add_long_word(ContraProgram *program, Str text, int most)
{
    enum { SHOWN_OF_IT = 40 };
    int64_t start = program->text.len;
    Str first = str_slice(text, 0, SHOWN_OF_IT);
    first.len = utf8_fault(first); // whole characters
    add_argument(program, first);
    diag_add(program->reader.diags, DIAG_PROGRAM_SYNTAX, span_from(program, start),
             "a word has {} bytes at most, and this one has {}", most, text.len);
    program->line_refused = true;
}

// NULL: nothing.
static void add_word(ContraProgram *program, const char *word)
{
    enum { LONGEST_WORD = 1000 };
    if (!word)
        return;
    Str text = str_trim(str_from(word));
    add_gap(program);
    if (text.len > LONGEST_WORD && !program->line_refused) {
        add_long_word(program, text, LONGEST_WORD);
        return;
    }
    int64_t start = program->text.len;
    add_argument(program, text);
    if (text_is_word(text) || program->line_refused)
        return;
    Str shown = str_slice(buf_str(&program->text), start, program->text.len);
    Diag *diag = diag_add(program->reader.diags, DIAG_PROGRAM_SYNTAX, span_from(program, start),
                          "`{}` is not a word", shown);
    diag_help(diag, "a word has letters, digits and `_`");
    program->line_refused = true;
}

// Adds a word. If `what` names it, the word is required.
static void add_needed(ContraProgram *program, const char *word, const char *what)
{
    if (!word && what)
        refuse(program, DIAG_ARGUMENT_UNFIT, "{} is missing: NULL was given", what);
    if (word && !str_trim(str_from(word)).len)
        refuse(program, DIAG_ARGUMENT_UNFIT, "{} is empty", what ? what : "a word");
    add_word(program, word);
}

static void add_name(ContraProgram *program, const char *name)
{
    if (!name)
        return;
    add_gap(program);
    if (utf8_fault(str_from(name)) < str_from(name).len)
        add_argument(program, str_from(name)); // reports it
    else
        text_print_name(&program->text, name);
}

// The mapping stands in brackets: those in it must be pairs.
static const char *bracket_fault(Str mapping)
{
    int64_t depth = 0;
    for (int64_t i = 0; i < mapping.len && depth >= 0; i++)
        depth += (mapping.data[i] == '[') - (mapping.data[i] == ']');
    return depth < 0 ? "a `]` in this mapping closes nothing"
           : depth   ? "a `[` in this mapping is not closed"
                     : NULL;
}

// level "[" mapping "]"; a mapping that is NULL: nothing. The level is our own; "": none.
static void add_mapping(ContraProgram *program, const char *level, const char *mapping)
{
    if (!mapping)
        return;
    if (*level)
        add_gap(program);
    add_text(program, level);
    add_gap(program);
    add_text(program, "[");
    int64_t start = program->text.len;
    add_argument(program, str_from(mapping));
    const char *fault = bracket_fault(str_from(mapping));
    if (fault && !program->line_refused) {
        diag_add(program->reader.diags, DIAG_MAPPING_SYNTAX, span_from(program, start), "{}",
                 fault);
        program->line_refused = true;
    }
    add_text(program, "]");
}

static void add_digits(ContraProgram *program, int64_t number)
{
    char digits[24];
    int64_t at = (int64_t)sizeof digits;
    uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    do
        digits[--at] = (char)('0' + rest % 10);
    while (rest /= 10);
    if (number < 0)
        digits[--at] = '-';
    buf_add(&program->text, (Str){digits + at, (int64_t)sizeof digits - at});
}

static void add_int(ContraProgram *program, int64_t number)
{
    add_gap(program);
    add_digits(program, number);
}

static void add_maybe(ContraProgram *program, int64_t number)
{
    add_gap(program);
    if (number == CONTRA_UNKNOWN)
        add_text(program, "?");
    else
        add_digits(program, number);
}

// A value by its bits.
static void add_value(ContraProgram *program, const char *type, uint32_t bits)
{
    Scalar scalar;
    if (type && scalar_parse(str_from(type), &scalar)) {
        add_gap(program);
        text_print_value(&program->text, scalar, bits);
        return;
    }
    add_word(program, type ? type : "");
    buf_format(&program->text, ":0x{x}", bits);
}

// Whether as many items are given as the call says; otherwise that is reported, and none of them is
// looked at. `most`: of those that can be given at all.
static bool has_items(ContraProgram *program, const void *items, int64_t count, int64_t most,
                      const char *what)
{
    if (count < 0)
        refuse(program, DIAG_ARGUMENT_UNFIT, "{} {} are given: a count is not negative", count,
               what);
    else if (count > most)
        refuse(program, DIAG_ARGUMENT_UNFIT, "{} {} are given, and {} at most can be", count, what,
               most);
    else if (!items && count)
        refuse(program, DIAG_ARGUMENT_UNFIT, "{} {} are missing: NULL was given", count, what);
    return items && count >= 0 && count <= most;
}

// ---- words and numbers

void line_parts(ContraProgram *program, const Part *part)
{
    for (const Part *each = part->data; each && each->write; each++)
        each->write(program, each);
}

void line_text(ContraProgram *program, const Part *part)
{
    add_text(program, part->text ? part->text : "");
}

void line_word(ContraProgram *program, const Part *part)
{
    add_needed(program, part->given, part->text);
}

void line_name(ContraProgram *program, const Part *part)
{
    if (part->given && !*part->given)
        refuse(program, DIAG_ARGUMENT_UNFIT, "the name is empty");
    add_name(program, part->given);
}

void line_dim(ContraProgram *program, const Part *part)
{
    if (!part->given && part->data)
        refuse(program, DIAG_ARGUMENT_UNFIT, "{} is missing: NULL was given",
               (const char *)part->data);
    add_mapping(program, part->text, part->given);
}

void line_int(ContraProgram *program, const Part *part)
{
    add_int(program, part->number);
}

void line_maybe(ContraProgram *program, const Part *part)
{
    add_maybe(program, part->number);
}

// word ("(" word ")")? "?"?: an operation with its ALU, or a context that stands for any
void line_op(ContraProgram *program, const Part *part)
{
    Str name = str_trim(str_from(part->given ? part->given : ""));
    int64_t open = str_find(name, STR("("));
    Arena *arena = &program->own;
    bool alu = open > 0 && str_ends_with(name, STR(")"));
    bool any = !alu && str_ends_with(name, STR("?"));
    Str first = str_slice(name, 0, alu ? open : name.len - any);
    add_needed(program, alu || any ? str_terminated(arena, first) : part->given, part->text);
    if (alu) {
        add_text(program, "(");
        add_word(program, str_terminated(arena, str_slice(name, open + 1, name.len - 1)));
        add_text(program, ")");
    }
    if (any)
        add_text(program, "?");
}

// A mode that does not start like `Mode10` would be read as an operand.
void line_mode(ContraProgram *program, const Part *part)
{
    const char *mode = part->given;
    Str word = str_trim(str_from(mode ? mode : ""));
    if (mode && !word.len)
        refuse(program, DIAG_ARGUMENT_UNFIT,
               "the argument mode is empty: NULL stands for the usual one");
    add_word(program, mode);
    if (!mode || !word.len || str_starts_with(word, STR("Mode")))
        return;
    Diag *diag = refuse(program, DIAG_PROGRAM_NAME, "`{}` is not an argument mode", word);
    const char *names[MODE_COUNT];
    for (int i = 0; i < MODE_COUNT; i++)
        names[i] = arg_modes[i].name;
    if (!diag)
        return;
    diag->span.start = diag->span.end - word.len; // of the line, the word alone
    text_help_near(diag, word, names, MODE_COUNT);
}

// ---- tensors

static Str name_of(const ContraProgram *program)
{
    return program->contra->sources.items[program->source].name;
}

static void refuse_tensor(ContraProgram *program, const ContraTensor *tensor)
{
    if (!tensor)
        refuse(program, DIAG_ARGUMENT_UNFIT, "a tensor is missing: NULL was given");
    else if (tensor->program->contra != program->contra)
        refuse(program, DIAG_ARGUMENT_UNFIT, "a tensor of another Contra was given");
    else
        refuse(program, DIAG_ARGUMENT_UNFIT,
               "a tensor of the program `{}` was given, and this is `{}`", name_of(tensor->program),
               name_of(program));
}

// What a handle of this program stands for; NULL: it was refused.
static const Tensor *tensor_of(ContraProgram *program, const ContraTensor *tensor)
{
    if (!tensor || tensor->program != program)
        return NULL;
    return text_labelled(&program->reader,
                         str_format(&program->contra->arena, "{}", tensor->label));
}

static void add_label(ContraProgram *program, int64_t label)
{
    add_gap(program);
    add_text(program, "%");
    add_digits(program, label);
}

static void add_tensor(ContraProgram *program, const ContraTensor *tensor)
{
    if (!tensor || tensor->program != program) {
        add_text(program, " %_");
        refuse_tensor(program, tensor);
        return;
    }
    program->depends_on_refused |= tensor->refused;
    add_label(program, tensor->label);
}

void line_tensor(ContraProgram *program, const Part *part)
{
    add_tensor(program, part->data);
}

// Who runs the kernel gives its parameters by name.
void line_new(ContraProgram *program, const Part *part)
{
    const char *name = part->number ? part->given : NULL; // of a parameter
    program->declares = true;
    add_label(program, program->label_count);
    add_name(program, part->given);
    add_text(program, " =");
    if (name && !*name)
        refuse(program, DIAG_ARGUMENT_UNFIT,
               "the name of a parameter is empty: NULL stands for none");
    if (name && map_get(&program->params, intern(&program->names, str_from(name))))
        refuse(program, DIAG_ARGUMENT_UNFIT, "another parameter has this name");
}

static void add_address(ContraProgram *program, const ContraLayout *layout)
{
    if (layout->tier == CONTRA_HOST)
        return;
    add_text(program, " at");
    if (layout->tier == CONTRA_TRF && !layout->half)
        refuse(program, DIAG_ARGUMENT_UNFIT, "the half of the TRF is missing: NULL was given");
    if (layout->tier == CONTRA_TRF)
        add_word(program, layout->half);
    else if (layout->address < 0) // unknown, or wrong
        add_maybe(program, layout->address);
    else
        buf_format(&program->text, " 0x{x}", (uint64_t)layout->address);
}

static void add_dims(ContraProgram *program, const ContraLayout *layout)
{
    add_mapping(program, "chip", layout->chip);
    add_mapping(program, "cluster", layout->cluster);
    add_mapping(program, "slice", layout->slice);
    add_mapping(program, "row", layout->row);
    add_mapping(program, "element", layout->element);
}

static bool tier_is_known(ContraProgram *program, const ContraLayout *layout)
{
    bool known = IS_ENUM(layout->tier, TIER_COUNT);
    if (!known)
        refuse(program, DIAG_ARGUMENT_UNFIT,
               "{} is no memory: there are CONTRA_HOST ({}) to CONTRA_VRF ({})", (int)layout->tier,
               CONTRA_HOST, CONTRA_VRF);
    return known;
}

void line_layout(ContraProgram *program, const Part *part)
{
    const ContraLayout *layout = part->data;
    if (tier_is_known(program, layout))
        add_word(program, tier_words[layout->tier]);
    if (part->number && !layout->type)
        refuse(program, DIAG_ARGUMENT_UNFIT,
               "the type is missing: NULL was given, and nothing gives this tensor another");
    if (layout->type)
        add_needed(program, layout->type, "the type");
    add_dims(program, layout);
    add_address(program, layout);
}

// New mappings for an existing tensor: its memory and type stay.
void line_shape(ContraProgram *program, const Part *part)
{
    const ContraLayout *layout = part->data;
    const Tensor *tensor = tensor_of(program, part->of);
    if (tier_is_known(program, layout) && tensor && (int)layout->tier != (int)tensor->tier)
        refuse(program, DIAG_PROGRAM_TIER,
               "a tensor of {} is given another shape, and the layout is one of {}",
               tiers[tensor->tier].name, tiers[layout->tier].name);
    if (tensor && layout->type &&
        !str_equal(str_trim(str_from(layout->type)), str_from(scalar_name(tensor->type))))
        refuse(program, DIAG_ARGUMENT_UNFIT,
               "a tensor of {} is given another shape, and the layout says `{}`: the type stays, "
               "and may be NULL here",
               scalar_name(tensor->type), layout->type);
    add_dims(program, layout);
}

// ---- moves

static void help_contexts(ContraProgram *program, Diag *diag, const Part *part)
{
    const Tensor *source = tensor_of(program, part->data);
    Str method = str_trim(str_from(part->text));
    for (int i = 0; i < OP_METHOD_COUNT && source; i++) {
        const OpMethod *op = &op_methods[i];
        Str fit = dma_contexts(diag->arena, op->kind, source->tier, op->target);
        if (str_equal(method, str_from(op->method)) && fit.len)
            diag_help(diag, "contra_{} from {} to {} runs on {}", method, tiers[source->tier].name,
                      tiers[op->target].name, fit);
    }
    diag_help(diag, "there are `main`, `sub`, `tdma` and `pdma`");
}

// The context is the word that a line begins with.
void line_move(ContraProgram *program, const Part *part)
{
    Str word = str_trim(str_from(part->given ? part->given : ""));
    bool known = false;
    Diag *diag = NULL;
    for (Context context = 0; context < CONTEXT_COUNT; context++)
        known |= str_equal(word, str_from(context_names[context]));
    if (!word.len)
        diag =
            refuse(program, DIAG_PROGRAM_NAME,
                   part->given ? "the context is empty" : "the context is missing: NULL was given");
    add_word(program, part->given ? part->given : "_");
    if (word.len && !known)
        diag = refuse(program, DIAG_PROGRAM_NAME, "`{}` is not a context", word);
    if (diag)
        help_contexts(program, diag, part);
    add_text(program, part->text);
    add_tensor(program, part->data);
}

void line_pattern(ContraProgram *program, const Part *part)
{
    const ContraPattern *pattern = part->data;
    bool given = has_items(program, pattern->sources, pattern->count,
                           machine_fields[MACHINE_FIELD_chips].max, "sources of a pattern");
    if (!pattern->count)
        refuse(program, DIAG_ARGUMENT_UNFIT,
               "the pattern has no sources: it names one for each cluster or chip");
    add_text(program, " pattern (");
    for (int64_t i = 0; given && i < pattern->count; i++) {
        add_text(program, i ? "," : "");
        add_int(program, pattern->sources[i]);
    }
    add_text(program, ")");
    if (!pattern->dim)
        return;
    add_text(program, " count");
    add_int(program, pattern->dim);
}

// ---- stages

static void add_table(ContraProgram *program, const ContraFetchOptions *options)
{
    Scalar type;
    add_text(program, " table");
    add_word(program, options->table_type);
    add_text(program, " (");
    bool known = options->table_type && scalar_parse(str_from(options->table_type), &type);
    if (!options->table_type)
        refuse(program, DIAG_ARGUMENT_UNFIT, "the type of the table is missing: NULL was given");
    for (int64_t i = 0; known && i < options->table_count; i++) {
        add_text(program, i ? ", " : "");
        literal_print(&program->text, type, options->table[i]);
    }
    add_text(program, ")");
}

void line_fetch(ContraProgram *program, const Part *part)
{
    enum { MOST_ENTRIES = 65536, MOST_ZERO_POINTS = 2 };
    const ContraFetchOptions *options = part->data;
    if (has_items(program, options->table, options->table_count, MOST_ENTRIES,
                  "entries of the table"))
        add_table(program, options);
    if (!has_items(program, options->zero_points, options->zero_point_count, MOST_ZERO_POINTS,
                   "zero points") ||
        !options->zero_point_count)
        return;
    add_text(program, " zero_points (");
    for (int64_t i = 0; i < options->zero_point_count; i++) {
        add_text(program, i ? "," : "");
        add_int(program, options->zero_points[i]);
    }
    add_text(program, ")");
}

static void refuse_numbers(ContraProgram *program, const SwitchInfo *info, int64_t count,
                           int64_t given)
{
    StrBuf list = {.arena = &program->own};
    for (int64_t i = 0; i < count; i++)
        buf_format(&list, "{}`{}`", i ? ", " : "", info->fields[i]);
    refuse(program, DIAG_ARGUMENT_UNFIT, "{} takes {} number{}, {}, and is given {}", info->name,
           count, count == 1 ? "" : "s", buf_str(&list), given);
}

// The fields that the topology has.
void line_switch(ContraProgram *program, const Part *part)
{
    const int64_t *numbers = part->data;
    const SwitchInfo *info = NULL;
    for (int i = 0; i < SWITCH_COUNT && part->given; i++)
        if (strcmp(switches[i].name, part->given) == 0)
            info = &switches[i];
    add_needed(program, part->given, "the topology");
    if (!info) // which is reported
        return;
    int64_t count = 0;
    while (count < SWITCH_FIELDS && info->fields[count])
        count++;
    if (part->number != count || !numbers) {
        refuse_numbers(program, info, count, numbers ? part->number : 0);
        return;
    }
    for (int64_t i = 0; i < count; i++) {
        add_text(program, " ");
        add_text(program, info->fields[i]);
        add_text(program, "=");
        add_int(program, numbers[i]);
    }
}

static void add_group(ContraProgram *program, int64_t group)
{
    if (group != 0 && group != 1)
        refuse(program, DIAG_ARGUMENT_UNFIT, "a group is 0 or 1, and not {}", group);
    add_text(program, group ? " group One" : " group Zero");
}

void line_group(ContraProgram *program, const Part *part)
{
    if (part->number != -1)
        add_group(program, part->number);
}

static void add_constant(ContraProgram *program, const ContraOperand *operand)
{
    if (operand->kind != OPERAND_CONSTANT)
        refuse(program, DIAG_ARGUMENT_UNFIT,
               "an operand of kind {} is given: contra_operand_i32 and the like make them",
               (int)operand->kind);
    else if (!operand->type)
        refuse(program, DIAG_ARGUMENT_UNFIT, "the type of a constant is missing: NULL was given");
    add_value(program, operand->type, operand->bits);
}

// An operand of a ternary operation has another one with it, and no other has.
static void add_second(ContraProgram *program, const ContraOperand *operand, Str method)
{
    bool ternary = str_ends_with(method, STR("ternary"));
    if (operand->has_second && !ternary)
        refuse(program, DIAG_ARGUMENT_UNFIT,
               "an operand of `{}` has no other one with it: contra_operand_with is for "
               "vector_fp_ternary",
               str_trim(method));
    if (ternary && !operand->has_second && operand->kind != OPERAND_SKIP)
        refuse(program, DIAG_ARGUMENT_UNFIT,
               "an operand of a ternary operation has another one with it: "
               "contra_operand_with(operand, second)");
    if (!operand->has_second)
        return;
    add_text(program, " with");
    add_value(program, "f32", operand->second);
}

void line_operands(ContraProgram *program, const Part *part)
{
    enum { MOST_OPERANDS = 64 }; // more than any operation takes, which has its own words for it
    const ContraOperand *operand = part->data;
    bool given = has_items(program, operand, part->number, MOST_OPERANDS, "operands");
    for (int64_t i = 0; given && i < part->number; i++, operand++) {
        add_text(program, i ? "," : "");
        if (operand->kind == OPERAND_SKIP)
            add_text(program, " _");
        else if (operand->kind == OPERAND_VRF)
            add_tensor(program, operand->vrf);
        else if (operand->kind == OPERAND_STASH)
            add_text(program, " stash");
        else
            add_constant(program, operand);
        add_second(program, operand, str_from(part->text));
        if (operand->group < 0)
            refuse(program, DIAG_ARGUMENT_UNFIT, "the group of an operand is 0 or 1");
        else if (operand->group)
            add_group(program, operand->group - 1);
    }
}

// Less 5, or True i32, which compares with nothing
static void add_compare(ContraProgram *program, const ContraInputCompare *compare)
{
    const char *kind = compare->kind ? compare->kind : "";
    bool alone = !strcmp(kind, "True") || !strcmp(kind, "False");
    add_needed(program, compare->kind, "the kind of a comparison");
    if (!alone || compare->bits)
        add_value(program, compare->type, compare->bits);
    else
        add_word(program, compare->type);
}

void line_branch(ContraProgram *program, const Part *part)
{
    const ContraBranch *branch = part->data;
    const char *kind = branch->kind ? branch->kind : "";
    bool by_vrf = !strcmp(kind, "Vrf"), compares = !strcmp(kind, "Comparison");
    add_needed(program, branch->kind, "the branch");
    if (!strcmp(kind, "AxisToggle") && !branch->axis)
        refuse(program, DIAG_ARGUMENT_UNFIT,
               "the axis is missing: contra_branch_axis_toggle gives one");
    if (by_vrf && !branch->vrf)
        refuse(program, DIAG_ARGUMENT_UNFIT, "the tensor is missing: contra_branch_vrf gives one");
    if (compares && !(branch->compares[0].kind && branch->compares[0].type))
        refuse(program, DIAG_ARGUMENT_UNFIT,
               "the comparisons are missing: contra_branch_comparison gives four");
    if (branch->axis)
        add_needed(program, branch->axis, "the axis");
    if (by_vrf)
        add_tensor(program, branch->vrf);
    for (size_t i = 0; compares && i < COUNT_OF(branch->compares); i++) {
        add_text(program, i ? "," : "");
        add_compare(program, &branch->compares[i]);
    }
}

// ---- axes and choices

void line_skew(ContraProgram *program, const Part *part)
{
    enum { MOST_AXES = 256 };
    const char *const *axes = part->data;
    bool given = has_items(program, axes, part->number, MOST_AXES, "axes");
    if (!part->number)
        refuse(program, DIAG_ARGUMENT_UNFIT, "an axis is skewed by one other at least");
    for (int64_t i = 0; given && i < part->number; i++) {
        add_text(program, " -");
        add_needed(program, axes[i], "the name of an axis");
    }
}

void line_choices(ContraProgram *program, const Part *part)
{
    enum { MOST_CHOICES = 65536 };
    const ContraChoice *choices = part->data;
    bool given = has_items(program, choices, part->number, MOST_CHOICES, "choices");
    for (int64_t i = 0; given && i < part->number; i++) {
        add_text(program, i ? "," : "");
        add_int(program, choices[i].number);
        add_int(program, choices[i].ways);
    }
}
