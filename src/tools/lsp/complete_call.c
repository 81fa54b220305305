// A call as a snippet: type arguments and arguments to be filled in, with what follows from the
// receiver written already.
#include "complete.h"
#include "describe.h"
#include "name.h"

#include "lang/signature.h"

#include <string.h>

typedef struct {
    Completion *completion;
    Shape in; // of the receiver
    bool has_shape;
    StrBuf *out;
    int next; // number of the next place to fill in
} Filler;

static Str bracketed(Arena *arena, const Mapping *mapping)
{
    Mapping normal = mapping_normalise(arena, mapping);
    return str_format(arena, "m![%.*s]", STR_ARG(mapping_text(arena, &normal)));
}

// ---- mappings that follow from the receiver

static bool mapping_of(const Filler *filler, Level level, Mapping *mapping)
{
    const Type *dim = filler->has_shape ? filler->in.dims[level] : NULL;
    if (!dim || dim->kind != TYPE_MAPPING || dim->expr->kind == EXPR_POISON)
        return false;
    *mapping = mapping_of_expr(filler->completion->arena, dim->expr);
    return true;
}

// Time and Packet with packets of `lanes` positions: padded to that, or cut.
static bool cut_packet(const Filler *filler, int64_t lanes, Mapping *time, Mapping *packet)
{
    Arena *arena = filler->completion->arena;
    Mapping whole, outer;
    if (lanes < 1 || !mapping_of(filler, LEVEL_TIME, time) ||
        !mapping_of(filler, LEVEL_PACKET, &whole))
        return false;
    if (whole.size % lanes)
        whole = mapping_pad(arena, &whole, (whole.size + lanes - 1) / lanes * lanes, PADDING_TOP);
    mapping_split(arena, &whole, lanes, &outer, packet);
    *time = mapping_pair(arena, time, &outer);
    return true;
}

static const Machine *machine_of(const Filler *filler)
{
    return &filler->completion->query->analysis->contra->machine;
}

static int64_t lanes_of_flit(const Filler *filler, int32_t scalar)
{
    return scalar == SCALAR_NONE
               ? 0
               : machine_of(filler)->flit_bytes * 8 / scalar_traits[scalar].packet_bits;
}

// Time and Packet as elements of a memory, the padding of the packet left out.
static bool elements(const Filler *filler, Mapping *all)
{
    Mapping time, packet;
    if (!mapping_of(filler, LEVEL_TIME, &time) || !mapping_of(filler, LEVEL_PACKET, &packet))
        return false;
    packet = mapping_strip(&packet);
    *all = mapping_pair(filler->completion->arena, &time, &packet);
    return true;
}

// Two packets of 4 lanes make one of 8.
static bool join_packets(const Filler *filler, Mapping *time, Mapping *packet)
{
    Arena *arena = filler->completion->arena;
    Mapping whole, inner, lanes;
    if (!mapping_of(filler, LEVEL_TIME, &whole) || !mapping_of(filler, LEVEL_PACKET, &lanes) ||
        whole.size % 2)
        return false;
    mapping_split(arena, &whole, 2, time, &inner);
    *packet = mapping_pair(arena, &inner, &lanes);
    return true;
}

static bool pad_packet(const Filler *filler, int64_t lanes, Mapping *packet)
{
    if (!mapping_of(filler, LEVEL_PACKET, packet) || packet->size > lanes)
        return false;
    *packet = mapping_pad(filler->completion->arena, packet, lanes, PADDING_TOP);
    return true;
}

// What most casts are to. The flit stays as long as it was.
static int32_t cast_target(int32_t scalar)
{
    return scalar == SCALAR_F32 ? (int32_t)SCALAR_BF16 : (int32_t)SCALAR_I8;
}

