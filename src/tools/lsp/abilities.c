#include "features.h"


static json_t *actions(void)
{
    return json_pack("{s:[s, s]}", "codeActionKinds", "quickfix", "source.fixAll");
}

const Ability abilities[] = {
    {"codeActionProvider", actions},
    {NULL, NULL},
};
