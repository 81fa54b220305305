// Whose bytes of HBM are whose, tensors coming and going.
#include "run/residence.h"

#include "scalar/scalar.h"
#include "test.h"

#include <string.h>

enum { PLACE_BYTES = 4096 };

static Op ops[4] = {{.method = "to_hbm"}, {.method = "to_hbm"}, {.method = "to_dm"}};
static Executor executor;

static void open_residence(Residence *residence)
{
    *residence = (Residence){.is_watched = true};
    Contra *contra = contra_new();
    assert_non_null(contra);
    residence_init(residence, contra, &executor);
}

static void close_residence(Residence *residence)
{
    residence_free(residence);
    contra_free(residence->contra);
}

static Resident *add(Residence *residence, const Tensor *tensor, int64_t address, int64_t chips)
{
    const HwArgument place = {.tier = TIER_HBM,
                              .address = address,
                              .bytes = PLACE_BYTES,
                              .element_bits = 8,
                              .chips = chips,
                              .clusters = 1,
                              .slices = 1,
                              .rows = 1,
                              .elements = PLACE_BYTES};
    return residence_add(residence, tensor, &place);
}

// Some bytes of a chip.
static StretchList bytes_on(const Residence *residence, Stretch *bytes, int64_t chip, int64_t low,
                            int64_t high)
{
    int64_t base = chip * residence->contra->machine.hbm_bytes_per_chip;
    *bytes = (Stretch){base + low, base + high};
    return (StretchList){.items = bytes, .count = 1};
}

static void writes(Residence *residence, int op, Resident *by, int64_t chip, int64_t low,
                   int64_t high)
{
    Stretch bytes;
    StretchList list = bytes_on(residence, &bytes, chip, low, high);
    owners_note_write(residence, &(Actor){&ops[op], NULL}, by, &list);
}

static bool may_read(Residence *residence, const Resident *of, int64_t chip, int64_t low,
                     int64_t high)
{
    Stretch bytes;
    StretchList list = bytes_on(residence, &bytes, chip, low, high);
    return owners_check_read(residence, &(Actor){&ops[2], NULL}, of->tensor, of, &list);
}

TEST(chips_have_bytes_of_their_own)
{
    static const Tensor first = {.name = "first"}, second = {.name = "second"};
    Residence residence;
    open_residence(&residence);
    Resident *a = add(&residence, &first, 0, 2), *b = add(&residence, &second, 0, 2);
    writes(&residence, 0, a, 0, 0, PLACE_BYTES);
    writes(&residence, 0, a, 1, 0, PLACE_BYTES);
    writes(&residence, 1, b, 1, 64, 128);
    assert_true(may_read(&residence, a, 0, 0, PLACE_BYTES));
    assert_true(may_read(&residence, a, 1, 0, 64));
    assert_true(may_read(&residence, a, 1, 128, PLACE_BYTES));
    assert_true(may_read(&residence, b, 1, 0, PLACE_BYTES)); // the rest was never its own
    assert_int_equal(residence.contra->diags.error_count, 0);
    assert_false(may_read(&residence, a, 1, 0, PLACE_BYTES));
    assert_int_equal(residence.contra->diags.error_count, 1);
    writes(&residence, 0, a, 1, 96, 128);
    assert_true(may_read(&residence, a, 1, 96, 128));
    assert_false(may_read(&residence, a, 1, 95, 128));
    close_residence(&residence);
}

TEST(what_only_a_kernel_knows_takes_bytes_too)
{
    static const Tensor first = {.name = "first"};
    Residence residence;
    open_residence(&residence);
    Resident *a = add(&residence, &first, 0, 1);
    writes(&residence, 0, a, 0, 0, PLACE_BYTES);
    writes(&residence, 1, NULL, 0, 0, 32);
    assert_false(may_read(&residence, a, 0, 0, 32));
    assert_true(may_read(&residence, a, 0, 32, PLACE_BYTES));
    close_residence(&residence);
}

// Some stretches in order, of which some lie close together and some do not.
static StretchList some_stretches(SmallRng *rng, Stretch *items, int64_t most)
{
    StretchList list = {.items = items};
    int64_t gaps = small_rng_next_u32(rng) % 2 ? 8 : 200;
    int64_t at = small_rng_next_u32(rng) % 64;
    while (list.count < most) {
        int64_t high = at + 1 + small_rng_next_u32(rng) % 8;
        if (high > PLACE_BYTES)
            break;
        items[list.count++] = (Stretch){at, high};
        at = high + 1 + small_rng_next_u32(rng) % gaps;
    }
    return list;
}

// Against an array of one owner a byte, and of who lost it.
TEST(stretches_are_those_of_the_bytes)
{
    enum { WRITERS = 4, ROUNDS = 400, MOST = 40 };
    static const Tensor tensors[WRITERS] = {{.name = "a"}, {.name = "b"}, {.name = "c"}};
    SmallRng rng = small_rng_seed_from_u64(5);
    Residence residence;
    Resident *residents[WRITERS];
    Stretch items[MOST];
    int owner[PLACE_BYTES];
    bool lost[WRITERS][PLACE_BYTES] = {{false}};
    open_residence(&residence);
    memset(owner, -1, sizeof owner);
    for (int i = 0; i < WRITERS; i++)
        residents[i] = add(&residence, &tensors[i], 0, 1);
    for (int round = 0; round < ROUNDS; round++) {
        StretchList list = some_stretches(&rng, items, MOST);
        int by = (int)(small_rng_next_u32(&rng) % (WRITERS + 1)) - 1;
        owners_note_write(&residence, &(Actor){&ops[0], NULL}, by < 0 ? NULL : residents[by],
                          &list);
        for (int64_t i = 0; i < list.count; i++)
            for (int64_t at = items[i].low; at < items[i].high; at++) {
                if (owner[at] >= 0)
                    lost[owner[at]][at] = true;
                if (by >= 0)
                    lost[by][at] = false;
                owner[at] = by;
            }
        int reader = (int)(small_rng_next_u32(&rng) % WRITERS);
        for (int64_t at = 0; at < PLACE_BYTES - 1; at += 1 + small_rng_next_u32(&rng) % 32) {
            assert_int_equal(may_read(&residence, residents[reader], 0, at, at + 1),
                             !lost[reader][at]);
            assert_int_equal(owners_have(&residence, residents[reader], at, at + 2),
                             owner[at] == reader && owner[at + 1] == reader);
        }
    }
    close_residence(&residence);
}

// Ten thousand launches, each of which writes over what others have, and leaves a tensor behind.
TEST(nothing_grows)
{
    enum { ROUNDS = 20000, MANY = 16 };
    static Tensor tensors[ROUNDS];
    Residence residence;
    open_residence(&residence);
    const uint8_t *end = NULL;
    for (int64_t i = 0; i < ROUNDS; i++) {
        int64_t address = i % 7 * 1024;
        Resident *made = add(&residence, &tensors[i], address, 1);
        for (int64_t k = 0; k < PLACE_BYTES; k += 128)
            writes(&residence, (int)(i % 2), made, 0, address + k, address + k + 64);
        writes(&residence, 3, NULL, 0, address + 512, address + 544);
        residence_note(&residence, address, address + PLACE_BYTES);
        if (i >= MANY)
            residence_forget(&residence, &tensors[i - MANY]);
        end = i == ROUNDS / 2 ? residence.contra->arena.next : end;
    }
    assert_ptr_equal(residence.contra->arena.next, end);
    assert_int_equal(residence.overwrites.count, 3);
    close_residence(&residence);
}
