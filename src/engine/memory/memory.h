// Tensors at rest: what their dimensions may be, what a memory holds, where it ends, which views
// and other names they have, and what writes over them. Manual: Memory and Stream; Hello, TCP!,
// Memory; Mapping Expressions, Resize; Scheduling.
#ifndef CONTRA_ENGINE_MEMORY_MEMORY_H
#define CONTRA_ENGINE_MEMORY_MEMORY_H

#include "program/build.h"

void tensor_verify(const Verify *verify, const Tensor *tensor);

// Cluster and Slice have as many positions as the hardware has units; Chip, by our own rules, as
// many as the kernel has chips. Of tensors and of streams; a problem is reported at its dimension,
// or at `span` where that has no place.
void sizes_verify(const Verify *verify, const Dim *const dims[LEVEL_COUNT], Span span);

// Checks that no dimension repeats part of an axis. A program may name such a tensor, but it cannot
// move data through it. `span`: of the use.
bool repeated_axis_verify(const Verify *verify, const Dim *const dims[LEVEL_COUNT], Span span);
// Checks that no two dimensions have the same part of an axis.
bool shared_axis_verify(const Verify *verify, const Dim *const dims[LEVEL_COUNT], Span span);

// ---- for messages

// "`matrix`", or "a DmTensor" where it has no name.
Str tensor_text(Arena *arena, const Tensor *tensor);
// As it was written; for a dimension that was derived, its factors.
Str dim_text(Arena *arena, const Dim *dim);
// The same, padded to `size` positions instead of the padding it has.
Str dim_padded_text(Arena *arena, const Dim *dim, int64_t size);
// Where a problem of a dimension is shown.
Span dim_span(const Dim *dim, Span otherwise);

// ---- memories

// Bytes of one place of a memory: of a chip, a slice, or a part of the TRF; INT64_MAX of the host.
int64_t tensor_capacity(const Machine *machine, const Tensor *tensor);
// What addresses in it are multiples of, for something that is written.
int64_t tensor_write_align(const Machine *machine, const Tensor *tensor);
// What addresses that are proposed for it are multiples of: every use of the tensor accepts them.
int64_t tensor_place_align(const Machine *machine, const Tensor *tensor);
// The nearest such addresses below and above its own (or its own) at which it ends inside its
// memory, the lower one first. Returns how many there are.
int64_t tensor_places(const Machine *machine, const Tensor *tensor, int64_t places[2]);

// ---- views

// `view` and the one it was tiled from; its last tile is the new one.
void tile_verify(const Verify *verify, const View *from, const View *view);

// Whether `tile` is what `length` positions of `index` make of `whole`. For tiles, and for slices,
// which are tiles of one position.
bool tile_mapping_verify(const Verify *verify, const Dim *whole, const Dim *index, int64_t length,
                         const Dim *tile, Span span);

// What a tile of `length` positions of `index` leaves of `whole`, in the words of `whole`.
// Requires: mapping_tile finds it.
Str tile_written(Arena *arena, const Expr *whole, const Expr *index, int64_t length);

// Another meaning for the bytes of a DM tensor.
void reshape_verify(const Verify *verify, const Tensor *from, const Tensor *to);

// ---- all operations of a program

// No operation writes over a tensor that is read later, or over what it is reading itself.
void memory_verify(const Verify *verify, const Program *program);

#endif
