// Long programs through the library: four times the calls are four times the work, whatever there
// are many of. The reference of each is the same program a quarter as long.
#include "bench.h"

#include "contra.h"

enum { FEW = 5000, MANY = 4 * FEW, ROUNDS = 3 };
static const double growth_bar = 2; // of a call: 1 if each looks at its own, 4 if at all others

static void add_axes(ContraProgram *program, int count)
{
    char name[32];
    ContraTensor *tensor;
    for (int i = 0; i < count; i++) {
        snprintf(name, sizeof name, "B%d", i);
        contra_axis(program, name, 8);
        contra_from_addr(program, NULL, contra_hbm("i32", "1", name, (int64_t)i * 1024), &tensor);
    }
}

static void add_names_of_mappings(ContraProgram *program, int count)
{
    char name[32], mapping[64];
    for (int i = 0; i < count; i++) {
        snprintf(name, sizeof name, "L%d", i);
        snprintf(mapping, sizeof mapping, "A / %d", 1 << i % 8);
        contra_let(program, name, mapping);
    }
}

static void add_params(ContraProgram *program, int count)
{
    char name[32];
    ContraTensor *tensor;
    for (int i = 0; i < count; i++) {
        snprintf(name, sizeof name, "p%d", i);
        contra_param(program, name, contra_hbm("i32", "1", "A", (int64_t)i * 16384), &tensor);
    }
}

static void add_passes(ContraProgram *program, int count)
{
    enum { CALLS = 4 };
    ContraTensor *rows;
    ContraStream *stream;
    ContraLayout layout = contra_dm("i32", "1", "1 # 2", "A / 16", "A % 16", 0);
    contra_param(program, "x", layout, &rows);
    for (int i = 0; i < count / CALLS; i++) {
        contra_begin(rows, "main", &stream);
        contra_fetch(stream, "i32", "A / 8 % 2", "A % 8", NULL);
        contra_collect(stream, "A / 8 % 2", "A % 8");
        contra_commit(stream, NULL, contra_dm_result("A % 16", i % 2 ? 0x1000 : 0x2000), &rows);
    }
    contra_return(program, rows);
}

typedef void Add(ContraProgram *program, int count);

// A program, from the first call to a kernel and its text.
static bool build(Contra *contra, Add *add, int count)
{
    ContraProgram *program;
    ContraKernel about = contra_kernel_info();
    ContraText text;
    int64_t kernel;
    contra_program_new(contra, "long", 1, NULL, &program);
    contra_axis(program, "A", 4096);
    add(program, count);
    return contra_program_finish(program, &kernel) == CONTRA_OK &&
           contra_kernel(contra, kernel, &about) == CONTRA_OK &&
           contra_kernel_program(contra, kernel, NULL, 0, &text) == CONTRA_OK;
}

// Microseconds a call, of the round that was least disturbed; negative: it was refused.
static double measure(Add *add, int count)
{
    double best = -1;
    for (int round = 0; round < ROUNDS; round++) {
        double start = bench_now_us();
        Contra *contra = contra_new();
        bool ok = contra && build(contra, add, count);
        contra_free(contra);
        double call = (bench_now_us() - start) / count;
        if (!ok)
            return -1;
        if (!round || call < best)
            best = call;
    }
    return best;
}

static void tell(json_t *json, const char *what, double few, double many)
{
    double growth = many / few;
    const char *verdict = growth <= growth_bar ? "reached" : "MISSED";
    if (json)
        json_array_append_new(json,
                              json_pack("{s:s, s:f, s:f, s:f, s:f, s:b}", "what", what, "few_us",
                                        few, "many_us", many, "growth", growth, "growth_bar",
                                        growth_bar, "reached", growth <= growth_bar));
    else
        printf("%-17s %9.2f us  a call of %d, %.2fx of one of %d, at most %.1fx: %s\n", what, many,
               MANY, growth, FEW, growth_bar, verdict);
}

bool bench_long(json_t *json)
{
    static const struct {
        const char *what;
        Add *add;
    } cases[] = {{"many axes", add_axes},
                 {"many names", add_names_of_mappings},
                 {"many parameters", add_params},
                 {"many passes", add_passes}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double few = measure(cases[i].add, FEW), many = measure(cases[i].add, MANY);
        if (few < 0 || many < 0)
            return false;
        tell(json, cases[i].what, few, many);
    }
    return true;
}
