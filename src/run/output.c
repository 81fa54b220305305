// Arrays out: an output is filled with values in order.
#include "run/run.h"

#include "base/checked.h"

#include <string.h>

// "A 3, B 0": where an element of an array with the axes of a parameter is.
static Str index_text(Arena *arena, const ContraParam *param, int64_t element)
{
    StrBuf buf = {.arena = arena};
    int64_t step = 1;
    for (int64_t i = 0; i < param->axis_count; i++)
        step *= param->axes[i].size;
    for (int64_t i = 0; i < param->axis_count; i++) {
        step /= param->axes[i].size;
        buf_format(&buf, "{}{} {}", i ? ", " : "", str_of(param->axes[i].text), element / step);
        element %= step;
    }
    return buf.len ? buf_str(&buf) : STR("0");
}

// Data before a position, or the position of an element of the data; -1: it is padding.
static int64_t without_padding(const uint8_t *mask, int64_t position)
{
    int64_t data = 0;
    for (int64_t i = 0; i < position; i++)
        data += mask[i];
    return mask[position] ? data : -1;
}

static int64_t with_padding(const uint8_t *mask, int64_t element)
{
    int64_t position = 0;
    for (int64_t data = mask[0]; data <= element; data += mask[position])
        position++;
    return position;
}

Str output_index(Contra *contra, const ContraOutput *output, int64_t element)
{
    const Argument *argument = argument_of_output(contra, output);
    const Shape *shape = argument ? &argument->shape : NULL;
    bool padded, is_padded = shape && shape->best == FORM_PADDED;
    if (shape && shape->live != shape->positions &&
        shape_accepts(shape, output->array.shape, output->array.rank, &padded) &&
        padded != is_padded) {
        ArenaMark mark = arena_mark(&contra->scratch); // there may be results in it
        const uint8_t *mask = shape_mask(&contra->scratch, shape);
        element = padded ? without_padding(mask, element) : with_padding(mask, element);
        arena_reset(&contra->scratch, mark);
    }
    return element < 0 ? (Str){0} : index_text(&contra->arena, &output->param, element);
}

void output_warn(KernelRun *run, int64_t index, const ContraOutput *output)
{
    const Argument *argument = &run->arguments.items[index];
    Contra *contra = run->contra;
    int64_t first = 0;
    while (output->initialised[first])
        first++;
    diag_add(&contra->diags, DIAG_OUTPUT_UNINITIALISED, argument->param.span,
             "{} of {} elements of `{}` were written by nobody, the first at {}",
             output->uninitialised, argument->shape.live, argument->param.name,
             index_text(&contra->arena, &argument->shown, first));
}

static Arena *made_in(const KernelRun *run)
{
    return run->made ? run->made : &run->contra->arena;
}

OutputWriter output_into(KernelRun *run, int64_t index, ContraOutput *output, void *data,
                         bool padded)
{
    const Argument *argument = &run->arguments.items[index];
    const Shape *shape = &argument->shape;
    OutputWriter writer = {.run = run, .argument = argument, .output = output, .data = data};
    padded = padded && shape->live != shape->positions;
    writer.count = padded ? shape->positions : shape->live;
    writer.mask = padded ? shape_mask(run->scratch, shape) : NULL;
    return writer;
}

OutputWriter output_open(KernelRun *run, int64_t index, ContraOutput *output)
{
    const Argument *argument = &run->arguments.items[index];
    bool padded = argument->shape.best == FORM_PADDED;
    int64_t rank = argument->shown.axis_count;
    ElementType type = element_of_scalar(argument->param.shape.type, run->options->narrow_as_f32);
    int64_t *sizes = arena_new(made_in(run), int64_t, (size_t)rank + 1);
    for (int64_t i = 0; i < rank; i++)
        sizes[i] = argument->shown.axes[i].size;
    OutputWriter writer = output_into(run, index, output, NULL, padded);
    writer.data =
        arena_alloc(made_in(run), (size_t)element_infos[type].bytes, 8, (size_t)writer.count);
    *output = (ContraOutput){.param = argument->shown,
                             .array = {(ContraElement)type, rank, sizes, writer.data}};
    return writer;
}

bool output_is_raw(const Argument *argument, ContraElement type)
{
    return argument->shape.live == argument->shape.positions &&
           element_is_raw((ElementType)type, argument->param.shape.type);
}

// The first that nobody wrote: from here on it is noted down.
static void note_missing(OutputWriter *writer, int64_t at)
{
    if (!writer->initialised) {
        writer->initialised = arena_new(made_in(writer->run), uint8_t, (size_t)writer->count);
        memset(writer->initialised, 1, (size_t)writer->count);
    }
    writer->initialised[at] = 0;
    writer->output->uninitialised++;
}

void output_add(OutputWriter *writer, int64_t count, const uint32_t *bits, const uint8_t *live)
{
    enum { F32_NAN_BITS = 0x7fc00000 };
    ElementType type = (ElementType)writer->output->array.type;
    Scalar scalar = writer->argument->param.shape.type;
    uint32_t nothing = scalar_is_integer(scalar) ? 0 : scalar_from_f32(scalar, F32_NAN_BITS);
    for (int64_t i = 0; i < count; i++) {
        while (writer->mask && !writer->mask[writer->next])
            element_store(type, writer->data, writer->next++, scalar, 0); // padding
        int64_t at = writer->next++;
        element_store(type, writer->data, at, scalar, live[i] ? bits[i] : nothing);
        if (!live[i])
            note_missing(writer, at);
    }
}

void output_close(OutputWriter *writer)
{
    ElementType type = (ElementType)writer->output->array.type;
    while (writer->mask && writer->next < writer->count) // padding behind the last
        element_store(type, writer->data, writer->next++, writer->argument->param.shape.type, 0);
    writer->output->initialised = writer->initialised;
}
