#include "base/svg.h"

void svg_begin(StrBuf *out, int64_t width, int64_t height, const char *anchor)
{
    buf_format(
        out,
        "<svg xmlns='http://www.w3.org/2000/svg' width='{}' height='{}' font-family='sans-serif' "
        "font-size='11' text-anchor='{}'>\n<defs><pattern id='padding' width='6' height='6' "
        "patternUnits='userSpaceOnUse' patternTransform='rotate(45)'><rect width='6' height='6' "
        "fill='#f4f4f4'/><rect width='2' height='6' fill='#ddd'/></pattern></defs>\n<rect "
        "width='100%' height='100%' fill='white'/>\n",
        width, height, anchor);
}

void svg_add_text(StrBuf *out, Str text)
{
    for (int64_t i = 0; i < text.len; i++) {
        char c = text.data[i];
        if (c == '&')
            buf_add(out, STR("&amp;"));
        else if (c == '<')
            buf_add(out, STR("&lt;"));
        else if (c == '>')
            buf_add(out, STR("&gt;"));
        else if ((unsigned char)c < ' ') // no document of XML may hold these
            buf_add_char(out, ' ');
        else
            buf_add_char(out, c);
    }
}

int svg_hue(int64_t at, int64_t count)
{
    enum { FEW = 12 };
    // 137.5 degrees apart where they are many
    return count <= FEW ? (int)(at * 360 / count) : (int)(at % 3600 * 1375 / 10 % 360);
}
