"""What the figures of lowered.csv are made of: small readings of the records of `contra compile --emit=json`.

Each is written from the meaning that the .def files of src/command give a record, and sees nothing else.
"""

import collections
import functools
import struct
from fractions import Fraction


# ---- sequencers: fetch, commit, TRF reads

def nest(record):
    """`[3:8, 5:24, 8:1]`"""
    return "[" + ", ".join(f"{loop.size}:{loop.stride}" for loop in record.nest.loops) + "]"


def config(record):
    """The notation of the manual: behind it the innermost packet entry of a fetch, commit_size of a commit."""
    size = record.nest.access_bytes if "commit_in_size" in record else record.nest.loops[-1].size
    return f"{nest(record)}:{size}"


def entry(record, term):
    """`8:32`, of the loop that walks `term`."""
    found = [f"{loop.size}:{loop.stride}" for loop in record.nest.loops if loop.term == term]
    return found[0] if len(found) == 1 else f"{len(found)} of {[loop.term for loop in record.nest.loops]}"


def sizes(record, packet):
    """How many elements the loops over packets, or those inside one, walk."""
    product = 1
    for loop in record.nest.loops:
        product *= loop.size if loop.packet == packet else 1
    return product


def address(record, element):
    """The byte at which element number `element` of the walk lies."""
    offset = 0
    for loop in reversed(record.nest.loops):
        element, index = divmod(element, loop.size)
        offset += index * loop.stride
    return record.nest.base + offset * record.nest.element_bits // 8


