#include "lang/syntax/cfg.h"

#include <ctype.h>
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

static bool is_name(Str text)
{
    for (int64_t i = 0; i < text.len; i++)
        if (text.data[i] != '_' && !isalnum((unsigned char)text.data[i]))
            return false;
    return text.len && !isdigit((unsigned char)text.data[0]);
}

bool cfg_may_set(Str setting)
{
    Str value;
    return is_name(cut_value(setting, &value));
}

// Keeps the first mistake. An item whose predicate is wrong stays, so that its uses find it.
static bool mistaken(CfgMistake *mistake, CfgMistakeKind kind, Str text)
{
    if (mistake->kind == CFG_CORRECT)
        *mistake = (CfgMistake){kind, text};
    return true;
}

// name | name = "value"
static bool setting_holds(const Cfg *cfg, Str setting, CfgMistake *mistake)
{
    Str unquoted;
    const char *equals = memchr(setting.data, '=', (size_t)setting.len);
    if (!is_name(cut_value(setting, &unquoted)))
        return mistaken(mistake, CFG_NAME, setting);
    Str value =
        equals ? str_trim(str_slice(setting, equals + 1 - setting.data, setting.len)) : (Str){0};
    bool is_string = value.len >= 2 && value.data[value.len - 1] == '"' &&
                     (value.data[0] == '"' || value.data[0] == 'r');
    if (equals && !is_string)
        return mistaken(mistake, CFG_VALUE, value);
    return is_set(cfg, setting);
}

// The one predicate of `cfg` and `not`.
static Str only_predicate(Str list, CfgMistake *mistake)
{
    Str rest, first = cfg_first(list, &rest);
    if (str_trim(rest).len)
        mistaken(mistake, CFG_SEVERAL, str_trim(list));
    else if (!first.len)
        mistaken(mistake, CFG_MISSING, list);
    return first;
}

// predicate = setting | ("not" | "all" | "any") "(" predicates ")"
static bool holds_at(const Cfg *cfg, Str predicate, int depth, CfgMistake *mistake)
{
    predicate = str_trim(predicate);
    if (!predicate.len)
        return mistaken(mistake, CFG_MISSING, predicate);
    const char *open = memchr(predicate.data, '(', (size_t)predicate.len);
    if (!open || predicate.data[predicate.len - 1] != ')')
        return setting_holds(cfg, predicate, mistake);
    Str name = str_trim(str_slice(predicate, 0, open - predicate.data));
    Str rest = str_trim(str_slice(predicate, open - predicate.data + 1, predicate.len - 1));
    bool all = true, any = false, is_not = str_equal(name, STR("not"));
    if (!is_not && !str_equal(name, STR("all")) && !str_equal(name, STR("any")))
        return mistaken(mistake, CFG_OPERATOR, name);
    if (depth == CFG_MOST_DEPTH)
        return mistaken(mistake, CFG_DEEP, predicate);
    if (is_not)
        rest = only_predicate(rest, mistake);
    while (rest.len && mistake->kind == CFG_CORRECT) {
        bool holds = holds_at(cfg, cfg_first(rest, &rest), depth + 1, mistake);
        all &= holds;
        any |= holds;
        rest = str_trim(rest);
    }
    bool holds = is_not ? !any : str_equal(name, STR("any")) ? any : all;
    return holds || mistake->kind != CFG_CORRECT;
}

bool cfg_holds(const Cfg *cfg, Str predicate, CfgMistake *mistake)
{
    *mistake = (CfgMistake){0};
    Str only = only_predicate(predicate, mistake);
    return mistake->kind != CFG_CORRECT || holds_at(cfg, only, 0, mistake);
}
