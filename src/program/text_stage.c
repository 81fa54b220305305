// Lines of a pass: each is a stage, read argument by argument as stage_args says.
#include "program/internal.h"
#include "program/text_read.h"

#include "base/checked.h"

// ---- passes

void text_end_pass(Reader *reader)
{
    reader->pass_lost = false;
    if (!reader->pass)
        return;
    if (!reader->pass_broken)
        diag_help(diag_add(reader->diags, DIAG_PROGRAM_PASS, reader->pass_span,
                           "this pass does not end: its last stage stores nothing"),
                  reader->by_calls ? "end it with contra_commit, contra_commit_view, contra_to_trf "
                                     "or contra_to_vrf; contra_leave_open gives its stream back"
                                   : "end it with `commit`, `commit_view`, `to_trf` or `to_vrf`; a "
                                     "pass that gives its stream back ends with `open`");
    reader->pass = NULL;
    reader->wrong = reader->broken = true;
}

void text_pass_line(Reader *reader)
{
    int64_t start = text_start(reader);
    int context =
        text_choice(reader, context_names, CONTEXT_SUB + 1, "a context that a pass can run on");
    bool known = !text_accept(reader, "?");
    reader->pass_broken = !text_finish(reader);
    reader->pass_span = text_span(reader, start);
    reader->pass =
        builder_pass(reader->builder, context == CONTEXT_SUB ? CONTEXT_SUB : CONTEXT_MAIN, known,
                     reader->pass_span);
}

static void report_lost(Reader *reader, Span span)
{
    if (!reader->pass_lost && reader->by_calls)
        diag_help(text_report(reader, DIAG_PROGRAM_PASS, span,
                              "the pass of this stream has ended, and has no more stages"),
                  "contra_begin starts another pass, with a stream of its own");
    else if (!reader->pass_lost)
        text_report(reader, DIAG_PROGRAM_PASS, span,
                    "a stage stands outside of a pass; `pass main` starts one");
    reader->pass_lost = true;
    reader->useless = true;
    reader->failed = true;
}

void text_open_line(Reader *reader, Span span)
{
    if (!reader->pass) {
        report_lost(reader, span);
        return;
    }
    bool useful = text_finish(reader) && !reader->pass_broken;
    if (useful && !reader->pass->stages.count)
        text_report(reader, DIAG_PROGRAM_PASS, span, "this pass has no stage");
    else if (useful)
        builder_leave_open(reader->builder, reader->pass);
    reader->pass = NULL;
}

StageKind text_stage_find(Str word)
{
    if (str_equal(word, STR("input")))
        return STAGE_INPUT;
    StageKind kind = STAGE_INPUT + 1;
    while (kind < STAGE_COUNT && !str_equal(word, str_from(stages[kind].method)))
        kind++;
    return kind;
}

// ---- arguments

// The stage before; NULL where there is none, or where it is not known.
static const Stage *before(const Reader *reader)
{
    const Pass *pass = reader->pass;
    return pass->stages.count && !reader->pass_broken ? pass->stages.items[pass->stages.count - 1]
                                                      : NULL;
}

static uint32_t position_levels(Position position)
{
    uint32_t levels = 1U << LEVEL_CHIP | 1U << LEVEL_CLUSTER | 1U << LEVEL_SLICE |
                      1U << LEVEL_TIME | 1U << LEVEL_PACKET;
    bool rows = position == POSITION_ALIGN || position == POSITION_CONTRACT;
    return rows ? levels | 1U << LEVEL_ROW : levels;
}

