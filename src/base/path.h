// Names of files, as texts: nothing is looked up.
#ifndef CONTRA_BASE_PATH_H
#define CONTRA_BASE_PATH_H

#include "base/str.h"

// What a file lies in: "." where the name has no folder.
Str path_folder(Str path);

// Without `.` and `..` where they change nothing, so that one file has one name.
Str path_normal(Arena *arena, Str path);

#endif
