#include "map_output.h"

#include "cli.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// ---- cells

// {"A": 0, "B": 3}
static void print_index_json(const ContraMapping *mapping, const int64_t *values)
{
    int64_t axes = contra_mapping_axis_count(mapping), size;
    putchar('{');
    for (int64_t i = 0; i < axes; i++)
        printf("%s\"%s\": %" PRId64, i ? ", " : "", contra_mapping_axis(mapping, i, &size),
               values[i]);
    putchar('}');
}

static void print_cell_json(const ContraMapping *mapping, const ContraCell *cell)
{
    int64_t axes = contra_mapping_axis_count(mapping);
    if (cell->count == 0)
        fputs("null", stdout);
    else if (cell->count == 1)
        print_index_json(mapping, cell->values);
    for (int64_t i = 0; cell->count > 1 && i < cell->count; i++) {
        fputs(i ? ", " : "[", stdout);
        print_index_json(mapping, cell->values + i * axes);
    }
    if (cell->count > 1)
        putchar(']');
}

// "A 0  B 3", or "padding"
static void print_cell_text(const ContraMapping *mapping, const ContraCell *cell)
{
    int64_t axes = contra_mapping_axis_count(mapping), size;
    if (cell->count == 0)
        fputs("padding", stdout);
    for (int64_t i = 0; i < cell->count; i++) {
        fputs(i ? "  |  " : "", stdout);
        for (int64_t k = 0; k < axes; k++)
            printf("%s%s %" PRId64, k ? "  " : "", contra_mapping_axis(mapping, k, &size),
                   cell->values[i * axes + k]);
        if (!axes)
            fputs("the one element", stdout);
    }
}

// Whether every position can be listed. Only where several indices share one can that fail, and
// then it must be known before anything is printed.
static ContraStatus check_cells(Contra *contra, const ContraMapping *mapping, int64_t from,
                                int64_t count)
{
    ContraStatus status = CONTRA_OK;
    ContraCell cell;
    if (!strchr(contra_mapping_text(mapping).data, '$'))
        return CONTRA_OK;
    for (int64_t at = from; at < from + count && status == CONTRA_OK; at++)
        status = contra_mapping_cell(contra, mapping, at, &cell);
    return status;
}

ContraStatus output_cells(Contra *contra, const ContraMapping *mapping, int64_t from, int64_t count,
                          bool json)
{
    ContraStatus status = check_cells(contra, mapping, from, count);
    if (status != CONTRA_OK)
        return status;
    if (json)
        printf("{\"size\": %" PRId64 ", \"cells\": [", contra_mapping_size(mapping));
    for (int64_t at = from; at < from + count; at++) {
        ContraCell cell;
        status = contra_mapping_cell(contra, mapping, at, &cell);
        if (status != CONTRA_OK)
            return status;
        if (json) {
            fputs(at > from ? ",\n" : "\n", stdout);
            print_cell_json(mapping, &cell);
        } else {
            printf("%8" PRId64 "  ", at);
            print_cell_text(mapping, &cell);
            putchar('\n');
        }
    }
    if (json)
        puts("]}");
    return status;
}

// ---- one mapping

static json_t *json_axes(const ContraMapping *mapping)
{
    json_t *array = json_array();
    int64_t size;
    for (int64_t i = 0; i < contra_mapping_axis_count(mapping); i++)
        json_array_append_new(array, json_string(contra_mapping_axis(mapping, i, &size)));
    return array;
}

static json_t *json_factors(Contra *contra, const ContraMapping *mapping)
{
    json_t *array = json_array();
    for (int64_t i = 0; i < contra_mapping_factor_count(mapping); i++) {
        ContraFactor factor;
        if (contra_mapping_factor(contra, mapping, i, &factor) != CONTRA_OK)
            break;
        json_t *row = factor.is_padding
                          ? json_pack("{s:I}", "padding", (json_int_t)factor.size)
                          : json_pack("{s:o, s:I, s:I}", "term", cli_json(factor.text), "size",
                                      (json_int_t)factor.size, "stride", (json_int_t)factor.block);
        json_array_append_new(array, row);
    }
    return array;
}