// stage Fxp entry i32 stash? way4? inter_first? zipped?
static void read_vector_state(Reader *reader, Stage *stage)
{
    const char *names[VECTOR_STAGE_COUNT];
    for (int i = 0; i < VECTOR_STAGE_COUNT; i++)
        names[i] = vector_stages[i].name;
    stage->stash_type = stage->type;
    if (text_accept_word(reader, "stage")) {
        int found = text_choice(reader, names, VECTOR_STAGE_COUNT, "a stage of the Vector Engine");
        stage->vector_stage = found < 0 ? VECTOR_BRANCH : (VectorStage)found;
    }
    if (text_accept_word(reader, "entry"))
        text_type(reader, &stage->stash_type);
    stage->has_stash = text_accept_word(reader, "stash");
    stage->way4 = text_accept_word(reader, "way4");
    stage->inter_first = text_accept_word(reader, "inter_first");
    stage->zipped = text_accept_word(reader, "zipped");
}

static void read_stream(Reader *reader, Stage *stage)
{
    int position = text_choice(reader, position_types, POSITION_SINK, "a kind of stream");
    if (position < 0) {
        reader->failed = true; // the rest depends on it
        return;
    }
    stage->position = (Position)position;
    text_type(reader, &stage->type);
    uint32_t levels = position_levels(stage->position);
    text_dims(reader, &(DimForm){levels, levels, "this stream"}, stage->dims);
    if (position >= POSITION_VECTOR_INIT && position <= POSITION_VECTOR_PAIR)
        read_vector_state(reader, stage);
}

static void read_stage_dims(Reader *reader, Stage *stage)
{
    Str what = str_format(reader->arena, "`{}`", stages[stage->kind].method);
    uint32_t levels = stage_dims(stage->kind);
    text_dims(reader, &(DimForm){levels, levels, str_terminated(reader->arena, what)}, stage->dims);
}

// "(" number ("," number)* ")"
static void read_table(Reader *reader, FetchAdapter *adapter)
{
    struct {
        ARRAY(uint32_t);
    } entries = {0};
    text_type(reader, &adapter->table_type);
    if (!text_expect(reader, "(", "`(` and the entries of the table"))
        return;
    while (!reader->failed && !text_accept(reader, ")")) {
        uint32_t bits;
        if (entries.count && !text_expect(reader, ",", "`,` or `)`"))
            return;
        text_bits(reader, adapter->table_type, &bits);
        *array_push(reader->arena, &entries, uint32_t) = bits;
    }
    adapter->has_table = true;
    adapter->table = entries.items;
    adapter->table_count = entries.count;
}

static void read_zero_points(Reader *reader, FetchAdapter *adapter)
{
    int32_t most = (int32_t)COUNT_OF(adapter->zero_points);
    if (!text_expect(reader, "(", "`(` and a zero point"))
        return;
    do {
        uint32_t bits;
        if (!text_bits(reader, SCALAR_I32, &bits))
            return;
        adapter->zero_points[adapter->zero_point_count++] = (int32_t)bits;
    } while (adapter->zero_point_count < most && text_accept(reader, ","));
    text_expect(reader, ")", "`)`");
}

static void read_adapter(Reader *reader, Stage *stage)
{
    int64_t start = text_start(reader);
    if (text_accept_word(reader, "table")) {
        read_table(reader, &stage->adapter);
        stage->at.table = text_span(reader, start);
    }
    start = text_start(reader);
    if (text_accept_word(reader, "zero_points")) {
        read_zero_points(reader, &stage->adapter);
        stage->at.zero_points = text_span(reader, start);
    }
}

// Broadcast01 slice1=256 slice0=1 time0=1
static void read_switch(Reader *reader, SwitchConfig *config)
{
    const char *names[SWITCH_COUNT];
    for (int i = 0; i < SWITCH_COUNT; i++)
        names[i] = switches[i].name;
    int kind = text_choice(reader, names, SWITCH_COUNT, "a topology of the Switch Engine");
    if (kind < 0) {
        reader->failed = true; // its fields are not known
        return;
    }
    config->kind = (SwitchKind)kind;
    for (int i = 0; i < SWITCH_FIELDS && switches[kind].fields[i]; i++) {
        const char *field = switches[kind].fields[i];
        if (!text_accept_word(reader, field)) {
            text_syntax_error(
                reader, str_terminated(reader->arena, str_format(reader->arena, "`{}=`", field)));
            return;
        }
        if (!text_expect(reader, "=", "`=` and a number") ||
            !text_int(reader, switch_field(config, str_from(field)), "a number"))
            return;
    }
}

