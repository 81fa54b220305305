// Launches on memory of the caller. What the device works on itself, what is copied, and what is
// refused; that both give the bytes that contra_run_kernel gives is for every kernel in sim_test.c.
#include "contra.h"

#include "test.h"

#include <stdlib.h>
#include <string.h>

enum { S = 256, A = 8, B = 5, B_PADDED = 8, HALF = 4, FILLER = 0x5a5a5a5a };

typedef struct {
    Contra *contra;
    ContraLaunch *launch;
} Session;

static ContraRunOptions run_options(int64_t threads)
{
    ContraRunOptions options = contra_run_options();
    options.threads = threads;
    return options;
}

static ContraStatus open_launch_in(Session *session, Contra *contra, const char *kernel,
                                   const ContraRunOptions *options)
{
    ContraText path = contra_text("tests/positive/run/kernels.rs");
    int64_t index;
    *session = (Session){.contra = contra};
    assert_int_equal(contra_load(session->contra, &path, 1, NULL), CONTRA_OK);
    assert_int_equal(contra_kernel_find(session->contra, contra_text(kernel), &index), CONTRA_OK);
    return contra_launch_open(session->contra, index, NULL, 0, options, &session->launch);
}

static ContraStatus open_launch(Session *session, const char *kernel,
                                const ContraRunOptions *options)
{
    return open_launch_in(session, contra_new(), kernel, options);
}

static void close_launch(Session *session)
{
    contra_launch_close(session->launch);
    contra_free(session->contra);
}

static ContraBuffer buffer_of(ContraElement type, int64_t rank, const int64_t *shape)
{
    ContraBuffer buffer = contra_buffer();
    buffer.type = type;
    buffer.rank = rank;
    buffer.shape = shape;
    return buffer;
}

static ContraStatus bind_in(Session *session, int64_t param, ContraElement type, int64_t rank,
                            const int64_t *shape, const void *in)
{
    ContraBuffer buffer = buffer_of(type, rank, shape);
    buffer.in = in;
    return contra_launch_bind(session->launch, param, &buffer);
}

static ContraStatus bind_out(Session *session, int64_t param, ContraElement type, int64_t rank,
                             const int64_t *shape, void *out)
{
    ContraBuffer buffer = buffer_of(type, rank, shape);
    buffer.out = out;
    return contra_launch_bind(session->launch, param, &buffer);
}

static void assert_refused(Session *session, ContraStatus status, const char *code)
{
    assert_int_equal(status, CONTRA_INVALID);
    assert_non_null(strstr(contra_diagnostics(session->contra, CONTRA_PLAIN).data, code));
    contra_clear_diagnostics(session->contra);
}

// ---- direct

static const int64_t in_shape[] = {S, A}, out_shape[] = {A, S};

static void fill(int32_t *values, int64_t count, int32_t first)
{
    for (int64_t i = 0; i < count; i++)
        values[i] = first + (int32_t)i;
}

static void assert_split(const int32_t *in, const int32_t *out)
{
    for (int64_t s = 0; s < S; s++)
        for (int64_t a = 0; a < A; a++)
            assert_int_equal(out[a * S + s], in[s * A + a]);
}

// The output is there without being asked for; what is written to the input is seen; other buffers
// are as good.
TEST(rows_are_not_copied)
{
    ContraRunOptions ways[] = {run_options(1), run_options(2)};
    ways[1].sanitize = true;
    static int32_t in[2][S * A], out[2][A * S];
    for (size_t way = 0; way < 2; way++) {
        Session session;
        const ContraOutput *outputs;
        int64_t count;
        assert_int_equal(open_launch(&session, "layouts::split", &ways[way]), CONTRA_OK);
        for (int round = 0; round < 4; round++) {
            int32_t *from = in[round % 2], *to = out[round / 2];
            fill(from, S * A, round * 7);
            memset(to, 0x5a, sizeof out[0]);
            assert_int_equal(bind_in(&session, 0, CONTRA_I32, 2, in_shape, from), CONTRA_OK);
            assert_int_equal(bind_out(&session, 1, CONTRA_I32, 2, out_shape, to), CONTRA_OK);
            assert_true(contra_launch_is_direct(session.launch, 0));
            assert_true(contra_launch_is_direct(session.launch, 1));
            for (int again = 0; again < 2; again++) {
                fill(from, S * A, round + 1000 * again);
                assert_int_equal(contra_launch_run(session.launch), CONTRA_OK);
                assert_int_equal(contra_launch_copied_bytes(session.launch), 0);
                assert_split(from, to);
            }
            assert_int_equal(contra_launch_outputs(session.launch, &outputs, &count), CONTRA_OK);
            assert_int_equal(count, 1);
            assert_ptr_equal(outputs[0].array.data, to);
            assert_int_equal(outputs[0].uninitialised, 0);
        }
        assert_int_equal(contra_error_count(session.contra), 0);
        close_launch(&session);
    }
}