static void print_factors(Contra *contra, const ContraMapping *mapping)
{
    for (int64_t i = 0; i < contra_mapping_factor_count(mapping); i++) {
        ContraFactor factor;
        if (contra_mapping_factor(contra, mapping, i, &factor) != CONTRA_OK)
            return;
        const char *lead = i ? "         " : "factors  ";
        if (factor.is_padding)
            printf("%s padded to %" PRId64 " positions\n", lead, factor.size);
        else
            printf("%s %.*s: %" PRId64 " steps of %" PRId64 "\n", lead, TEXT_ARG(factor.text),
                   factor.size, factor.block);
    }
}

ContraStatus output_mapping(Contra *contra, const ContraMapping *mapping, int64_t first, bool json)
{
    int64_t size = contra_mapping_size(mapping), axis_size;
    if (json) {
        cli_print_json(json_pack("{s:o, s:I, s:o, s:o, s:o}", "mapping",
                                 cli_json(contra_mapping_text(mapping)), "size", (json_int_t)size,
                                 "normal", cli_json(contra_mapping_normal(mapping)), "axes",
                                 json_axes(mapping), "factors", json_factors(contra, mapping)));
        return CONTRA_OK;
    }
    ContraText picture;
    ContraStatus status =
        contra_mapping_picture(contra, mapping, CONTRA_PICTURE_TEXT, first, &picture);
    if (status != CONTRA_OK)
        return status;
    printf("mapping   %.*s\nsize      %" PRId64 "\nnormal    %.*s\n",
           TEXT_ARG(contra_mapping_text(mapping)), size, TEXT_ARG(contra_mapping_normal(mapping)));
    for (int64_t i = 0; i < contra_mapping_axis_count(mapping); i++) {
        const char *name = contra_mapping_axis(mapping, i, &axis_size);
        printf("%s%s = %" PRId64, i ? ", " : "axes      ", name, axis_size);
    }
    puts(contra_mapping_axis_count(mapping) ? "" : "axes      none");
    print_factors(contra, mapping);
    putchar('\n');
    cli_print(picture);
    return CONTRA_OK;
}

ContraStatus output_split(Contra *contra, const ContraMapping *mapping, int64_t at, bool json)
{
    ContraMapping *outer, *inner;
    ContraStatus status = contra_mapping_split(contra, mapping, at, &outer, &inner);
    if (status != CONTRA_OK)
        return status;
    ContraText outer_text = contra_mapping_normal(outer), inner_text = contra_mapping_normal(inner);
    if (json)
        cli_print_json(json_pack("{s:o, s:o, s:I, s:I}", "outer", cli_json(outer_text), "inner",
                                 cli_json(inner_text), "outer_size",
                                 (json_int_t)contra_mapping_size(outer), "inner_size",
                                 (json_int_t)contra_mapping_size(inner)));
    else
        printf("outer  %.*s  (%" PRId64 " positions)\ninner  %.*s  (%" PRId64 " positions)\n",
               TEXT_ARG(outer_text), contra_mapping_size(outer), TEXT_ARG(inner_text),
               contra_mapping_size(inner));
    return CONTRA_OK;
}

ContraStatus output_canonical_axes(Contra *contra, const ContraMapping *mapping, bool json)
{
    const ContraTerm *terms;
    int64_t count;
    ContraStatus status = contra_mapping_canonical_axes(contra, mapping, &terms, &count);
    if (status != CONTRA_OK)
        return status;
    json_t *array = json_array();
    for (int64_t i = 0; i < count; i++) {
        json_array_append_new(array, json_pack("{s:o, s:I}", "term", cli_json(terms[i].text),
                                               "size", (json_int_t)terms[i].size));
        if (!json)
            printf("%.*s: %" PRId64 "\n", TEXT_ARG(terms[i].text), terms[i].size);
    }
    if (json)
        cli_print_json(json_pack("{s:O}", "axes", array));
    json_decref(array);
    return CONTRA_OK;
}

