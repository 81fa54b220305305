// Sums of products against an enumeration of the space of products, in both orders of summation.
#include "run_support.h"

#include "mapping/cell.h"
// ---- the space of products, position by position

// One product: where it stands, and its factors.
typedef struct {
    Index index;
    int64_t time, lane; // positions
    float product;
    int32_t integer;
    bool live;
} Summand;

typedef struct {
    ARRAY(Summand);
} Summands;

// The part of an index that a tensor has.
static bool agrees(const TermList *axes, const Index *index, const Index *other)
{
    for (int64_t i = 0; i < axes->count; i++) {
        const Term *axis = &axes->items[i];
        int64_t mine = index_value(index, axis->atom) / axis->stride % axis->modulo;
        int64_t its = index_value(other, axis->atom) / axis->stride % axis->modulo;
        if (mine != its)
            return false;
    }
    return true;
}

typedef struct {
    Mapping mapping;
    TermList axes;
    Values values;
    Index *indices; // of each value
} Side;

static Side side_new(Run *run, const char *name, Values values)
{
    Arena *arena = &run->desk->arena;
    Side side = {.mapping = run_mapping(run, run_tensor(run, name)), .values = values};
    side.axes = mapping_canonical_axes(arena, &side.mapping);
    side.indices = arena_new(arena, Index, (size_t)values.count + 1);
    for (int64_t at = 0, k = 0; at < side.mapping.size; at++) {
        Cell cell = mapping_cell(arena, &side.mapping, at);
        if (cell.count)
            side.indices[k++] = cell.items[0];
    }
    return side;
}

static int64_t find(const Side *side, const Index *index)
{
    for (int64_t i = 0; i < side->values.count; i++)
        if (agrees(&side->axes, index, &side->indices[i]))
            return i;
    return -1;
}

static float decoded(Scalar type, uint32_t bits)
{
    return scalar_is_integer(type) ? 0.0f : f32_value(scalar_to_f32(type, bits));
}

static Summands summands_of(Run *run, const Stage *align, const Side *stream, const Side *trf,
                            Scalar type)
{
    Arena *arena = &run->desk->arena;
    Mapping space = shape_of(arena, align->dims);
    int64_t packet = align->dims[LEVEL_PACKET]->mapping.size;
    Summands summands = {0};
    for (int64_t at = 0; at < space.size; at++) {
        Cell cell = mapping_cell(arena, &space, at);
        if (!cell.count)
            continue;
        int64_t x = find(stream, &cell.items[0]), w = find(trf, &cell.items[0]);
        assert_true(x >= 0 && w >= 0);
        uint32_t a = stream->values.bits[x], b = trf->values.bits[w];
        *array_push(arena, &summands, Summand) =
            (Summand){.index = cell.items[0],
                      .time = at / packet,
                      .lane = at % packet,
                      .product = decoded(type, a) * decoded(type, b),
                      .integer = (int32_t)(a * b),
                      .live = stream->values.live[x] && trf->values.live[w]};
    }
    return summands;
}

// ---- orders

static float tree(const float *lanes, int64_t count)
{
    return count == 1 ? lanes[0] : tree(lanes, count / 2) + tree(lanes + count / 2, count / 2);
}

// Summands in the order of positions, `lanes` neighbours at a time.
static float sum_as_tree(const Summands *mine, int64_t lanes)
{
    float sum = 0.0f;
    bool first = true;
    for (int64_t i = 0; i < mine->count;) {
        int64_t time = mine->items[i].time;
        float packet[128] = {0};
        for (; i < mine->count && mine->items[i].time == time; i++)
            packet[mine->items[i].lane % lanes] = mine->items[i].product;
        float next = tree(packet, lanes);
        sum = first ? next : sum + next;
        first = false;
    }
    return sum;
}

// Axis by axis in the order given, the last first.
static float fold(const Summands *mine, const Atom *const *axes, int64_t count, Arena *arena)
{
    if (count == 0)
        return mine->count ? mine->items[0].product : 0.0f;
    float sum = 0.0f;
    for (int64_t value = 0; value < axes[0]->size; value++) {
        Summands part = {0};
        for (int64_t i = 0; i < mine->count; i++)
            if (index_value(&mine->items[i].index, axes[0]) == value)
                *array_push(arena, &part, Summand) = mine->items[i];
        if (part.count)
            sum += fold(&part, axes + 1, count - 1, arena);
    }
    return sum;
}

