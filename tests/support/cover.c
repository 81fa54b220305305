#include "cover.h"

#include "base/checked.h"

// ---- counting

static void count_view(Cover *cover, const View *view, bool is_written)
{
    if (view && view->tiles.count)
        cover->tiles[is_written]++;
}

static void count_operands(Cover *cover, const Stage *stage)
{
    for (int32_t i = 0; i < stage->operand_count; i++) {
        cover->operands[stage->operands[i].kind]++;
        cover->conditions[stage->operands[i].condition]++;
    }
    cover->several_operands += stage->operand_count > 2;
}

static void count_vector(Cover *cover, const Stage *stage)
{
    if (stage->position != POSITION_VECTOR && stage->position != POSITION_VECTOR_PAIR)
        return;
    cover->modes[stage->mode]++;
    cover->alus[stage->alu]++;
    count_operands(cover, stage);
    switch (stage->kind) {
    case STAGE_VECTOR_BRANCH:
        cover->branches[stage->branch]++;
        for (int i = 0; i < BRANCH_COMPARISONS && stage->branch == BRANCH_COMPARISON; i++)
            cover->compares[stage->compares[i].kind]++;
        break;
    case STAGE_VECTOR_UNZIP:
    case STAGE_VECTOR_FXP_TO_FP:
    case STAGE_VECTOR_FP_TO_FXP:
    case STAGE_VECTOR_SPLIT:
    case STAGE_VECTOR_TRIM:
    case STAGE_VECTOR_CONCAT:
    case STAGE_VECTOR_PAD:
    case STAGE_VECTOR_STASH:
    case STAGE_VECTOR_FILTER:
        break;
    default:
        cover->vector_ops[stage->op]++;
    }
}

static void count_fetch(Cover *cover, const Stage *stage)
{
    const FetchAdapter *adapter = &stage->adapter;
    cover->fetch_casts[adapter->has_table ? adapter->table_type : stage->before->type]
                      [stage->type]++;
    cover->adapters[adapter->has_table          ? 1
                    : adapter->zero_point_count ? 1 + adapter->zero_point_count
                                                : 0]++;
}

static void count_stage(Cover *cover, const Stage *stage)
{
    cover->stages[stage->kind]++;
    cover->stream_types[stage->type]++;
    for (int i = 0; i < 2; i++)
        count_view(cover, stage->sources[i], false);
    count_view(cover, stage->target, true);
    count_vector(cover, stage);
    switch (stage->kind) {
    case STAGE_FETCH:
        count_fetch(cover, stage);
        break;
    case STAGE_SWITCH:
        cover->switches[stage->config.kind]++;
        break;
    case STAGE_ALIGN:
        cover->trf[stage->trf->trf]++;
        cover->rows[min_i64(stage->trf->dims[LEVEL_ROW]->mapping.size, COVER_ROWS - 1)]++;
        break;
    case STAGE_ACCUMULATE:
        cover->accumulates[stage->accumulate]++;
        break;
    case STAGE_CAST:
        cover->casts[stage->before->type][stage->type]++;
        break;
    default:
        break;
    }
}

static void count_op(Cover *cover, const Op *op)
{
    cover->ops[op->kind]++;
    cover->contexts[op->pass ? op->pass->context : op->context]++;
    count_view(cover, op->source, false);
    count_view(cover, op->target, true);
    cover->scaled += op->scaled;
    if (op->kind == OP_MOVE)
        cover->moves[op->source->tensor->tier][op->target->tensor->tier]++;
    for (int64_t i = 0; op->pass && i < op->pass->stages.count; i++)
        count_stage(cover, op->pass->stages.items[i]);
}

void cover_program(Cover *cover, const Program *program)
{
    cover->chips[min_i64(program->chips.value, COVER_CHIPS - 1)]++;
    for (int64_t i = 0; i < program->tensors.count; i++) {
        const Tensor *tensor = program->tensors.items[i];
        const Dim *cluster = tensor->dims[LEVEL_CLUSTER];
        cover->memory_types[tensor->type]++;
        cover->both_clusters += cluster && cluster->expr->kind != EXPR_PADDING;
    }
    for (int64_t i = 0; i < program->ops.count; i++)
        count_op(cover, program->ops.items[i]);
}

// ---- what is missing

static void need(StrBuf *out, int64_t count, const char *what, const char *name)
{
    if (!count)
        buf_format(out, "{} {}\n", what, name);
}

static void need_number(StrBuf *out, int64_t count, const char *what, int64_t number)
{
    if (!count)
        buf_format(out, "{} {}\n", what, number);
}

