#include "command/listing.h"

#include "command/form.h"

#include <inttypes.h>
#include <string.h>

enum { INDENT = 4 };

void listing_ink(const Listing *listing, Ink ink, Str text)
{
    static const char *const inks[INK_COUNT] = {
        [INK_LABEL] = "\033[32m", [INK_HEADING] = "\033[1m", [INK_SOURCE] = "\033[36m"};
    if (listing->colour && text.len)
        buf_add(listing->out, str_from(inks[ink]));
    buf_add(listing->out, text);
    if (listing->colour && text.len)
        buf_add(listing->out, STR("\033[0m"));
}

// ---- the kernel

static void print_fact(const Listing *listing, const char *label, Str text)
{
    buf_printf(listing->out, "%-9s", label);
    buf_add(listing->out, text);
    buf_add_char(listing->out, '\n');
}

static void print_head(const Listing *listing, const HwObject *object, const ObjectFacts *facts)
{
    Arena *arena = listing->out->arena;
    buf_printf(listing->out, "%-9s", "kernel");
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
        listing_record(listing, INDENT, "argument", &record_of_Argument, argument);
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

// ---- operations

static void print_command(const Listing *listing, const HwCommand *command)
{
    for (int64_t i = 0; i < record_of_Command.count; i++) {
        const Field *field = &record_of_Command.fields[i];
        if (field->kind == FIELD_MAYBE && !field_is_unset(field, command))
            listing_record(listing, INDENT, field->name, field->record,
                           *(const void *const *)field_at(field, command));
    }
}

static void print_operation(const Listing *listing, int64_t number, const HwOperation *operation)
{
    StrBuf *out = listing->out;
    buf_add_char(out, '\n');
    listing_ink(listing, INK_HEADING,
                str_format(out->arena, "#%lld  %s %.*s", (long long)number,
                           context_names[operation->context], STR_ARG(operation->method)));
    if (operation->file.len) {
        buf_printf(out, "  %.*s:%" PRId64 "  ", STR_ARG(operation->file), operation->line);
        listing_ink(listing, INK_SOURCE, operation->text);
    }
    buf_add_char(out, '\n');
    if (!operation->commands.count)
        buf_add(out, STR("    no commands\n"));
    for (int64_t i = 0; i < operation->commands.count; i++)
        print_command(listing, &operation->commands.items[i]);
    if (operation->use)
        listing_record(listing, INDENT, "use", &record_of_Use, operation->use);
}

void listing_print(const Listing *listing, const HwObject *object, const ObjectFacts *facts)
{
    print_head(listing, object, facts);
    print_arguments(listing, object);
    for (int64_t i = 0; i < object->operations.count; i++)
        print_operation(listing, i, &object->operations.items[i]);
}