// ---- cases

typedef struct {
    const char *axes, *type, *stream, *time, *packet; // the collected stream: Element and dims
    const char *row, *trf;                            // Row and Element of the TRF
    const char *pair_time, *pair_packet, *columns, *out_time, *out_packet, *kind;
    int64_t lanes;
    const char *order; // sequential: reduced axes, outermost fold first
    const char *slice; // NULL: 1
} Case;

static const Case cases[] = {
    {"K=64 N=8 M=3", "i8", "[M, K]", "[M, K / 32]", "[K % 32]", "[N]", "[K]", "[M]", "[K]", "[1]",
     "[M]", "[N]", "Interleaved", 64, "K", NULL},
    {"K=64 N=8 M=3", "bf16", "[M, K]", "[M, K / 16]", "[K % 16]", "[N]", "[K]", "[M, K / 32]",
     "[K % 32]", "[1]", "[M]", "[N]", "Interleaved", 32, "K", NULL},
    // padding lanes in the packet, the axis ends inside one
    {"K=19 N=4 M=2", "bf16", "[M, K # 32]", "[M, K # 32 / 16]", "[K # 32 % 16]", "[N]", "[K # 32]",
     "[M]", "[K # 32]", "[1]", "[M]", "[N # 8]", "Interleaved", 32, "K", NULL},
    // half a packet, a depth of 2, partial reduction
    {"K=64 N=8 M=4", "bf16", "[K, M]", "[K / 16, M]", "[K % 16]", "[N]", "[K]", "[K / 16, M]",
     "[K % 16 # 32]", "[K % 16 / 4]", "[M, K % 16 / 4]", "[N]", "Interleaved", 4, "K", NULL},
    {"K=64 N=8 M=4", "bf16", "[K, M]", "[K / 16, M]", "[K % 16]", "[N]", "[K]", "[K / 16, M]",
     "[K % 16 # 32]", "[K % 16 / 4]", "[M, N]", "[K % 16 / 4 # 8]", "Sequential", 4, "K", NULL},
    // two axes: one in the packet, one in time that comes later and earlier in the alphabet
    {"K=32 Z=5 N=8", "bf16", "[Z, K]", "[Z, K / 16]", "[K % 16]", "[N]", "[Z, K]", "[Z]", "[K]",
     "[1]", "[1]", "[N]", "Interleaved", 32, "Z,K", NULL},
    {"K=32 C=5 N=8", "bf16", "[C, K]", "[C, K / 16]", "[K % 16]", "[N]", "[C, K]", "[C]", "[K]",
     "[1]", "[1]", "[N]", "Interleaved", 32, "C,K", NULL},
    // an axis of which a part stays in Slice, and ends inside the last slice
    {"K=50 N=2", "bf16", "[K # 64 % 16]", "[1]", "[K # 64 % 16]", "[N]", "[K # 64 % 16]", "[1]",
     "[K # 64 % 16 # 32]", "[1]", "[1]", "[N # 8]", "Interleaved", 32, "K", "[K # 64 / 16]"},
    // weights of each slice, f8
    {"K=64 N=4 S=3", "f8e4m3", "[K]", "[K / 32]", "[K % 32]", "[N]", "[K]", "[1]", "[K]", "[1]",
     "[1]", "[N # 8]", "Interleaved", 64, "K", "[S]"},
    // more rows of the stream than columns of weights
    {"K=32 N=1 M=40", "bf16", "[M, K]", "[M, K / 16]", "[K % 16]", "[N]", "[K]", "[M]", "[K]",
     "[1]", "[M]", "[N # 8]", "Interleaved", 32, "K", NULL},
    // a composite, whole in the packet, and cut into Time and Packet where no axis ends
    {"K=5 J=6 N=3", "bf16", "[[K, J] # 32]", "[[K, J] # 32 / 16]", "[[K, J] # 32 % 16]", "[N]",
     "[[K, J] # 32]", "[1]", "[[K, J] # 32]", "[1]", "[1]", "[N # 8]", "Interleaved", 32, "J,K",
     NULL},
    {"K=5 J=6 N=3", "bf16", "[[K, J] # 32]", "[[K, J] # 32 / 16]", "[[K, J] # 32 % 16]", "[N]",
     "[[K, J] # 32]", "[[K, J] # 32 / 16]", "[[K, J] # 32 % 16 # 32]", "[1]", "[1]", "[N # 8]",
     "Interleaved", 32, NULL, NULL},
    // Time with padding inside, and steps to spare
    {"K=32 T=3 M=2 N=2", "bf16", "[T, M, K]", "[T # 4, M # 3, K / 16]", "[K % 16]", "[N]", "[T, K]",
     "[T # 4, M # 3]", "[K]", "[1]", "[M # 3]", "[N # 8]", "Interleaved", 32, "T,K", NULL},
    // no output shares a factor: elementwise products, and rows of dot products
    {"K=32 M=3", "bf16", "[M, K]", "[M, K / 16]", "[K % 16]", "[1]", "[M, K]", "[M]", "[K]", "[K]",
     "[M, K / 8]", "[K % 8]", "Sequential", 1, "", NULL},
    {"K=40 M=3", "bf16", "[M, K # 64]", "[M, K # 64 / 16]", "[K # 64 % 16]", "[1]", "[M, K # 64]",
     "[M, K # 64 / 32]", "[K # 64 % 32]", "[1]", "[M]", "[1 # 8]", "Interleaved", 32, "K", NULL},
    {"K=40 M=3", "i8", "[M, K # 64]", "[M, K # 64 / 32]", "[K # 64 % 32]", "[1]", "[M, K # 64]",
     "[M]", "[K # 64]", "[1]", "[M]", "[1 # 8]", "Interleaved", 64, "K", NULL},
    {"K=128 N=2", "i4", "[K]", "[K / 64]", "[K % 64]", "[N]", "[K]", "[1]", "[K]", "[1]", "[1]",
     "[N # 8]", "Interleaved", 128, "K", NULL},
};