// ---- operations of the Vector Engine

static int family_find(Str name)
{
    for (int family = 0; family < FAMILY_COUNT; family++)
        if (str_equal(name, str_from(vector_families[family].name)))
            return family;
    return FAMILY_COUNT;
}

// The part of Family "::" name before the colons; empty: there is none.
static Str family_part(Str name)
{
    for (int64_t i = 0; i < name.len; i++)
        if (name.data[i] == ':')
            return str_slice(name, 0, i);
    return STR("");
}

// Where an operation of that name belongs, for one that was looked for elsewhere.
static void help_stage(const Reader *reader, Diag *diag, Str name)
{
    Str methods = stages_of_op(reader->arena, name, reader->by_calls ? "contra_" : "");
    if (methods.len)
        diag_help(diag, "`{}` is an operation of {}", name, methods);
}

static void report_op(Reader *reader, Span span, Str name, VectorFamily family)
{
    StrBuf list = {.arena = reader->arena};
    Diag *diag = text_report(reader, DIAG_PROGRAM_NAME, span, "`{}` is not an operation of {}",
                             name, vector_families[family].name);
    for (VectorOp op = 0; op < VECTOR_OP_COUNT; op++)
        if (vector_ops[op].family == family)
            buf_format(&list, "{}`{}`", list.len ? ", " : "", vector_ops[op].name);
    diag_help(diag, "there are {}", buf_str(&list));
    const char *names[VECTOR_OP_COUNT] = {0};
    for (VectorOp op = 0; op < VECTOR_OP_COUNT; op++)
        names[op] = vector_ops[op].family == family ? vector_ops[op].name : NULL;
    help_stage(reader, diag, name);
    if (!family_part(name).len)
        text_help_near(diag, name, names, VECTOR_OP_COUNT);
}

// A bare name is one of the family that is usual here. Where the type of the stream is not known,
// a name of either family will do.
static VectorOp find_op(Reader *reader, StageKind kind, Str name, Span span)
{
    const Stage *last = before(reader);
    int family = stage_family(kind, last ? last->type : SCALAR_I32);
    int other = last ? family : (int)stage_family(kind, SCALAR_F32);
    Str prefix = family_part(name);
    if (prefix.len) {
        family = other = family_find(prefix);
        name = str_slice(name, prefix.len + 2, name.len);
    }
    if (family == FAMILY_COUNT) {
        text_report(reader, DIAG_PROGRAM_NAME, span, "`{}` is not a family of operations", prefix);
        return 0;
    }
    VectorOp op = vector_op_find((VectorFamily)family, name);
    op = op == VECTOR_OP_COUNT ? vector_op_find((VectorFamily)other, name) : op;
    if (op == VECTOR_OP_COUNT)
        report_op(reader, span, name, (VectorFamily)family);
    return op;
}

// name ("(" ALU ")")?
static void read_op(Reader *reader, Stage *stage)
{
    Str name, word;
    Span span;
    if (!text_word(reader, &name, &span, "an operation"))
        return;
    stage->op = find_op(reader, stage->kind, name, span);
    stage->at.op = span;
    bool takes_alu = stage->op != VECTOR_OP_COUNT && vector_ops[stage->op].alu == ALU_NONE;
    if (!text_accept(reader, "(") || !text_word(reader, &word, &span, "an ALU"))
        return;
    stage->alu = alu_find(word);
    if (stage->alu == ALU_COUNT)
        text_report(reader, DIAG_PROGRAM_NAME, span, "`{}` is not an ALU", word);
    else if (!takes_alu)
        text_report(reader, DIAG_PROGRAM_NAME, span, "`{}` names no ALU: it has one of its own",
                    name);
    text_expect(reader, ")", "`)`");
    stage->at.op.end = reader->at;
}

