// The whole front end, from bytes to verdict: as they are, or as choices among pieces of programs,
// so that many get past the parser. Whatever comes in ends in a verdict with its reasons.
#include "contra.h"
#include "law.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char head[] =
    "use furiosa_visa_std::prelude::*;\n"
    "axes![A = 2048, B = 16, C = 3, I = 2, J = 64, K = 32, N = 8, R = 13, S = 256, X = 64];\n"
    "type Chip = m![1];\ntype Cluster = m![1 # 2];\ntype Slice = m![A / 8];\n"
    "#[device(chip = 1)]\n"
    "fn kernel(ctx: &mut Context, a: &HbmTensor<i32, Chip, m![A]>, b: &HbmTensor<bf16, Chip, m![S, "
    "J]>, "
    "out: &mut HbmTensor<i32, Chip, m![A]>) {\n"
    "    let d = a.to_dm::<Cluster, Slice, m![A % 8]>(&mut ctx.tdma, 0);\n";

static const char *const pieces[] = {
    "let x = ",
    "let mut y: ",
    "d",
    "x",
    "y",
    "a",
    "b",
    "out",
    ".view()",
    ".view_mut()",
    ";\n",
    "ctx.main",
    "ctx.sub",
    ".begin(d.view())",
    ".begin(x.view())",
    ".fetch::<i32, m![1], m![A % 8]>()",
    ".fetch::<f32, m![J / 8], m![J % 8]>()",
    ".fetch::<bf16, m![1], m![J]>()",
    ".fetch()",
    ".switch::<m![S], m![1]>(SwitchConfig::CustomBroadcast { ring_size: 1 })",
    ".switch::<m![1 # 256], m![S]>(SwitchConfig::Broadcast01 { slice1: 256, slice0: 1, time0: 1 })",
    ".collect::<m![1], m![A % 8]>()",
    ".collect::<m![J / 16], m![J % 16]>()",
    ".collect()",
    ".to_trf(TrfAddress::Full)",
    ".to_trf::<m![1], m![J]>(TrfAddress::FirstHalf)",
    ".to_vrf::<m![A % 8]>(0)",
    ".align::<m![J / 32], m![J % 32], _, _>(&x)",
    ".contract::<m![1]>()",
    ".accumulate::<m![1], m![1 # 8]>(AccumulationKind::Interleaved)",
    ".accumulate::<m![N], m![1 # 8]>(AccumulationKind::Sequential)",
    ".vector_init()",
    ".vector_intra_slice_branch(BranchMode::Unconditional)",
    ".vector_intra_slice_branch(BranchMode::AxisToggle { axis: Ident::A })",
    ".vector_intra_slice_unzip::<I, m![1 # 2], m![1]>()",
    ".vector_fxp(FxpBinaryOp::AddFxp, 1)",
    ".vector_fxp(FxpBinaryOp::MulInt, &x)",
    ".vector_fxp_to_fp(31)",
    ".vector_split::<m![A / 4 % 2], m![A % 4]>()",
    ".vector_trim_way4::<m![R # 16 % 4]>()",
    ".vector_fp_unary(FpUnaryOp::Exp)",
    ".vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), 2.0)",
    ".vector_intra_slice_reduce::<R, m![1], m![1 # 4]>(IntraSliceReduceOpF32::Add)",
    ".vector_concat::<m![1], m![A % 8]>()",
    ".vector_pad_way8::<m![1 # 8]>()",
    ".vector_fp_to_fxp(31)",
    ".vector_clip(ClipBinaryOpI32::Max, Stash)",
    ".vector_stash()",
    ".vector_inter_slice_reduce::<m![1 # 256], m![1]>(InterSliceReduceOpI32::Add)",
    ".vector_final()",
    ".cast::<i8, m![A % 8 # 32]>()",
    ".transpose::<m![A % 8], m![1 # 8]>()",
    ".commit::<m![A % 8]>(1 << 12)",
    ".commit(0x1000)",
    ".commit_view(x.view_mut())",
    ".to_hbm(&mut ctx.tdma, 1 << 28)",
    ".to_dm::<Cluster, Slice, m![A % 8]>(&mut ctx.tdma, 4096)",
    ".to_dm(&mut ctx.tdma, 0)",
    ".tile::<m![A % 8], 2, m![A % 8 = 2 # 8]>(i)",
    "for i in 0..4 {\n",
    "}\n",
    "if x == 1 {\n",
    "} else {\n",
    "while true {\n",
    "loop {\n",
    "break",
    "continue",
    "return",
    "|v| v + 1",
    "(x, y)",
    "[1, 2, 3]",
    "[0; 4]",
    "match x { 1 => 2, _ => 3 }",
    "unsafe { DmTensor::<i32, Chip, Cluster, Slice, m![A % 8]>::from_addr(64) }",
    "&",
    "&mut ",
    "*",
    "-",
    "!",
    "1",
    "0x7fffffffffffffff",
    "1.5e300",
    "\"text\"",
    " + ",
    " * ",
    " << ",
    " == ",
    " as u8",
    "i",
    "Stash",
    "Vec::new()",
    "(0..4).map(|v| v * 2).collect::<Vec<_>>()",
    "DmTensor<i32, _, _, _, m![A]>",
    " = ",
    ": ",
    ", ",
    "(",
    ")",
    "{",
    "<m![A, B # 32]>::SIZE",
    "helper(ctx, &d)",
    "fn helper(c: &mut Context) {}\n",
    "axes![Z = 4];\n",
    "type T = m![{ T }];\n",
    "mod m { use super::*; fn f() { g() } }\n",
    "assert_eq!(x, y)",
    "panic!(\"no\")",
    ".await",
    "?",
    "m![A / 3]",
    "m![A # 1]",
    "launch(kernel, (ctx, a)).await",
};

