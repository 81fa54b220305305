// Whole numbers of 128 bits.
#ifndef CONTRA_BASE_WIDE_H
#define CONTRA_BASE_WIDE_H

__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 Uint128;

#endif
