#include "lang/cfg.h"

#include <string.h>

Str cfg_first(Str text, Str *rest)
{
    int64_t depth = 0, at = 0;
    bool quoted = false;
    for (; at < text.len; at++) {
        char c = text.data[at];
        if (quoted && c == '\\')
            at++;
        else if (c == '"')
            quoted = !quoted;
        else if (!quoted && strchr("([{", c) && c)
            depth++;
        else if (!quoted && strchr(")]}", c) && c)
            depth--;
        else if (!quoted && !depth && c == ',')
            break;
    }
    int64_t end = at < text.len ? at : text.len;
    *rest = end < text.len ? str_slice(text, end + 1, text.len) : (Str){0};
    return str_trim(str_slice(text, 0, end));
}

// Splits NAME = "VALUE"; a name alone has an empty value.
static Str cut_value(Str setting, Str *value)
{
    const char *equals = setting.len ? memchr(setting.data, '=', (size_t)setting.len) : NULL;
    *value = (Str){0};
    if (!equals)
        return str_trim(setting);
    int64_t at = equals - setting.data;
    *value = str_trim(str_slice(setting, at + 1, setting.len));
    if (value->len >= 2 && value->data[0] == '"' && value->data[value->len - 1] == '"')
        *value = str_slice(*value, 1, value->len - 1);
    return str_trim(str_slice(setting, 0, at));
}

static bool is_listed(Str settings, Str name, Str value)
{
    while (settings.len) {
        Str given_value, given = cut_value(cfg_first(settings, &settings), &given_value);
        if (str_equal(given, name) && str_equal(given_value, value))
            return true;
    }
    return false;
}

static bool is_set(const Cfg *cfg, Str setting)
{
    static const char host[] = "true,unix,panic=unwind,target_os=linux,target_family=unix,"
                               "target_arch=x86_64,target_pointer_width=64,target_endian=little,"
                               "target_env=gnu,target_vendor=unknown";
    Str value, name = cut_value(setting, &value);
    return (cfg->is_test && str_equal(name, STR("test")) && !value.len) ||
           is_listed(STR(host), name, value) || is_listed(cfg->given, name, value);
}

static bool holds_at(const Cfg *cfg, Str predicate, int depth, bool *is_deep)
{
    predicate = str_trim(predicate);
    const char *open = predicate.len ? memchr(predicate.data, '(', (size_t)predicate.len) : NULL;
    if (!open || predicate.data[predicate.len - 1] != ')')
        return is_set(cfg, predicate);
    Str name = str_trim(str_slice(predicate, 0, open - predicate.data));
    Str rest = str_trim(str_slice(predicate, open - predicate.data + 1, predicate.len - 1));
    bool all = true, any = false;
    *is_deep |= depth == CFG_MOST_DEPTH;
    while (rest.len && !*is_deep) {
        bool holds = holds_at(cfg, cfg_first(rest, &rest), depth + 1, is_deep);
        all &= holds;
        any |= holds;
        rest = str_trim(rest);
    }
    return str_equal(name, STR("not")) ? !any : str_equal(name, STR("any")) ? any : all;
}

bool cfg_holds(const Cfg *cfg, Str predicate, bool *is_deep)
{
    return holds_at(cfg, predicate, 0, is_deep);
}