enum { PIECE_COUNT = sizeof pieces / sizeof pieces[0], LONGEST = 1 << 16 };

static size_t compose(const uint8_t *data, size_t size, char *text)
{
    size_t length = sizeof head - 1;
    memcpy(text, head, length);
    for (size_t i = 0; i < size; i++) {
        const char *piece = pieces[data[i] % PIECE_COUNT];
        size_t more = strlen(piece);
        if (length + more + 2 > LONGEST)
            break;
        memcpy(text + length, piece, more);
        length += more;
    }
    memcpy(text + length, "}\n", 2);
    return length + 2;
}

static void check(const char *text, size_t size, bool reference)
{
    Contra *contra = contra_new();
    ContraCheckOptions options = contra_check_options();
    options.rules = reference ? CONTRA_RULES_REFERENCE : CONTRA_RULES_ALL;
    options.most_steps = 5000;
    ContraCheckResult result = contra_check_result();
    ContraStatus status = contra_check_text(contra, contra_text("fuzz.rs"),
                                            (ContraText){text, (int64_t)size}, &options, &result);
    law(status == CONTRA_OK || status == CONTRA_INVALID, "there is a verdict");
    law((status == CONTRA_INVALID) == (result.errors > 0), "what is refused has a reason");
    ContraText json = contra_diagnostics(contra, CONTRA_DIAGNOSTICS_JSON);
    json_t *list = json_loadb(json.data, (size_t)json.length, 0, NULL);
    law(list && (int64_t)json_array_size(list) == result.errors + result.warnings,
        "diagnostics are JSON");
    json_decref(list);
    contra_diagnostics(contra, CONTRA_COLOUR);
    ContraText program;
    law(contra_program_text(contra, &program) == CONTRA_OK, "programs print");
    contra_free(contra);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char text[LONGEST];
    if (!size)
        return 0;
    bool composed = data[0] & 1, reference = data[0] & 2;
    if (composed)
        check(text, compose(data + 1, size - 1, text), reference);
    else
        check((const char *)data + 1, size - 1, reference);
    return 0;
}
