// The way into the pipeline: fetch, switch, collect.
#include "base/checked.h"
#include "command/bank.h"
#include "command/form.h"
#include "command/listing_text.h"

#include <string.h>

// ---- fetch

static Str adapter_text(Arena *arena, const HwFetch *fetch)
{
    StrBuf text = {.arena = arena};
    if (fetch->table) {
        const HwTable *table = fetch->table;
        say(&text, "table of {} entries of {}:", table->entries.count, scalar_name(table->type));
        for (int64_t i = 0; i < table->entries.count && i < LISTING_MOST; i++)
            buf_format(&text, "{}{}", i ? ", " : " ",
                       value_text(arena, table->type, table->entries.items[i]));
        buf_add(&text, table->entries.count > LISTING_MOST ? STR(", ..") : STR(""));
    }
    if (fetch->cast != fetch->type)
        say(&text, "cast to {}, packets of {} B in the stream", scalar_name(fetch->cast),
            fetch->stream_packet_bytes);
    if (fetch->zero_points.count)
        say(&text, "zero point{} {} subtracted", plural(fetch->zero_points.count),
            ints_text(arena, &fetch->zero_points));
    return buf_str(&text);
}

static Str bases_text(Arena *arena, const IntList *bases)
{
    StrBuf text = {.arena = arena};
    for (int64_t i = 0; i < bases->count; i++)
        say(&text, "{}", address_text(arena, bases->items[i]));
    return buf_str(&text);
}

static Str pad_text(Arena *arena, const HwFetch *fetch)
{
    StrBuf text = {.arena = arena};
    buf_format(&text, "pad_value {}", value_text(arena, fetch->cast, fetch->pad_value));
    for (int64_t i = 0; i < fetch->pad_registers.count; i++)
        buf_format(&text, "{}0x{x}", i ? ", " : "; in the register ",
                   (uint64_t)fetch->pad_registers.items[i]);
    return buf_str(&text);
}

// ---- masks. Manual: Fetch Engine, Masking Configuration.

static void bitmaps_add(StrBuf *text, int64_t chips, const HwClusterBits *bitmaps, int64_t count)
{
    if (count)
        buf_format(text, "; {}", slices_text(text->arena, chips, bitmaps, count));
}

// "; slices 0-7"; nothing if it is for all of them.
// than LISTING_MOST, if there are
static void listing_more_masks(const Listing *listing, int64_t count)
{
    if (count > LISTING_MOST)
        listing_linef(listing, "", "and {} more masks; {} shows them", count - LISTING_MOST,
                      listing_verbose(listing));
}

static void add_last_dim(StrBuf *text, const HwNest *nest, const HwMask *mask)
{
    say(text, "last_dim {}", mask->last_dim);
    if (mask->last_dim >= 0 && mask->last_dim < nest->loops.count &&
        nest->loops.items[mask->last_dim].term.len)
        buf_format(text, " ({})", nest->loops.items[mask->last_dim].term);
}

// Case 1: the loop around the packet; case 2: one further out; case 3: a count for each index.
static void add_registers(StrBuf *text, const HwNest *nest, const HwMask *mask)
{
    bool counts = mask->valid_count_dim >= 0;
    int which = counts ? 3 : mask->last_dim >= nest->loops.count - 2 ? 1 : 2;
    Str values = ints_text(text->arena, &mask->valid_counts);
    buf_format(text, "mask, case {}: ", which);
    StrBuf clauses = {.arena = text->arena};
    add_last_dim(&clauses, nest, mask);
    if (mask->left_pad)
        say(&clauses, "left_pad {}", mask->left_pad);
    if (counts)
        say(&clauses, "last_dim_rightmost_valid_count_dim {}", mask->valid_count_dim);
    if (mask->valid_counts.count > 1)
        say(&clauses, "last_dim_rightmost_valid_count[0..{}] = [{}]", mask->valid_counts.count,
            values);
    else if (mask->valid_counts.count)
        say(&clauses, "last_dim_rightmost_valid_count[0] = {}", values);
    buf_add(text, buf_str(&clauses));
}

