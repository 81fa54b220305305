// The way out of the pipeline: cast, transpose, commit; and writes without a pass.
#include "command/cycles.h"
#include "command/listing_text.h"

#include <inttypes.h>

void listing_cast(const Listing *listing, const HwCast *cast)
{
    StrBuf text = {.arena = listing->out->arena};
    buf_printf(&text, "%s -> %s: ", scalar_name(cast->from), scalar_name(cast->to));
    buf_printf(&text, "%" PRId64 " packet%s of %" PRId64 " elements", cast->time,
               plural(cast->time), cast->elements);
    if (cast->valid != cast->elements)
        say(&text, "%" PRId64 " of them data", cast->valid);
    say(&text, "%" PRId64 " B", cast->bytes);
    if (cast->pad_bytes)
        buf_printf(&text, " and %" PRId64 " B of padding", cast->pad_bytes);
    listing_line(listing, "cast", buf_str(&text));
}

void listing_transpose(const Listing *listing, const HwTranspose *transpose)
{
    StrBuf text = {.arena = listing->out->arena};
    say(&text, "in_rows %" PRId64 " x in_cols %" PRId64 " -> out_rows %" PRId64, transpose->in_rows,
        transpose->in_cols, transpose->out_rows);
    if (transpose->trimmed_rows)
        buf_printf(&text, " (%" PRId64 " trimmed)", transpose->trimmed_rows);
    say(&text, "elements of %s", scalar_name(transpose->type));
    say(&text, transpose->double_buffering ? "double buffering" : "single buffering");
    if (transpose->packets_per_col > 1)
        say(&text, "%" PRId64 " packets of %" PRId64 " elements a row", transpose->packets_per_col,
            transpose->elements_per_packet);
    listing_line(listing, "transpose", buf_str(&text));
    listing_linef(listing, "",
                  "%" PRId64 " time%s %" PRId64 " flits in and %" PRId64
                  " out, rows padded to %" PRId64 " elements, %" PRId64 " cycles",
                  transpose->iterations, plural(transpose->iterations), transpose->in_flits,
                  transpose->out_flits, transpose->output_alignment, transpose_cycles(transpose));
}

void listing_commit(const Listing *listing, const HwPipeline *pass)
{
    Arena *arena = listing->out->arena;
    const HwCommit *commit = pass->commit;
    listing_line(listing, "commit", nest_text(arena, &commit->nest));
    StrBuf text = {.arena = arena};
    say(&text, "elements of %s", scalar_name(commit->type));
    say(&text, "commit_in_size %" PRId64 " B", commit->commit_in_size);
    say(&text, "commit_size %" PRId64 " B", commit->nest.access_bytes);
    say(&text, "%" PRId64 " write%s a packet", commit->writes_per_packet,
        plural(commit->writes_per_packet));
    listing_line(listing, "", buf_str(&text));
    text = (StrBuf){.arena = arena};
    say(&text, "%" PRId64 " packet%s", commit->time, plural(commit->time));
    if (commit->contiguous_bytes)
        say(&text, "%" PRId64 " B contiguous", commit->contiguous_bytes);
    if (commit->valid_count_packing)
        say(&text, "valid count packing");
    if (commit->bitmaps.count)
        buf_printf(
            &text, "; %.*s",
            STR_ARG(slices_text(arena, pass->chips, commit->bitmaps.items, commit->bitmaps.count)));
    listing_line(listing, "", buf_str(&text));
    for (int64_t i = 0; i < commit->masks.count && i < LISTING_MOST; i++) {
        const HwCommitMask *mask = &commit->masks.items[i];
        text = (StrBuf){.arena = arena};
        checks_add(&text, "mask: element", mask->checks.items, mask->checks.count);
        bitmaps_add(&text, pass->chips, mask->bitmaps.items, mask->bitmaps.count);
        listing_line(listing, "", buf_str(&text));
    }
    listing_more_masks(listing, commit->masks.count);
}

void listing_immediate(const Listing *listing, const HwImmediateWrite *write)
{
    Arena *arena = listing->out->arena;
    Str slices = slices_text(arena, 0, write->bitmaps.items, write->bitmaps.count);
    listing_linef(listing, "immediate", "0x%" PRIx64 " @ %.*s (ITOS, 32 bits)%s%.*s",
                  (uint64_t)write->value, STR_ARG(address_text(arena, write->address)),
                  slices.len ? "; " : "", STR_ARG(slices));
}
