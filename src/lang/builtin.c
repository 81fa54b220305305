// What the functions of the prelude do while a program is traced, found by the name of their type
// and their own. What only a running host program needs is not computed here.
#include "lang/trace_internal.h"

#include "base/checked.h"

#include <string.h>

typedef struct {
    Trace *trace;
    const AstExpr *expr;
    const Use *use;
    const Value *args; // of a method: itself first
    int64_t count;
} Call;

static Span span_of(const Call *call)
{
    return call->expr->kind == AST_METHOD ? call->expr->method.name.name.span : call->expr->span;
}

static Type *result_type(const Call *call)
{
    return body_type(call->trace->frame->body, call->expr);
}

static int64_t param_index(const Call *call, const char *name)
{
    const AstItem *item = call->use->decl->item;
    int64_t self = item->function.self != SELF_NONE;
    for (int64_t i = 0; i < item->function.params.count; i++)
        if (strcmp(item->function.params.items[i].pattern->name.text, name) == 0)
            return i + self;
    return -1;
}

// The argument with this name in the prelude.
static Value arg(const Call *call, const char *name)
{
    int64_t index = param_index(call, name);
    return index >= 0 && index < call->count ? value_strip(call->args[index]) : VALUE_NOTHING;
}

// The type that a generic of this name has.
static Type *generic(const Call *call, const char *name)
{
    const Signature *signature = signature_of(call->trace->lang, call->use->decl);
    for (int32_t i = 0; i < signature->generic_count; i++)
        if (strcmp(signature->generics[i]->name.text, name) == 0)
            return type_of(call->use->generics[i]);
    return type_poison(call->trace->lang);
}

static const Dim *generic_dim(const Call *call, const char *name)
{
    return dim_of_type(call->trace, generic(call, name));
}

static MaybeInt generic_int(const Call *call, const char *name)
{
    Type *type = generic(call, name);
    return (MaybeInt){type->kind == TYPE_CONST, type->value};
}

static Value not_known_value(const Call *call)
{
    not_known(call->trace, span_of(call));
    return poison();
}

// ---- views

static const View *view_of(const Call *call, Value value)
{
    value = value_strip(value);
    if (value.kind == VALUE_VIEW)
        return value.view;
    if (value.kind == VALUE_TENSOR)
        return builder_view(call->trace->builder, value.tensor, false, span_of(call));
    return NULL;
}

static Value make_view(const Call *call, bool is_mut)
{
    Value tensor = value_strip(call->args[0]);
    if (tensor.kind != VALUE_TENSOR)
        return tensor.kind == VALUE_POISON ? tensor : VALUE_NOTHING;
    return (Value){.kind = VALUE_VIEW,
                   .view =
                       builder_view(call->trace->builder, tensor.tensor, is_mut, span_of(call))};
}

static Value view(const Call *call)
{
    return make_view(call, false);
}

static Value view_mut(const Call *call)
{
    return make_view(call, true);
}

static const struct {
    const char *method, *generic;
    Level level;
} tile_methods[] = {
    {"tile", "Element2", LEVEL_ELEMENT},
    {"chip_tile", "Chip2", LEVEL_CHIP},
    {"cluster_tile", "Cluster2", LEVEL_CLUSTER},
    {"slice_tile", "Slice2", LEVEL_SLICE},
};

static Value tile(const Call *call)
{
    size_t row = 0;
    while (strcmp(tile_methods[row].method, call->use->decl->name) != 0)
        row++;
    const View *from = view_of(call, call->args[0]);
    const Dim *dim = generic_dim(call, tile_methods[row].generic);
    MaybeInt length = generic_int(call, "LEN");
    Tile made = {.level = tile_methods[row].level,
                 .index = generic_dim(call, "Index"),
                 .length = length.value,
                 .start = maybe_int(arg(call, "start")),
                 .span = span_of(call)};
    if (!from || !dim || !made.index || !length.known)
        return poison();
    return (Value){.kind = VALUE_VIEW,
                   .view = builder_tile(call->trace->builder, from, &made, dim)};
}

// ---- moves

static Context dma_context(const Call *call)
{
    const AstExprs *exprs =
        call->expr->kind == AST_METHOD ? &call->expr->method.args : &call->expr->call.args;
    Type *types[8] = {
        type_strip(call->use->self ? call->use->self : type_poison(call->trace->lang))};
    int64_t count = 1;
    for (int64_t i = 0; i < exprs->count && count < 8; i++)
        types[count++] = type_strip(body_type(call->trace->frame->body, exprs->items[i]));
    for (int64_t i = 0; i < count; i++) {
        Type *type = types[i];
        if (type_is_named(type, "TuContext"))
            return CONTEXT_SUB;
        if (!type_is_named(type, "DmaContext"))
            continue;
        Type *value = type_of(type->args[0]);
        return value->kind == TYPE_CONST && value->value == 1 ? CONTEXT_PDMA : CONTEXT_TDMA;
    }
    return CONTEXT_TDMA;
}