// Two parameters that read the same memory, and bit patterns as unsigned integers; float32 for a
// narrow type is converted.
TEST(types_are_direct_or_converted)
{
    ContraRunOptions options = run_options(1);
    Session session;
    static uint16_t half[S * A], half_out[S * A], brain_out[S * A];
    static uint8_t quarter[S * A], quarter_out[S * A];
    static float single[S * A], single_out[S * A];
    const int64_t flat = S * A;
    for (int64_t i = 0; i < flat; i++) {
        half[i] = (uint16_t)(0x3c00 + i);
        quarter[i] = (uint8_t)(i % 0x78);
        single[i] = (float)(i % 128);
    }
    assert_int_equal(open_launch(&session, "types::floats", &options), CONTRA_OK);
    assert_int_equal(bind_in(&session, 0, CONTRA_F16, 2, in_shape, half), CONTRA_OK);
    assert_int_equal(bind_in(&session, 1, CONTRA_F32, 1, &flat, single), CONTRA_OK);
    assert_int_equal(bind_in(&session, 2, CONTRA_U8, 2, in_shape, quarter), CONTRA_OK);
    assert_int_equal(bind_in(&session, 3, CONTRA_F32, 1, &flat, single), CONTRA_OK);
    assert_int_equal(bind_out(&session, 4, CONTRA_U16, 1, &flat, half_out), CONTRA_OK);
    assert_int_equal(bind_out(&session, 5, CONTRA_BF16, 1, &flat, brain_out), CONTRA_OK);
    assert_int_equal(bind_out(&session, 6, CONTRA_F8E4M3, 1, &flat, quarter_out), CONTRA_OK);
    assert_int_equal(bind_out(&session, 7, CONTRA_F32, 1, &flat, single_out), CONTRA_OK);
    for (int64_t i = 0; i < 8; i++)
        assert_int_equal(contra_launch_is_direct(session.launch, i), i != 1);
    assert_int_equal(contra_launch_run(session.launch), CONTRA_OK);
    assert_int_equal(contra_launch_copied_bytes(session.launch), sizeof single);
    assert_memory_equal(half_out, half, sizeof half);
    assert_memory_equal(quarter_out, quarter, sizeof quarter);
    assert_memory_equal(single_out, single, sizeof single);
    for (int64_t i = 0; i < flat; i++) {
        uint32_t bits;
        memcpy(&bits, &single[i], sizeof bits);
        assert_int_equal(brain_out[i], bits >> 16); // 7 bits of these are enough
    }
    close_launch(&session);
}

// ---- copied

