// The numbers of RNGD, written down a second time from the manual and compared with machine.def;
// and the capacities the manual states twice, recomputed from the fields.
#include "machine/machine.h"

#include "base/checked.h"
#include "test.h"

#define M (&machine_rngd)

static const struct {
    const char *name;
    long long value;
} numbers[] = {
    // Hierarchy
    {"chips", 0},
    {"clusters_per_chip", 2},
    {"slices_per_cluster", 256},
    {"pes_per_cluster", 4},
    {"slices_per_pe", 64},
    {"dmns_per_cluster", 8},
    {"slices_per_dmn", 32},
    {"dma_engines_per_chip", 8},
    {"dma_engines_per_cluster", 4},
    {"dmns_per_dma_engine", 2},
    {"mac_rows", 8},
    {"tensor_unit_contexts", 2},
    {"dma_contexts", 2},
    {"parallel_resources", 3},
    {"clock_mhz", 1000},
    // Memories
    {"hbm_bytes_per_chip", 51539607552},
    {"hbm_gb_per_second", 1500},
    {"hbm_read_gb_per_second", 750},
    {"hbm_write_gb_per_second", 750},
    {"hbm_stacks", 2},
    {"hbm_channels_per_stack", 16},
    {"hbm_slices_per_channel", 3},
    {"hbm_bank_groups_per_slice", 4},
    {"hbm_banks_per_bank_group", 4},
    {"hbm_rows_per_bank", 16384},
    {"hbm_row_bytes", 2048},
    {"hbm_channel_bytes_per_cycle", 64},
    {"hbm_clock_mhz", 750},
    {"hbm_channel_mb_per_second", 48000},
    {"hbm_unit_bytes", 256},
    {"hbm_unit_cycles", 4},
    {"hbm_command_queue_entries", 64},
    {"hbm_row_switch_ns_min", 40},
    {"hbm_row_switch_ns_max", 50},
    {"hbm_row_switch_cycles", 40},
    {"hbm_unaligned_read_factor", 2},
    {"hbm_partial_write_factor", 50},
    {"hbm_tccd_clock_mhz", 1500},
    {"hbm_tccd_other_bank_group_cycles", 2},
    {"hbm_tccd_other_slice_cycles", 3},
    {"hbm_tccd_same_bank_group_cycles", 4},
    {"dm_bytes_per_chip", 268435456},
    {"dm_bytes_per_slice", 524288},
    {"dm_banks_per_slice", 16},
    {"dm_rows_per_bank", 4096},
    {"dm_row_bytes", 8},
    {"dm_virtual_slice_stride_bytes", 4194304},
    {"dm_virtual_dmn_stride_bytes", 134217728},
    {"dm_bytes_per_cycle_per_dmn", 128},
    {"dm_bytes_per_cycle_per_dma_engine", 256},
    {"dm_command_queue_entries", 2},
    {"spm_bytes_per_dmn", 0},
    {"spm_bytes_per_cycle_per_dmn", 128},
    {"trf_bytes_per_slice", 65536},
    {"trf_bytes_per_mac_row", 8192},
    {"trf_halves", 2},
    {"trf_half_bytes", 32768},
    {"trf_bank_rows", 8},
    {"trf_bank_columns", 2},
    {"trf_rows_per_bank", 128},
    {"trf_row_bytes", 32},
    {"trf_slots_per_row", 64},
    {"trf_slot_width_bits", 5},
    {"trf_cache_bytes", 2048},
    {"trf_cache_lines", 4},
    {"trf_cache_line_bytes", 32},
    {"vrf_bytes_per_slice", 8192},
    {"accumulator_rows", 8},
    {"accumulator_columns", 32},
    {"accumulator_registers", 4},
    {"accumulator_slots", 1024},
    {"flit_buffer_bytes", 96},
    {"flit_buffer_flits", 3},
    // Engines
    {"flit_bytes", 32},
    {"flit_lanes", 8},
    {"flit_lane_bits", 32},
    {"mac_bytes", 64},
    {"sequencer_entries", 8},
    {"sequencer_iterations", 65536},
    {"fetch_sub_bytes", 8},
    {"fetch_sub_i4_to_i32_bytes", 4},
    {"fetch_align_bytes", 8},
    {"fetch_cast_bytes", 32},
    {"fetch_cast_cycles", 2},
    {"fetch_interleaved_tensors", 2},
    {"fetch_mask_bytes", 128},
    {"fetch_mask_count_4_bit", 255},
    {"fetch_mask_count_32_bit", 31},
    {"fetch_mask_counts", 8},
    {"fetch_casts_extended", 0},
    {"switch_ring_slices", 256},
    {"switch_fill_cycles", 1},
    {"trf_wide_read_align_bytes", 64},
    {"trf_sequencer_entries", 8},
    {"trf_sequencer_stride_bits", 32},
    {"reduce_outputs_per_row", 32},
    {"reduce_interleaved_inner", 128},
    {"reduce_sequential_inner", 32},
    {"vector_way8_lanes", 8},
    {"vector_way4_lanes", 4},
    {"vector_execution_id_bits", 4},
    {"vector_alu_uses_per_pass", 1},
    {"vector_stashes", 1},
    {"vector_logic_alus", 5},
    {"vector_fxp_alus", 4},
    {"vector_fp_alus", 5},
    {"vector_clip_alus", 3},
    {"vector_reduce_lanes", 4},
    {"vector_reduce_tree_depth", 2},
    {"vector_reduce_slots", 8},
    {"vcg_counters", 8},
    {"vcg_packet_dims", 1},
    {"vcg_gate_dims", 3},
    {"vcg_count_max", 8},
    {"inter_slice_reduce_slices", 256},
    {"cast_output_bytes", 32},
    {"transpose_buffers", 2},
    {"transpose_buffer_cols", 16},
    {"commit_input_bytes", 32},
    {"commit_sub_bytes", 8},
    {"commit_word_bytes", 8},
    {"commit_bitmap_bits", 256},
    // DMA and scheduling
    {"dma_startup_cycles", 500},
    {"dma_packet_bytes", 4096},
    {"dma_axi_beats", 256},
    {"dma_axi_beat_bytes", 16},
    {"dma_request_bytes", 256},
    {"dma_hbm_align_bytes", 1},
    {"dma_dm_read_align_bytes", 1},
    {"dma_dm_write_align_bytes", 8},
    {"dma_hbm_to_dm_align_bytes", 8},
    {"dma_bytes_per_cycle_per_engine", 256},
    {"dma_bytes_per_cycle_per_chip", 2048},
    {"pcie_bytes_per_cycle", 30},
    {"bank_accesses_max", 63},
    {"noc_timeout_cycles", 4096},
    // Measured
    {"static_contraction_pass_cycles", 265},
    {"static_vector_pass_cycles", 281},
    {"static_register_load_cycles", 263},
    {"static_register_load_bytes_per_cycle", 8},
    {"static_dma_startup_cycles", 500},
    {"static_load_startup_cycles", 492},
    {"static_replicated_request_millicycles", 2345},
    {"static_store_startup_cycles", 506},
    {"static_store_request_millicycles", 516},
    {"static_store_shared_piece_millicycles", 33827},
    {"static_dma_partial_piece_cycles", 366},
    {"static_kernel_start_cycles", 1003},
    {"static_kernel_end_cycles", 600},
    {"static_reread_sync_cycles", 600},
    {"silicon_makespan_percent_min", 190},
    {"silicon_makespan_percent_max", 220},
    {"silicon_typical_percent", 205},
    {"silicon_replicated_request_millicycles", 2717},
    {"silicon_pass_percent_min", 160},
    {"silicon_pass_percent_max", 360},
    {"silicon_sync_cycles_min", 400},
    {"silicon_sync_cycles_max", 16000},
    {"silicon_two_cluster_load_bytes_per_cycle", 420},
    {"silicon_switch_bytes_per_cycle", 27},
    {"silicon_hbm_redistribute_bytes_per_cycle", 335},
    {"silicon_first_launch_percent_min", 103},
    {"silicon_first_launch_percent_max", 110},
    {"silicon_noise_permille", 7},
    {"published_tflops_16_bit", 256},
    {"published_tops_8_bit", 512},
    {"published_tops_4_bit", 1024},
    {"published_watts_min", 150},
    {"published_watts_max", 180},
};

