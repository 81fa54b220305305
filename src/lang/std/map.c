// Maps and sets. A HashMap or HashSet keeps the order in which its keys came, so that a program
// prints the same on every run; a BTreeMap or BTreeSet keeps its keys sorted.
#include "lang/std/native.h"

#include "base/checked.h"
#include "lang/eval/range.h"

#include <string.h>

struct ValueMap {
    bool is_sorted;
    bool is_set;
    Type *key_type;   // NULL: not known
    ValueList keys;   // in order
    ValueList values; // one a key; of a set none
    int64_t *slots;   // of a hashed one: number of the key + 1, by hash; 0: free
    int64_t capacity; // of these, a power of two
};

// ---- hashes

static uint64_t mix(uint64_t hash, uint64_t more)
{
    hash ^= more + UINT64_C(0x9e3779b97f4a7c15) + (hash << 6) + (hash >> 2);
    return hash * UINT64_C(0xff51afd7ed558ccd);
}

static uint64_t hash_value(Value value)
{
    value = value_strip(value);
    uint64_t hash = 17;
    Decl *variant = value_variant(value);
    Value field;
    if (variant) {
        hash = mix(hash, (uint64_t)variant->index);
        if (value_field(value, &field))
            return mix(hash, hash_value(field));
        value = value.variant.fields ? (Value){.kind = VALUE_LIST, .list = value.variant.fields}
                                     : value_int(variant->index);
    }
    switch (value.kind) {
    case VALUE_BOOL:
        return mix(hash, value.boolean);
    case VALUE_INT:
        return mix(hash, (uint64_t)value.integer);
    case VALUE_WIDE:
        return mix(mix(hash, value.wide[0]), value.wide[1]);
    case VALUE_STRING:
        for (int64_t i = 0; i < value.text.len; i++)
            hash = mix(hash, (uint8_t)value.text.data[i]);
        return hash;
    case VALUE_LIST:
        for (int64_t i = 0; i < value.list->count; i++)
            hash = mix(hash, hash_value(value.list->items[i]));
        return hash;
    case VALUE_SCALAR:
        return mix(hash, value.scalar.bits);
    default:
        return hash;
    }
}

// Keys that the program calls equal must be found in one place: its own `eq` may call any two so.
static uint64_t hash_key(Trace *trace, const ValueMap *map, Value key)
{
    Type *type = map->key_type ? type_strip(map->key_type) : NULL;
    return type && user_method(trace, type, "eq") ? 0 : hash_value(key);
}

static void index_keys(Trace *trace, ValueMap *map)
{
    enum { FIRST_SLOTS = 16 };
    int64_t capacity = FIRST_SLOTS;
    while (capacity < 2 * (map->keys.count + 1))
        capacity *= 2;
    if (capacity > map->capacity) {
        map->slots = arena_new(trace->lang->arena, int64_t, (size_t)capacity);
        map->capacity = capacity;
    } else {
        memset(map->slots, 0, sizeof *map->slots * (size_t)map->capacity);
    }
    for (int64_t i = 0; i < map->keys.count; i++) {
        int64_t at =
            (int64_t)(hash_key(trace, map, map->keys.items[i]) & (uint64_t)(map->capacity - 1));
        while (map->slots[at])
            at = (at + 1) & (map->capacity - 1);
        map->slots[at] = i + 1;
    }
}

// ---- finding

// Where the key is, or where it belongs.
static bool find_sorted(Trace *trace, const ValueMap *map, Value key, int64_t *at)
{
    int64_t low = 0, high = map->keys.count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        int order = 0;
        value_compare(trace, map->keys.items[middle], key, map->key_type, &order);
        if (order == 0) {
            *at = middle;
            return true;
        }
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *at = low;
    return false;
}

