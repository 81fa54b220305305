#include "base/near.h"

#include "base/checked.h"

#include <string.h>

enum { LONGEST = 64, FEW = 16 };

// Of each prefix of the other name to each prefix of the name.
typedef struct {
    int8_t to[LONGEST + 1][LONGEST + 1];
} Distances;

// The distances of the first `length` letters of the other name, from those of fewer. The least of
// them, below which no longer prefix comes.
static int64_t add_row(Distances *rows, Str name, Str other, int64_t length)
{
    int8_t *row = rows->to[length];
    const int8_t *one = row - (LONGEST + 1), *two = one - (LONGEST + 1); // letters before
    const char *letter = &other.data[length - 1];
    int64_t least = row[0] = (int8_t)length;
    for (int64_t j = 1; j <= name.len; j++) {
        bool differs = *letter != name.data[j - 1];
        int64_t best = min_i64(one[j - 1] + differs, min_i64(one[j], row[j - 1]) + 1);
        bool swapped = differs && length > 1 && j > 1 && *letter == name.data[j - 2] &&
                       letter[-1] == name.data[j - 1];
        if (swapped)
            best = min_i64(best, two[j - 2] + 1);
        row[j] = (int8_t)best;
        least = min_i64(least, best);
    }
    return least;
}

static int64_t shared_prefix(Str a, Str b, int64_t most)
{
    int64_t length = 0;
    most = min_i64(most, min_i64(a.len, b.len));
    while (length < most && a.data[length] == b.data[length])
        length++;
    return length;
}

// The first name from `start` on that does not begin with these letters.
static int64_t skip_prefix(const Str *sorted, int64_t start, int64_t count, Str prefix)
{
    int64_t step = 1, low = start;
    while (low + step < count && str_starts_with(sorted[low + step], prefix)) {
        low += step;
        step *= 2;
    }
    int64_t high = min_i64(low + step, count);
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (str_starts_with(sorted[middle], prefix))
            low = middle;
        else
            high = middle;
    }
    return high;
}

static void take(Near *near, Str other, int64_t distance, bool by_name)
{
    bool is_tie = near->best.data && distance == near->distance;
    near->is_shared = is_tie;
    if (is_tie && !(by_name && str_compare(other, near->best) < 0))
        return;
    near->best = other;
    near->distance = distance;
}

static int64_t limit_of(const Near *near, int64_t most)
{
    return near->best.data ? min_i64(near->distance, most) : most;
}

// One walk through the names, for those up to `most` slips away. Rows are kept as long as the next
// name begins with the same letters.
static void walk(Near *near, const Str *sorted, int64_t count, int64_t most, bool by_name)
{
    Distances rows;
    for (int64_t j = 0; j <= near->name.len; j++)
        rows.to[0][j] = (int8_t)j;
    int64_t known = 0;
    for (int64_t i = 0; i < count;) {
        Str other = sorted[i];
        int64_t limit = limit_of(near, most), least = 0;
        known = i ? shared_prefix(sorted[i - 1], other, known) : 0;
        while (known < min_i64(other.len, LONGEST) && least <= limit)
            least = add_row(&rows, near->name, other, ++known);
        if (least > limit) {
            i = skip_prefix(sorted, i, count, str_slice(other, 0, known));
            continue;
        }
        int64_t distance = rows.to[known][near->name.len];
        if (other.len <= LONGEST && distance >= near->least && distance <= limit)
            take(near, other, distance, by_name);
        i++;
    }
}

bool near_try(Near *near, Str other)
{
    int64_t longer = other.len - near->name.len, limit = limit_of(near, near->most);
    Str before = near->best;
    if (near->name.len <= LONGEST && longer <= limit && -longer <= limit)
        walk(near, &other, 1, near->most, false);
    return near->best.data != before.data;
}

void near_search(Near *near, const Str *sorted, int64_t count)
{
    if (near->name.len > LONGEST)
        return;
    // of many names few are passed over before the first is found: look for the nearest ones first
    int64_t most = count > FEW ? near->least : limit_of(near, near->most);
    for (; most <= limit_of(near, near->most); most++)
        walk(near, sorted, count, most, true);
}

bool near_help(const Near *near, Diag *diag, Span span)
{
    if (!near->best.data)
        return false;
    diag_help(diag, "did you mean `{}`?", near->best);
    diag_edit(diag, span, "{}", near->best);
    return true;
}