// The same for lists.
static const struct {
    const char *name, *values;
} lists[] = {
    {"mac_row_counts", "1 2 4 8"},
    {"hbm_byte_bits", "0 1 2 3 4 5 6 7 14 15 16"},
    {"hbm_stack_bits", "8"},
    {"hbm_channel_bits", "9 10 11 12"},
    {"hbm_channel_xor_bits", "13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28"},
    {"hbm_bank_group_bits", "13 19"},
    {"hbm_bank_bits", "17 18"},
    {"hbm_slice_bits", "20 34"},
    {"hbm_row_bits", "21 22 23 24 25 26 27 28 29 30 31 32 33 35"},
    {"dm_byte_bits", "0 1 2"},
    {"dm_bank_bits", "3 4 5 6"},
    {"dm_row_bits", "7 8 9 10 11 12 13 14 15 16 17 18"},
    {"trf_slot_bits", "0 1 2 3 4 5"},
    {"trf_column_bits", "6"},
    {"trf_row_bits", "7 8 9 10 11 12 13"},
    {"trf_bank_row_bits", "14 15 16"},
    {"fetch_sizes", "1 2 4 8 16 32"},
    {"collect_flits", "1 2 3"},
    {"trf_read_sizes", "1 2 4 8 16 32 64"},
    {"reduce_tree_depth", "7 6 5"},
    {"transpose_elements_per_packet", "16 8 8 8"},
    {"transpose_output_alignment", "64 32 16 8"},
    {"transpose_in_rows_max", "16 8 4 2"},
    {"transpose_in_cols_4_bit", "16 32"},
    {"transpose_in_cols_8_bit", "8 16 32"},
    {"transpose_in_cols_16_bit", "8 16 32"},
    {"transpose_in_cols_32_bit", "8 16 32"},
    {"commit_in_sizes", "8 16 24 32"},
    {"commit_sizes", "8 16 24 32"},
    {"static_load_piece_bytes", "16 64 2048 4096"},
    {"static_load_request_millicycles", "1172 840 577 436"},
    {"silicon_hbm_run_bytes", "128 256 512 1024 2048"},
    {"silicon_hbm_run_bytes_per_cycle", "319 618 595 557 547"},
};

