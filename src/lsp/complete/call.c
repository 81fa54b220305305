// A call as a snippet: type arguments and arguments to be filled in, with what follows from the
// receiver written already.
#include "lsp/answer/answers.h"
#include "lsp/complete/complete.h"
#include "lsp/program/analysis.h"

#include "base/checked.h"
#include "lang/types/signature.h"

#include <string.h>

typedef struct {
    Completion *completion;
    CallSource source;
    Type *result; // of the call
    StrBuf *out;
    int next;     // number of the next place to fill in
    bool unknown; // a place says only what it is for
} Filler;

// ---- type arguments

// Which dimension a type parameter is named after: `Time2`, `OutTime` and `OTime` are of Time.
static Level level_of_param(const char *name)
{
    static const char *const beginnings[] = {"", "O", "Out", "Tile", "Split"};
    for (Level level = 0; level < LEVEL_COUNT; level++) {
        const char *found = strstr(name, level_names[level]);
        for (size_t i = 0; found && i < COUNT_OF(beginnings); i++)
            if ((size_t)(found - name) == strlen(beginnings[i]) &&
                strncmp(name, beginnings[i], strlen(beginnings[i])) == 0)
                return level;
    }
    return LEVEL_COUNT;
}

// A name in scope that is called as the parameter is: `Slice`.
static bool is_alias(const Filler *filler, const char *name)
{
    Completion *completion = filler->completion;
    Decl *decl = completion->scope ? module_lookup(completion->lang, completion->scope,
                                                   lang_name(completion->lang, name), SPACE_TYPE)
                                   : NULL;
    return decl && decl->kind == DECL_ALIAS && !decl->is_builtin;
}

static Str mapping_argument(const Filler *filler, Decl *decl, const char *name)
{
    const CallSource *source = &filler->source;
    Arena *arena = filler->completion->arena;
    StageKind kind = stage_of_method(decl->name);
    Level level = level_of_param(name);
    Mapping mapping;
    Str tile;
    if (tile_argument(source, decl->name, name, &tile))
        return str_format(arena, "m![{}]", tile);
    bool written = level < LEVEL_COUNT && is_alias(filler, level_names[level]);
    if (written && level <= LEVEL_SLICE)
        return str_from(level_names[level]);
    bool taken = kind == STAGE_ALIGN && (level == LEVEL_ROW || strcmp(name, "TrfElement") == 0);
    if (taken) // from the tensor that is the argument
        return STR("_");
    bool found = kind < STAGE_COUNT && level < LEVEL_COUNT
                     ? stage_mapping(source, kind, name, level, &mapping)
                     : move_mapping(source, filler->result, level, &mapping);
    if (!found)
        return STR("_");
    mapping = mapping_normalise(arena, &mapping);
    return str_format(arena, "m![{}]", mapping_text(arena, &mapping));
}

static Str scalar_argument(const Filler *filler, Decl *decl)
{
    int32_t scalar = filler->source.in.scalar;
    if (scalar == SCALAR_NONE)
        return STR("_");
    if (stage_of_method(decl->name) == STAGE_CAST)
        scalar = cast_target(&filler->source);
    return str_from(scalar_name((Scalar)scalar));
}

// ---- places to fill in

static void add_place(Filler *filler, Str text)
{
    if (filler->completion->is_plain) {
        buf_add(filler->out, text);
        return;
    }
    buf_format(filler->out, "${{{}:", filler->next++);
    for (int64_t i = 0; i < text.len; i++) {
        if (strchr("$}\\", text.data[i]))
            buf_add_char(filler->out, '\\');
        buf_add_char(filler->out, text.data[i]);
    }
    buf_add_char(filler->out, '}');
}

static Str type_argument(Filler *filler, Decl *decl, GenericKind kind, const char *name)
{
    switch ((int)kind) {
    case GENERIC_MAPPING:
        return mapping_argument(filler, decl, name);
    case GENERIC_SCALAR:
        return scalar_argument(filler, decl);
    case GENERIC_AXIS:
        return axis_argument(&filler->source, stage_of_method(decl->name), name);
    }
    return strcmp(name, "LEN") == 0 ? STR("1") : STR("_");
}

static void add_type_arguments(Filler *filler, Decl *decl, const Signature *signature)
{
    StrBuf *out = filler->out;
    StageKind stage = stage_of_method(decl->name);
    bool any = false;
    for (int32_t i = signature->own_start; i < signature->own_end; i++) {
        GenericKind kind = signature->kinds[i];
        const char *name = signature->generics[i]->name.text;
        buf_add(out, any ? STR(", ") : STR("::<"));
        any = true;
        Str text = type_argument(filler, decl, kind, name);
        bool inferred = stage == STAGE_ALIGN && i >= signature->own_start + 2; // by the argument
        filler->unknown |= str_equal(text, STR("_")) && !inferred;
        add_place(filler, text);
    }
    if (any)
        buf_add_char(out, '>');
}

