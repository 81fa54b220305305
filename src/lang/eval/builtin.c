// What the functions of the prelude do while a program is traced, found by the name of their type
// and their own. What only a running host program needs is not computed here.
#include "lang/eval/call.h"
#include "lang/eval/drop.h"

#include "base/checked.h"
#include "lang/host/run_internal.h"
#include "lang/std/std.h"

#include <string.h>

// ---- calls

Span call_span(const Call *call)
{
    if (!call->expr)
        return call->span;
    return call->expr->kind == AST_METHOD ? call->expr->method.name.name.span : call->expr->span;
}

Type *call_type(const Call *call)
{
    if (call->expr)
        return body_type(call->trace->frame->body, call->expr);
    Lang *lang = call->trace->lang;
    return type_instantiate(lang, signature_of(lang, call->use->decl)->result, call->use->generics);
}

int64_t call_param(const Call *call, const char *name)
{
    const AstItem *item = call->use->decl->item;
    int64_t self = item->function.self != SELF_NONE;
    for (int64_t i = 0; i < item->function.params.count; i++)
        if (strcmp(item->function.params.items[i].pattern->name.text, name) == 0)
            return i + self;
    return -1;
}

Value call_arg(const Call *call, const char *name)
{
    int64_t index = call_param(call, name);
    return index >= 0 && index < call->count ? value_strip(call->args[index]) : VALUE_NOTHING;
}

// How it is written; NULL: it is not.
static const AstExpr *arg_expr(const Call *call, const char *name)
{
    bool method = call->expr->kind == AST_METHOD;
    const AstExprs *exprs = method ? &call->expr->method.args : &call->expr->call.args;
    int64_t index = call_param(call, name) - method;
    return (method || call->expr->kind == AST_CALL) && index >= 0 && index < exprs->count
               ? exprs->items[index]
               : NULL;
}

static Span arg_span(const Call *call, const char *name)
{
    const AstExpr *expr = arg_expr(call, name);
    return expr ? expr->span : SPAN_NOWHERE;
}

Type *call_generic(const Call *call, const char *name)
{
    const Signature *signature = signature_of(call->trace->lang, call->use->decl);
    for (int32_t i = 0; i < signature->generic_count; i++)
        if (strcmp(signature->generics[i]->name.text, name) == 0)
            return type_of(call->use->generics[i]);
    return type_poison(call->trace->lang);
}

const Dim *call_dim(const Call *call, const char *name)
{
    return dim_of_type(call->trace, call_generic(call, name));
}

MaybeInt call_number(const Call *call, const char *name)
{
    Type *type = call_generic(call, name);
    return (MaybeInt){type->kind == TYPE_CONST, type->value};
}

static Value not_known_value(const Call *call)
{
    not_known(call->trace, call_span(call));
    return poison_value();
}

// ---- views

static const View *view_of(const Call *call, Value value)
{
    value = value_strip(value);
    if (value.kind == VALUE_VIEW)
        return value.view;
    if (value.kind == VALUE_TENSOR)
        return builder_view(call->trace->builder, value.tensor, false, call_span(call));
    return NULL;
}

static Value make_view(const Call *call, bool is_mut)
{
    Value tensor = value_strip(call->args[0]);
    if (tensor.kind != VALUE_TENSOR)
        return tensor.kind == VALUE_POISON ? tensor : VALUE_NOTHING;
    return (Value){.kind = VALUE_VIEW,
                   .view =
                       builder_view(call->trace->builder, tensor.tensor, is_mut, call_span(call))};
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
    const Dim *dim = call_dim(call, tile_methods[row].generic);
    MaybeInt length = call_number(call, "LEN");
    Tile made = {.level = tile_methods[row].level,
                 .index = call_dim(call, "Index"),
                 .length = length.value,
                 .start = maybe_int(call_arg(call, "start")),
                 .span = call_span(call),
                 .start_span = arg_span(call, "start")};
    if (!from || !dim || !made.index || !length.known)
        return poison_value();
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
                .span = call_span(call),
                .context = dma_context(call),
                .source = source,
                .target = target};
}

