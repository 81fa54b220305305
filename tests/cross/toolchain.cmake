# Stands for the cross compiler of another machine: the programs it makes do not run here, because they ask for a dynamic
# linker that does not exist.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR riscv64)
set(CMAKE_C_COMPILER cc)
set(CMAKE_EXE_LINKER_FLAGS_INIT -Wl,--dynamic-linker=/lib/ld-of-another-machine)
