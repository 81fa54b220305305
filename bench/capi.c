// Building programs through the library: what a call takes that adds an operation or a stage and
// asks every rule about it, in a long program whose addresses change.
#include "bench.h"

#include "contra.h"

enum { BLOCKS = 2000, CALLS = 11, ROUNDS = 5, PLACES = 64, BLOCK_BYTES = 0x80 };
static const double call_bar_us = 10;

// Microseconds.
typedef struct {
    double move, tile, stage, pass; // a call: medians; a pass from begin to commit
    double call;                    // of a block, the median
    double finish;                  // the rules about the whole, an operation
} Times;

typedef struct {
    ContraProgram *program;
    ContraTensor *in, *out;
    double moves[BLOCKS], tiles[BLOCKS], stages[BLOCKS], passes[BLOCKS], blocks[BLOCKS];
} Work;

// A load, a pass of eight calls, a view of the result, a store.
static bool add_block(Work *work, int i)
{
    ContraTensor *rows, *y, *view;
    ContraStream *stream;
    int64_t address = (int64_t)(i % PLACES) * BLOCK_BYTES;
    double start = bench_now_us();
    contra_to_dm(work->in, "tdma", "rows",
                 contra_dm(NULL, NULL, "1 # 2", "A / 16", "A % 16", address), &rows);
    double moved = bench_now_us();
    contra_begin(rows, "main", &stream);
    contra_fetch(stream, "i32", "A / 8 % 2", "A % 8", NULL);
    contra_collect(stream, "A / 8 % 2", "A % 8");
    contra_vector_init(stream);
    contra_vector_intra_slice_branch(stream, contra_branch("Unconditional"));
    double before = bench_now_us();
    contra_vector_fxp(stream, "MulInt", contra_operand_i32(3));
    double behind = bench_now_us();
    contra_vector_final(stream);
    contra_commit(stream, "y", contra_dm_result("A % 16", address + BLOCK_BYTES / 2), &y);
    double passed = bench_now_us();
    contra_tile(work->out, "N", 1, "1 # 64, A", i % PLACES, &view);
    work->moves[i] = moved - start;
    work->stages[i] = behind - before;
    work->passes[i] = passed - moved;
    work->tiles[i] = bench_now_us() - passed;
    bool ok = contra_to_hbm_view(y, "tdma", view) == CONTRA_OK;
    work->blocks[i] = bench_now_us() - start;
    return ok;
}

static bool build(Work *work, Contra *contra, Times *times)
{
    int64_t kernel;
    contra_program_new(contra, "bench", 1, NULL, &work->program);
    contra_axis(work->program, "A", 4096);
    contra_axis(work->program, "N", PLACES);
    contra_param(work->program, "in", contra_hbm("i32", "1", "A", 0), &work->in);
    contra_param(work->program, "out", contra_hbm("i32", "1", "N, A", 0x10000), &work->out);
    bool ok = true;
    for (int i = 0; ok && i < BLOCKS; i++)
        ok = add_block(work, i);
    double built = bench_now_us();
    ok = ok && contra_program_finish(work->program, &kernel) == CONTRA_OK;
    *times = (Times){.move = bench_median(work->moves, BLOCKS),
                     .tile = bench_median(work->tiles, BLOCKS),
                     .stage = bench_median(work->stages, BLOCKS),
                     .pass = bench_median(work->passes, BLOCKS),
                     .call = bench_median(work->blocks, BLOCKS) / CALLS,
                     .finish = (bench_now_us() - built) / BLOCKS / 3};
    return ok;
}

// The round that was least disturbed.
static bool measure(Times *best)
{
    static Work work;
    for (int round = 0; round < ROUNDS; round++) {
        Times times = {0};
        Contra *contra = contra_new();
        bool ok = contra && build(&work, contra, &times);
        contra_free(contra);
        if (!ok)
            return false;
        if (!round || times.call < best->call)
            *best = times;
    }
    return true;
}

static json_t *times_json(const Times *times, bool reached)
{
    return json_pack("{s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:b}", "move_us", times->move,
                     "tile_us", times->tile, "stage_us", times->stage, "pass_us", times->pass,
                     "call_us", times->call, "calls_per_second", 1e6 / times->call, "finish_us",
                     times->finish, "call_bar_us", call_bar_us, "reached", reached);
}

static void print_times(const Times *times, bool reached)
{
    printf("capi: a program of %d moves and passes, built and checked call by call\n", BLOCKS * 3);
    printf("%-17s %9.2f us  %9.0f calls a second, at most %.0f us: %s\n", "call", times->call,
           1e6 / times->call, call_bar_us, reached ? "reached" : "MISSED");
    printf("%-17s %9.2f us  HBM to DM, the median\n", "move", times->move);
    printf("%-17s %9.2f us  of a tensor in HBM\n", "tile", times->tile);
    printf("%-17s %9.2f us  of the Vector Engine\n", "stage", times->stage);
    printf("%-17s %9.2f us  from begin to commit, eight calls\n", "pass", times->pass);
    printf("%-17s %9.2f us  the rules about the whole, an operation\n", "finish", times->finish);
}

bool bench_capi(json_t *json)
{
    Times times = {0};
    if (!measure(&times)) {
        fprintf(stderr, "contra bench: a program could not be built\n");
        return false;
    }
    bool reached = times.call <= call_bar_us;
    json_t *long_programs = json ? json_array() : NULL;
    if (!json)
        print_times(&times, reached);
    bool ok = bench_long(long_programs);
    if (json) {
        json_t *all = times_json(&times, reached);
        json_object_set_new(all, "long", long_programs);
        json_object_set_new(json, "capi", all);
    }
    if (!ok)
        fprintf(stderr, "contra bench: a long program could not be built\n");
    return ok;
}