static Op new_op(const Call *call, OpKind kind, const View *source, const View *target)
{
    return (Op){.kind = kind,
                .method = call->use->decl->name,
                .span = span_of(call),
                .context = dma_context(call),
                .source = source,
                .target = target};
}

// The operation writes a tensor of the type of the call.
static Value run_to_new(const Call *call, Op *op, Value address)
{
    Value tensor =
        new_tensor(call->trace, result_type(call), ORIGIN_RESULT, address, span_of(call));
    if (tensor.kind != VALUE_TENSOR || !op->source)
        return poison();
    op->target = builder_view(call->trace->builder, tensor.tensor, true, span_of(call));
    builder_op(call->trace->builder, op);
    return tensor;
}

static Value move_to_new(const Call *call)
{
    Op op = new_op(call, OP_MOVE, view_of(call, call->args[0]), NULL);
    return run_to_new(call, &op, arg(call, "address"));
}

static Value run_to_view(const Call *call, OpKind kind)
{
    const View *target = view_of(call, arg(call, "dst"));
    Op op = new_op(call, kind, view_of(call, call->args[0]), target);
    if (!op.source || !target)
        return poison();
    builder_op(call->trace->builder, &op);
    return list_value(call->trace, NULL, 0);
}

static Value move_to_view(const Call *call)
{
    return run_to_view(call, OP_MOVE);
}

static Value parallel_copy(const Call *call)
{
    return run_to_view(call, OP_PARALLEL_COPY);
}

static const int64_t *pattern_of(const Call *call, const char *name, int64_t *count)
{
    Value list = arg(call, name);
    if (list.kind != VALUE_LIST)
        return NULL;
    int64_t *pattern =
        arena_new(call->trace->lang->arena, int64_t, (size_t)max_i64(1, list.list->count));
    for (int64_t i = 0; i < list.list->count; i++) {
        MaybeInt item = maybe_int(list.list->items[i]);
        if (!item.known)
            return NULL;
        pattern[i] = item.value;
    }
    *count = list.list->count;
    return pattern;
}

static Value shuffle(const Call *call)
{
    bool chips = strstr(call->use->decl->name, "chip") != NULL;
    bool hbm = strncmp(call->use->decl->name, "hbm", 3) == 0;
    Op op = new_op(call, chips ? OP_CHIP_SHUFFLE : OP_CLUSTER_SHUFFLE,
                   view_of(call, arg(call, hbm ? "tensor" : "view")), NULL);
    op.pattern = pattern_of(call, "pattern", &op.pattern_count);
    op.declared_count = generic_int(call, chips ? "CHIP_DIM" : "CLUSTER_DIM").value;
    return op.pattern ? run_to_new(call, &op, VALUE_NOTHING) : not_known_value(call);
}

static Value slice(const Call *call)
{
    bool chips = strstr(call->use->decl->name, "chip") != NULL;
    Op op = new_op(call, chips ? OP_CHIP_SLICE : OP_CLUSTER_SLICE, view_of(call, arg(call, "view")),
                   NULL);
    op.context = CONTEXT_SUB;
    op.pattern = pattern_of(call, "indices", &op.pattern_count);
    op.declared_count = generic_int(call, chips ? "CHIP_DIM" : "CLUSTER_DIM").value;
    op.key = generic_dim(call, "AxisToSlice");
    op.sliced = generic_dim(call, "AxisSlicedElement");
    if (!op.key || !op.sliced)
        return poison();
    return op.pattern ? run_to_new(call, &op, VALUE_NOTHING) : not_known_value(call);
}

static Value scatter(const Call *call)
{
    Op op =
        new_op(call, OP_SCATTER, view_of(call, call->args[0]), view_of(call, arg(call, "output")));
    op.index = view_of(call, arg(call, "index"));
    op.key = generic_dim(call, "Key");
    Value scaled = arg(call, "scaled");
    op.scaled = scaled.kind == VALUE_BOOL && scaled.boolean;
    if (!op.source || !op.target || !op.index || !op.key)
        return poison();
    builder_op(call->trace->builder, &op);
    return list_value(call->trace, NULL, 0);
}

