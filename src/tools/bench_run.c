// How fast kernels and host programs run: whole calls from arrays to arrays, beside plain C for the
// same work, in turn. The fastest of several rounds counts.
#include "bench.h"

#include "contra.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    RUN_ROUNDS = 3,
    WIDTH = 4096,     // of the matrix that is transposed
    VECTOR = 1 << 22, // elements of the elementwise pass
    ROWS = 512,
    COLUMNS = 512,
    DEPTH = 2048 // of the products
};

// ---- what is run

static const char kernels_source[] =
    "use furiosa_visa_std::prelude::*;\n"
    "\n"
    "axes![A = 4096, B = 4096, V = 4194304, I = 512, J = 512, K = 2048];\n"
    "type Chip = m![1];\n"
    "type Cluster = m![1 # 2];\n"
    "type Slice = m![I / 32, J / 32];\n"
    "\n"
    "#[device(chip = 1)]\n"
    "fn transpose(ctx: &mut Context, x: &HbmTensor<i8, Chip, m![A, B]>) -> HbmTensor<i8, Chip, "
    "m![B, A]> {\n"
    "    x.to_hbm(&mut ctx.tdma, 1 << 28)\n"
    "}\n"
    "\n"
    "#[device(chip = 1)]\n"
    "fn elementwise(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![V]>) -> HbmTensor<i32, Chip, "
    "m![V]> {\n"
    "    let x = x.to_dm::<Cluster, m![V / 16384], m![V % 16384]>(&mut ctx.tdma, 0);\n"
    "    let y: DmTensor<i32, Chip, Cluster, m![V / 16384], m![V % 16384]> = ctx\n"
    "        .main\n"
    "        .begin(x.view())\n"
    "        .fetch::<i32, m![1], m![V % 16384]>()\n"
    "        .collect::<m![V % 16384 / 8], m![V % 8]>()\n"
    "        .vector_init()\n"
    "        .vector_intra_slice_branch(BranchMode::Unconditional)\n"
    "        .vector_fxp(FxpBinaryOp::MulInt, 3)\n"
    "        .vector_fxp(FxpBinaryOp::AddFxp, 7)\n"
    "        .vector_final()\n"
    "        .commit(0x20000);\n"
    "    y.to_hbm(&mut ctx.tdma, 1 << 28)\n"
    "}\n";

// %s: the name, the type, that of sums, elements of a flit, twice as many.
static const char product_source[] =
    "\n"
    "#[device(chip = 1)]\n"
    "fn %s(\n"
    "    ctx: &mut Context,\n"
    "    a: &HbmTensor<%s, Chip, m![I, K]>,\n"
    "    b: &HbmTensor<%s, Chip, m![J, K]>,\n"
    "    c: &mut HbmTensor<%s, Chip, m![I, J]>,\n"
    ") {\n"
    "    let a = a.to_dm::<Cluster, Slice, m![I %% 32, K]>(&mut ctx.tdma, 0);\n"
    "    for columns in 0..4 {\n"
    "        let b: DmTensor<%s, Chip, Cluster, Slice, m![J %% 8, K]> = b\n"
    "            .view()\n"
    "            .tile::<m![J / 8 %% 4], 1, m![J / 32, 1 # 4, J %% 8, K]>(columns)\n"
    "            .to_dm(&mut ctx.tdma, 0x40000);\n"
    "        let b: TrfTensor<%s, Chip, Cluster, Slice, m![J %% 8], m![K]> = ctx\n"
    "            .sub\n"
    "            .begin(b.view())\n"
    "            .fetch::<%s, m![J %% 8], m![K]>()\n"
    "            .collect::<m![J %% 8, K / %d], m![K %% %d]>()\n"
    "            .to_trf(TrfAddress::Full);\n"
    "        let sums: DmTensor<%s, Chip, Cluster, Slice, m![I %% 32, J %% 8]> = ctx\n"
    "            .main\n"
    "            .begin(a.view())\n"
    "            .fetch::<%s, m![I %% 32], m![K]>()\n"
    "            .collect::<m![I %% 32, K / %d], m![K %% %d]>()\n"
    "            .align::<m![I %% 32, K / %d], m![K %% %d], _, _>(&b)\n"
    "            .contract::<m![1]>()\n"
    "            .accumulate::<m![I %% 32], m![J %% 8]>(AccumulationKind::Interleaved)\n"
    "            .commit(0x50000);\n"
    "        sums.view().to_hbm_view(\n"
    "            &mut ctx.tdma,\n"
    "            c.view_mut().tile::<m![J / 8 %% 4], 1, m![I, J / 32, 1 # 4, J %% 8]>(columns),\n"
    "        );\n"
    "    }\n"
    "}\n";

