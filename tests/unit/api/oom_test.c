// Memory that runs out: every allocation of a whole session is made to fail in turn. Whichever it
// is, the public function says CONTRA_NO_MEMORY and the Contra can still be freed; that nothing is
// lost on the way is what the sanitizer build looks at.
#include "api/state.h"

#include "base/checked.h"
#include "test.h"

#include <string.h>

typedef ContraStatus Step(Contra *contra);

static ContraMapping *mappings[3]; // what earlier steps of a session made

static ContraStatus parse(Contra *contra, const char *text, int64_t into)
{
    return contra_mapping_parse(contra, contra_text("X"), contra_text(text), &mappings[into]);
}

static ContraStatus use_names(Contra *contra)
{
    ContraStatus status = contra_declare_axes(contra, contra_text("A=63,B=4,C=6,C'=C-B"));
    return status ? status : contra_define(contra, contra_text("L=[A, B] # 256"));
}

static ContraStatus use_parser(Contra *contra)
{
    ContraStatus status = parse(contra, "{ L } / 8, { L } % 8", 0);
    status = status ? status : parse(contra, "[A, B] # 256", 1);
    return status ? status : parse(contra, "$(B:1, C:2), [# 2 + A] @ 1 @ [3, 2, 1]", 2);
}

// Refused on purpose; only running out counts.
static ContraStatus use_refusals(Contra *contra)
{
    static const char *const texts[] = {"A, A / 7", "A / 5", "Q", "(A", "A @ 99", "7"};
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        ContraMapping *mapping;
        ContraStatus status =
            contra_mapping_parse(contra, contra_text("X"), contra_text(texts[i]), &mapping);
        assert_null(mapping);
        if (status == CONTRA_NO_MEMORY)
            return status;
        assert_int_equal(status, CONTRA_INVALID);
    }
    return CONTRA_OK;
}

static ContraStatus use_equality(Contra *contra)
{
    bool equal;
    int64_t difference;
    ContraStatus status =
        contra_mapping_equal(contra, mappings[0], mappings[1], &equal, &difference);
    if (status)
        return status;
    assert_true(equal);
    status = contra_mapping_equal(contra, mappings[1], mappings[2], &equal, &difference);
    return status ? status : contra_mapping_is_prefix(contra, mappings[0], mappings[1], &equal);
}

static ContraStatus use_operations(Contra *contra)
{
    ContraMapping *outer, *inner, *tile;
    const ContraTerm *terms;
    int64_t count;
    ContraCell cell;
    ContraStatus status = contra_mapping_split(contra, mappings[1], 16, &outer, &inner);
    status =
        status ? status : contra_mapping_tile(contra, mappings[1], mappings[1], 4, 0, &tile, NULL);
    if (status == CONTRA_INVALID)
        status = CONTRA_OK; // whether there is such a tile is not the question
    status = status ? status : contra_mapping_canonical_axes(contra, mappings[1], &terms, &count);
    return status ? status : contra_mapping_cell(contra, mappings[2], 40, &cell);
}

static ContraStatus use_division(Contra *contra)
{
    ContraDivision division = contra_division();
    return contra_mapping_divide(contra, mappings[0], mappings[1], CONTRA_DIVIDE_STRICT, 1,
                                 &division);
}

static ContraStatus use_sequencer(Contra *contra)
{
    ContraMapping *buffer, *time, *packet;
    ContraSequence sequence = contra_sequence_info();
    ContraStatus status =
        contra_mapping_parse(contra, contra_text("b"), contra_text("C, B # 8"), &buffer);
    status =
        status ? status
               : contra_mapping_parse(contra, contra_text("t"), contra_text("C % 3, C / 3"), &time);
    status = status ? status
                    : contra_mapping_parse(contra, contra_text("p"), contra_text("B # 8"), &packet);
    if (status)
        return status;
    ContraSequenceRequest request = contra_sequence_request();
    request.buffer = buffer;
    request.time = time;
    request.packet = packet;
    status = contra_sequence(contra, &request, &sequence);
    if (status)
        return status;
    request.type = contra_text("unheard-of");
    status = contra_sequence(contra, &request, &sequence);
    return status == CONTRA_INVALID ? CONTRA_OK : status;
}

static ContraStatus use_pictures(Contra *contra)
{
    ContraText picture;
    ContraStatus status =
        contra_mapping_picture(contra, mappings[0], CONTRA_PICTURE_TEXT, 64, &picture);
    return status ? status
                  : contra_mapping_picture(contra, mappings[2], CONTRA_PICTURE_SVG, 16, &picture);
}

