// Objects become schedules; schedules become texts.
#include "api/schedule.h"

#include "api/sized.h"
#include "base/checked.h"
#include "device/verify.h"
#include "run/object.h"
#include "schedule/compare.h"
#include "schedule/export.h"
#include "schedule/order_text.h"
#include "schedule/page.h"

#include <inttypes.h>

ContraStatus contra_schedule_order(Contra *contra, ContraText name, ContraText text,
                                   ContraScheduleOptions *options)
{
    CONTRA_ENTER(contra);
    OrderList order = {0};
    ContraScheduleOptions whole;
    CONTRA_NEEDS(contra, options, "`options`");
    if (!sized_take(contra, SIZED_ContraScheduleOptions, options, &whole))
        return CONTRA_INVALID;
    options->order = NULL;
    options->order_count = 0;
    if (!order_read(&contra->arena, &contra->diags, str_of(name), str_of(text), &order))
        return CONTRA_INVALID;
    options->order = order.items;
    options->order_count = order.count;
    return CONTRA_OK;
}

ContraStatus contra_schedule(Contra *contra, const ContraObject *object,
                             const ContraScheduleOptions *given, ContraSchedule **schedule)
{
    static const CostModel models[] = {[CONTRA_COST_MANUAL] = COST_MANUAL,
                                       [CONTRA_COST_STATIC] = COST_STATIC,
                                       [CONTRA_COST_SILICON] = COST_SILICON};
    CONTRA_GIVES(schedule, NULL);
    CONTRA_ENTER(contra);
    ContraScheduleOptions options;
    CONTRA_NEEDS(contra, schedule, "`schedule`");
    CONTRA_NEEDS(contra, object, "`object`");
    CONTRA_OWNS(contra, object, "an object");
    if (!sized_take(contra, SIZED_ContraScheduleOptions, given, &options))
        return CONTRA_INVALID;
    CONTRA_NEEDS(contra, IS_ENUM(options.cost, COUNT_OF(models)), "a cost model that there is");
    Str name = object->name.len ? object->name : object->object.kernel;
    if (!object_fits_machine(&contra->arena, name, &object->object, &contra->machine,
                             &contra->diags) ||
        (object->name.len &&
         !object_verify(name, &object->object, &contra->machine, &verify_any_work, &contra->diags)))
        return CONTRA_INVALID;
    ScheduleOptions inner = {models[options.cost], options.order, options.order_count};
    const Schedule *made = schedule_new(&contra->arena, &contra->scratch, &contra->diags,
                                        keep_machine(contra), &object->object, &inner);
    if (!made)
        return status_of(contra, CONTRA_INVALID);
    log_say(contra, CONTRA_LOG_INFO, "scheduled %.*s: %" PRId64 " operations in %" PRId64 " cycles",
            STR_ARG(object->object.kernel), object->object.operations.count, made->cycles);
    ContraSchedule *whole = arena_new(&contra->arena, ContraSchedule, 1);
    whole->contra = contra;
    whole->schedule = made;
    whole->values = arena_new(&contra->arena, OperationValues *, (size_t)made->operation_count + 1);
    *schedule = whole;
    return CONTRA_OK;
}

int64_t contra_schedule_cycles(const ContraSchedule *schedule)
{
    return schedule ? schedule->schedule->cycles : 0;
}

ContraStatus contra_schedule_text(Contra *contra, const ContraSchedule *schedule,
                                  const ContraScheduleTextOptions *given, ContraText *text)
{
    enum { DEFAULT_WIDTH = 100 };
    CONTRA_GIVES(text, NO_TEXT);
    CONTRA_ENTER(contra);
    ContraScheduleTextOptions options;
    CONTRA_NEEDS(contra, text, "`text`");
    CONTRA_NEEDS(contra, schedule, "`schedule`");
    CONTRA_OWNS(contra, schedule, "a schedule");
    if (!sized_take(contra, SIZED_ContraScheduleTextOptions, given, &options))
        return CONTRA_INVALID;
    CONTRA_NEEDS(contra, IS_ENUM(options.form, CONTRA_SCHEDULE_SVG + 1),
                 "a form of schedules that there is");
    StrBuf out = {.arena = &contra->request};
    SummaryOptions summary = {options.colour, options.width ? options.width : DEFAULT_WIDTH};
    switch (options.form) {
    case CONTRA_SCHEDULE_SUMMARY:
        schedule_print_summary(&out, schedule->schedule, &summary);
        break;
    case CONTRA_SCHEDULE_JSON:
        schedule_print_json(&out, &contra->scratch, schedule->schedule);
        break;
    case CONTRA_SCHEDULE_TRACE:
        schedule_print_trace(&out, schedule->schedule);
        break;
    case CONTRA_SCHEDULE_SVG:
        schedule_print_svg(&out, schedule->schedule);
        break;
    }
    *text = text_given(contra, &out);
    return CONTRA_OK;
}

ContraStatus contra_schedule_page(Contra *contra, ContraText document, ContraText *page)
{
    CONTRA_GIVES(page, NO_TEXT);
    CONTRA_ENTER(contra);
    CONTRA_NEEDS(contra, page, "`page`");
    StrBuf out = {.arena = &contra->request};
    schedule_print_page(&out, str_of(document));
    *page = text_given(contra, &out);
    return CONTRA_OK;
}

ContraStatus contra_schedule_compare(Contra *contra, const ContraText names[2],
                                     const ContraText documents[2],
                                     const ContraCompareOptions *given, ContraText *text)
{
    CONTRA_GIVES(text, NO_TEXT);
    CONTRA_ENTER(contra);
    ContraCompareOptions options;
    CONTRA_NEEDS(contra, text, "`text`");
    CONTRA_NEEDS(contra, names && documents, "`names` and `documents`");
    if (!sized_take(contra, SIZED_ContraCompareOptions, given, &options))
        return CONTRA_INVALID;
    StrBuf out = {.arena = &contra->request};
    ScheduleSource sources[] = {{str_of(names[0]), str_of(documents[0])},
                                {str_of(names[1]), str_of(documents[1])}};
    if (!schedule_compare(&out, &contra->diags, sources,
                          options.json ? COMPARE_JSON : COMPARE_TEXT))
        return CONTRA_INVALID;
    *text = text_given(contra, &out);
    return CONTRA_OK;
}