static Value gather(const Call *call)
{
    Op op = new_op(call, OP_GATHER, view_of(call, call->args[0]), NULL);
    op.index = view_of(call, arg(call, "index"));
    return op.index ? run_to_new(call, &op, arg(call, "address")) : poison();
}

// ---- tensors

static Value from_address(const Call *call)
{
    return new_tensor(call->trace, result_type(call), ORIGIN_ADDRESS, arg(call, "address"),
                      span_of(call));
}

static Value host_tensor(const Call *call)
{
    return new_tensor(call->trace, result_type(call), ORIGIN_PARAM, VALUE_NOTHING, span_of(call));
}

static Value random_tensor(const Call *call)
{
    Type *type = result_type(call);
    Scalar scalar;
    bool none = type->arg_count && scalar_of_type(type->args[0], &scalar) &&
                scalar_traits[scalar].random == SCALAR_RANDOM_NONE;
    if (none)
        diag_add(call->trace->lang->diags, DIAG_GENERIC_KIND, span_of(call),
                 "there are no random numbers of type %s", scalar_name(scalar));
    return none ? poison() : host_tensor(call);
}

static Value reshape(const Call *call)
{
    Value from = value_strip(call->args[0]);
    Tensor to = {.origin = ORIGIN_RESHAPE, .span = span_of(call)};
    if (from.kind != VALUE_TENSOR || !tensor_shape(call->trace, result_type(call), &to))
        return poison();
    to.address = from.tensor->address;
    to.storage = from.tensor->storage ? from.tensor->storage : from.tensor;
    return (Value){.kind = VALUE_TENSOR,
                   .tensor = builder_reshape(call->trace->builder, from.tensor, &to)};
}

static Value address(const Call *call)
{
    Value self = value_strip(call->args[0]);
    const Tensor *tensor = self.kind == VALUE_TENSOR ? self.tensor
                           : self.kind == VALUE_VIEW ? self.view->tensor
                                                     : NULL;
    return tensor && tensor->address.known ? value_int(tensor->address.value) : VALUE_NOTHING;
}

static Value acquire(const Call *call)
{
    (void)call;
    return (Value){.kind = VALUE_CONTEXT};
}

// What a kernel gives back: something of the type it says.
static Value launch(const Call *call)
{
    return param_value(call->trace, result_type(call), NULL, span_of(call));
}

// ---- passes

static Value begin(const Call *call)
{
    return trace_begin(call->trace, call->expr, call->use, call->args, false);
}

static Value begin_interleaved(const Call *call)
{
    return trace_begin(call->trace, call->expr, call->use, call->args, true);
}

// The stage of a method: by its name without what only tells how it is called.
static StageKind stage_of(const char *method)
{
    Str name = str_from(method);
    static const char *const endings[] = {"_with_mode", "_with_table", "_with_zero_points",
                                          "_with_zero_point"};
    for (size_t i = 0; i < COUNT_OF(endings); i++) {
        Str ending = str_from(endings[i]);
        if (name.len > ending.len &&
            str_equal(str_slice(name, name.len - ending.len, name.len), ending))
            name.len -= ending.len;
    }
    for (StageKind kind = STAGE_INPUT + 1; kind < STAGE_COUNT; kind++)
        if (str_equal(str_from(stages[kind].method), name))
            return kind;
    return STAGE_COUNT;
}

static Value stage(const Call *call)
{
    StageKind kind = stage_of(call->use->decl->name);
    return kind == STAGE_COUNT
               ? VALUE_NOTHING
               : trace_stage(call->trace, call->expr, call->use, kind, call->args, call->count);
}

// ---- operands

static Value rhs(const Call *call)
{
    Operand operand;
    bool too_many = false;
    Scalar element = SCALAR_F32;
    if (result_type(call)->arg_count)
        scalar_of_type(result_type(call)->args[0], &element);
    Type *type = body_type(call->trace->frame->body, call->expr->call.args.items[0]);
    if (read_operands(call->args[0], type, element, &operand, &too_many, span_of(call)) != 1)
        return not_known_value(call);
    if (param_index(call, "operand1") >= 0)
        operand.second = scalar_bits(arg(call, "operand1"), SCALAR_F32);
    if (param_index(call, "id") >= 0)
        read_condition(arg(call, "id"), &operand.condition);
    return operand_value(call->trace, operand);
}

static Value stash_operand(const Call *call)
{
    Operand operand = {.kind = OPERAND_STASH, .span = span_of(call)};
    if (param_index(call, "id") >= 0)
        read_condition(arg(call, "id"), &operand.condition);
    return operand_value(call->trace, operand);
}