static ContraStatus use_machine(Contra *contra)
{
    ContraText text;
    ContraStatus status = contra_use_machine(contra, contra_text("rngd-s"));
    status = status ? status : contra_machine_table(contra, CONTRA_TABLE, &text);
    status = status ? status : contra_machine_table(contra, CONTRA_JSON, &text);
    status = status ? status : contra_explain(contra, contra_text("E0101"), &text);
    if (status)
        return status;
    status = contra_use_machine(contra, contra_text("unheard-of"));
    return status == CONTRA_INVALID ? CONTRA_OK : status;
}

// Rendering has no status: its text says that memory ran out.
static ContraStatus use_diagnostics(Contra *contra)
{
    static const ContraDiagnosticStyle styles[] = {CONTRA_PLAIN, CONTRA_COLOUR,
                                                   CONTRA_DIAGNOSTICS_JSON};
    for (size_t i = 0; i < COUNT_OF(styles); i++) {
        ContraText text = contra_diagnostics(contra, styles[i]);
        assert_int_equal(strlen(text.data), text.length);
        if (strstr(text.data, "E0003"))
            return CONTRA_NO_MEMORY;
        assert_non_null(strstr(text.data, "E0107"));
    }
    contra_clear_diagnostics(contra);
    return CONTRA_OK;
}

static Step *const steps[] = {use_names,    use_parser,     use_refusals,  use_equality,
                              use_division, use_operations, use_sequencer, use_pictures,
                              use_machine,  use_diagnostics};

// A whole session; the first status that is not CONTRA_OK.
static ContraStatus session(Contra *contra)
{
    memset(mappings, 0, sizeof mappings);
    for (size_t i = 0; i < COUNT_OF(steps); i++) {
        ContraStatus status = steps[i](contra);
        if (status)
            return status;
    }
    return CONTRA_OK;
}

typedef enum { OF_THE_ARENA, OF_THE_SCRATCH } Which;

// How many allocations a session makes: each of them has failed once when this returns.
static int64_t walk(Which which)
{
    for (int64_t n = 1;; n++) {
        Contra *contra = contra_new();
        Arena *arena = which == OF_THE_ARENA ? &contra->arena : &contra->scratch;
        arena->fail_in = n;
        ContraStatus status = session(contra);
        bool failed = arena->fail_in == 0;
        contra_free(contra);
        if (!failed) {
            assert_int_equal(status, CONTRA_OK);
            return n - 1;
        }
        if (status != CONTRA_NO_MEMORY)
            fail_msg("status %d when allocation %lld fails", (int)status, (long long)n);
    }
}

TEST(every_allocation_may_fail)
{
    int64_t count = walk(OF_THE_ARENA);
    print_message("%lld allocations\n", (long long)count);
    assert_true(count > 100);
}

TEST(every_scratch_allocation_may_fail)
{
    int64_t count = walk(OF_THE_SCRATCH);
    print_message("%lld allocations\n", (long long)count);
    assert_true(count > 10);
}

// A request for more than there is, by way of the public interface.
TEST(an_impossible_listing_is_refused)
{
    Contra *contra = contra_new();
    ContraMapping *mapping;
    ContraText picture;
    assert_int_equal(contra_declare_axes(contra, contra_text("A=4611686018427387904")), CONTRA_OK);
    assert_int_equal(contra_mapping_parse(contra, contra_text("X"), contra_text("A"), &mapping),
                     CONTRA_OK);
    assert_int_equal(contra_mapping_picture(contra, mapping, CONTRA_PICTURE_TEXT, 0, &picture),
                     CONTRA_OK);
    assert_true(picture.length < 1 << 20);
    contra_free(contra);
}

// ---- building a program

static ContraStatus worse(ContraStatus a, ContraStatus b)
{
    return a == CONTRA_NO_MEMORY || b == CONTRA_NO_MEMORY ? CONTRA_NO_MEMORY : a ? a : b;
}

