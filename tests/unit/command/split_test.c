// Passes that become several commands: together they do each element once, and each of them its own
// values of the digit that is split off, in every tensor it touches. On machines with short
// sequencers nearly every pass is split.
#include "stream_support.h"
#include "walk_padding.h"

#include "api/state.h"

typedef struct {
    Compare compare;
    const Program *program;
    int64_t passes, commands, loads;
} Split;

// ---- values of a digit

static bool in_range(Compare *c, const Dim *element, int64_t at, const Narrowing *digit)
{
    Narrower narrower = {&c->scratch, c->lower.machine, {0}};
    if (!narrow_place(&narrower, element, digit))
        return true; // a broadcast
    Cell cell = cell_of(c, &element->mapping, at);
    if (cell.count != 1)
        return true;
    int64_t value =
        index_value(&cell.items[0], digit->term.atom) / digit->term.stride % digit->size;
    return value >= digit->start && value < digit->start + digit->length;
}

static void expect_digits(Split *split, const PassParts *parts, int64_t number,
                          const Tensor *tensor, const char *what, int64_t at)
{
    Compare *c = &split->compare;
    const Dim *element = split->program->tensors.items[tensor->id]->dims[LEVEL_ELEMENT];
    if (at < 0 || at >= element->mapping.size)
        return; // padding that is read; compare_part looks at the rest
    for (int32_t i = 0; i < parts->plan.count; i++) {
        Narrowing digit = split_digit(&parts->plan, i, number);
        if (!in_range(c, element, at, &digit))
            fail_msg("%s: command %" PRId64 ": %s touches element %" PRId64 ", which is another's",
                     split->program->name, number, what, at);
    }
    arena_clear(&c->scratch);
}

enum { MOST_SAMPLES = 64 };

static int64_t step_of(int64_t total)
{
    return total > MOST_SAMPLES ? (total / MOST_SAMPLES) | 1 : 1;
}

static void check_nest(Split *split, const PassParts *parts, int64_t number, const HwNest *nest,
                       const HwVrfStore *store, const Tensor *part, const char *what)
{
    const Tensor *tensor = split->program->tensors.items[part->id];
    int64_t count = walk_nest_count(nest), bits = scalar_traits[tensor->type].packet_bits;
    int64_t start = tensor->tier == TIER_TRF ? 0 : tensor->address.value * 8;
    for (int64_t i = 0; i < count; i += step_of(count))
        if (!store || walk_is_data(store->data.items, store->data.count, i)) // of the first unit
            expect_digits(split, parts, number, tensor, what,
                          (walk_nest_bit(nest, i) - start) / bits);
}

static void check_digits(Split *split, const PassParts *parts, int64_t number,
                         const HwPipeline *out)
{
    const Pass *pass = parts->items[number];
    for (int64_t i = 0, step = 0; i < pass->stages.count; i++) {
        const Stage *stage = pass->stages.items[i];
        if (stage->kind == STAGE_BEGIN)
            check_nest(split, parts, number, &out->fetch.nest, NULL, stage->sources[0]->tensor,
                       "fetch");
        if (stage->kind == STAGE_ALIGN)
            check_nest(split, parts, number, &out->trf_read->nest, NULL, stage->trf,
                       "the TRF Sequencer");
        if (out->commit && stage->position == POSITION_SINK)
            check_nest(split, parts, number, &out->commit->nest, NULL, commit_tensor(stage),
                       "commit");
        if (out->vrf_store && stage->position == POSITION_SINK)
            check_nest(split, parts, number, &out->vrf_store->nest, out->vrf_store, stage->result,
                       "to_vrf");
        bool vector =
            stage->position > POSITION_VECTOR_INIT && stage->position < POSITION_VECTOR_FINAL;
        for (int32_t k = 0; vector && k < stage->operand_count; k++)
            if (stage->operands[k].kind == OPERAND_VRF)
                check_nest(split, parts, number,
                           out->vector->steps.items[step].operands.items[k].nest, NULL,
                           stage->operands[k].vrf, "an operand");
        step += vector;
    }
}

// ---- each element once

typedef struct {
    uint8_t *times;
    int64_t size;
} Touched;