// Whether the compiler cannot know them from the arguments.
static bool needs_type_arguments(Decl *decl, const Signature *signature)
{
    if (!decl->is_builtin)
        return false;
    for (int32_t i = signature->own_start; i < signature->own_end; i++)
        if (signature->kinds[i] != GENERIC_MAPPING && signature->kinds[i] != GENERIC_SCALAR &&
            signature->kinds[i] != GENERIC_AXIS && signature->kinds[i] != GENERIC_NUMBER)
            return false;
    bool begins = strcmp(decl->name, "begin") == 0;
    return signature->own_end > signature->own_start && !begins;
}

// ---- arguments

typedef struct {
    const char *wanted; // the name of a type
    int32_t scalar;     // of its elements; SCALAR_NONE: any
    const char *name;   // of the nearest variable of it; NULL: none yet
    Type *type;
    Map seen; // names that hide those of the same name further out
    Lang *lang;
} LocalSearch;

static void find_local(void *own, const char *name, Type *type)
{
    LocalSearch *search = own;
    Shape shape;
    const char *key = lang_name(search->lang, name);
    bool hidden = map_get(&search->seen, key);
    map_put(&search->seen, key, search);
    if (search->name || hidden || !type || !type_is_named(type_strip(type), search->wanted))
        return;
    if (search->scalar != SCALAR_NONE && shape_of_type(type, &shape) &&
        shape.scalar != search->scalar)
        return;
    search->name = name;
    search->type = type_strip(type);
}

Type *local_of_type(Completion *completion, const char *type, int32_t scalar, const char **name)
{
    LocalSearch search = {.wanted = type,
                          .scalar = scalar,
                          .seen = {.arena = completion->arena},
                          .lang = completion->lang};
    each_local(completion, find_local, &search);
    if (name)
        *name = search.name;
    return search.type;
}

// A tensor that fits a parameter, as it is handed over: `&weights`, `x.view()`. "": there is none.
static Str tensor_argument(Completion *completion, Type *param, int32_t scalar)
{
    static const struct {
        const char *wanted, *local, *before, *behind;
    } ways[] = {
        {"TrfTensor", "TrfTensor", "&", ""},
        {"VrfTensor", "VrfTensor", "&", ""},
        {"DmTensorView", "DmTensor", "", ".view()"},
        {"DmTensorViewMut", "DmTensorViewMut", "", ""},
        {"HbmTensorViewMut", "HbmTensorViewMut", "", ""},
    };
    const char *name;
    Shape shape;
    if (shape_of_type(param, &shape) && shape.scalar != SCALAR_NONE)
        scalar = shape.scalar;
    for (size_t i = 0; i < COUNT_OF(ways); i++)
        if (type_is_named(type_strip(param), ways[i].wanted) &&
            local_of_type(completion, ways[i].local, scalar, &name))
            return str_format(completion->arena, "{}{}{}", ways[i].before, name, ways[i].behind);
    return STR("");
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
    const char *name;
    int64_t index = which->kind == TYPE_CONST ? which->value : 0;
    if (!local_of_type(completion, "Context", SCALAR_NONE, &name) || index < 0 || index > 1)
        return STR("");
    return str_format(completion->arena, "&mut {}.{}", name, fields[dma][index]);
}

// The operators that `impl LogicBinaryOp<D>` stands for, by the type of the stream.
static Decl *family_of(const Completion *completion, const Type *trait, int32_t scalar)
{
    size_t length = trait->name ? strlen(trait->name) : 0;
    if (length && strcmp(trait->name, "FpDivision") == 0)
        return decl_in(completion->lang, &completion->lang->prelude->names[SPACE_TYPE],
                       lang_name(completion->lang, "FpDivBinaryOp"));
    for (VectorFamily i = 0; length && i < FAMILY_COUNT; i++) {
        const char *name = vector_families[i].name;
        bool fits = (int32_t)vector_families[i].type == scalar &&
                    strncmp(name, trait->name, length) == 0 && strlen(name) == length + 3;
        if (fits)
            return decl_in(completion->lang, &completion->lang->prelude->names[SPACE_TYPE],
                           lang_name(completion->lang, name));
    }
    return NULL;
}

// What fits a parameter, the likeliest first: contexts of the device, variants. `scalar`: of the
// stream that the call is of, SCALAR_NONE: it is of none.
typedef struct {
    ARRAY(Str);
} Choices;