// Padding is left out of the array, or 0 in it; a launch with the one is followed by one with the
// other.
TEST(padding_is_converted)
{
    ContraRunOptions options = run_options(1);
    Session session;
    static int32_t in[S * B], in_padded[S * B_PADDED], out[S * B], out_padded[S * B_PADDED];
    const int64_t shape[] = {S, B}, padded[] = {S, B_PADDED};
    fill(in, S * B, 3);
    fill(in_padded, S * B_PADDED, 5);
    assert_int_equal(open_launch(&session, "layouts::padded", &options), CONTRA_OK);
    assert_int_equal(bind_in(&session, 0, CONTRA_I32, 2, shape, in), CONTRA_OK);
    assert_int_equal(bind_out(&session, 1, CONTRA_I32, 2, padded, out_padded), CONTRA_OK);
    memset(out_padded, 0x5a, sizeof out_padded);
    assert_int_equal(contra_launch_run(session.launch), CONTRA_OK);
    assert_false(contra_launch_is_direct(session.launch, 0));
    assert_false(contra_launch_is_direct(session.launch, 1));
    assert_int_equal(contra_launch_copied_bytes(session.launch), sizeof in + sizeof out_padded);
    for (int64_t i = 0; i < S * B_PADDED; i++)
        assert_int_equal(out_padded[i], i % B_PADDED < B ? in[i / B_PADDED * B + i % B_PADDED] : 0);
    assert_int_equal(bind_in(&session, 0, CONTRA_I32, 2, padded, in_padded), CONTRA_OK);
    assert_int_equal(bind_out(&session, 1, CONTRA_I32, 2, shape, out), CONTRA_OK);
    assert_int_equal(contra_launch_run(session.launch), CONTRA_OK);
    for (int64_t i = 0; i < S * B; i++)
        assert_int_equal(out[i], in_padded[i / B * B_PADDED + i % B]);
    close_launch(&session);
}

// What is given back is the parameter itself: two buffers cannot be the same bytes of HBM.
TEST(shared_places_are_copied)
{
    ContraRunOptions options = run_options(1);
    Session session;
    static int32_t in[S], out[S];
    const int64_t shape = S;
    fill(in, S, 11);
    assert_int_equal(open_launch(&session, "again::padded", &options), CONTRA_OK);
    assert_int_equal(bind_in(&session, 0, CONTRA_I32, 1, &shape, in), CONTRA_OK);
    assert_int_equal(bind_out(&session, 1, CONTRA_I32, 1, &shape, out), CONTRA_OK);
    assert_false(contra_launch_is_direct(session.launch, 0));
    assert_int_equal(contra_launch_run(session.launch), CONTRA_OK);
    assert_memory_equal(in, out, sizeof in);
    close_launch(&session);
}

// ---- what is written

static const int64_t half_shape[] = {S, HALF};

static void assert_first_half(const int32_t *in, const int32_t *out, int32_t rest)
{
    for (int64_t i = 0; i < S * A; i++)
        assert_int_equal(out[i], i % A < HALF ? in[i / A * HALF + i % A] : rest);
}

// A `&mut` parameter in place, from other memory, from nothing, and without anybody who wants it;
// on the device and by the oracle.
TEST(places_are_written_in_part)
{
    static const ContraBackend backends[] = {CONTRA_BACKEND_DEVICE, CONTRA_BACKEND_ORACLE};
    static int32_t in[S * HALF], out[S * A], before[S * A];
    for (size_t b = 0; b < 2; b++) {
        ContraRunOptions options = run_options(1);
        options.backend = backends[b];
        bool is_device = backends[b] == CONTRA_BACKEND_DEVICE;
        Session session;
        const ContraOutput *outputs;
        int64_t count;
        fill(in, S * HALF, 1);
        assert_int_equal(open_launch(&session, "places::first_half", &options), CONTRA_OK);
        assert_int_equal(bind_in(&session, 0, CONTRA_I32, 2, half_shape, in), CONTRA_OK);

        ContraBuffer place = buffer_of(CONTRA_I32, 2, in_shape);
        for (int64_t i = 0; i < S * A; i++)
            out[i] = before[i] = FILLER;
        place.in = place.out = out;
        assert_int_equal(contra_launch_bind(session.launch, 1, &place), CONTRA_OK);
        assert_int_equal(contra_launch_run(session.launch), CONTRA_OK);
        assert_first_half(in, out, FILLER);
        assert_int_equal(contra_launch_is_direct(session.launch, 1), is_device);
        if (is_device)
            assert_int_equal(contra_launch_copied_bytes(session.launch), 0);

        memset(out, 0, sizeof out);
        place.in = before;
        assert_int_equal(contra_launch_bind(session.launch, 1, &place), CONTRA_OK);
        assert_int_equal(contra_launch_run(session.launch), CONTRA_OK);
        assert_first_half(in, out, FILLER);
        if (is_device)
            assert_int_equal(contra_launch_copied_bytes(session.launch), sizeof out);

        place.in = NULL;
        assert_int_equal(contra_launch_bind(session.launch, 1, &place), CONTRA_OK);
        assert_int_equal(contra_launch_run(session.launch), CONTRA_OK);
        assert_first_half(in, out, 0);
        assert_int_equal(contra_launch_outputs(session.launch, &outputs, &count), CONTRA_OK);
        assert_int_equal(outputs[0].uninitialised, S * (A - HALF));
        assert_int_equal(outputs[0].initialised[HALF - 1], 1);
        assert_int_equal(outputs[0].initialised[HALF], 0);
        assert_ptr_equal(outputs[0].array.data, out);

        place.in = before, place.out = NULL;
        assert_int_equal(contra_launch_bind(session.launch, 1, &place), CONTRA_OK);
        assert_false(contra_launch_is_direct(session.launch, 1));
        assert_int_equal(contra_launch_run(session.launch), CONTRA_OK);
        for (int64_t i = 0; i < S * A; i++)
            assert_int_equal(before[i], FILLER);
        assert_int_equal(contra_launch_outputs(session.launch, &outputs, &count), CONTRA_OK);
        assert_first_half(in, outputs[0].array.data, FILLER);
        close_launch(&session);
    }
}

