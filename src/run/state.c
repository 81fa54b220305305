#include "run/state.h"

#include "base/checked.h"

ContraText text_of(Str str)
{
    return str.len ? (ContraText){str.data, str.len} : NO_TEXT;
}

Str str_of(ContraText text)
{
    return (Str){text.data, text.data && text.length > 0 ? text.length : 0};
}

ContraStatus status_of(const Contra *contra, ContraStatus status)
{
    return contra->cancel.seen && status != CONTRA_NO_MEMORY ? CONTRA_CANCELLED : status;
}

ContraStatus(request_refuse)(Contra *contra, DiagCode code, Message message)
{
    (diag_add)(&contra->diags, code, SPAN_NOWHERE, message);
    return CONTRA_INVALID;
}

void(log_say)(const Contra *contra, ContraLogLevel level, Message message)
{
    char line[512]; // no memory of the Contra: results are not to move for a log
    if (!contra->log)
        return;
    int64_t length = message_write(message, line, sizeof line);
    if (length > 0)
        contra->log(contra->log_own, level,
                    (ContraText){line, min_i64(length, (int64_t)sizeof line - 1)});
}
