// A kernel that a host program launches, made ready for any number of launches.
#ifndef CONTRA_API_LAUNCH_READY_H
#define CONTRA_API_LAUNCH_READY_H

#include "api/execute.h"
#include "lang/host/executor.h"

// A place in HBM, or of the host, that is no parameter's: it begins without values.
typedef struct {
    const HwArgument *place;
    bool is_shared; // with a parameter, whose values are there in the beginning
    bool is_name;   // for what lies there (from_addr)
} OwnPlace;

// A kernel as commands, with the plans for them; or with an oracle, if it has none.
struct ReadyKernel {
    ReadyKernel *next; // that was made before
    const Program *program;
    bool is_lowered; // false: the oracle executes it
    Lowered lowered;
    DeviceProgram *code; // NULL: others were launched more often since
    int64_t launched;    // when, in launches
    Oracle *oracle;      // that checks it, or executes it; NULL: none
    bool *is_result;     // one a tensor
    struct {
        ARRAY(const Tensor *);
    } written;           // in HBM, or parameters
    const Diag *reduced; // padding that is reduced; NULL: none
    LaunchSite *sites;   // from where it was launched
    struct {
        ARRAY(OwnPlace);
    } own;
};

// Where it has to be left to the oracle, a warning says why.
ReadyKernel *kernel_ready(Contra *contra, const ContraRunOptions *options, Arena *scratch,
                          Program *program);

#endif
