// Random buffers and streams against brute force: the loop nest is run step by step over a buffer
// whose every position is known by its cell, and each step must meet the cell that the stream has
// at that step. What is refused as missing or incompatible must have no loop nest at all.
//
// A case is made from its number alone; a failure names it and shows it as a row of text.
#include "sequencer_support.h"

enum {
    AXES = 4, // A, B, C of the buffer, X of nobody but the stream
    POSITIONS_MAX = 512,
    PIECES_MAX = 16,
    PIECE_BYTES = 64,
    TEXT_BYTES = 512,
    DIGITS_MAX = 24,
    NESTS_MAX = 512, // tried for one refused case
};

// ---- chance

static uint64_t random_state;

static uint64_t next_random(void)
{
    uint64_t z = random_state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static int64_t below(int64_t bound)
{
    return (int64_t)(next_random() % (uint64_t)bound);
}

static bool chance(int64_t percent)
{
    return below(100) < percent;
}

static int64_t random_divisor(int64_t n)
{
    int64_t divisor;
    do
        divisor = 1 + below(n);
    while (n % divisor);
    return divisor;
}

// ---- random rows

typedef struct {
    char text[PIECE_BYTES];
    int64_t size;
} Piece;

typedef struct {
    Piece items[PIECES_MAX];
    int64_t count;
} Pieces;

// What is cut into pieces: an axis, a padded axis, a definition. Buffer and stream usually cut it
// at the same places.
typedef struct {
    char text[PIECE_BYTES];
    int64_t size;
    int64_t low, high; // cuts: low divides high divides size
} Whole;

typedef struct {
    char axes[TEXT_BYTES], let[TEXT_BYTES], buffer[TEXT_BYTES], time[TEXT_BYTES],
        packet[TEXT_BYTES];
    Row row;
} RandomRow;

#define add_piece(pieces, size, ...) add_piece(pieces, size, MESSAGE(__VA_ARGS__))

static void(add_piece)(Pieces *pieces, int64_t size, Message message)
{
    if (pieces->count == PIECES_MAX)
        return;
    Piece *piece = &pieces->items[pieces->count++];
    message_write(message, piece->text, sizeof piece->text);
    piece->size = size;
}

static void choose_cuts(Whole *whole)
{
    whole->high = chance(50) ? whole->size : random_divisor(whole->size);
    whole->low = chance(60) ? 1 : random_divisor(whole->high);
}

static void cut(Pieces *pieces, const Whole *whole)
{
    const char *x = whole->text;
    int64_t low = whole->low, high = whole->high, size = whole->size;
    if (low == 1 && high == size) {
        add_piece(pieces, size, "{}", x);
        return;
    }
    if (high != size)
        add_piece(pieces, size / high, "{} / {}", x, (int)high);
    if (low != 1 && high != low)
        add_piece(pieces, high / low, "{} / {} % {}", x, (int)low, (int)(high / low));
    add_piece(pieces, low == 1 ? high : low, "{} % {}", x, (int)(low == 1 ? high : low));
}

static void shuffle(Pieces *pieces)
{
    for (int64_t i = pieces->count - 1; i > 0; i--) {
        int64_t k = below(i + 1);
        Piece piece = pieces->items[i];
        pieces->items[i] = pieces->items[k];
        pieces->items[k] = piece;
    }
}

static void wrap(Piece *piece, const char *before, int64_t number, const char *after)
{
    size_t used = strlen(piece->text);
    snprintf(piece->text + used, sizeof piece->text - used, "%s%d%s", before, (int)number, after);
}

// Pads, shortens, shifts or lists some of the pieces.
static void decorate(Pieces *pieces, int64_t percent)
{
    for (int64_t i = 0; i < pieces->count; i++) {
        Piece *piece = &pieces->items[i];
        int64_t more = piece->size + below(3);
        if (chance(percent)) {
            wrap(piece, " # ", more, "");
            piece->size = more;
        } else if (chance(percent / 2))
            wrap(piece, " = ", 1 + below(piece->size), "");
        else if (piece->size > 2 && chance(percent / 4))
            wrap(piece, " @ ", 1 + below(piece->size - 1), "");
        else if (piece->size > 2 && chance(percent / 4))
            wrap(piece, " @ [2, 0, ", 1 + below(piece->size - 1), "]");
        else if (piece->text[0] != '{' && chance(percent / 5))
            snprintf(piece->text, sizeof piece->text, "[# %d + %c]", (int)(1 + below(2)),
                     piece->text[0]);
    }
}

// Joins two neighbours into one element, padded.
static void join(Pieces *pieces)
{
    if (pieces->count < 2)
        return;
    int64_t at = below(pieces->count - 1);
    Piece *first = &pieces->items[at], *second = first + 1;
    char text[PIECE_BYTES * 3];
    int64_t size = first->size * second->size;
    snprintf(text, sizeof text, "[%s, %s] # %d", first->text, second->text,
             (int)(size + below(2) * first->size + below(2)));
    if (strlen(text) >= PIECE_BYTES)
        return;
    memcpy(first->text, text, strlen(text) + 1);
    memmove(second, second + 1, (size_t)(pieces->count - at - 2) * sizeof *second);
    pieces->count--;
}

static void print_pieces(char *text, const Pieces *pieces, int64_t from, int64_t to)
{
    size_t used = 0;
    text[0] = 0;
    for (int64_t i = from; i < to; i++)
        used += (size_t)snprintf(text + used, TEXT_BYTES - used, "%s%s", i > from ? ", " : "",
                                 pieces->items[i].text);
    if (from == to)
        memcpy(text, "1", 2);
}

// One or two axes padded as a composite become L; the others stay, padded at times.
static int64_t random_wholes(RandomRow *random, Whole *wholes)
{
    static const int64_t sizes[] = {2, 3, 4, 5, 6, 8};
    int64_t count = 1 + below(3), used = 0, made = 0;
    int64_t axes[3];
    for (int64_t i = 0; i < 3; i++)
        axes[i] = sizes[below(count < 3 ? 6 : 4)];
    snprintf(random->axes, sizeof random->axes, "A=%d,B=%d,C=%d,X=%d", (int)axes[0], (int)axes[1],
             (int)axes[2], (int)(2 + below(2)));
    memcpy(random->let, "L=1", 4);
    if (count > 1 && chance(35)) {
        int64_t size = axes[0] * axes[1];
        size += chance(60) ? below(6) : 0;
        snprintf(random->let, sizeof random->let, "L=[A, B] # %d", (int)size);
        wholes[made++] = (Whole){"{L}", size, 1, size};
        used = 2;
    }
    for (; used < count; used++) {
        Whole *whole = &wholes[made++];
        int64_t size = axes[used];
        char name = (char)('A' + used);
        int64_t padded = chance(30) ? size + below(4) : size;
        *whole = (Whole){.size = padded, .low = 1, .high = padded};
        if (padded > size)
            snprintf(whole->text, sizeof whole->text, "%c # %d", name, (int)padded);
        else
            snprintf(whole->text, sizeof whole->text, "%c", name);
    }
    return made;
}

static void make_row(RandomRow *random, int64_t number)
{
    Whole wholes[3];
    Pieces buffer = {0}, stream = {0};
    memset(random, 0, sizeof *random);
    random_state = (uint64_t)number * 0xD1342543DE82EF95u;
    int64_t count = random_wholes(random, wholes);
    for (int64_t i = 0; i < count; i++) {
        choose_cuts(&wholes[i]);
        cut(&buffer, &wholes[i]);
        if (chance(35))
            choose_cuts(&wholes[i]);
        if (chance(90))
            cut(&stream, &wholes[i]);
    }
    if (chance(20))
        add_piece(&stream, 2, "X");
    if (chance(5))
        add_piece(&stream, 2, "1 # 2");
    if (chance(70))
        shuffle(&buffer);
    if (chance(70))
        shuffle(&stream);
    decorate(&buffer, chance(50) ? 0 : 15);
    decorate(&stream, chance(50) ? 0 : 15);
    if (chance(20))
        join(&stream);
    if (chance(10))
        join(&buffer);
    int64_t split = stream.count ? below(stream.count + 1) : 0;
    print_pieces(random->buffer, &buffer, 0, buffer.count);
    print_pieces(random->time, &stream, 0, split);
    print_pieces(random->packet, &stream, split, stream.count);
    random->row =
        (Row){random->axes, random->let,    random->buffer,
              random->time, random->packet, .engine = chance(50) ? SEQUENCE_WRITE : SEQUENCE_READ};
}

// ---- what positions hold, as plain numbers

typedef struct {
    int64_t size;
    bool live[POSITIONS_MAX];
    int64_t values[POSITIONS_MAX][AXES];
    bool names[AXES];
    bool plain; // nothing but axes: index 0 of an axis sits at digit 0
} Table;

static void fill_table(Case *c, const Mapping *mapping, Table *table)
{
    static const char *const names[AXES] = {"A", "B", "C", "X"};
    AtomList axes = {0};
    Arena scratch = {0};
    mapping_axes(&c->arena, mapping, &axes);
    *table = (Table){.size = mapping->size, .plain = true};
    for (int64_t i = 0; i < mapping->count; i++)
        table->plain &=
            mapping->factors[i].is_padding || mapping->factors[i].term.atom->kind == ATOM_AXIS;
    for (int64_t at = 0; at < mapping->size; at++) {
        Cell cell = mapping_cell(&scratch, mapping, at);
        assert_true(cell.count <= 1);
        table->live[at] = cell.count == 1;
        for (int64_t k = 0; k < AXES && cell.count; k++)
            table->values[at][k] =
                index_value(&cell.items[0], scope_find(&c->scope, str_from(names[k]))->atom);
        arena_release(&scratch);
    }
    for (int64_t k = 0; k < AXES; k++)
        for (int64_t i = 0; i < axes.count; i++)
            table->names[k] |= strcmp(axes.items[i]->name, names[k]) == 0;
}

// On every axis of the buffer: as the stream says, and 0 on what the stream does not walk.
static bool agrees(const Table *buffer, int64_t from, const Table *stream, int64_t at)
{
    for (int64_t k = 0; k < AXES; k++) {
        bool free = !stream->names[k] && !buffer->plain;
        if (buffer->names[k] && !free && buffer->values[from][k] != stream->values[at][k])
            return false;
    }
    return true;
}

// ---- running a nest

static int64_t address_of(const SequenceEntries *entries, int64_t base, int64_t step)
{
    int64_t address = base;
    for (int64_t i = entries->count - 1; i >= 0; i--) {
        const SequenceEntry *entry = &entries->items[i];
        int64_t digit = step % entry->size;
        address += entry->offsets ? entry->offsets[digit] : digit * entry->stride;
        step /= entry->size;
    }
    return address;
}

static int64_t steps_of(const SequenceEntries *entries, bool packets_only)
{
    int64_t steps = 1;
    for (int64_t i = 0; i < entries->count; i++)
        if (!packets_only || entries->items[i].is_packet)
            steps *= entries->items[i].size;
    return steps;
}

// Why the sequence is wrong, or NULL.
static const char *check_nest(const Case *c, const Table *buffer, const Table *stream)
{
    const Sequence *s = &c->sequence;
    bool writes = sequencer_writes(c->request.engine);
    int64_t packet = c->request.packet->size;
    int64_t kept = writes ? steps_of(&s->written, true) : packet;
    int64_t steps = steps_of(&s->written, false);
    if (kept > packet || steps != c->request.time->size * kept ||
        steps_of(&s->entries, false) != steps)
        return "the loops have another number of steps than the stream";
    for (int64_t step = 0; step < steps; step++) {
        int64_t at = step / kept * packet + step % kept;
        int64_t address = address_of(&s->written, s->base_offset, step);
        bool inside = address >= 0 && address < buffer->size;
        if (address != address_of(&s->entries, s->base_offset, step))
            return "merging changes an address";
        if (writes && !inside)
            return "a write leaves the buffer";
        if (writes && !stream->live[at] && buffer->live[address])
            return "padding is written over an element";
        if (!stream->live[at])
            continue;
        if (!inside || !buffer->live[address])
            return "an element is not where it is looked for";
        if (!agrees(buffer, address, stream, at))
            return "another element is where it is looked for";
    }
    return NULL;
}

// ---- is there a nest at all?

typedef struct {
    int64_t sizes[DIGITS_MAX]; // outermost first
    int64_t count;
} Radix;

typedef struct {
    const Table *stream;
    int64_t wanted[POSITIONS_MAX]; // the address of each live position
    int64_t elements[PIECES_MAX];  // positions of each written element
    int64_t element_count;
    int64_t tried;
    bool found;
} Search;

static void digits_of(const Radix *radix, int64_t at, int64_t *digits)
{
    for (int64_t i = radix->count - 1; i >= 0; i--) {
        digits[i] = at % radix->sizes[i];
        at /= radix->sizes[i];
    }
}

// One stride per digit, read off the first live position whose other digits are known or 0.
static bool fits(const Search *search, const Radix *radix)
{
    int64_t strides[DIGITS_MAX] = {0}, digits[DIGITS_MAX];
    bool known[DIGITS_MAX] = {false};
    for (bool again = true; again;) {
        again = false;
        for (int64_t at = 1; at < search->stream->size; at++) {
            int64_t unknown = -1, address = search->wanted[0], count = 0;
            if (!search->stream->live[at])
                continue;
            digits_of(radix, at, digits);
            for (int64_t i = 0; i < radix->count; i++) {
                address += digits[i] * strides[i];
                if (digits[i] && !known[i]) {
                    unknown = i;
                    count++;
                }
            }
            if (count == 0 && address != search->wanted[at])
                return false;
            if (count != 1)
                continue;
            int64_t distance = search->wanted[at] - address;
            if (distance < 0 || distance % digits[unknown])
                return false;
            strides[unknown] = distance / digits[unknown];
            known[unknown] = again = true;
        }
    }
    for (int64_t at = 0; at < search->stream->size; at++) {
        int64_t address = search->wanted[0];
        digits_of(radix, at, digits);
        for (int64_t i = 0; i < radix->count; i++)
            address += digits[i] * strides[i];
        if (search->stream->live[at] && address != search->wanted[at])
            return false;
    }
    return true;
}

// Every way to cut each element into loops.
static void try_nests(Search *search, Radix *radix, int64_t element, int64_t left)
{
    if (search->found || search->tried >= NESTS_MAX)
        return;
    if (left == 1 && element + 1 == search->element_count) {
        search->tried++;
        search->found = fits(search, radix);
        return;
    }
    if (left == 1) {
        try_nests(search, radix, element + 1, search->elements[element + 1]);
        return;
    }
    for (int64_t size = left; size > 1 && radix->count < DIGITS_MAX; size--) {
        if (left % size)
            continue;
        radix->sizes[radix->count++] = size;
        try_nests(search, radix, element, left / size);
        radix->count--;
    }
}

static void add_elements(Case *c, Search *search, const Expr *expr)
{
    ExprList elements = {0};
    expr_elements(&c->arena, expr, &elements);
    for (int64_t i = 0; i < elements.count && search->element_count < PIECES_MAX; i++)
        search->elements[search->element_count++] = elements.items[i]->size;
}

// Whether loops with one stride each read the right elements. Looks at streams whose position 0 is
// an element and whose elements each sit in one place.
static bool nest_exists(Case *c, const Table *buffer, const Table *stream)
{
    Search search = {.stream = stream};
    Radix radix = {0};
    for (int64_t at = 0; at < stream->size; at++) {
        int64_t places = 0;
        for (int64_t from = 0; from < buffer->size && stream->live[at]; from++) {
            if (!buffer->live[from] || !agrees(buffer, from, stream, at))
                continue;
            search.wanted[at] = from;
            places++;
        }
        if (stream->live[at] ? places != 1 : at == 0)
            return false;
    }
    add_elements(c, &search, c->request.time);
    add_elements(c, &search, c->request.packet);
    try_nests(&search, &radix, 0, search.elements[0]);
    return search.found;
}

// ---- the tests

static int64_t scaled(int64_t count)
{
    const char *scale = getenv("CONTRA_TEST_SCALE");
    double factor = scale ? strtod(scale, NULL) : 1.0;
    return max_i64(100, (int64_t)((double)count * factor));
}

typedef struct {
    int64_t derived, refused, unfit;
} Tally;

// Missing or cut elsewhere. Left out: padding to something that is no multiple of what it pads, and
// shifted, listed or shortened streams, which may fit by luck.
static bool refused_for_shape(const Case *c, const RandomRow *random)
{
    for (int64_t i = 0; i < c->diags.count; i++) {
        const Diag *diag = c->diags.items[i];
        bool cuts = diag->code == DIAG_SEQUENCE_INCOMPATIBLE && diag->label.len;
        if (!cuts && diag->code != DIAG_SEQUENCE_INSUFFICIENT)
            return false;
    }
    return !strpbrk(random->time, "@+=") && !strpbrk(random->packet, "@+=");
}

// A case is worth running when it parses and its positions can be listed.
static bool prepare(Case *c, Table *buffer, Table *stream)
{
    const SequenceRequest *request = &c->request;
    int64_t positions = 0;
    if (!c->parsed || request->buffer->size > POSITIONS_MAX ||
        !checked_mul(request->time->size, request->packet->size, &positions) ||
        positions > POSITIONS_MAX)
        return false;
    Mapping held = mapping_of_expr(&c->arena, request->buffer);
    Mapping time = mapping_of_expr(&c->arena, request->time);
    Mapping packet = mapping_of_expr(&c->arena, request->packet);
    Mapping walked = mapping_pair(&c->arena, &time, &packet);
    held = mapping_normalise(&c->arena, &held); // without the axes of which only index 0 is left
    walked = mapping_normalise(&c->arena, &walked);
    if (mapping_has_overlap(&c->arena, &walked))
        return false;
    fill_table(c, &held, buffer);
    fill_table(c, &walked, stream);
    for (int64_t at = 0; at < buffer->size; at++)
        if (buffer->live[at])
            return true;
    return false; // a buffer of nothing but padding
}

static const char *run_case(const RandomRow *random, Tally *tally)
{
    static Table buffer, stream;
    const char *problem = NULL;
    Case c;
    case_parse(&c, &random->row);
    if (!prepare(&c, &buffer, &stream)) {
        tally->unfit++;
    } else {
        case_derive(&c);
        tally->derived += c.ok;
        tally->refused += !c.ok;
        // where a shifted axis starts that nobody walks is not said
        if (c.ok && (buffer.plain || c.sequence.walks_all))
            problem = check_nest(&c, &buffer, &stream);
        else if (!c.ok && !sequencer_writes(c.request.engine) && buffer.plain &&
                 refused_for_shape(&c, random) && nest_exists(&c, &buffer, &stream))
            problem = "a nest that exists is refused";
    }
    arena_release(&c.arena);
    return problem;
}

TEST(nests_walk_what_the_stream_says)
{
    int64_t count = scaled(40000), failures = 0;
    const char *only = getenv("CONTRA_TEST_CASE");
    Tally tally = {0};
    for (int64_t i = 0; i < count; i++) {
        RandomRow random;
        make_row(&random, only ? atoll(only) : i);
        const char *problem = run_case(&random, &tally);
        if (problem && failures++ < 12)
            print_error("case %lld: %s\n  --axes %s --let '%s' --buffer '%s' --time '%s' --packet "
                        "'%s' --engine %s\n",
                        only ? atoll(only) : (long long)i, problem, random.axes, random.let,
                        random.buffer, random.time, random.packet,
                        sequencer_writes(random.row.engine) ? "write" : "read");
        if (only)
            break;
    }
    print_message("%lld derived, %lld refused, %lld unfit, %lld wrong\n", (long long)tally.derived,
                  (long long)tally.refused, (long long)tally.unfit, (long long)failures);
    assert_int_equal(failures, 0);
    assert_true(only || tally.derived * 5 > count); // the cases are worth something
}