// What Time, or else Packet or Element, is behind a stage, as far as it follows from the stream.
// False: it does not.
static bool derive(const Filler *filler, StageKind kind, bool of_time, Mapping *mapping)
{
    Mapping other;
    Mapping *time = of_time ? mapping : &other, *packet = of_time ? &other : mapping;
    int64_t way4 = machine_of(filler)->vector_way4_lanes;
    switch ((int)kind) {
    case STAGE_COLLECT:
        return cut_packet(filler, lanes_of_flit(filler, filler->in.scalar), time, packet);
    case STAGE_VECTOR_SPLIT:
        return cut_packet(filler, way4, time, packet);
    case STAGE_VECTOR_TRIM:
        if (!mapping_of(filler, LEVEL_PACKET, packet) || packet->size < way4)
            return false;
        *packet = mapping_resize(filler->completion->arena, packet, way4);
        return true;
    case STAGE_VECTOR_CONCAT:
        return join_packets(filler, time, packet);
    case STAGE_VECTOR_PAD:
        return pad_packet(filler, machine_of(filler)->vector_way8_lanes, packet);
    case STAGE_CAST:
        return !of_time &&
               pad_packet(filler, lanes_of_flit(filler, cast_target(filler->in.scalar)), packet);
    case STAGE_CONTRACT:
        *mapping = mapping_identity();
        return !of_time;
    case STAGE_COMMIT:
    case STAGE_COMMIT_VIEW:
    case STAGE_TO_VRF:
        return elements(filler, mapping);
    }
    return mapping_of(filler, of_time ? LEVEL_TIME : LEVEL_PACKET, mapping);
}

// ---- type arguments

// Which dimension a type parameter is named after: `Time2`, `OutTime` and `OTime` are of Time.
static Level level_of_param(const char *name)
{
    for (Level level = 0; level < LEVEL_COUNT; level++) {
        const char *found = strstr(name, level_names[level]);
        if (found && (found == name || strncmp(name, "Out", 3) == 0 || name[0] == 'O'))
            return level;
    }
    return LEVEL_COUNT;
}

// A name in scope that is called as the parameter is: `Slice`.
static bool is_alias(const Filler *filler, const char *name)
{
    Completion *completion = filler->completion;
    const Decl *decl = completion->scope
                           ? module_lookup(completion->lang, completion->scope,
                                           lang_name(completion->lang, name), SPACE_TYPE)
                           : NULL;
    return decl && decl->kind == DECL_ALIAS && !decl->is_builtin;
}

static Str mapping_argument(const Filler *filler, const Decl *decl, const char *name)
{
    Arena *arena = filler->completion->arena;
    StageKind kind = stage_of_method(decl->name);
    Level level = level_of_param(name);
    Mapping mapping;
    bool written = level < LEVEL_COUNT && is_alias(filler, level_names[level]);
    if (written && level <= LEVEL_SLICE)
        return str_from(level_names[level]);
    bool element = level == LEVEL_ELEMENT &&
                   (kind == STAGE_COMMIT || kind == STAGE_COMMIT_VIEW || kind == STAGE_TO_VRF);
    bool stream = kind < STAGE_COUNT && (level == LEVEL_TIME || level == LEVEL_PACKET || element);
    if (stream && derive(filler, kind, level == LEVEL_TIME, &mapping))
        return bracketed(arena, &mapping);
    if (level < LEVEL_COUNT && mapping_of(filler, level, &mapping))
        return bracketed(arena, &mapping);
    return STR("_");
}

static Str scalar_argument(const Filler *filler, const Decl *decl)
{
    int32_t scalar = filler->in.scalar;
    if (!filler->has_shape || scalar == SCALAR_NONE)
        return STR("_");
    if (stage_of_method(decl->name) == STAGE_CAST)
        scalar = cast_target(scalar);
    return str_from(scalar_name((Scalar)scalar));
}

// The axis that is innermost in a packet.
static Str axis_argument(const Filler *filler, const char *name)
{
    const Type *packet = filler->has_shape ? filler->in.dims[LEVEL_PACKET] : NULL;
    AtomList axes = {0};
    if (packet && packet->kind == TYPE_MAPPING)
        expr_axes(filler->completion->arena, packet->expr, &axes);
    return str_from(axes.count ? axes.items[axes.count - 1]->name : name);
}

// ---- places to fill in

static void add_place(Filler *filler, Str text)
{
    buf_printf(filler->out, "${%d:", filler->next++);
    for (int64_t i = 0; i < text.len; i++) {
        if (strchr("$}\\", text.data[i]))
            buf_add_char(filler->out, '\\');
        buf_add_char(filler->out, text.data[i]);
    }
    buf_add_char(filler->out, '}');
}

