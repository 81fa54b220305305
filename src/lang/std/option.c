// Option, Result, Ordering, and the values of the library that other files make.
#include "lang/std/native.h"

#include "base/checked.h"

#include <string.h>

// ---- making

static Decl *variant_decl(Trace *trace, StdVariant variant)
{
    static const struct {
        const char *type, *name;
    } names[] = {[STD_NONE] = {"Option", "None"},
                 [STD_SOME] = {"Option", "Some"},
                 [STD_OK] = {"Result", "Ok"},
                 [STD_ERR] = {"Result", "Err"},
                 [STD_LESS] = {"Ordering", "Less"},
                 [STD_EQUAL] = {"Ordering", "Equal"},
                 [STD_GREATER] = {"Ordering", "Greater"}};
    Lang *lang = trace->lang;
    if (!lang->std_variants[variant]) {
        Decl *type = decl_in(lang, &lang->std_prelude->names[SPACE_TYPE],
                             lang_name(lang, names[variant].type));
        lang->std_variants[variant] =
            map_get(&type->variants, lang_name(lang, names[variant].name));
    }
    return lang->std_variants[variant];
}

static Value make(Trace *trace, StdVariant variant, const Value *field)
{
    return variant_value(trace, variant_decl(trace, variant), field, field != NULL);
}

Value some_value(Trace *trace, Value field)
{
    return make(trace, STD_SOME, &field);
}

Value none_value(Trace *trace)
{
    return make(trace, STD_NONE, NULL);
}

Value ok_value(Trace *trace, Value field)
{
    return make(trace, STD_OK, &field);
}

Value err_value(Trace *trace, Value field)
{
    return make(trace, STD_ERR, &field);
}

Value ordering_value(Trace *trace, int order)
{
    return make(trace, order < 0 ? STD_LESS : order == 0 ? STD_EQUAL : STD_GREATER, NULL);
}

bool is_variant(Value value, const char *name)
{
    Decl *decl = value_variant(value);
    return decl && decl->is_builtin && strcmp(decl->name, name) == 0;
}

bool ordering_of(Value value, int *order)
{
    value = value_strip(value);
    *order = is_variant(value, "Less") ? -1 : is_variant(value, "Greater") ? 1 : 0;
    return *order || is_variant(value, "Equal");
}

Value error_value(Trace *trace, const char *display, const char *debug)
{
    Value texts[] = {value_text(str_from(display)), value_text(str_from(debug))};
    return list_value(trace, texts, 2);
}

// ---- looking

typedef struct {
    Value self;  // without references
    Value field; // of Some, Ok or Err
    bool good;   // Some or Ok
    bool option; // else a Result
} Tried;

static bool tried(const StdCall *call, int64_t index, Tried *out)
{
    out->self = std_arg(call, index);
    Decl *decl = value_variant(out->self);
    if (!decl || !decl->parent || !decl->is_builtin)
        return false;
    out->option = strcmp(decl->parent->name, "Option") == 0;
    out->good = is_variant(out->self, "Some") || is_variant(out->self, "Ok");
    out->field = VALUE_NOTHING;
    value_field(out->self, &out->field);
    return out->option || strcmp(decl->parent->name, "Result") == 0;
}

static Value again(const StdCall *call, const Tried *of, Value field)
{
    return of->option ? some_value(call->trace, field) : ok_value(call->trace, field);
}

NATIVE(option_is_good)
{
    Tried self;
    if (!tried(call, 0, &self))
        return false;
    *result = value_bool(self.good == call->op);
    return true;
}

// ---- taking out

static bool panic_on(const StdCall *call, const Tried *self, Str message, Value *result)
{
    Trace *trace = call->trace;
    if (self->option)
        return std_panic(call, result, "{}", message);
    Type *type = type_strip(std_arg_type(call, 0));
    Type *field = type->arg_count == 2 ? type_of(type->args[!self->good]) : NULL;
    StrBuf text = {.arena = trace->lang->arena};
    format_value(trace, &text, self->field, field, &(FormatSpec){.kind = FORMAT_DEBUG});
    return std_panic(call, result, "{}: {}", message, buf_str(&text));
}

NATIVE(option_unwrap)
{
    Tried self;
    if (!tried(call, 0, &self))
        return false;
    *result = self.field;
    if (self.good)
        return true;
    return panic_on(call, &self,
                    self.option ? STR("called `Option::unwrap()` on a `None` value")
                                : STR("called `Result::unwrap()` on an `Err` value"),
                    result);
}

NATIVE(option_expect)
{
    Tried self;
    Str message;
    if (!tried(call, 0, &self) || !std_text(call, 1, &message))
        return false;
    *result = self.field;
    return self.good || panic_on(call, &self, message, result);
}

NATIVE(option_unwrap_or)
{
    Tried self;
    if (!tried(call, 0, &self))
        return false;
    *result = self.good ? self.field : call->args[1];
    return true;
}

// ---- functions of what is in it

NATIVE(option_map)
{
    Tried self;
    if (!tried(call, 0, &self))
        return false;
    *result =
        self.good ? again(call, &self, std_apply(call, call->args[1], &self.field, 1)) : self.self;
    return true;
}

// ---- in place

// References to what is in it.
NATIVE(option_as_ref)
{
    Tried self;
    Value *place = std_place(call, 0);
    if (!tried(call, 0, &self))
        return false;
    *result = self.self;
    if (self.field.kind == VALUE_UNKNOWN)
        return true;
    Value local = self.self;
    ValueList *fields = value_fields(call->trace, place ? place : &local);
    if (!fields)
        return true;
    Value ref = fields->items[0].kind == VALUE_REF && call->op ? fields->items[0]
                                                               : value_ref(&fields->items[0]);
    *result = self.good ? again(call, &self, ref) : err_value(call->trace, ref);
    return true;
}

NATIVE(option_take)
{
    Tried self;
    Value *place = std_place(call, 0);
    if (!place || !tried(call, 0, &self))
        return false;
    *result = self.self;
    *place = none_value(call->trace);
    return true;
}

NATIVE(option_copied)
{
    Tried self;
    if (!tried(call, 0, &self))
        return false;
    Value field = self.field.kind == VALUE_REF ? *self.field.place : self.field;
    *result = self.good ? again(call, &self, copy_value(call->trace, field)) : self.self;
    return true;
}

NATIVE(option_iterate)
{
    Iter *iter = iter_of(call->trace, call->args[0]);
    *result = iter ? value_iter(iter) : VALUE_NOTHING;
    return iter;
}

// ---- Ordering

// Comparators of sort_by end in these, so that they are called once for each comparison.

NATIVE(option_ordering)
{
    int order;
    if (!ordering_of(std_arg(call, 0), &order))
        return false;
    if (call->op == ORDER_REVERSE)
        *result = ordering_value(call->trace, -order);
    else if (order)
        *result = std_arg(call, 0);
    else
        *result =
            call->op == ORDER_THEN ? std_arg(call, 1) : std_apply(call, call->args[1], NULL, 0);
    return true;
}