// One program that is finished, and one that is refused and left open.
static ContraStatus build(Contra *contra)
{
    ContraProgram *program, *refused;
    ContraTensor *x, *rows = NULL, *y = NULL, *view;
    ContraStream *stream = NULL;
    int64_t kernel;
    ContraStatus all = contra_program_new(contra, "built", 1, NULL, &program);
    all = worse(all, contra_axis(program, "A", 4096));
    all = worse(all, contra_let(program, "L", "A % 16"));
    all = worse(all, contra_param(program, "x", contra_hbm("i32", "1", "A", 0), &x));
    all = worse(all, contra_to_dm(x, "tdma", "rows",
                                  contra_dm(NULL, NULL, "1 # 2", "A / 16", "{ L }", 0), &rows));
    all = worse(all, contra_tile(rows, "A / 8 % 2", 1, "1 # 2, A % 8", 1, &view));
    all = worse(all, contra_begin(view, "main", &stream));
    all = worse(all, contra_fetch(stream, "i32", "1", "A % 8", NULL));
    all = worse(all, contra_collect(stream, "1", "A % 8"));
    all = worse(all, contra_vector_init(stream));
    all = worse(all, contra_vector_intra_slice_branch(stream, contra_branch("Unconditional")));
    all = worse(all, contra_vector_fxp(stream, "AddFxp", contra_operand_i32(3)));
    all = worse(all, contra_vector_final(stream));
    all = worse(all, contra_commit(stream, "y", contra_dm_result("A % 8", 0x40), &y));
    all = worse(all, contra_return(program, y));
    all = worse(all, contra_program_finish(program, &kernel));
    if (all)
        return all;
    all = contra_program_new(contra, "refused", 1, NULL, &refused);
    all = worse(all, contra_axis(refused, "a", 4096));
    return all == CONTRA_INVALID ? CONTRA_OK : all;
}

TEST(a_built_program_may_run_out)
{
    bool failed = true;
    for (int64_t n = 1; failed; n++) {
        Contra *contra = contra_new();
        contra->arena.fail_in = n;
        ContraStatus status = build(contra);
        failed = contra->arena.fail_in == 0;
        assert_int_equal(status, failed ? CONTRA_NO_MEMORY : CONTRA_OK);
        contra_free(contra);
    }
}

// ---- checking a program

static const char kernel[] =
    "use furiosa_visa_std::prelude::*;\n"
    "axes![S = 256, A = 16];\n"
    "#[device(chip = 1)]\n"
    "fn kernel(ctx: &mut Context, a: &HbmTensor<i32, m![1], m![S, A]>) -> HbmTensor<i32, m![1], "
    "m![S, A]> {\n"
    "    let mut dm = a.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);\n"
    "    for i in 0..2 {\n"
    "        ctx.main.begin(dm.view().tile::<m![A / 8], 1, m![1 # 2, A % 8]>(i))\n"
    "            .fetch::<i32, m![1], m![A % 8]>().collect::<m![1], m![A % 8]>().vector_init()\n"
    "            .vector_intra_slice_branch(BranchMode::Unconditional)\n"
    "            .vector_fxp(FxpBinaryOp::AddFxp, 1).vector_final()\n"
    "            .commit_view(dm.view_mut().tile::<m![A / 8], 1, m![1 # 2, A % 8]>(i));\n"
    "    }\n"
    "    let wrong: u8 = 300;\n"
    "    let wide = ctx.main.begin(dm.view()).fetch::<i32, m![1], m![A]>().collect::<m![1], "
    "m![A]>();\n"
    "    dm.to_hbm(&mut ctx.tdma, 1 << 28)\n"
    "}\n";

// Refused on purpose: diagnostics need memory, too. The prelude is read before anything fails.
static ContraStatus check_kernel(int64_t fail_in, bool *failed)
{
    Contra *contra = contra_new();
    ContraCheckOptions options = contra_check_options();
    ContraCheckResult result = contra_check_result();
    ContraText text;
    ContraStatus status =
        contra_check_text(contra, contra_text("empty.rs"), contra_text(""), &options, &result);
    assert_int_equal(status, CONTRA_OK);
    contra->arena.fail_in = fail_in;
    status =
        contra_check_text(contra, contra_text("kernel.rs"), contra_text(kernel), &options, &result);
    if (status == CONTRA_INVALID) {
        assert_int_equal(result.errors, 2);
        status = contra_program_text(contra, &text);
    }
    *failed = contra->arena.fail_in == 0;
    contra_free(contra);
    return status;
}

TEST(a_check_may_run_out)
{
    enum { STEP = 41 }; // every allocation would take minutes
    bool failed = true;
    for (int64_t n = 1; failed; n += STEP) {
        ContraStatus status = check_kernel(n, &failed);
        assert_int_equal(status, failed ? CONTRA_NO_MEMORY : CONTRA_OK);
    }
}