// Of a word that is none, those are shown that the stage can have: a digit for each operand.
static void read_mode(Reader *reader, Stage *stage)
{
    const char *names[MODE_COUNT];
    int digits = stage->kind == STAGE_VECTOR_FP_UNARY     ? 1
                 : stage->kind == STAGE_VECTOR_FP_TERNARY ? 3
                                                          : 2;
    Str word;
    bool known = false;
    for (int i = 0; i < MODE_COUNT; i++) {
        names[i] = arg_modes[i].name;
        known |= names[i] && text_peek_word(reader, &word) && str_equal(word, str_from(names[i]));
    }
    for (int i = 0; i < MODE_COUNT && !known; i++)
        names[i] = arg_modes[i].count == digits ? names[i] : NULL;
    if (!text_peek_word(reader, &word) || !str_starts_with(word, STR("Mode")))
        return;
    int64_t start = reader->at;
    int mode = text_choice(reader, names, MODE_COUNT, "an argument mode");
    stage->at.mode = text_span(reader, start);
    stage->mode = mode < 0 ? MODE_DEFAULT : (ArgMode)mode;
}

// ("group" ("Zero" | "One"))?
static BranchCondition read_group(Reader *reader)
{
    if (!text_accept_word(reader, "group"))
        return CONDITION_ALWAYS;
    int group = text_choice(reader, group_words, (int)COUNT_OF(group_words), "a group");
    return group == 1 ? CONDITION_GROUP_1 : CONDITION_GROUP_0;
}

// "with" ("f32" ":")? number
static void read_second(Reader *reader, Operand *operand)
{
    if (!text_accept_word(reader, "with")) {
        text_syntax_error(reader, "`with` and the other operand");
        return;
    }
    if (text_accept_word(reader, "f32"))
        text_expect(reader, ":", "`:` and a value");
    text_bits(reader, SCALAR_F32, &operand->second);
}

// operand = "_" | (value | label | "stash") second? group?
static void read_operand(Reader *reader, Operand *operand, bool ternary)
{
    int64_t start = text_start(reader);
    if (text_accept_word(reader, "_")) {
        operand->kind = OPERAND_SKIP;
        operand->span = text_span(reader, start);
        return;
    }
    if (text_peek(reader) == '%') {
        operand->kind = OPERAND_VRF;
        operand->vrf = text_tensor(reader, 1U << TIER_VRF);
    } else if (text_accept_word(reader, "stash")) {
        operand->kind = OPERAND_STASH;
    } else {
        operand->kind = OPERAND_CONSTANT;
        text_value(reader, &operand->type, &operand->bits);
    }
    if (ternary)
        read_second(reader, operand);
    operand->condition = read_group(reader);
    operand->span = text_span(reader, start);
}

static void read_operands(Reader *reader, Stage *stage)
{
    int64_t count = 0;
    int64_t start = text_start(reader);
    while (!reader->failed && (count ? text_accept(reader, ",") : !text_at_end(reader))) {
        Operand operand = {0};
        read_operand(reader, &operand, stage->kind == STAGE_VECTOR_FP_TERNARY);
        if (count < VECTOR_OPERANDS)
            stage->operands[count] = operand;
        count++;
    }
    stage->operand_count = (int32_t)min_i64(count, VECTOR_OPERANDS);
    if (!reader->failed && count > VECTOR_OPERANDS)
        text_report(reader, DIAG_PROGRAM_OPERANDS, text_span(reader, start),
                    "{} operands; an operation takes at most {}", (int)count, VECTOR_OPERANDS);
}

// Of a pair: true, false
static void read_groups(Reader *reader, Stage *stage)
{
    static const char *const words[] = {"false", "true"};
    const Stage *last = before(reader);
    bool pair = last ? last->position == POSITION_VECTOR_PAIR : !text_at_end(reader);
    if (!pair)
        return;
    int first = text_choice(reader, words, 2, "`true` or `false`");
    text_expect(reader, ",", "`,`");
    int second = text_choice(reader, words, 2, "`true` or `false`");
    stage->groups[0] = first == 1;
    stage->groups[1] = second == 1;
}