// What lies in HBM of a launch stays, for the oracle, too.
TEST(values_stay_without_a_buffer)
{
    static const ContraBackend backends[] = {CONTRA_BACKEND_DEVICE, CONTRA_BACKEND_ORACLE};
    static int32_t in[S * HALF], first[S * A];
    for (size_t b = 0; b < 2; b++) {
        ContraRunOptions options = run_options(1);
        options.backend = backends[b];
        Session session;
        const ContraOutput *outputs;
        int64_t count, index;
        fill(first, S * A, 100);
        fill(in, S * HALF, 1);
        ContraInput given[] = {
            {.name = contra_text("input"), .array = {CONTRA_I32, 2, half_shape, in}},
            {.name = contra_text("output"), .array = {CONTRA_I32, 2, in_shape, first}}};
        assert_int_equal(open_launch(&session, "places::first_half", &options), CONTRA_OK);
        contra_launch_close(session.launch);
        contra_kernel_find(session.contra, contra_text("places::first_half"), &index);
        assert_int_equal(
            contra_launch_open(session.contra, index, given, 2, &options, &session.launch),
            CONTRA_OK);
        memset(in, 0, sizeof in); // it was taken
        for (int i = 0; i < 2; i++) {
            assert_int_equal(contra_launch_run(session.launch), CONTRA_OK);
            assert_int_equal(contra_launch_outputs(session.launch, &outputs, &count), CONTRA_OK);
            assert_int_equal(count, 1);
            const int32_t *out = outputs[0].array.data;
            assert_int_equal(out[0], 1);
            assert_int_equal(out[HALF], 100 + HALF);
        }
        close_launch(&session);
    }
}

// ---- what is refused

