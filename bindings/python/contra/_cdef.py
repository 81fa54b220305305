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
typedef struct {
    int64_t size;
    void *(*allocate)(void *own, size_t bytes);
    void *(*resize)(void *own, void *block, size_t bytes);
    void (*release)(void *own, void *block);
    void *own;
    int64_t threads;
} ContraNewOptions;
Contra *contra_new_with(const ContraNewOptions *options);
void contra_free(Contra *contra);
ContraStatus contra_use_machine(Contra *contra, ContraText name);
typedef enum { CONTRA_TABLE, CONTRA_JSON } ContraFormat;
ContraStatus contra_machine_table(Contra *contra, ContraFormat format, ContraText *text);
typedef enum {
    CONTRA_LOG_INFO,
    CONTRA_LOG_DETAIL,
} ContraLogLevel;
typedef void ContraLog(void *own, ContraLogLevel level, ContraText text);
void contra_set_log(Contra *contra, ContraLog *log, void *own);
typedef bool ContraCancelled(void *own);
void contra_set_cancel(Contra *contra, ContraCancelled *is_cancelled, void *own);
typedef enum {
    CONTRA_PLAIN,
    CONTRA_COLOUR,
    CONTRA_DIAGNOSTICS_JSON,
} ContraDiagnosticStyle;
int64_t contra_error_count(const Contra *contra);
ContraText contra_diagnostics(Contra *contra, ContraDiagnosticStyle style);
ContraText contra_diagnostic(Contra *contra, int64_t index, ContraDiagnosticStyle style);
void contra_clear_diagnostics(Contra *contra);
typedef enum { CONTRA_ERROR, CONTRA_WARNING } ContraSeverity;
typedef struct {
    ContraText file;
    int64_t start, end;
    int64_t line, column;
    int64_t end_line, end_column;
} ContraPlace;
typedef struct {
    ContraText text;
    ContraPlace place;
} ContraNote;
typedef struct {
    ContraPlace place;
    ContraText text;
} ContraEdit;
typedef struct {
    ContraText text;
    const ContraEdit *edits;
    int64_t edit_count;
} ContraHelp;
typedef struct {
    int64_t size;
    const char *code;
    ContraSeverity severity;
    const char *group;
    const char *manual;
    ContraText message;
    ContraText label;
    ContraPlace place;
    const ContraNote *notes;
    int64_t note_count;
    const ContraHelp *helps;
    int64_t help_count;
} ContraDiagnostic;
int64_t contra_diagnostic_count(const Contra *contra);
ContraStatus contra_diagnostic_at(Contra *contra, int64_t index,
                                             ContraDiagnostic *diagnostic);
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
    ContraText kernel;
    ContraText machine;
    ContraText version;
    int64_t chips;
    int64_t operation_count, tensor_count, memory_count;
    int64_t pass_count;
    int64_t dma_count;
    int64_t write_count;
    int64_t descriptor_count;
} ContraObjectSummary;
ContraStatus contra_object_summary(Contra *contra, const ContraObject *object,
                                              ContraObjectSummary *summary);
typedef struct {
    int64_t size;
    const char *memory;
    int64_t bytes;
    int64_t clusters, slices;
    int64_t used;
    int64_t end;
    int64_t tensor_count;
} ContraMemoryUse;
ContraStatus contra_object_memory(Contra *contra, const ContraObject *object,
                                             int64_t index, ContraMemoryUse *memory);
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
    ContraText kernel, machine;
    int64_t clock_mhz, chips;
    int64_t cycles;
    int64_t least, most;
    int64_t operation_count, lane_count, tensor_count;
    const int64_t *critical;
    int64_t critical_count;
    int64_t macs, peak_macs;
    int64_t hbm_bytes;
    int64_t hbm_peak_bytes;
    double intensity;
    double ridge;
    const char *bound;
} ContraScheduleSummary;
ContraStatus contra_schedule_summary(Contra *contra, const ContraSchedule *schedule,
                                                ContraScheduleSummary *summary);
typedef struct {
    int64_t size;
    const char *kind;
    ContraText name;
    int64_t cluster, engine;
    int64_t busy;
} ContraLane;
ContraStatus contra_schedule_lane(Contra *contra, const ContraSchedule *schedule,
                                             int64_t index, ContraLane *lane);
