#include "api/sized.h"

#include "base/checked.h"
#include "engine/sequencer.h"

// What the derivation made lives in the scratch arena; what is given back is copied out of it.
static ContraText kept(Contra *contra, Str text)
{
    return text_of(str_copy(&contra->arena, text));
}

bool contra_is_type(ContraText name)
{
    Scalar type;
    return scalar_parse(str_of(name), &type);
}

static bool parse_type(Contra *contra, ContraText name, Scalar default_type, Scalar *type)
{
    *type = default_type;
    if (!name.length || scalar_parse(str_of(name), type))
        return true;
    StrBuf known = {.arena = &contra->arena};
    for (Scalar i = 0; i < SCALAR_COUNT; i++)
        buf_format(&known, "{}{}", i ? ", " : "", scalar_name(i));
    Diag *diag = request_report(contra, DIAG_TYPE_UNKNOWN, "there is no type `{}`",
                                ((Str){name.data, name.length}));
    diag_help(diag, "the types are {}", buf_str(&known));
    return false;
}

// The expression of a mapping; the result of an operation has none and is read from its text.
static const Expr *expr_or_one(Contra *contra, const ContraMapping *mapping)
{
    if (!mapping)
        return expr_identity(&contra->diags, SPAN_NOWHERE);
    if (mapping->expr)
        return mapping->expr;
    int32_t source = add_source(contra, contra_text("result"), mapping->normal_text);
    return mapping_parse(&contra->scope, &contra->diags, source,
                         contra->sources.items[source].text);
}

static const int64_t *kept_offsets(Contra *contra, const SequenceEntry *entry)
{
    return entry->offsets ? arena_copy(&contra->arena, entry->offsets,
                                       sizeof *entry->offsets * (size_t)entry->size)
                          : NULL;
}

static ContraText entries_text(Contra *contra, const Sequence *sequence, const SequenceStep *step)
{
    StrBuf buf = {.arena = &contra->arena};
    for (int64_t i = 0; i < step->entry_count; i++) {
        const SequenceEntry *entry = &sequence->written.items[step->first_entry + i];
        buf_format(&buf, "{}{} : ", i ? ", " : "", entry->size);
        if (entry->offsets)
            buf_add(&buf, STR("indirect"));
        else
            buf_format(&buf, "{}", entry->stride);
    }
    return text_of(buf_str(&buf));
}

static const ContraSequenceStep *public_steps(Contra *contra, const Sequence *sequence)
{
    int64_t count = sequence->steps.count;
    ContraSequenceStep *steps = arena_new(&contra->arena, ContraSequenceStep, (size_t)count + 1);
    for (int64_t i = 0; i < count; i++) {
        const SequenceStep *step = &sequence->steps.items[i];
        steps[i] =
            (ContraSequenceStep){kept(contra, step->term), entries_text(contra, sequence, step),
                                 kept(contra, step->buffer_after)};
    }
    return steps;
}

static const ContraSequenceEntry *public_entries(Contra *contra, const Sequence *sequence)
{
    int64_t count = sequence->entries.count;
    ContraSequenceEntry *entries =
        arena_new(&contra->arena, ContraSequenceEntry, (size_t)count + 1);
    for (int64_t i = 0; i < count; i++) {
        const SequenceEntry *entry = &sequence->entries.items[i];
        entries[i] = (ContraSequenceEntry){kept(contra, entry->term), entry->size, entry->stride,
                                           kept_offsets(contra, entry)};
    }
    return entries;
}

static const SequenceEngine engines[] = {
    [CONTRA_READ] = SEQUENCE_READ,
    [CONTRA_WRITE] = SEQUENCE_WRITE,
    [CONTRA_FETCH] = SEQUENCE_FETCH,
    [CONTRA_COMMIT] = SEQUENCE_COMMIT,
};

ContraStatus contra_sequence(Contra *contra, const ContraSequenceRequest *given,
                             ContraSequence *result)
{
    CONTRA_FILLS(contra, ContraSequence, result);
    Sequence sequence;
    ContraSequenceRequest whole, *request = &whole;
    if (!sized_take(contra, SIZED_ContraSequenceRequest, given, &whole))
        return CONTRA_INVALID;
    CONTRA_NEEDS(contra, IS_ENUM(request->engine, COUNT_OF(engines)), "an engine that there is");
    const ContraMapping *const mappings[] = {request->buffer, request->time, request->packet};
    for (size_t i = 0; i < COUNT_OF(mappings); i++)
        if (mappings[i])
            CONTRA_OWNS(contra, mappings[i], "a mapping");
    SequenceRequest inner = {
        .machine = &contra->machine,
        .engine = engines[request->engine],
        .context = request->context == CONTRA_SUB ? CONTEXT_SUB : CONTEXT_MAIN,
        .buffer = expr_or_one(contra, request->buffer),
        .time = expr_or_one(contra, request->time),
        .packet = expr_or_one(contra, request->packet),
        .base_bytes = request->base_bytes,
    };
    if (inner.buffer->kind == EXPR_POISON || inner.time->kind == EXPR_POISON ||
        inner.packet->kind == EXPR_POISON)
        return CONTRA_INVALID;
    arena_clear(&contra->scratch);
    if (!parse_type(contra, request->type, SCALAR_I8, &inner.type) ||
        !parse_type(contra, request->cast, inner.type, &inner.cast) ||
        !sequencer_derive(&contra->scratch, &inner, &contra->diags, &sequence))
        return CONTRA_INVALID;
    StrBuf config = {.arena = &contra->arena};
    sequencer_print(&config, &sequence, inner.engine);
    ContraSequence made = {
        .config = text_of(buf_str(&config)),
        .entries = public_entries(contra, &sequence),
        .entry_count = sequence.entries.count,
        .steps = public_steps(contra, &sequence),
        .step_count = sequence.steps.count,
        .merged = sequence.merged,
        .base_offset = sequence.base_offset,
        .time_steps = sequence.time_steps,
        .packet_elements = sequence.packet_elements,
        .packet_bytes = sequence.packet_bytes,
        .packet_size = sequence.packet_size,
        .contiguous_bytes = sequence.contiguous_bytes,
        .access_bytes = sequence.access_bytes,
        .commit_in_bytes = sequence.commit_in_bytes,
        .accesses_per_packet = sequence.accesses_per_packet,
        .cycles = sequence.cycles,
        .buffer_after = text_of(mapping_text(&contra->arena, &sequence.buffer_after)),
        .walks_all = sequence.walks_all,
    };
    sized_give(SIZED_ContraSequence, &made, result);
    return CONTRA_OK;
}
