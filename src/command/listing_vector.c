// The Vector Engine: a line for each step, with its stage, its ALU, what it does and on what.
#include "command/listing_text.h"

#include "base/checked.h"
#include "command/form.h"

#include <inttypes.h>
#include <string.h>

// ---- valid counts. Manual: Valid Count Generator's Implementation.

static const char *dim_name(int64_t dim)
{
    static const char *const names[] = {"packet", "gate 0", "gate 1", "gate 2"};
    return dim < 0 ? "none" : dim < 4 ? names[dim] : "?";
}

static void print_vcg(const Listing *listing, const HwVcg *vcg)
{
    listing_linef(listing, "", "valid counts: packet dim of stride %" PRId64 ", V %" PRId64,
                  vcg->packet_stride, vcg->packet_valid);
    if (vcg->counters.count)
        listing_linef(listing, "", "  counter     limit    stride  dim");
    for (int64_t i = 0; i < vcg->counters.count; i++) {
        const HwVcgCounter *counter = &vcg->counters.items[i];
        listing_linef(listing, "", "  %-7" PRId64 " %9" PRId64 " %9" PRId64 "  %s", i,
                      counter->limit, counter->stride, dim_name(counter->dim));
    }
    if (vcg->gates.count)
        listing_linef(listing, "", "  gate         mask     match  V         P");
    for (int64_t i = 0; i < vcg->gates.count; i++) {
        const HwVcgGate *gate = &vcg->gates.items[i];
        listing_linef(listing, "", "  %-7" PRId64 " %#9" PRIx64 " %#9" PRIx64 "  %-9" PRId64 " %d",
                      i, (uint64_t)gate->mask, (uint64_t)gate->match, gate->valid,
                      gate->transposed);
    }
}

// ---- operands

static const char *condition_name(BranchCondition condition)
{
    return field_value_name(record_field(&record_of_VectorOperand, "condition"), (int)condition);
}

static Str operand_text(Arena *arena, const HwVectorStep *step, const HwVectorOperand *operand)
{
    StrBuf text = {.arena = arena};
    const Field *source = record_field(&record_of_VectorOperand, "source");
    if (operand->source == OPERAND_CONSTANT)
        buf_add(&text, value_text(arena, operand->type, operand->bits));
    else
        buf_add(&text, str_from(field_value_name(source, (int)operand->source)));
    bool ternary = operand->source == OPERAND_CONSTANT && step->call == STAGE_VECTOR_FP_TERNARY;
    if (ternary || operand->second_bits)
        buf_printf(&text, " and %.*s",
                   STR_ARG(value_text(arena, operand->type, operand->second_bits)));
    if (operand->nest)
        buf_printf(&text, " %.*s", STR_ARG(nest_text(arena, operand->nest)));
    if (operand->condition != CONDITION_ALWAYS)
        buf_printf(&text, " if %s", condition_name(operand->condition));
    return buf_str(&text);
}

static void add_operands(StrBuf *text, const HwVectorStep *step)
{
    for (int64_t i = 0; i < step->operands.count; i++) {
        bool pair = step->groups && step->operands.count > 1;
        buf_add(text, i ? STR(", ") : STR(" "));
        if (pair)
            buf_printf(text, "group %" PRId64 ": ", i);
        buf_add(text, operand_text(text->arena, step, &step->operands.items[i]));
    }
}

// ---- branches

static void add_compares(StrBuf *text, const HwBranch *branch)
{
    for (int64_t i = 0; i < branch->compares.count; i++) {
        const HwCompare *compare = &branch->compares.items[i];
        buf_printf(text, "%sbit %" PRId64 " %s", i ? ", " : ": ", i, compare_names[compare->kind]);
        if (compare->kind < COMPARE_TRUE)
            buf_printf(text, " %.*s",
                       STR_ARG(value_text(text->arena, compare->type, compare->bits)));
    }
}

// "time / 4 % 8": the digit of a number whose steps take `place`.
static void add_digit(StrBuf *text, int64_t place, int64_t size)
{
    if (place != 1)
        buf_printf(text, " / %" PRId64, place);
    buf_printf(text, " %% %" PRId64, size);
}

static void add_branch(StrBuf *text, const HwBranch *branch)
{
    buf_printf(text, " %s", branch_names[branch->kind]);
    add_compares(text, branch);
    for (int64_t i = 0; i < branch->toggles.count; i++) {
        const HwToggleDigit *digit = &branch->toggles.items[i];
        buf_printf(text, "%s%s", i ? " + " : ": (", level_names[digit->level]);
        add_digit(text, digit->place, digit->size);
        if (digit->weight != 1)
            buf_printf(text, " x %" PRId64, digit->weight);
    }
    buf_add(text, branch->toggles.count ? STR(") % 2 is the group") : STR(""));
    if (branch->nest)
        buf_printf(text, ": ids %.*s", STR_ARG(nest_text(text->arena, branch->nest)));
}

// ---- reductions

