#include "device/sanitize.h"

#include "base/checked.h"

#include <stdlib.h>
#include <string.h>

enum { HALF_BYTE = 4, BYTE_BITS = 8, EXPONENT = 0x7f800000 };

// The products of one slice: which are data, and which sums have data in them.
typedef struct {
    const HwReduce *reduce;
    const HwTrfRead *read;
    uint8_t *data;    // one a product
    uint8_t *has_any; // one a column of each row at each place of the output
} Products;

static void mark_data(void *own, int64_t from, int64_t to)
{
    memset((uint8_t *)own + from, 1, (size_t)(to - from));
}

static int64_t place_of_step(const HwReduce *reduce, int64_t step)
{
    int64_t place = 0;
    for (int64_t i = reduce->loops.count - 1; i >= 0; i--) {
        const HwSlotLoop *loop = &reduce->loops.items[i];
        place += step % loop->size * loop->stride;
        step /= loop->size;
    }
    return place;
}

// That the lanes of a packet come to.
static int64_t sums_of_packet(const HwReduce *reduce)
{
    return ((reduce->packet_elements - 1) >> reduce->tree_depth) + 1;
}

static uint8_t *sum_of(const Products *products, int64_t row, int64_t step, int64_t lane)
{
    const HwReduce *reduce = products->reduce;
    int64_t place = place_of_step(reduce, step);
    return &products->has_any[(row * reduce->places + place) * sums_of_packet(reduce) +
                              (lane >> reduce->tree_depth)];
}

static void find_sums(const Products *products)
{
    const HwReduce *reduce = products->reduce;
    const uint8_t *data = products->data;
    for (int64_t row = 0; row < reduce->rows; row++)
        for (int64_t step = 0; step < reduce->in_time; step++) {
            uint8_t *sums = sum_of(products, row, step, 0);
            for (int64_t lane = 0; lane < reduce->packet_elements; lane++)
                sums[lane >> reduce->tree_depth] |= *data++;
        }
}

// The element of a row of TRF that a lane is multiplied with.
static int64_t element_of(const HwTrfRead *read, const WalkNest *nest, int64_t step, int64_t lane)
{
    int64_t bits = scalar_traits[read->type].packet_bits;
    int64_t elements = read->nest.access_bytes * BYTE_BITS / bits;
    int64_t offset = walk_offset(nest, step) * read->nest.element_bits;
    return (read->nest.base * BYTE_BITS + offset) / bits + lane % elements;
}

static bool is_no_number(const Slice *slice, const HwTrfRead *read, int64_t row, int64_t element)
{
    int64_t slots = scalar_traits[read->type].packet_bits / HALF_BYTE;
    uint32_t bits = 0;
    uint8_t live = 0;
    trf_load(&slice->trf, &read->layout, read->type, row, element * slots, 1, &bits, &live);
    return live && (scalar_to_f32(read->type, bits) & EXPONENT) == EXPONENT;
}

static void check_products(Device *device, const HwPipeline *pass, const Products *products,
                           DeviceFault fault)
{
    const HwReduce *reduce = products->reduce;
    const Slice *slice = device_slice(device, fault.chip, fault.cluster, fault.slice);
    const uint8_t *data = products->data;
    WalkNest nest = {0};
    walk_add(&nest, pass->trf_read->nest.loops.items, pass->trf_read->nest.loops.count,
             WALK_BETWEEN);
    for (int64_t row = 0; slice && row < reduce->rows; row++)
        for (int64_t step = 0; step < reduce->in_time; step++) {
            const uint8_t *sums = sum_of(products, row, step, 0);
            for (int64_t lane = 0; lane < reduce->packet_elements; lane++) {
                if (*data++ || !sums[lane >> reduce->tree_depth])
                    continue;
                int64_t element = element_of(products->read, &nest, step, lane);
                if (!is_no_number(slice, products->read, row, element))
                    continue;
                fault.row = row;
                fault.bytes = scalar_traits[products->read->type].packet_bits / BYTE_BITS;
                fault.address = element * fault.bytes;
                fault_add(device->sanitizer, &fault);
            }
        }
}

bool trf_padding_check(Device *device, const HwPipeline *pass, int64_t unit)
{
    const HwReduce *reduce = pass->reduce;
    int64_t span = reduce->rows * reduce->in_time * reduce->packet_elements;
    DataTest test = {reduce->data.items, reduce->data.count};
    DeviceFault fault = {.kind = FAULT_NO_NUMBER,
                         .operation = device->sanitizer->number,
                         .other = -1,
                         .tier = TIER_TRF,
                         .chip = pass->first_chip + unit / pass->slices / pass->clusters,
                         .cluster = pass->first_cluster + unit / pass->slices % pass->clusters,
                         .slice = pass->first_slice + unit % pass->slices};
    if (!test.count || scalar_is_integer(reduce->in_type) ||
        data_share(&test, unit * span, span) != DATA_SOME)
        return true;
    size_t sums = (size_t)(reduce->rows * reduce->places * sums_of_packet(reduce));
    Products products = {reduce, pass->trf_read, calloc((size_t)span, 1), calloc(sums + 1, 1)};
    bool ok = products.data && products.has_any;
    if (ok) {
        data_runs(&test, unit * span, span, mark_data, products.data);
        find_sums(&products);
        check_products(device, pass, &products, fault);
    }
    free(products.data);
    free(products.has_any);
    return ok;
}
