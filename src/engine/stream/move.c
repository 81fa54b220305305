#include "engine/stream/move.h"

#include "engine/report.h"
#include "engine/shape.h"

static void report_lost(const Verify *verify, Span span, DiagCode code, const Match *match,
                        const Mapping *to)
{
    Str text = report_match(verify, match);
    Diag *diag = diag_add(verify->diags, code, span, "`{}` of the input is not in the output `{}`",
                          text, report_mapping(verify, to));
    diag_help(diag, "every part of every axis that comes in goes out: give `{}` a place", text);
}

static void report_gained(const Verify *verify, Span span, DiagCode code, const Mapping *residue)
{
    PlacedTerms terms = shape_terms(verify->arena, residue);
    StrBuf term = {.arena = verify->arena};
    term_print(&term, &terms.items[0].term, terms.items[0].resize);
    Diag *diag = diag_add(verify->diags, code, span,
                          "the output has `{}`, which the input does not hold", buf_str(&term));
    diag_help(diag, "leave it out; what is to be repeated is repeated in fetch or in switch");
}

bool move_verify(const Verify *verify, Span span, DiagCode code, MoveKind kind, const Mapping *from,
                 const Mapping *to)
{
    Division division = mapping_divide(verify->arena, to, from, DIVIDE_RELAXED, 1);
    if (!division.exact) {
        // where all was found, and what is left has no shape, the first piece stands for the rest
        int64_t first = division.found < division.matches.count ? division.found : 0;
        report_lost(verify, span, code, &division.matches.items[first], to);
        return false;
    }
    bool gains = shape_terms(verify->arena, &division.dividend_residue).count > 0;
    if (kind == MOVE_EXACT && gains) {
        report_gained(verify, span, code, &division.dividend_residue);
        return false;
    }
    return true;
}

bool move_verify_stage(const Verify *verify, const Stage *stage, DiagCode code, MoveKind kind)
{
    Mapping from = shape_of(verify->arena, stage->before->dims);
    Mapping to = shape_of(verify->arena, stage->dims);
    return move_verify(verify, stage->span, code, kind, &from, &to);
}
