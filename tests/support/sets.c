#include "sets.h"

#include "test.h"

static bool has_run[ISA_COUNT];

void sets_note(Isa isa)
{
    has_run[isa] |= isa_is_here(isa);
}

void sets_use(Device *device, Isa isa)
{
    device_use_isa(device, isa);
    sets_note(isa);
}

int sets_report(void **state)
{
    (void)state;
    bool all = true;
    print_message("instruction sets:");
    for (Isa isa = 0; isa < ISA_COUNT; isa++) {
        all &= has_run[isa] || !isa_is_here(isa);
        print_message("%s %s %s", isa ? "," : "", isa_name(isa),
                      has_run[isa]       ? "ran"
                      : isa_is_here(isa) ? "was left out"
                                         : "is missing on this machine");
    }
    print_message("\n");
    return all ? 0 : -1;
}
