# Makes the schedule page of viewer/ one HTML file that needs nothing else:
#     cmake -DOUT=page.html -P cmake/page.cmake
# Modules become one script: those that others import come first, and imports and the word export go. So top-level names are
# unique over all of them; a browser test would find two that are not.
cmake_minimum_required(VERSION 3.20)
set(viewer ${CMAKE_CURRENT_LIST_DIR}/../viewer)
include(${viewer}/modules.cmake)

set(script "")
foreach(module IN LISTS page_modules)
    file(READ ${viewer}/src/${module}.js text)
    string(REGEX REPLACE "(^|\n)import [^;]*;" "\\1" text "${text}")
    string(REGEX REPLACE "(^|\n)export " "\\1" text "${text}")
    string(APPEND script "\n// ---- ${module}.js\n${text}")
endforeach()

file(READ ${viewer}/style.css style)
file(READ ${viewer}/page.html page)
string(REPLACE "/*CONTRA_STYLE*/" "${style}" page "${page}")
string(REPLACE "/*CONTRA_SCRIPT*/" "${script}" page "${page}")
file(WRITE ${OUT} "${page}")