static void need_vector(const Cover *cover, StrBuf *out)
{
    static const char *const operands[] = {"skip", "constant", "vrf", "stash"};
    static const char *const conditions[] = {"always", "group 0", "group 1"};
    for (VectorOp op = 0; op < VECTOR_OP_COUNT; op++)
        if (!cover->vector_ops[op])
            buf_format(out, "operator {}::{}\n", vector_families[vector_ops[op].family].name,
                       vector_ops[op].name);
    for (VectorAlu alu = ALU_NONE + 1; alu < ALU_COUNT; alu++)
        need(out, cover->alus[alu], "ALU", vector_alu_names[alu]);
    for (ArgMode mode = MODE_DEFAULT + 1; mode < MODE_COUNT; mode++)
        need(out, cover->modes[mode], "mode", arg_modes[mode].name);
    for (int i = 0; i < OPERAND_COUNT; i++)
        need(out, cover->operands[i], "operand", operands[i]);
    for (int i = 0; i < CONDITION_COUNT; i++)
        need(out, cover->conditions[i], "condition", conditions[i]);
    for (BranchKind kind = 0; kind < BRANCH_COUNT; kind++)
        need(out, cover->branches[kind], "branch", branch_names[kind]);
    for (CompareKind kind = 0; kind < COMPARE_COUNT; kind++)
        need(out, cover->compares[kind], "comparison", compare_names[kind]);
    need(out, cover->several_operands, "more than two", "operands");
}

static bool lies_in_memory(Scalar type)
{
    return type != SCALAR_I5 && type != SCALAR_I9;
}

static void need_types(const Cover *cover, StrBuf *out)
{
    for (Scalar from = 0; from < SCALAR_COUNT; from++) {
        need(out, cover->stream_types[from], "stream of", scalar_name(from));
        if (!lies_in_memory(from))
            continue;
        need(out, cover->memory_types[from], "tensor of", scalar_name(from));
        for (Scalar to = 0; to < SCALAR_COUNT; to++) {
            if (scalar_fetch_cast(from, to, false) && !cover->fetch_casts[from][to])
                buf_format(out, "fetch of {} as {}\n", scalar_name(from), scalar_name(to));
            if (scalar_cast_engine(from, to) && !cover->casts[from][to] &&
                (from == SCALAR_I32 || from == SCALAR_F32))
                buf_format(out, "cast of {} to {}\n", scalar_name(from), scalar_name(to));
        }
    }
}

static void need_engines(const Cover *cover, StrBuf *out)
{
    for (SwitchKind kind = 0; kind < SWITCH_COUNT; kind++)
        need(out, cover->switches[kind], "switch", switches[kind].name);
    for (AccumulateKind kind = 0; kind < ACCUMULATE_COUNT; kind++)
        need(out, cover->accumulates[kind], "accumulate", accumulate_names[kind]);
    for (TrfAddress at = 0; at < TRF_COUNT; at++)
        need(out, cover->trf[at], "TRF", trf_address_names[at]);
    for (int64_t rows = 1; rows <= 8; rows *= 2)
        need_number(out, cover->rows[rows], "rows", rows);
    for (int64_t i = 0; i < COVER_ADAPTERS; i++)
        need_number(out, cover->adapters[i], "fetch adapter", i);
}

static void need_ops(const Cover *cover, StrBuf *out)
{
    static const Tier ways[][2] = {{TIER_HOST, TIER_HBM}, {TIER_HBM, TIER_HOST},
                                   {TIER_HBM, TIER_HBM},  {TIER_HBM, TIER_DM},
                                   {TIER_DM, TIER_HBM},   {TIER_DM, TIER_DM}};
    for (OpKind kind = 0; kind < OP_KIND_COUNT; kind++)
        need_number(out, cover->ops[kind], "operation of kind", kind);
    for (StageKind kind = STAGE_INPUT + 1; kind < STAGE_COUNT; kind++)
        need(out, cover->stages[kind], "stage", stages[kind].method);
    for (Context context = 0; context < CONTEXT_COUNT; context++)
        need(out, cover->contexts[context], "context", context_names[context]);
    for (size_t i = 0; i < COUNT_OF(ways); i++)
        if (!cover->moves[ways[i][0]][ways[i][1]])
            buf_format(out, "move from {} to {}\n", tiers[ways[i][0]].name, tiers[ways[i][1]].name);
    for (int64_t chips = 1; chips <= 8; chips *= 2)
        need_number(out, cover->chips[chips], "chips", chips);
    need(out, cover->tiles[0], "a tile", "that is read");
    need(out, cover->tiles[1], "a tile", "that is written");
    need(out, cover->both_clusters, "both", "clusters");
    need(out, cover->scaled, "scaled", "scatter");
}

void cover_missing(const Cover *cover, StrBuf *out)
{
    need_ops(cover, out);
    need_engines(cover, out);
    need_vector(cover, out);
    need_types(cover, out);
}
