#include "command/listing_text.h"

#include "base/checked.h"
#include "base/lines.h"

#include <inttypes.h>

enum { FACT_WIDTH = 9, HANGING = 4, SHORT_LINE = 40 };

// ---- the kernel

static void print_fact(const Listing *listing, const char *label, Str text)
{
    buf_printf(listing->out, "%-*s", FACT_WIDTH, label);
    listing_wrap(listing, FACT_WIDTH, FACT_WIDTH + 2, INK_NONE, text);
}

static void print_head(const Listing *listing, const HwObject *object, const ObjectFacts *facts)
{
    Arena *arena = listing->out->arena;
    buf_printf(listing->out, "%-*s", FACT_WIDTH, "kernel");
    listing_ink(listing, INK_HEADING, object->kernel);
    buf_add_char(listing->out, '\n');
    print_fact(listing, "machine",
               str_format(arena, "%.*s, %lld chip%s, numbers 0x%08llx", STR_ARG(object->machine),
                          (long long)object->chips, object->chips == 1 ? "" : "s",
                          (unsigned long long)object->machine_hash));
    print_fact(listing, "compiler", str_format(arena, "contra %.*s", STR_ARG(object->version)));
    if (facts)
        print_fact(listing, "file",
                   str_format(arena, "%lld bytes, format %lld, checksum 0x%08x is right",
                              (long long)facts->bytes, (long long)facts->format, facts->checksum));
}

// ---- arguments

static Str shape_text(Arena *arena, const HwArgument *argument)
{
    StrBuf buf = {.arena = arena};
    const HwArrayForm *form = argument->forms.count ? &argument->forms.items[0] : NULL;
    buf_add_char(&buf, '(');
    for (int64_t i = 0; form && i < form->axes.count; i++)
        buf_printf(&buf, "%s%" PRId64, i ? ", " : "", form->axes.items[i].size);
    buf_add(&buf, form && form->axes.count == 1 ? STR(",)") : STR(")"));
    return buf_str(&buf);
}

static Str place_text(Arena *arena, const HwArgument *argument)
{
    StrBuf buf = {.arena = arena};
    buf_add(&buf, str_from(tiers[argument->tier].name));
    if (argument->address >= 0)
        buf_printf(&buf, " @ 0x%" PRIx64 "%s", (uint64_t)argument->address,
                   argument->is_placed ? " (chosen)" : "");
    buf_printf(&buf, ", %" PRId64 " B", argument->bytes);
    if (argument->slices > 1)
        buf_printf(&buf, " in each of %" PRId64 " slices", argument->slices);
    else if (argument->chips > 1)
        buf_printf(&buf, " in each of %" PRId64 " chips", argument->chips);
    return buf_str(&buf);
}

static void print_argument(const Listing *listing, const HwArgument *argument)
{
    Arena *arena = listing->out->arena;
    const char *way = !argument->is_output ? "in" : argument->is_input ? "in/out" : "out";
    StrBuf buf = {.arena = arena};
    buf_printf(&buf, "%.*s: %s %.*s  %.*s  %.*s", STR_ARG(argument->name),
               scalar_name(argument->type), STR_ARG(shape_text(arena, argument)),
               STR_ARG(argument->mapping), STR_ARG(place_text(arena, argument)));
    print_fact(listing, way, buf_str(&buf));
    if (listing->verbose)
        listing_record(listing, LISTING_INDENT, "argument", &record_of_Argument, argument);
}

static void print_arguments(const Listing *listing, const HwObject *object)
{
    for (int64_t i = 0; i < object->constants.count; i++) {
        const HwConstant *constant = &object->constants.items[i];
        print_fact(listing, "number",
                   str_format(listing->out->arena, "%.*s = %.*s", STR_ARG(constant->name),
                              STR_ARG(constant->value)));
    }
    for (int64_t i = 0; i < object->arguments.count; i++)
        print_argument(listing, &object->arguments.items[i]);
    for (int64_t i = 0; i < object->results.count; i++)
        print_argument(listing, &object->results.items[i]);
}

// ---- the report

// "12.5 %"
static Str percent_text(Arena *arena, int64_t permille)
{
    return str_format(arena, "%" PRId64 ".%" PRId64 " %%", permille / 10, permille % 10);
}

