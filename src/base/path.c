#include "base/path.h"

Str path_folder(Str path)
{
    for (int64_t i = path.len; i > 0; i--)
        if (path.data[i - 1] == '/')
            return str_slice(path, 0, i - 1);
    return STR(".");
}

Str path_normal(Arena *arena, Str path)
{
    StrBuf buf = {.arena = arena};
    if (path.len && path.data[0] == '/')
        buf_add_char(&buf, '/');
    for (int64_t start = 0; start < path.len;) {
        int64_t end = start;
        while (end < path.len && path.data[end] != '/')
            end++;
        Str part = str_slice(path, start, end), before = buf_str(&buf);
        start = end + 1;
        if (!part.len || str_equal(part, STR(".")))
            continue;
        Str last = before.len ? str_slice(before, path_folder(before).len, before.len) : before;
        bool up = str_equal(part, STR("..")) && before.len && !str_equal(last, STR("/..")) &&
                  !str_equal(before, STR("..")) && !str_equal(before, STR("/"));
        if (up) {
            Str outer = path_folder(before);
            buf.len = str_equal(outer, STR(".")) ? 0 : outer.len;
            continue;
        }
        if (before.len && before.data[before.len - 1] != '/')
            buf_add_char(&buf, '/');
        buf_add(&buf, part);
    }
    return buf_str(&buf);
}