// ---- two mappings

static void print_difference_json(Contra *contra, const ContraMapping *mapping, int64_t at)
{
    ContraCell cell = {0};
    if (at < contra_mapping_size(mapping))
        contra_mapping_cell(contra, mapping, at, &cell);
    print_cell_json(mapping, &cell);
}

static void print_difference(Contra *contra, const ContraMapping *mapping, int64_t at)
{
    ContraCell cell = {0};
    printf("  %.*s: ", TEXT_ARG(contra_mapping_text(mapping)));
    if (at >= contra_mapping_size(mapping)) {
        puts("ends before it");
        return;
    }
    contra_mapping_cell(contra, mapping, at, &cell);
    print_cell_text(mapping, &cell);
    putchar('\n');
}

static void print_equal_json(Contra *contra, const ContraMapping *mapping,
                             const ContraMapping *other, bool equal, int64_t at)
{
    printf("{\"equal\": %s, \"sizes\": [%" PRId64 ", %" PRId64 "], \"difference\": ",
           equal ? "true" : "false", contra_mapping_size(mapping), contra_mapping_size(other));
    if (equal || at < 0) {
        puts("null}");
        return;
    }
    printf("{\"position\": %" PRId64 ", \"left\": ", at);
    print_difference_json(contra, mapping, at);
    fputs(", \"right\": ", stdout);
    print_difference_json(contra, other, at);
    puts("}}");
}

ContraStatus output_equal(Contra *contra, const ContraMapping *mapping, const ContraMapping *other,
                          bool json, bool *equal)
{
    int64_t at;
    ContraStatus status = contra_mapping_equal(contra, mapping, other, equal, &at);
    if (status != CONTRA_OK)
        return status;
    if (json) {
        print_equal_json(contra, mapping, other, *equal, at);
        return CONTRA_OK;
    }
    if (*equal) {
        printf("equal: both are `%.*s`, %" PRId64 " positions\n",
               TEXT_ARG(contra_mapping_normal(other)), contra_mapping_size(mapping));
        return CONTRA_OK;
    }
    puts("not equal");
    if (contra_mapping_size(mapping) != contra_mapping_size(other))
        printf("the sizes are %" PRId64 " and %" PRId64 "\n", contra_mapping_size(mapping),
               contra_mapping_size(other));
    if (at >= 0) {
        printf("first difference at position %" PRId64 ":\n", at);
        print_difference(contra, mapping, at);
        print_difference(contra, other, at);
    }
    return CONTRA_OK;
}

ContraStatus output_prefix(Contra *contra, const ContraMapping *mapping, const ContraMapping *other,
                           bool json, bool *prefix)
{
    ContraStatus status = contra_mapping_is_prefix(contra, mapping, other, prefix);
    if (status == CONTRA_OK && json)
        printf("{\"prefix\": %s}\n", *prefix ? "true" : "false");
    else if (status == CONTRA_OK)
        printf("%s: `%.*s` %s the cells that `%.*s` starts with\n", *prefix ? "yes" : "no",
               TEXT_ARG(contra_mapping_text(mapping)), *prefix ? "has" : "does not have",
               TEXT_ARG(contra_mapping_text(other)));
    return status;
}

ContraStatus output_tile(Contra *contra, const ContraMapping *mapping, const ContraMapping *index,
                         int64_t length, int64_t start, bool json)
{
    ContraMapping *tile;
    int64_t offset;
    ContraStatus status =
        contra_mapping_tile(contra, mapping, index, length, start, &tile, &offset);
    if (status != CONTRA_OK)
        return status;
    if (json)
        cli_print_json(json_pack("{s:o, s:I}", "tile", cli_json(contra_mapping_normal(tile)),
                                 "offset", (json_int_t)offset));
    else
        printf("tile    %.*s\noffset  %" PRId64 " elements: position %" PRId64 " of `%.*s`\n",
               TEXT_ARG(contra_mapping_normal(tile)), offset, start,
               TEXT_ARG(contra_mapping_text(index)));
    return CONTRA_OK;
}