typedef struct {
    int64_t lane, from, to;
} ContraLaneUse;
typedef struct {
    const char *kind;
    int64_t operation;
    int64_t other;
    int64_t until;
    int64_t lane;
    const char *memory;
    int64_t from, to;
    int64_t low, high;
} ContraWait;
typedef struct {
    int64_t command;
    const char *part;
    int64_t busy;
    int64_t latency;
    const char *origin;
    const char *rule;
    ContraText note;
} ContraCostPart;
typedef struct {
    int64_t size;
    ContraText method;
    const char *context;
    ContraText file;
    int64_t line;
    ContraText source;
    int64_t begin, end;
    int64_t slack;
    bool is_critical;
    const char *bound;
    int64_t commands;
    int64_t bytes;
    int64_t macs;
    int64_t first_chip, chips;
    int64_t mac_permille, lane_permille, slice_permille, bandwidth_permille;
    const ContraText *hints;
    int64_t hint_count;
    const ContraLaneUse *uses;
    int64_t use_count;
    const ContraWait *waits;
    int64_t wait_count;
    const ContraCostPart *parts;
    int64_t part_count;
    const int64_t *reads;
    int64_t read_count;
    int64_t writes;
} ContraScheduledOperation;
ContraStatus contra_schedule_operation(Contra *contra, const ContraSchedule *schedule,
                                                  int64_t index,
                                                  ContraScheduledOperation *operation);
typedef struct {
    int64_t size;
    int64_t number;
    ContraText name;
    ContraText file;
    int64_t line;
    const char *memory, *type;
    ContraText mapping;
    int64_t address;
    int64_t bytes;
    int64_t chips, clusters, slices;
    int64_t from, to;
    int64_t writer;
    const int64_t *readers;
    int64_t reader_count;
} ContraScheduledTensor;
ContraStatus contra_schedule_tensor(Contra *contra, const ContraSchedule *schedule,
                                               int64_t index, ContraScheduledTensor *tensor);
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
typedef struct ContraProgram ContraProgram;
typedef struct ContraTensor ContraTensor;
typedef struct ContraStream ContraStream;
ContraStatus contra_program_new(Contra *contra, const char *name, int64_t chips,
                                           const ContraCheckOptions *options,
                                           ContraProgram **program);
ContraStatus contra_program_finish(ContraProgram *program, int64_t *kernel);
void contra_program_abandon(ContraProgram *program);
ContraText contra_program_lines(const ContraProgram *program);
typedef enum {
    CONTRA_NAMES_TYPES,
    CONTRA_NAMES_CONTEXTS,
    CONTRA_NAMES_PASS_CONTEXTS,
    CONTRA_NAMES_HALVES,
    CONTRA_NAMES_CALLS,
    CONTRA_NAMES_TOPOLOGIES,
    CONTRA_NAMES_FIELDS,
    CONTRA_NAMES_ACCUMULATIONS,
    CONTRA_NAMES_OPERATIONS_I32,
    CONTRA_NAMES_OPERATIONS_F32,
    CONTRA_NAMES_MULTIPLIERS,
    CONTRA_NAMES_MODES,
    CONTRA_NAMES_BRANCHES,
    CONTRA_NAMES_COMPARISONS,
    CONTRA_NAMES_STREAMS,
    CONTRA_NAMES_VECTOR_STAGES,
} ContraNames;
const char *contra_name(ContraNames names, const char *of, int64_t index);
ContraStatus contra_axis(ContraProgram *program, const char *name, int64_t size);
ContraStatus contra_axis_named(ContraProgram *program, const char *name, int64_t size,
                                          const char *outside);
ContraStatus contra_axis_skewed(ContraProgram *program, const char *name,
                                           const char *base, const char *const *others,
                                           int64_t count, const char *outside);
ContraStatus contra_let(ContraProgram *program, const char *name, const char *mapping);
ContraStatus contra_program_mapping(ContraProgram *program, const char *text,
                                               ContraMapping **mapping);
typedef struct {
    int64_t number, ways;
} ContraChoice;
ContraStatus contra_choice(ContraProgram *program, const ContraChoice *choices,
                                      int64_t count);
typedef enum { CONTRA_HOST, CONTRA_HBM, CONTRA_DM, CONTRA_TRF, CONTRA_VRF } ContraTier;
typedef struct {
    ContraTier tier;
    const char *type;
    const char *chip, *cluster, *slice;
    const char *row, *element;
    int64_t address;
    const char *half;
} ContraLayout;
ContraLayout contra_host(const char *type, const char *element);
ContraLayout contra_hbm(const char *type, const char *chip, const char *element,
                                   int64_t address);
ContraLayout contra_dm(const char *type, const char *chip, const char *cluster,
                                  const char *slice, const char *element, int64_t address);
ContraLayout contra_vrf(const char *type, const char *chip, const char *cluster,
                                   const char *slice, const char *element, int64_t address);
ContraLayout contra_trf(const char *type, const char *chip, const char *cluster,
                                   const char *slice, const char *row, const char *element,
                                   const char *half);
