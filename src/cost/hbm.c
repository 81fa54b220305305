// A channel works on two things at once: it moves units over its bus, one after the other, and it
// opens rows, one after the other, in banks that the bus does not need meanwhile. Whichever of the
// two takes longer is its time. That is what the examples of the manual come to: where every
// request opens a row, a request takes a row switch; where rows are read whole, opening them is
// hidden.
//
// What waits in the queue of a channel is served row by row (FR-FCFS): of a queue full of requests,
// those to one row of a bank count as one opening. The first row of a bank is open when the command
// has started up; a bank that then switches rows pays for that one, too, as the manual counts.
#include "cost/internal.h"

#include "base/checked.h"
#include "machine/machine.h"

enum { MOST_QUEUE = 64, SIDES = 2 };

typedef struct {
    int64_t row;   // that is open; -1: none
    int64_t first; // that was open when the queue began to be served
    bool has_switched;
    int32_t last; // of the queue: the last request of this bank; -1: none
} Bank;

typedef struct {
    int32_t bank, before; // request of the same bank in front of it in the queue; -1: none
    int32_t group;        // of banks, in all slices
    bool is_write;
    int64_t row;
} Entry;

typedef struct {
    int64_t bus[SIDES], rows[SIDES]; // ticks: moving units, opening rows; reads and writes
    Entry queue[MOST_QUEUE];
    int64_t count;
} Channel;

struct HbmModel {
    const Machine *machine;
    const HbmDecode *decode;
    int64_t channels, banks; // banks of a channel
    int64_t queue, unit_ticks, switch_ticks;
    Channel *channel;
    Bank *bank;
    int64_t *in_group; // requests of the queue, by group
    HbmTimes times;
};

int64_t hbm_cycles(const Machine *machine, int64_t ticks)
{
    return (ticks + machine->hbm_clock_mhz / 2) / machine->hbm_clock_mhz;
}

// ---- addresses

// channel and bank of it, and the row above them
enum { CHANNEL_SHIFT = 12, ROW_SHIFT = 28, FIELD_MASK = 0xfff, CHANNEL_MASK = 0xffff };

static uint64_t decode(const Machine *machine, int64_t address)
{
    HbmAddress at = machine_hbm_address(machine, address);
    int64_t channel = at.stack << machine->hbm_channel_bits.count | at.channel;
    int64_t group = at.slice << machine->hbm_bank_group_bits.count | at.bank_group;
    int64_t bank = group << machine->hbm_bank_bits.count | at.bank;
    return (uint64_t)at.row << ROW_SHIFT | (uint64_t)channel << CHANNEL_SHIFT | (uint64_t)bank;
}

const HbmDecode *hbm_decode_new(Arena *arena, const Machine *machine)
{
    HbmDecode *result = arena_new(arena, HbmDecode, 1);
    for (int64_t byte = 0; byte < HBM_ADDRESS_BYTES; byte++)
        for (int64_t value = 0; value < HBM_BYTE_VALUES; value++)
            if (byte < HBM_ADDRESS_BYTES - 1 || value < HBM_BYTE_VALUES / 2)
                result->parts[byte][value] = decode(machine, value << byte * 8);
    return result;
}

static uint64_t look_up(const HbmDecode *decode, uint64_t address)
{
    uint64_t parts = 0;
    for (int64_t byte = 0; address; byte++, address >>= 8)
        parts ^= decode->parts[byte][address & 0xff];
    return parts;
}

HbmModel *hbm_new(Arena *arena, const Machine *machine, const HbmDecode *decode)
{
    HbmModel *model = arena_new(arena, HbmModel, 1);
    int64_t slices = INT64_C(1) << machine->hbm_slice_bits.count;
    int64_t groups = slices << machine->hbm_bank_group_bits.count;
    model->machine = machine;
    model->channels = machine->hbm_stacks * machine->hbm_channels_per_stack;
    model->decode = decode;
    model->banks = groups << machine->hbm_bank_bits.count;
    model->queue = min_i64(machine->hbm_command_queue_entries, MOST_QUEUE);
    model->unit_ticks = machine->hbm_unit_cycles * machine->clock_mhz;
    model->switch_ticks = machine->hbm_row_switch_cycles * machine->hbm_clock_mhz;
    model->channel = arena_new(arena, Channel, model->channels);
    model->bank = arena_new(arena, Bank, model->channels * model->banks);
    model->in_group = arena_new(arena, int64_t, groups);
    for (int64_t i = 0; i < model->channels * model->banks; i++)
        model->bank[i] = (Bank){.row = -1, .last = -1};
    return model;
}

// ---- a queue

static bool row_came_before(const Channel *channel, const Entry *entry)
{
    for (int32_t at = entry->before; at >= 0; at = channel->queue[at].before)
        if (channel->queue[at].row == entry->row)
            return true;
    return false;
}

