// The door every public function comes in by, and what several of them share.
#ifndef CONTRA_API_STATE_H
#define CONTRA_API_STATE_H

#include "contra.h"

#include "run/state.h"

struct ContraMapping {
    const Contra *contra;
    const Expr *expr; // NULL: the result of an operation
    Mapping mapping;
    Mapping normal;
    AtomList axes;
    ContraText text, normal_text;
};

// Opens a public function that gives back a ContraStatus. Memory that runs out anywhere inside
// comes back here; the arena owns whatever is lost by that.
#define CONTRA_ENTER(contra) CONTRA_ENTER_FOR(contra, CONTRA_INVALID, CONTRA_NO_MEMORY)

// The same for one that gives back something else: without a Contra, and once memory ran out.
#define CONTRA_ENTER_FOR(contra, refused, no_memory)                                       \
    if (!(contra))                                                                         \
        return refused;                                                                    \
    if ((contra)->exhausted)                                                               \
        return no_memory;                                                                  \
    Outside outside __attribute__((cleanup(leave_contra), unused)) = enter_contra(contra); \
    if (setjmp((contra)->on_oom))                                                          \
    return (contra)->exhausted = true, no_memory

// What stands in a result of the caller until there is one: before CONTRA_ENTER, so that it stands
// there whatever is refused.
#define CONTRA_GIVES(result, nothing) \
    do {                              \
        if (result)                   \
            *(result) = (nothing);    \
    } while (0)

// What this thread used before it entered, and uses again behind it: a callback may enter another
// Contra.
typedef struct {
    const HeapSource *memory;
    int threads;
} Outside;

// The machine in use, for a result that stays when another one is used.
const Machine *keep_machine(Contra *contra);

Outside enter_contra(Contra *contra);
void leave_contra(Outside *outside);

// Refuses a call that lacks something, which the words name. Requires: CONTRA_ENTER.
#define CONTRA_NEEDS(contra, condition, words)                   \
    do {                                                         \
        if (!(condition))                                        \
            return refuse_argument((contra), __func__, (words)); \
    } while (0)
ContraStatus refuse_argument(Contra *contra, const char *function, const char *needed);

// The same for something of another Contra: its names and numbers mean nothing here, and it may be
// gone before what would be made of it. Requires: it is there.
#define CONTRA_OWNS(contra, handle, words)                       \
    do {                                                         \
        if ((handle)->contra != (contra))                        \
            return refuse_stranger((contra), __func__, (words)); \
    } while (0)
ContraStatus refuse_stranger(Contra *contra, const char *function, const char *what);

// Whether an array that is given with a count is there.
#define IS_LIST(items, count) ((count) >= 0 && ((items) || !(count)))

// Whether there is something of that number among so many.
#define IS_INDEX(index, count) ((index) >= 0 && (index) < (int64_t)(count))

// Both checks, for a handle.
#define CONTRA_TAKES(contra, handle, words)            \
    do {                                               \
        CONTRA_NEEDS(contra, handle, "`" #handle "`"); \
        CONTRA_OWNS(contra, handle, words);            \
    } while (0)

// Opens a public function that writes a text, which is built in contra->request.
#define CONTRA_WRITES(contra, text) \
    CONTRA_GIVES(text, NO_TEXT);    \
    CONTRA_ENTER(contra);           \
    CONTRA_NEEDS(contra, text, "`" #text "`")
// Returns a copy of such a text, without spare capacity.
ContraStatus give_text(Contra *contra, const StrBuf *buf, ContraText *text);

// Remembers a text for diagnostics to point into; its number.
int32_t add_source(Contra *contra, ContraText name, ContraText text);

// Opens a request: treats the rules as the options say, which come as the caller gave them. False:
// an option was refused.
bool request_open(Contra *contra, const ContraCheckOptions *options);
// What the options say about rules, for a request or for a program that is built. False: one was
// refused.
bool options_open(Contra *contra, const ContraCheckOptions *options, DiagTreatment *treatments,
                  BuilderOptions *builder);

// Which files of crates are read.
typedef enum {
    ROOTS_ALL,
    ROOTS_TO_RUN, // where a crate has programs, not its tests, examples and benches
} RootSet;

// Reads what is at the paths.
void request_read(Contra *contra, const ContraText *paths, int64_t count, RootSet set,
                  CheckResult *checked);

// Loads some of the files that these paths stand for, like contra_load. Requires: CONTRA_ENTER.
ContraStatus load_files(Contra *contra, const ContraText *paths, int64_t count,
                        const ContraCheckOptions *options, RootSet set);

// The kernel of a number; NULL: there is none.
const Kernel *kernel_at(Contra *contra, int64_t index);
const Kernel *kernel_wanted(Contra *contra, int64_t index); // .. which was said

// Names the kernels that were read.
void kernels_note(Contra *contra, Diag *diag);

// A mapping handle for a result.
ContraMapping *new_mapping(Contra *contra, const Mapping *mapping, const Expr *expr);

#endif