// The operation writes a tensor of the type of the call.
static Value run_to_new(const Call *call, Op *op, Value address)
{
    Value tensor = new_tensor(call->trace, call_type(call), ORIGIN_RESULT, address,
                              arg_expr(call, "address"), call_span(call));
    if (tensor.kind != VALUE_TENSOR || !op->source)
        return poison_value();
    op->target = builder_view(call->trace->builder, tensor.tensor, true, call_span(call));
    builder_op(call->trace->builder, op);
    return tensor;
}

static Value move_to_new(const Call *call)
{
    Op op = new_op(call, OP_MOVE, view_of(call, call->args[0]), NULL);
    return run_to_new(call, &op, call_arg(call, "address"));
}

static Value run_to_view(const Call *call, OpKind kind)
{
    const View *target = view_of(call, call_arg(call, "dst"));
    Op op = new_op(call, kind, view_of(call, call->args[0]), target);
    if (!op.source || !target)
        return poison_value();
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
    Value list = call_arg(call, name);
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
                   view_of(call, call_arg(call, hbm ? "tensor" : "view")), NULL);
    op.pattern = pattern_of(call, "pattern", &op.pattern_count);
    op.pattern_span = arg_span(call, "pattern");
    op.declared_count = call_number(call, chips ? "CHIP_DIM" : "CLUSTER_DIM").value;
    return op.pattern ? run_to_new(call, &op, VALUE_NOTHING) : not_known_value(call);
}

static Value slice(const Call *call)
{
    bool chips = strstr(call->use->decl->name, "chip") != NULL;
    Op op = new_op(call, chips ? OP_CHIP_SLICE : OP_CLUSTER_SLICE,
                   view_of(call, call_arg(call, "view")), NULL);
    op.context = CONTEXT_SUB;
    op.pattern = pattern_of(call, "indices", &op.pattern_count);
    op.pattern_span = arg_span(call, "indices");
    op.declared_count = call_number(call, chips ? "CHIP_DIM" : "CLUSTER_DIM").value;
    op.key = call_dim(call, "AxisToSlice");
    op.sliced = call_dim(call, "AxisSlicedElement");
    if (!op.key || !op.sliced)
        return poison_value();
    return op.pattern ? run_to_new(call, &op, VALUE_NOTHING) : not_known_value(call);
}

static Value scatter(const Call *call)
{
    Op op = new_op(call, OP_SCATTER, view_of(call, call->args[0]),
                   view_of(call, call_arg(call, "output")));
    op.index = view_of(call, call_arg(call, "index"));
    op.key = call_dim(call, "Key");
    Value scaled = call_arg(call, "scaled");
    op.scaled = scaled.kind == VALUE_BOOL && scaled.boolean;
    if (!op.source || !op.target || !op.index || !op.key)
        return poison_value();
    builder_op(call->trace->builder, &op);
    return list_value(call->trace, NULL, 0);
}

static Value gather(const Call *call)
{
    Op op = new_op(call, OP_GATHER, view_of(call, call->args[0]), NULL);
    op.index = view_of(call, call_arg(call, "index"));
    return op.index ? run_to_new(call, &op, call_arg(call, "address")) : poison_value();
}

// ---- tensors

static Value from_address(const Call *call)
{
    return new_tensor(call->trace, call_type(call), ORIGIN_ADDRESS, call_arg(call, "address"),
                      arg_expr(call, "address"), call_span(call));
}

static Value host_tensor(const Call *call)
{
    return new_tensor(call->trace, call_type(call), ORIGIN_PARAM, VALUE_NOTHING, NULL,
                      call_span(call));
}

static Value random_tensor(const Call *call)
{
    Type *type = call_type(call);
    Scalar scalar;
    bool none = type->arg_count && scalar_of_type(type->args[0], &scalar) &&
                scalar_traits[scalar].random == SCALAR_RANDOM_NONE;
    if (none)
        diag_add(call->trace->lang->diags, DIAG_GENERIC_KIND, call_span(call),
                 "there are no random numbers of type {}", scalar_name(scalar));
    return none ? poison_value() : host_tensor(call);
}

