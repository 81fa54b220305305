// What the sanitizer of the device found, in the words of the program.
#ifndef CONTRA_API_FAULTS_H
#define CONTRA_API_FAULTS_H

#include "api/execute.h"
#include "device/device.h"

// Adds a diagnostic for each kind of fault. False: there are none; `faults` may be NULL.
bool faults_report(const Execution *execution, const DeviceFaults *faults);

// Looks at what the kernel wrote and gives back, behind its last operation.
void faults_find_results(const Execution *execution);

#endif
