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

typedef struct {
    Array *array;
    SmallRng *rng;
    bool all; // digits that have no room are drawn, too
    const Canceller *who;
    int64_t left; // draws until they are asked
} Drawing;

static int64_t digits_of(const Drawing *drawing, int64_t axis)
{
    const Array *array = drawing->array;
    return drawing->all ? array->axes.items[axis].modulo : array->extents[axis];
}

// Draws `count` elements, each `stride` on; those from `room` on are lost.
static bool draw_run(Drawing *drawing, int64_t at, int64_t stride, int64_t count, int64_t room)
{
    Array *array = drawing->array;
    for (int64_t i = 0; i < count; i++) {
        uint32_t bits;
        if (!scalar_random(drawing->rng, array->type, &bits))
            return false;
        if (i < room) {
            array->bits[at + i * stride] = bits;
            array->live[at + i * stride] = 1;
        }
    }
    return true;
}

// The digits of the innermost axis, in parts between which somebody may cancel.
static bool draw_row(Drawing *drawing, int64_t at, int64_t stride, int64_t count, int64_t room)
{
    enum { DRAWS_BETWEEN = 1 << 18 };
    for (int64_t i = 0, part; i < count; i += part) {
        if (!drawing->left) {
            if (canceller_asked(drawing->who))
                return false;
            drawing->left = DRAWS_BETWEEN;
        }
        part = min_i64(count - i, drawing->left);
        drawing->left -= part;
        if (!draw_run(drawing, at + i * stride, stride, part, room - i))
            return false;
    }
    return true;
}

// Axes `axis` and those inside it, for the elements from `at` on; without room the values are lost.
static bool draw(Drawing *drawing, int64_t axis, int64_t at, bool room)
{
    const Array *array = drawing->array;
    int64_t digits = digits_of(drawing, axis), extent = room ? array->extents[axis] : 0;
    int64_t stride = array->strides[axis];
    if (axis + 1 == array->axes.count)
        return draw_row(drawing, at, stride, digits, extent);
    for (int64_t i = 0; i < digits; i++)
        if (!draw(drawing, axis + 1, at + i * stride, i < extent))
            return false;
    return true;
}

bool array_draw(Array *array, SmallRng *rng, const Canceller *who)
{
    Drawing drawing = {.array = array, .rng = rng, .all = counts_all(array), .who = who};
    return array->axes.count ? draw(&drawing, 0, 0, true) : draw_row(&drawing, 0, 1, 1, 1);
}