static const MachineField *field_named(const char *name)
{
    for (int64_t i = 0; i < MACHINE_FIELD_COUNT; i++) {
        if (str_equal(str_from(machine_fields[i].name), str_from(name)))
            return &machine_fields[i];
    }
    fail_msg("no field is called %s", name);
    return NULL;
}

static const char *spaced(Arena *arena, const MachineList *list)
{
    StrBuf buf = {.arena = arena};
    for (int64_t i = 0; i < list->count; i++)
        buf_format(&buf, "{}{}", i ? " " : "", list->values[i]);
    return str_terminated(arena, buf_str(&buf));
}

TEST(rngd_has_the_numbers_of_the_manual)
{
    Arena arena = {0};
    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
        const MachineField *field = field_named(numbers[i].name);
        assert_false(machine_field_is_list(field));
        if (machine_value(M, field) != numbers[i].value)
            fail_msg("%s is %lld, not %lld", field->name, (long long)machine_value(M, field),
                     numbers[i].value);
    }
    for (size_t i = 0; i < COUNT_OF(lists); i++) {
        const MachineField *field = field_named(lists[i].name);
        assert_true(machine_field_is_list(field));
        assert_string_equal(spaced(&arena, machine_list(M, field)), lists[i].values);
    }
    arena_release(&arena);
}

TEST(every_field_is_in_this_test)
{
    assert_int_equal(MACHINE_FIELD_COUNT, COUNT_OF(numbers) + COUNT_OF(lists));
    for (int64_t i = 0; i < MACHINE_FIELD_COUNT; i++) {
        int64_t times = 0;
        Str name = str_from(machine_fields[i].name);
        for (size_t k = 0; k < COUNT_OF(numbers); k++)
            times += str_equal(name, str_from(numbers[k].name));
        for (size_t k = 0; k < COUNT_OF(lists); k++)
            times += str_equal(name, str_from(lists[k].name));
        if (times != 1)
            fail_msg("%s is in the test %lld times", machine_fields[i].name, (long long)times);
    }
}

TEST(every_field_is_described)
{
    for (int64_t i = 0; i < MACHINE_FIELD_COUNT; i++) {
        const MachineField *field = &machine_fields[i];
        assert_true(*field->unit && *field->manual && *field->doc);
        assert_true(field->min <= field->max);
        assert_true(str_from(field->name).len <= 64); // what the nearest-name search takes
    }
}