static Choices choices_for(Completion *completion, Type *param, int32_t scalar)
{
    Choices choices = {0};
    Str context = context_argument(completion, param),
        tensor = tensor_argument(completion, param, scalar);
    const Type *type = type_of(param);
    Decl *decl = type->kind == TYPE_NAMED  ? type->decl
                 : type->kind == TYPE_IMPL ? family_of(completion, type, scalar)
                                           : NULL;
    if (context.len)
        *array_push(completion->arena, &choices, Str) = context;
    if (tensor.len)
        *array_push(completion->arena, &choices, Str) = tensor;
    if (!decl || decl->kind != DECL_ENUM || !decl->item ||
        decl->scope == completion->lang->std_prelude)
        return choices;
    for (int64_t i = 0; i < decl->item->variants.count; i++) {
        const AstVariant *each = &decl->item->variants.items[i];
        Decl *variant = enum_variant(decl, each->name.text);
        if (variant && !each->fields.count && !is_taken(completion, variant))
            *array_push(completion->arena, &choices, Str) =
                str_format(completion->arena, "{}::{}", decl->name, each->name.text);
    }
    return choices;
}

static const char *param_name(Decl *decl, int64_t index)
{
    const AstParams *params = &decl->item->function.params;
    const AstPattern *pattern = index < params->count ? params->items[index].pattern : NULL;
    return pattern && pattern->kind == PATTERN_BIND ? pattern->name.text : "_";
}

static void add_arguments(Filler *filler, Decl *decl, const Signature *signature)
{
    const AstParams *params = &decl->item->function.params;
    int32_t first = signature->param_count - (int32_t)params->count; // itself is one of them
    buf_add_char(filler->out, '(');
    for (int64_t i = 0; i < params->count; i++) {
        int32_t at = first + (int32_t)i;
        Type *type = at >= 0 && at < signature->param_count ? signature->params[at] : NULL;
        Choices known =
            type ? choices_for(filler->completion, type, filler->source.in.scalar) : (Choices){0};
        if (i)
            buf_add(filler->out, STR(", "));
        filler->unknown |= !known.count;
        add_place(filler, known.count ? known.items[0] : str_from(param_name(decl, i)));
    }
    buf_add_char(filler->out, ')');
}

static Filler filler_for(Completion *completion, const CallSource *source, StrBuf *out)
{
    return (Filler){.completion = completion,
                    .source = source ? *source : call_source(completion, NULL, NULL),
                    .out = out,
                    .next = 1};
}

static const Signature *signature_in(Filler *filler, Decl *decl)
{
    Lang *lang = filler->completion->lang;
    int64_t said = lang->diags->count;
    const Signature *signature = signature_of(lang, decl);
    diag_forget(lang->diags, said);
    filler->result = signature->result;
    return signature;
}

static void fill_call(Filler *filler, Decl *decl)
{
    const Signature *signature = signature_in(filler, decl);
    buf_format(filler->out, "{}", decl->name);
    if (needs_type_arguments(decl, signature))
        add_type_arguments(filler, decl, signature);
    add_arguments(filler, decl, signature);
}

static Str function_snippet(Completion *completion, Decl *decl, const CallSource *source)
{
    StrBuf out = {.arena = completion->arena};
    Filler filler = filler_for(completion, source, &out);
    fill_call(&filler, decl);
    return buf_str(&out);
}

Str call_text(Completion *completion, Decl *decl, const CallSource *source)
{
    StrBuf out = {.arena = completion->arena};
    Filler filler = filler_for(completion, source, &out);
    fill_call(&filler, decl);
    return filler.unknown ? STR("") : buf_str(&out);
}

Str type_arguments_text(Completion *completion, Decl *decl, const CallSource *source)
{
    StrBuf out = {.arena = completion->arena};
    Filler filler = filler_for(completion, source, &out);
    const Signature *signature = signature_in(&filler, decl);
    if (!needs_type_arguments(decl, signature))
        return STR("");
    add_type_arguments(&filler, decl, signature);
    return filler.unknown ? STR("") : buf_str(&out);
}

Str switch_snippet(Completion *completion, const CallSource *source, SwitchKind kind)
{
    StrBuf out = {.arena = completion->arena};
    Filler filler = {.completion = completion, .out = &out, .next = 1};
    Proposal proposal;
    if (completion->has_arguments || !switch_proposal(source, kind, &proposal))
        return STR("");
    buf_format(&out, "switch::<");
    add_place(&filler, str_format(completion->arena, "m![{}]", proposal.slice));
    buf_add(&out, STR(", "));
    add_place(&filler, str_format(completion->arena, "m![{}]", proposal.time));
    buf_format(&out, ">(SwitchConfig::{} {{ ", switches[kind].name);
    const SwitchConfig *config = &proposal.config;
    const int64_t sizes[SWITCH_FIELDS] = {config->slice1, config->slice0, config->time0};
    for (int32_t i = 0; i < SWITCH_FIELDS && switches[kind].fields[i]; i++) {
        buf_format(&out, "{}{}: ", i ? ", " : "", switches[kind].fields[i]);
        add_place(&filler, str_format(completion->arena, "{}", sizes[i]));
    }
    buf_add(&out, STR(" })"));
    return buf_str(&out);
}