static const char host_source[] =
    "fn main() {\n"
    "    let numbers: Vec<i64> = (0..1_000_000).map(|x| x % 7 - 3).collect();\n"
    "    let total: i64 = numbers.iter().map(|x| x * x).sum();\n"
    "    assert_eq!(total, 4_000_005);\n"
    "}\n";

static void write_product(FILE *file, const char *name, const char *type, const char *sum, int flit)
{
    int twice = 2 * flit;
    fprintf(file, product_source, name, type, type, sum, type, type, type, flit, flit, sum, type,
            flit, flit, twice, twice);
}

static bool write_kernels(FILE *file)
{
    fputs(kernels_source, file);
    write_product(file, "product_i8", "i8", "i32", 32);
    write_product(file, "product_bf16", "bf16", "f32", 16);
    return !ferror(file);
}

// ---- the same in plain C

static void copy_matrix(const void *from, const void *other, void *to)
{
    (void)other;
    memcpy(to, from, (size_t)WIDTH * WIDTH);
}

static void copy_vector(const void *from, const void *other, void *to)
{
    (void)other;
    memcpy(to, from, (size_t)VECTOR * sizeof(int32_t));
}

static void multiply_integers(const void *left, const void *right, void *out)
{
    const int8_t *a = left, *b = right;
    int32_t *c = out;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            int32_t sum = 0;
            for (int k = 0; k < DEPTH; k++)
                sum += a[i * DEPTH + k] * b[j * DEPTH + k];
            c[i * COLUMNS + j] = sum;
        }
}

static void multiply_floats(const void *left, const void *right, void *out)
{
    const float *a = left, *b = right;
    float *c = out;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            float sum = 0;
            for (int k = 0; k < DEPTH; k++)
                sum += a[i * DEPTH + k] * b[j * DEPTH + k];
            c[i * COLUMNS + j] = sum;
        }
}

// ---- measuring

typedef struct {
    const char *name, *what, *unit;
    double work;
    const char *kernel;    // NULL: a host program
    const char *inputs[2]; // of the kernel, both of this type and shape; NULL: there is one
    ContraElement type;
    int64_t shape[2];
    const char *reference;
    void (*plain)(const void *left, const void *right, void *out); // NULL: none
} Row;

static const Row rows[RUN_BENCHES] = {
    {.name = "relayout",
     .what = "4096 x 4096 i8 transposed",
     .unit = "elements",
     .work = (double)WIDTH * WIDTH,
     .kernel = "transpose",
     .inputs = {"x"},
     .type = CONTRA_I8,
     .shape = {WIDTH, WIDTH},
     .reference = "memcpy of the bytes",
     .plain = copy_matrix},
    {.name = "elementwise",
     .what = "4.2 million i32 through the Vector Engine",
     .unit = "elements",
     .work = VECTOR,
     .kernel = "elementwise",
     .inputs = {"x"},
     .type = CONTRA_I32,
     .shape = {1, VECTOR},
     .reference = "memcpy of the bytes",
     .plain = copy_vector},
    {.name = "product i8",
     .what = "512 x 512 x 2048",
     .unit = "MACs",
     .work = (double)ROWS * COLUMNS * DEPTH,
     .kernel = "product_i8",
     .inputs = {"a", "b"},
     .type = CONTRA_I8,
     .shape = {ROWS, DEPTH},
     .reference = "three loops of C",
     .plain = multiply_integers},
    {.name = "product bf16",
     .what = "512 x 512 x 2048",
     .unit = "MACs",
     .work = (double)ROWS * COLUMNS * DEPTH,
     .kernel = "product_bf16",
     .inputs = {"a", "b"},
     .type = CONTRA_BF16,
     .shape = {ROWS, DEPTH},
     .reference = "three loops of C in float",
     .plain = multiply_floats},
    {.name = "host program",
     .what = "closures over a range, collected and summed",
     .unit = "elements",
     .work = 1e6},
};

