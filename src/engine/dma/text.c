// Sequencers in the notation of the manual: "[B=256:256, A%4=4:65536, A/4%32=32:slice_stride,
// A/128=2:DMN_stride, C=256:1]:256 DM/i8@(0, 0, 0, 0)". Strides and addresses are bytes.
#include "engine/dma/part.h"

#include <inttypes.h>

typedef struct {
    StrBuf *out;
    const Machine *machine;
    const HwDescriptor *descriptor;
    bool is_source;
    int64_t element_bits;
} Printer;

// Without blanks, as the manual has them.
static void print_term(StrBuf *out, Str term)
{
    for (int64_t i = 0; i < term.len; i++)
        if (term.data[i] != ' ')
            buf_add(out, (Str){&term.data[i], 1});
}

static const HwPlace *place_of(const Printer *printer)
{
    return printer->is_source ? &printer->descriptor->source : &printer->descriptor->dest;
}

static void print_times(StrBuf *out, int64_t times, const char *what)
{
    if (times != 1)
        buf_printf(out, "%" PRId64 "*", times);
    buf_printf(out, "%s", what);
}

// Units of half bytes come out as bytes and halves.
static void print_bytes(const Printer *printer, int64_t units)
{
    int64_t bits = units * printer->descriptor->unit_bits;
    buf_printf(printer->out, "%" PRId64 "%s", bits / 8, bits % 8 ? ".5" : "");
}

static void print_stride(const Printer *printer, int64_t stride)
{
    const Machine *machine = printer->machine;
    int64_t slice = machine->dm_virtual_slice_stride_bytes;
    int64_t network = machine->dm_virtual_dmn_stride_bytes;
    if (place_of(printer)->media != MEDIA_DM || stride < slice)
        print_bytes(printer, stride);
    else if (stride % network == 0)
        print_times(printer->out, stride / network, "DMN_stride");
    else
        print_times(printer->out, stride / slice, "slice_stride");
}

static void print_entry(const Printer *printer, Str term, int64_t size)
{
    print_term(printer->out, term.len ? term : STR("1"));
    buf_printf(printer->out, "=%" PRId64 ":", size);
}

static void print_loops(const Printer *printer)
{
    const HwDescriptor *descriptor = printer->descriptor;
    int64_t packet_bits = descriptor->packet_bytes * descriptor->unit_bits;
    buf_add(printer->out, STR("["));
    for (int64_t i = 0; i < descriptor->loops.count; i++) {
        const HwDmaLoopEntry *loop = &descriptor->loops.items[i];
        print_entry(printer, loop->term, loop->limit);
        print_stride(printer, printer->is_source ? loop->source_stride : loop->dest_stride);
        buf_add(printer->out, STR(", "));
    }
    print_entry(printer, descriptor->packet_term, packet_bits / printer->element_bits);
    buf_printf(printer->out, "%" PRId64 "%s]:", printer->element_bits / 8,
               printer->element_bits % 8 ? ".5" : "");
    print_bytes(printer, descriptor->packet_bytes);
}

// "1024", "(1, 1024)" on another chip; in DM chip, cluster, pair of networks and what is left.
static void print_base(const Printer *printer)
{
    const Machine *machine = printer->machine;
    const HwPlace *place = place_of(printer);
    const HwDescriptor *descriptor = printer->descriptor;
    int64_t base = printer->is_source ? descriptor->source_base : descriptor->dest_base;
    int64_t slice = machine->dm_virtual_slice_stride_bytes;
    if (place->media == MEDIA_DM) {
        int64_t pair = machine->dm_virtual_dmn_stride_bytes * machine->dmns_per_dma_engine;
        int64_t rest = base % pair / slice * slice;
        buf_printf(printer->out, "(%" PRId64 ", %" PRId64 ", %" PRId64 ", ", place->chip,
                   place->cluster, base / pair);
        if (rest)
            print_stride(printer, rest);
        buf_printf(printer->out, rest ? " + %" PRId64 ")" : "%" PRId64 ")", base % slice);
        return;
    }
    if (place->chip)
        buf_printf(printer->out, "(%" PRId64 ", ", place->chip);
    if (place->tensor >= 0)
        buf_printf(printer->out, "%%%" PRId64 " + ", place->tensor);
    print_bytes(printer, base);
    if (place->chip)
        buf_add(printer->out, STR(")"));
}

static const char *media_name(Media media)
{
    return record_of_Place.fields[0].name_of((int)media);
}

Str dma_sequencer_text(Arena *arena, const Machine *machine, const HwDescriptor *descriptor,
                       DmaSide side, Scalar type)
{
    StrBuf out = {.arena = arena};
    Printer printer = {&out, machine, descriptor, side == DMA_SOURCE,
                       scalar_traits[type].packet_bits};
    print_loops(&printer);
    buf_printf(&out, " %s/%s@", media_name(place_of(&printer)->media), scalar_name(type));
    print_base(&printer);
    return buf_str(&out);
}