static bool find_key(Trace *trace, const ValueMap *map, Value key, int64_t *at)
{
    if (map->is_sorted)
        return find_sorted(trace, map, key, at);
    *at = map->keys.count;
    if (!map->capacity)
        return false;
    int64_t slot = (int64_t)(hash_key(trace, map, key) & (uint64_t)(map->capacity - 1));
    for (; map->slots[slot]; slot = (slot + 1) & (map->capacity - 1)) {
        bool known = true;
        int64_t found = map->slots[slot] - 1;
        if (value_equals(trace, map->keys.items[found], key, map->key_type, &known)) {
            *at = found;
            return true;
        }
    }
    return false;
}

Value *map_find(Trace *trace, ValueMap *map, Value key)
{
    int64_t at;
    if (!find_key(trace, map, key, &at))
        return NULL;
    return map->is_set ? &map->keys.items[at] : &map->values.items[at];
}

// ---- changing

// The place of the value of a key, which is there afterwards. *was: it was before.
static Value *put_key(Trace *trace, ValueMap *map, Value key, bool *was)
{
    int64_t at;
    *was = find_key(trace, map, key, &at);
    if (!*was) {
        list_insert(trace, &map->keys, at, key);
        if (!map->is_set)
            list_insert(trace, &map->values, at, VALUE_NOTHING);
        if (!map->is_sorted && 2 * (map->keys.count + 1) > map->capacity) {
            index_keys(trace, map);
        } else if (!map->is_sorted) {
            int64_t slot = (int64_t)(hash_key(trace, map, key) & (uint64_t)(map->capacity - 1));
            while (map->slots[slot])
                slot = (slot + 1) & (map->capacity - 1);
            map->slots[slot] = at + 1;
        }
    }
    return map->is_set ? &map->keys.items[at] : &map->values.items[at];
}

static void drop_key(Trace *trace, ValueMap *map, int64_t at)
{
    list_remove(&map->keys, at);
    if (!map->is_set)
        list_remove(&map->values, at);
    if (!map->is_sorted)
        index_keys(trace, map);
}

// ---- iterating: `list` are the keys, `state` the map

static bool map_item(Trace *trace, Iter *iter, int64_t at, Value *item)
{
    ValueMap *map = iter->state.map;
    Value key = iter->by_ref ? value_ref(&map->keys.items[at]) : map->keys.items[at];
    if (map->is_set) {
        *item = key;
        return true;
    }
    Value value = iter->by_ref ? value_ref(&map->values.items[at]) : map->values.items[at];
    *item = list_value(trace, (Value[]){key, value}, 2);
    return true;
}

static bool map_next(Trace *trace, Iter *iter, Value *item)
{
    return iter->at < iter->end && map_item(trace, iter, iter->at++, item);
}

static bool map_back(Trace *trace, Iter *iter, Value *item)
{
    return iter->at < iter->end && map_item(trace, iter, --iter->end, item);
}

static Int128 map_size(const Iter *iter)
{
    return iter->end - iter->at;
}

Iter *iter_over_map(Trace *trace, const ValueMap *map, bool by_ref)
{
    return iter_new(trace, (Iter){.next = map_next,
                                  .next_back = map_back,
                                  .size = map_size,
                                  .state = {.kind = VALUE_MAP, .map = (ValueMap *)(uintptr_t)map},
                                  .end = map->keys.count,
                                  .by_ref = by_ref});
}

// ---- making