static void print_division_json(const ContraDivision *division)
{
    json_t *terms = json_array(), *unmatched = json_array();
    for (int64_t i = 0; i < division->term_count; i++) {
        const ContraDivisionTerm *term = &division->terms[i];
        if (!term->found) {
            json_array_append_new(unmatched, cli_json(term->text));
            continue;
        }
        json_array_append_new(terms, json_pack("{s:o, s:I, s:I, s:I, s:{s:I, s:I}}", "term",
                                               cli_json(term->text), "size", (json_int_t)term->size,
                                               "dividend_stride", (json_int_t)term->dividend_stride,
                                               "divisor_stride", (json_int_t)term->divisor_stride,
                                               "bounds", "min", (json_int_t)term->dividend_min,
                                               "max", (json_int_t)term->dividend_max));
    }
    cli_print_json(json_pack(
        "{s:b, s:o, s:o, s:o, s:o, s:o, s:o}", "exact", division->exact, "terms", terms,
        "unmatched", unmatched, "dividend_residue",
        cli_json(contra_mapping_normal(division->dividend_residue)), "divisor_residue",
        cli_json(contra_mapping_normal(division->divisor_residue)), "dividend_remainder",
        cli_json(contra_mapping_normal(division->dividend_remainder)), "divisor_remainder",
        cli_json(contra_mapping_normal(division->divisor_remainder))));
}

static void print_division(const ContraDivision *division)
{
    puts(division->exact ? "exact: every term of the divisor is in the dividend"
                         : "not exact: the dividend does not hold all of the divisor");
    for (int64_t i = 0; i < division->term_count; i++) {
        const ContraDivisionTerm *term = &division->terms[i];
        if (term->found)
            printf("  found    %.*s: %" PRId64 " steps of %" PRId64 " in the dividend, of %" PRId64
                   " in the divisor\n",
                   TEXT_ARG(term->text), term->size, term->dividend_stride, term->divisor_stride);
        else
            printf("  missing  %.*s\n", TEXT_ARG(term->text));
    }
    printf("dividend residue    %.*s\ndivisor residue     %.*s\n",
           TEXT_ARG(contra_mapping_normal(division->dividend_residue)),
           TEXT_ARG(contra_mapping_normal(division->divisor_residue)));
    printf("dividend remainder  %.*s\ndivisor remainder   %.*s\n",
           TEXT_ARG(contra_mapping_normal(division->dividend_remainder)),
           TEXT_ARG(contra_mapping_normal(division->divisor_remainder)));
}

ContraStatus output_division(Contra *contra, const ContraMapping *dividend,
                             const ContraMapping *divisor, ContraDivideKind kind, int64_t span,
                             bool json, bool *exact)
{
    ContraDivision division = contra_division();
    ContraStatus status = contra_mapping_divide(contra, dividend, divisor, kind, span, &division);
    if (status != CONTRA_OK)
        return status;
    *exact = division.exact;
    if (json)
        print_division_json(&division);
    else
        print_division(&division);
    return CONTRA_OK;
}

// ---- sequences

static bool is_write(const ContraSequenceRequest *request)
{
    return request->engine == CONTRA_WRITE || request->engine == CONTRA_COMMIT;
}

static json_t *json_entries(const ContraSequence *sequence)
{
    json_t *array = json_array();
    for (int64_t i = 0; i < sequence->entry_count; i++) {
        const ContraSequenceEntry *entry = &sequence->entries[i];
        json_t *row =
            json_pack("{s:o, s:I}", "term", cli_json(entry->term), "size", (json_int_t)entry->size);
        json_t *offsets = entry->offsets ? json_array() : NULL;
        for (int64_t k = 0; offsets && k < entry->size; k++)
            json_array_append_new(offsets, json_integer(entry->offsets[k]));
        if (offsets)
            json_object_set_new(row, "offsets", offsets);
        else
            json_object_set_new(row, "stride", json_integer(entry->stride));
        json_array_append_new(array, row);
    }
    return array;
}