static Value reshape(const Call *call)
{
    Value from = value_strip(call->args[0]);
    Tensor to = {.origin = ORIGIN_RESHAPE, .span = call_span(call)};
    if (from.kind != VALUE_TENSOR || !tensor_shape(call->trace, call_type(call), &to))
        return poison_value();
    if (call->trace->run)
        run_keep_tensor(call->trace, from.tensor); // its bytes are those of the new one
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
    return param_value(call->trace, call_type(call), NULL, call_span(call));
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

static Value stage(const Call *call)
{
    StageKind kind = stage_of_method(call->use->decl->name);
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
    if (call_type(call)->arg_count)
        scalar_of_type(call_type(call)->args[0], &element);
    Type *type = body_type(call->trace->frame->body, call->expr->call.args.items[0]);
    if (read_operands(call->args[0], type, element, &operand, &too_many, call->expr) != 1)
        return not_known_value(call);
    if (call_param(call, "operand1") >= 0)
        operand.second = scalar_bits(call_arg(call, "operand1"), SCALAR_F32);
    if (call_param(call, "id") >= 0)
        read_condition(call_arg(call, "id"), &operand.condition);
    return operand_value(call->trace, operand);
}

static Value stash_operand(const Call *call)
{
    Operand operand = {.kind = OPERAND_STASH, .span = call_span(call)};
    if (call_param(call, "id") >= 0)
        read_condition(call_arg(call, "id"), &operand.condition);
    return operand_value(call->trace, operand);
}

static Value operand_is_stash(const Call *call)
{
    Value self = value_strip(call->args[0]);
    return self.kind == VALUE_OPERAND ? value_bool(self.operand->kind == OPERAND_STASH)
                                      : VALUE_NOTHING;
}

static Value array_vec(const Call *call)
{
    return call->count ? value_strip(call->args[0]) : list_value(call->trace, NULL, 0);
}

static Value division(const Call *call)
{
    Value self = value_strip(call->args[0]);
    ArgMode mode = MODE_DEFAULT;
    if (self.kind != VALUE_VARIANT || !read_mode(call_arg(call, "mode"), &mode))
        return poison_value();
    return (Value){.kind = VALUE_DIVISION, .division = {self.variant.decl, mode}};
}

static Value lookup_table(const Call *call)
{
    Value list = call_arg(call, "entries");
    FetchAdapter *adapter = arena_new(call->trace->lang->arena, FetchAdapter, 1);
    adapter->has_table = true;
    if (!scalar_of_type(call_generic(call, "D2"), &adapter->table_type))
        return poison_value();
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
    Value name = call_arg(call, "name");
    if (name.kind != VALUE_STRING)
        return VALUE_NOTHING;
    const char *text = intern(&call->trace->lang->names, name.text);
    return (Value){.kind = VALUE_IDENT, .ident = {NULL, text}};
}

// ---- the table

static const BuiltinRow builtins[] = {
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
    {"VeBranchOperand", "is_stash", operand_is_stash},
    {"TernaryOperand", NULL, rhs},
    {"ArrayVec", NULL, array_vec},
    {"FpDivBinaryOp", "with_mode", division},
    {"LookupTable", "new", lookup_table},
    {"Ident", "new", ident},
};

// The type a function belongs to; of a block for all types of a kind, the bound.
static const char *owner_of(Decl *decl)
{
    Type *self = decl->impl ? decl->impl->self : NULL;
    if (!self || self->kind != TYPE_PARAM)
        return self && self->kind == TYPE_NAMED ? self->decl->name : NULL;
    const AstTypes *bounds = &decl->impl->item->generics.items[0].bounds;
    bool named = bounds->count && bounds->items[0]->kind == AST_TYPE_PATH;
    return named ? bounds->items[0]->path.segments.items[0].name.text : NULL;
}

const BuiltinRow *builtin_find(const BuiltinRows *table, Decl *decl)
{
    const char *owner = owner_of(decl);
    for (size_t i = 0; i < table->count; i++) {
        const BuiltinRow *row = &table->rows[i];
        bool type = !row->type || (owner && strcmp(owner, row->type) == 0);
        if (type && (!row->name || strcmp(decl->name, row->name) == 0))
            return row;
    }
    return NULL;
}

static int32_t find_builtin(Decl *decl)
{
    static const BuiltinRows table = {builtins, COUNT_OF(builtins)};
    const BuiltinRow *row = builtin_find(&table, decl);
    return row ? (int32_t)(row - builtins) + 1 : -1;
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

// A host program that is only looked at is not followed through lists and texts.
static bool is_followed(const StdCall *std)
{
    if (!trace_rules(std->trace)->only_looks)
        return true;
    Type *type = type_of(std->type);
    bool plain = type->kind == TYPE_NAMED && type->decl->kind == DECL_PRIM;
    for (int64_t i = 0; i < std->count; i++) {
        ValueKind kind = value_strip(std->args[i]).kind;
        plain |=
            kind == VALUE_BOOL || kind == VALUE_INT || kind == VALUE_WIDE || kind == VALUE_FLOAT;
        if (kind == VALUE_LIST || kind == VALUE_STRING || kind == VALUE_ITER ||
            kind == VALUE_RANGE || kind == VALUE_MAP || kind == VALUE_CLOSURE)
            return false;
        plain |= value_variant(value_strip(std->args[i])) != NULL;
    }
    return plain;
}

// A function of the standard library. In a kernel it is said when it is not worked out.
static Value trace_std(const Call *call)
{
    Trace *trace = call->trace;
    StdCall std = {.trace = trace,
                   .expr = call->expr,
                   .use = call->use,
                   .name = call->use->decl->name,
                   .args = call->args,
                   .count = call->count,
                   .type = call_type(call),
                   .self = call->use->self ? type_of(call->use->self) : NULL,
                   .span = call_span(call)};
    Value value = VALUE_NOTHING;
    if (is_followed(&std) && std_call(&std, &value))
        return value;
    bool known = true; // made of values that are
    for (int64_t i = 0; i < call->count; i++)
        known &= value_strip(call->args[i]).kind != VALUE_UNKNOWN;
    if (trace_rules(trace)->says_panics && known && !trace->uncertain && trace->flow == FLOW_ON)
        diag_add(trace->lang->diags, DIAG_NOT_FOLLOWED, call_span(call),
                 "what `{}` gives is not worked out while {} is traced", std.name,
                 root_words(trace));
    forget_places(call);
    return VALUE_NOTHING;
}

// A host tensor whose mapping repeats an axis may be made and passed on, but no data can move
// through it: its positions are ambiguous. Device tensors have their own rule.
static bool moves_repeated(const Call *call)
{
    static const char *const harmless[] = {"uninit", "view", "view_mut", "clone"};
    Type *self = call->use->self ? type_strip(call->use->self) : NULL;
    if (!self || self->kind != TYPE_NAMED || self->arg_count < 2 ||
        type_of(self->args[1])->kind != TYPE_MAPPING ||
        !(type_is_named(self, "HostTensor") || type_is_named(self, "Tensor")))
        return false;
    for (size_t i = 0; i < COUNT_OF(harmless); i++)
        if (strcmp(call->use->decl->name, harmless[i]) == 0)
            return false;
    DiagList *diags = call->trace->lang->diags;
    if (expr_check_overlap(diags, type_of(self->args[1])->expr))
        return false;
    diag_note(diags->items[diags->count - 1], call_span(call), "used here");
    return true;
}

Value trace_builtin(Trace *trace, const AstExpr *expr, const Use *use, const Value *args,
                    int64_t count, Span span)
{
    Decl *decl = use->decl; // its number is found once
    if (!decl->builtin)
        decl->builtin = find_builtin(decl);
    for (int64_t i = 0; i < count; i++)
        if (value_strip(args[i]).kind == VALUE_POISON)
            return poison_value();
    bool at_once = trace->awaits || (expr && expr == trace->awaited);
    if (trace->run && decl->item->function.is_async && !at_once)
        return future_of_builtin(trace, expr, use, args, count, span);
    if (trace->run && decl->item->function.is_async)
        trace->run->owns = true;
    trace->awaits = false;
    Call call = {trace, expr, use, args, count, span};
    trace->steps += OP_STEPS;
    Value value;
    int64_t errors = trace->lang->diags->error_count, reports = trace->lang->diags->count;
    if (moves_repeated(&call))
        return run_refuse(trace, call_span(&call), reports);
    const DropWatch *watch = trace->run ? drops_watch(trace, use, args, count) : NULL;
    if (!trace->run || !run_builtin(&call, &value)) {
        bool is_std = decl->builtin < 0 || !expr; // those of the device are called, not handed over
        value = is_std ? trace_std(&call) : builtins[decl->builtin - 1].run(&call);
    }
    value = trace->run ? run_settle(&call, value, errors) : value;
    if (watch)
        drops_settle(trace, watch, use, args, count, value);
    return value;
}