// Room for the largest operands, filled with some small numbers of any type.
typedef struct {
    void *left, *right, *out;
} Room;

enum { ROOM_BYTES = WIDTH * WIDTH };

static double time_plain(const Row *row, const Room *room)
{
    if (!row->plain)
        return -1;
    double start = bench_now_us();
    row->plain(room->left, room->right, room->out);
    return bench_now_us() - start;
}

// Microseconds of a whole call. Negative: it did not succeed.
static double time_kernel(const Row *row, const char *path, const Room *room)
{
    Contra *contra = contra_new();
    ContraText text = contra_text(path);
    ContraCheckOptions check = {0};
    ContraRunOptions options = {0};
    ContraInput inputs[2];
    const ContraOutput *outputs;
    int64_t index, input_count = row->inputs[1] ? 2 : 1, count;
    for (int64_t i = 0; i < input_count; i++)
        inputs[i] = (ContraInput){.name = contra_text(row->inputs[i]),
                                  .array = {row->type, 2, row->shape, room->left}};
    bool ok = contra && contra_load(contra, &text, 1, &check) == CONTRA_OK &&
              contra_kernel_find(contra, contra_text(row->kernel), &index) == CONTRA_OK;
    double start = bench_now_us();
    ok = ok && contra_run_kernel(contra, index, inputs, input_count, &options, &outputs, &count) ==
                   CONTRA_OK;
    double took = bench_now_us() - start;
    contra_free(contra);
    return ok ? took : -1;
}

static double time_host(const char *path)
{
    Contra *contra = contra_new();
    ContraCheckOptions check = {0};
    ContraRunOptions options = {0};
    ContraMainResult result;
    double start = bench_now_us();
    bool ok = contra &&
              contra_run_main(contra, contra_text(path), &check, &options, &result) == CONTRA_OK;
    double took = bench_now_us() - start;
    contra_free(contra);
    return ok ? took : -1;
}

static bool time_row(const Row *row, const char *kernels, const char *host, const Room *room,
                     RunBench *bench)
{
    *bench = (RunBench){.name = row->name,
                        .what = row->what,
                        .unit = row->unit,
                        .reference = row->reference,
                        .work = row->work};
    for (int round = 0; round < RUN_ROUNDS; round++) {
        double took = row->kernel ? time_kernel(row, kernels, room) : time_host(host);
        double plain = time_plain(row, room);
        if (took < 0)
            return false;
        if (!round || took < bench->us)
            bench->us = took;
        if (!round || plain < bench->reference_us)
            bench->reference_us = plain;
    }
    return true;
}

static bool time_rows(const char *kernels, const char *host, RunBench *benches)
{
    enum { SMALL_NUMBER = 0x3c };
    Room room = {malloc(ROOM_BYTES), malloc(ROOM_BYTES), malloc(ROOM_BYTES)};
    bool ok = room.left && room.right && room.out;
    if (ok) {
        memset(room.left, SMALL_NUMBER, ROOM_BYTES);
        memset(room.right, SMALL_NUMBER, ROOM_BYTES);
        memset(room.out, 0, ROOM_BYTES);
    }
    for (int i = 0; ok && i < RUN_BENCHES; i++)
        ok = time_row(&rows[i], kernels, host, &room, &benches[i]);
    free(room.left);
    free(room.right);
    free(room.out);
    return ok;
}

bool bench_run(RunBench *benches)
{
    char kernels[BENCH_PATH_BYTES], host[BENCH_PATH_BYTES];
    FILE *first = bench_create(kernels, ".rs"), *second = bench_create(host, ".rs");
    bool ok = first && second && write_kernels(first) && fputs(host_source, second) >= 0;
    ok = first && fclose(first) == 0 && ok;
    ok = second && fclose(second) == 0 && ok;
    ok = ok && time_rows(kernels, host, benches);
    if (first)
        unlink(kernels);
    if (second)
        unlink(host);
    return ok;
}
