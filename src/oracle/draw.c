// Random values of a whole array.
#include "base/checked.h"
#include "oracle/array.h"

// Of an axis that the mapping cuts short (`A = 4`) the language draws for every digit, too; what
// has no room is dropped. More digits than this nobody could have drawn.
static const int64_t most_draws = INT64_C(1) << 30;

static bool counts_all(const Array *array)
{
    int64_t draws = 1;
    for (int64_t i = 0; i < array->axes.count; i++)
        if (!checked_mul(draws, array->axes.items[i].modulo, &draws) || draws > most_draws)
            return false;
    return true;
}

// Axes `axis` and those inside it, for the elements from `at` on; without room the values are lost.
static bool draw(Array *array, SmallRng *rng, bool all, int64_t axis, int64_t at, bool room)
{
    if (axis == array->axes.count) {
        uint32_t bits;
        if (!scalar_random(rng, array->type, &bits))
            return false;
        if (room) {
            array->bits[at] = bits;
            array->live[at] = 1;
        }
        return true;
    }
    int64_t extent = array->extents[axis];
    int64_t digits = all ? array->axes.items[axis].modulo : extent;
    for (int64_t i = 0; i < digits; i++)
        if (!draw(array, rng, all, axis + 1, at + i * array->strides[axis], room && i < extent))
            return false;
    return true;
}

bool array_draw(Array *array, SmallRng *rng)
{
    return draw(array, rng, counts_all(array), 0, 0, true);
}
