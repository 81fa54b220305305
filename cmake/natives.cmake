# contra_natives(OUT TEXT...): lists the library functions that are written in C. OUT/natives.h has their prototypes, and
# OUT/natives.c has the table std_natives[], sorted by the text in `#[native(..)]`.
function(contra_natives out)
    set(marks "")
    foreach(file IN LISTS ARGN)
        file(READ ${file} text)
        if(file MATCHES "/std\\.rs$" AND text MATCHES "[^]]\n *((pub )?fn [^{\n]*);\n")
            message(FATAL_ERROR "${file}: `${CMAKE_MATCH_1}` has neither a body nor `#[native]`")
        endif()
        string(REGEX MATCHALL "#\\[native\\([^)]*\\)\\]" found "${text}")
        list(APPEND marks ${found})
    endforeach()
    list(TRANSFORM marks REPLACE "^#.native.(.*)..$" "\\1")
    list(REMOVE_DUPLICATES marks)
    list(SORT marks)
    set(prototypes "")
    set(rows "")
    foreach(mark IN LISTS marks)
        if(NOT mark MATCHES "^([a-z0-9_]+)(, ([A-Z0-9_+| ]+))?$")
            message(FATAL_ERROR "`${mark}`: expected the name of a C function and maybe a constant")
        endif()
        set(function native_${CMAKE_MATCH_1})
        set(op ${CMAKE_MATCH_3})
        if(NOT op)
            set(op 0)
        endif()
        string(APPEND prototypes "bool ${function}(const StdCall *call, Value *result);\n")
        string(APPEND rows "    {\"${mark}\", ${function}, ${op}},\n")
    endforeach()
    file(CONFIGURE OUTPUT ${out}/natives.h @ONLY CONTENT
"// Made by cmake/natives.cmake from the marks in std.rs and prelude.rs.
#include \"lang/std/std.h\"

@prototypes@")
    file(CONFIGURE OUTPUT ${out}/natives.c @ONLY CONTENT
"#include \"lang/std/native.h\"

#include \"base/checked.h\"

const StdNative std_natives[] = {
@rows@};

const int64_t std_native_count = COUNT_OF(std_natives);
")
endfunction()

# contra_ranges(FILE SYMBOL HEADER OUT): runs such as 0-1f, in hexadecimal, as `uint32_t SYMBOL[][2]` and its count.
function(contra_ranges file symbol header out)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(READ ${file} text)
    string(REGEX REPLACE "#[^\n]*\n" "" text "${text}")
    string(REGEX REPLACE "([0-9a-f]+)-([0-9a-f]+)" "{0x\\1, 0x\\2}," text "${text}")
    file(CONFIGURE OUTPUT ${out} @ONLY CONTENT
"#include \"@header@\"

#include \"base/checked.h\"

const uint32_t @symbol@[][2] = {
@text@};

const int64_t @symbol@_count = COUNT_OF(@symbol@);
")
endfunction()
