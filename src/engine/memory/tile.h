// Tiles: a part of a tensor that stays where it is. Manual: Mapping Expressions, Resize.
#ifndef CONTRA_ENGINE_MEMORY_TILE_H
#define CONTRA_ENGINE_MEMORY_TILE_H

#include "program/build.h"

// `view` and the one it was tiled from; its last tile is the new one.
void tile_verify(const Verify *verify, const View *from, const View *view);

// Whether `tile` is what `length` positions of `index` make of `whole`. For tiles, and for slices,
// which are tiles of one position.
bool tile_mapping_verify(const Verify *verify, const Dim *whole, const Dim *index, int64_t length,
                         const Dim *tile, Span span);

// What a tile of `length` positions of `index` leaves of `whole`, in the words of `whole`.
// Requires: mapping_tile finds it.
Str tile_written(Arena *arena, const Expr *whole, const Expr *index, int64_t length);

#endif