static void add_type_arguments(Filler *filler, const Decl *decl, const Signature *signature)
{
    StrBuf *out = filler->out;
    bool any = false;
    for (int32_t i = signature->own_start; i < signature->own_end; i++) {
        GenericKind kind = signature->kinds[i];
        const char *name = signature->generics[i]->name.text;
        buf_add(out, any ? STR(", ") : STR("::<"));
        any = true;
        add_place(filler, kind == GENERIC_MAPPING  ? mapping_argument(filler, decl, name)
                          : kind == GENERIC_SCALAR ? scalar_argument(filler, decl)
                          : kind == GENERIC_AXIS   ? axis_argument(filler, name)
                                                   : STR("_"));
    }
    if (any)
        buf_add_char(out, '>');
}

// Whether the compiler cannot know them from the arguments.
static bool needs_type_arguments(const Decl *decl, const Signature *signature)
{
    if (!decl->is_builtin)
        return false;
    for (int32_t i = signature->own_start; i < signature->own_end; i++)
        if (signature->kinds[i] != GENERIC_MAPPING && signature->kinds[i] != GENERIC_SCALAR &&
            signature->kinds[i] != GENERIC_AXIS && signature->kinds[i] != GENERIC_NUMBER)
            return false;
    bool begins = strncmp(decl->name, "begin", 5) == 0;
    return signature->own_end > signature->own_start && !begins;
}

// ---- arguments

typedef struct {
    const char *name; // of a variable that is a Context
} ContextSearch;

static void find_context(void *own, const char *name, Type *type)
{
    ContextSearch *search = own;
    if (!search->name && type && type_is_named(type_strip(type), "Context"))
        search->name = name;
}

// A context of the device: `&mut ctx.tdma`. "": the parameter is none.
static Str context_argument(Completion *completion, Type *param)
{
    static const char *const fields[2][2] = {{"main", "sub"}, {"tdma", "pdma"}};
    Type *type = type_strip(param);
    bool dma = type_is_named(type, "DmaContext");
    if ((!dma && !type_is_named(type, "TuContext")) || type_of(param)->kind != TYPE_REF)
        return STR("");
    const Type *which = type_of(type->args[0]);
    ContextSearch search = {0};
    each_local(completion, find_context, &search);
    int64_t index = which->kind == TYPE_CONST ? which->value : 0;
    if (!search.name || index < 0 || index > 1)
        return STR("");
    return str_format(completion->arena, "&mut %s.%s", search.name, fields[dma][index]);
}

// The operators that `impl LogicBinaryOp<D>` stands for, by the type of the stream.
static const Decl *family_of(const Completion *completion, const Type *trait, int32_t scalar)
{
    size_t length = trait->name ? strlen(trait->name) : 0;
    for (VectorFamily i = 0; length && i < FAMILY_COUNT; i++) {
        const char *name = vector_families[i].name;
        bool fits = (int32_t)vector_families[i].type == scalar &&
                    strncmp(name, trait->name, length) == 0 && strlen(name) == length + 3;
        if (fits)
            return map_get(&completion->lang->prelude->names[SPACE_TYPE],
                           lang_name(completion->lang, name));
    }
    return NULL;
}

Choices choices_for(Completion *completion, Type *param, int32_t scalar)
{
    Choices choices = {0};
    Str context = context_argument(completion, param);
    const Type *type = type_of(param);
    const Decl *decl = type->kind == TYPE_NAMED  ? type->decl
                       : type->kind == TYPE_IMPL ? family_of(completion, type, scalar)
                                                 : NULL;
    if (context.len)
        *array_push(completion->arena, &choices, Str) = context;
    if (!decl || decl->kind != DECL_ENUM || !decl->item ||
        decl->scope == completion->lang->std_prelude)
        return choices;
    for (int64_t i = 0; i < decl->item->variants.count; i++) {
        const AstVariant *each = &decl->item->variants.items[i];
        const Decl *variant = enum_variant(decl, each->name.text);
        if (variant && !each->fields.count && !is_taken(completion, variant))
            *array_push(completion->arena, &choices, Str) =
                str_format(completion->arena, "%s::%s", decl->name, each->name.text);
    }
    return choices;
}

static const char *param_name(const Decl *decl, int64_t index)
{
    const AstParams *params = &decl->item->function.params;
    const AstPattern *pattern = index < params->count ? params->items[index].pattern : NULL;
    return pattern && pattern->kind == PATTERN_BIND ? pattern->name.text : "_";
}

