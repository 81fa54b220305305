// A tiny einsum: a contraction of two tensors in the notation of NumPy, and sizes of its axes. It
// tries mappings, lets the builder refuse those that break a rule, asks the cycle model about the
// others, and runs the best.
//
//     einsum "IK,KJ->IJ" I=64,J=128,K=256
//
// An axis is a batch (it is in both inputs and in the output), a row (in one input and the output)
// or a sum (in both inputs and not in the output); there is at most one row axis an input.
#include "example.h"

#include <ctype.h>

enum { SLICES = 256, ROWS = 8, MOST_AXES = 8, MOST_CANDIDATES = 256, TEXT = 160 };

typedef struct {
    char name;
    int64_t size;
    bool in[3]; // the inputs, the output
} Axis;

typedef struct {
    char terms[3][MOST_AXES + 1]; // "IK", "KJ", "IJ"
    Axis axes[MOST_AXES];
    int count;
} Einsum;

// A way to do it: which input waits in the register file, and how much of each of the row axes a
// slice takes.
typedef struct {
    int waiting;
    int64_t stream_tile, waiting_tile;
    ContraStatus status;
    int64_t kernel, cycles;
    ContraScheduledOperation longest; // on the critical path
} Candidate;

// ---- reading

static Axis *find_axis(Einsum *einsum, char name)
{
    for (int i = 0; i < einsum->count; i++)
        if (einsum->axes[i].name == name)
            return &einsum->axes[i];
    return NULL;
}

// "IK,KJ->IJ"
static bool read_terms(Einsum *einsum, const char *text)
{
    int term = 0, length = 0;
    for (; *text; text++) {
        bool ends = (term == 0 && *text == ',') || (term == 1 && !strncmp(text, "->", 2));
        if (ends) {
            text += term;
            term++;
            length = 0;
            continue;
        }
        if (!isupper((unsigned char)*text) || length == MOST_AXES)
            return false;
        einsum->terms[term][length++] = *text;
        Axis *axis = find_axis(einsum, *text);
        if (!axis && einsum->count == MOST_AXES)
            return false;
        axis = axis ? axis : &einsum->axes[einsum->count++];
        axis->name = *text;
        axis->in[term] = true;
    }
    return term == 2;
}

// "I=64,J=128"
static bool read_sizes(Einsum *einsum, const char *text)
{
    while (*text) {
        Axis *axis = find_axis(einsum, *text);
        char *end = NULL;
        if (!axis || text[1] != '=')
            return false;
        axis->size = strtoll(text + 2, &end, 10);
        text = *end == ',' ? end + 1 : end;
        if (end == text && *end)
            return false;
    }
    for (int i = 0; i < einsum->count; i++)
        if (einsum->axes[i].size < 1)
            return false;
    return true;
}

// Whether every axis is one of those that the program is made for.
static bool is_contraction(const Einsum *einsum)
{
    int rows[2] = {0, 0};
    for (int i = 0; i < einsum->count; i++) {
        const bool *in = einsum->axes[i].in;
        if ((!in[0] && !in[1]) || (in[0] != in[1] && !in[2]))
            return false;
        rows[0] += in[0] && !in[1];
        rows[1] += in[1] && !in[0];
    }
    return rows[0] < 2 && rows[1] < 2;
}

// ---- mappings

// All axes that are in both inputs and, as `out` says, in the output.
static void shared(const Einsum *einsum, bool out, char *text)
{
    text[0] = 0;
    for (int i = 0; i < einsum->count; i++) {
        const Axis *axis = &einsum->axes[i];
        if (axis->in[0] && axis->in[1] && axis->in[2] == out)
            snprintf(text + strlen(text), TEXT - strlen(text), "%s%c", *text ? ", " : "",
                     axis->name);
    }
}

// The row axis of an input; NULL: it has none.
static const Axis *row_of(const Einsum *einsum, int input)
{
    for (int i = 0; i < einsum->count; i++)
        if (einsum->axes[i].in[input] && !einsum->axes[i].in[1 - input])
            return &einsum->axes[i];
    return NULL;
}

// The axes of a term in their order, as a tensor in HBM has them.
static void term_mapping(const char *term, char *text)
{
    strcpy(text, *term ? "" : "1");
    for (; *term; term++)
        snprintf(text + strlen(text), TEXT - strlen(text), "%s%c", *text ? ", " : "", *term);
}

typedef struct {
    char grid[TEXT * 4], stream[TEXT], waiting[TEXT], sum[TEXT], packet[TEXT], out[TEXT * 2];
} Mappings;

