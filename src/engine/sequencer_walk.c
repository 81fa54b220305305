#include "engine/sequencer_walk.h"

#include "engine/report.h"
#include "engine/sequencer.h"

// The chapter writes a broadcast stream back, which a bare sequencer can do; it is the Commit
// Engine that refuses it. Manual: Sequencer, Examples.
static bool is_refused(const DiagList *found)
{
    for (int64_t i = 0; i < found->count; i++)
        if (found->items[i]->code != DIAG_SEQUENCE_WRITE_BROADCAST)
            return true;
    return false;
}

void walk_verify(const Verify *verify, const Walk *walk)
{
    DiagList found = {.arena = verify->arena};
    Sequence sequence;
    SequenceRequest request = {
        .machine = verify->machine,
        .engine = walk->writes ? SEQUENCE_WRITE : SEQUENCE_READ,
        .context = CONTEXT_MAIN,
        .buffer = walk->buffer->expr,
        .time = walk->time->expr,
        .packet = walk->packet->expr,
        .type = walk->type,
        .cast = walk->type,
    };
    sequencer_derive(verify->arena, &request, &found, &sequence);
    if (is_refused(&found))
        report_again(verify, &found, walk->span);
}
