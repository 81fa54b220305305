// Every function that the library exports: with NULL for each of its pointers in turn, and with
// each of its allocations failing in turn. nm makes the list: a new function needs a row.
#include "every_function.h"

#include <unistd.h>

// ---- the functions

typedef enum { REFUSED, NOTHING, ANYTHING } Answer; // with NULL for the first pointer

typedef struct {
    const char *name;
    Answer answer;
    int pointers;
    bool builds;   // a program
    int64_t whole; // answer of what builds, with everything
    void (*open)(Session *s);
    int64_t (*call)(Session *s, int skip);
} Function;

#define P(number, pointer) (skip == (number) ? NULL : (pointer))
#define ROW(name, answer, pointers, ...)             \
    static int64_t call_##name(Session *s, int skip) \
    {                                                \
        Room r = room(s);                            \
        (void)skip;                                  \
        int64_t gave = (int64_t)(__VA_ARGS__);       \
        if (s->seen)                                 \
            *s->seen = r;                            \
        return gave;                                 \
    }
#define BUILD(name, pointers, before, ...)    \
    ROW(name, REFUSED, pointers, __VA_ARGS__) \
    static void open_##name(Session *s)       \
    {                                         \
        open_program(s);                      \
        assert_int_equal(before, CONTRA_OK);  \
    }
#define RULED_OUT(name, pointers, ...) BUILD(name, pointers, CONTRA_OK, __VA_ARGS__)
#include "every_function.def"
#undef RULED_OUT
#undef BUILD
#undef ROW

