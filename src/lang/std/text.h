// What the functions of char, str and String share.
#ifndef CONTRA_LANG_STD_TEXT_H
#define CONTRA_LANG_STD_TEXT_H

#include "lang/std/std.h"

// std_char.c
enum { CASE_UPPER, CASE_LOWER };
uint32_t char_upper(uint32_t c);
uint32_t char_lower(uint32_t c);
bool char_is_space(uint32_t c);
int64_t char_digit(uint32_t c, int64_t radix); // -1: it is none

// std_string.c
// Where the value of a chain of references lies; NULL: it is none.
Value *text_place(Value value);

#endif
