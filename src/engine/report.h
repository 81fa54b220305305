// What the rules of the engines have in common when they report: the user's own mappings as text,
// and problems found on the way that belong to a call.
#ifndef CONTRA_ENGINE_REPORT_H
#define CONTRA_ENGINE_REPORT_H

#include "mapping/divide.h"
#include "program/build.h"

// A dimension as it is written.
Str report_dim(const Verify *verify, const Dim *dim);
// The same, padded to `size` positions.
Str report_padded(const Verify *verify, const Dim *dim, int64_t size);

// A mapping that was computed, in its shortest form.
Str report_mapping(const Verify *verify, const Mapping *mapping);

// ---- in the notation of the source

bool report_is_text(const Verify *verify);
bool report_is_calls(const Verify *verify); // text that stands for calls of contra.h
// `m![A / 8]`, or in program text `[A / 8]`.
Str report_written(const Verify *verify, Str mapping);

// Adds to the last help that `mapping` takes the place of a dimension, wherever that is written.
void report_edit(const Verify *verify, Diag *diag, const Dim *dim, Str mapping);
// Both: "pad the packet:" `m![A # 8]`, in place of `dim`.
void report_rewrite(const Verify *verify, Diag *diag, const Dim *dim, Str mapping,
                    const char *what);

// What a stage should say. Fields that are empty are left alone.
typedef struct {
    const char *type;
    Str time, packet;
} StageText;

// `collect::<m![A], m![B]>()`, or `collect time [A] packet [B]`.
Str report_stage_text(const Verify *verify, StageKind kind, const StageText *text);
// A help that says so, and changes the dimensions.
void report_restage(const Verify *verify, Diag *diag, const Stage *stage, const StageText *text);

// Where it is written, or else where something else is.
Span report_at(Span written, Span otherwise);
// Where it is written, if it is: for an edit.
Span report_place(Span written);

// Addresses are shown in the base in which the tensor's own address is written: "0x1000", "4096".
Str report_address_text(const Verify *verify, const Tensor *tensor, int64_t address);
// "0x1000..0x2000"
Str report_range(const Verify *verify, const Tensor *tensor, int64_t low, int64_t high);
// Adds a help with the edit, as in "put it at" 64, or only the edit, to the last help.
void report_address(const Verify *verify, Diag *diag, const Tensor *tensor, int64_t address,
                    const char *what);
void report_edit_address(const Verify *verify, Diag *diag, const Tensor *tensor, int64_t address);
// Of TRF: `TrfAddress::Full` "has room for it"
void report_trf_address(const Verify *verify, Diag *diag, const Tensor *tensor, TrfAddress address,
                        const char *what);
Str report_trf_text(const Verify *verify, TrfAddress address); // "TrfAddress::Full"
void report_edit_trf(const Verify *verify, Diag *diag, const Tensor *tensor, TrfAddress address);

// What to do about a number of rows that the TRF does not have.
void report_rows(const Verify *verify, Diag *diag, const Dim *row);

// "cast while fetching: `fetch::<i32, ..>()`"
void report_fetch_cast(const Verify *verify, Diag *diag, Scalar type);

// ---- calls

// Where the functions around an operation were called, the innermost first.
void report_calls(Diag *diag, const Op *op, const char *words);
// Both are in the same call, or in the kernel itself.
bool report_same_calls(const Op *a, const Op *b);

// ---- texts

// What was looked for in a division.
Str report_match(const Verify *verify, const Match *match);

// "1, 2, 4 or 8"
Str list_text(Arena *arena, const MachineList *list);

// Says at the stage before what its stream looks like.
void report_stream(const Verify *verify, Diag *diag, const Stage *before);

// Adds to a diagnostic about two mappings that should be the same where they part, or that this
// could not be decided.
void report_difference(const Verify *verify, Diag *diag, const Mapping *wanted,
                       const Mapping *found);

// Reports at `span` what a list of its own holds. The sequencer and the checks of mappings point at
// expressions; seen from a call these stand in a type alias, far away.
void report_again(const Verify *verify, const DiagList *found, Span span);

// The same where it stands: what was found apart, to be looked at first.
void report_as_is(DiagList *diags, const Diag *diag);

// Bytes of `dim` in elements of `type`. False, with a diagnostic at the stage: no whole number.
bool report_bytes(const Verify *verify, const Stage *stage, Scalar type, const Dim *dim,
                  int64_t *bytes);

// What a packet of a stage has to be.
typedef struct {
    DiagCode code;
    const char *what; // "cast yields flits of"
    int64_t bytes;
    const char *pad; // a help where padding would do: "pad the packet:"; NULL: none
} PacketRule;

// False, with a diagnostic at the stage: the packet has not that many bytes. *wrong: the one that
// says so; NULL: it has no whole number of bytes.
bool report_packet(const Verify *verify, const Stage *stage, const PacketRule *rule, Scalar type,
                   const Dim *packet, Diag **wrong);

#endif