ContraLayout contra_host_result(const char *element);
ContraLayout contra_hbm_result(const char *element, int64_t address);
ContraLayout contra_dm_result(const char *element, int64_t address);
ContraLayout contra_vrf_result(const char *element, int64_t address);
ContraLayout contra_trf_result(const char *row, const char *element, const char *half);
ContraStatus contra_param(ContraProgram *program, const char *name, ContraLayout layout,
                                     ContraTensor **tensor);
ContraStatus contra_from_addr(ContraProgram *program, const char *name,
                                         ContraLayout layout, ContraTensor **tensor);
ContraStatus contra_uninit(ContraProgram *program, const char *name, ContraLayout layout,
                                      ContraTensor **tensor);
ContraStatus contra_reshape(ContraTensor *from, const char *name, ContraLayout layout,
                                       ContraTensor **tensor);
ContraStatus contra_tile(ContraTensor *from, const char *index, int64_t length,
                                    const char *mapping, int64_t start, ContraTensor **view);
ContraStatus contra_row_tile(ContraTensor *from, const char *index, int64_t length,
                                        const char *mapping, int64_t start, ContraTensor **view);
ContraStatus contra_slice_tile(ContraTensor *from, const char *index, int64_t length,
                                          const char *mapping, int64_t start, ContraTensor **view);
ContraStatus contra_cluster_tile(ContraTensor *from, const char *index, int64_t length,
                                            const char *mapping, int64_t start,
                                            ContraTensor **view);
ContraStatus contra_chip_tile(ContraTensor *from, const char *index, int64_t length,
                                         const char *mapping, int64_t start, ContraTensor **view);
typedef struct {
    int64_t size;
    ContraLayout layout;
    const char *name;
    int64_t bytes;
    bool is_view;
} ContraTensorInfo;
ContraStatus contra_tensor_describe(const ContraTensor *tensor, ContraTensorInfo *info);
ContraStatus contra_return(ContraProgram *program, ContraTensor *tensor);
ContraStatus contra_to_host(ContraTensor *from, const char *context, const char *name,
                                       ContraLayout layout, ContraTensor **tensor);
ContraStatus contra_to_hbm(ContraTensor *from, const char *context, const char *name,
                                      ContraLayout layout, ContraTensor **tensor);
ContraStatus contra_to_dm(ContraTensor *from, const char *context, const char *name,
                                     ContraLayout layout, ContraTensor **tensor);
ContraStatus contra_to_hbm_view(ContraTensor *from, const char *context,
                                           ContraTensor *to);
ContraStatus contra_to_dm_view(ContraTensor *from, const char *context,
                                          ContraTensor *to);
ContraStatus contra_to_dm_pcopy(ContraTensor *from, const char *context,
                                           ContraTensor *to);
ContraStatus contra_to_dm_view_pcopy(ContraTensor *from, const char *context,
                                                ContraTensor *to);
typedef struct {
    const int64_t *sources;
    int64_t count;
    int64_t dim;
} ContraPattern;
ContraStatus contra_dm_cluster_shuffle(ContraTensor *from, const char *context,
                                                  ContraPattern pattern, const char *name,
                                                  ContraLayout layout, ContraTensor **tensor);
ContraStatus contra_dm_chip_shuffle(ContraTensor *from, const char *context,
                                               ContraPattern pattern, const char *name,
                                               ContraLayout layout, ContraTensor **tensor);
ContraStatus contra_hbm_cluster_shuffle(ContraTensor *from, const char *context,
                                                   ContraPattern pattern, const char *name,
                                                   ContraLayout layout, ContraTensor **tensor);
ContraStatus contra_hbm_chip_shuffle(ContraTensor *from, const char *context,
                                                ContraPattern pattern, const char *name,
                                                ContraLayout layout, ContraTensor **tensor);
ContraStatus contra_parallel_copy_cluster_slice(ContraTensor *from, const char *context,
                                                           const char *key, const char *sliced,
                                                           ContraPattern pattern, const char *name,
                                                           ContraLayout layout,
                                                           ContraTensor **tensor);
ContraStatus contra_parallel_copy_chip_slice(ContraTensor *from, const char *context,
                                                        const char *key, const char *sliced,
                                                        ContraPattern pattern, const char *name,
                                                        ContraLayout layout, ContraTensor **tensor);
ContraStatus contra_dma_scatter(ContraTensor *from, const char *context,
                                           ContraTensor *index, const char *key, bool scaled,
                                           ContraTensor *to);
