// What decides is not known while tracing: every way is looked at, each with the variables as they
// were before. Behind them the trace goes on once, for all ways that come there: with what the last
// of them left, without numbers that they disagree about, and without what one of them gave away.
#include "lang/eval/trace_internal.h"

#include "base/checked.h"

// ---- variables, and what is in them

enum { MOST_PLACES = 100 * 1000 };

static void add_place(Trace *trace, Places *places, Value *place)
{
    if (places->count >= MOST_PLACES)
        return;
    *array_push(trace->lang->arena, places, Place) = (Place){place, *place};
    const ValueList *list = value_parts(*place);
    for (int64_t i = 0; list && i < list->count; i++)
        add_place(trace, places, &list->items[i]);
}

static Places places_of(Trace *trace)
{
    Places places = {0};
    for (int32_t i = 0; i < trace->frame->body->slot_count; i++)
        add_place(trace, &places, &trace->frame->slots[i]);
    trace->steps += 3 * places.count; // they take room
    return places;
}

static void restore(const Places *places)
{
    for (int64_t i = 0; i < places->count; i++)
        *places->items[i].place = places->items[i].value;
}

static Value join_values(Trace *trace, Value first, Value second);

// Items of two lists, one by one.
static Value join_lists(Trace *trace, const ValueList *first, const ValueList *second)
{
    Value joined = list_value(trace, second->items, second->count);
    for (int64_t i = 0; i < second->count; i++)
        joined.list->items[i] = join_values(trace, first->items[i], second->items[i]);
    return joined;
}

// What is left of two ways. Of two tensors it is the last: which of them does not matter to what
// follows, since both have the same type.
static Value join_values(Trace *trace, Value first, Value second)
{
    bool known = true;
    if (first.kind == VALUE_MOVED || second.kind == VALUE_MOVED)
        return first.kind == VALUE_MOVED ? first : second;
    if (first.kind == VALUE_POISON || second.kind == VALUE_POISON || value_is_unique(second))
        return second;
    bool lists = first.kind == VALUE_LIST && second.kind == VALUE_LIST;
    if (lists && (first.list == second.list || first.list->count == second.list->count))
        return first.list == second.list ? second : join_lists(trace, first.list, second.list);
    bool plain = second.kind == VALUE_BOOL || second.kind == VALUE_INT ||
                 second.kind == VALUE_WIDE || second.kind == VALUE_FLOAT ||
                 second.kind == VALUE_STRING || second.kind == VALUE_VARIANT ||
                 second.kind == VALUE_SMALL || lists;
    bool differ = first.kind != second.kind || (plain && !value_equal(&first, &second, &known));
    return differ ? VALUE_NOTHING : second;
}

// ---- ways

Ways begin_ways(Trace *trace)
{
    trace->uncertain++;
    return (Ways){.before = places_of(trace),
                  .outer = trace->choice,
                  .number = trace->choices++,
                  .result = poison_value()};
}

// Where there are too many, they do not exclude each other.
static int64_t way_bit(int64_t way)
{
    enum { MOST_WAYS = 62 };
    return way < MOST_WAYS ? (int64_t)1 << way : INT64_MAX;
}

static void choose(Trace *trace, const Ways *ways, int64_t bits)
{
    Choice *choice = arena_new(trace->lang->arena, Choice, 1);
    *choice = (Choice){ways->outer, ways->number, bits};
    set_choice(trace, choice);
}

void enter_way(Trace *trace, Ways *ways)
{
    choose(trace, ways, way_bit(ways->count));
    if (ways->count++)
        restore(&ways->before);
    trace->flow = FLOW_ON;
}

void leave_way(Trace *trace, Ways *ways, Value value)
{
    Flow flow = trace->flow;
    trace->maybe_left |= flow == FLOW_RETURN || flow == FLOW_BREAK;
    if (flow != FLOW_ON) {
        ways->left = ways->left == FLOW_ON || ways->left == FLOW_STOP ? flow : ways->left;
        return;
    }
    Places *after = &ways->after;
    for (int64_t i = 0; i < ways->before.count; i++) {
        Value *place = ways->before.items[i].place;
        if (ways->arrived)
            after->items[i].value = join_values(trace, after->items[i].value, *place);
        else
            *array_push(trace->lang->arena, after, Place) = (Place){place, *place};
    }
    ways->result = ways->arrived ? join_values(trace, ways->result, value) : value;
    ways->bits |= way_bit(ways->count - 1);
    ways->arrived++;
}

Value end_ways(Trace *trace, Ways *ways)
{
    trace->uncertain--;
    trace->flow = ways->arrived ? FLOW_ON : ways->left;
    set_choice(trace, ways->outer);
    if (ways->arrived &&
        ways->arrived < ways->count) // what follows belongs to those that come back
        choose(trace, ways, ways->bits);
    if (!ways->arrived)
        return poison_value();
    restore(&ways->after);
    return ways->result;
}

void set_choice(Trace *trace, const Choice *choice)
{
    trace->choice = choice;
    builder_choice(trace->builder, choice);
}
