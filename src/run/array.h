// Arrays in files.
#ifndef CONTRA_RUN_ARRAY_H
#define CONTRA_RUN_ARRAY_H

#include "contra.h"

#include "base/str.h"

// contra_array_read. `purpose` stands behind the name of a file that is refused: " for `x`".
bool array_file_read(Contra *contra, Str path, Str wanted, Str purpose, ContraArray *array);

// Whether there is such an array at all, whatever it is for; `what` is "the array for `x`". False:
// it lacks something, which was said.
bool array_is_described(Contra *contra, const ContraArray *array, const char *what); // not its data
bool array_is_whole(Contra *contra, const ContraArray *array, const char *what);

// Whether it is named like a file of arrays.
bool is_array_path(Str path);

// "has 99 as its element type, which is none: .."
Str element_unfit(Arena *arena, ContraElement type);

#endif