static Value array_vec(const Call *call)
{
    return call->count ? value_strip(call->args[0]) : list_value(call->trace, NULL, 0);
}

static Value division(const Call *call)
{
    Value self = value_strip(call->args[0]);
    ArgMode mode = MODE_DEFAULT;
    if (self.kind != VALUE_VARIANT || !read_mode(arg(call, "mode"), &mode))
        return poison();
    return (Value){.kind = VALUE_DIVISION, .division = {self.variant.decl, mode}};
}

static Value lookup_table(const Call *call)
{
    Value list = arg(call, "entries");
    FetchAdapter *adapter = arena_new(call->trace->lang->arena, FetchAdapter, 1);
    adapter->has_table = true;
    if (!scalar_of_type(generic(call, "D2"), &adapter->table_type))
        return poison();
    if (list.kind == VALUE_LIST) {
        uint32_t *table =
            arena_new(call->trace->lang->arena, uint32_t, (size_t)max_i64(1, list.list->count));
        for (int64_t i = 0; i < list.list->count; i++)
            table[i] = scalar_bits(list.list->items[i], adapter->table_type);
        adapter->table = table;
        adapter->table_count = list.list->count;
    }
    return (Value){.kind = VALUE_TABLE, .table = adapter};
}

static Value ident(const Call *call)
{
    Value name = arg(call, "name");
    if (name.kind != VALUE_STRING)
        return VALUE_NOTHING;
    const char *text = intern(&call->trace->lang->names, name.text);
    return (Value){.kind = VALUE_IDENT, .ident = {NULL, text}};
}

// ---- lists

static Value iterate(const Call *call)
{
    Value list = value_strip(call->args[0]);
    if (list.kind != VALUE_LIST)
        return list.kind == VALUE_RANGE ? list : VALUE_NOTHING;
    bool by_ref = strcmp(call->use->decl->name, "into_iter") != 0;
    return (Value){.kind = VALUE_ITEMS, .items = {list.list, by_ref, false}};
}

static Value enumerate(const Call *call)
{
    Value items = value_strip(call->args[0]);
    if (items.kind != VALUE_ITEMS || items.items.enumerate)
        return VALUE_NOTHING;
    items.items.enumerate = true;
    return items;
}

static Value length(const Call *call)
{
    Value list = value_strip(call->args[0]);
    return list.kind == VALUE_LIST ? value_int(list.list->count) : VALUE_NOTHING;
}

static Value same(const Call *call)
{
    return value_strip(call->args[0]);
}

// What `default()` gives of the enums of the language.
static Value default_value(const Call *call)
{
    static const struct {
        const char *type, *variant;
    } defaults[] = {{"BranchMode", "Unconditional"},
                    {"UnaryArgMode", "Mode0"},
                    {"BinaryArgMode", "Mode01"},
                    {"TernaryArgMode", "Mode012"},
                    {"ValidBranchIds", "ValidAlways"}};
    Type *type = result_type(call);
    for (size_t i = 0; i < COUNT_OF(defaults); i++)
        if (type_is_named(type, defaults[i].type)) {
            const char *name = lang_name(call->trace->lang, defaults[i].variant);
            const Decl *variant = map_get(&type->decl->variants, name);
            return (Value){.kind = VALUE_VARIANT, .variant = {variant, NULL}};
        }
    return VALUE_NOTHING;
}

// ---- the table

typedef Value (*Builtin)(const Call *call);