static bool is_map_type(Type *type)
{
    static const char *const names[] = {"HashMap", "BTreeMap", "HashSet", "BTreeSet"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (type_is_named(type, names[i]))
            return true;
    return false;
}

static Value new_map(Trace *trace, Type *type)
{
    ValueMap *map = arena_new(trace->lang->arena, ValueMap, 1);
    map->is_sorted = type->decl->name[0] == 'B';
    map->is_set = strstr(type->decl->name, "Set") != NULL;
    map->key_type = type->arg_count ? type_of(type->args[0]) : NULL;
    return (Value){.kind = VALUE_MAP, .map = map};
}

static bool add_items(Trace *trace, ValueMap *map, Iter *iter)
{
    Value item;
    bool was;
    while (iter_next(trace, iter, &item)) {
        if (map->is_set) {
            bool keeps = map->key_type && map->key_type->kind == TYPE_REF;
            put_key(trace, map, keeps ? item : value_unlent(item), &was);
            continue;
        }
        Value pair = value_strip(item);
        if (pair.kind != VALUE_LIST || pair.list->count != 2)
            return false;
        *put_key(trace, map, pair.list->items[0], &was) = pair.list->items[1];
    }
    return true;
}

bool map_collect(Trace *trace, Iter *iter, Type *type, Value *result)
{
    if (!is_map_type(type))
        return false;
    *result = new_map(trace, type);
    return add_items(trace, result->map, iter);
}

ValueList *map_list(ValueMap *map, bool keys)
{
    return keys ? &map->keys : &map->values;
}

Value map_copy(Trace *trace, const ValueMap *map)
{
    ValueMap *copy = arena_new(trace->lang->arena, ValueMap, 1);
    *copy = *map;
    copy->slots = NULL;
    copy->capacity = 0;
    copy->keys = *copy_value(trace, list_value(trace, map->keys.items, map->keys.count)).list;
    copy->values = *copy_value(trace, list_value(trace, map->values.items, map->values.count)).list;
    if (!copy->is_sorted)
        index_keys(trace, copy);
    return (Value){.kind = VALUE_MAP, .map = copy};
}

// ---- functions

static ValueMap *map_arg(const StdCall *call, int64_t index)
{
    Value value = std_arg(call, index);
    return value.kind == VALUE_MAP ? value.map : NULL;
}

NATIVE(map_make)
{
    Type *type = type_of(call->type);
    if (!is_map_type(type))
        return false;
    *result = new_map(call->trace, type);
    Iter *iter = call->op ? iter_arg(call, 0) : NULL;
    return !call->op || (iter && add_items(call->trace, result->map, iter));
}

NATIVE(map_length)
{
    ValueMap *map = map_arg(call, 0);
    if (map)
        *result = call->op ? value_bool(!map->keys.count) : value_int(map->keys.count);
    return map;
}

NATIVE(map_insert)
{
    ValueMap *map = map_arg(call, 0);
    bool was;
    if (!map)
        return false;
    Value *place = put_key(call->trace, map, call->args[1], &was);
    if (map->is_set) {
        *result = value_bool(!was);
        return true;
    }
    *result = was ? some_value(call->trace, *place) : none_value(call->trace);
    *place = call->args[2];
    return true;
}

NATIVE(map_get)
{
    ValueMap *map = map_arg(call, 0);
    int64_t at;
    if (!map)
        return false;
    bool there = find_key(call->trace, map, call->args[1], &at);
    if (call->op == GET_CONTAINS) {
        *result = value_bool(there);
        return true;
    }
    *result = none_value(call->trace);
    if (!there)
        return true;
    Value ref = value_ref(map->is_set ? &map->keys.items[at] : &map->values.items[at]);
    if (call->op == GET_PAIR)
        ref = list_value(call->trace, (Value[]){value_ref(&map->keys.items[at]), ref}, 2);
    *result = some_value(call->trace, ref);
    return true;
}

// The key with its value; for a set the key alone.
static Value take_item(const StdCall *call, ValueMap *map, int64_t at)
{
    Value item = map->keys.items[at];
    if (!map->is_set)
        item = list_value(call->trace, (Value[]){item, map->values.items[at]}, 2);
    drop_key(call->trace, map, at);
    return item;
}

NATIVE(map_remove_key)
{
    ValueMap *map = map_arg(call, 0);
    int64_t at;
    if (!map)
        return false;
    *result = none_value(call->trace);
    if (!find_key(call->trace, map, call->args[1], &at))
        return true;
    Value value = map->is_set ? VALUE_NOTHING : map->values.items[at];
    Value item = take_item(call, map, at);
    *result = some_value(call->trace, call->op == MAP_REMOVE_VALUE ? value : item);
    return true;
}

NATIVE(map_iterate)
{
    ValueMap *map = map_arg(call, 0);
    bool by_ref = !call->op || call->args[0].kind == VALUE_REF;
    if (map)
        *result = value_iter(iter_over_map(call->trace, map, by_ref));
    return map;
}

NATIVE(map_parts)
{
    ValueMap *map = map_arg(call, 0);
    if (!map)
        return false;
    ValueList *list = call->op & PART_KEYS ? &map->keys : &map->values;
    *result = value_iter(iter_over_list(call->trace, list, !(call->op & PART_OWNED)));
    return true;
}

NATIVE(map_extend)
{
    ValueMap *map = map_arg(call, 0);
    Iter *iter = iter_arg(call, 1);
    *result = unit_value();
    return map && iter && add_items(call->trace, map, iter);
}

NATIVE(map_pop)
{
    ValueMap *map = map_arg(call, 0);
    if (!map)
        return false;
    *result = none_value(call->trace);
    if (map->keys.count)
        *result = some_value(call->trace,
                             take_item(call, map, call->op == END_FIRST ? 0 : map->keys.count - 1));
    return true;
}

NATIVE(map_range)
{
    ValueMap *map = map_arg(call, 0);
    Value range = std_arg(call, 1);
    if (!map || range.kind != VALUE_RANGE || range.range.is_real)
        return false;
    Iter *iter = iter_over_map(call->trace, map, true);
    if (!range.range.no_start)
        find_key(call->trace, map, range_low(range), &iter->at);
    if (!range.range.open && find_key(call->trace, map, range_high(range), &iter->end))
        iter->end += range.range.inclusive;
    *result = value_iter(iter);
    return true;
}

// ---- entries: the map and the key

NATIVE(map_entry)
{
    ValueMap *map = map_arg(call, 0);
    Value both[] = {{.kind = VALUE_MAP, .map = map}, call->args[1]};
    int64_t at;
    if (!map)
        return false;
    bool there = find_key(call->trace, map, call->args[1], &at);
    Value fields = list_value(call->trace, both, 2);
    const char *name = lang_name(call->trace->lang, there ? "Occupied" : "Vacant");
    *result = variant_value(call->trace, enum_variant(type_of(call->type)->decl, name), &fields, 1);
    return true;
}

// The map and the key of an entry, whether the key is known to be there or not.
static bool entry_arg(const StdCall *call, ValueMap **map, Value **key)
{
    Value self = std_arg(call, 0), inner;
    if (value_variant(self) && value_field(self, &inner))
        self = value_strip(inner);
    if (self.kind != VALUE_LIST || self.list->count != 2)
        return false;
    *map = self.list->items[0].map;
    *key = &self.list->items[1];
    return true;
}

// The value at the key of an entry, inserted if it is missing.
NATIVE(map_or_insert)
{
    ValueMap *map;
    Value *key;
    bool there;
    if (!entry_arg(call, &map, &key))
        return false;
    Value *place = put_key(call->trace, map, *key, &there);
    if (!there)
        *place = call->args[1];
    *result = value_ref(place);
    return true;
}

NATIVE(map_entry_key)
{
    ValueMap *map;
    Value *key;
    if (!entry_arg(call, &map, &key))
        return false;
    *result = call->op ? *key : value_ref(key);
    return true;
}

NATIVE(map_entry_value)
{
    ValueMap *map;
    Value *key;
    Value *place = entry_arg(call, &map, &key) ? map_find(call->trace, map, *key) : NULL;
    if (place)
        *result = value_ref(place);
    return place;
}

NATIVE(map_entry_remove)
{
    ValueMap *map;
    Value *key;
    int64_t at;
    if (!entry_arg(call, &map, &key) || !find_key(call->trace, map, *key, &at))
        return false;
    *result = take_item(call, map, at);
    return true;
}

// The position of a key in the order of the keys, whether it is there or not.
NATIVE(map_place)
{
    ValueMap *map = map_arg(call, 0);
    int64_t at;
    if (!map)
        return false;
    find_key(call->trace, map, call->args[1], &at);
    *result = value_int(at);
    return true;
}
