#include "engine/report.h"

#include "base/checked.h"
#include "engine/memory/memory.h"
#include "engine/shape.h"

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

// ---- in the notation of the source

bool report_is_text(const Verify *verify)
{
    return verify->program && verify->program->notation != NOTATION_LANGUAGE;
}

bool report_is_calls(const Verify *verify)
{
    return verify->program && verify->program->notation == NOTATION_CALLS;
}

Str report_written(const Verify *verify, Str mapping)
{
    return str_format(verify->arena, report_is_text(verify) ? "[{}]" : "m![{}]", mapping);
}

// Results of divisions can hold what the language has no sign for.
static bool is_writable(Str mapping)
{
    for (int64_t i = 0; i < mapping.len; i++) {
        bool hole = mapping.data[i] == '#' && i + 1 < mapping.len && mapping.data[i + 1] == '_';
        if (hole || mapping.data[i] == '@' || mapping.data[i] == '$' || mapping.data[i] == '+')
            return false;
    }
    return true;
}

// In the language a dimension is the inside of `m![..]`, or a path to one; what a generic stands
// for is written nowhere. In program text it is the brackets.
void report_edit(const Verify *verify, Diag *diag, const Dim *dim, Str mapping)
{
    bool text = report_is_text(verify);
    bool inside =
        !text && dim->expr && !dim->expr->is_constructed && span_same(dim->expr->span, dim->span);
    bool lost = !dim->expr || (!text && (dim->expr->span.source < 0 || !is_writable(mapping)));
    diag_edit(diag, lost ? SPAN_NOWHERE : dim->span, "{}",
              inside ? mapping : report_written(verify, mapping));
}

void report_rewrite(const Verify *verify, Diag *diag, const Dim *dim, Str mapping, const char *what)
{
    diag_help(diag, "{} `{}`", what, report_written(verify, mapping));
    report_edit(verify, diag, dim, mapping);
}

Str report_stage_text(const Verify *verify, StageKind kind, const StageText *text)
{
    bool is_text = report_is_text(verify);
    Str mappings[] = {text->time, text->packet};
    static const char *const words[] = {"time", "packet"};
    StrBuf buf = {.arena = verify->arena};
    buf_format(&buf, is_text ? "{}" : "{}::<", stages[kind].method);
    if (text->type)
        buf_format(&buf, is_text ? " {}" : "{}", text->type);
    for (size_t i = 0; i < COUNT_OF(mappings); i++) {
        if (!mappings[i].len)
            continue;
        if (is_text)
            buf_format(&buf, " {} ", words[i]);
        else if (i || text->type)
            buf_add(&buf, buf.data[buf.len - 1] == '<' ? STR("") : STR(", "));
        buf_add(&buf, report_written(verify, mappings[i]));
    }
    buf_add(&buf, is_text ? STR("") : STR(">()"));
    return buf_str(&buf);
}

void report_restage(const Verify *verify, Diag *diag, const Stage *stage, const StageText *text)
{
    diag_help(diag, "write `{}`", report_stage_text(verify, stage->kind, text));
    if (text->time.len)
        report_edit(verify, diag, stage->dims[LEVEL_TIME], text->time);
    if (text->packet.len)
        report_edit(verify, diag, stage->dims[LEVEL_PACKET], text->packet);
}

Span report_at(Span written, Span otherwise)
{
    return written.end > written.start ? written : otherwise;
}

Span report_place(Span written)
{
    return report_at(written, SPAN_NOWHERE);
}

static Span place_of_address(const Tensor *tensor)
{
    return tensor->address_fixed ? report_place(tensor->address_span) : SPAN_NOWHERE;
}

// If the user wrote no number, addresses are hexadecimal in program text and if they are large.
static int32_t base_for(const Verify *verify, const Tensor *tensor, int64_t largest)
{
    enum { LARGE = 4096 };
    bool hex = report_is_text(verify) || (uint64_t)largest >= LARGE;
    return tensor->address_base ? tensor->address_base : hex ? 16 : 10;
}

static void print_number(StrBuf *out, uint64_t number, int32_t base)
{
    char digits[64];
    int count = 0;
    do
        digits[count++] = "0123456789abcdef"[number % (uint64_t)base];
    while ((number /= (uint64_t)base) != 0);
    buf_add(out, base == 2 ? STR("0b") : base == 8 ? STR("0o") : base == 16 ? STR("0x") : STR(""));
    while (count)
        buf_add(out, (Str){&digits[--count], 1});
}

Str report_address_text(const Verify *verify, const Tensor *tensor, int64_t address)
{
    StrBuf text = {.arena = verify->arena};
    print_number(&text, (uint64_t)address, base_for(verify, tensor, address));
    return buf_str(&text);
}

Str report_range(const Verify *verify, const Tensor *tensor, int64_t low, int64_t high)
{
    StrBuf text = {.arena = verify->arena};
    int32_t base = base_for(verify, tensor, high);
    print_number(&text, (uint64_t)low, base);
    buf_add(&text, STR(".."));
    print_number(&text, (uint64_t)high, base);
    return buf_str(&text);
}

void report_edit_address(const Verify *verify, Diag *diag, const Tensor *tensor, int64_t address)
{
    diag_edit(diag, place_of_address(tensor), "{}", report_address_text(verify, tensor, address));
}

void report_address(const Verify *verify, Diag *diag, const Tensor *tensor, int64_t address,
                    const char *what)
{
    diag_help(diag, "{} {}", what, report_address_text(verify, tensor, address));
    report_edit_address(verify, diag, tensor, address);
}

