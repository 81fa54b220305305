// What the two who execute runs share with those who run.
#ifndef CONTRA_RUN_BACKEND_H
#define CONTRA_RUN_BACKEND_H

#include "run/run.h"

// An oracle for the program of a run, on its arrays.
void run_open_oracle(Run *run, const OracleOptions *options);

// Files that were mapped need no memory for now.
void rest_files(const Contra *contra);

#endif