static void part(const Axis *axis, char sign, int64_t tile, char *text)
{
    if (axis)
        snprintf(text, TEXT, "%c %c %lld", axis->name, sign, (long long)tile);
    else
        strcpy(text, "1");
}

// The slices are a grid of batches and of tiles of both rows.
static Mappings make_mappings(const Einsum *einsum, const Candidate *candidate)
{
    Mappings m;
    char batch[TEXT], outer[2][TEXT];
    const Axis *stream = row_of(einsum, 1 - candidate->waiting);
    const Axis *waiting = row_of(einsum, candidate->waiting);
    shared(einsum, true, batch);
    shared(einsum, false, m.sum);
    part(stream, '/', candidate->stream_tile, outer[0]);
    part(waiting, '/', candidate->waiting_tile, outer[1]);
    part(stream, '%', candidate->stream_tile, m.stream);
    part(waiting, '%', candidate->waiting_tile, m.waiting);
    snprintf(m.grid, sizeof m.grid, "[%s, %s, %s] # %d", *batch ? batch : "1", outer[0], outer[1],
             SLICES);
    snprintf(m.packet, sizeof m.packet, "%.64s # %d", m.waiting, ROWS);
    snprintf(m.out, sizeof m.out, "%s, %.64s # %d", m.stream, m.waiting,
             candidate->waiting_tile < 2 ? 2 : (int)candidate->waiting_tile);
    return m;
}

// "outer, [sum] / n" and "[sum] % n"
static const char *split(const char *outer, const char *sum, char sign, int n)
{
    static char texts[4][TEXT * 3];
    static int next;
    char *text = texts[next++ % 4];
    snprintf(text, sizeof texts[0], "%s%s[%s] %c %d", outer, *outer ? ", " : "", sum, sign, n);
    return text;
}

// The DMA moves eight bytes at least, so it cannot turn rows of bf16 into columns. An input whose
// last axis is its row is loaded as it is, and turned by the Transpose Engine: four at a time.
static void turn(ContraTensor **rows, const char *row, const char *sum, int64_t address)
{
    ContraStream *stream;
    char packet[TEXT + 8], time[TEXT * 3], element[TEXT * 3];
    snprintf(packet, sizeof packet, "%s # 16", row);
    snprintf(time, sizeof time, "[%s] / 4, %s", sum, row);
    snprintf(element, sizeof element, "%s, %s", row, sum);
    contra_begin(*rows, "main", &stream);
    contra_fetch(stream, "bf16", sum, row, NULL);
    contra_collect(stream, sum, packet);
    snprintf(packet, sizeof packet, "[%.128s] %% 4 # 16", sum);
    contra_transpose(stream, time, packet);
    contra_commit(stream, "turned", contra_dm_result(element, address), rows);
}

// What a tensor takes of the data memory of a slice; of one that was refused nothing.
static int64_t bytes_of(const ContraTensor *tensor)
{
    ContraTensorInfo info = contra_tensor_info();
    contra_tensor_describe(tensor, &info);
    return info.bytes;
}

// Brings an input to the slices, its sum innermost. *address: where the next tensor may lie.
static void load(ContraTensor *input, const char *term, const Mappings *m, const char *row,
                 int64_t *address, ContraTensor **rows)
{
    char element[TEXT * 3];
    bool turned = *row != '1' && *term && term[strlen(term) - 1] == *row;
    snprintf(element, sizeof element, "%s, %s", turned ? m->sum : row, turned ? row : m->sum);
    contra_to_dm(input, "tdma", "rows", contra_dm(NULL, NULL, "1 # 2", m->grid, element, *address),
                 rows);
    *address += bytes_of(*rows);
    if (!turned)
        return;
    turn(rows, row, m->sum, *address);
    *address += bytes_of(*rows);
}

