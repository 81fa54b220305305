// Functions of programs as they run: the programs of eval/, which say behind `//>` what they print,
// and panics with their messages.
#include "lang/host/run.h"

#include "base/checked.h"
#include "base/file.h"
#include "engine/engine.h"
#include "test.h"

#include <string.h>

typedef struct {
    Arena arena;
    SourceList sources;
    DiagList diags;
    Lang lang;
    Run run;
    StrBuf printed;
} World;

static void print(void *own, Str text, bool is_error)
{
    World *world = own;
    if (!is_error)
        buf_add(&world->printed, text);
}

// There is nothing but the text at hand.
static bool read_nothing(void *own, Arena *arena, Str path, Str *text)
{
    (void)own, (void)arena, (void)path, (void)text;
    return false;
}

static void world_open(World *world)
{
    memset(world, 0, sizeof *world);
    world->diags.arena = &world->arena;
    world->printed.arena = &world->arena;
    world->lang = (Lang){.arena = &world->arena,
                         .names = {.arena = &world->arena},
                         .sources = &world->sources,
                         .diags = &world->diags,
                         .files = {.read = read_nothing}};
    world->run = (Run){.builder = {.machine = machine_find(STR("rngd")), .rules = &engine_rules},
                       .print = print,
                       .own = world};
    lang_load_prelude(&world->lang);
}

// Runs `main` of a text. What is wrong with it stands behind what it printed.
static const char *run_text(World *world, Str text)
{
    lang_load_text(&world->lang, STR("main.rs"), text);
    for (int64_t i = 0; i < world->lang.functions.count; i++) {
        Decl *decl = world->lang.functions.items[i];
        if (strcmp(decl->name, "main") == 0)
            run_function(&world->lang, decl, &world->run);
    }
    for (int64_t i = 0; i < world->diags.count; i++)
        buf_format(&world->printed, "{}: {}\n", diag_infos[world->diags.items[i]->code].code,
                   world->diags.items[i]->message);
    if (world->run.panicked)
        buf_format(&world->printed, "panic: {}\n", world->run.message);
    return str_terminated(&world->arena, buf_str(&world->printed));
}

// What stands behind each `//> ` of a program, one a line.
static const char *expected(Arena *arena, Str text)
{
    StrBuf out = {.arena = arena};
    for (int64_t at = 0; at < text.len;) {
        int64_t end = at;
        while (end < text.len && text.data[end] != '\n')
            end++;
        Str line = str_slice(text, at, end);
        int64_t mark = str_find(line, STR("//>"));
        if (mark >= 0) {
            int64_t start = min_i64(line.len, mark + 4);
            buf_format(&out, "{}\n", str_slice(line, start, line.len));
        }
        at = end + 1;
    }
    return str_terminated(arena, buf_str(&out));
}

TEST(programs_print_what_they_say)
{
    static const char *const names[] = {"elements", "formats", "iterators", "lists",  "maps",
                                        "misc",     "numbers", "options",   "random", "texts"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        World world;
        Str text;
        world_open(&world);
        Str path = str_format(&world.arena, "tests/unit/lang/eval/{}.rs", names[i]);
        assert_true(file_read(&world.arena, path, &text));
        assert_string_equal(run_text(&world, text), expected(&world.arena, text));
        arena_release(&world.arena);
    }
}

TEST(panics_have_the_words_of_the_language)
{
    static const struct {
        const char *body, *message;
    } cases[] = {
        {"panic!(\"at {}\", 5);", "at 5"},
        {"panic!();", "explicit panic"},
        {"todo!();", "not yet implemented"},
        {"unreachable!(\"x{}\", 1);", "internal error: entered unreachable code: x1"},
        {"let v = vec![1, 2]; println!(\"{}\", v[2]);",
         "index out of bounds: the len is 2 but the index is 2"},
        {"let v = vec![1, 2]; println!(\"{:?}\", &v[1..3]);",
         "range end index 3 out of range for slice of length 2"},
        {"let n: Option<i32> = None; n.unwrap();", "called `Option::unwrap()` on a `None` value"},
        {"let n: Option<i32> = None; n.expect(\"a number\");", "a number"},
        {"Err::<i32, &str>(\"bad\").unwrap();",
         "called `Result::unwrap()` on an `Err` value: \"bad\""},
        {"Ok::<i32, i32>(4).unwrap_err();", "called `Result::unwrap_err()` on an `Ok` value: 4"},
        {"\"x\".parse::<i32>().expect(\"int\");", "int: ParseIntError { kind: InvalidDigit }"},
        {"let z = 0; println!(\"{}\", 1 / z);", "attempt to divide by zero"},
        {"let z = 0; println!(\"{}\", 1 % z);",
         "attempt to calculate the remainder with a divisor of zero"},
        {"assert!(1 > 2);", "assertion failed: 1 > 2"},
        {"assert!(1 > 2, \"not {}\", 3);", "not 3"},
        {"assert_eq!(1, 2);", "assertion `left == right` failed\n  left: 1\n right: 2"},
        {"assert_eq!(vec![1.0], [2.0], \"in {}\", 'x');",
         "assertion `left == right` failed: in x\n  left: [1.0]\n right: [2.0]"},
        {"assert_ne!(\"a\", \"a\");",
         "assertion `left != right` failed\n  left: \"a\"\n right: \"a\""},
        {"let c = std::collections::HashMap::<i32, i32>::new(); println!(\"{}\", c[&1]);",
         "no entry found for key"},
        {"Opt::<i32>::Uninit.unwrap();", "called `Opt::unwrap()` on an `Uninit` value"},
        {"std::process::exit(1);", "`process::exit` is not available to programs that run in here"},
        {"std::fs::write(\"a\", \"b\").unwrap();",
         "`fs::write` is not available to programs that run in here"},
        {"std::fs::read(\"/no/such\").unwrap();",
         "called `Result::unwrap()` on an `Err` value: Os { code: 2, message: \"No such file or "
         "directory\" }"},
        {"(u64::MAX as u128 + 1).checked_sub(1 << 65).unwrap();",
         "called `Option::unwrap()` on a `None` value"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        World world;
        world_open(&world);
        Str text = str_format(&world.arena, "use furiosa_visa_std::prelude::*;\nfn main() {{ {} }",
                              cases[i].body);
        const char *wanted =
            str_terminated(&world.arena, str_format(&world.arena, "panic: {}\n", cases[i].message));
        assert_string_equal(run_text(&world, text), wanted);
        arena_release(&world.arena);
    }
}
