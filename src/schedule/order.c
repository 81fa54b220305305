// Orders that somebody pinned: operations that nothing but the program's order keeps apart may
// change places.
#include "base/checked.h"
#include "base/utf8.h"
#include "schedule/hazard.h"
#include "schedule/order_text.h"
#include "schedule/place.h"
#include "schedule/touch.h"
#include "schedule/touch_index.h"

// Operations that an order puts the other way round than the program has them, although they touch
// the same bytes.

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == ',';
}

static bool is_digit_at(Str text, int64_t at)
{
    return at < text.len && text.data[at] >= '0' && text.data[at] <= '9';
}

// `#4` is an operation, as the summary prints it; any other `#` begins a comment.
static bool is_comment_at(Str text, int64_t at)
{
    return text.data[at] == '#' && !is_digit_at(text, at + 1);
}

// Where the next word begins, behind blanks and comments; or the end.
static int64_t next_word(Str text, int64_t at)
{
    bool is_comment = false;
    for (; at < text.len; at++) {
        is_comment = (is_comment || is_comment_at(text, at)) && text.data[at] != '\n';
        if (!is_comment && !is_blank(text.data[at]))
            break;
    }
    return at;
}

static int64_t word_end(Str text, int64_t at)
{
    do
        at++;
    while (at < text.len && !is_blank(text.data[at]) && text.data[at] != '#');
    return at;
}

bool order_read(Arena *arena, DiagList *diags, Str name, Str text, OrderList *order)
{
    for (int64_t at = next_word(text, 0); at < text.len;) {
        int64_t end = word_end(text, at);
        Str word = str_slice(text, at, end);
        Str number = str_slice(word, word.data[0] == '#', word.len);
        if (!str_to_i64(number, array_push(arena, order, int64_t))) {
            diag_add(diags, DIAG_SCHEDULE_ORDER, SPAN_NOWHERE, "`{}` is no list of numbers: `{}`",
                     name, utf8_shown(arena, word));
            return false;
        }
        at = next_word(text, end);
    }
    if (order->count)
        return true;
    Diag *diag =
        diag_add(diags, DIAG_SCHEDULE_ORDER, SPAN_NOWHERE, "`{}` names no operation", name);
    diag_help(
        diag,
        "numbers of operations as in a schedule, such as `4 1` or `#4 #1`; `# ` begins a comment");
    diag_help_typed(diag, "numbers of operations as `contra schedule` prints them, such as `4 1` "
                          "or `#4 #1`; `# ` begins a comment");
    return false;
}

// The pinned operations take the places that they have in the program, in the order they are
// pinned.
static bool pin(Placer *placer, int64_t *sequence, int64_t count)
{
    const ScheduleOptions *options = placer->options;
    bool *is_pinned = arena_new(placer->arena, bool, (size_t)count + 1);
    for (int64_t i = 0; i < options->order_count; i++) {
        int64_t number = options->order[i];
        if (number < 0 || number >= count || is_pinned[number]) {
            if (number < 0 || number >= count)
                diag_add(placer->diags, DIAG_SCHEDULE_ORDER, SPAN_NOWHERE,
                         "the order names operation {}; the kernel has {}, from 0 on", number,
                         count);
            else
                diag_add(placer->diags, DIAG_SCHEDULE_ORDER, SPAN_NOWHERE,
                         "the order names operation {} twice", number);
            return false;
        }
        is_pinned[number] = true;
    }
    for (int64_t i = 0, next = 0; i < count; i++)
        sequence[i] = is_pinned[i] ? options->order[next++] : i;
    return true;
}

static const char *const hazard_words[WAIT_KINDS] = {
    [WAIT_RAW] = "reads what that one writes",
    [WAIT_WAR] = "writes what that one reads",
    [WAIT_WAW] = "writes what that one writes",
};

static void add_place(Diag *diag, const HwOperation *operation, int64_t number)
{
    if (operation->line)
        diag_note(diag, SPAN_NOWHERE, "operation {} is `{}` at {}:{}", number, operation->method,
                  operation->file, operation->line);
}

// Only operations that stand in front of one with a smaller number, or behind one with a larger,
// can be wrong. Each asks, in the order of the sequence, for touches of larger numbers that were
// there before it.

