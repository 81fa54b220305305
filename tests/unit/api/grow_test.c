// Long programs: four times the calls are about four times the work, whatever there are many of.
#include "build_support.h"

#include <sys/resource.h>

enum {
    FEW = 5000,
    TIMES_AS_MUCH = 6, // for four times the calls: 4 if each looks at its own, 16 if at all others
};

static const double seconds_of_noise = 0.2;

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
    ContraTensor *rows;
    ContraStream *stream;
    ContraLayout layout = contra_dm("i32", "1", "1 # 2", "A / 16", "A % 16", 0);
    contra_param(program, "x", layout, &rows);
    for (int i = 0; i < count / 4; i++) {
        contra_begin(rows, "main", &stream);
        contra_fetch(stream, "i32", "A / 8 % 2", "A % 8", NULL);
        contra_collect(stream, "A / 8 % 2", "A % 8");
        contra_commit(stream, NULL, contra_dm_result("A % 16", i % 2 ? 0x1000 : 0x2000), &rows);
    }
    contra_return(program, rows);
}

// Seconds of the processor so far, without those of the system: how long it takes to give memory
// depends on who else wants it.
static double now(void)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (double)used.ru_utime.tv_sec + (double)used.ru_utime.tv_usec / 1e6;
}

// For a program, from the first call to a kernel and its text.
static double work(void (*add)(ContraProgram *program, int count), int count)
{
    double start = now();
    Contra *contra = contra_new();
    ContraProgram *program;
    ContraKernel about = contra_kernel_info();
    ContraText text;
    int64_t kernel;
    contra_program_new(contra, "long", 1, NULL, &program);
    contra_axis(program, "A", 4096);
    add(program, count);
    assert_int_equal(contra_program_finish(program, &kernel), CONTRA_OK);
    assert_int_equal(contra_kernel(contra, kernel, &about), CONTRA_OK);
    assert_int_equal(contra_kernel_program(contra, kernel, NULL, 0, &text), CONTRA_OK);
    contra_free(contra);
    return now() - start;
}

static void a_long_program_takes_no_more_for_each_call(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        void (*add)(ContraProgram *program, int count);
    } cases[] = {{"axes", add_axes},
                 {"names of mappings", add_names_of_mappings},
                 {"parameters", add_params},
                 {"passes", add_passes}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        double few = work(cases[i].add, FEW), many = work(cases[i].add, 4 * FEW);
        if (many > TIMES_AS_MUCH * few + seconds_of_noise)
            fail_msg("%s: %g s, and %g s for four times as many", cases[i].what, few, many);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_long_program_takes_no_more_for_each_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