void listing_use(const Listing *listing, const HwUse *use)
{
    Arena *arena = listing->out->arena;
    const struct {
        const char *name;
        int64_t permille;
    } shares[] = {{"MAC", use->mac_permille},
                  {"lanes", use->lane_permille},
                  {"slices", use->slice_permille},
                  {"bandwidth", use->bandwidth_permille}};
    StrBuf text = {.arena = arena}, used = {.arena = arena};
    buf_printf(&text, "bound by %.*s: %" PRId64 " cycle%s", STR_ARG(use->bound_by), use->cycles,
               plural(use->cycles));
    for (size_t i = 0; i < COUNT_OF(shares); i++)
        if (shares[i].permille > 0)
            say(&used, "%s %.*s", shares[i].name, STR_ARG(percent_text(arena, shares[i].permille)));
    buf_printf(&text, "%s%.*s", used.len ? "; " : "", STR_ARG(buf_str(&used)));
    if (use->bound_by.len)
        listing_line(listing, "use", buf_str(&text));
    for (int64_t i = 0; i < use->hints.count; i++) {
        buf_repeat(listing->out, STR(" "), LISTING_INDENT);
        listing_ink(listing, INK_HINT, STR("hint: "));
        listing_wrap(listing, LISTING_INDENT + 6, LISTING_INDENT + 6, INK_NONE,
                     use->hints.items[i].text);
    }
}

// ---- operations

// "2 clusters of 256 slices"
static void print_extent(const Listing *listing, const HwPipeline *pass)
{
    StrBuf text = {.arena = listing->out->arena};
    buf_printf(&text, "%s context, ", context_names[pass->context]);
    if (pass->chips != 1)
        buf_printf(&text, "%" PRId64 " chips of ", pass->chips);
    buf_printf(&text, "%" PRId64 " cluster%s of %" PRId64 " slices", pass->clusters,
               plural(pass->clusters), pass->slices);
    listing_line(listing, "pass", buf_str(&text));
}

// The engines in the order of the pipeline; those that are absent are passed by.
void listing_pass(const Listing *listing, const HwPipeline *pass)
{
    print_extent(listing, pass);
    listing_fetch(listing, pass);
    if (pass->route)
        listing_switch(listing, pass->route);
    if (pass->collect)
        listing_collect(listing, pass->collect);
    if (pass->trf_store)
        listing_trf_store(listing, pass->trf_store);
    if (pass->vrf_store)
        listing_vrf_store(listing, pass->vrf_store);
    if (pass->adapt)
        listing_adapt(listing, pass->adapt);
    if (pass->trf_read)
        listing_trf_read(listing, pass->trf_read);
    if (pass->reduce)
        listing_reduce(listing, pass->reduce);
    if (pass->vector)
        listing_vector(listing, pass->vector);
    if (pass->cast)
        listing_cast(listing, pass->cast);
    if (pass->transpose)
        listing_transpose(listing, pass->transpose);
    if (pass->commit)
        listing_commit(listing, pass);
}

static void print_command(const Listing *listing, const HwCommand *command)
{
    if (listing->verbose)
        listing_record(listing, LISTING_INDENT, "command", &record_of_Command, command);
    else if (command->pass)
        listing_pass(listing, command->pass);
    else if (command->dma)
        listing_dma(listing, command->dma);
    else if (command->immediate)
        listing_immediate(listing, command->immediate);
}

// The line of the source, behind the heading if that leaves room for it, otherwise below.
static void print_source(const Listing *listing, int64_t column, Str text)
{
    enum { GAP = 2, INDENT = LISTING_INDENT + HANGING };
    int64_t room = (listing->width ? listing->width : LISTING_WIDTH) - column - GAP;
    bool below = width_of(text) > room && room < SHORT_LINE;
    buf_add(listing->out, below ? STR("\n") : STR(""));
    buf_repeat(listing->out, STR(" "), below ? INDENT : GAP);
    listing_wrap(listing, below ? INDENT : column + GAP, INDENT, INK_SOURCE, text);
}

// "#3  main commit  gemm.rs:36  .begin(a.view())"
static void print_heading(const Listing *listing, int64_t number, const HwOperation *operation)
{
    StrBuf *out = listing->out;
    Str heading = str_format(out->arena, "#%lld  %s %.*s", (long long)number,
                             context_names[operation->context], STR_ARG(operation->method));
    buf_add_char(out, '\n');
    listing_ink(listing, INK_HEADING, heading);
    if (!operation->file.len) {
        buf_add_char(out, '\n');
        return;
    }
    Str place =
        str_format(out->arena, "  %.*s:%" PRId64, STR_ARG(operation->file), operation->line);
    buf_add(out, place);
    print_source(listing, width_of(heading) + width_of(place), operation->text);
}

static void print_operation(const Listing *listing, int64_t number, const HwOperation *operation)
{
    print_heading(listing, number, operation);
    if (!operation->commands.count)
        listing_line(listing, "no commands", STR(""));
    for (int64_t i = 0; i < operation->commands.count; i++)
        print_command(listing, &operation->commands.items[i]);
    if (operation->use && listing->verbose)
        listing_record(listing, LISTING_INDENT, "use", &record_of_Use, operation->use);
    else if (operation->use)
        listing_use(listing, operation->use);
}

void listing_print(const Listing *listing, const HwObject *object, const ObjectFacts *facts)
{
    print_head(listing, object, facts);
    print_arguments(listing, object);
    for (int64_t i = 0; i < object->operations.count; i++)
        print_operation(listing, i, &object->operations.items[i]);
}