void listing_masks(const Listing *listing, const HwFetch *fetch, int64_t chips)
{
    for (int64_t i = 0; i < fetch->masks.count && i < LISTING_MOST; i++) {
        const HwMask *mask = &fetch->masks.items[i];
        StrBuf text = {.arena = listing->out->arena};
        add_registers(&text, &fetch->nest, mask);
        bitmaps_add(&text, chips, mask->bitmaps.items, mask->bitmaps.count);
        listing_line(listing, "", buf_str(&text));
    }
    listing_more_masks(listing, fetch->masks.count);
}

void listing_fetch(const Listing *listing, const HwPipeline *pass)
{
    Arena *arena = listing->out->arena;
    const HwFetch *fetch = &pass->fetch;
    listing_line(listing, "fetch", nest_text(arena, &fetch->nest));
    listing_linef(listing, "", "elements of {}, fetch_size {} B, {} fetch{} per packet, {} cycle{}",
                  scalar_name(fetch->type), fetch->nest.access_bytes, fetch->fetches_per_packet,
                  fetch->fetches_per_packet == 1 ? "" : "es", fetch_cycles(fetch),
                  plural(fetch_cycles(fetch)));
    StrBuf text = {.arena = arena};
    say(&text, "{} packet{} of {} elements, {} B", fetch->time, plural(fetch->time),
        fetch->packet_elements, fetch->packet_bytes);
    if (fetch->contiguous_bytes)
        say(&text, "{} B contiguous", fetch->contiguous_bytes);
    if (fetch->bitmaps.count)
        buf_format(&text, "; {}",
                   slices_text(arena, pass->chips, fetch->bitmaps.items, fetch->bitmaps.count));
    listing_line(listing, "", buf_str(&text));
    if (fetch->bases.count > 1)
        listing_linef(listing, "", "interleaved: packets of {} take turns",
                      bases_text(arena, &fetch->bases));
    Str adapter = adapter_text(arena, fetch);
    if (adapter.len)
        listing_line(listing, "", adapter);
    listing_masks(listing, fetch, pass->chips);
    if (fetch->masks.count || fetch->pad_value)
        listing_line(listing, "", pad_text(arena, fetch));
}

// ---- switch. Manual: Switch Engine, Topologies.

static void add_topology(StrBuf *text, const HwSwitchRoute *route)
{
    static const bool has_time0[ROUTER_COUNT] = {
        [ROUTER_BROADCAST01] = true, [ROUTER_INTER_TRANSPOSE] = true};
    const char *mode =
        record_of_SwitchRoute.fields[0].name_of((int)route->mode); // the first field is `mode`
    buf_add(text, str_from(mode));
    if (route->mode == ROUTER_CUSTOM || route->mode == ROUTER_FORWARD)
        return;
    buf_format(text, " {{ slice1: {}, slice0: {}", route->slice1, route->slice0);
    if (has_time0[route->mode])
        buf_format(text, ", time0: {}", route->time0);
    buf_add(text, STR(" }"));
}

// Is `row` what `first` is, `shift` slices further on?
static bool row_shifted(const HwSnoopRow *first, const HwSnoopRow *row, int64_t shift)
{
    int64_t words = max_i64(first->sources.count, row->sources.count);
    for (int64_t source = 0; source < words * 64 + shift; source++)
        if (bit_is_set(&row->sources, source) != bit_is_set(&first->sources, source - shift))
            return false;
    return true;
}

// Rows that tell all others: those of the first ring, if the rings are alike.
static int64_t telling_rows(const HwSwitchRoute *route)
{
    int64_t count = route->snoop.count, ring = route->ring_size;
    if (ring < 1 || ring >= count || count % ring)
        return count;
    for (int64_t i = ring; i < count; i++)
        if (!row_shifted(&route->snoop.items[i - ring], &route->snoop.items[i], ring))
            return count;
    return ring;
}

typedef struct {
    const HwSnoopRow *rows;
    int64_t count;
    bool *told;
} Snoop;

// The slices whose bitmap is that of `first`; they are told then.
static BitList slices_like(Arena *arena, const Snoop *snoop, int64_t first)
{
    BitList like = {0};
    for (int64_t i = 0; i < snoop->count; i++) {
        if (i % 64 == 0)
            array_push(arena, &like, uint64_t);
        if (snoop->told[i] || !row_shifted(&snoop->rows[first], &snoop->rows[i], 0))
            continue;
        snoop->told[i] = true;
        like.items[i / 64] |= UINT64_C(1) << (i % 64);
    }
    return like;
}