TEST(buffers_that_do_not_fit_are_refused)
{
    ContraRunOptions options = run_options(1);
    Session session;
    static int32_t in[S * A + 1], out[A * S];
    static const int64_t wrong[] = {A, S + 1};
    assert_int_equal(open_launch(&session, "layouts::split", &options), CONTRA_OK);
    ContraBuffer good = buffer_of(CONTRA_I32, 2, in_shape), bad;
    good.in = in;
    bad = good, bad.size = 8;
    assert_refused(&session, contra_launch_bind(session.launch, 0, &bad), "E0007");
    bad = good, bad.in = (const uint8_t *)in + 1;
    assert_refused(&session, contra_launch_bind(session.launch, 0, &bad), "E0981");
    bad = good, bad.bytes = (int64_t)sizeof(int32_t) * S * A - 1;
    assert_refused(&session, contra_launch_bind(session.launch, 0, &bad), "E0981");
    bad = good, bad.out = out;
    assert_refused(&session, contra_launch_bind(session.launch, 0, &bad), "E0981");
    bad = good, bad.in = NULL;
    assert_refused(&session, contra_launch_bind(session.launch, 0, &bad), "E0981");
    bad = good, bad.type = (ContraElement)99;
    assert_refused(&session, contra_launch_bind(session.launch, 0, &bad), "E0981");
    bad = good, bad.type = CONTRA_F32;
    assert_refused(&session, contra_launch_bind(session.launch, 0, &bad), "E0963");
    bad = good, bad.shape = wrong;
    assert_refused(&session, contra_launch_bind(session.launch, 0, &bad), "E0962");
    bad = good, bad.shape = NULL;
    assert_refused(&session, contra_launch_bind(session.launch, 0, &bad), "E0008");
    assert_refused(&session, contra_launch_bind(session.launch, 2, &good),
                   "`layouts::split` has no parameter 2: it has 2, counted from 0 on");
    assert_refused(&session, contra_launch_bind(session.launch, 2, &good), "`result`: ");
    assert_refused(&session, contra_launch_bind(session.launch, -1, &good), "E0969");
    bad = good, bad.type = (ContraElement)99;
    assert_refused(&session, contra_launch_bind(session.launch, 0, &bad),
                   "has 99 as its element type, which is none: they are CONTRA_BOOL (0) to "
                   "CONTRA_F8E5M2 (14)");
    assert_refused(&session, contra_launch_bind(session.launch, 1, &good), "E0981");
    assert_refused(&session, bind_out(&session, 1, CONTRA_I64, 2, out_shape, out), "E0963");
    assert_refused(&session, contra_launch_run(session.launch), "E0968");
    good.bytes = (int64_t)sizeof in;
    assert_int_equal(contra_launch_bind(session.launch, 0, &good), CONTRA_OK);
    assert_int_equal(contra_launch_run(session.launch), CONTRA_OK);
    assert_int_equal(contra_launch_bind(session.launch, 0, NULL), CONTRA_OK);
    assert_refused(&session, contra_launch_run(session.launch), "E0968");
    assert_int_equal(contra_launch_bind(NULL, 0, &good), CONTRA_INVALID);
    assert_int_equal(contra_launch_run(NULL), CONTRA_INVALID);
    assert_false(contra_launch_is_direct(NULL, 0));
    assert_false(contra_launch_is_direct(session.launch, 9));
    assert_int_equal(contra_launch_copied_bytes(NULL), 0);
    close_launch(&session);
}

// Buffers may change places between two runs; only while one runs they must be apart.
TEST(memory_that_is_written_is_apart)
{
    ContraRunOptions options = run_options(1);
    Session session;
    static int32_t memory[2][S * A];
    assert_int_equal(open_launch(&session, "layouts::split", &options), CONTRA_OK);
    fill(memory[0], S * A, 1);
    assert_int_equal(bind_in(&session, 0, CONTRA_I32, 2, in_shape, memory[0]), CONTRA_OK);
    assert_int_equal(bind_out(&session, 1, CONTRA_I32, 2, out_shape, memory[0]), CONTRA_OK);
    assert_refused(&session, contra_launch_run(session.launch), "E0982");
    assert_int_equal(bind_out(&session, 1, CONTRA_I32, 2, out_shape, &memory[0][S * A - 1]),
                     CONTRA_OK);
    assert_refused(&session, contra_launch_run(session.launch), "E0982");
    assert_int_equal(bind_out(&session, 1, CONTRA_I32, 2, out_shape, memory[1]), CONTRA_OK);
    assert_int_equal(contra_launch_run(session.launch), CONTRA_OK);
    assert_split(memory[0], memory[1]);
    assert_int_equal(bind_in(&session, 0, CONTRA_I32, 2, in_shape, memory[1]), CONTRA_OK);
    assert_int_equal(bind_out(&session, 1, CONTRA_I32, 2, out_shape, memory[0]), CONTRA_OK);
    assert_int_equal(contra_launch_run(session.launch), CONTRA_OK);
    assert_split(memory[1], memory[0]);
    close_launch(&session);
}

// A value that does not fit its type is found when it is copied; the launch is as good as before.
TEST(values_are_checked_in_each_run)
{
    ContraRunOptions options = run_options(1);
    Session session;
    static int64_t in[S * A];
    static int32_t out[A * S];
    assert_int_equal(open_launch(&session, "layouts::split", &options), CONTRA_OK);
    assert_int_equal(bind_in(&session, 0, CONTRA_I64, 2, in_shape, in), CONTRA_OK);
    assert_int_equal(bind_out(&session, 1, CONTRA_I32, 2, out_shape, out), CONTRA_OK);
    in[S * A - 1] = INT64_MAX;
    assert_refused(&session, contra_launch_run(session.launch), "E0964");
    in[S * A - 1] = -2;
    assert_int_equal(contra_launch_run(session.launch), CONTRA_OK);
    assert_int_equal(out[A * S - 1], -2);
    close_launch(&session);
}

