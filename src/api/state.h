// What a Contra holds, and the door every public function comes in by.
#ifndef CONTRA_API_STATE_H
#define CONTRA_API_STATE_H

#include "contra.h"

#include "base/diag.h"
#include "lang/check.h"
#include "machine/machine.h"
#include "mapping/cell.h"
#include "mapping/expr.h"

#include <setjmp.h>

struct Contra {
    Arena arena;
    Arena scratch; // of results that live until the next call
    jmp_buf on_oom;
    SourceList sources;
    DiagList diags;
    Scope scope;
    Machine machine;
    DiagTreatment treatments[DIAG_CODE_COUNT];
    Lang *lang;       // the front end; NULL until it is needed
    Builder *builder; // of the programs it traces
    Programs programs;
};

struct ContraMapping {
    const Expr *expr; // NULL: the result of an operation
    Mapping mapping;
    Mapping normal;
    AtomList axes;
    ContraText text, normal_text;
};

// Opens a public function that gives back a ContraStatus. Memory that runs out anywhere inside
// comes back here; the arena owns whatever is lost by that.
#define CONTRA_ENTER(contra)          \
    do {                              \
        if (setjmp((contra)->on_oom)) \
            return CONTRA_NO_MEMORY;  \
    } while (0)

ContraText text_of(Str str);
Str str_of(ContraText text);

// Remembers a text for diagnostics to point into; its number.
int32_t add_source(Contra *contra, ContraText name, ContraText text);

// A mapping handle for a result.
ContraMapping *new_mapping(Contra *contra, const Mapping *mapping, const Expr *expr);

#endif