// "snoop bitmap {0-3} <- {0-3}; {4-7} <- {none}"
static Str snoop_text(const Listing *listing, const HwSwitchRoute *route)
{
    Arena *arena = listing->out->arena;
    enum { MOST_ROWS = 16 };
    int64_t count = telling_rows(route), groups = 0;
    Snoop snoop = {route->snoop.items, count, arena_new(arena, bool, count)};
    StrBuf text = {.arena = arena};
    buf_add(&text, STR("snoop bitmap "));
    for (int64_t i = 0; i < count; i++) {
        if (snoop.told[i])
            continue;
        if (groups == MOST_ROWS) {
            buf_format(&text, "; .. ({} shows all)", listing_verbose(listing));
            break;
        }
        BitList like = slices_like(arena, &snoop, i);
        buf_format(&text, "{}{{{}} <- {{{}}", groups++ ? "; " : "", bits_text(arena, &like),
                   bits_text(arena, &route->snoop.items[i].sources));
    }
    if (count < route->snoop.count)
        buf_format(&text, "; the other {} rings alike", route->snoop.count / count - 1);
    return buf_str(&text);
}

void listing_switch(const Listing *listing, const HwSwitchRoute *route)
{
    StrBuf text = {.arena = listing->out->arena};
    add_topology(&text, route);
    say(&text, "ring size {}", route->ring_size);
    if (route->snoop.count > route->ring_size && route->slice2 > 1)
        say(&text, "{} rings", route->slice2);
    say(&text, "{} -> {} packets of {} B", route->in_time, route->out_time, route->packet_bytes);
    say(&text, "{} cycle{}", switch_cycles(route), plural(switch_cycles(route)));
    listing_line(listing, "switch", buf_str(&text));
    if (route->snoop.count)
        listing_line(listing, "", snoop_text(listing, route));
    if (route->writes_registers)
        listing_linef(listing, "", "custom topology: {} registers (SFRs) of 32 bits first",
                      route->register_writes);
}

// ---- collect

void listing_collect(const Listing *listing, const HwCollect *collect)
{
    StrBuf text = {.arena = listing->out->arena};
    say(&text, "packets of {} B -> {} flit{}", collect->in_packet_bytes, collect->flits_per_packet,
        plural(collect->flits_per_packet));
    if (collect->pad_bytes)
        say(&text, "the last {} B padding", collect->pad_bytes);
    buf_format(&text, "; {} flit{} in all", collect->flits, plural(collect->flits));
    listing_line(listing, "collect", buf_str(&text));
}

// Register files and the Contraction Engine.

// Which positions are data.
static void print_data(const Listing *listing, const char *what, const HwCheck *checks,
                       int64_t count)
{
    StrBuf text = {.arena = listing->out->arena};
    if (!count)
        return;
    checks_add(&text, what, checks, count);
    listing_line(listing, "", buf_str(&text));
}

// ---- register files

static void add_layout(StrBuf *text, const HwTrfLayout *layout)
{
    say(text, "{}", trf_address_names[layout->address]);
    say(text, "{} row{} of {} bank row{}", layout->rows, plural(layout->rows),
        layout->bank_rows_per_row, plural(layout->bank_rows_per_row));
    if (layout->first_row)
        say(text, "from row {} of each bank", layout->first_row);
}

// "4 : 1 row", "4 : 32 B", "2 : 1 row + 32 B"
static void add_row_loop(StrBuf *text, const HwRowLoop *loop)
{
    buf_format(text, "{} : ", loop->size);
    if (loop->row_stride)
        buf_format(text, "{} row{}{}", loop->row_stride, plural(loop->row_stride),
                   loop->byte_stride ? " + " : "");
    if (loop->byte_stride)
        buf_format(text, "{} B", loop->byte_stride);
    else if (!loop->row_stride)
        buf_add_char(text, '0');
}