static void open_row(HbmModel *model, Channel *channel, Bank *bank, const Entry *entry)
{
    if (bank->row >= 0) {
        int64_t openings = bank->has_switched ? 1 : 2;
        bank->has_switched = true;
        channel->rows[entry->is_write] += openings * model->switch_ticks;
        model->times.switches += openings;
    }
    bank->row = entry->row;
}

// Units of one bank group follow each other more slowly than those of several, which the queue
// lets alternate. Manual: Memory Performance, Column-to-Column Delay.
static void add_group_waits(HbmModel *model, Channel *channel)
{
    const Machine *machine = model->machine;
    int64_t most = 0;
    for (int64_t i = 0; i < channel->count; i++)
        most = max_i64(most, ++model->in_group[channel->queue[i].group]);
    for (int64_t i = 0; i < channel->count; i++)
        model->in_group[channel->queue[i].group] = 0;
    int64_t waits = max_i64(0, 2 * most - channel->count - 1);
    int64_t quick = machine->hbm_tccd_other_bank_group_cycles;
    int64_t slow = max_i64(machine->hbm_tccd_same_bank_group_cycles, quick);
    channel->bus[channel->queue[0].is_write] += waits * model->unit_ticks * (slow - quick) / quick;
    model->times.same_group += waits;
}

// Rows that are open already come first, then one after the other.
static void serve(HbmModel *model, int64_t number)
{
    Channel *channel = &model->channel[number];
    Bank *banks = &model->bank[number * model->banks];
    if (!channel->count)
        return;
    for (int64_t i = 0; i < channel->count; i++) {
        Entry *entry = &channel->queue[i];
        Bank *bank = &banks[entry->bank];
        if (bank->last < 0)
            bank->first = bank->row;
        entry->before = bank->last;
        bank->last = (int32_t)i;
    }
    for (int64_t i = 0; i < channel->count; i++) {
        const Entry *entry = &channel->queue[i];
        Bank *bank = &banks[entry->bank];
        if (bank->first != entry->row && !row_came_before(channel, entry))
            open_row(model, channel, bank, entry);
    }
    add_group_waits(model, channel);
    for (int64_t i = 0; i < channel->count; i++)
        banks[channel->queue[i].bank].last = -1;
    channel->count = 0;
}

// ---- requests

static void take_unit(HbmModel *model, int64_t address, bool is_write, int64_t ticks)
{
    uint64_t parts = look_up(model->decode, (uint64_t)address);
    int64_t number = (int64_t)(parts >> CHANNEL_SHIFT & CHANNEL_MASK) % model->channels;
    int64_t bank = (int64_t)(parts & FIELD_MASK) % model->banks;
    Channel *channel = &model->channel[number];
    channel->bus[is_write] += ticks;
    channel->queue[channel->count++] = (Entry){
        .bank = (int32_t)bank,
        .group = (int32_t)(bank >> model->machine->hbm_bank_bits.count),
        .is_write = is_write,
        .row = (int64_t)(parts >> ROW_SHIFT),
    };
    if (channel->count == model->queue)
        serve(model, number);
}

// A read across a unit costs hbm_unaligned_read_factor reads, over the units it touches.
static void take_read(HbmModel *model, int64_t first, int64_t last)
{
    const Machine *machine = model->machine;
    int64_t units = last - first + 1, ticks = model->unit_ticks;
    if (units > 1) {
        ticks = ticks * machine->hbm_unaligned_read_factor / units;
        model->times.unaligned++;
    }
    for (int64_t unit = first; unit <= last; unit++)
        take_unit(model, unit * machine->hbm_unit_bytes, false, ticks);
}

static void take_write(HbmModel *model, int64_t address, int64_t bytes)
{
    const Machine *machine = model->machine;
    int64_t size = machine->hbm_unit_bytes, end = address + bytes;
    for (int64_t at = address / size * size; at < end; at += size) {
        bool is_whole = at >= address && at + size <= end;
        model->times.partial += !is_whole;
        take_unit(model, at, true,
                  model->unit_ticks * (is_whole ? 1 : machine->hbm_partial_write_factor));
    }
}

void hbm_take(HbmModel *model, int64_t address, int64_t bytes, bool is_write)
{
    int64_t unit = model->machine->hbm_unit_bytes;
    address = max_i64(address, 0);
    model->times.requests++;
    if (is_write)
        take_write(model, address, bytes);
    else
        take_read(model, address / unit, (address + bytes - 1) / unit);
}

HbmTimes hbm_end(HbmModel *model)
{
    HbmTimes *times = &model->times;
    for (int64_t i = 0; i < model->channels; i++) {
        Channel *channel = &model->channel[i];
        serve(model, i);
        int64_t read = max_i64(channel->bus[0], channel->rows[0]);
        int64_t write = max_i64(channel->bus[1], channel->rows[1]);
        int64_t bus = channel->bus[0] + channel->bus[1];
        times->read = max_i64(times->read, read);
        times->write = max_i64(times->write, write);
        times->together =
            max_i64(times->together, max_i64(bus, channel->rows[0] + channel->rows[1]));
        times->channels += bus > 0;
    }
    return *times;
}
