// Compiling through contra.h: the same bytes each time, files, refusals, and memory that runs out.
#include "run/object.h"

#include "command/form.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char source[] =
    "use furiosa_visa_std::prelude::*;\n"
    "axes![S = 256, A = 2];\n"
    "#[device(chip = 1)]\n"
    "fn turn(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![S, A]>, n: u64)\n"
    "    -> HbmTensor<i32, m![1], m![S, A]> {\n"
    "    let dm = input.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, n);\n"
    "    dm.to_hbm(&mut ctx.tdma, 1 << 28)\n"
    "}\n";

static ContraInput number(const char *name, const char *value)
{
    return (ContraInput){
        .name = contra_text(name), .is_number = true, .number = contra_text(value)};
}

static Contra *open_kernel(void)
{
    Contra *contra = contra_new();
    ContraCheckOptions options = contra_check_options();
    ContraCheckResult result = contra_check_result();
    assert_int_equal(
        contra_check_text(contra, contra_text("turn.rs"), contra_text(source), &options, &result),
        CONTRA_OK);
    return contra;
}

static ContraObject *compiled(Contra *contra)
{
    ContraInput input = number("n", "0x40");
    ContraObject *object;
    assert_int_equal(contra_compile(contra, 0, &input, 1, &object), CONTRA_OK);
    return object;
}

static Str bytes_of(Contra *contra, const ContraObject *object)
{
    StrBuf buf = {.arena = &contra->arena};
    object_write(&buf, &object->object);
    return buf_str(&buf);
}

TEST(an_object_has_all_of_the_kernel)
{
    Contra *contra = open_kernel();
    const HwObject *object = &compiled(contra)->object;
    assert_true(str_equal(object->kernel, STR("turn")));
    assert_true(str_equal(object->machine, STR("rngd")));
    assert_int_equal(object->constants.count, 1);
    assert_true(str_equal(object->constants.items[0].value, STR("0x40")));
    assert_int_equal(object->arguments.count, 1);
    assert_true(object->arguments.items[0].is_placed);
    assert_int_equal(object->results.count, 1);
    assert_int_equal(object->results.items[0].address, 1 << 28);
    assert_int_equal(object->operations.count, 2);
    assert_int_equal(object->operations.items[1].line, 7);
    assert_true(str_starts_with(object->operations.items[0].text, STR("let dm = input.to_dm")));
    contra_free(contra);
}

TEST(the_same_kernel_gives_the_same_bytes)
{
    Contra *a = open_kernel(), *b = open_kernel();
    Str first = bytes_of(a, compiled(a));
    assert_true(str_equal(first, bytes_of(a, compiled(a))));
    assert_true(str_equal(first, bytes_of(b, compiled(b))));
    contra_free(a);
    contra_free(b);
}

// Addresses that are chosen are none of the program's.
TEST(a_program_that_was_compiled_is_printed_as_before)
{
    Contra *contra = open_kernel();
    ContraInput input = number("n", "0x40");
    ContraText text[2], picture[2];
    for (int i = 0; i < 2; i++) {
        assert_int_equal(contra_kernel_program(contra, 0, &input, 1, &text[i]), CONTRA_OK);
        assert_int_equal(contra_kernel_picture(contra, 0, &input, 1, &picture[i]), CONTRA_OK);
        compiled(contra);
    }
    assert_string_equal(text[0].data, text[1].data);
    assert_string_equal(picture[0].data, picture[1].data);
    contra_free(contra);
}

TEST(files_are_written_and_read)
{
    char path[] = "/tmp/contra-object-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    Contra *contra = open_kernel();
    ContraObject *object = compiled(contra), *again;
    ContraText json, other;
    ContraListingOptions options = contra_listing_options();
    options.json = true;
    assert_int_equal(contra_object_write(contra, object, contra_text(path)), CONTRA_OK);
    assert_int_equal(contra_object_read(contra, contra_text(path), &again), CONTRA_OK);
    assert_int_equal(contra_object_fits(contra, again), CONTRA_OK);
    assert_int_equal(contra_object_text(contra, object, &options, &json), CONTRA_OK);
    assert_int_equal(contra_object_text(contra, again, &options, &other), CONTRA_OK);
    assert_string_equal(json.data, other.data);
    assert_int_equal(contra_object_strip(contra, again), CONTRA_OK);
    assert_int_equal(again->object.operations.items[0].line, 0);
    assert_int_equal(contra_use_machine(contra, contra_text("rngd-s")), CONTRA_OK);
    assert_int_equal(contra_object_fits(contra, again), CONTRA_INVALID);
    assert_int_equal(contra_object_write(contra, object, contra_text("/nowhere/at/all")),
                     CONTRA_INVALID);
    assert_int_equal(contra_object_read(contra, contra_text("/nowhere/at/all"), &again),
                     CONTRA_INVALID);
    unlink(path);
    contra_free(contra);
}

