#include "worlds.h"

#include "test.h"

#include <stdlib.h>

World *world_new(const char *axes)
{
    World *world = calloc(1, sizeof *world);
    assert_non_null(world);
    world->diags.arena = &world->arena;
    world->scope = scope_new(&world->arena);
    if (!scope_parse_axes(&world->scope, &world->diags, 0, str_from(axes)))
        fail_msg("axes `%s` are refused: %s", axes, world_summary(world));
    return world;
}

void world_free(World *world)
{
    arena_release(&world->arena);
    free(world);
}

const Expr *world_expr(World *world, const char *text)
{
    int64_t before = world->diags.count;
    const Expr *expr = mapping_parse(&world->scope, &world->diags, 0, str_from(text));
    if (expr->kind == EXPR_POISON || world->diags.count > before)
        fail_msg("`%s` is refused: %s", text, world_summary(world));
    return expr;
}

Mapping world_mapping(World *world, const char *text)
{
    return mapping_of_expr(&world->arena, world_expr(world, text));
}

const char *world_summary(World *world)
{
    StrBuf buf = {.arena = &world->arena};
    for (int64_t i = 0; i < world->diags.count; i++) {
        const Diag *diag = world->diags.items[i];
        buf_format(&buf, "{}-{} {}\n", diag->span.start, diag->span.end,
                   diag_infos[diag->code].code);
    }
    return str_terminated(&world->arena, buf_str(&buf));
}