// name (value | type): the type alone where nothing is compared
static void read_compare(Reader *reader, InputCompare *compare)
{
    int kind = text_choice(reader, compare_names, COMPARE_COUNT, "a comparison");
    compare->kind = kind < 0 ? COMPARE_TRUE : (CompareKind)kind;
    if (compare->kind != COMPARE_TRUE && compare->kind != COMPARE_FALSE) {
        text_value(reader, &compare->type, &compare->boundary);
        return;
    }
    text_type(reader, &compare->type);
    if (text_accept(reader, ":"))
        text_bits(reader, compare->type, &compare->boundary);
}

static void read_branch(Reader *reader, Stage *stage)
{
    int branch = text_choice(reader, branch_names, BRANCH_COUNT, "a branch");
    if (branch < 0) {
        reader->failed = true; // its arguments are not known
        return;
    }
    stage->branch = (BranchKind)branch;
    bool nothing = text_accept_word(reader, "_"); // a program that a rule will refuse
    if (stage->branch == BRANCH_AXIS_TOGGLE && !nothing)
        stage->axis = text_axis(reader);
    if (stage->branch == BRANCH_VRF && !nothing)
        stage->branch_vrf = text_tensor(reader, 1U << TIER_VRF);
    for (int i = 0; stage->branch == BRANCH_COMPARISON && i < BRANCH_COMPARISONS; i++)
        if (i == 0 || text_expect(reader, ",", "`,` and another of four comparisons"))
            read_compare(reader, &stage->compares[i]);
}

// ---- sinks

static const uint32_t sink_tiers[STAGE_COUNT] = {
    [STAGE_COMMIT] = 1U << TIER_DM,
    [STAGE_TO_TRF] = 1U << TIER_TRF,
    [STAGE_TO_VRF] = 1U << TIER_VRF,
};

static void read_sink(Reader *reader, Stage *stage)
{
    const Stage *last = before(reader);
    Inherited from = {last ? last->type : SCALAR_I32, last ? last->dims : NULL};
    stage->result = text_result(reader, sink_tiers[stage->kind], &from);
}

static void read_target(Reader *reader, Stage *stage)
{
    if (text_expect(reader, "->", "`->` and the view that is written"))
        stage->target = text_view(reader, 1U << TIER_DM, true);
}

static void read_arg(Reader *reader, Stage *stage, StageArg arg)
{
    int64_t start;
    switch (arg) {
    case ARG_END:
        return;
    case ARG_STREAM:
        read_stream(reader, stage);
        return;
    case ARG_AXIS:
        start = text_start(reader);
        stage->axis = text_axis(reader);
        stage->at.axis = text_span(reader, start);
        return;
    case ARG_SOURCE:
        stage->sources[0] = text_view(reader, 1U << TIER_DM, false);
        return;
    case ARG_SOURCE_2:
        stage->sources[1] = text_view(reader, 1U << TIER_DM, false);
        return;
    case ARG_TYPE:
        text_type(reader, &stage->type);
        return;
    case ARG_DIMS:
        read_stage_dims(reader, stage);
        return;
    case ARG_ADAPTER:
        read_adapter(reader, stage);
        return;
    case ARG_SWITCH:
        start = text_start(reader);
        read_switch(reader, &stage->config);
        stage->at.config = text_span(reader, start);
        return;
    case ARG_TRF:
        stage->trf = text_tensor(reader, 1U << TIER_TRF);
        return;
    case ARG_ACCUMULATE:
        stage->accumulate =
            text_choice(reader, accumulate_names, ACCUMULATE_COUNT, "a kind of accumulation") == 1
                ? ACCUMULATE_SEQUENTIAL
                : ACCUMULATE_INTERLEAVED;
        return;
    case ARG_OP:
        read_op(reader, stage);
        return;
    case ARG_MODE:
        read_mode(reader, stage);
        return;
    case ARG_OPERANDS:
        read_operands(reader, stage);
        return;
    case ARG_GROUPS:
        read_groups(reader, stage);
        return;
    case ARG_WIDTH:
        start = text_start(reader);
        text_int(reader, &stage->int_width, "the width of the integer part");
        stage->at.width = text_span(reader, start);
        return;
    case ARG_BRANCH:
        start = text_start(reader);
        read_branch(reader, stage);
        stage->at.branch = text_span(reader, start);
        return;
    case ARG_FILTER:
        stage->filter = read_group(reader);
        return;
    case ARG_TILE_TIME:
        if (text_accept_word(reader, "tile_time"))
            stage->tile_time = text_dim(reader);
        else
            text_syntax_error(reader, "`tile_time [..]`");
        return;
    case ARG_RESULT:
        read_sink(reader, stage);
        return;
    case ARG_TARGET:
        read_target(reader, stage);
        return;
    }
}

