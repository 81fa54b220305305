// Arrays in files.
#ifndef CONTRA_API_ARRAY_H
#define CONTRA_API_ARRAY_H

#include "contra.h"

#include "base/str.h"

// contra_array_read. `purpose` stands behind the name of a file that is refused: " for `x`".
bool array_file_read(Contra *contra, Str path, Str wanted, Str purpose, ContraArray *array);

// Whether it is named like a file of arrays.
bool is_array_path(Str path);

#endif
