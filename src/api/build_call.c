// The calls that build a program: each is a line of parts. A macro defines calls that differ only
// in their names: TILE(row_tile) is contra_row_tile.
#include "api/build.h"
#include "api/sized.h"

#include "scalar/bits.h"

// ---- axes

ContraStatus contra_axis_named(ContraProgram *program, const char *name, int64_t size,
                               const char *outside)
{
    return build_line(program,
                      PARTS(TEXT("axis"), NEEDED("the name of an axis", name), TEXT(" ="),
                            INT(size), TEXT(outside ? " named" : NULL), NAME(outside)),
                      NULL);
}

ContraStatus contra_axis(ContraProgram *program, const char *name, int64_t size)
{
    return contra_axis_named(program, name, size, NULL);
}

ContraStatus contra_axis_skewed(ContraProgram *program, const char *name, const char *base,
                                const char *const *others, int64_t count, const char *outside)
{
    return build_line(program,
                      PARTS(TEXT("axis"), NEEDED("the name of an axis", name), TEXT(" ="),
                            NEEDED("the base of a skewed axis", base),
                            {.write = line_skew, .data = others, .number = count},
                            TEXT(outside ? " named" : NULL), NAME(outside)),
                      NULL);
}

ContraStatus contra_let(ContraProgram *program, const char *name, const char *mapping)
{
    return build_line(program,
                      PARTS(TEXT("let"), NEEDED("the name of a mapping", name), TEXT(" ="),
                            NEEDED_DIM("the mapping", mapping)),
                      NULL);
}

ContraStatus contra_choice(ContraProgram *program, const ContraChoice *choices, int64_t count)
{
    return build_line(
        program, PARTS(TEXT("choice"), {.write = line_choices, .data = choices, .number = count}),
        NULL);
}

// ---- layouts

ContraLayout contra_host(const char *type, const char *element)
{
    return (ContraLayout){.tier = CONTRA_HOST, .type = type, .element = element};
}

ContraLayout contra_hbm(const char *type, const char *chip, const char *element, int64_t address)
{
    return (ContraLayout){
        .tier = CONTRA_HBM, .type = type, .chip = chip, .element = element, .address = address};
}

ContraLayout contra_dm(const char *type, const char *chip, const char *cluster, const char *slice,
                       const char *element, int64_t address)
{
    return (ContraLayout){.tier = CONTRA_DM,
                          .type = type,
                          .chip = chip,
                          .cluster = cluster,
                          .slice = slice,
                          .element = element,
                          .address = address};
}

ContraLayout contra_vrf(const char *type, const char *chip, const char *cluster, const char *slice,
                        const char *element, int64_t address)
{
    ContraLayout layout = contra_dm(type, chip, cluster, slice, element, address);
    layout.tier = CONTRA_VRF;
    return layout;
}

ContraLayout contra_trf(const char *type, const char *chip, const char *cluster, const char *slice,
                        const char *row, const char *element, const char *half)
{
    ContraLayout layout = contra_dm(type, chip, cluster, slice, element, 0);
    layout.tier = CONTRA_TRF;
    layout.row = row;
    layout.half = half;
    return layout;
}

ContraLayout contra_host_result(const char *element)
{
    return contra_host(NULL, element);
}

ContraLayout contra_hbm_result(const char *element, int64_t address)
{
    return contra_hbm(NULL, NULL, element, address);
}

ContraLayout contra_dm_result(const char *element, int64_t address)
{
    return contra_dm(NULL, NULL, NULL, NULL, element, address);
}

ContraLayout contra_vrf_result(const char *element, int64_t address)
{
    return contra_vrf(NULL, NULL, NULL, NULL, element, address);
}

ContraLayout contra_trf_result(const char *row, const char *element, const char *half)
{
    return contra_trf(NULL, NULL, NULL, NULL, row, element, half);
}

// ---- tensors

