# contra_page(OUT): makes the schedule page of viewer/ one HTML file that needs nothing else. As a script:
#     cmake -DOUT=page.html -P cmake/page.cmake
# Modules become one script: those that others import come first, and imports and the word export go. So top-level names are
# unique over all of them; a browser test would find two that are not.
cmake_minimum_required(VERSION 3.20)

set(contra_viewer ${CMAKE_CURRENT_LIST_DIR}/../viewer)

# The text of a file of viewer/, in TEXT of who asks; made anew when it changes.
function(contra_page_text file)
    if(NOT CMAKE_SCRIPT_MODE_FILE)
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${contra_viewer}/${file})
    endif()
    file(READ ${contra_viewer}/${file} text)
    set(text "${text}" PARENT_SCOPE)
endfunction()

function(contra_page out)
    include(${contra_viewer}/modules.cmake)
    set(script "")
    foreach(module IN LISTS page_modules)
        contra_page_text(src/${module}.js)
        string(REGEX REPLACE "(^|\n)import [^;]*;" "\\1" text "${text}")
        string(REGEX REPLACE "(^|\n)export " "\\1" text "${text}")
        string(APPEND script "\n// ---- ${module}.js\n${text}")
    endforeach()
    contra_page_text(style.css)
    set(style "${text}")
    contra_page_text(page.html)
    string(REPLACE "/*CONTRA_STYLE*/" "${style}" text "${text}")
    string(REPLACE "/*CONTRA_SCRIPT*/" "${script}" text "${text}")
    file(CONFIGURE OUTPUT ${out} @ONLY CONTENT "@text@")
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
    contra_page(${OUT})
endif()