static ContraStatus build(Contra *contra, const Einsum *einsum, Candidate *candidate)
{
    ContraProgram *program;
    ContraTensor *inputs[2], *rows[2], *waiting, *tile, *result;
    ContraStream *stream;
    Mappings m = make_mappings(einsum, candidate);
    char text[TEXT];
    int64_t address = 0;
    int first = 1 - candidate->waiting, second = candidate->waiting;

    contra_program_new(contra, "einsum", 1, NULL, &program);
    for (int i = 0; i < einsum->count; i++) {
        const char name[2] = {einsum->axes[i].name, 0};
        contra_axis(program, name, einsum->axes[i].size);
    }
    for (int i = 0; i < 2; i++) {
        term_mapping(einsum->terms[i], text);
        contra_param(program, i ? "b" : "a", contra_hbm("bf16", "1", text, CONTRA_UNKNOWN),
                     &inputs[i]);
    }
    load(inputs[first], einsum->terms[first], &m, m.stream, &address, &rows[first]);
    load(inputs[second], einsum->terms[second], &m, m.waiting, &address, &rows[second]);

    contra_begin(rows[second], "sub", &stream);
    contra_fetch(stream, "bf16", m.waiting, m.sum, NULL);
    contra_collect(stream, split(m.waiting, m.sum, '/', 16), split("", m.sum, '%', 16));
    contra_to_trf(stream, NULL, contra_trf_result(m.waiting, m.sum, "Full"), &waiting);

    contra_begin(rows[first], "main", &stream);
    contra_fetch(stream, "bf16", m.stream, m.sum, NULL);
    contra_collect(stream, split(m.stream, m.sum, '/', 16), split("", m.sum, '%', 16));
    contra_align(stream, waiting, split(m.stream, m.sum, '/', 32), split("", m.sum, '%', 32));
    contra_contract(stream, "1");
    contra_accumulate(stream, "Interleaved", m.stream, m.packet);
    contra_commit(stream, NULL, contra_dm_result(m.out, address), &tile);

    term_mapping(einsum->terms[2], text);
    contra_to_hbm(tile, "tdma", NULL, contra_hbm_result(text, CONTRA_UNKNOWN), &result);
    contra_return(program, result);
    return contra_program_finish(program, &candidate->kernel);
}

// ---- searching

// What a candidate spends most of its time with.
static ContraScheduledOperation longest_of(Contra *contra, const ContraSchedule *schedule)
{
    ContraScheduledOperation longest = contra_scheduled_operation();
    ContraScheduleSummary summary = contra_schedule_summary_info();
    contra_schedule_summary(contra, schedule, &summary);
    for (int64_t i = 0; i < summary.critical_count; i++) {
        ContraScheduledOperation operation = contra_scheduled_operation();
        contra_schedule_operation(contra, schedule, summary.critical[i], &operation);
        if (operation.end - operation.begin > longest.end - longest.begin)
            longest = operation;
    }
    return longest;
}

// Builds a candidate and counts its cycles. What breaks a rule is refused.
static ContraStatus judge(Contra *contra, const Einsum *einsum, Candidate *candidate)
{
    ContraObject *object;
    ContraSchedule *schedule;
    ContraStatus status = build(contra, einsum, candidate);
    if (status == CONTRA_OK)
        status = contra_compile(contra, candidate->kernel, NULL, 0, &object);
    if (status == CONTRA_OK)
        status = contra_schedule(contra, object, NULL, &schedule);
    if (status != CONTRA_OK)
        return status;
    candidate->cycles = contra_schedule_cycles(schedule);
    candidate->longest = longest_of(contra, schedule);
    return CONTRA_OK;
}

static int64_t size_of(const Axis *axis)
{
    return axis ? axis->size : 1;
}

// Tiles that divide their axes, at most eight rows in the register file, and no more than the
// slices hold. Whether they fit in the memories is for the rules to say.
static int find_candidates(const Einsum *einsum, Candidate *candidates)
{
    int count = 0;
    int64_t batches = 1;
    for (int i = 0; i < einsum->count; i++)
        if (einsum->axes[i].in[0] && einsum->axes[i].in[1] && einsum->axes[i].in[2])
            batches *= einsum->axes[i].size;
    for (int waiting = 0; waiting < 2; waiting++) {
        int64_t rows = size_of(row_of(einsum, waiting)), lines = size_of(row_of(einsum, !waiting));
        for (int64_t wt = 1; wt <= ROWS && wt <= rows; wt *= 2) {
            for (int64_t st = 1; st <= lines && count < MOST_CANDIDATES; st++) {
                bool fits = rows % wt == 0 && lines % st == 0 &&
                            batches * (rows / wt) * (lines / st) <= SLICES;
                if (!fits)
                    continue;
                memset(&candidates[count], 0, sizeof candidates[count]);
                candidates[count].waiting = waiting;
                candidates[count].waiting_tile = wt;
                candidates[count++].stream_tile = st;
            }
        }
    }
    return count;
}

static void print_candidate(Contra *contra, const Einsum *einsum, const Candidate *candidate)
{
    printf("%-8s %6lld %6lld  ", einsum->terms[candidate->waiting],
           (long long)candidate->waiting_tile, (long long)candidate->stream_tile);
    if (candidate->status == CONTRA_OK) {
        const ContraScheduledOperation *longest = &candidate->longest;
        printf("%10lld cycles, %lld of them in %s: %s\n", (long long)candidate->cycles,
               (long long)(longest->end - longest->begin), longest->method.data, longest->bound);
        return;
    }
    ContraText why = contra_diagnostic(contra, 0, CONTRA_PLAIN);
    const char *end = (const char *)memchr(why.data, '\n', (size_t)why.length);
    printf("%.*s\n", (int)(end ? end - why.data : why.length), why.data);
}

