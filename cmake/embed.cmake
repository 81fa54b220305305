# contra_embed(FILE SYMBOL OUT): a C file with FILE's bytes as `Str SYMBOL(void)`, made anew when it
# changes.
function(contra_embed file symbol header out)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(READ ${file} hex HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
    string(REGEX REPLACE "(0x[0-9a-f][0-9a-f],0x[0-9a-f][0-9a-f],0x[0-9a-f][0-9a-f],0x[0-9a-f][0-9a-f],0x[0-9a-f][0-9a-f],0x[0-9a-f][0-9a-f],0x[0-9a-f][0-9a-f],0x[0-9a-f][0-9a-f],)" "\\1\n" bytes "${bytes}")
    file(CONFIGURE OUTPUT ${out} @ONLY CONTENT
"#include \"@header@\"

static const unsigned char data[] = {
@bytes@0};

Str @symbol@(void)
{
    return (Str){(const char *)data, sizeof data - 1};
}
")
endfunction()
