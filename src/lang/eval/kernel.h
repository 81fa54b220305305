// Kernels as they are called from outside: what goes in, what comes out.
#ifndef CONTRA_LANG_EVAL_KERNEL_H
#define CONTRA_LANG_EVAL_KERNEL_H

#include "lang/eval/trace.h"
#include "lang/types/type.h"

// A tensor or a number. A tuple is several: `pair.0`, `pair.1`.
typedef struct {
    const char *name;
    Span span;
    bool is_tensor;
    bool is_mut;  // the kernel may write it
    Prim prim;    // number: its type
    Tensor shape; // tensor: its tier, type and dims
} KernelParam;

typedef struct {
    ARRAY(KernelParam);
} KernelParams;

bool is_kernel(Decl *decl); // #[device]

// What a kernel takes, in order and without its contexts, and what it gives back, as `result`.
// `generics`: of the instance; NULL: it must do without, but for contexts. False: nobody outside
// can call it, because it is generic or has a parameter of another kind.
bool kernel_params(Lang *lang, Builder *builder, Decl *decl, Type **generics, KernelParams *params,
                   KernelParams *results);

// Of the type of a parameter: it is no part of what is given from outside; the kernel may write it.
bool param_is_context(Type *type);
bool param_is_written(Type *type);

bool kernel_is_generic(Lang *lang, Decl *decl);

// The generics of an instance, by its name as in a launch, which is text `source`: `gemm::<2>`.
// NULL: a diagnostic says what is wrong with it.
Type **kernel_instance(Lang *lang, Decl *decl, int32_t source);

// Traces it, or an instance of it, with the values of its numbers, in order. The parameters of the
// program that are tensors stand in the order of kernel_params. NULL: as trace_function.
Program *trace_kernel(Lang *lang, Builder *builder, Decl *decl, Type **generics,
                      const struct Value *numbers, int64_t count);

#endif