ContraStatus contra_dma_gather(ContraTensor *from, const char *context,
                                          ContraTensor *index, const char *name,
                                          ContraLayout layout, ContraTensor **tensor);
ContraStatus contra_begin(ContraTensor *from, const char *context,
                                     ContraStream **stream);
ContraStatus contra_begin_interleaved(ContraTensor *first, ContraTensor *second,
                                                 const char *axis, const char *context,
                                                 ContraStream **stream);
typedef struct {
    int64_t size;
    const char *table_type;
    const uint32_t *table;
    int64_t table_count;
    const int32_t *zero_points;
    int64_t zero_point_count;
} ContraFetchOptions;
ContraStatus contra_fetch(ContraStream *stream, const char *type, const char *time,
                                     const char *packet, const ContraFetchOptions *options);
ContraStatus contra_switch(ContraStream *stream, const char *topology,
                                      const int64_t *numbers, int64_t count, const char *slice,
                                      const char *time);
ContraStatus contra_collect(ContraStream *stream, const char *time, const char *packet);
ContraStatus contra_transpose(ContraStream *stream, const char *time,
                                         const char *packet);
ContraStatus contra_align(ContraStream *stream, ContraTensor *trf, const char *time,
                                     const char *packet);
ContraStatus contra_contract(ContraStream *stream, const char *packet);
ContraStatus contra_accumulate(ContraStream *stream, const char *kind, const char *time,
                                          const char *packet);
ContraStatus contra_cast(ContraStream *stream, const char *type, const char *packet);
ContraStatus contra_commit(ContraStream *stream, const char *name, ContraLayout layout,
                                      ContraTensor **tensor);
ContraStatus contra_commit_view(ContraStream *stream, ContraTensor *to);
ContraStatus contra_to_trf(ContraStream *stream, const char *name, ContraLayout layout,
                                      ContraTensor **tensor);
ContraStatus contra_to_vrf(ContraStream *stream, const char *name, ContraLayout layout,
                                      ContraTensor **tensor);
typedef struct {
    int64_t size;
    const char *kind;
    const char *type;
    const char *chip, *cluster, *slice, *row;
    const char *time, *packet;
    const char *stage;
    const char *entry;
    bool stash, way4, inter_first, zipped;
} ContraStreamType;
ContraStatus contra_input(ContraProgram *program, const char *context,
                                     const ContraStreamType *type, ContraStream **stream);
ContraStatus contra_leave_open(ContraStream *stream);
ContraStatus contra_stream_describe(const ContraStream *stream, ContraStreamType *type);
bool contra_stream_takes(const ContraStream *stream, const char *call);
ContraStatus contra_vector_init(ContraStream *stream);
ContraStatus contra_vector_stash(ContraStream *stream);
ContraStatus contra_vector_final(ContraStream *stream);
typedef struct {
    int32_t kind;
    int32_t group;
    const char *type;
    uint32_t bits;
    ContraTensor *vrf;
    bool has_second;
    uint32_t second;
} ContraOperand;
ContraOperand contra_operand_i32(int32_t value);
ContraOperand contra_operand_f32(float value);
ContraOperand contra_operand_bits(const char *type, uint32_t bits);
ContraOperand contra_operand_vrf(ContraTensor *tensor);
ContraOperand contra_operand_stash(void);
ContraOperand contra_operand_skip(void);
ContraOperand contra_operand_group(ContraOperand operand, int group);
ContraOperand contra_operand_with(ContraOperand operand, float second);
typedef struct {
    const char *kind, *type;
    uint32_t bits;
} ContraInputCompare;
ContraInputCompare contra_input_compare_i32(const char *kind, int32_t boundary);
ContraInputCompare contra_input_compare_f32(const char *kind, float boundary);
typedef struct {
    const char *kind;
    const char *axis;
    ContraTensor *vrf;
    ContraInputCompare compares[4];
} ContraBranch;
ContraBranch contra_branch(const char *kind);
ContraBranch contra_branch_axis_toggle(const char *axis);
ContraBranch contra_branch_vrf(ContraTensor *tensor);
ContraBranch contra_branch_comparison(ContraInputCompare first,
                                                 ContraInputCompare second,
                                                 ContraInputCompare third,
                                                 ContraInputCompare fourth);
ContraStatus contra_vector_intra_slice_branch(ContraStream *stream, ContraBranch branch);
ContraStatus contra_vector_intra_slice_unzip(ContraStream *stream, const char *axis,
                                                        const char *tile_time, const char *time);
ContraStatus contra_vector_inter_slice_reduce(ContraStream *stream, const char *op,
                                                         const char *slice, const char *time);
ContraStatus contra_vector_intra_slice_reduce(ContraStream *stream, const char *axis,
                                                         const char *op, const char *time,
                                                         const char *packet);