TEST(built_in_machines_are_found_and_sound)
{
    Arena arena = {0};
    DiagList diags = {.arena = &arena};
    assert_ptr_equal(machine_find(STR("rngd")), &machine_rngd);
    assert_ptr_equal(machine_find(STR("rngd-s")), &machine_rngd_s);
    assert_null(machine_find(STR("RNGD")));
    assert_null(machine_find(STR("")));
    assert_true(machine_check(&machine_rngd, &diags));
    assert_true(machine_check(&machine_rngd_s, &diags));
    assert_int_equal(diags.count, 0);
    arena_release(&arena);
}

// Manual: Fetch Engine, Type Casting.
TEST(rngd_s_differs_in_its_fetch_casts_only)
{
    assert_int_equal(machine_rngd_s.fetch_casts_extended, 1);
    Machine same = machine_rngd_s;
    same.name = machine_rngd.name;
    same.fetch_casts_extended = 0;
    assert_memory_equal(&same, &machine_rngd, sizeof same);
}

// The capacities and limits the manual works out, from the fields they are made of.
TEST(the_figures_of_the_manual_follow)
{
    const int64_t kib = 1024, mib = 1024 * kib, gib = 1024 * mib;
    int64_t slices = M->clusters_per_chip * M->slices_per_cluster;
    int64_t bank_bytes = M->dm_rows_per_bank * M->dm_row_bytes;
    int64_t dmn_slices = M->clusters_per_chip * M->dmns_per_cluster * M->slices_per_dmn;
    int64_t hbm_banks = M->hbm_stacks * M->hbm_channels_per_stack * M->hbm_slices_per_channel *
                        M->hbm_bank_groups_per_slice * M->hbm_banks_per_bank_group;
    const struct {
        const char *figure;
        int64_t computed, expected;
    } cases[] = {
        {"F0001 MiB of DM", slices * M->dm_bytes_per_slice / mib, 256},
        {"F0002 KiB of TRF", M->trf_bytes_per_mac_row * M->mac_rows / kib, 64},
        {"F0075 GiB of DM in 8 chips", 8 * M->dm_bytes_per_chip / gib, 2},
        {"F0122 sequencer entries", M->sequencer_entries, 8},
        {"F0123 sequencer iterations", M->sequencer_iterations, 65536},
        {"F0124 sequencer packets", M->fetch_sizes.count, 6},
        {"F0217 DMA packet", M->dma_axi_beats * M->dma_axi_beat_bytes, 4096},
        {"F0287 MiB of DM", dmn_slices * M->dm_banks_per_slice * bank_bytes / mib, 256},
        {"F0288 KiB of a slice", M->dm_banks_per_slice * bank_bytes / kib, 512},
        {"F0301 accesses", // the first count that is no longer below the timeout
         M->noc_timeout_cycles / (M->dma_bytes_per_cycle_per_engine /
                                  M->dm_bytes_per_cycle_per_dmn * M->slices_per_dmn),
         64},
        {"F0301 adopted", M->bank_accesses_max, 63},
        {"F0302 GiB of HBM", hbm_banks * M->hbm_rows_per_bank * M->hbm_row_bytes / gib, 48},
        {"F0401 flit buffer", M->flit_buffer_flits * M->flit_bytes, 96},
        {"F0403 bytes of a Row", M->trf_bank_columns * M->trf_rows_per_bank * M->trf_row_bytes,
         8192},
        {"F0411 TRF cache",
         M->mac_rows * M->trf_cache_lines * M->trf_bank_columns * M->trf_cache_line_bytes, 2048},
        {"F0458 Interleaved", M->accumulator_slots / M->accumulator_rows, 128},
        {"F0458 limit", M->reduce_interleaved_inner, 128},
        {"F0460 Sequential", M->accumulator_slots / M->accumulator_columns, 32},
        {"F0460 limit", M->reduce_sequential_inner, 32},
        {"F0512 VCG counters", M->vcg_counters, 8},
        {"F0554 VCG packet dims", M->vcg_packet_dims, 1},
        {"F0554 VCG gate dims", M->vcg_gate_dims, 3},
        {"cycles of three HBM units at 1 GHz", // 5.33 each
         3 * M->hbm_unit_cycles * M->clock_mhz / M->hbm_clock_mhz, 16},
        {"GB/s of an HBM channel", M->hbm_channel_mb_per_second / 1000, 48},
        {"GB/s of a DMA engine", M->dma_bytes_per_cycle_per_engine * M->clock_mhz / 1000, 256},
        {"MACs a cycle", // bf16: half as many as mac_bytes
         slices * M->mac_rows * M->mac_bytes / 2, 131072},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        if (cases[i].computed != cases[i].expected)
            fail_msg("%s: %lld, not %lld", cases[i].figure, (long long)cases[i].computed,
                     (long long)cases[i].expected);
    }
}