void listing_trf_store(const Listing *listing, const HwTrfStore *store)
{
    StrBuf text = {.arena = listing->out->arena};
    buf_add_char(&text, '[');
    for (int64_t i = 0; i < store->loops.count; i++) {
        buf_add(&text, i ? STR(", ") : STR(""));
        add_row_loop(&text, &store->loops.items[i]);
    }
    buf_format(&text, "] : {}", store->flit_bytes);
    say(&text, "{} flit{}", store->flits, plural(store->flits));
    if (store->short_command)
        say(&text, "short command");
    listing_line(listing, "trf_store", buf_str(&text));
    text = (StrBuf){.arena = listing->out->arena};
    add_layout(&text, &store->layout);
    say(&text, "{} B of each row filled", store->row_bytes);
    listing_line(listing, "", buf_str(&text));
    text = (StrBuf){.arena = listing->out->arena};
    say(&text, "elements of {}", scalar_name(store->type));
    if (store->reg_type >= 0)
        buf_format(&text, " (reg_type {})", store->reg_type);
    say(&text, "{} in the row of a bank, {} slot{} of 5 bits each", store->elements_per_bank_row,
        store->slots_per_element, plural(store->slots_per_element));
    listing_line(listing, "", buf_str(&text));
}

void listing_vrf_store(const Listing *listing, const HwVrfStore *store)
{
    listing_line(listing, "vrf_store", nest_text(listing->out->arena, &store->nest));
    listing_linef(listing, "", "elements of {}, {} packet{} of {}, {} B in each slice",
                  scalar_name(store->type), store->time, plural(store->time),
                  store->packet_elements, store->bytes);
    print_data(listing, "element", store->data.items, store->data.count);
}

// ---- contraction

void listing_adapt(const Listing *listing, const HwStreamAdapt *adapt)
{
    Arena *arena = listing->out->arena;
    StrBuf text = {.arena = arena};
    say(&text, "collect_flits {}: {} B", adapt->collect_flits, adapt->data_bytes);
    if (adapt->pad_bytes)
        buf_format(&text, " and {} B of zeros", adapt->pad_bytes);
    say(&text, "the same in {} row{}", adapt->rows, plural(adapt->rows));
    say(&text, "{} flit{} -> {} packet{}", adapt->in_time, plural(adapt->in_time), adapt->out_time,
        plural(adapt->out_time));
    if (adapt->tile > 1)
        say(&text, "each {} times (tile)", adapt->tile);
    listing_line(listing, "adapt", buf_str(&text));
    if (adapt->loops.count)
        listing_linef(listing, "", "{}, strides in flits",
                      loops_text(arena, adapt->loops.items, adapt->loops.count));
}

// Manual: TRF Sequencer; Entry 0 is the innermost.
static void print_entries(const Listing *listing, const HwNest *nest)
{
    for (int64_t i = nest->loops.count - 1; i >= 0; i--) {
        const HwLoop *loop = &nest->loops.items[i];
        listing_linef(listing, "", "Entry {}: {{ size: {}, stride: {} }{}{}",
                      nest->loops.count - 1 - i, loop->size, loop->stride,
                      loop->term.len ? "  " : "", loop->term);
    }
}

void listing_trf_read(const Listing *listing, const HwTrfRead *read)
{
    StrBuf text = {.arena = listing->out->arena};
    add_layout(&text, &read->layout);
    say(&text, "@ {}", address_text(text.arena, read->nest.base));
    say(&text, "elements of {}", scalar_name(read->type));
    listing_line(listing, "trf_read", buf_str(&text));
    text = (StrBuf){.arena = listing->out->arena};
    say(&text, "reg_read_size {} B", read->nest.access_bytes);
    if (read->broadcast > 1)
        say(&text, "broadcast {} times", read->broadcast);
    say(&text, "{} bank column{}", read->bank_columns, plural(read->bank_columns));
    say(&text, "{} read{}", read->out_time, plural(read->out_time));
    if (read->nest.loops.count)
        say(&text, read->nest.element_bits == 8 ? "strides in bytes" : "strides in elements");
    listing_line(listing, "", buf_str(&text));
    print_entries(listing, &read->nest);
}

// ---- reducer

// "[I % 4 = 4 : 1, K / 32 = 2 reduced]"
static Str slot_loops_text(Arena *arena, const HwReduce *reduce)
{
    StrBuf text = {.arena = arena};
    buf_add_char(&text, '[');
    for (int64_t i = 0; i < reduce->loops.count; i++) {
        const HwSlotLoop *loop = &reduce->loops.items[i];
        buf_add(&text, i ? STR(", ") : STR(""));
        if (loop->term.len)
            buf_format(&text, "{} = ", term_text(arena, loop->term));
        buf_format(&text, "{}", loop->size);
        if (loop->reduced)
            buf_add(&text, STR(" reduced"));
        else
            buf_format(&text, " : {}", loop->stride);
    }
    buf_add_char(&text, ']');
    return buf_str(&text);
}

