# Sets `bytes` in the caller to the bytes of FILE as C numbers; CMake runs again when FILE changes. The texts of the
# language, which every run reads, lose their indentation and all comments but documentation.
function(contra_file_bytes file)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(READ ${file} hex HEX)
    if(file MATCHES "/lang/std/")
        file(READ ${file} text)
        string(REGEX REPLACE "\n +" "\n" text "${text}")
        string(REGEX REPLACE "\n// [^\n]*" "" text "${text}")
        string(HEX "${text}" hex)
    endif()
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
    string(REGEX REPLACE "(0x[0-9a-f][0-9a-f],0x[0-9a-f][0-9a-f],0x[0-9a-f][0-9a-f],0x[0-9a-f][0-9a-f],0x[0-9a-f][0-9a-f],0x[0-9a-f][0-9a-f],0x[0-9a-f][0-9a-f],0x[0-9a-f][0-9a-f],)" "\\1\n" bytes "${bytes}")
    set(bytes "${bytes}" PARENT_SCOPE)
endfunction()

# contra_embed(FILE SYMBOL HEADER OUT): a C file with FILE's bytes as `Str SYMBOL(void)`.
function(contra_embed file symbol header out)
    contra_file_bytes(${file})
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

# contra_embed_text(FILE SYMBOL HEADER OUT): the same as `const char SYMBOL[]`, terminated.
function(contra_embed_text file symbol header out)
    contra_file_bytes(${file})
    file(CONFIGURE OUTPUT ${out} @ONLY CONTENT
"#include \"@header@\"

const char @symbol@[] = {
@bytes@0};
")
endfunction()
