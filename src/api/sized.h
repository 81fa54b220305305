// Structs that may grow, between a caller and a library of different versions. Inside the library
// they are whole: a public function takes options in and gives results out by way of these.
#ifndef CONTRA_API_SIZED_H
#define CONTRA_API_SIZED_H

#include "api/state.h"

typedef enum {
#define SIZED(type, last, function) SIZED_##type,
#include "api/sized.def"
#undef SIZED
    SIZED_COUNT
} SizedType;

// All of the options, what the caller does not know or give (NULL) as the default. False: they are
// refused, which was said.
bool sized_take(Contra *contra, SizedType type, const void *given, void *whole);

// The same before there is anybody to say it to.
bool sized_take_quietly(SizedType type, const void *given, void *whole);

// What stands in a result until there is one, as CONTRA_GIVES. NULL: nobody wants it.
void sized_empty(SizedType type, void *result);

// Whether a result can be given there. False: it is refused, which was said.
bool sized_fits(Contra *contra, SizedType type, const void *result);

// Gives as much of a result as the caller knows.
void sized_give(SizedType type, const void *whole, void *result);

// Opens a public function that fills a struct of the caller.
#define CONTRA_FILLS(contra, type, result)         \
    sized_empty(SIZED_##type, result);             \
    CONTRA_ENTER(contra);                          \
    if (!sized_fits(contra, SIZED_##type, result)) \
    return CONTRA_INVALID

#endif