// clang-format off
#define WHOLE_LAYOUT(layout) {.write = line_layout, .data = (layout), .number = true}
// clang-format on

static ContraStatus remember_param(ContraProgram *program, const char *name)
{
    PROGRAM_ENTER(program);
    map_put(&program->params, intern(&program->names, str_from(name)), program);
    return CONTRA_OK;
}

ContraStatus contra_param(ContraProgram *program, const char *name, ContraLayout layout,
                          ContraTensor **tensor)
{
    ContraStatus status = build_line(program,
                                     PARTS({.write = line_new, .given = name, .number = true},
                                           TEXT(" param"), WHOLE_LAYOUT(&layout)),
                                     tensor);
    return status == CONTRA_OK && name ? remember_param(program, name) : status;
}

ContraStatus contra_from_addr(ContraProgram *program, const char *name, ContraLayout layout,
                              ContraTensor **tensor)
{
    return build_line(program, PARTS(NEW(name), TEXT(" from_addr"), WHOLE_LAYOUT(&layout)), tensor);
}

// Only what is in these memories can be written by a call that does not make it.
ContraStatus contra_uninit(ContraProgram *program, const char *name, ContraLayout layout,
                           ContraTensor **tensor)
{
    bool writable = layout.tier == CONTRA_HBM || layout.tier == CONTRA_DM;
    return build_line(program,
                      PARTS(NEW(name), TEXT(" result"), LAYOUT(&layout),
                            {.write = line_word,
                             .text = writable ? NULL
                                              : "only tensors in HBM and DM can be written "
                                                "behind the call that makes them"}),
                      tensor);
}

ContraStatus contra_reshape(ContraTensor *from, const char *name, ContraLayout layout,
                            ContraTensor **tensor)
{
    return build_line(build_program_of(from),
                      PARTS(NEW(name), TEXT(" reshape"), TENSOR(from),
                            {.write = line_shape, .data = &layout, .of = from}),
                      tensor);
}

ContraStatus contra_return(ContraProgram *program, ContraTensor *tensor)
{
    return build_line(program, PARTS(TEXT("return"), TENSOR(tensor)), NULL);
}

// ---- views

typedef struct {
    const char *method; // with the point before it
    const char *index;
    int64_t length;
    const char *mapping;
    int64_t start;
} TileLine;

static ContraStatus tile(const ContraTensor *from, const TileLine *line, ContraTensor **view)
{
    return build_line(build_program_of(from),
                      PARTS(NEW(NULL), TEXT(" view"), TENSOR(from), TEXT(line->method),
                            NEEDED_DIM("the index of the tile", line->index), TEXT(","),
                            INT(line->length), TEXT(","),
                            NEEDED_DIM("the mapping of the tile", line->mapping), TEXT(">("),
                            {.write = line_maybe, .number = line->start}, TEXT(")")),
                      view);
}

