# Pretends that the compiler of this machine is a cross compiler, so its programs must not be run.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR riscv64)
set(CMAKE_C_COMPILER cc)
