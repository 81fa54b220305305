// The hardware in numbers, what they say about addresses, and whether they fit together.
#include "machine/internal.h"

#include "base/checked.h"

#define KIB INT64_C(1024)
#define MIB (1024 * KIB)
#define GIB (1024 * MIB)
#define TIB (1024 * GIB)
#define PIB (1024 * TIB)

#define LIST_OF(...)                                        \
    {                                                       \
        sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t), \
        {                                                   \
            __VA_ARGS__                                     \
        }                                                   \
    }

const Machine machine_rngd = {
    .name = "rngd",
#define FIELD(name, unit, rngd, min, max, kind, manual, doc) .name = (rngd),
#define LIST(name, unit, min, max, kind, manual, doc, ...)   .name = LIST_OF(__VA_ARGS__),
#include "machine/machine.def"
};

const Machine machine_rngd_s = {
    .name = "rngd-s",
#define FIELD(name, unit, rngd, min, max, kind, manual, doc)          .name = (rngd),
#define VARIES(name, unit, rngd, rngd_s, min, max, kind, manual, doc) .name = (rngd_s),
#define LIST(name, unit, min, max, kind, manual, doc, ...)            .name = LIST_OF(__VA_ARGS__),
#include "machine/machine.def"
};

#define ROW(name, unit, min, max, kind, manual, doc) \
    {#name, unit, manual, doc, offsetof(Machine, name), MACHINE_##kind, min, max},

const MachineField machine_fields[MACHINE_FIELD_COUNT] = {
#define FIELD(name, unit, rngd, min, max, kind, manual, doc) \
    ROW(name, unit, min, max, kind, manual, doc)
#define LIST(name, unit, min, max, kind, manual, doc, ...) \
    ROW(name, unit, min, max, kind, manual, doc)
#include "machine/machine.def"
};

// Published by people who run kernels on RNGD (toolchain 0.5 and 0.6). The static model charges
// replication per reader and a read-modify-write per unaligned piece; a chip shows the former too.
const MachineDmaSample machine_dma_samples[MACHINE_DMA_SAMPLE_COUNT] = {
    {"load 4 KB to one slice", "static", false, 4 * KIB, 1, 4 * KIB, 499},
    {"load 16 B to each of 256 slices", "static", false, 16, 256, 4 * KIB, 792},
    {"load 64 B to each of 256 slices", "static", false, 64, 256, 16 * KIB, 707},
    {"load 512 KB in all", "static", false, 0, 0, 512 * KIB, 1673},
    {"load 1 MB in all", "static", false, 0, 0, MIB, 2277},
    {"load 2 KB replicated to 256 slices", "static", false, 2 * KIB, 256, 2 * KIB, 5308},
    {"load 4 KB replicated to 256 slices", "static", false, 4 * KIB, 256, 4 * KIB, 10069},
    {"store 8 B", "static", true, 8, 1, 8, 506},
    {"store 512 KB in aligned rows", "static", true, 0, 0, 512 * KIB, 1563},
    {"store 256 pieces of 16 B", "static", true, 16, 256, 4 * KIB, 9132},
    {"load 7.7 KB to each of 512 readers, about", "silicon", false, 7885, 512, 7885, 45000},
};

const Machine *machine_find(Str name)
{
    static const Machine *const built_in[] = {&machine_rngd, &machine_rngd_s};
    for (size_t i = 0; i < COUNT_OF(built_in); i++) {
        if (str_equal(name, str_from(built_in[i]->name)))
            return built_in[i];
    }
    return NULL;
}

bool machine_field_is_list(const MachineField *field)
{
    return field->kind >= MACHINE_SET;
}

static const void *place_of(const Machine *machine, const MachineField *field)
{
    return (const char *)machine + field->offset;
}

int64_t machine_value(const Machine *machine, const MachineField *field)
{
    return *(const int64_t *)place_of(machine, field);
}

const MachineList *machine_list(const Machine *machine, const MachineField *field)
{
    return place_of(machine, field);
}

bool machine_list_has(const MachineList *list, int64_t value)
{
    for (int64_t i = 0; i < list->count; i++) {
        if (list->values[i] == value)
            return true;
    }
    return false;
}

int64_t machine_list_divisor(const MachineList *list, int64_t number)
{
    int64_t largest = 0;
    for (int64_t i = 0; i < list->count; i++) {
        if (number % list->values[i] == 0)
            largest = max_i64(largest, list->values[i]);
    }
    return largest;
}

// 0 for 4 bits, 1 for 8, and so on; -1 for a width no table has.
static int64_t row_of_width(int64_t element_bits)
{
    static const int64_t widths[] = {4, 8, 16, 32};
    for (size_t i = 0; i < COUNT_OF(widths); i++) {
        if (widths[i] == element_bits)
            return (int64_t)i;
    }
    return -1;
}

int64_t machine_by_width(const MachineList *table, int64_t element_bits)
{
    int64_t row = row_of_width(element_bits);
    return row >= 0 && row < table->count ? table->values[row] : 0;
}

const MachineList *machine_transpose_in_cols(const Machine *machine, int64_t element_bits)
{
    const MachineList *lists[] = {
        &machine->transpose_in_cols_4_bit,
        &machine->transpose_in_cols_8_bit,
        &machine->transpose_in_cols_16_bit,
        &machine->transpose_in_cols_32_bit,
    };
    int64_t row = row_of_width(element_bits);
    return row < 0 ? NULL : lists[row];
}

int64_t machine_address_part(const MachineList *bits, int64_t address)
{
    int64_t part = 0;
    for (int64_t i = 0; i < bits->count; i++)
        part |= (address >> bits->values[i] & 1) << i;
    return part;
}

int64_t machine_hbm_channel(const Machine *machine, int64_t address)
{
    const MachineList *own = &machine->hbm_channel_bits;
    const MachineList *mixed = &machine->hbm_channel_xor_bits;
    int64_t channel = machine_address_part(own, address);
    for (int64_t i = 0; i < mixed->count; i++)
        channel ^= (address >> mixed->values[i] & 1) << i % own->count;
    return channel;
}

// ---- what the bits of an address choose

HbmAddress machine_hbm_address(const Machine *machine, int64_t address)
{
    return (HbmAddress){
        .stack = machine_address_part(&machine->hbm_stack_bits, address),
        .channel = machine_hbm_channel(machine, address),
        .slice = machine_address_part(&machine->hbm_slice_bits, address),
        .bank_group = machine_address_part(&machine->hbm_bank_group_bits, address),
        .bank = machine_address_part(&machine->hbm_bank_bits, address),
        .row = machine_address_part(&machine->hbm_row_bits, address),
        .byte = machine_address_part(&machine->hbm_byte_bits, address),
    };
}

int64_t machine_hbm_port(const Machine *machine, int64_t address)
{
    return machine_address_part(&machine->hbm_stack_bits, address) *
               machine->hbm_channels_per_stack +
           machine_hbm_channel(machine, address);
}

// ---- whether a machine can exist
//
// First each field by itself, then what must hold between fields: products that state one capacity
// twice, address bits that cover their memory, sizes that an engine's packet holds. Nearly all of
// it is rows of tables; a relation that mentions a refused field is skipped, since it would report
// the same mistake again.

enum { FACTORS_MAX = 8 };

// Ids that start at 1, so that 0 ends a list of them.
enum {
    F_END,
#define FIELD(name, unit, rngd, min, max, kind, manual, doc) F_##name,
#define LIST(name, unit, min, max, kind, manual, doc, ...)   F_##name,
#include "machine/machine.def"
};

// A constant among the ids.
#define TIMES(number) (-(number))

typedef struct {
    const Machine *machine;
    const MachineOrigin *origins;
    DiagList *diags;
    bool ok;
} Check;

static const MachineField *field_of(int32_t id)
{
    return &machine_fields[id - 1];
}

// A field, or what TIMES said.
static int64_t value_of(const Check *check, int32_t id)
{
    return id < 0 ? -(int64_t)id : machine_value(check->machine, field_of(id));
}

static const MachineList *list_of(const Check *check, int32_t id)
{
    return machine_list(check->machine, field_of(id));
}

// ---- One field ----

static bool value_in_range(const MachineField *field, int64_t value, Span span, DiagList *diags)
{
    if (value >= field->min && value <= field->max)
        return true;
    Diag *diag = diag_add(diags, DIAG_MACHINE_VALUE, span, "{} cannot be {}", field->name, value);
    if (field->min == field->max)
        diag_label(diag, "it is always {}", field->min);
    else
        diag_label(diag, "it is {} to {} ({})", field->min, field->max, field->unit);
    diag_help(diag, "{}: {}", field->name, field->doc);
    return false;
}

bool machine_check_value(const MachineField *field, int64_t value, Span span, DiagList *diags)
{
    if (!value_in_range(field, value, span, diags))
        return false;
    if (field->kind != MACHINE_POWER_OF_TWO || (value > 0 && (value & (value - 1)) == 0))
        return true;
    Diag *diag = diag_add(diags, DIAG_MACHINE_VALUE, span, "{} cannot be {}", field->name, value);
    diag_label(diag, "it is a power of two ({})", field->unit);
    return false;
}

// What a value of a list must be, seen from the values before it.
static const char *order_problem(MachineKind kind, const MachineList *list, int64_t index)
{
    int64_t value = list->values[index];
    if (kind == MACHINE_SET && index && value <= list->values[index - 1])
        return "sizes are listed in ascending order, each once";
    for (int64_t i = 0; kind == MACHINE_BITS && i < index; i++) {
        if (list->values[i] == value)
            return "a bit has one place in a component";
    }
    return NULL;
}

static bool check_list_length(const MachineField *field, const MachineList *list, Span span,
                              DiagList *diags)
{
    int64_t rows = machine_list(&machine_rngd, field)->count;
    if (field->kind == MACHINE_TABLE && list->count != rows) {
        diag_add(diags, DIAG_MACHINE_VALUE, span, "{} has {} values, not {}: {}", field->name, rows,
                 list->count, field->doc);
        return false;
    }
    int64_t fewest = field->kind == MACHINE_BITS ? 0 : 1; // what there is one of takes no bit
    if (list->count >= fewest && list->count <= MACHINE_LIST_CAPACITY)
        return true;
    diag_add(diags, DIAG_MACHINE_VALUE, span, "{} has {} to {} values, not {}", field->name, fewest,
             MACHINE_LIST_CAPACITY, list->count);
    return false;
}

bool machine_check_list(const MachineField *field, const MachineList *list, Span span,
                        DiagList *diags)
{
    if (!check_list_length(field, list, span, diags))
        return false;
    bool ok = true;
    for (int64_t i = 0; i < list->count; i++) {
        ok &= value_in_range(field, list->values[i], span, diags);
        const char *problem = order_problem(field->kind, list, i);
        if (!problem)
            continue;
        Diag *diag = diag_add(diags, DIAG_MACHINE_VALUE, span, "{} cannot have {} at index {}",
                              field->name, list->values[i], i);
        diag_label(diag, "{}", problem);
        ok = false;
    }
    return ok;
}

// ---- Between fields ----

// Where the user gave a field its value, if anywhere.
static Span span_of(const Check *check, int32_t id)
{
    return check->origins[id - 1].span;
}

// Reports a contradiction between fields (no constants; F_END ends them): at the first that the
// user gave, with a note at each other.
static void(contradict)(Check *check, const int32_t *ids, Message message);
#define contradict(check, ids, ...) contradict(check, ids, MESSAGE(__VA_ARGS__))

static void(contradict)(Check *check, const int32_t *ids, Message message)
{
    StrBuf text = {.arena = check->diags->arena};
    (buf_format)(&text, message);
    while (ids[1] && span_of(check, *ids).source < 0)
        ids++;
    Diag *diag = diag_add(check->diags, DIAG_MACHINE_CONTRADICTION, span_of(check, *ids), "{}",
                          buf_str(&text));
    while (*++ids) {
        if (span_of(check, *ids).source >= 0)
            diag_note(diag, span_of(check, *ids), "{} is set here", field_of(*ids)->name);
    }
    check->ok = false;
}

static bool any_refused(const Check *check, const int32_t *ids)
{
    for (; *ids; ids++) {
        if (*ids > 0 && check->origins[*ids - 1].refused)
            return true;
    }
    return false;
}

typedef enum { EQUAL, AT_MOST, LESS } Order;

// What the product of the left ids must be, against that of the right ones.
typedef struct {
    Order order;
    int32_t left[FACTORS_MAX];
    int32_t right[FACTORS_MAX];
} Relation;

static const Relation relations[] = {
    // Hierarchy
    {EQUAL, {F_slices_per_cluster}, {F_pes_per_cluster, F_slices_per_pe}},
    {EQUAL, {F_slices_per_cluster}, {F_dmns_per_cluster, F_slices_per_dmn}},
    {EQUAL, {F_dma_engines_per_chip}, {F_clusters_per_chip, F_dma_engines_per_cluster}},
    {EQUAL, {F_dmns_per_cluster}, {F_dma_engines_per_cluster, F_dmns_per_dma_engine}},
    {EQUAL, {F_pes_per_cluster}, {F_dma_engines_per_cluster}},
    // HBM
    {EQUAL,
     {F_hbm_bytes_per_chip},
     {F_hbm_stacks, F_hbm_channels_per_stack, F_hbm_slices_per_channel, F_hbm_bank_groups_per_slice,
      F_hbm_banks_per_bank_group, F_hbm_rows_per_bank, F_hbm_row_bytes}},
    {EQUAL, {F_hbm_channel_mb_per_second}, {F_hbm_channel_bytes_per_cycle, F_hbm_clock_mhz}},
    {EQUAL, {F_hbm_unit_bytes}, {F_hbm_channel_bytes_per_cycle, F_hbm_unit_cycles}},
    // 1.5 TB/s is 32 channels of 48 GB/s, rounded down.
    {AT_MOST,
     {F_hbm_gb_per_second, TIMES(1000)},
     {F_hbm_stacks, F_hbm_channels_per_stack, F_hbm_channel_mb_per_second}},
    {AT_MOST, {F_hbm_unit_bytes}, {F_hbm_row_bytes}},
    {AT_MOST, {F_hbm_row_switch_ns_min}, {F_hbm_row_switch_ns_max}},
    // DM
    {EQUAL, {F_dm_bytes_per_slice}, {F_dm_banks_per_slice, F_dm_rows_per_bank, F_dm_row_bytes}},
    {EQUAL,
     {F_dm_bytes_per_chip},
     {F_clusters_per_chip, F_slices_per_cluster, F_dm_bytes_per_slice}},
    {AT_MOST, {F_dm_bytes_per_slice}, {F_dm_virtual_slice_stride_bytes}},
    {EQUAL, {F_dm_virtual_dmn_stride_bytes}, {F_slices_per_dmn, F_dm_virtual_slice_stride_bytes}},
    {EQUAL, {F_dm_bytes_per_cycle_per_dmn}, {F_dm_banks_per_slice, F_dm_row_bytes}},
    {EQUAL,
     {F_dm_bytes_per_cycle_per_dma_engine},
     {F_dmns_per_dma_engine, F_dm_bytes_per_cycle_per_dmn}},
    // TRF
    {EQUAL, {F_trf_bank_rows}, {F_mac_rows}},
    {EQUAL, {F_trf_bytes_per_slice}, {F_trf_bank_rows, F_trf_bytes_per_mac_row}},
    {EQUAL, {F_trf_bytes_per_slice}, {F_trf_halves, F_trf_half_bytes}},
    {EQUAL, {F_trf_bytes_per_mac_row}, {F_trf_bank_columns, F_trf_rows_per_bank, F_trf_row_bytes}},
    {EQUAL, {F_trf_slots_per_row}, {F_trf_row_bytes, TIMES(2)}}, // a slot holds an i4
    {EQUAL, {F_mac_bytes}, {F_trf_bank_columns, F_trf_row_bytes}},
    {EQUAL, {F_trf_wide_read_align_bytes}, {F_mac_bytes}},
    {EQUAL,
     {F_trf_cache_bytes},
     {F_trf_bank_rows, F_trf_cache_lines, F_trf_bank_columns, F_trf_cache_line_bytes}},
    // Accumulator and streams
    {EQUAL, {F_accumulator_rows}, {F_mac_rows}},
    {EQUAL,
     {F_accumulator_slots},
     {F_accumulator_rows, F_accumulator_columns, F_accumulator_registers}},
    {EQUAL, {F_accumulator_slots}, {F_accumulator_rows, F_reduce_interleaved_inner}},
    {EQUAL, {F_accumulator_slots}, {F_accumulator_columns, F_reduce_sequential_inner}},
    {EQUAL, {F_accumulator_columns}, {F_reduce_outputs_per_row}},
    {EQUAL, {F_flit_buffer_bytes}, {F_flit_buffer_flits, F_flit_bytes}},
    {EQUAL, {F_flit_bytes, TIMES(8)}, {F_flit_lanes, F_flit_lane_bits}},
    {AT_MOST, {F_flit_bytes}, {F_mac_bytes}},
    // Engines
    {AT_MOST, {F_fetch_cast_bytes}, {F_flit_bytes}},
    {LESS, {F_fetch_mask_count_4_bit}, {F_fetch_mask_bytes, TIMES(2)}},
    {LESS, {F_fetch_mask_count_32_bit, TIMES(4)}, {F_fetch_mask_bytes}},
    {EQUAL, {F_switch_ring_slices}, {F_slices_per_cluster}},
    {EQUAL, {F_inter_slice_reduce_slices}, {F_slices_per_cluster}},
    {EQUAL, {F_commit_bitmap_bits}, {F_slices_per_cluster}},
    {EQUAL, {F_vector_way8_lanes}, {F_flit_lanes}},
    {EQUAL, {F_vector_way8_lanes}, {F_vector_way4_lanes, TIMES(2)}},
    {EQUAL, {F_vector_reduce_lanes}, {F_vector_way4_lanes}},
    {EQUAL, {F_vcg_count_max}, {F_flit_lanes}},
    {EQUAL, {F_cast_output_bytes}, {F_flit_bytes}},
    {EQUAL, {F_commit_input_bytes}, {F_flit_bytes}},
    {EQUAL, {F_commit_word_bytes}, {F_dm_row_bytes}},
    {EQUAL, {F_dma_dm_write_align_bytes}, {F_dm_row_bytes}},
    // DMA
    {EQUAL, {F_dma_packet_bytes}, {F_dma_axi_beats, F_dma_axi_beat_bytes}},
    {AT_MOST, {F_dma_request_bytes}, {F_dma_packet_bytes}},
    {EQUAL,
     {F_dma_bytes_per_cycle_per_chip},
     {F_dma_engines_per_chip, F_dma_bytes_per_cycle_per_engine}},
    // The 64-access rule: a DMA request waits for that many accesses of every slice of its DMN.
    {LESS,
     {F_dma_bytes_per_cycle_per_engine, F_bank_accesses_max, F_slices_per_dmn},
     {F_noc_timeout_cycles, F_dm_bytes_per_cycle_per_dmn}},
    // Measurements
    {AT_MOST, {F_silicon_makespan_percent_min}, {F_silicon_makespan_percent_max}},
    {AT_MOST, {F_silicon_pass_percent_min}, {F_silicon_pass_percent_max}},
    {AT_MOST, {F_silicon_sync_cycles_min}, {F_silicon_sync_cycles_max}},
    {AT_MOST, {F_silicon_first_launch_percent_min}, {F_silicon_first_launch_percent_max}},
    {AT_MOST, {F_published_watts_min}, {F_published_watts_max}},
};

// False where the product leaves 63 bits.
static bool product(const Check *check, const int32_t *ids, int64_t *result)
{
    for (*result = 1; *ids; ids++) {
        if (!checked_mul(*result, value_of(check, *ids), result))
            return false;
    }
    return true;
}

static bool holds(Order order, int64_t left, int64_t right)
{
    switch (order) {
    case EQUAL:
        return left == right;
    case AT_MOST:
        return left <= right;
    case LESS:
        return left < right;
    }
    return false;
}

// dm_banks_per_slice x dm_row_bytes (16 x 8 = 128)
static void add_side(const Check *check, StrBuf *out, const int32_t *ids)
{
    for (const int32_t *id = ids; *id; id++) {
        buf_add(out, id == ids ? STR("") : STR(" x "));
        if (*id < 0)
            buf_format(out, "{}", value_of(check, *id));
        else
            buf_add(out, str_from(field_of(*id)->name));
    }
    for (const int32_t *id = ids; *id; id++)
        buf_format(out, "{}{}", id == ids ? " (" : " x ", value_of(check, *id));
    int64_t result;
    if (!product(check, ids, &result))
        buf_add(out, STR(", beyond 63 bits"));
    else if (ids[1])
        buf_format(out, " = {}", result);
    buf_add(out, STR(")"));
}

static void check_relation(Check *check, const Relation *relation)
{
    static const char *const words[] = {
        [EQUAL] = "equal", [AT_MOST] = "be at most", [LESS] = "be less than"};
    const int32_t *sides[] = {relation->left, relation->right};
    if (any_refused(check, relation->left) || any_refused(check, relation->right))
        return;
    int64_t left, right;
    if (product(check, relation->left, &left) && product(check, relation->right, &right) &&
        holds(relation->order, left, right))
        return;
    StrBuf message = {.arena = check->diags->arena};
    add_side(check, &message, relation->left);
    buf_format(&message, " must {} ", words[relation->order]);
    add_side(check, &message, relation->right);
    int32_t ids[2 * FACTORS_MAX] = {F_END}; // the fields of both sides
    int32_t count = 0;
    for (size_t side = 0; side < COUNT_OF(sides); side++) {
        for (const int32_t *id = sides[side]; *id; id++) {
            if (*id > 0)
                ids[count++] = *id;
        }
    }
    contradict(check, ids, "{}", buf_str(&message));
}

// ---- Address bits: n things take as many bits as number them, and no bit is left or used twice
// ----

static const struct {
    int32_t bits, things;
} bit_counts[] = {
    {F_hbm_byte_bits, F_hbm_row_bytes},
    {F_hbm_stack_bits, F_hbm_stacks},
    {F_hbm_channel_bits, F_hbm_channels_per_stack},
    {F_hbm_bank_group_bits, F_hbm_bank_groups_per_slice},
    {F_hbm_bank_bits, F_hbm_banks_per_bank_group},
    {F_hbm_slice_bits, F_hbm_slices_per_channel},
    {F_hbm_row_bits, F_hbm_rows_per_bank},
    {F_dm_byte_bits, F_dm_row_bytes},
    {F_dm_bank_bits, F_dm_banks_per_slice},
    {F_dm_row_bits, F_dm_rows_per_bank},
    {F_trf_slot_bits, F_trf_slots_per_row},
    {F_trf_column_bits, F_trf_bank_columns},
    {F_trf_row_bits, F_trf_rows_per_bank},
    {F_trf_bank_row_bits, F_trf_bank_rows},
};

static const int32_t address_parts[][FACTORS_MAX] = {
    {F_hbm_byte_bits, F_hbm_stack_bits, F_hbm_channel_bits, F_hbm_bank_group_bits, F_hbm_bank_bits,
     F_hbm_slice_bits, F_hbm_row_bits},
    {F_dm_byte_bits, F_dm_bank_bits, F_dm_row_bits},
    {F_trf_slot_bits, F_trf_column_bits, F_trf_row_bits, F_trf_bank_row_bits},
};

static int64_t bits_for(int64_t things)
{
    int64_t bits = 0;
    while (bits < 62 && (INT64_C(1) << bits) < things)
        bits++;
    return bits;
}

static void check_bit_count(Check *check, int32_t bits, int32_t things)
{
    const int32_t ids[] = {bits, things, F_END};
    int64_t count = list_of(check, bits)->count, number = value_of(check, things);
    if (any_refused(check, ids) || count == bits_for(number))
        return;
    contradict(check, ids, "{} has {} bits, but {} is {}, which takes {}", field_of(bits)->name,
               count, field_of(things)->name, number, bits_for(number));
}

// The components of an address use bits 0, 1, .. up to their number, each once.
static void check_address(Check *check, const int32_t *parts)
{
    if (any_refused(check, parts))
        return;
    uint64_t used = 0;
    int64_t total = 0, twice = -1;
    for (const int32_t *part = parts; *part; part++) {
        const MachineList *bits = list_of(check, *part);
        total += bits->count;
        for (int64_t i = 0; i < bits->count; i++) {
            uint64_t bit = UINT64_C(1) << bits->values[i];
            if (used & bit)
                twice = bits->values[i];
            used |= bit;
        }
    }
    if (twice >= 0) {
        contradict(check, parts, "two components use bit {} of one address", twice);
    } else if (total > 62 || used != (UINT64_C(1) << total) - 1) {
        contradict(check, parts, "the {} bits of an address leave out one below the highest",
                   total);
    }
}

static void check_channel_xor(Check *check)
{
    static const int32_t ids[] = {F_hbm_channel_xor_bits, F_hbm_channel_bits, F_END};
    int64_t mixed = list_of(check, ids[0])->count, own = list_of(check, ids[1])->count;
    if (any_refused(check, ids) || mixed == 0 || (own && mixed % own == 0))
        return;
    contradict(check, ids,
               "hbm_channel_xor_bits has {} bits, not whole groups of the {} of a channel", mixed,
               own);
}

// ---- Sets: every size is a multiple of one field and at most the product of others ----

typedef struct {
    int32_t set;
    int32_t unit; // F_END: any size
    int32_t limit[FACTORS_MAX];
} SetLimit;

static const SetLimit set_limits[] = {
    {F_mac_row_counts, F_END, {F_mac_rows}},
    {F_fetch_sizes, F_END, {F_flit_bytes}},
    {F_collect_flits, F_END, {F_flit_buffer_flits}},
    {F_trf_read_sizes, F_END, {F_mac_bytes}},
    {F_commit_in_sizes, F_commit_word_bytes, {F_commit_input_bytes}},
    {F_commit_sizes, F_commit_word_bytes, {F_commit_input_bytes}},
    {F_transpose_in_cols_4_bit, F_END, {F_transpose_buffer_cols, F_transpose_buffers}},
    {F_transpose_in_cols_8_bit, F_END, {F_transpose_buffer_cols, F_transpose_buffers}},
    {F_transpose_in_cols_16_bit, F_END, {F_transpose_buffer_cols, F_transpose_buffers}},
    {F_transpose_in_cols_32_bit, F_END, {F_transpose_buffer_cols, F_transpose_buffers}},
};

static void check_set_unit(Check *check, int32_t set, int32_t unit)
{
    const int32_t ids[] = {set, unit, F_END};
    const MachineList *sizes = list_of(check, set);
    if (!unit || any_refused(check, ids))
        return;
    for (int64_t i = 0; i < sizes->count; i++) {
        if (sizes->values[i] % value_of(check, unit) == 0)
            continue;
        contradict(check, ids, "{} has {}, which is no multiple of {} ({})", field_of(set)->name,
                   sizes->values[i], field_of(unit)->name, value_of(check, unit));
    }
}

static void check_set_limit(Check *check, const SetLimit *row)
{
    int32_t ids[FACTORS_MAX + 2] = {row->set};
    for (int32_t i = 0; row->limit[i]; i++)
        ids[i + 1] = row->limit[i];
    if (any_refused(check, ids))
        return;
    const MachineList *sizes = list_of(check, row->set);
    int64_t limit, largest = sizes->values[sizes->count - 1]; // sets ascend
    if (product(check, row->limit, &limit) && largest <= limit)
        return;
    StrBuf message = {.arena = check->diags->arena};
    buf_format(&message, "{} has {}, more than ", field_of(row->set)->name, largest);
    add_side(check, &message, row->limit);
    contradict(check, ids, "{}", buf_str(&message));
}

// ---- Tables by element width ----

typedef struct {
    int32_t table;
    int32_t bytes;
    bool is_depth; // of a tree over as many elements, instead of their number
} WidthRow;

// As many elements of each width as fill so many bytes.
static const WidthRow width_rows[] = {
    {F_reduce_tree_depth, F_mac_bytes, true},
    {F_transpose_output_alignment, F_flit_bytes, false},
};

static void check_widths(Check *check, const WidthRow *row)
{
    const int32_t ids[] = {row->table, row->bytes, F_END};
    const MachineList *table = list_of(check, row->table);
    if (any_refused(check, ids))
        return;
    for (int64_t i = 0; i < table->count; i++) {
        int64_t element_bits = INT64_C(4) << i;
        int64_t elements = value_of(check, row->bytes) * 8 / element_bits;
        int64_t wanted = row->is_depth ? bits_for(elements) : elements;
        if (table->values[i] == wanted)
            continue;
        contradict(
            check, ids,
            "{} is {} for elements of {} bits, but {} ({}) holds {} of them, which makes it {}",
            field_of(row->table)->name, table->values[i], element_bits, field_of(row->bytes)->name,
            value_of(check, row->bytes), elements, wanted);
    }
}

static void check_reduce_tree(Check *check)
{
    static const int32_t ids[] = {F_vector_reduce_tree_depth, F_vector_reduce_lanes, F_END};
    int64_t depth = value_of(check, ids[0]), lanes = value_of(check, ids[1]);
    if (any_refused(check, ids) || depth == bits_for(lanes))
        return;
    contradict(check, ids,
               "vector_reduce_tree_depth is {}, but a tree over {} lanes (vector_reduce_lanes) has "
               "{} levels",
               depth, lanes, bits_for(lanes));
}

// Both halves of HBM's speed make up the whole.
static void check_hbm_speed(Check *check)
{
    static const int32_t ids[] = {F_hbm_gb_per_second, F_hbm_read_gb_per_second,
                                  F_hbm_write_gb_per_second, F_END};
    int64_t all = value_of(check, ids[0]);
    int64_t reads = value_of(check, ids[1]), writes = value_of(check, ids[2]);
    int64_t sum = reads + writes;
    if (any_refused(check, ids) || all == sum)
        return;
    contradict(check, ids,
               "hbm_gb_per_second ({}) must equal hbm_read_gb_per_second + hbm_write_gb_per_second "
               "({} + {} = {})",
               all, reads, writes, sum);
}

bool machine_check_relations(const Machine *machine,
                             const MachineOrigin origins[MACHINE_FIELD_COUNT], DiagList *diags)
{
    Check check = {machine, origins, diags, true};
    for (size_t i = 0; i < COUNT_OF(relations); i++)
        check_relation(&check, &relations[i]);
    for (size_t i = 0; i < COUNT_OF(bit_counts); i++)
        check_bit_count(&check, bit_counts[i].bits, bit_counts[i].things);
    for (size_t i = 0; i < COUNT_OF(address_parts); i++)
        check_address(&check, address_parts[i]);
    for (size_t i = 0; i < COUNT_OF(set_limits); i++) {
        check_set_unit(&check, set_limits[i].set, set_limits[i].unit);
        check_set_limit(&check, &set_limits[i]);
    }
    for (size_t i = 0; i < COUNT_OF(width_rows); i++)
        check_widths(&check, &width_rows[i]);
    check_channel_xor(&check);
    check_reduce_tree(&check);
    check_hbm_speed(&check);
    return check.ok;
}

bool machine_check(const Machine *machine, DiagList *diags)
{
    MachineOrigin origins[MACHINE_FIELD_COUNT];
    bool ok = true;
    for (int64_t i = 0; i < MACHINE_FIELD_COUNT; i++) {
        const MachineField *field = &machine_fields[i];
        bool fits =
            machine_field_is_list(field)
                ? machine_check_list(field, machine_list(machine, field), SPAN_NOWHERE, diags)
                : machine_check_value(field, machine_value(machine, field), SPAN_NOWHERE, diags);
        origins[i] = (MachineOrigin){.span = SPAN_NOWHERE, .refused = !fits};
        ok &= fits;
    }
    return machine_check_relations(machine, origins, diags) && ok;
}