static void add_arguments(Filler *filler, const Decl *decl, const Signature *signature)
{
    const AstParams *params = &decl->item->function.params;
    int32_t first = signature->param_count - (int32_t)params->count; // itself is one of them
    buf_add_char(filler->out, '(');
    for (int64_t i = 0; i < params->count; i++) {
        int32_t at = first + (int32_t)i;
        Type *type = at >= 0 && at < signature->param_count ? signature->params[at] : NULL;
        Choices known =
            type ? choices_for(filler->completion, type, filler->in.scalar) : (Choices){0};
        if (i)
            buf_add(filler->out, STR(", "));
        add_place(filler, known.count ? known.items[0] : str_from(param_name(decl, i)));
    }
    buf_add_char(filler->out, ')');
}

static Str function_snippet(Completion *completion, const Decl *decl, Type *self)
{
    Lang *lang = completion->lang;
    StrBuf out = {.arena = completion->arena};
    Filler filler = {.completion = completion, .out = &out, .next = 1};
    int64_t said = lang->diags->count;
    const Signature *signature = signature_of(lang, decl);
    diag_forget(lang->diags, said);
    filler.in.scalar = SCALAR_NONE;
    if (self)
        filler.has_shape = shape_of_type(self, &filler.in);
    buf_printf(&out, "%s", decl->name);
    if (needs_type_arguments(decl, signature))
        add_type_arguments(&filler, decl, signature);
    add_arguments(&filler, decl, signature);
    return buf_str(&out);
}

static Str variant_snippet(Completion *completion, const Decl *decl)
{
    const AstVariant *variant = decl->variant;
    StrBuf out = {.arena = completion->arena};
    Filler filler = {.completion = completion, .out = &out, .next = 1};
    bool named = variant->kind == FIELDS_NAMED;
    if (!variant->fields.count)
        return STR("");
    buf_printf(&out, "%s%s", decl->name, named ? " { " : "(");
    for (int64_t i = 0; i < variant->fields.count; i++) {
        const char *name = variant->fields.items[i].name.text;
        buf_add(&out, i ? STR(", ") : STR(""));
        if (named)
            buf_printf(&out, "%s: ", name);
        add_place(&filler, named ? str_from(name) : STR("_"));
    }
    buf_add(&out, named ? STR(" }") : STR(")"));
    return buf_str(&out);
}

Str call_snippet(Completion *completion, const Decl *decl, Type *self)
{
    if (!completion->query->server->client.snippets || completion->has_arguments)
        return STR("");
    if (decl->kind == DECL_VARIANT && decl->variant)
        return variant_snippet(completion, decl);
    bool function = decl->kind == DECL_FN && decl->item && decl->item->kind == ITEM_FN;
    return function ? function_snippet(completion, decl, self) : STR("");
}

// ---- the argument at the cursor

void complete_expected(Completion *completion)
{
    Callee callee;
    Query *query = completion->query;
    if (!cursor_callee(&completion->cursor, &callee) || callee.is_types)
        return;
    Trail trail = trail_at(completion->arena, query->analysis, query->source,
                           cursor_offset(&completion->cursor, callee.name));
    Meaning meaning = meaning_of(query->analysis, &trail, query->source);
    const Decl *decl = meaning.kind == MEANS_DECL ? meaning.decl : NULL;
    if (!decl || decl->kind != DECL_FN || !decl->item || decl->item->kind != ITEM_FN)
        return;
    const Signature *signature = signature_of(completion->lang, decl);
    int64_t at = signature->param_count - decl->item->function.params.count + callee.active;
    bool method = meaning.use && meaning.use->kind == AST_METHOD;
    Type *self = method ? type_in_body(completion, meaning.use->method.receiver) : NULL;
    Shape shape = {.scalar = SCALAR_NONE};
    if (at < 0 || at >= signature->param_count)
        return;
    if (self)
        shape_of_type(self, &shape);
    Choices choices = choices_for(completion, signature->params[at], shape.scalar);
    for (int64_t i = 0; i < choices.count; i++)
        complete_add(completion,
                     &(Item){.label = str_terminated(completion->arena, choices.items[i]),
                             .kind = KIND_MEMBER,
                             .rank = 0});
}
