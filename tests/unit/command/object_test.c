// Object files: what is written is read; anything else is refused in words.
#include "command/object.h"

#include "command/form.h"
#include "records.h"
#include "test.h"

#include <string.h>
#include <zlib.h>

enum { ROUNDS = 40, CHECKSUM_AT = 11 };

static Str random_file(Arena *arena, uint64_t *state, HwObject *object)
{
    StrBuf buf = {.arena = arena};
    record_random(arena, state, &record_of_Object, object);
    object_write(&buf, object);
    return buf_str(&buf);
}

// The code it is refused with; DIAG_CODE_COUNT: it is read.
static DiagCode refusal(Arena *arena, Str bytes, HwObject *object)
{
    DiagList diags = {.arena = arena};
    ObjectFacts facts;
    bool read = object_read(arena, STR("k.tcpo"), bytes, &diags, object, &facts);
    assert_int_equal(read, diags.count == 0);
    return read ? DIAG_CODE_COUNT : diags.items[0]->code;
}

TEST(what_is_written_is_read)
{
    uint64_t state = 7;
    for (int round = 0; round < ROUNDS; round++) {
        Arena arena = {0};
        HwObject object = {0}, again;
        Str bytes = random_file(&arena, &state, &object);
        assert_int_equal(refusal(&arena, bytes, &again), DIAG_CODE_COUNT);
        assert_true(record_equal(&record_of_Object, &object, &again));
        StrBuf buf = {.arena = &arena};
        object_write(&buf, &again);
        assert_true(str_equal(bytes, buf_str(&buf)));
        arena_release(&arena);
    }
}

TEST(every_length_is_refused)
{
    Arena arena = {0};
    uint64_t state = 8;
    HwObject object = {0}, again;
    Str bytes = random_file(&arena, &state, &object);
    assert_int_equal(refusal(&arena, str_slice(bytes, 0, 0), &again), DIAG_OBJECT_FOREIGN);
    for (int64_t length = 1; length < bytes.len; length++)
        assert_int_equal(refusal(&arena, str_slice(bytes, 0, length), &again),
                         DIAG_OBJECT_TRUNCATED);
    StrBuf longer = {.arena = &arena};
    buf_add(&longer, bytes);
    buf_add_char(&longer, 0);
    assert_int_equal(refusal(&arena, buf_str(&longer), &again), DIAG_OBJECT_CORRUPT);
    arena_release(&arena);
}

TEST(every_flipped_bit_is_refused)
{
    Arena arena = {0};
    uint64_t state = 9;
    HwObject object = {0}, again;
    Str bytes = random_file(&arena, &state, &object);
    char *changed = arena_copy(&arena, bytes.data, (size_t)bytes.len);
    for (int64_t bit = 0; bit < bytes.len * 8; bit++) {
        changed[bit / 8] ^= (char)(1 << bit % 8);
        ArenaMark mark = arena_mark(&arena);
        assert_int_not_equal(refusal(&arena, (Str){changed, bytes.len}, &again), DIAG_CODE_COUNT);
        arena_reset(&arena, mark);
        changed[bit / 8] ^= (char)(1 << bit % 8);
    }
    arena_release(&arena);
}

// Puts the checksum right again: magic of 9 bytes, format of 1, head of 1, CRC of 4, head, content.
static void mend_checksum(char *bytes, int64_t length, int64_t content)
{
    uint32_t crc = (uint32_t)crc32(0, (const Bytef *)bytes + 9, 1);
    crc = (uint32_t)crc32(crc, (const Bytef *)bytes + content, (uInt)(length - content));
    for (int i = 0; i < 4; i++)
        bytes[CHECKSUM_AT + i] = (char)(crc >> 8 * i & 0xff);
}

TEST(right_checksums_do_not_help)
{
    uint64_t state = 10;
    for (int round = 0; round < ROUNDS; round++) {
        Arena arena = {0};
        HwObject object = {0};
        Str bytes = random_file(&arena, &state, &object);
        StrBuf content = {.arena = &arena};
        record_encode(&content, &record_of_Object, &object);
        int64_t start = bytes.len - content.len;
        char *changed = arena_copy(&arena, bytes.data, (size_t)bytes.len);
        for (int flips = 0; flips < 50; flips++) {
            uint64_t bits = record_random_bits(&state);
            int64_t at = start + (int64_t)(bits % (uint64_t)content.len);
            changed[at] ^= (char)(1 << (bits >> 40) % 8);
            mend_checksum(changed, bytes.len, start);
            HwObject again;
            DiagCode code = refusal(&arena, (Str){changed, bytes.len}, &again);
            assert_true(code == DIAG_OBJECT_MALFORMED || code == DIAG_CODE_COUNT);
            StrBuf out = {.arena = &arena};
            if (code != DIAG_CODE_COUNT)
                continue;
            object_write(&out, &again);
            assert_true(str_equal(buf_str(&out), (Str){changed, bytes.len}));
        }
        arena_release(&arena);
    }
}

TEST(others_are_refused)
{
    Arena arena = {0};
    HwObject object = {.kernel = STR("k")}, again;
    StrBuf buf = {.arena = &arena};
    object_write(&buf, &object);
    assert_int_equal(buf.data[9], OBJECT_FORMAT);
    buf.data[9] = OBJECT_FORMAT + 1;
    assert_int_equal(refusal(&arena, buf_str(&buf), &again), DIAG_OBJECT_NEWER);
    buf.data[9] = 0;
    assert_int_equal(refusal(&arena, buf_str(&buf), &again), DIAG_OBJECT_NEWER);
    assert_int_equal(refusal(&arena,
                             STR("\x7f"
                                 "ELF"),
                             &again),
                     DIAG_OBJECT_FOREIGN);
    assert_int_equal(refusal(&arena, STR("fn main() {}"), &again), DIAG_OBJECT_FOREIGN);
    arena_release(&arena);
}

static bool fits(Arena *arena, const HwObject *object, const Machine *machine)
{
    DiagList diags = {.arena = arena};
    bool yes = object_fits_machine(arena, STR("k.tcpo"), object, machine, &diags);
    assert_int_equal(diags.error_count, !yes);
    return yes;
}

TEST(machines_are_told_apart_by_their_numbers)
{
    Arena arena = {0};
    HwObject object = {.machine = STR("rngd"),
                       .machine_hash = object_machine_hash(&arena, &machine_rngd)};
    Machine other = machine_rngd;
    assert_true(fits(&arena, &object, &machine_rngd));
    assert_false(fits(&arena, &object, &machine_rngd_s));
    other.name = "another";
    assert_true(fits(&arena, &object, &other));
    other.flit_bytes *= 2;
    assert_false(fits(&arena, &object, &other));
    arena_release(&arena);
}