def write_address(commit, flit, write=0):
    per_flit = commit.commit_in_size * 8 // commit.nest.element_bits
    return address(commit, flit * per_flit + write * commit.nest.access_bytes * 8 // commit.nest.element_bits)


def trf_entries(read):
    """`{32, 0} {2, 32}`: from the inside, strides in bytes."""
    return " ".join(f"{{{loop.size}, {loop.stride * read.nest.element_bits // 8}}}"
                    for loop in reversed(read.nest.loops))


# ---- slices

def bits(text):
    """The numbers of the bits of a bitmap."""
    number = int(text, 16)
    return [bit for bit in range(number.bit_length()) if number >> bit & 1]


def slices(record):
    """The slices of the first cluster that has any."""
    return bits(record.bitmaps[0].slices)


def sources(route, row):
    """`0, 1, 2, 3`: a row of the snoop bitmap."""
    return ", ".join(map(str, bits(route.snoop[row].sources)))


def source(route, out_slice, packet):
    """(slice, packet) that is put out; None: padding."""
    from_slice = from_packet = 0
    for term in route.terms:
        digit = (packet if term.of_time else out_slice) // term.place % term.extent
        if digit >= term.size:
            return None
        from_slice += digit * term.slice_stride
        from_packet += digit * term.time_stride
    return from_slice, from_packet


# ---- accumulators

def digits(loops, step):
    """The index of every loop, outermost first."""
    found = []
    for loop in reversed(loops):
        step, index = divmod(step, loop.size)
        found.append(index)
    return found[::-1]


def steps_text(loops, step):
    """`B/4=0 A%8=1`"""
    return " ".join(f"{loop.term.replace(' ', '')}={index}" for loop, index in zip(loops, digits(loops, step)))


def slot(reduce, step):
    """Where the Reducer holds the place that a step belongs to."""
    return sum(index * loop.stride
               for loop, index in zip(reduce.loops, digits(reduce.loops, step))) % reduce.buffered


def is_first(reduce, step):
    return all(index == 0 for loop, index in zip(reduce.loops, digits(reduce.loops, step)) if loop.reduced)


def lane_slot(lanes, step):
    return sum(index * loop.slot_stride for loop, index in zip(lanes.loops, digits(lanes.loops, step)))


def lane_reduce(vector):
    return next(step.lanes for step in vector.steps if step.lanes)


def as_i32(number):
    return struct.unpack("<i", struct.pack("<I", number & 0xFFFFFFFF))[0]


def as_f32(number):
    return struct.unpack("<f", struct.pack("<I", number & 0xFFFFFFFF))[0]


def identity(number):
    """A value as the manual spells it."""
    return {-2 ** 31: "i32::MIN", 2 ** 31 - 1: "i32::MAX", float("-inf"): "f32::NEG_INFINITY",
            float("inf"): "f32::INFINITY"}.get(number, number)


# ---- valid counts

def live_cells(document, first, count):
    """How many of these cells of a mapping are data."""
    return sum(cell is not None for cell in document.cells[first:first + count])


def counters(vcg, step):
    """The counters at a time step, the fastest first."""
    found = []
    for counter in vcg.counters:
        step, index = divmod(step, counter.limit)
        found.append(index)
    return tuple(found)


def indices(vcg, step):
    """The index of every dim: the packet dim, then the gates."""
    found = [0, 0, 0, 0]
    for counter, index in zip(vcg.counters, counters(vcg, step)):
        if counter.dim >= 0:
            found[counter.dim] += index * counter.stride
    return found


def passes_gate(gate, of_slice, index):
    number = of_slice & gate.mask
    if number < gate.match:
        return True
    return index < gate.valid and (number == gate.match or gate.transposed)


def valid(vector, of_slice, step):
    """How many lanes of a packet are data."""
    vcg = vector.vcg
    if not vcg:
        return vector.steps[0].packet_elements
    at = indices(vcg, step)
    if not all(passes_gate(gate, of_slice, at[1 + i]) for i, gate in enumerate(vcg.gates)):
        return 0
    return max(0, min(vcg.packet_stride, vcg.packet_valid - at[0]))


def valids(vector, of_slice=0):
    return [valid(vector, of_slice, step) for step in range(vector.in_time)]


def valid_words(vector, of_slice):
    return " ".join("valid" if count else "invalid" for count in valids(vector, of_slice))


def boundary(gate):
    """What the slice digits are compared with: the bits of `match` that count, put together."""
    return sum((gate.match >> bit & 1) << place for place, bit in enumerate(bits(hex(gate.mask))))


# ---- DMA

def move(descriptor, term, side):
    """(limit, stride) of the loop that walks `term`, on a side: "source" or "dest"."""
    found = [loop for loop in descriptor.loops if loop.term == term]
    if len(found) != 1:
        raise KeyError(f"{term} in {[loop.term for loop in descriptor.loops]}")
    return found[0].limit, found[0][f"{side}_stride"]


def move_text(machine, dma, side, terms):
    """`[B=256:256, A/4=32:slice_stride, C=256:1]:256`: loops of the first descriptor, in the order asked for."""
    first = dma.descriptors[0]
    names = {machine.dm_virtual_slice_stride_bytes: "slice_stride", machine.dm_virtual_dmn_stride_bytes: "DMN_stride"}
    entries = []
    for term in terms:
        limit, stride = move(first, term, side)
        name = names.get(stride) if first[side].media == "DM" else None
        entries.append(f"{term.replace(' ', '')}={limit}:{name or stride}")
    entries.append(f"{first.packet_term.replace(' ', '')}={first.packet_bytes}:1")
    return f"[{', '.join(entries)}]:{first.packet_bytes}"


def spread(places, loops):
    """(read, written) of every iteration of loops (limit, source stride, dest stride), from these places on."""
    for limit, source_stride, dest_stride in loops:
        places = [(read + i * source_stride, write + i * dest_stride) for read, write in places for i in range(limit)]
    return places


def packets(descriptor):
    """(read, written) of every packet."""
    return spread([(descriptor.source_base, descriptor.dest_base)],
                  [(loop.limit, loop.source_stride, loop.dest_stride) for loop in descriptor.loops])


def written(dma, read):
    """Where the byte that is read at `read` goes."""
    for descriptor in dma.descriptors:
        for source_at, dest_at in packets(descriptor):
            if source_at <= read < source_at + descriptor.packet_bytes:
                return dest_at + read - source_at
    return None


def of_engine(dma, chip, cluster, engine):
    """The descriptors of one engine, in their order."""
    return [one for one in dma.descriptors if (one.chip, one.cluster, one.engine) == (chip, cluster, engine)]


def requests(dma):
    return sum(descriptor.requests for descriptor in dma.descriptors)


def base_steps(dma, side):
    """What (cluster, engine) add to the base, if that is all there is to it."""
    at = {(one.cluster, one.engine): one[f"{side}_base"] for one in dma.descriptors if one.chip == 0}
    steps = at[1, 0] - at[0, 0], at[0, 1] - at[0, 0]
    linear = all(base == at[0, 0] + i * steps[0] + j * steps[1] for (i, j), base in at.items())
    return steps if linear else f"not linear: {at}"


def base_steps_of_first(dma):
    """The same of the write bases, of the first descriptor of every engine."""
    at = {}
    for one in dma.descriptors:
        at.setdefault((one.chip, one.cluster, one.engine), one.dest_base)
    steps = at[0, 1, 0] - at[0, 0, 0], at[0, 0, 1] - at[0, 0, 0]
    linear = all(base == j * steps[0] + k * steps[1] for (_, j, k), base in at.items())
    return steps if linear else f"not linear: {at}"


def walks(descriptor, source_base, dest_base, loops, packet_bytes):
    """It moves the packets of these loops (limit, source stride, dest stride), in whatever order."""
    wanted = spread([(source_base, dest_base)], loops)
    return descriptor.packet_bytes == packet_bytes and sorted(packets(descriptor)) == sorted(wanted)


def diagonal(cut, shuffle, chip, tile_bytes):
    """(chip, tile) that a chip has after a slice and a shuffle."""
    last = next(one for one in shuffle.descriptors if one.dest.chip == chip)
    before = next(one for one in cut.descriptors if one.dest.chip == last.source.chip)
    return before.source.chip, before.source_base // tile_bytes


def hbm_port(machine, at):
    """Channel and stack of an address. The channel is its own bits, xored with groups of as many above them."""
    width, channel = len(machine.hbm_channel_bits), 0
    digits_of = at >> machine.hbm_channel_bits[0]
    for _ in range(1 + len(machine.hbm_channel_xor_bits) // width):
        channel ^= digits_of
        digits_of >>= width
    return channel & (1 << width) - 1, at >> machine.hbm_stack_bits[0] & 1


@functools.lru_cache(maxsize=None)
def channels(machine, dma):
    """How many channels the reads meet, and how often each: one number where all are alike."""
    met = collections.Counter(hbm_port(machine, at) for one in dma.descriptors for at, _ in packets(one))
    return len(met), sorted(set(met.values()))


def hbm_request_cycles(machine):
    """Of one unit on a channel, as the manual rounds it."""
    return round(machine.hbm_unit_cycles * machine.clock_mhz / machine.hbm_clock_mhz, 1)


def network_row(machine, cycle):
    """What the two networks of an engine do in a cycle: a request begins in each, on the one and the other in turn."""
    each, cells = machine.dma_request_bytes // machine.dm_bytes_per_cycle_per_dmn, []
    for network in range(machine.dmns_per_dma_engine):
        at = next((at for at in range(cycle, cycle - each, -1)
                   if at >= 0 and at % machine.dmns_per_dma_engine == network), None)
        cells.append("(idle)" if at is None else f"read #{at} ({cycle - at + 1}/{each})")
    return " | ".join(cells)


def bit_range(numbers):
    """`0-2`, of bits that follow each other."""
    first, last = numbers[0], numbers[-1]
    if numbers != list(range(first, last + 1)):
        return str(numbers)
    return str(first) if first == last else f"{first}-{last}"


FORMS = {name: value for name, value in globals().items() if callable(value) and not name.startswith("_")}