static void set_number(json_t *document, const char *name, int64_t value)
{
    json_object_set_new(document, name, json_integer(value));
}

static void print_sequence_json(const ContraSequence *sequence,
                                const ContraSequenceRequest *request)
{
    json_t *document = json_pack("{s:o, s:o, s:b}", "config", cli_json(sequence->config), "entries",
                                 json_entries(sequence), "merged", sequence->merged);
    set_number(document, "base_offset", sequence->base_offset);
    set_number(document, "packet_size", sequence->packet_size);
    set_number(document, "packet_bytes", sequence->packet_bytes);
    set_number(document, "time_steps", sequence->time_steps);
    set_number(document, "contiguous_sram_access_size", sequence->contiguous_bytes);
    if (is_write(request)) {
        set_number(document, "commit_in_size", sequence->commit_in_bytes);
        set_number(document, "commit_size", sequence->access_bytes);
        set_number(document, "commit_cycles", sequence->cycles);
    } else {
        set_number(document, "fetch_size", sequence->access_bytes);
        set_number(document, "fetches_per_packet", sequence->accesses_per_packet);
        set_number(document, "fetch_cycles", sequence->cycles);
    }
    json_object_set_new(document, "buffer_after", cli_json(sequence->buffer_after));
    json_object_set_new(document, "walks_all", json_boolean(sequence->walks_all));
    cli_print_json(document);
}

static int widest(ContraText text, int at_least)
{
    return text.length > at_least ? (int)text.length : at_least;
}

// The derivation term by term, as the manual's tables show it.
static void print_steps(const ContraSequence *sequence)
{
    int term = 4, entry = 5;
    for (int64_t i = 0; i < sequence->step_count; i++) {
        term = widest(sequence->steps[i].term, term);
        entry = widest(sequence->steps[i].entry, entry);
    }
    printf("%-*s  %-*s  buffer after\n", term, "term", entry, "entry");
    for (int64_t i = 0; i < sequence->step_count; i++) {
        const ContraSequenceStep *step = &sequence->steps[i];
        printf("%-*.*s  %-*.*s  %.*s\n", term, TEXT_ARG(step->term), entry, TEXT_ARG(step->entry),
               TEXT_ARG(step->buffer_after));
    }
}

void output_sequence(const ContraSequence *sequence, const ContraSequenceRequest *request,
                     bool json)
{
    if (json) {
        print_sequence_json(sequence, request);
        return;
    }
    bool write = is_write(request);
    if (sequence->step_count) {
        print_steps(sequence);
        putchar('\n');
    }
    printf("sequencer  %.*s\n", TEXT_ARG(sequence->config));
    printf("           strides in elements, outermost first; after the colon %s%s\n",
           write ? "bytes a write" : "elements of the innermost packet loop",
           sequence->base_offset ? ", after @ the start in elements" : "");
    if (sequence->merged)
        puts("           neighbouring entries were merged to fit the sequencer");
    printf("time       %" PRId64 " steps, packet %" PRId64 " elements, %" PRId64 " bytes\n",
           sequence->time_steps, sequence->packet_elements, sequence->packet_bytes);
    printf("contiguous %" PRId64 " bytes (contiguous_sram_access_size)\n",
           sequence->contiguous_bytes);
    if (write)
        printf("commit     %" PRId64 " of the packet's bytes (commit_in_size) in writes of %" PRId64
               " (commit_size)\n",
               sequence->commit_in_bytes, sequence->access_bytes);
    else
        printf("fetch      %" PRId64 " bytes a read (fetch_size), %" PRId64
               " %s a packet (fetches_per_packet)\n",
               sequence->access_bytes, sequence->accesses_per_packet,
               sequence->accesses_per_packet == 1 ? "read" : "reads");
    printf("cycles     %" PRId64 "\n", sequence->cycles);
    if (!sequence->walks_all)
        printf("left over  `%.*s` of the buffer: only its first element is %s\n",
               TEXT_ARG(sequence->buffer_after), write ? "written" : "read");
}