static void touch(Split *split, Touched *touched, int64_t at)
{
    if (at < 0 || at >= touched->size)
        fail_msg("%s: element %" PRId64 " is outside", split->program->name, at);
    if (touched->times[at]++)
        fail_msg("%s: element %" PRId64 " is written twice", split->program->name, at);
}

static void touch_commit(Split *split, const HwCommit *commit, const Tensor *tensor,
                         Touched *touched)
{
    int64_t bits = commit->nest.element_bits, count = walk_nest_count(&commit->nest);
    assert_int_equal(commit->masks.count, 0);
    for (int64_t i = 0; i < count; i++)
        touch(split, touched, (walk_nest_bit(&commit->nest, i) - tensor->address.value * 8) / bits);
}

// Flits, row after row.
static void touch_trf(Split *split, const HwTrfStore *store, Touched *touched)
{
    int64_t row_flits = store->row_bytes / store->flit_bytes;
    for (int64_t flit = 0; flit < store->flits; flit++) {
        int64_t row = store->start_row, byte = store->start_byte, left = flit;
        for (int64_t i = store->loops.count - 1; i >= 0; i--) {
            const HwRowLoop *loop = &store->loops.items[i];
            row += left % loop->size * loop->row_stride;
            byte += left % loop->size * loop->byte_stride;
            left /= loop->size;
        }
        assert_int_equal(left, 0);
        touch(split, touched, row * row_flits + byte / store->flit_bytes);
    }
}

// What lies in TRF there is what comes in, but for the digits that are split off.
static void check_load(Split *split, const PassParts *parts, int64_t number,
                       const HwTrfStore *store)
{
    const Pass *pass = parts->items[number];
    const Stage *sink = pass->stages.items[pass->stages.count - 1];
    Compare *c = &split->compare;
    int64_t lanes = level_positions(sink->before->dims, LEVEL_PACKET);
    Mapping from = mapping_pair(&c->arena, &sink->before->dims[LEVEL_TIME]->mapping,
                                &sink->before->dims[LEVEL_PACKET]->mapping);
    Mapping to = mapping_pair(&c->arena, &sink->result->dims[LEVEL_ROW]->mapping,
                              &sink->result->dims[LEVEL_ELEMENT]->mapping);
    TermList terms = parts_of(c, &from);
    for (int64_t at = 0; at < from.size; at += step_of(from.size)) {
        int64_t row = store->start_row, byte = store->start_byte, left = at / lanes;
        for (int64_t i = store->loops.count - 1; i >= 0; i--) {
            const HwRowLoop *loop = &store->loops.items[i];
            row += left % loop->size * loop->row_stride;
            byte += left % loop->size * loop->byte_stride;
            left /= loop->size;
        }
        int64_t flit = row * (store->row_bytes / store->flit_bytes) + byte / store->flit_bytes;
        Cell wanted = cell_of(c, &from, at), found = cell_of(c, &to, flit * lanes + at % lanes);
        if (wanted.count && !agrees(&wanted, &found, &terms))
            fail_msg("%s: command %" PRId64 " loads %" PRId64 " elsewhere", split->program->name,
                     number, at);
        arena_clear(&c->scratch);
    }
    split->loads++;
}

static void check_filled(Split *split, const Tensor *tensor, const Touched *touched)
{
    const Mapping *element = &tensor->dims[LEVEL_ELEMENT]->mapping;
    for (int64_t i = 0; i < touched->size; i++) {
        Cell cell = cell_of(&split->compare, element, i);
        if (cell.count && !touched->times[i])
            fail_msg("%s: element %" PRId64 " is not written", split->program->name, i);
        arena_clear(&split->compare.scratch);
    }
}

static void check_once(Split *split, const Pass *pass, const HwCommands *commands)
{
    const Stage *sink = pass->stages.items[pass->stages.count - 1];
    const HwPipeline *first = commands->items[0].pass;
    const Tensor *tensor = first->commit ? commit_tensor(sink) : sink->result;
    bool tiled = sink->target && sink->target->tiles.count;
    const HwTrfStore *store = first->trf_store;
    Touched touched = {.size = store ? store->layout.rows * store->row_bytes / store->flit_bytes
                                     : level_positions(tensor->dims, LEVEL_ELEMENT)};
    if ((!store && !first->commit) || touched.size > 1 << 18)
        return;
    touched.times = calloc((size_t)touched.size, 1);
    for (int64_t i = 0; i < commands->count; i++) {
        if (store)
            touch_trf(split, commands->items[i].pass->trf_store, &touched);
        else
            touch_commit(split, commands->items[i].pass->commit, tensor, &touched);
    }
    for (int64_t i = 0; store && i < touched.size; i++)
        assert_int_equal(touched.times[i], 1);
    if (first->commit && !tiled)
        check_filled(split, tensor, &touched);
    free(touched.times);
}