static bool accumulates(const HwReduce *reduce)
{
    for (int64_t i = 0; i < reduce->loops.count; i++)
        if (reduce->loops.items[i].reduced && reduce->loops.items[i].size > 1)
            return true;
    return false;
}

void listing_reduce(const Listing *listing, const HwReduce *reduce)
{
    Arena *arena = listing->out->arena;
    StrBuf text = {.arena = arena};
    say(&text, "{} x {} -> {}", scalar_name(reduce->in_type), scalar_name(reduce->in_type),
        scalar_name(reduce->out_type));
    say(&text, "tree depth {}: {} products -> {} sum{}", reduce->tree_depth,
        reduce->packet_elements, reduce->tree_outputs, plural(reduce->tree_outputs));
    if (reduce->columns != reduce->tree_outputs)
        say(&text, "{} of them kept", reduce->columns);
    say(&text, "{}, {} row{}", accumulate_names[reduce->resize], reduce->rows,
        plural(reduce->rows));
    listing_line(listing, "reduce", buf_str(&text));
    text = (StrBuf){.arena = arena};
    say(&text, "{}: {} step{}, {}", slot_loops_text(arena, reduce), reduce->in_time,
        plural(reduce->in_time),
        accumulates(reduce) ? "the first of a place stored, others accumulated, the last output"
                            : "each stored and output");
    listing_line(listing, "", buf_str(&text));
    listing_linef(listing, "", "{} of 1024 slots, {} place{} -> {} packet{} of {}", reduce->slots,
                  reduce->places, plural(reduce->places), reduce->out_time,
                  plural(reduce->out_time), reduce->out_elements);
    print_data(listing, "product", reduce->data.items, reduce->data.count);
}

// ---- the Vector Engine

// The Vector Engine: a line for each step, with its stage, its ALU, what it does and on what.

// ---- valid counts. Manual: Valid Count Generator's Implementation.

static const char *dim_name(int64_t dim)
{
    static const char *const names[] = {"packet", "gate 0", "gate 1", "gate 2"};
    return dim < 0 ? "none" : dim < 4 ? names[dim] : "?";
}

static Str mask_text(const Listing *listing, int64_t bits)
{
    return bits ? str_format(listing->out->arena, "0x{x}", bits) : STR("0");
}

