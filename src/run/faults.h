// What the sanitizer of the device found, in the words of the program.
#ifndef CONTRA_RUN_FAULTS_H
#define CONTRA_RUN_FAULTS_H

#include "device/device.h"
#include "run/execute.h"

// Adds a diagnostic for each kind of fault. False: there are none; `faults` may be NULL.
bool faults_report(const KernelRun *run, const DeviceFaults *faults);

// Looks at what the kernel wrote and gives back, behind its last operation.
void faults_find_results(const KernelRun *run);

// A reduction over slices of a program whose padding is not neutral, as the checker said; NULL:
// none.
const Diag *faults_find_reduced(const Program *program, const DiagList *said);
void faults_report_reduced(const KernelRun *run);

#endif
