#include "agree.h"
#include "draft.h"

#include "base/checked.h"
#include "engine/rules.h"
#include "program/text.h"
#include "shrink.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    int64_t n = argc > 1 ? atoi(argv[1]) : 100;
    int64_t first = argc > 2 ? atoi(argv[2]) : 1;
    bool verbose = argc > 3;
    int64_t drafts = 0, accepted = 0, ops = 0, ends[8] = {0}, hist[DIAG_CODE_COUNT] = {0};
    for (int64_t seed = first; seed < first + n; seed++) {
        Arena arena = {0};
        Choices choices = choices_of_seed((uint64_t)seed);
        static Draft draft;
        draft_program(&draft, &arena, &choices, 1 + choose(&choices, 5));
        int64_t count = draft.op_count;
        while (count > 0) {
            DiagList diags = {.arena = &arena};
            SourceList sources = {0};
            BuilderOptions options = {.machine = &machine_rngd, .rules = &engine_rules};
            Builder *builder = builder_new(&arena, &diags, &options);
            ProgramList programs = {0};
            Str text = draft_text(&draft, &arena, count);
            *array_push(&arena, &sources, Source) = (Source){STR("program"), text};
            bool ok = program_parse(builder, 0, text, &programs);
            drafts++;
            if (ok) {
                accepted++;
                StrBuf why = {.arena = &arena};
                AgreeOptions ao = {.machine = &machine_rngd, .sources = &sources, .seed = (uint64_t)seed, .specials = true, .unwritten = seed % 5 == 0 ? 10 : 0};
                Agreement end = agree_program(&arena, programs.items[0], &ao, &why);
                ends[end]++;
                ops += count;
                if (end == AGREE_DIFFERENT || end == AGREE_REFUSED || (verbose && end != AGREE_SAME))
                    printf("seed %ld: %d\n%.*s%.*s\n", seed, end, STR_ARG(text), STR_ARG(buf_str(&why)));
                builder_free(builder);
                break;
            }
            for (int64_t i = 0; i < diags.count; i++)
                if (diags.items[i]->severity == SEVERITY_ERROR) {
                    hist[diags.items[i]->code]++;
                    if (verbose) {
                    StrBuf out = {.arena = &arena};
                    DiagList one = diags; one.items = &diags.items[i]; one.count = 1;
                    diag_render_text(&out, &sources, &one, DIAG_PLAIN);
                    printf("seed %ld refused: %.*s\n", seed, STR_ARG(buf_str(&out)));
                    }
                    // the op it is in
                    int64_t at = diags.items[i]->span.start, start = 0, line = 0;
                    (void)line;
                    start = text.len - 4;
                    int64_t k = count;
                    while (k > 0 && start > at) start -= draft.ops[--k].len;
                    count = start > at ? 0 : k;
                    break;
                }
            builder_free(builder);
        }
        arena_release(&arena);
    }
    printf("%ld drafts, %ld accepted, %ld ops; same %ld different %ld refused %ld ended %ld left out %ld\n", drafts, accepted, ops, ends[0], ends[1], ends[2], ends[3], ends[4]);
    for (int i = 0; i < DIAG_CODE_COUNT; i++)
        if (hist[i] > 0) printf("%s %ld %s\n", diag_infos[i].code, hist[i], diag_infos[i].title);
    return 0;
}