static void print_vcg(const Listing *listing, const HwVcg *vcg)
{
    listing_linef(listing, "", "valid counts: packet dim of stride {}, V {}", vcg->packet_stride,
                  vcg->packet_valid);
    if (vcg->counters.count)
        listing_linef(listing, "", "  counter     limit    stride  dim");
    for (int64_t i = 0; i < vcg->counters.count; i++) {
        const HwVcgCounter *counter = &vcg->counters.items[i];
        listing_linef(listing, "", "  {-7} {9} {9}  {}", i, counter->limit, counter->stride,
                      dim_name(counter->dim));
    }
    if (vcg->gates.count)
        listing_linef(listing, "", "  gate         mask     match  V         P");
    for (int64_t i = 0; i < vcg->gates.count; i++) {
        const HwVcgGate *gate = &vcg->gates.items[i];
        listing_linef(listing, "", "  {-7} {9} {9}  {-9} {}", i, mask_text(listing, gate->mask),
                      mask_text(listing, gate->match), gate->valid, gate->transposed);
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
        buf_format(&text, " and {}", value_text(arena, operand->type, operand->second_bits));
    if (operand->nest)
        buf_format(&text, " {}", nest_text(arena, operand->nest));
    if (operand->condition != CONDITION_ALWAYS)
        buf_format(&text, " if {}", condition_name(operand->condition));
    return buf_str(&text);
}

static void add_operands(StrBuf *text, const HwVectorStep *step)
{
    for (int64_t i = 0; i < step->operands.count; i++) {
        bool pair = step->groups && step->operands.count > 1;
        buf_add(text, i ? STR(", ") : STR(" "));
        if (pair)
            buf_format(text, "group {}: ", i);
        buf_add(text, operand_text(text->arena, step, &step->operands.items[i]));
    }
}

// ---- branches

static void add_compares(StrBuf *text, const HwBranch *branch)
{
    for (int64_t i = 0; i < branch->compares.count; i++) {
        const HwCompare *compare = &branch->compares.items[i];
        buf_format(text, "{}bit {} {}", i ? ", " : ": ", i, compare_names[compare->kind]);
        if (compare->kind < COMPARE_TRUE)
            buf_format(text, " {}", value_text(text->arena, compare->type, compare->bits));
    }
}

// "time / 4 % 8": the digit of a number whose steps take `place`.
static void add_digit(StrBuf *text, int64_t place, int64_t size)
{
    if (place != 1)
        buf_format(text, " / {}", place);
    buf_format(text, " % {}", size);
}

static void add_branch(StrBuf *text, const HwBranch *branch)
{
    buf_format(text, " {}", branch_names[branch->kind]);
    add_compares(text, branch);
    for (int64_t i = 0; i < branch->toggles.count; i++) {
        const HwToggleDigit *digit = &branch->toggles.items[i];
        buf_format(text, "{}{}", i ? " + " : ": (", level_names[digit->level]);
        add_digit(text, digit->place, digit->size);
        if (digit->weight != 1)
            buf_format(text, " x {}", digit->weight);
    }
    buf_add(text, branch->toggles.count ? STR(") % 2 is the group") : STR(""));
    if (branch->nest)
        buf_format(text, ": ids {}", nest_text(text->arena, branch->nest));
}

// ---- reductions

static void add_lanes(StrBuf *text, const HwLaneReduce *lanes)
{
    Arena *arena = text->arena;
    if (lanes->lanes)
        say(text, "lanes in a tree of depth {}", lanes->tree_depth);
    say(text, "[");
    for (int64_t i = 0; i < lanes->loops.count; i++) {
        const HwReduceLoop *loop = &lanes->loops.items[i];
        buf_add(text, i ? STR(", ") : STR(""));
        if (loop->term.len)
            buf_format(text, "{} = ", term_text(arena, loop->term));
        buf_format(text, "{}", loop->size);
        if (loop->reduced)
            buf_add(text, STR(" reduced"));
        else
            buf_format(text, " : {}", loop->slot_stride);
    }
    buf_add_char(text, ']');
    say(text, "{} of 8 slots", lanes->slots);
    say(text, "{} -> {} packets", lanes->in_time, lanes->out_time);
}

static void add_slice_digits(StrBuf *text, const HwSliceReduce *reduce)
{
    say(text, "slice [");
    for (int64_t i = 0; i < reduce->slices.count; i++) {
        const HwSliceDigit *digit = &reduce->slices.items[i];
        buf_format(text, "{}{} : {}", i ? ", " : "", digit->size, digit->place);
        buf_add(text, digit->reduced ? STR(" reduced") : STR(""));
        if (digit->data != digit->size)
            buf_format(text, ", {} of them data", digit->data);
    }
    buf_add_char(text, ']');
}

static void add_slices(StrBuf *text, const HwSliceReduce *reduce)
{
    say(text, "{} slices to one result", reduce->group);
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
    say(text, "{} -> {} packets", reduce->in_time, reduce->out_time);
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
        buf_format(text, " {}", arg_modes[step->mode].name);
}

static void add_groups(StrBuf *text, const HwVectorStep *step)
{
    enum { FIRST = 1, SECOND = 2 };
    if (step->groups == FIRST || step->groups == SECOND)
        say(text, "group {} alone", step->groups == FIRST ? 0 : 1);
    if (step->condition != CONDITION_ALWAYS)
        say(text, "passes {}", condition_name(step->condition));
    if (step->int_width)
        say(text, "int_width {}", step->int_width);
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
    buf_format(&text, "{-*}{-*}", STAGE_WIDTH, vector_stages[step->stage].name, ALU_WIDTH,
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
        buf_format(&text, "; {}", scalar_name(step->type));
    else
        buf_format(&text, "; {} -> {}", scalar_name(step->type), scalar_name(step->out_type));
    say(&text, "way {}, {} packet{} of {}", step->way, step->time, plural(step->time),
        step->packet_elements);
    listing_hang(listing, "", STAGE_WIDTH + ALU_WIDTH + 2, buf_str(&text));
}

void listing_vector(const Listing *listing, const HwVector *vector)
{
    StrBuf text = {.arena = listing->out->arena};
    say(&text, "{} -> {} packets", vector->in_time, vector->out_time);
    if (vector->has_stash)
        say(&text, "stash of {}", scalar_name(vector->stash_type));
    listing_line(listing, "vector", buf_str(&text));
    if (vector->vcg)
        print_vcg(listing, vector->vcg);
    for (int64_t i = 0; i < vector->steps.count; i++)
        print_step(listing, &vector->steps.items[i]);
}

// ---- the way out

// The way out of the pipeline: cast, transpose, commit; and writes without a pass.

void listing_cast(const Listing *listing, const HwCast *cast)
{
    StrBuf text = {.arena = listing->out->arena};
    buf_format(&text, "{} -> {}: ", scalar_name(cast->from), scalar_name(cast->to));
    buf_format(&text, "{} packet{} of {} elements", cast->time, plural(cast->time), cast->elements);
    if (cast->valid != cast->elements)
        say(&text, "{} of them data", cast->valid);
    say(&text, "{} B", cast->bytes);
    if (cast->pad_bytes)
        buf_format(&text, " and {} B of padding", cast->pad_bytes);
    listing_line(listing, "cast", buf_str(&text));
}

void listing_transpose(const Listing *listing, const HwTranspose *transpose)
{
    StrBuf text = {.arena = listing->out->arena};
    say(&text, "in_rows {} x in_cols {} -> out_rows {}", transpose->in_rows, transpose->in_cols,
        transpose->out_rows);
    if (transpose->trimmed_rows)
        buf_format(&text, " ({} trimmed)", transpose->trimmed_rows);
    say(&text, "elements of {}", scalar_name(transpose->type));
    say(&text, transpose->double_buffering ? "double buffering" : "single buffering");
    if (transpose->packets_per_col > 1)
        say(&text, "{} packets of {} elements a row", transpose->packets_per_col,
            transpose->elements_per_packet);
    listing_line(listing, "transpose", buf_str(&text));
    listing_linef(listing, "",
                  "{} time{} {} flits in and {} out, rows padded to {} elements, {} cycles",
                  transpose->iterations, plural(transpose->iterations), transpose->in_flits,
                  transpose->out_flits, transpose->output_alignment, transpose_cycles(transpose));
}

void listing_commit(const Listing *listing, const HwPipeline *pass)
{
    Arena *arena = listing->out->arena;
    const HwCommit *commit = pass->commit;
    listing_line(listing, "commit", nest_text(arena, &commit->nest));
    StrBuf text = {.arena = arena};
    say(&text, "elements of {}", scalar_name(commit->type));
    say(&text, "commit_in_size {} B", commit->commit_in_size);
    say(&text, "commit_size {} B", commit->nest.access_bytes);
    say(&text, "{} write{} a packet", commit->writes_per_packet, plural(commit->writes_per_packet));
    listing_line(listing, "", buf_str(&text));
    text = (StrBuf){.arena = arena};
    say(&text, "{} packet{}", commit->time, plural(commit->time));
    if (commit->contiguous_bytes)
        say(&text, "{} B contiguous", commit->contiguous_bytes);
    if (commit->valid_count_packing)
        say(&text, "valid count packing");
    if (commit->bitmaps.count)
        buf_format(&text, "; {}",
                   slices_text(arena, pass->chips, commit->bitmaps.items, commit->bitmaps.count));
    listing_line(listing, "", buf_str(&text));
    for (int64_t i = 0; i < commit->masks.count && i < LISTING_MOST; i++) {
        const HwCommitMask *mask = &commit->masks.items[i];
        text = (StrBuf){.arena = arena};
        checks_add(&text, "mask: element", mask->checks.items, mask->checks.count);
        bitmaps_add(&text, pass->chips, mask->bitmaps.items, mask->bitmaps.count);
        listing_line(listing, "", buf_str(&text));
    }
    listing_more_masks(listing, commit->masks.count);
}

void listing_immediate(const Listing *listing, const HwImmediateWrite *write)
{
    Arena *arena = listing->out->arena;
    Str slices = slices_text(arena, 0, write->bitmaps.items, write->bitmaps.count);
    listing_linef(listing, "immediate", "0x{x} @ {} (ITOS, 32 bits){}{}", (uint64_t)write->value,
                  address_text(arena, write->address), slices.len ? "; " : "", slices);
}