static const char *text_of(Arena *arena, const Case *test)
{
    StrBuf text = {.arena = arena};
    buf_add(&text, STR("program t\n"));
    for (const char *at = test->axes; *at; at++) {
        buf_format(&text, "axis ");
        for (; *at && *at != ' '; at++)
            buf_add(&text, *at == '=' ? STR(" = ") : (Str){at, 1});
        buf_add(&text, STR("\n"));
        if (!*at)
            break;
    }
    const char *slice = test->slice ? test->slice : "[1]";
    buf_format(&text, "%0 x = param dm {} chip [1] cluster [1] slice {} element {} at 0\n",
               test->type, slice, test->stream);
    buf_format(&text,
               "%1 w = param trf {} chip [1] cluster [1] slice {} row {} element {} at Full\n",
               test->type, slice, test->row, test->trf);
    buf_format(&text, "pass main\n  begin %0\n  fetch {} time {} packet {}\n", test->type,
               test->time, test->packet);
    buf_format(&text, "  collect time {} packet {}\n", test->time, test->packet);
    buf_format(&text, "  align %1 time {} packet {}\n", test->pair_time, test->pair_packet);
    buf_format(&text, "  contract packet {}\n", test->columns);
    buf_format(&text, "  accumulate {} time {} packet {}\n", test->kind, test->out_time,
               test->out_packet);
    buf_format(&text, "  commit -> %2 y = dm element [{{T}, {{P}] at 0\nend\n");
    const char *whole = str_terminated(arena, buf_str(&text));
    StrBuf filled = {.arena = arena};
    for (const char *at = whole; *at; at++) {
        if (strncmp(at, "{T}", 3) == 0 || strncmp(at, "{P}", 3) == 0) {
            buf_format(&filled, "{}", at[1] == 'T' ? test->out_time : test->out_packet);
            at += 2;
        } else {
            buf_format(&filled, "{c}", *at);
        }
    }
    return str_terminated(arena, buf_str(&filled));
}

static uint64_t seed = 7;

static uint32_t draw(Scalar type)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    uint32_t any = (uint32_t)(seed >> 33);
    if (scalar_is_integer(type))
        return scalar_wrap(type, any);
    float value = ((float)(any % 2001) - 1000.0f) / (any % 7 ? 64.0f : 8192.0f);
    return scalar_from_f32(type, f32(any % 23 ? value : -0.0f));
}

static Values drawn(Run *run, const char *name, bool all)
{
    const Tensor *tensor = run_tensor(run, name);
    Values values = run_values(run, tensor);
    for (int64_t i = 0; i < values.count; i++) {
        values.bits[i] = draw(tensor->type);
        values.live[i] = all || i != 5;
    }
    run_bind(run, name, &values);
    return values;
}