TEST(lists_are_searched)
{
    assert_true(machine_list_has(&M->commit_sizes, 24));
    assert_false(machine_list_has(&M->fetch_sizes, 24));
    assert_int_equal(machine_list_divisor(&M->fetch_sizes, 24), 8);
    assert_int_equal(machine_list_divisor(&M->fetch_sizes, 96), 32);
    assert_int_equal(machine_list_divisor(&M->fetch_sizes, 7), 1);
    assert_int_equal(machine_list_divisor(&M->commit_sizes, 48), 24);
    assert_int_equal(machine_list_divisor(&M->commit_sizes, 12), 0);
}

// Manual: Transpose Engine, Constraints; Reducer, Spatial Reduction.
TEST(tables_go_by_element_width)
{
    assert_int_equal(machine_by_width(&M->transpose_in_rows_max, 4), 16);
    assert_int_equal(machine_by_width(&M->transpose_in_rows_max, 32), 2);
    assert_int_equal(machine_by_width(&M->transpose_in_rows_max, 64), 0);
    assert_int_equal(machine_by_width(&M->reduce_tree_depth, 16), 5);
    assert_int_equal(machine_by_width(&M->reduce_tree_depth, 32), 0);
    assert_false(machine_list_has(machine_transpose_in_cols(M, 4), 8));
    assert_true(machine_list_has(machine_transpose_in_cols(M, 16), 8));
    assert_null(machine_transpose_in_cols(M, 5));
}

// Manual: Memory Performance, Address Space in a Slice, Address Space in a Chip.
TEST(addresses_are_taken_apart)
{
    int64_t dm = 5 + 8 * 11 + 128 * 4095;
    assert_int_equal(machine_address_part(&M->dm_byte_bits, dm), 5);
    assert_int_equal(machine_address_part(&M->dm_bank_bits, dm), 11);
    assert_int_equal(machine_address_part(&M->dm_row_bits, dm), 4095);

    assert_int_equal(machine_address_part(&M->hbm_byte_bits, (1 << 14) + 3), 256 + 3);
    assert_int_equal(machine_address_part(&M->hbm_bank_group_bits, 1 << 19), 2);
    assert_int_equal(machine_address_part(&M->hbm_slice_bits, INT64_C(1) << 34), 2);
    assert_int_equal(machine_address_part(&M->hbm_row_bits, INT64_C(1) << 35), 1 << 13);
    assert_int_equal(machine_address_part(&M->hbm_stack_bits, 256), 1);

    // The lowest bit of the channel is the xor of bits 9, 13, 17, 21 and 25.
    static const int bits[] = {9, 13, 17, 21, 25};
    int64_t address = 0;
    for (size_t i = 0; i < COUNT_OF(bits); i++) {
        address |= INT64_C(1) << bits[i];
        assert_int_equal(machine_hbm_channel(M, address), (i + 1) % 2);
    }
    assert_int_equal(machine_hbm_channel(M, INT64_C(1) << 28), 8);
    assert_int_equal(machine_hbm_channel(M, INT64_C(1) << 29), 0);
}

TEST(measurements_say_where_they_are_from)
{
    for (int64_t i = 0; i < MACHINE_FIELD_COUNT; i++) {
        Str name = str_from(machine_fields[i].name), manual = str_from(machine_fields[i].manual);
        bool measured = str_starts_with(name, STR("static_")) ||
                        str_starts_with(name, STR("silicon_")) ||
                        str_starts_with(name, STR("published_"));
        bool cited = str_starts_with(manual, STR("measured: ")) ||
                     str_starts_with(manual, STR("published: "));
        assert_int_equal(measured, cited);
    }
    for (int64_t i = 0; i < MACHINE_DMA_SAMPLE_COUNT; i++) {
        const MachineDmaSample *sample = &machine_dma_samples[i];
        assert_true(sample->what && sample->source && sample->cycles > 0);
        assert_true(sample->distinct_bytes > 0);
    }
}
