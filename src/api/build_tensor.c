// Axes, tensors and views of a program that is built.
#include "api/build.h"

// ---- axes

ContraStatus contra_axis_named(ContraProgram *program, const char *name, int64_t size,
                               const char *outside)
{
    const Part parts[] = {TEXT("axis"), NEEDED("the name of an axis", name), TEXT(" ="),
                          INT(size),    TEXT(outside ? " named" : NULL),     NAME(outside),
                          END_OF_LINE};
    return build_line(program, NULL, parts, NULL);
}

ContraStatus contra_axis(ContraProgram *program, const char *name, int64_t size)
{
    return contra_axis_named(program, name, size, NULL);
}

ContraStatus contra_axis_skewed(ContraProgram *program, const char *name, const char *base,
                                const char *const *others, int64_t count, const char *outside)
{
    const Part parts[] = {TEXT("axis"),
                          NEEDED("the name of an axis", name),
                          TEXT(" ="),
                          NEEDED("the base of a skewed axis", base),
                          {.kind = PART_SKEW, .data = others, .number = count},
                          TEXT(outside ? " named" : NULL),
                          NAME(outside),
                          END_OF_LINE};
    return build_line(program, NULL, parts, NULL);
}

ContraStatus contra_let(ContraProgram *program, const char *name, const char *mapping)
{
    const Part parts[] = {TEXT("let"), NEEDED("the name of a mapping", name), TEXT(" ="),
                          NEEDED_DIM("the mapping", mapping), END_OF_LINE};
    return build_line(program, NULL, parts, NULL);
}

ContraStatus contra_choice(ContraProgram *program, const ContraChoice *choices, int64_t count)
{
    const Part parts[] = {
        TEXT("choice"), {.kind = PART_CHOICES, .data = choices, .number = count}, END_OF_LINE};
    return build_line(program, NULL, parts, NULL);
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

#define WHOLE_LAYOUT(layout)                                  \
    {                                                         \
        .kind = PART_LAYOUT, .data = (layout), .number = true \
    }

static ContraStatus remember_param(ContraProgram *program, const char *name)
{
    PROGRAM_ENTER(program);
    map_put(&program->params, intern(&program->names, str_from(name)), program);
    return CONTRA_OK;
}

ContraStatus contra_param(ContraProgram *program, const char *name, ContraLayout layout,
                          ContraTensor **tensor)
{
    const Part parts[] = {{.kind = PART_NEW, .given = name, .number = true},
                          TEXT(" param"),
                          WHOLE_LAYOUT(&layout),
                          END_OF_LINE};
    ContraStatus status = build_line(program, NULL, parts, tensor);
    return status == CONTRA_OK && name ? remember_param(program, name) : status;
}

ContraStatus contra_from_addr(ContraProgram *program, const char *name, ContraLayout layout,
                              ContraTensor **tensor)
{
    const Part parts[] = {NEW(name), TEXT(" from_addr"), WHOLE_LAYOUT(&layout), END_OF_LINE};
    return build_line(program, NULL, parts, tensor);
}

// Only what is in these memories can be written by a call that does not make it.
ContraStatus contra_uninit(ContraProgram *program, const char *name, ContraLayout layout,
                           ContraTensor **tensor)
{
    bool writable = layout.tier == CONTRA_HBM || layout.tier == CONTRA_DM;
    const Part parts[] = {NEW(name),
                          TEXT(" result"),
                          LAYOUT(&layout),
                          {.kind = PART_WORD,
                           .text = writable ? NULL
                                            : "only tensors in HBM and DM can be written "
                                              "behind the call that makes them"},
                          END_OF_LINE};
    return build_line(program, NULL, parts, tensor);
}

ContraStatus contra_reshape(ContraTensor *from, const char *name, ContraLayout layout,
                            ContraTensor **tensor)
{
    const Part parts[] = {NEW(name),
                          TEXT(" reshape"),
                          TENSOR(from),
                          {.kind = PART_SHAPE, .data = &layout, .of = from},
                          END_OF_LINE};
    return build_line(build_program_of(from), NULL, parts, tensor);
}

ContraStatus contra_return(ContraProgram *program, ContraTensor *tensor)
{
    return build_line(program, NULL, (const Part[]){TEXT("return"), TENSOR(tensor), END_OF_LINE},
                      NULL);
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
    const Part parts[] = {NEW(NULL),
                          TEXT(" view"),
                          TENSOR(from),
                          TEXT(line->method),
                          NEEDED_DIM("the index of the tile", line->index),
                          TEXT(","),
                          INT(line->length),
                          TEXT(","),
                          NEEDED_DIM("the mapping of the tile", line->mapping),
                          TEXT(">("),
                          MAYBE(line->start),
                          TEXT(")"),
                          END_OF_LINE};
    return build_line(build_program_of(from), NULL, parts, view);
}

ContraStatus contra_tile(ContraTensor *from, const char *index, int64_t length, const char *mapping,
                         int64_t start, ContraTensor **view)
{
    return tile(from, &(TileLine){".tile<", index, length, mapping, start}, view);
}

ContraStatus contra_row_tile(ContraTensor *from, const char *index, int64_t length,
                             const char *mapping, int64_t start, ContraTensor **view)
{
    return tile(from, &(TileLine){".row_tile<", index, length, mapping, start}, view);
}

ContraStatus contra_slice_tile(ContraTensor *from, const char *index, int64_t length,
                               const char *mapping, int64_t start, ContraTensor **view)
{
    return tile(from, &(TileLine){".slice_tile<", index, length, mapping, start}, view);
}

ContraStatus contra_cluster_tile(ContraTensor *from, const char *index, int64_t length,
                                 const char *mapping, int64_t start, ContraTensor **view)
{
    return tile(from, &(TileLine){".cluster_tile<", index, length, mapping, start}, view);
}

ContraStatus contra_chip_tile(ContraTensor *from, const char *index, int64_t length,
                              const char *mapping, int64_t start, ContraTensor **view)
{
    return tile(from, &(TileLine){".chip_tile<", index, length, mapping, start}, view);
}