static void add_lanes(StrBuf *text, const HwLaneReduce *lanes)
{
    Arena *arena = text->arena;
    if (lanes->lanes)
        say(text, "lanes in a tree of depth %" PRId64, lanes->tree_depth);
    say(text, "[");
    for (int64_t i = 0; i < lanes->loops.count; i++) {
        const HwReduceLoop *loop = &lanes->loops.items[i];
        buf_add(text, i ? STR(", ") : STR(""));
        if (loop->term.len)
            buf_printf(text, "%.*s = ", STR_ARG(term_text(arena, loop->term)));
        buf_printf(text, "%" PRId64, loop->size);
        if (loop->reduced)
            buf_add(text, STR(" reduced"));
        else
            buf_printf(text, " : %" PRId64, loop->slot_stride);
    }
    buf_add_char(text, ']');
    say(text, "%" PRId64 " of 8 slots", lanes->slots);
    say(text, "%" PRId64 " -> %" PRId64 " packets", lanes->in_time, lanes->out_time);
}

static void add_slice_digits(StrBuf *text, const HwSliceReduce *reduce)
{
    say(text, "slice [");
    for (int64_t i = 0; i < reduce->slices.count; i++) {
        const HwSliceDigit *digit = &reduce->slices.items[i];
        buf_printf(text, "%s%" PRId64 " : %" PRId64, i ? ", " : "", digit->size, digit->place);
        buf_add(text, digit->reduced ? STR(" reduced") : STR(""));
        if (digit->data != digit->size)
            buf_printf(text, ", %" PRId64 " of them data", digit->data);
    }
    buf_add_char(text, ']');
}

static void add_slices(StrBuf *text, const HwSliceReduce *reduce)
{
    say(text, "%" PRId64 " slices to one result", reduce->group);
    add_slice_digits(text, reduce);
    for (int64_t i = 0; i < reduce->time.count; i++) {
        const HwTimeDigit *digit = &reduce->time.items[i];
        if (!digit->slice_place)
            continue;
        say(text, "time");
        add_digit(text, digit->place, digit->size);
        buf_add(text, STR(" moves to slice"));
        add_digit(text, digit->slice_place, digit->slice_size);
    }
    say(text, "%" PRId64 " -> %" PRId64 " packets", reduce->in_time, reduce->out_time);
}

// ---- steps

// "MulF 2", or what the program calls it, without what all calls begin with.
static void add_name(StrBuf *text, const HwVectorStep *step)
{
    const char *call = field_value_name(record_field(&record_of_VectorStep, "call"), step->call);
    static const char *const prefixes[] = {"vector_", "intra_slice_", "inter_slice_"};
    Str name = str_from(call);
    for (size_t i = 0; i < COUNT_OF(prefixes); i++)
        if (str_starts_with(name, str_from(prefixes[i])))
            name = str_slice(name, (int64_t)strlen(prefixes[i]), name.len);
    buf_add(text, step->op.len ? step->op : name);
    if (step->mode)
        buf_printf(text, " %s", arg_modes[step->mode].name);
}

static void add_groups(StrBuf *text, const HwVectorStep *step)
{
    enum { FIRST = 1, SECOND = 2 };
    if (step->groups == FIRST || step->groups == SECOND)
        say(text, "group %d alone", step->groups == FIRST ? 0 : 1);
    if (step->condition != CONDITION_ALWAYS)
        say(text, "passes %s", condition_name(step->condition));
    if (step->int_width)
        say(text, "int_width %" PRId64, step->int_width);
    if (step->pair) {
        say(text, "packet t to group t");
        add_digit(text, step->pair->inside, 2);
    }
}

enum { STAGE_WIDTH = 17, ALU_WIDTH = 14 };

static void print_step(const Listing *listing, const HwVectorStep *step)
{
    StrBuf text = {.arena = listing->out->arena};
    const char *alu = vector_alu_names[step->alu];
    buf_printf(&text, "%-*s%-*s", STAGE_WIDTH, vector_stages[step->stage].name, ALU_WIDTH,
               *alu ? alu : "-");
    add_name(&text, step);
    if (step->branch)
        add_branch(&text, step->branch);
    add_operands(&text, step);
    add_groups(&text, step);
    if (step->lanes)
        add_lanes(&text, step->lanes);
    if (step->slices)
        add_slices(&text, step->slices);
    if (step->type == step->out_type)
        buf_printf(&text, "; %s", scalar_name(step->type));
    else
        buf_printf(&text, "; %s -> %s", scalar_name(step->type), scalar_name(step->out_type));
    say(&text, "way %" PRId64 ", %" PRId64 " packet%s of %" PRId64, step->way, step->time,
        plural(step->time), step->packet_elements);
    listing_hang(listing, "", STAGE_WIDTH + ALU_WIDTH + 2, buf_str(&text));
}

void listing_vector(const Listing *listing, const HwVector *vector)
{
    StrBuf text = {.arena = listing->out->arena};
    say(&text, "%" PRId64 " -> %" PRId64 " packets", vector->in_time, vector->out_time);
    if (vector->has_stash)
        say(&text, "stash of %s", scalar_name(vector->stash_type));
    listing_line(listing, "vector", buf_str(&text));
    if (vector->vcg)
        print_vcg(listing, vector->vcg);
    for (int64_t i = 0; i < vector->steps.count; i++)
        print_step(listing, &vector->steps.items[i]);
}