// ---- stages

// The kinds of stream that a stage follows.
static Str followed_streams(Reader *reader, StageKind kind)
{
    StrBuf list = {.arena = reader->arena};
    for (Position position = 0; position < POSITION_COUNT; position++)
        if (stages[kind].from & 1U << position)
            buf_format(&list, "{}{}", list.len ? ", " : "", position_types[position]);
    return buf_str(&list);
}

// The one stage that leads from a stream to one of those that are wanted.
static void help_missing(Diag *diag, Position position, uint32_t wanted)
{
    for (StageKind kind = STAGE_INPUT + 1; kind < STAGE_COUNT; kind++) {
        bool leads = stages[kind].from >> position & 1 && wanted >> stages[kind].to & 1;
        if (!leads || stages[kind].to == position)
            continue;
        bool bare = stage_args[kind][0] == ARG_END;
        Span start = {diag->span.source, diag->span.start, diag->span.start};
        diag_help(diag, "put `{}` before it", stages[kind].method);
        diag_edit(diag, bare ? start : SPAN_NOWHERE, "{}\n  ", stages[kind].method);
        return;
    }
}

static void check_order(Reader *reader, StageKind kind, Span span)
{
    const Stage *last = before(reader);
    uint32_t from = stages[kind].from;
    if (reader->pass_broken || (last ? (from >> last->position & 1) != 0 : from == 0))
        return;
    const char *name = kind == STAGE_INPUT ? "input" : stages[kind].method;
    if (!last)
        text_report(reader, DIAG_PROGRAM_STAGE_ORDER, span,
                    "a pass starts with `begin`, `begin_interleaved` or `input`, not with `{}`",
                    name);
    else if (!from)
        text_report(reader, DIAG_PROGRAM_STAGE_ORDER, span, "`{}` can only start a pass", name);
    else
        help_missing(text_report(reader, DIAG_PROGRAM_STAGE_ORDER, span,
                                 "`{}` cannot follow {} {}; it follows {}", name,
                                 str_article(str_from(position_types[last->position])),
                                 position_types[last->position], followed_streams(reader, kind)),
                     last->position, from);
}

void text_stage_line(Reader *reader, StageKind kind, Span span)
{
    if (!reader->pass) {
        report_lost(reader, span);
        return;
    }
    Stage stage = {.kind = kind, .span = span};
    check_order(reader, kind, span);
    for (int i = 0; i < STAGE_MOST_ARGS && !reader->failed; i++)
        read_arg(reader, &stage, stage_args[kind][i]);
    stage.call_span = text_span(reader, span.start);
    if (text_finish(reader) && !reader->pass_broken)
        builder_stage(reader->builder, reader->pass, &stage);
    else
        reader->pass_broken = true;
    if (kind != STAGE_INPUT && stages[kind].to == POSITION_SINK)
        reader->pass = NULL;
}
