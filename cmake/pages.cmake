# cmake -DCONTRA=TOOL -DOUT=DIR -P cmake/pages.cmake: what the tool prints about itself, as files: manual pages in man/man1,
# completions of shells. Which commands there are says the page of the tool, which names theirs.
cmake_minimum_required(VERSION 3.20)

function(contra_print file)
    execute_process(COMMAND ${CONTRA} ${ARGN} OUTPUT_FILE ${OUT}/${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${OUT})
file(MAKE_DIRECTORY ${OUT}/man/man1 ${OUT}/man/man3)
contra_print(man/man1/contra.1 help --man)
file(READ ${OUT}/man/man1/contra.1 page)
string(REGEX MATCHALL "\\.BR contra.-[a-z]+ \\(1\\)" commands "${page}")
foreach(command IN LISTS commands)
    string(REGEX REPLACE ".*-([a-z]+) .*" "\\1" command ${command})
    contra_print(man/man1/contra-${command}.1 help --man ${command})
endforeach()
foreach(shell bash zsh fish)
    contra_print(contra.${shell} completions ${shell})
endforeach()
