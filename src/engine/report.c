#include "engine/report.h"

#include "engine/tensor.h"

#include <inttypes.h>

Str report_dim(const Verify *verify, const Dim *dim)
{
    return dim_text(verify->arena, dim);
}

Str report_padded(const Verify *verify, const Dim *dim, int64_t size)
{
    return dim_padded_text(verify->arena, dim, size);
}

Str report_mapping(const Verify *verify, const Mapping *mapping)
{
    Mapping normal = mapping_normalise(verify->arena, mapping);
    return mapping_text(verify->arena, &normal);
}

Str report_match(const Verify *verify, const Match *match)
{
    StrBuf buf = {.arena = verify->arena};
    term_print(&buf, &match->term, match->resize);
    return buf_str(&buf);
}

Str report_list(const Verify *verify, const MachineList *list)
{
    StrBuf buf = {.arena = verify->arena};
    for (int64_t i = 0; i < list->count; i++) {
        const char *before = i == 0 ? "" : i == list->count - 1 ? " or " : ", ";
        buf_printf(&buf, "%s%" PRId64, before, list->values[i]);
    }
    return buf_str(&buf);
}

void report_stream(const Verify *verify, Diag *diag, const Stage *before)
{
    Str time = report_dim(verify, before->dims[LEVEL_TIME]);
    Str packet = report_dim(verify, before->dims[LEVEL_PACKET]);
    diag_note(diag, before->span, "the stream comes with Time `%.*s` and Packet `%.*s` of %s",
              STR_ARG(time), STR_ARG(packet), scalar_name(before->type));
}

void report_difference(const Verify *verify, Diag *diag, const Mapping *wanted,
                       const Mapping *found)
{
    int64_t position;
    if (wanted->size != found->size) {
        diag_note(diag, SPAN_NOWHERE, "that is %" PRId64 " positions instead of %" PRId64,
                  found->size, wanted->size);
        return;
    }
    if (mapping_equal(verify->arena, wanted, found) == MAPPINGS_UNDECIDED)
        diag_note(diag, SPAN_NOWHERE,
                  "whether the two are the same was not decided within the steps allowed; "
                  "written with fewer splits they can be compared");
    else if (mapping_find_difference(verify->arena, wanted, found, &position))
        diag_note(diag, SPAN_NOWHERE, "the two part at position %" PRId64, position);
}

void report_again(const Verify *verify, const DiagList *found, Span span)
{
    for (int64_t i = 0; i < found->count; i++) {
        const Diag *diag = found->items[i];
        Diag *again = diag_add(verify->diags, diag->code, span, "%.*s", STR_ARG(diag->message));
        if (diag->label.len)
            diag_label(again, "%.*s", STR_ARG(diag->label));
        for (int64_t k = 0; k < diag->notes.count; k++)
            diag_note(again, diag->notes.items[k].span, "%.*s", STR_ARG(diag->notes.items[k].text));
        for (int64_t k = 0; k < diag->helps.count; k++)
            diag_help(again, "%.*s", STR_ARG(diag->helps.items[k].text));
    }
}

bool report_bytes(const Verify *verify, const Stage *stage, Scalar type, const Dim *dim,
                  int64_t *bytes)
{
    if (scalar_bytes(type, dim->mapping.size, bytes))
        return true;
    Diag *diag =
        diag_add(verify->diags, DIAG_SEQUENCE_SUB_BYTE, stage->span,
                 "`%.*s` has %" PRId64 " elements of %s, which is no whole number of bytes",
                 STR_ARG(report_dim(verify, dim)), dim->mapping.size, scalar_name(type));
    diag_help(diag, "pad it to an even number of elements: `m![%.*s]`",
              STR_ARG(report_padded(verify, dim, dim->mapping.size + 1)));
    return false;
}