// Nothing of the memory is touched once it is not bound any more, or the launch is closed.
TEST(memory_is_free_between_runs)
{
    ContraRunOptions options = run_options(1);
    Session session;
    assert_int_equal(open_launch(&session, "layouts::split", &options), CONTRA_OK);
    for (int i = 0; i < 3; i++) {
        int32_t *in = malloc(sizeof *in * S * A), *out = malloc(sizeof *out * A * S);
        assert_non_null(in);
        assert_non_null(out);
        fill(in, S * A, i);
        assert_int_equal(bind_in(&session, 0, CONTRA_I32, 2, in_shape, in), CONTRA_OK);
        assert_int_equal(bind_out(&session, 1, CONTRA_I32, 2, out_shape, out), CONTRA_OK);
        assert_int_equal(contra_launch_run(session.launch), CONTRA_OK);
        assert_split(in, out);
        free(in);
        free(out);
    }
    assert_int_equal(contra_launch_bind(session.launch, 1, NULL), CONTRA_OK);
    close_launch(&session);
}

// ---- memory that runs out

typedef struct {
    int64_t live;
    bool is_empty; // there is no more
} Store;

static void *allocate(void *own, size_t bytes)
{
    Store *store = own;
    void *block = store->is_empty ? NULL : malloc(bytes);
    store->live += block != NULL;
    return block;
}

static void *resize(void *own, void *block, size_t bytes)
{
    return ((Store *)own)->is_empty ? NULL : realloc(block, bytes);
}

static void release(void *own, void *block)
{
    ((Store *)own)->live--;
    free(block);
}

static Contra *stored(Store *store)
{
    ContraNewOptions options = contra_new_options();
    options.allocate = allocate;
    options.resize = resize;
    options.release = release;
    options.own = store;
    options.threads = 1;
    return contra_new_with(&options);
}

// The device has to note that it works on memory of the caller.
TEST(a_direct_buffer_may_find_no_memory)
{
    Store store = {0};
    Session session;
    ContraRunOptions options = run_options(1);
    static int32_t in[S * A], out[A * S];
    assert_int_equal(open_launch_in(&session, stored(&store), "layouts::split", &options),
                     CONTRA_OK);
    store.is_empty = true;
    assert_int_equal(bind_in(&session, 0, CONTRA_I32, 2, in_shape, in), CONTRA_NO_MEMORY);
    assert_false(contra_launch_is_direct(session.launch, 0));
    assert_int_equal(bind_out(&session, 1, CONTRA_I32, 2, out_shape, out), CONTRA_NO_MEMORY);
    close_launch(&session);
    assert_int_equal(store.live, 0);
}

// A shape of many dimensions is kept; once there is room for it, none is needed to bind it again.
TEST(a_shape_may_find_no_memory)
{
    enum { RANK = 1 << 20 };
    Store store = {0};
    Session session;
    ContraRunOptions options = run_options(1);
    static int64_t shape[RANK + 1];
    static int32_t in[S * A];
    for (int64_t i = 0; i <= RANK; i++)
        shape[i] = 1;
    shape[0] = S, shape[1] = A;
    assert_int_equal(open_launch_in(&session, stored(&store), "layouts::split", &options),
                     CONTRA_OK);
    assert_int_equal(bind_in(&session, 0, CONTRA_I32, 2, in_shape, in), CONTRA_OK);
    assert_int_equal(bind_in(&session, 0, CONTRA_I32, RANK, shape, in), CONTRA_OK);
    store.is_empty = true;
    assert_int_equal(bind_in(&session, 0, CONTRA_I32, RANK, shape, in), CONTRA_OK);
    assert_int_equal(bind_in(&session, 0, CONTRA_I32, RANK + 1, shape, in), CONTRA_NO_MEMORY);
    close_launch(&session);
    assert_int_equal(store.live, 0);
}