static const struct {
    const char *type; // NULL: any
    const char *name; // NULL: every function of the type
    Builtin run;
} builtins[] = {
    {"TuContext", "begin", begin},
    {"TuContext", "begin_interleaved", begin_interleaved},
    {"TuContext", NULL, slice},
    {"DmaContext", NULL, shuffle},
    {"Context", "acquire", acquire},
    {NULL, "launch", launch},
    {"HostTensor", "to_hbm", move_to_new},
    {"HostTensor", "from_buf", host_tensor},
    {"HostTensor", "zero", host_tensor},
    {"HostTensor", "uninit", host_tensor},
    {"HostTensor", "rand", random_tensor},
    {"HbmTensor", "to_host", move_to_new},
    {NULL, "from_addr", from_address},
    {NULL, "address", address},
    {NULL, "to_hbm", move_to_new},
    {NULL, "to_dm", move_to_new},
    {NULL, "to_hbm_view", move_to_view},
    {NULL, "to_dm_view", move_to_view},
    {NULL, "to_dm_view_pcopy", parallel_copy},
    {NULL, "to_dm_pcopy", parallel_copy},
    {NULL, "dma_scatter", scatter},
    {NULL, "dma_gather", gather},
    {"HbmTensor", "view", view},
    {"HbmTensor", "view_mut", view_mut},
    {"DmTensor", "view", view},
    {"DmTensor", "view_mut", view_mut},
    {"DmTensor", "reshape", reshape},
    {"HbmTensorView", "tile", tile},
    {"HbmTensorViewMut", "tile", tile},
    {"DmTensorView", NULL, tile},
    {"DmTensorViewMut", NULL, tile},
    {"StreamTensor", NULL, stage},
    {"AlignedPair", NULL, stage},
    {"ContractionTensor", NULL, stage},
    {"VectorInitTensor", NULL, stage},
    {"VectorTensor", NULL, stage},
    {"VectorTensorPair", NULL, stage},
    {"VeRhs", NULL, rhs},
    {"VeBranchOperand", "always", rhs},
    {"VeBranchOperand", "group", rhs},
    {"VeBranchOperand", "stash_always", stash_operand},
    {"VeBranchOperand", "stash_group", stash_operand},
    {"TernaryOperand", NULL, rhs},
    {"ArrayVec", NULL, array_vec},
    {"FpDivBinaryOp", "with_mode", division},
    {"LookupTable", "new", lookup_table},
    {"Ident", "new", ident},
    {NULL, "iter", iterate},
    {NULL, "iter_mut", iterate},
    {NULL, "into_iter", iterate},
    {"Iter", "enumerate", enumerate},
    {NULL, "len", length},
    {"ValidBranchIds", "from", same},
    {NULL, "default", default_value},
    {NULL, "clone", same},
    {NULL, "to_owned", same},
    {NULL, "into", same},
};

static const char *owner_of(const Decl *decl)
{
    Type *self = decl->impl ? decl->impl->self : NULL;
    return self && self->kind == TYPE_NAMED ? self->decl->name : NULL;
}

static int32_t find_builtin(const Decl *decl)
{
    const char *owner = owner_of(decl);
    for (size_t i = 0; i < COUNT_OF(builtins); i++) {
        bool type = !builtins[i].type || (owner && strcmp(owner, builtins[i].type) == 0);
        if (type && (!builtins[i].name || strcmp(decl->name, builtins[i].name) == 0))
            return (int32_t)i + 1;
    }
    return -1;
}

// What might have been changed is not known any more.
static void forget_places(const Call *call)
{
    const AstItem *item = call->use->decl->item;
    bool self = item->function.self == SELF_REF_MUT;
    for (int64_t i = 0; i < call->count; i++) {
        int64_t param = i - (item->function.self != SELF_NONE);
        const AstType *type = param >= 0 && param < item->function.params.count
                                  ? item->function.params.items[param].type
                                  : NULL;
        bool changes = param < 0 ? self : type && type->kind == AST_TYPE_REF && type->is_mut;
        if (changes && call->args[i].kind == VALUE_REF &&
            value_strip(call->args[i]).kind != VALUE_CONTEXT)
            *call->args[i].place = VALUE_NOTHING;
    }
}

// A function of the standard library. In a kernel it is said when it is not worked out.
static Value trace_std(const Call *call)
{
    Trace *trace = call->trace;
    StdCall std = {.trace = trace,
                   .name = call->use->decl->name,
                   .args = call->args,
                   .count = call->count,
                   .type = result_type(call),
                   .generic = call->use->generics &&
                                      signature_of(trace->lang, call->use->decl)->generic_count
                                  ? call->use->generics[0]
                                  : NULL};
    Value value;
    if (std_call(&std, &value))
        return value;
    bool known = true; // made of values that are
    for (int64_t i = 0; i < call->count; i++)
        known &= value_strip(call->args[i]).kind != VALUE_UNKNOWN;
    if (!trace->is_host && known && !trace->uncertain)
        diag_add(trace->lang->diags, DIAG_NOT_FOLLOWED, span_of(call),
                 "what `%s` gives is not worked out while a kernel is traced", std.name);
    forget_places(call);
    return VALUE_NOTHING;
}

Value trace_builtin(Trace *trace, const AstExpr *expr, const Use *use, const Value *args,
                    int64_t count)
{
    Decl *decl = (Decl *)(uintptr_t)use->decl; // its number is found once
    if (!decl->builtin)
        decl->builtin = find_builtin(decl);
    for (int64_t i = 0; i < count; i++)
        if (value_strip(args[i]).kind == VALUE_POISON)
            return poison();
    Call call = {trace, expr, use, args, count};
    trace->steps += OP_STEPS;
    return decl->builtin < 0 ? trace_std(&call) : builtins[decl->builtin - 1].run(&call);
}
