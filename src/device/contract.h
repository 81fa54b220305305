// What the Contraction Engine of the device works out of its records, for contract.c to execute.
//
// Steps of one place of the output are added in their order; nothing else has an order. So a place
// has a list of steps, and places that go through the same steps, only from another start, share a
// list. Steps without data are not in it. Packets that do not lie in the stream, or in a row of
// TRF, as they are multiplied are put together behind it: those of flits that are not neighbours or
// do not fill the width, of short reads that are repeated, and those with lanes that are no data.
#ifndef CONTRA_DEVICE_CONTRACT_H
#define CONTRA_DEVICE_CONTRACT_H

#include "device/data.h"
#include "device/internal.h"
#include "device/loops/contract.h"

#include "base/arena.h"

// A packet that is put together.
typedef struct {
    int64_t at;   // its first flit, or its first element of a row
    int64_t mask; // number of a mask; -1: all lanes are data
} ContractPacket;

typedef struct {
    ContractPacket *items;
    int64_t count;
} ContractPackets;

// Steps: cells from those of the first step on.
typedef struct {
    int64_t *x_at, *w_at;
    int64_t count;
} ContractList;

typedef struct {
    int64_t place;
    int64_t part; // of the stream
    int64_t list;
    int64_t x, w; // cells of the first step
} ContractPlace;

// Places one behind the other, and the elements of the stream that they read.
typedef struct {
    int64_t first, count;
    int64_t from, to;
} ContractPart;

typedef struct {
    Arena arena;
    ContractPlace *places; // that have steps; by part, list, then w
    int64_t place_count;
    ContractPart *parts;
    int64_t part_count;
    int64_t part_lanes; // the most of a part. 0: parts are not all that is read of the stream
    ContractList *lists;
    int64_t list_count;
    ContractPackets x_packets, w_packets; // those that are put together
    ContractPackets x_masked;             // those that lose their lanes without data in place
    uint8_t *masks;                       // of packet_elements bytes each: 1 is data
    int64_t mask_count;
    uint8_t *exists;    // by place and column: whether any step has it
    bool all_exist;     // all of them
    int64_t most_steps; // of a list
    int64_t step_count; // of all places
} ContractSchedule;

enum { CONTRACT_TABLE = 256 };

struct ContractPlan {
    const HwReduce *reduce;
    const HwStreamAdapt *adapt;
    const HwTrfRead *read;
    bool is_float;
    bool is_short;                    // of floats: both factors have at most 8 digits
    bool varies, varies_by_row;       // the data test, from unit to unit, from row to row
    int64_t lanes, lanes_per_cell;    // elements of a packet; in one cell
    int64_t flit_lanes, stream_lanes; // elements of a flit, of the stream
    int64_t packet_lanes;             // elements that are fetched at a time
    int64_t part;                     // cells of the stream that are a part of it
    int64_t read_elements;            // of one read of TRF
    int64_t first_element, row_lanes; // of a row: that any step may read
    uint32_t x_table[CONTRACT_TABLE], w_table[CONTRACT_TABLE]; // 8-bit floats as f32
    ContractSchedule schedule; // of units where all is data; of all, where it does not vary
};

// The number of the position of the first lane of a row.
int64_t contract_position(const ContractPlan *plan, int64_t unit, int64_t row);

// Which lanes of which steps are data is asked from position `first` on; `test` may be NULL: all.
// False: no memory. To be given back with contract_schedule_free in any case.
bool contract_schedule_new(const ContractPlan *plan, const HwCheckList *test, int64_t first,
                           ContractSchedule *schedule);
void contract_schedule_free(ContractSchedule *schedule);

// ---- one slice

enum { CONTRACT_MOST_LANES = 256, CONTRACT_MOST_ROWS = 256 };

// -0: changes nothing that it is added to.
#define CONTRACT_MINUS_ZERO UINT32_C(0x80000000)

// Bytes that will be read: they come nearer while others are multiplied.
typedef struct {
    const uint8_t *at, *end;
} ContractAhead;

typedef struct {
    const ClusterRun *run;
    const ContractPlan *plan;
    const ContractSchedule *schedule;
    const ContractLoops *loops;
    Scratch *scratch;
    int64_t slice;
    const Stream *stream; // without bits: it is fetched part by part
    uint32_t *x;          // cells of the stream, then of packets that are put together
    int64_t x_from;       // the first that are there
    uint32_t *w;          // of eight rows each: cells of eight, then those of packets
    uint32_t *w_rows;     // where places are side by side: the cells of one row after the other
    uint32_t *sums;       // by place, column and row, rows in eights
    uint8_t *dead;        // likewise: 1 has no value; NULL: all have one
    bool asks_exact, is_exact; // whether it pays to find out; products need not be rounded
    ContractRange w_range;     // if that is asked
    ContractAhead *ahead;      // what is fetched next
    int64_t packet_cells, column_cells;
    int64_t x_cells, row_cells, w_cells;   // of the stream; of a row without and with packets
    int64_t wide_rows;                     // rows in eights
    uint8_t takes_row[CONTRACT_MOST_ROWS]; // whether the schedule is that of a row
} Contraction;

#endif
