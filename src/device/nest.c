#include "device/nest.h"

static int64_t loop_offset(const HwLoop *loop, int64_t index)
{
    return loop->offsets.count ? loop->offsets.items[index] : index * loop->stride;
}

int64_t loops_offset(const HwLoop *loops, int64_t count, bool packet, int64_t number)
{
    int64_t offset = 0;
    for (int64_t i = count - 1; i >= 0; i--) {
        if (loops[i].packet != packet)
            continue;
        offset += loop_offset(&loops[i], number % loops[i].size);
        number /= loops[i].size;
    }
    return offset;
}

bool bits_have(const HwClusterBits *rows, int64_t count, int64_t chip, int64_t cluster,
               int64_t slice)
{
    enum { WORD = 64 };
    for (int64_t i = 0; i < count; i++) {
        const HwClusterBits *row = &rows[i];
        bool here =
            (row->chip < 0 || row->chip == chip) && (row->cluster < 0 || row->cluster == cluster);
        if (here && slice < row->slices.count * WORD &&
            row->slices.items[slice / WORD] >> slice % WORD & 1)
            return true;
    }
    return false;
}