static const Function functions[] = {
#define ROW(name, answer, pointers, ...) \
    {#name, answer, pointers, false, CONTRA_OK, open_session, call_##name},
#define BUILD(name, pointers, before, ...) \
    {#name, REFUSED, pointers, true, CONTRA_OK, open_##name, call_##name},
#define RULED_OUT(name, pointers, ...) \
    {#name, REFUSED, pointers, true, CONTRA_INVALID, open_##name, call_##name},
#include "every_function.def"
#undef RULED_OUT
#undef BUILD
#undef ROW
};

static bool has_row(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(functions); i++)
        if (strcmp(functions[i].name, name) == 0)
            return true;
    return false;
}

// The library is beside the folder of the tests.
TEST(every_function_has_a_row)
{
    char self[512] = "", command[1024], name[256];
    assert_true(readlink("/proc/self/exe", self, sizeof self - 1) > 0);
    char *tests = strstr(self, "/tests/unit/");
    assert_non_null(tests);
    *tests = '\0';
    snprintf(command, sizeof command, "nm -D --defined-only '%s/libcontra.so'", self);
    FILE *listed = popen(command, "r");
    size_t count = 0;
    while (fscanf(listed, "%*s %*s %255s", name) == 1) {
        if (strncmp(name, "contra_", 7) != 0)
            continue;
        count++;
        if (!has_row(name))
            fail_msg("%s has no row in every_function.def", name);
    }
    assert_int_equal(pclose(listed), 0);
    assert_int_equal(count, COUNT_OF(functions));
}

TEST(no_pointer_is_needed)
{
    for (size_t i = 0; i < COUNT_OF(functions); i++) {
        const Function *function = &functions[i];
        Session s;
        function->open(&s);
        for (int skip = 0; skip < function->pointers; skip++) {
            int64_t answer = function->call(&s, skip);
            bool ok = skip != 0 || function->answer == ANYTHING ||
                      answer == (function->answer == REFUSED ? CONTRA_INVALID : 0);
            if (!ok)
                fail_msg("%s without its first pointer: %lld", function->name, (long long)answer);
        }
        close_session(&s);
        assert_int_equal(s.meter.live, 0);
    }
}

// ---- results of what is refused

// Marks that a call left in its results, which are those that another one wrote to.
static void look_at_results(const Function *function, const Room *seen, const bool *is_result,
                            bool says_found, int *left)
{
    for (size_t i = 0; i < COUNT_OF(results); i++) {
        bool is_marked = is_all(seen, i, MARK);
        if (is_result[i] && is_marked)
            left[i]++;
        else if (!is_marked && !is_nothing(seen, i) &&
                 !(says_found && results[i].kind == RESULT_FOUND))
            fail_msg("%s was refused, and gave something back (result %d)", function->name, (int)i);
    }
}

// Nothing is given back when something is refused: each result is emptied, but for the one whose
// pointer is NULL.
TEST(nothing_is_given_back_when_refused)
{
    for (size_t i = 0; i < COUNT_OF(functions); i++) {
        const Function *function = &functions[i];
        bool is_result[COUNT_OF(results)] = {0};
        int left[COUNT_OF(results)] = {0};
        Room seen;
        Session s;
        function->open(&s);
        s.seen = &seen;
        function->call(&s, -1);
        for (size_t k = 0; k < COUNT_OF(results); k++)
            is_result[k] = !is_all(&seen, k, MARK);
        for (int skip = 0; skip < function->pointers; skip++)
            if (function->answer == REFUSED && function->call(&s, skip) == CONTRA_INVALID)
                look_at_results(function, &seen, is_result, skip != 0, left);
        for (size_t k = 0; k < COUNT_OF(results); k++)
            if (left[k] > 1)
                fail_msg("%s was refused, and left a result as it was (%d)", function->name,
                         (int)k);
        close_session(&s);
    }
}

// ---- memory that runs out

// A function that says nothing about memory gives nothing, or a text that says it.
static bool is_honest(const Function *function, int64_t answer)
{
    return function->answer != REFUSED || answer == CONTRA_NO_MEMORY;
}

// Of these, no call can fail.
static bool is_safe(const Function *function)
{
    static const char *const safe[] = {"contra_program_abandon", "contra_program_lines",
                                       "contra_stream_takes"};
    for (size_t i = 0; i < COUNT_OF(safe); i++)
        if (strcmp(function->name, safe[i]) == 0)
            return true;
    return function->answer != REFUSED;
}

// Once memory ran out, the Contra can only be freed, and every function says so.
TEST(an_exhausted_contra_says_so)
{
    for (size_t i = 0; i < COUNT_OF(functions); i++) {
        const Function *function = &functions[i];
        const bool no_results[COUNT_OF(results)] = {0};
        int left[COUNT_OF(results)];
        Room seen;
        Session s;
        ContraText text;
        function->open(&s);
        s.meter.is_empty = true;
        while (contra_machine_table(s.contra, CONTRA_JSON, &text) == CONTRA_OK)
            ;
        s.seen = &seen;
        int64_t answer = function->call(&s, -1);
        if (!is_safe(function) && answer != CONTRA_NO_MEMORY)
            fail_msg("%s: %lld when memory ran out before", function->name, (long long)answer);
        if (!is_safe(function))
            look_at_results(function, &seen, no_results, false, left);
        assert_string_equal(contra_diagnostics(s.contra, CONTRA_PLAIN).data,
                            "error[E0003]: memory is exhausted\n");
        close_session(&s);
        assert_int_equal(s.meter.live, 0);
    }
}

TEST(every_allocation_may_fail)
{
    int64_t failures = 0;
    for (size_t i = 0; i < COUNT_OF(functions); i++) {
        for (bool failed = true; failed;) {
            static int64_t n = 1;
            Session s;
            functions[i].open(&s);
            int64_t before = s.meter.calls;
            s.meter.fail_at = before + n;
            int64_t answer = functions[i].call(&s, -1);
            failed = s.meter.calls >= s.meter.fail_at;
            if (failed && !is_honest(&functions[i], answer))
                fail_msg("%s: %lld when allocation %lld fails", functions[i].name,
                         (long long)answer, (long long)n);
            s.meter.fail_at = 0;
            close_session(&s);
            if (s.meter.live)
                fail_msg("%s loses %lld blocks when allocation %lld fails", functions[i].name,
                         (long long)s.meter.live, (long long)n);
            failures += failed;
            n = failed ? n + 1 : 1;
        }
    }
    print_message("%lld allocations\n", (long long)failures);
    assert_true(failures > 50);
}

static void assert_whole(const Function *function, Session *s, int64_t answer)
{
    if (answer != function->whole)
        fail_msg("%s: %s", function->name, contra_diagnostics(s->contra, CONTRA_PLAIN).data);
}

// A call takes little memory, and mostly from a block that is there: here each piece of it fails,
// of what is the program's own or of what is not.
static int64_t let_pieces_fail(const Function *function, bool is_own)
{
    int64_t failures = 0;
    bool failed = function->builds;
    for (int64_t n = 1; failed; n++) {
        Session s;
        function->open(&s);
        Arena *arena = is_own ? &s.program->own : &s.contra->arena;
        arena->fail_in = n;
        int64_t answer = function->call(&s, -1);
        failed = arena->fail_in == 0;
        arena->fail_in = 0;
        if (!failed)
            assert_whole(function, &s, answer);
        else if (answer != CONTRA_NO_MEMORY)
            fail_msg("%s: %lld when piece %lld fails", function->name, (long long)answer,
                     (long long)n);
        close_session(&s);
        assert_int_equal(s.meter.live, 0);
        failures += failed;
    }
    return failures;
}

TEST(every_piece_of_a_call_may_fail)
{
    int64_t failures = 0;
    for (size_t i = 0; i < COUNT_OF(functions); i++)
        failures += let_pieces_fail(&functions[i], false) + let_pieces_fail(&functions[i], true);
    print_message("%lld pieces\n", (long long)failures);
    assert_true(failures > 1000);
}