TEST(what_does_not_fit_is_refused)
{
    static const struct {
        const char *name, *value, *words;
    } cases[] = {{"m", "1", "has no parameter `m`"},
                 {"n", "x", "is no value of `n`"},
                 {"input", "1", "its array comes when the kernel is run"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Contra *contra = open_kernel();
        ContraInput input = number(cases[i].name, cases[i].value);
        ContraObject *object;
        assert_int_equal(contra_compile(contra, 0, &input, 1, &object), CONTRA_INVALID);
        assert_null(object);
        const char *text = contra_diagnostics(contra, CONTRA_PLAIN).data;
        if (!strstr(text, cases[i].words))
            fail_msg("%s", text);
        contra_free(contra);
    }
    Contra *contra = open_kernel();
    ContraObject *object;
    assert_int_equal(contra_compile(contra, 0, NULL, 0, &object), CONTRA_INVALID);
    assert_non_null(strstr(contra_diagnostics(contra, CONTRA_PLAIN).data,
                           "compiled for the values of its numbers"));
    assert_int_equal(contra_compile(contra, 1, NULL, 0, &object), CONTRA_INVALID);
    contra_free(contra);
}

static ContraStatus session(Contra *contra)
{
    ContraInput input = number("n", "64");
    ContraObject *object;
    ContraText text;
    ContraListingOptions options = contra_listing_options();
    options.verbose = true;
    ContraStatus status = contra_compile(contra, 0, &input, 1, &object);
    status = status ? status : contra_object_text(contra, object, &options, &text);
    options.json = true;
    status = status ? status : contra_object_text(contra, object, &options, &text);
    status = status ? status : contra_object_schema(contra, &text);
    status = status ? status : contra_kernel_program(contra, 0, &input, 1, &text);
    status = status ? status : contra_kernel_picture(contra, 0, &input, 1, &text);
    return status ? status : contra_object_write(contra, object, contra_text("/dev/null"));
}

TEST(refusals_that_are_cleared_are_forgotten)
{
    Contra *contra = open_kernel();
    ContraInput input = number("n", "0x7fffffff");
    ContraObject *object;
    assert_int_equal(contra_compile(contra, 0, &input, 1, &object), CONTRA_INVALID);
    contra_clear_diagnostics(contra);
    compiled(contra);
    assert_int_equal(contra_compile(contra, 0, &input, 1, &object), CONTRA_INVALID);
    assert_true(contra_error_count(contra) > 0);
    contra_free(contra);
}

TEST(a_page_has_the_schedule_in_it)
{
    Contra *contra = contra_new();
    ContraText page, alone;
    assert_int_equal(contra_schedule_page(contra, contra_text("{\"name\": \"a</script>\"}"), &page),
                     CONTRA_OK);
    assert_non_null(strstr(page.data, "{\"name\": \"a\\u003c/script>\"}"));
    assert_null(strstr(page.data, "CONTRA_SCHEDULE*/"));
    assert_int_equal(strlen(page.data), page.length);
    assert_int_equal(contra_schedule_page(contra, (ContraText){NULL, 0}, &alone), CONTRA_OK);
    assert_int_equal(alone.length + (int64_t)strlen("{\"name\": \"a\\u003c/script>\"}"),
                     page.length);
    assert_int_equal(contra_schedule_page(contra, alone, NULL), CONTRA_INVALID);
    contra_free(contra);
}

TEST(memory_may_run_out)
{
    bool failed = true;
    for (int64_t n = 1; failed; n++) {
        Contra *contra = open_kernel();
        contra->arena.fail_in = n;
        ContraStatus status = session(contra);
        failed = contra->arena.fail_in == 0;
        assert_int_equal(status, failed ? CONTRA_NO_MEMORY : CONTRA_OK);
        contra_free(contra);
    }
}