// ---- programs

static void split_op(Split *split, const Op *op)
{
    Compare *c = &split->compare;
    PassParts parts;
    HwCommands commands = {0};
    assert_true(lower_split(&c->lower, op->pass, &parts));
    if (parts.count == 1)
        return;
    if (!lower_op(&c->lower, op, &commands))
        fail_msg("%s: not lowered: %.*s", split->program->name,
                 STR_ARG(c->lower.diags->items[0]->message));
    assert_int_equal(commands.count, parts.count);
    int64_t step = parts.count > 16 ? parts.count / 16 : 1;
    for (int64_t i = 0; i < parts.count; i += step) {
        const HwPipeline *out = commands.items[i].pass;
        assert_true(out->fetch.nest.loops.count <= c->lower.machine->sequencer_entries);
        assert_true(!out->commit ||
                    out->commit->nest.loops.count <= c->lower.machine->sequencer_entries);
        compare_part(c, parts.items[i]);
        check_digits(split, &parts, i, out);
        if (out->trf_store)
            check_load(split, &parts, i, out->trf_store);
    }
    check_once(split, op->pass, &commands);
    split->passes++;
    split->commands += commands.count;
}

static void split_program(Split *split, const Contra *contra, Program *program)
{
    DiagList diags = {.arena = &split->compare.arena};
    Compare *c = &split->compare;
    split->program = program;
    c->name = program->name;
    c->lower = (Lower){.arena = &c->arena,
                       .scratch = &c->arena,
                       .diags = &diags,
                       .machine = &contra->machine,
                       .program = program};
    if (lower_place(&c->lower, program))
        for (int64_t i = 0; i < program->ops.count; i++)
            if (program->ops.items[i]->pass && program->ops.items[i]->sound &&
                program->ops.items[i]->pass->stages.items[0]->kind != STAGE_INPUT)
                split_op(split, program->ops.items[i]);
    arena_clear(&c->arena);
}

// A machine whose sequencers are short.
typedef struct {
    int64_t entries, iterations, trf_entries;
} Sequencers;

static Split split_folder(const char *path, const Sequencers *sequencers)
{
    Contra *contra = contra_new();
    Split split = {0};
    ContraCheckResult result = contra_check_result();
    ContraText paths[] = {contra_text(path)};
    contra->machine.sequencer_entries = sequencers->entries;
    contra->machine.sequencer_iterations = sequencers->iterations;
    contra->machine.trf_sequencer_entries = sequencers->trf_entries;
    contra_check(contra, paths, 1, NULL, &result);
    for (int64_t i = 0; i < contra->programs.count; i++)
        split_program(&split, contra, contra->programs.items[i]);
    print_message("%s, %" PRId64 " entries of %" PRId64 ": %" PRId64 " passes in %" PRId64
                  " commands, %" PRId64 " of them loads\n",
                  path, sequencers->entries, sequencers->iterations, split.passes, split.commands,
                  split.loads);
    arena_release(&split.compare.arena);
    arena_release(&split.compare.scratch);
    contra_free(contra);
    return split;
}

TEST(as_they_are)
{
    Split split = split_folder("tests/positive/split", &(Sequencers){8, 65536, 8});
    assert_true(split.passes >= 7 && split.loads > 0);
}

TEST(on_short_sequencers)
{
    static const Sequencers machines[] = {
        {3, 65536, 2}, {2, 65536, 1}, {2, 64, 2}, {4, 7, 8}, {3, 3, 2}};
    static const char *const folders[] = {"examples/hello", "tests/kernels", "tests/positive"};
    int64_t passes = 0;
    for (size_t i = 0; i < COUNT_OF(machines); i++)
        for (size_t k = 0; k < COUNT_OF(folders); k++)
            passes += split_folder(folders[k], &machines[i]).passes;
    assert_true(passes > 100);
}