static const Candidate *search(Contra *contra, const Einsum *einsum, Candidate *candidates,
                               int count)
{
    const Candidate *best = NULL;
    printf("waiting   rows  lines\n");
    for (int i = 0; i < count; i++) {
        contra_clear_diagnostics(contra);
        candidates[i].status = judge(contra, einsum, &candidates[i]);
        print_candidate(contra, einsum, &candidates[i]);
        if (candidates[i].status == CONTRA_OK && (!best || candidates[i].cycles < best->cycles))
            best = &candidates[i];
    }
    return best;
}

// ---- plain C

typedef struct {
    int64_t value[MOST_AXES]; // of each axis
} Index;

static int64_t count_of(const Einsum *einsum, const char *term)
{
    int64_t count = 1;
    for (; *term; term++)
        for (int i = 0; i < einsum->count; i++)
            count *= einsum->axes[i].name == *term ? einsum->axes[i].size : 1;
    return count;
}

static int64_t position(const Einsum *einsum, const char *term, const Index *index)
{
    int64_t at = 0;
    for (; *term; term++)
        for (int i = 0; i < einsum->count; i++)
            if (einsum->axes[i].name == *term)
                at = at * einsum->axes[i].size + index->value[i];
    return at;
}

// The next index, the last axis fastest. False: that was the last.
static bool advance(const Einsum *einsum, Index *index)
{
    for (int i = einsum->count - 1; i >= 0; i--) {
        if (++index->value[i] < einsum->axes[i].size)
            return true;
        index->value[i] = 0;
    }
    return false;
}

static void plain(const Einsum *einsum, const float *a, const float *b, float *out)
{
    Index index;
    memset(&index, 0, sizeof index);
    do
        out[position(einsum, einsum->terms[2], &index)] +=
            a[position(einsum, einsum->terms[0], &index)] *
            b[position(einsum, einsum->terms[1], &index)];
    while (advance(einsum, &index));
}

static int64_t check(Contra *contra, const Einsum *einsum, int64_t kernel, int64_t out_count)
{
    int64_t counts[2], wrong = -1;
    counts[0] = count_of(einsum, einsum->terms[0]);
    counts[1] = count_of(einsum, einsum->terms[1]);
    int64_t all = counts[0] + counts[1];
    uint16_t *bits = (uint16_t *)calloc((size_t)all, sizeof *bits);
    float *numbers = (float *)calloc((size_t)(all + out_count), sizeof *numbers);
    if (bits && numbers) {
        float *expected = numbers + all;
        example_fill_bf16(bits, numbers, all);
        plain(einsum, numbers, numbers + counts[0], expected);
        ContraInput inputs[2];
        inputs[0] = example_input("a", CONTRA_BF16, &counts[0], bits);
        inputs[1] = example_input("b", CONTRA_BF16, &counts[1], bits + counts[0]);
        const float *out = (const float *)example_run(contra, kernel, inputs, 2);
        wrong = out ? 0 : -1;
        for (int64_t i = 0; out && i < out_count; i++)
            wrong += out[i] != expected[i];
    }
    free(bits);
    free(numbers);
    return wrong;
}

int main(int argc, char **argv)
{
    static Candidate candidates[MOST_CANDIDATES];
    Einsum einsum;
    ContraText text;
    memset(&einsum, 0, sizeof einsum);
    if (!read_terms(&einsum, argc > 1 ? argv[1] : "IK,KJ->IJ") ||
        !read_sizes(&einsum, argc > 2 ? argv[2] : "I=64,J=128,K=256") || !is_contraction(&einsum)) {
        fputs("usage: einsum \"IK,KJ->IJ\" I=64,J=128,K=256\n", stderr);
        return 2;
    }
    Contra *contra = contra_new();
    int count = find_candidates(&einsum, candidates);
    const Candidate *best = contra ? search(contra, &einsum, candidates, count) : NULL;
    if (!best)
        return example_fail(contra);
    contra_clear_diagnostics(contra);
    if (contra_kernel_program(contra, best->kernel, NULL, 0, &text) != CONTRA_OK)
        return example_fail(contra);
    printf("\nthe best of %d, %lld cycles:\n\n%s\n", count, (long long)best->cycles, text.data);
    int64_t out_count = count_of(&einsum, einsum.terms[2]);
    int64_t wrong = check(contra, &einsum, best->kernel, out_count);
    return wrong < 0 ? example_fail(contra) : example_report(contra, "einsum", out_count, wrong);
}