#define TILE(method)                                                                          \
    ContraStatus contra_##method(ContraTensor *from, const char *index, int64_t length,       \
                                 const char *mapping, int64_t start, ContraTensor **view)     \
    {                                                                                         \
        return tile(from, &(TileLine){"." #method "<", index, length, mapping, start}, view); \
    }

TILE(tile)
TILE(row_tile)
TILE(slice_tile)
TILE(cluster_tile)
TILE(chip_tile)

// ---- moves

// clang-format off
#define MOVE(context, method, from) \
    {.write = line_move, .given = (context), .text = (method), .data = (from)}
#define PATTERN(pattern) {.write = line_pattern, .data = (pattern)}
// clang-format on

// context method source clauses -> name = layout
static ContraStatus make(const ContraTensor *from, const char *context, const char *method,
                         const Part *clauses, const char *name, const ContraLayout *layout,
                         ContraTensor **tensor)
{
    return build_line(build_program_of(from),
                      PARTS(MOVE(context, method, from), {.write = line_parts, .data = clauses},
                            TEXT(" ->"), NEW(name), LAYOUT(layout)),
                      tensor);
}

#define MAKING(method)                                                                      \
    ContraStatus contra_##method(ContraTensor *from, const char *context, const char *name, \
                                 ContraLayout layout, ContraTensor **tensor)                \
    {                                                                                       \
        return make(from, context, " " #method, NULL, name, &layout, tensor);               \
    }

MAKING(to_host)
MAKING(to_hbm)
MAKING(to_dm)

#define WRITING(method)                                                                            \
    ContraStatus contra_##method(ContraTensor *from, const char *context, ContraTensor *to)        \
    {                                                                                              \
        return build_line(build_program_of(from),                                                  \
                          PARTS(MOVE(context, " " #method, from), TEXT(" ->"), TENSOR(to)), NULL); \
    }

WRITING(to_hbm_view)
WRITING(to_dm_view)
WRITING(to_dm_pcopy)
WRITING(to_dm_view_pcopy)

// ---- between clusters and chips

#define SHUFFLE(method)                                                                           \
    ContraStatus contra_##method(ContraTensor *from, const char *context, ContraPattern pattern,  \
                                 const char *name, ContraLayout layout, ContraTensor **tensor)    \
    {                                                                                             \
        return make(from, context, " " #method, PARTS(PATTERN(&pattern)), name, &layout, tensor); \
    }

SHUFFLE(dm_cluster_shuffle)
SHUFFLE(dm_chip_shuffle)
SHUFFLE(hbm_cluster_shuffle)
SHUFFLE(hbm_chip_shuffle)

#define SLICE(method)                                                                         \
    ContraStatus contra_##method(ContraTensor *from, const char *context, const char *key,    \
                                 const char *sliced, ContraPattern pattern, const char *name, \
                                 ContraLayout layout, ContraTensor **tensor)                  \
    {                                                                                         \
        return make(from, context, " " #method,                                               \
                    PARTS(DIM("key", key), DIM("sliced", sliced), PATTERN(&pattern)), name,   \
                    &layout, tensor);                                                         \
    }

SLICE(parallel_copy_cluster_slice)
SLICE(parallel_copy_chip_slice)

// ---- by an index

ContraStatus contra_dma_scatter(ContraTensor *from, const char *context, ContraTensor *index,
                                const char *key, bool scaled, ContraTensor *to)
{
    return build_line(build_program_of(from),
                      PARTS(MOVE(context, " dma_scatter", from), TEXT(" index"), TENSOR(index),
                            DIM("key", key), TEXT(scaled ? " scaled ->" : " ->"), TENSOR(to)),
                      NULL);
}

ContraStatus contra_dma_gather(ContraTensor *from, const char *context, ContraTensor *index,
                               const char *name, ContraLayout layout, ContraTensor **tensor)
{
    return make(from, context, " dma_gather", PARTS(TEXT(" index"), TENSOR(index)), name, &layout,
                tensor);
}

// ---- passes

ContraStatus contra_begin(ContraTensor *from, const char *context, ContraStream **stream)
{
    return build_begin(build_program_of(from), context, PARTS(TEXT("  begin"), TENSOR(from)),
                       stream);
}

ContraStatus contra_begin_interleaved(ContraTensor *first, ContraTensor *second, const char *axis,
                                      const char *context, ContraStream **stream)
{
    return build_begin(
        build_program_of(first), context,
        PARTS(TEXT("  begin_interleaved"), NEEDED("the axis", axis), TENSOR(first), TENSOR(second)),
        stream);
}

// ---- streams from outside

ContraStatus contra_input(ContraProgram *program, const char *context,
                          const ContraStreamType *given, ContraStream **stream)
{
    CONTRA_GIVES(stream, NULL);
    ContraStreamType type;
    PROGRAM_ENTER(program);
    if (!sized_take(program->contra, SIZED_ContraStreamType, given, &type)) {
        program->refused = true;
        return CONTRA_INVALID;
    }
    return build_begin(program, context,
                       PARTS(TEXT("  input"), NEEDED("the kind of the stream", type.kind),
                             NEEDED("the type of the stream", type.type), DIM("chip", type.chip),
                             DIM("cluster", type.cluster), DIM("slice", type.slice),
                             DIM("row", type.row), DIM("time", type.time),
                             DIM("packet", type.packet), TEXT(type.stage ? " stage" : NULL),
                             WORD(type.stage), TEXT(type.entry ? " entry" : NULL), WORD(type.entry),
                             TEXT(type.stash ? " stash" : NULL), TEXT(type.way4 ? " way4" : NULL),
                             TEXT(type.inter_first ? " inter_first" : NULL),
                             TEXT(type.zipped ? " zipped" : NULL)),
                       stream);
}

ContraStatus contra_leave_open(ContraStream *stream)
{
    return build_stage(stream, PARTS(TEXT("  open")), NULL);
}

// ---- stages

ContraStatus contra_fetch(ContraStream *stream, const char *type, const char *time,
                          const char *packet, const ContraFetchOptions *options)
{
    ContraFetchOptions whole;
    if (!stream)
        return CONTRA_INVALID;
    PROGRAM_ENTER(stream->program);
    if (!sized_take(stream->program->contra, SIZED_ContraFetchOptions, options, &whole))
        return build_refuse(stream);
    return build_stage(stream,
                       PARTS(TEXT("  fetch"), NEEDED("the type", type), DIM("time", time),
                             DIM("packet", packet), {.write = line_fetch, .data = &whole}),
                       NULL);
}

ContraStatus contra_switch(ContraStream *stream, const char *topology, const int64_t *numbers,
                           int64_t count, const char *slice, const char *time)
{
    return build_stage(
        stream,
        PARTS(TEXT("  switch"),
              {.write = line_switch, .given = topology, .data = numbers, .number = count},
              DIM("slice", slice), DIM("time", time)),
        NULL);
}

#define MAPS_TIME_AND_PACKET(method)                                                            \
    ContraStatus contra_##method(ContraStream *stream, const char *time, const char *packet)    \
    {                                                                                           \
        return build_stage(                                                                     \
            stream, PARTS(TEXT("  " #method), DIM("time", time), DIM("packet", packet)), NULL); \
    }

MAPS_TIME_AND_PACKET(collect)
MAPS_TIME_AND_PACKET(transpose)
MAPS_TIME_AND_PACKET(vector_split)
MAPS_TIME_AND_PACKET(vector_concat)

#define MAPS_PACKET(method)                                                                 \
    ContraStatus contra_##method(ContraStream *stream, const char *packet)                  \
    {                                                                                       \
        return build_stage(stream, PARTS(TEXT("  " #method), DIM("packet", packet)), NULL); \
    }

MAPS_PACKET(contract)
MAPS_PACKET(vector_trim_way4)
MAPS_PACKET(vector_pad_way8)

ContraStatus contra_align(ContraStream *stream, ContraTensor *trf, const char *time,
                          const char *packet)
{
    return build_stage(
        stream, PARTS(TEXT("  align"), TENSOR(trf), DIM("time", time), DIM("packet", packet)),
        NULL);
}

ContraStatus contra_accumulate(ContraStream *stream, const char *kind, const char *time,
                               const char *packet)
{
    return build_stage(stream,
                       PARTS(TEXT("  accumulate"), NEEDED("the kind of accumulation", kind),
                             DIM("time", time), DIM("packet", packet)),
                       NULL);
}

ContraStatus contra_cast(ContraStream *stream, const char *type, const char *packet)
{
    return build_stage(
        stream, PARTS(TEXT("  cast"), NEEDED("the type", type), DIM("packet", packet)), NULL);
}

// ---- ends

static ContraStatus store(ContraStream *stream, const char *method, const char *name,
                          const ContraLayout *layout, ContraTensor **tensor)
{
    return build_stage(stream, PARTS(TEXT(method), TEXT(" ->"), NEW(name), LAYOUT(layout)), tensor);
}

ContraStatus contra_commit(ContraStream *stream, const char *name, ContraLayout layout,
                           ContraTensor **tensor)
{
    return store(stream, "  commit", name, &layout, tensor);
}

ContraStatus contra_to_trf(ContraStream *stream, const char *name, ContraLayout layout,
                           ContraTensor **tensor)
{
    return store(stream, "  to_trf", name, &layout, tensor);
}

ContraStatus contra_to_vrf(ContraStream *stream, const char *name, ContraLayout layout,
                           ContraTensor **tensor)
{
    return store(stream, "  to_vrf", name, &layout, tensor);
}

ContraStatus contra_commit_view(ContraStream *stream, ContraTensor *to)
{
    return build_stage(stream, PARTS(TEXT("  commit_view ->"), TENSOR(to)), NULL);
}

// ---- operands of the Vector Engine

ContraOperand contra_operand_bits(const char *type, uint32_t bits)
{
    return (ContraOperand){.kind = OPERAND_CONSTANT, .type = type, .bits = bits};
}

ContraOperand contra_operand_i32(int32_t value)
{
    return contra_operand_bits("i32", (uint32_t)value);
}

ContraOperand contra_operand_f32(float value)
{
    return contra_operand_bits("f32", bits_of_float(value));
}

ContraOperand contra_operand_vrf(ContraTensor *tensor)
{
    return (ContraOperand){.kind = OPERAND_VRF, .vrf = tensor};
}

ContraOperand contra_operand_stash(void)
{
    return (ContraOperand){.kind = OPERAND_STASH};
}

ContraOperand contra_operand_skip(void)
{
    return (ContraOperand){.kind = OPERAND_SKIP};
}

ContraOperand contra_operand_group(ContraOperand operand, int group)
{
    operand.group = group == 0 || group == 1 ? group + 1 : -1; // that is refused
    return operand;
}

ContraOperand contra_operand_with(ContraOperand operand, float second)
{
    operand.has_second = true;
    operand.second = bits_of_float(second);
    return operand;
}

ContraInputCompare contra_input_compare_i32(const char *kind, int32_t boundary)
{
    return (ContraInputCompare){kind, "i32", (uint32_t)boundary};
}

ContraInputCompare contra_input_compare_f32(const char *kind, float boundary)
{
    return (ContraInputCompare){kind, "f32", bits_of_float(boundary)};
}

ContraBranch contra_branch(const char *kind)
{
    return (ContraBranch){.kind = kind};
}

ContraBranch contra_branch_axis_toggle(const char *axis)
{
    return (ContraBranch){.kind = "AxisToggle", .axis = axis};
}

ContraBranch contra_branch_vrf(ContraTensor *tensor)
{
    return (ContraBranch){.kind = "Vrf", .vrf = tensor};
}

ContraBranch contra_branch_comparison(ContraInputCompare first, ContraInputCompare second,
                                      ContraInputCompare third, ContraInputCompare fourth)
{
    return (ContraBranch){.kind = "Comparison", .compares = {first, second, third, fourth}};
}

// ---- stages of the Vector Engine

#define BARE(method)                                                 \
    ContraStatus contra_##method(ContraStream *stream)               \
    {                                                                \
        return build_stage(stream, PARTS(TEXT("  " #method)), NULL); \
    }

BARE(vector_init)
BARE(vector_stash)
BARE(vector_final)

ContraStatus contra_vector_intra_slice_branch(ContraStream *stream, ContraBranch branch)
{
    return build_stage(
        stream, PARTS(TEXT("  vector_intra_slice_branch"), {.write = line_branch, .data = &branch}),
        NULL);
}

ContraStatus contra_vector_intra_slice_unzip(ContraStream *stream, const char *axis,
                                             const char *tile_time, const char *time)
{
    return build_stage(stream,
                       PARTS(TEXT("  vector_intra_slice_unzip"), NEEDED("the axis", axis),
                             DIM("tile_time", tile_time), DIM("time", time)),
                       NULL);
}

ContraStatus contra_vector_inter_slice_reduce(ContraStream *stream, const char *op,
                                              const char *slice, const char *time)
{
    return build_stage(stream,
                       PARTS(TEXT("  vector_inter_slice_reduce"), OP("the operation", op),
                             DIM("slice", slice), DIM("time", time)),
                       NULL);
}

ContraStatus contra_vector_intra_slice_reduce(ContraStream *stream, const char *axis,
                                              const char *op, const char *time, const char *packet)
{
    return build_stage(stream,
                       PARTS(TEXT("  vector_intra_slice_reduce"), NEEDED("the axis", axis),
                             OP("the operation", op), DIM("time", time), DIM("packet", packet)),
                       NULL);
}

// ---- operations

static ContraStatus operate(ContraStream *stream, const char *method, const char *op,
                            const char *mode, const ContraOperand *operands, int64_t count)
{
    return build_stage(
        stream,
        PARTS(TEXT(method), OP("the operation", op), MODE(mode),
              {.write = line_operands, .text = method, .data = operands, .number = count}),
        NULL);
}

// Each has two forms: one for its usual operand, one for any mode.
#define OPERATION(method)                                                                       \
    ContraStatus contra_##method(ContraStream *stream, const char *op, ContraOperand operand)   \
    {                                                                                           \
        return operate(stream, "  " #method, op, NULL, &operand, 1);                            \
    }                                                                                           \
    ContraStatus contra_##method##_with(ContraStream *stream, const char *op, const char *mode, \
                                        const ContraOperand *operands, int64_t count)           \
    {                                                                                           \
        return operate(stream, "  " #method, op, mode, operands, count);                        \
    }

OPERATION(vector_logic)
OPERATION(vector_fxp)
OPERATION(vector_fp_binary)
OPERATION(vector_fp_ternary)
OPERATION(vector_fp_div)
OPERATION(vector_clip)

ContraStatus contra_vector_fp_unary(ContraStream *stream, const char *op, const char *mode)
{
    return build_stage(stream,
                       PARTS(TEXT("  vector_fp_unary"), OP("the operation", op), MODE(mode)), NULL);
}

ContraStatus contra_vector_fp_unary_pair(ContraStream *stream, const char *op, const char *mode,
                                         bool zero, bool one)
{
    return build_stage(stream,
                       PARTS(TEXT("  vector_fp_unary"), OP("the operation", op), MODE(mode),
                             TEXT(zero ? " true," : " false,"), TEXT(one ? " true" : " false")),
                       NULL);
}

// The two groups of a pair become one stream.
#define ZIP(method)                                                                                \
    ContraStatus contra_##method(ContraStream *stream, const char *op, const char *mode)           \
    {                                                                                              \
        return build_stage(stream, PARTS(TEXT("  " #method), OP("the operation", op), MODE(mode)), \
                           NULL);                                                                  \
    }

ZIP(vector_logic_zip)
ZIP(vector_fxp_zip)
ZIP(vector_fp_zip)
ZIP(vector_clip_zip)

// ---- conversions and shapes

#define CONVERSION(method)                                                       \
    ContraStatus contra_##method(ContraStream *stream, int64_t width)            \
    {                                                                            \
        return build_stage(stream, PARTS(TEXT("  " #method), INT(width)), NULL); \
    }

CONVERSION(vector_fxp_to_fp)
CONVERSION(vector_fp_to_fxp)

ContraStatus contra_vector_filter(ContraStream *stream, int group, const char *time)
{
    return build_stage(
        stream,
        PARTS(TEXT("  vector_filter"), {.write = line_group, .number = group}, DIM("time", time)),
        NULL);
}
