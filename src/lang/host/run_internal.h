// What the parts of a running program share.
#ifndef CONTRA_LANG_HOST_RUN_INTERNAL_H
#define CONTRA_LANG_HOST_RUN_INTERNAL_H

#include "lang/eval/call.h"
#include "lang/host/run.h"

// A Tensor of the host, or a view of one: an array under a mapping.
struct HostArray {
    Array *array;
    Mapping mapping;
    const ArrayOffset *offsets; // of a view: of the tiles it was made by
    int64_t offset_count;
    Mapping whole;   // of a view: the mapping of the tensor
    ValueList *lent; // its elements while the program changes them (raw.c); NULL: it does not
};

enum { SPARE_LISTS = 8 };

struct HostState {
    Builder *kernels; // for the kernels that are launched
    Oracle *host;     // executes what the host does to tensors of the device
    const Program *program;
    int64_t ops_seen; // operations of it whose arrays are known to be up to date
    Map lent;         // list -> Array: whose elements it holds
    Map launches;     // kernel -> Launch: the first of those it was launched with
    struct {
        ARRAY(Array *);
    } arrays;                      // to be given back
    Decl *init, *uninit;           // Opt::Init, Opt::Uninit
    struct Future *tasks;          // that were spawned and have not run
    struct Shared *context;        // that was acquired; NULL: it is free
    int64_t asked;                 // steps when it was last asked whether to go on
    Arena scratch;                 // of the launch at hand
    ValueList *spare[SPARE_LISTS]; // by how many values: of arguments that are gone; NULL: none
};

// ---- run.c

// An array that lives as long as the run. NULL: no memory, which is a panic.
Array *run_array(Trace *trace, Scalar type, const Mapping *mapping, Span span);
Array *run_keep(Trace *trace, Array *array); // the same of one that was made elsewhere

// The tensor with this array behind it. `array` NULL: no memory, which is a panic.
Value run_bind(Trace *trace, const Tensor *tensor, Array *array, Span span);

// A tensor that is dropped gives back its array, unless the array itself was looked at: then it
// lives as long as the run.
void run_drop_tensor(Trace *trace, const Tensor *tensor);
void run_keep_tensor(Trace *trace, const Tensor *tensor);

// What the host has at hand of a tensor of the device or the host.
Array *run_tensor_array(Trace *trace, const Tensor *tensor);

// An element as a value of the language, and back. False: the value is of another type.
Value host_element(Scalar type, uint32_t bits);
bool host_element_bits(Value value, Scalar type, uint32_t *bits);
Value opt_value(Trace *trace, Scalar type, uint32_t bits, bool live);
bool opt_bits(Value value, Scalar type, uint32_t *bits, uint8_t *live);

// The type of elements and the mapping that HostTensor<D, E>, Tensor<D, E> or a view says.
bool host_shape(Trace *trace, Type *type, Scalar *scalar, const Dim **dim);

// ---- tensor.c, math.c, index.c: what only a running program does

extern const BuiltinRows host_control_rows, host_tensor_rows, host_math_rows, host_place_rows,
    host_raw_rows, host_index_rows, host_factors_rows, host_safetensors_rows;

// A HostTensor or a Tensor, as the type says, with this array.
Value host_tensor_value(const Call *call, Type *type, Array *array, const Dim *dim);
Value host_array_value(Trace *trace, Array *array, const Mapping *mapping);
// The array behind a HostTensor, a Tensor or a view of one. False: it is none.
bool host_array_of(Trace *trace, Value value, HostArray *host);
// The same for the time of a call: nothing that is made of it has that array.
bool host_array_peek(Trace *trace, Value value, HostArray *host);
// An array for the result of a call, all uninitialised.
bool host_result_array(const Call *call, HostArray *host, const Dim **dim);

// ---- math.c

// What folds two elements: a closure of the program, or addition.
typedef struct {
    const Call *call;
    Value function; // unknown: addition
    uint32_t identity;
    uint8_t identity_live;
} HostFold;

// A tensor folded over all axes that `target` lacks. False: a panic said why not.
bool host_fold(const HostFold *fold, const HostArray *self, const Array *target, HostArray *rest);

// ---- raw.c

// The axes of an array in their order, as a mapping.
Mapping host_raw_mapping(Arena *arena, const Array *array);
// Takes back what was lent of an array; the program has done with it.
void host_take_back(HostArray *host);

// ---- factors.c

Value host_term_value(Trace *trace, Term term);
bool host_term_of(Trace *trace, Value value, Term *term);

// ---- launch.c

Value run_launch(const Call *call);
void launches_free(void *first);

#endif
