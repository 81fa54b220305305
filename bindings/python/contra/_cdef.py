# Made by cdef.py from contra.h.
CDEF = """\
typedef enum {
    CONTRA_OK,
    CONTRA_INVALID,
    CONTRA_NO_MEMORY,
    CONTRA_UNDECIDED,
    CONTRA_CANCELLED,
} ContraStatus;
typedef struct {
    const char *data;
    int64_t length;
} ContraText;
typedef struct Contra Contra;
typedef struct ContraMapping ContraMapping;
const char *contra_version(void);
int64_t contra_version_number(void);
ContraText contra_text(const char *terminated);
Contra *contra_new(void);
void contra_free(Contra *contra);
ContraStatus contra_use_machine(Contra *contra, ContraText name);
typedef enum { CONTRA_TABLE, CONTRA_JSON } ContraFormat;
ContraStatus contra_machine_table(Contra *contra, ContraFormat format, ContraText *text);
typedef enum {
    CONTRA_PLAIN,
    CONTRA_COLOUR,
    CONTRA_DIAGNOSTICS_JSON,
} ContraDiagnosticStyle;
int64_t contra_error_count(const Contra *contra);
ContraText contra_diagnostics(Contra *contra, ContraDiagnosticStyle style);
ContraText contra_diagnostic(Contra *contra, int64_t index, ContraDiagnosticStyle style);
void contra_clear_diagnostics(Contra *contra);
ContraStatus contra_explain(Contra *contra, ContraText code, ContraText *text);
const char *contra_code(int64_t index, const char **title);
typedef enum {
    CONTRA_RULES_ALL,
    CONTRA_RULES_REFERENCE,
} ContraRules;
typedef enum {
    CONTRA_MEMORY_REAL,
    CONTRA_MEMORY_DETACHED,
} ContraMemory;
typedef struct {
    int64_t size;
    ContraText relax;
    ContraRules rules;
    ContraMemory memory;
    int64_t most_steps;
} ContraCheckOptions;
typedef struct {
    int64_t size;
    int64_t files;
    int64_t lines;
    int64_t functions;
    int64_t kernels;
    int64_t operations;
    int64_t errors;
    int64_t warnings;
    int64_t files_refused;
    ContraText refused;
} ContraCheckResult;
typedef bool ContraRead(void *own, ContraText path, ContraText *text);
void contra_use_files(Contra *contra, ContraRead *read, void *own);
ContraStatus contra_check(Contra *contra, const ContraText *paths, int64_t count,
                                     const ContraCheckOptions *options, ContraCheckResult *result);
ContraStatus contra_check_text(Contra *contra, ContraText name, ContraText text,
                                          const ContraCheckOptions *options,
                                          ContraCheckResult *result);
ContraStatus contra_program_text(Contra *contra, ContraText *text);
const char *contra_group(int64_t index);
typedef enum {
    CONTRA_BOOL,
    CONTRA_I8,
    CONTRA_I16,
    CONTRA_I32,
    CONTRA_I64,
    CONTRA_U8,
    CONTRA_U16,
    CONTRA_U32,
    CONTRA_U64,
    CONTRA_F16,
    CONTRA_F32,
    CONTRA_F64,
    CONTRA_BF16,
    CONTRA_F8E4M3,
    CONTRA_F8E5M2,
} ContraElement;
typedef struct {
    ContraElement type;
    int64_t rank;
    const int64_t *shape;
    const void *data;
} ContraArray;
const char *contra_element_name(ContraElement type);
int64_t contra_array_count(const ContraArray *array);
double contra_array_value(const ContraArray *array, int64_t index);
ContraStatus contra_array_read(Contra *contra, ContraText path, ContraText wanted,
                                          ContraArray *array);
ContraStatus contra_array_write(Contra *contra, ContraText path, const ContraText *names,
                                           const ContraArray *arrays, int64_t count);
ContraStatus contra_load(Contra *contra, const ContraText *paths, int64_t count,
                                    const ContraCheckOptions *options);
ContraStatus contra_check_types(Contra *contra, const ContraText *paths, int64_t count,
                                           const ContraCheckOptions *options);
typedef struct {
    ContraText text;
    int64_t size;
} ContraTerm;
typedef struct {
    ContraText name;
    ContraText type;
    bool is_tensor;
    bool is_input;
    bool is_output;
    ContraText mapping;
    const ContraTerm *axes;
    int64_t axis_count;
} ContraParam;
typedef struct {
    ContraText name, value;
} ContraConstant;
typedef struct {
    int64_t size;
    ContraText name;
    ContraText file;
    ContraText generics;
    const ContraParam *params;
    int64_t param_count;
    const ContraConstant *constants;
    int64_t constant_count;
} ContraKernel;
int64_t contra_kernel_count(Contra *contra);
ContraStatus contra_kernel(Contra *contra, int64_t index, ContraKernel *kernel);
ContraStatus contra_kernel_find(Contra *contra, ContraText name, int64_t *index);
ContraStatus contra_output_find(Contra *contra, int64_t kernel, ContraText name,
                                           int64_t *param);
typedef enum {
    CONTRA_NUMERICS_TREE,
    CONTRA_NUMERICS_SEQUENTIAL,
} ContraNumerics;
typedef enum {
    CONTRA_BACKEND_DEVICE,
    CONTRA_BACKEND_ORACLE,
} ContraBackend;
typedef struct {
    int64_t size;
    ContraNumerics numerics;
    int64_t threads;
    bool random;
    uint64_t seed;
    bool narrow_as_f32;
    bool (*is_cancelled)(void *own);
    void (*progress)(void *own, int64_t done, int64_t all);
    void (*print)(void *own, ContraText text);
    void (*started)(void *own, ContraText file);
    bool exact_words;
    void *own;
    bool sanitize;
    ContraBackend backend;
    bool check_oracle;
    const ContraText *arguments;
    int64_t argument_count;
} ContraRunOptions;
typedef struct {
    ContraText name;
    bool is_number;
    ContraText number;
    ContraArray array;
    ContraText file;
} ContraInput;
typedef struct {
    ContraParam param;
    ContraArray array;
    int64_t uninitialised;
    const uint8_t *initialised;
} ContraOutput;
ContraStatus contra_run_kernel(Contra *contra, int64_t kernel, const ContraInput *inputs,
                                          int64_t input_count, const ContraRunOptions *options,
                                          const ContraOutput **outputs, int64_t *output_count);
typedef struct ContraLaunch ContraLaunch;
ContraStatus contra_launch_open(Contra *contra, int64_t kernel,
                                           const ContraInput *inputs, int64_t input_count,
                                           const ContraRunOptions *options, ContraLaunch **launch);
typedef struct {
    int64_t size;
    ContraElement type;
    int64_t rank;
    const int64_t *shape;
    int64_t bytes;
    const void *in;
    void *out;
} ContraBuffer;
ContraStatus contra_launch_bind(ContraLaunch *launch, int64_t param,
                                           const ContraBuffer *buffer);
bool contra_launch_is_direct(const ContraLaunch *launch, int64_t param);
ContraStatus contra_launch_run(ContraLaunch *launch);
int64_t contra_launch_copied_bytes(const ContraLaunch *launch);
ContraStatus contra_launch_outputs(ContraLaunch *launch, const ContraOutput **outputs,
                                              int64_t *output_count);
int64_t contra_launch_tensor_bytes(const ContraLaunch *launch);
void contra_launch_close(ContraLaunch *launch);
typedef struct {
    int64_t element;
    double found, expected;
    double difference;
} ContraDifference;
typedef struct {
    int64_t size;
    bool within;
    int64_t compared;
    int64_t beyond;
    int64_t differing;
    int64_t unwritten;
    int64_t apart;
    ContraDifference first_unwritten, first_apart, largest, largest_relative;
} ContraComparison;
ContraStatus contra_compare(Contra *contra, const ContraOutput *output,
                                       const ContraArray *expected, double tolerance,
                                       ContraComparison *comparison);
ContraText contra_output_index(Contra *contra, const ContraOutput *output,
                                          int64_t element);
typedef struct ContraObject ContraObject;
ContraStatus contra_compile(Contra *contra, int64_t kernel, const ContraInput *inputs,
                                       int64_t input_count, ContraObject **object);
ContraStatus contra_kernel_program(Contra *contra, int64_t kernel,
                                              const ContraInput *inputs, int64_t input_count,
                                              ContraText *text);
ContraStatus contra_kernel_picture(Contra *contra, int64_t kernel,
                                              const ContraInput *inputs, int64_t input_count,
                                              ContraText *picture);
ContraStatus contra_object_strip(Contra *contra, ContraObject *object);
ContraStatus contra_object_write(Contra *contra, const ContraObject *object,
                                            ContraText path);
ContraStatus contra_object_read(Contra *contra, ContraText path, ContraObject **object);
ContraStatus contra_object_parse(Contra *contra, ContraText name, ContraText bytes,
                                            ContraObject **object);
ContraStatus contra_object_kernel(Contra *contra, const ContraObject *object,
                                             int64_t *kernel);
ContraStatus contra_object_fits(Contra *contra, const ContraObject *object);
typedef struct {
    int64_t size;
    bool json;
    bool verbose;
    bool colour;
    int64_t width;
} ContraListingOptions;
ContraStatus contra_object_text(Contra *contra, const ContraObject *object,
                                           const ContraListingOptions *options, ContraText *text);
ContraStatus contra_object_schema(Contra *contra, ContraText *text);
typedef struct ContraSchedule ContraSchedule;
typedef enum { CONTRA_COST_MANUAL, CONTRA_COST_STATIC, CONTRA_COST_SILICON } ContraCost;
typedef struct {
    int64_t size;
    ContraCost cost;
    const int64_t *order;
    int64_t order_count;
} ContraScheduleOptions;
ContraStatus contra_schedule_order(Contra *contra, ContraText name, ContraText text,
                                              ContraScheduleOptions *options);
ContraStatus contra_schedule(Contra *contra, const ContraObject *object,
                                        const ContraScheduleOptions *options,
                                        ContraSchedule **schedule);
int64_t contra_schedule_cycles(const ContraSchedule *schedule);
typedef enum {
    CONTRA_SCHEDULE_SUMMARY,
    CONTRA_SCHEDULE_JSON,
    CONTRA_SCHEDULE_TRACE,
    CONTRA_SCHEDULE_SVG,
} ContraScheduleForm;
typedef struct {
    int64_t size;
    ContraScheduleForm form;
    bool colour;
    int64_t width;
} ContraScheduleTextOptions;
ContraStatus contra_schedule_text(Contra *contra, const ContraSchedule *schedule,
                                             const ContraScheduleTextOptions *options,
                                             ContraText *text);
ContraStatus contra_schedule_page(Contra *contra, ContraText document, ContraText *page);
typedef struct {
    int64_t size;
    bool json;
} ContraCompareOptions;
ContraStatus contra_schedule_compare(Contra *contra, const ContraText names[2],
                                                const ContraText documents[2],
                                                const ContraCompareOptions *options,
                                                ContraText *text);
typedef struct {
    int64_t size;
    bool panicked;
    ContraText message;
    ContraText file;
} ContraMainResult;
ContraStatus contra_run_main(Contra *contra, ContraText path,
                                        const ContraCheckOptions *check,
                                        const ContraRunOptions *options, ContraMainResult *result);
typedef struct {
    int64_t size;
    ContraText name;
    ContraText file;
    int64_t line;
    bool is_ignored;
    ContraText reason;
    bool should_panic;
    ContraText expected;
} ContraTest;
int64_t contra_test_count(Contra *contra);
ContraStatus contra_test(Contra *contra, int64_t index, ContraTest *test);
typedef struct {
    int64_t size;
    bool passed;
    ContraText message;
} ContraTestResult;
ContraStatus contra_test_run(Contra *contra, int64_t index,
                                        const ContraRunOptions *options, ContraTestResult *result);
ContraStatus contra_declare_axes(Contra *contra, ContraText axes);
ContraStatus contra_define(Contra *contra, ContraText definition);
ContraStatus contra_mapping_parse(Contra *contra, ContraText name, ContraText text,
                                             ContraMapping **mapping);
int64_t contra_mapping_size(const ContraMapping *mapping);
ContraText contra_mapping_text(const ContraMapping *mapping);
ContraText contra_mapping_normal(const ContraMapping *mapping);
typedef struct {
    bool is_padding;
    ContraText text;
    int64_t size;
    int64_t block;
} ContraFactor;
int64_t contra_mapping_factor_count(const ContraMapping *mapping);
ContraStatus contra_mapping_factor(Contra *contra, const ContraMapping *mapping,
                                              int64_t index, ContraFactor *factor);
int64_t contra_mapping_axis_count(const ContraMapping *mapping);
const char *contra_mapping_axis(const ContraMapping *mapping, int64_t index,
                                           int64_t *size);
typedef struct {
    int64_t count;
    const int64_t *values;
} ContraCell;
ContraStatus contra_mapping_cell(Contra *contra, const ContraMapping *mapping,
                                            int64_t position, ContraCell *cell);
ContraStatus contra_mapping_equal(Contra *contra, const ContraMapping *a,
                                             const ContraMapping *b, bool *equal,
                                             int64_t *difference);
ContraStatus contra_mapping_is_prefix(Contra *contra, const ContraMapping *prefix,
                                                 const ContraMapping *whole, bool *is_prefix);
ContraStatus contra_mapping_split(Contra *contra, const ContraMapping *mapping,
                                             int64_t at, ContraMapping **outer,
                                             ContraMapping **inner);
ContraStatus contra_mapping_tile(Contra *contra, const ContraMapping *mapping,
                                            const ContraMapping *index, int64_t length,
                                            int64_t start, ContraMapping **tile, int64_t *offset);
ContraStatus contra_mapping_canonical_axes(Contra *contra, const ContraMapping *mapping,
                                                      const ContraTerm **terms, int64_t *count);
typedef enum {
    CONTRA_DIVIDE_RELAXED,
    CONTRA_DIVIDE_STRICT,
    CONTRA_DIVIDE_SPAN,
} ContraDivideKind;
typedef struct {
    bool found;
    ContraText text;
    int64_t size;
    int64_t dividend_stride, divisor_stride;
    int64_t dividend_min, dividend_max;
} ContraDivisionTerm;
typedef struct {
    int64_t size;
    bool exact;
    const ContraDivisionTerm *terms;
    int64_t term_count;
    const ContraMapping *dividend_residue, *divisor_residue;
    const ContraMapping *dividend_remainder, *divisor_remainder;
} ContraDivision;
ContraStatus contra_mapping_divide(Contra *contra, const ContraMapping *dividend,
                                              const ContraMapping *divisor, ContraDivideKind kind,
                                              int64_t span, ContraDivision *division);
typedef enum { CONTRA_PICTURE_TEXT, CONTRA_PICTURE_SVG } ContraPictureFormat;
ContraStatus contra_mapping_picture(Contra *contra, const ContraMapping *mapping,
                                               ContraPictureFormat format, int64_t most,
                                               ContraText *picture);
typedef enum {
    CONTRA_READ,
    CONTRA_WRITE,
    CONTRA_FETCH,
    CONTRA_COMMIT,
} ContraEngine;
typedef enum { CONTRA_MAIN, CONTRA_SUB } ContraContext;
typedef struct {
    int64_t size;
    ContraEngine engine;
    ContraContext context;
    const ContraMapping *buffer;
    const ContraMapping *time;
    const ContraMapping *packet;
    ContraText type;
    ContraText cast;
    int64_t base_bytes;
} ContraSequenceRequest;
typedef struct {
    ContraText term;
    int64_t size;
    int64_t stride;
    const int64_t *offsets;
} ContraSequenceEntry;
typedef struct {
    ContraText term;
    ContraText entry;
    ContraText buffer_after;
} ContraSequenceStep;
typedef struct {
    int64_t size;
    ContraText config;
    const ContraSequenceEntry *entries;
    int64_t entry_count;
    const ContraSequenceStep *steps;
    int64_t step_count;
    bool merged;
    int64_t base_offset;
    int64_t time_steps, packet_elements, packet_bytes;
    int64_t packet_size;
    int64_t contiguous_bytes;
    int64_t access_bytes;
    int64_t commit_in_bytes;
    int64_t accesses_per_packet, cycles;
    ContraText buffer_after;
    bool walks_all;
} ContraSequence;
bool contra_is_type(ContraText name);
ContraStatus contra_sequence(Contra *contra, const ContraSequenceRequest *request,
                                        ContraSequence *sequence);
"""
