#include "schedule/page.h"

#include <string.h>

// Each "<" is written as an escape, so that no text of the schedule is taken for HTML; it stands in
// texts only, which may have it so.
static void print_escaped(StrBuf *out, Str document)
{
    while (document.len) {
        const char *found = memchr(document.data, '<', (size_t)document.len);
        int64_t plain = found ? found - document.data : document.len;
        buf_add(out, (Str){document.data, plain});
        if (found)
            buf_add(out, STR("\\u003c"));
        plain += found != NULL;
        document = (Str){document.data + plain, document.len - plain};
    }
}

void schedule_print_page(StrBuf *out, Str document)
{
    Str page = schedule_page_template(); // terminated
    const char *marker = strstr(page.data, SCHEDULE_PAGE_MARKER);
    const char *behind = marker + sizeof SCHEDULE_PAGE_MARKER - 1;
    buf_add(out, (Str){page.data, marker - page.data});
    print_escaped(out, document);
    buf_add(out, (Str){behind, page.data + page.len - behind});
}
