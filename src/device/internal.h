// What the parts of the executor share.
#ifndef CONTRA_DEVICE_INTERNAL_H
#define CONTRA_DEVICE_INTERNAL_H

#include "device/device.h"
#include "device/memory.h"
#include "device/trf.h"

// ---- the machine

typedef struct {
    Memory dm, vrf;
    Trf trf;
} Slice;

typedef struct {
    Memory hbm;
    Slice *slices; // of all clusters, one cluster after the other
} Chip;

// Memory of the host for a tensor that comes with the call.
typedef struct {
    int64_t tensor;
    Memory memory;
} HostBuffer;

struct Device {
    const Machine *machine;
    int64_t chip_count;
    Chip *chips;
    HostBuffer *hosts;
    int64_t host_count, host_capacity;
    bool failed; // no memory for a tensor of the host
    DeviceWatch watch;
};

// NULL: there is none.
Slice *device_slice(const Device *device, int64_t chip, int64_t cluster, int64_t slice);
// Of the tensor; made if there is none yet. NULL: no memory.
Memory *device_host(Device *device, int64_t tensor);
bool device_is_cancelled(const Device *device);

// ---- streams

// What is known of an element of a stream.
enum {
    TAG_LIVE = 1,    // it has a value
    TAG_PADDING = 2, // the Valid Count Generator leaves it out
    TAG_ID = 4,      // it has an execution id, in the bits from TAG_ID_SHIFT on
    TAG_ID_SHIFT = 4,
    TAG_GROUP = 0x80, // bit 3 of the id
};

// The packets of one slice.
typedef struct {
    Scalar type;
    int64_t time, lanes;
    uint32_t *bits; // canonical values (scalar.h), packet after packet
    uint8_t *tags;
} Stream;

// All without a value. False: no memory.
bool stream_new(Stream *stream, Scalar type, int64_t time, int64_t lanes);
void stream_free(Stream *stream);
// Takes the place of `*stream`.
void stream_replace(Stream *stream, const Stream *by);

// ---- a pass

// One slice on the way through a pass.
typedef struct {
    Stream groups[2]; // the stream; of a pair both
    bool is_pair;
    Stream stash;
    bool has_stash;
    bool is_inside; // the intra-slice block, where elements have ids
} SliceRun;

// One cluster that executes a pass.
typedef struct {
    const Device *device;
    const HwPipeline *pass;
    int64_t chip, cluster;             // as the pass counts them
    int64_t first_chip, first_cluster; // of the hardware, of the first
    int64_t first_slice;
    SliceRun *slices;
} ClusterRun;

Slice *run_slice(const ClusterRun *run, int64_t slice); // NULL: the hardware has no such slice
// The position of a slice among all of the pass.
int64_t run_unit(const ClusterRun *run, int64_t slice);

// Each false: no memory.
bool pass_execute(Device *device, const HwPipeline *pass);
bool fetch_run(const ClusterRun *run, int64_t slice, Stream *out);
bool contraction_run(const ClusterRun *run, int64_t slice, Stream *stream);
bool cast_run(const HwCast *cast, Stream *stream);
bool transpose_run(const HwTranspose *transpose, Stream *stream);
void commit_run(const ClusterRun *run, int64_t slice, const Stream *stream);
void trf_store_run(const ClusterRun *run, int64_t slice, const Stream *stream);
void vrf_store_run(const ClusterRun *run, int64_t slice, const Stream *stream);

// Steps [from, to) of the Vector Engine; none of them is between slices.
bool vector_run(const ClusterRun *run, int64_t slice, int64_t from, int64_t to);
bool lane_reduce_run(const HwVectorStep *step, Stream *stream);
// A step between slices, of all slices.
bool slice_reduce_run(const ClusterRun *run, const HwVectorStep *step);

// ---- DMA

// False: an index has no value (its number is said), or no memory.
bool dma_execute(Device *device, const HwDmaCommand *command, const HwOperation *operation,
                 DiagList *diags);
void immediate_execute(Device *device, const HwImmediateWrite *write);

#endif