Str report_trf_text(const Verify *verify, TrfAddress address)
{
    return str_format(verify->arena, "{}{}",
                      report_is_text(verify) ? "" : "TrfAddress::", trf_address_names[address]);
}

void report_edit_trf(const Verify *verify, Diag *diag, const Tensor *tensor, TrfAddress address)
{
    diag_edit(diag, place_of_address(tensor), "{}", report_trf_text(verify, address));
}

void report_trf_address(const Verify *verify, Diag *diag, const Tensor *tensor, TrfAddress address,
                        const char *what)
{
    diag_help(diag, "`{}` {}", report_trf_text(verify, address), what);
    report_edit_trf(verify, diag, tensor, address);
}

void report_rows(const Verify *verify, Diag *diag, const Dim *row)
{
    const MachineList *counts = &verify->machine->mac_row_counts;
    for (int64_t i = 0; i < counts->count; i++)
        if (counts->values[i] > row->mapping.size) {
            report_rewrite(verify, diag, row, report_padded(verify, row, counts->values[i]),
                           "pad the rows:");
            return;
        }
    diag_help(diag, "keep {} of them in Row and the rest in Element, or load it in parts",
              counts->values[counts->count - 1]);
}

void report_calls(Diag *diag, const Op *op, const char *words)
{
    for (int64_t i = 0; i < op->call_count; i++)
        diag_note(diag, op->calls[i], "{}", words);
}

bool report_same_calls(const Op *a, const Op *b)
{
    bool same = a->call_count == b->call_count;
    for (int64_t i = 0; i < a->call_count && same; i++)
        same = span_same(a->calls[i], b->calls[i]);
    return same;
}

void report_fetch_cast(const Verify *verify, Diag *diag, Scalar type)
{
    diag_help(diag,
              report_is_text(verify) ? "cast while fetching: `fetch {} ..`"
                                     : "cast while fetching: `fetch::<{}, ..>()`",
              scalar_name(type));
}

// ---- texts

Str report_match(const Verify *verify, const Match *match)
{
    return shape_term_text(verify->arena, &match->term, match->resize);
}

Str list_text(Arena *arena, const MachineList *list)
{
    StrBuf buf = {.arena = arena};
    for (int64_t i = 0; i < list->count; i++) {
        const char *before = i == 0 ? "" : i == list->count - 1 ? " or " : ", ";
        buf_format(&buf, "{}{}", before, list->values[i]);
    }
    return buf_str(&buf);
}

void report_stream(const Verify *verify, Diag *diag, const Stage *before)
{
    Str time = report_dim(verify, before->dims[LEVEL_TIME]);
    Str packet = report_dim(verify, before->dims[LEVEL_PACKET]);
    diag_note(diag, before->span, "the stream comes with Time `{}` and Packet `{}` of {}", time,
              packet, scalar_name(before->type));
}

void report_difference(const Verify *verify, Diag *diag, const Mapping *wanted,
                       const Mapping *found)
{
    int64_t position;
    if (wanted->size != found->size) {
        diag_note(diag, SPAN_NOWHERE, "that is {} positions instead of {}", found->size,
                  wanted->size);
        return;
    }
    if (mapping_equal(verify->arena, wanted, found) == MAPPINGS_UNDECIDED)
        diag_note(diag, SPAN_NOWHERE,
                  "whether the two are the same was not decided within the steps allowed; written "
                  "with fewer splits they can be compared");
    else if (mapping_find_difference(verify->arena, wanted, found, &position))
        diag_note(diag, SPAN_NOWHERE, "the two part at position {}", position);
}

static void report_copy(DiagList *diags, const Diag *diag, Span span)
{
    Diag *again = diag_add(diags, diag->code, span, "{}", diag->message);
    again->of_command = diag->of_command;
    if (diag->label.len)
        diag_label(again, "{}", diag->label);
    diag_copy_notes(again, diag);
    diag_copy_helps(again, diag);
}

void report_again(const Verify *verify, const DiagList *found, Span span)
{
    for (int64_t i = 0; i < found->count; i++)
        report_copy(verify->diags, found->items[i], span);
}

void report_as_is(DiagList *diags, const Diag *diag)
{
    report_copy(diags, diag, diag->span);
}

bool report_bytes(const Verify *verify, const Stage *stage, Scalar type, const Dim *dim,
                  int64_t *bytes)
{
    if (scalar_bytes(type, dim->mapping.size, bytes))
        return true;
    Diag *diag = diag_add(verify->diags, DIAG_SEQUENCE_SUB_BYTE, stage->span,
                          "`{}` has {} elements of {}, which is no whole number of bytes",
                          report_dim(verify, dim), dim->mapping.size, scalar_name(type));
    int64_t even;
    if (checked_round_up(dim->mapping.size, 2, &even))
        report_rewrite(verify, diag, dim, report_padded(verify, dim, even),
                       "pad it to an even number of elements:");
    return false;
}

bool report_packet(const Verify *verify, const Stage *stage, const PacketRule *rule, Scalar type,
                   const Dim *packet, Diag **wrong)
{
    int64_t bytes, length;
    *wrong = NULL;
    if (!report_bytes(verify, stage, type, packet, &bytes))
        return false;
    if (bytes == rule->bytes)
        return true;
    *wrong =
        diag_add(verify->diags, rule->code, stage->span, "{} {} bytes; `{}` of {} has {}",
                 rule->what, rule->bytes, report_dim(verify, packet), scalar_name(type), bytes);
    if (rule->pad && bytes < rule->bytes && scalar_length(type, rule->bytes, &length))
        report_rewrite(verify, *wrong, packet, report_padded(verify, packet, length), rule->pad);
    return false;
}