static const Atom *axis_named(Run *run, const Side *side, char name)
{
    (void)run;
    for (int64_t i = 0; i < side->axes.count; i++)
        if (side->axes.items[i].atom->name[0] == name)
            return side->axes.items[i].atom;
    fail_msg("no axis %c", name);
    return NULL;
}

static void check_case(const Case *test, Numerics numerics, bool all)
{
    Arena arena = {0};
    Run run = run_open(text_of(&arena, test), numerics);
    Side stream = side_new(&run, "x", drawn(&run, "x", all));
    Side trf = side_new(&run, "w", drawn(&run, "w", true));
    run_go(&run);
    Side out = side_new(&run, "y", run_result(&run, "y"));
    const Stage *align = run.program->ops.items[0]->pass->stages.items[3];
    Scalar type = run_tensor(&run, "x")->type;
    Summands all_of_them = summands_of(&run, align, &stream, &trf, type);
    const Atom *axes[4];
    int64_t axis_count = 0;
    for (const char *at = test->order; at && *at; at++)
        if (*at != ',')
            axes[axis_count++] = axis_named(&run, &stream, *at);
    for (int64_t i = 0; i < out.values.count; i++) {
        Summands mine = {0};
        uint32_t integer = 0;
        bool live = true;
        for (int64_t k = 0; k < all_of_them.count; k++) {
            const Summand *one = &all_of_them.items[k];
            if (!agrees(&out.axes, &one->index, &out.indices[i]))
                continue;
            *array_push(&arena, &mine, Summand) = *one;
            integer += (uint32_t)one->integer;
            live &= one->live;
        }
        assert_true(mine.count > 0);
        assert_int_equal(out.values.live[i], live);
        uint32_t want = integer;
        if (!scalar_is_integer(type))
            want = f32(numerics == NUMERICS_TREE ? sum_as_tree(&mine, test->lanes)
                                                 : fold(&mine, axes, axis_count, &arena));
        if (live && want != out.values.bits[i])
            fail_msg("%s %s: element %d is %08x, not %08x", test->axes, test->pair_packet, (int)i,
                     out.values.bits[i], want);
    }
    run_close(&run);
    arena_release(&arena);
}

TEST(trees_add_neighbours)
{
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        check_case(&cases[i], NUMERICS_TREE, true);
        check_case(&cases[i], NUMERICS_TREE, false);
    }
}

TEST(sequences_add_in_the_order_of_the_index)
{
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        if (!cases[i].order)
            continue; // a composite that is cut is summed in the order of its positions
        check_case(&cases[i], NUMERICS_SEQUENTIAL, true);
        check_case(&cases[i], NUMERICS_SEQUENTIAL, false);
    }
}

// Sums of i32 wrap.
TEST(integers_wrap)
{
    static const char *const text =
        "program t\naxis K = 64\naxis T = 4096\naxis N = 8\n"
        "%0 x = param dm i8 chip [1] cluster [1] slice [1] element [T, K] at 0\n"
        "%1 w = param trf i8 chip [1] cluster [1] slice [1] row [N] element [T, K] at Full\n"
        "pass main\n  begin %0\n  fetch i8 time [T, K / 32] packet [K % 32]\n"
        "  collect time [T, K / 32] packet [K % 32]\n  align %1 time [T] packet [K]\n"
        "  contract packet [1]\n  accumulate Interleaved time [1] packet [N]\n"
        "  commit -> %2 y = dm element [N] at 0\nend\n";
    Run run = run_open(text, NUMERICS_TREE);
    Values x = run_values(&run, run_tensor(&run, "x")), w = run_values(&run, run_tensor(&run, "w"));
    for (int64_t i = 0; i < x.count; i++)
        x.bits[i] = (uint32_t)-128, x.live[i] = 1;
    for (int64_t i = 0; i < w.count; i++)
        w.bits[i] = (uint32_t)-128, w.live[i] = 1;
    run_bind(&run, "x", &x);
    run_bind(&run, "w", &w);
    run_go(&run);
    Values y = run_result(&run, "y");
    assert_int_equal(y.bits[3], (uint32_t)(UINT64_C(64) * 4096 * 128 * 128));
    run_close(&run);
}