ContraStatus contra_vector_logic(ContraStream *stream, const char *op,
                                            ContraOperand operand);
ContraStatus contra_vector_logic_with(ContraStream *stream, const char *op,
                                                 const char *mode, const ContraOperand *operands,
                                                 int64_t count);
ContraStatus contra_vector_fxp(ContraStream *stream, const char *op,
                                          ContraOperand operand);
ContraStatus contra_vector_fxp_with(ContraStream *stream, const char *op,
                                               const char *mode, const ContraOperand *operands,
                                               int64_t count);
ContraStatus contra_vector_fp_binary(ContraStream *stream, const char *op,
                                                ContraOperand operand);
ContraStatus contra_vector_fp_binary_with(ContraStream *stream, const char *op,
                                                     const char *mode,
                                                     const ContraOperand *operands, int64_t count);
ContraStatus contra_vector_fp_ternary(ContraStream *stream, const char *op,
                                                 ContraOperand operand);
ContraStatus contra_vector_fp_ternary_with(ContraStream *stream, const char *op,
                                                      const char *mode,
                                                      const ContraOperand *operands, int64_t count);
ContraStatus contra_vector_fp_div(ContraStream *stream, const char *op,
                                             ContraOperand operand);
ContraStatus contra_vector_fp_div_with(ContraStream *stream, const char *op,
                                                  const char *mode, const ContraOperand *operands,
                                                  int64_t count);
ContraStatus contra_vector_clip(ContraStream *stream, const char *op,
                                           ContraOperand operand);
ContraStatus contra_vector_clip_with(ContraStream *stream, const char *op,
                                                const char *mode, const ContraOperand *operands,
                                                int64_t count);
ContraStatus contra_vector_fp_unary(ContraStream *stream, const char *op,
                                               const char *mode);
ContraStatus contra_vector_fp_unary_pair(ContraStream *stream, const char *op,
                                                    const char *mode, bool zero, bool one);
ContraStatus contra_vector_logic_zip(ContraStream *stream, const char *op,
                                                const char *mode);
ContraStatus contra_vector_fxp_zip(ContraStream *stream, const char *op,
                                              const char *mode);
ContraStatus contra_vector_fp_zip(ContraStream *stream, const char *op,
                                             const char *mode);
ContraStatus contra_vector_clip_zip(ContraStream *stream, const char *op,
                                               const char *mode);
ContraStatus contra_vector_fxp_to_fp(ContraStream *stream, int64_t width);
ContraStatus contra_vector_fp_to_fxp(ContraStream *stream, int64_t width);
ContraStatus contra_vector_split(ContraStream *stream, const char *time,
                                            const char *packet);
ContraStatus contra_vector_concat(ContraStream *stream, const char *time,
                                             const char *packet);
ContraStatus contra_vector_trim_way4(ContraStream *stream, const char *packet);
ContraStatus contra_vector_pad_way8(ContraStream *stream, const char *packet);
ContraStatus contra_vector_filter(ContraStream *stream, int group, const char *time);
ContraStatus contra_mapping_named(Contra *contra, const char *name,
                                             ContraMapping **mapping);
ContraStatus contra_mapping_one(Contra *contra, ContraMapping **mapping);
ContraStatus contra_mapping_pair(Contra *contra, const ContraMapping *outer,
                                            const ContraMapping *inner, ContraMapping **mapping);
ContraStatus contra_mapping_stride(Contra *contra, const ContraMapping *of,
                                              int64_t n, ContraMapping **mapping);
ContraStatus contra_mapping_modulo(Contra *contra, const ContraMapping *of,
                                              int64_t n, ContraMapping **mapping);
ContraStatus contra_mapping_resize(Contra *contra, const ContraMapping *of,
                                              int64_t n, ContraMapping **mapping);
ContraStatus contra_mapping_pad(Contra *contra, const ContraMapping *of,
                                           int64_t n, ContraMapping **mapping);
ContraStatus contra_mapping_pad_around(Contra *contra, int64_t before,
                                                  const ContraMapping *of, int64_t after,
                                                  ContraMapping **mapping);
ContraStatus contra_mapping_offset(Contra *contra, const ContraMapping *of,
                                              int64_t n, ContraMapping **mapping);
ContraStatus contra_mapping_select(Contra *contra, const ContraMapping *of,
                                              const int64_t *positions, int64_t count,
                                              ContraMapping **mapping);
ContraStatus contra_mapping_linear(Contra *contra, const ContraMapping *const *of,
                                              const int64_t *factors, int64_t count,
                                              ContraMapping **mapping);
"""