// Stands behind one with a larger number, or in front of one with a smaller.
static bool *find_moved(Arena *arena, const int64_t *sequence, int64_t count)
{
    bool *is_moved = arena_new(arena, bool, (size_t)count + 1);
    int64_t largest = -1, smallest = count;
    for (int64_t i = 0; i < count; i++) {
        is_moved[sequence[i]] = largest > sequence[i];
        largest = max_i64(largest, sequence[i]);
    }
    for (int64_t i = count - 1; i >= 0; i--) {
        is_moved[sequence[i]] |= smallest < sequence[i];
        smallest = min_i64(smallest, sequence[i]);
    }
    return is_moved;
}

typedef struct {
    Arena *arena;
    const Machine *machine;
    TouchIndexList tiers[TOUCH_TIERS];
    int64_t *looks;
} Crossings;

static bool ask(const Crossings *crossings, const Touch *touch, int64_t number, int64_t *later,
                Hazard *hazard)
{
    const TouchIndexList *tier = &crossings->tiers[touch->tier];
    for (int64_t i = 0; i < tier->count; i++) {
        IndexQuery query = {.touch = touch, .above = number, .below = INT64_MAX};
        MeetPiece piece;
        const TouchEntry *found = NULL;
        if (touch->is_write || tier->items[i].is_write)
            found = index_find(&tier->items[i], &query, &piece);
        *crossings->looks += query.looks;
        if (found) {
            *hazard = hazard_between(crossings->machine, number, touch, &found->touch, piece);
            *later = found->operation;
            return true;
        }
    }
    return false;
}

static bool cross(Crossings *crossings, const TouchList *touches, int64_t number, int64_t *later,
                  Hazard *hazard)
{
    for (int64_t i = 0; i < touches->count; i++)
        if (ask(crossings, &touches->items[i], number, later, hazard))
            return true;
    for (int64_t i = 0; i < touches->count; i++) {
        const Touch *touch = &touches->items[i];
        TouchIndexList *tier = &crossings->tiers[touch->tier];
        index_add(crossings->arena, index_for(crossings->arena, tier, touch, 0), number, number,
                  touch);
    }
    return false;
}

// Whether there are two of them in `sequence`, which has every operation of the object once:
// `later`, which the program has behind hazard->operation. *looks goes up by the touches that were
// looked at.
static bool find_crossing(Arena *arena, const Machine *machine, const HwObject *object,
                          const int64_t *sequence, int64_t *later, Hazard *hazard, int64_t *looks)
{
    ArenaMark mark = arena_mark(arena);
    Crossings crossings = {.arena = arena, .machine = machine, .looks = looks};
    int64_t count = object->operations.count;
    const bool *is_moved = find_moved(arena, sequence, count);
    TouchList touches = {0};
    bool found = false;
    for (int64_t i = 0; i < count && !found; i++) {
        if (!is_moved[sequence[i]])
            continue;
        touches.count = 0;
        touches_of_operation(arena, machine, &object->operations.items[sequence[i]], &touches);
        found = cross(&crossings, &touches, sequence[i], later, hazard);
    }
    arena_reset(arena, mark);
    return found;
}

static bool keeps_hazards(const Placer *placer, const int64_t *sequence)
{
    Schedule *schedule = placer->schedule;
    int64_t later;
    Hazard hazard;
    if (!find_crossing(placer->arena, schedule->machine, schedule->object, sequence, &later,
                       &hazard, &schedule->looks))
        return true;
    Diag *diag =
        diag_add(placer->diags, DIAG_SCHEDULE_ORDER, SPAN_NOWHERE,
                 "the order puts operation {} in front of operation {}; it {} ({}, bytes {} to {})",
                 later, hazard.operation, hazard_words[hazard.kind], touch_tier_name(hazard.tier),
                 hazard.from, (long long)hazard.to - 1);
    add_place(diag, schedule->operations[later].operation, later);
    add_place(diag, schedule->operations[hazard.operation].operation, hazard.operation);
    return false;
}

const int64_t *placing_order(Placer *placer)
{
    int64_t count = placer->schedule->operation_count;
    int64_t *sequence = arena_new(placer->arena, int64_t, (size_t)count + 1);
    if (!pin(placer, sequence, count) || !keeps_hazards(placer, sequence))
        return NULL;
    return sequence;
}