static Str variant_snippet(Completion *completion, Decl *decl)
{
    const AstVariant *variant = decl->variant;
    StrBuf out = {.arena = completion->arena};
    Filler filler = {.completion = completion, .out = &out, .next = 1};
    bool named = variant->kind == FIELDS_NAMED;
    if (!variant->fields.count)
        return STR("");
    buf_format(&out, "{}{}", decl->name, named ? " { " : "(");
    for (int64_t i = 0; i < variant->fields.count; i++) {
        const char *name = variant->fields.items[i].name.text;
        buf_add(&out, i ? STR(", ") : STR(""));
        if (named)
            buf_format(&out, "{}: ", name);
        add_place(&filler, named ? str_from(name) : STR("_"));
    }
    buf_add(&out, named ? STR(" }") : STR(")"));
    return buf_str(&out);
}

Str call_snippet(Completion *completion, Decl *decl, const CallSource *source)
{
    if (completion->has_arguments)
        return STR("");
    if (decl->kind == DECL_VARIANT && decl->variant)
        return variant_snippet(completion, decl);
    bool function = decl->kind == DECL_FN && decl->item && decl->item->kind == ITEM_FN;
    return function ? function_snippet(completion, decl, source) : STR("");
}

// ---- the argument at the cursor

// What the call around the cursor names. False: there is none.
static bool callee_here(Completion *completion, Callee *callee, Meaning *meaning)
{
    if (!cursor_callee(&completion->cursor, callee))
        return false;
    *meaning = query_meaning(completion->query, cursor_offset(&completion->cursor, callee->name));
    Decl *decl = meaning->kind == MEANS_DECL ? meaning->decl : NULL;
    return decl && ((decl->kind == DECL_FN && decl->item && decl->item->kind == ITEM_FN) ||
                    (decl->kind == DECL_VARIANT && decl->variant));
}

// Without the `&` or `&mut` that stands before the cursor. "": it needs none of them.
static Str behind_sign(const Cursor *cursor, Str choice)
{
    bool mut = cursor_kind(cursor, 1) == TOKEN_MUT && cursor_kind(cursor, 2) == TOKEN_AND;
    Str sign = mut ? STR("&mut ") : cursor_kind(cursor, 1) == TOKEN_AND ? STR("&") : STR("");
    return str_starts_with(choice, sign) ? str_slice(choice, sign.len, choice.len) : STR("");
}

void complete_expected(Completion *completion)
{
    Callee callee;
    Meaning meaning;
    if (!callee_here(completion, &callee, &meaning) || callee.is_types)
        return;
    Decl *decl = meaning.decl;
    const Signature *signature = signature_of(completion->lang, decl);
    int64_t written =
        decl->kind == DECL_FN ? decl->item->function.params.count : signature->param_count;
    int64_t at = signature->param_count - written + callee.active;
    bool method = meaning.use && meaning.use->kind == AST_METHOD;
    Type *self = method ? type_in_body(completion, meaning.use->method.receiver) : NULL;
    Shape shape = {.scalar = SCALAR_NONE};
    if (at < 0 || at >= signature->param_count)
        return;
    if (self)
        shape_of_type(self, &shape);
    Choices choices = choices_for(completion, signature->params[at], shape.scalar);
    for (int64_t i = 0; i < choices.count; i++) {
        Str text = behind_sign(&completion->cursor, choices.items[i]);
        if (text.len)
            complete_add(completion, &(Item){.label = str_terminated(completion->arena, text),
                                             .kind = KIND_MEMBER,
                                             .rank = 0});
    }
}

void complete_scalars(Completion *completion)
{
    Callee callee;
    Meaning meaning;
    if (!callee_here(completion, &callee, &meaning) || !callee.is_types)
        return;
    const Signature *signature = signature_of(completion->lang, meaning.decl);
    int64_t at = signature->own_start + callee.active;
    if (at >= signature->own_end || signature->kinds[at] != GENERIC_SCALAR)
        return;
    for (Scalar scalar = 0; scalar < SCALAR_COUNT; scalar++)
        complete_add(completion, &(Item){.label = scalar_name(scalar),
                                         .kind = KIND_STRUCT,
                                         .rank = 0,
                                         .detail = STR("a type of elements")});
}
