# SPDX-License-Identifier: BSD-3-Clause
"""Checks a timeline of tests/interpose/watched, in Perfetto's format: read_trace.py FILE RANKS ITERATIONS ERROR_US,
of a program whose first rank decides: read_trace.py FILE RANKS decisions, or of any: read_trace.py FILE RANKS names"""
import re
import sys

BEGIN, END, INSTANT = 1, 2, 3
CLEARED, NEEDED = 1, 2  # the names of a sequence begin anew; are needed


def fields(data):
    """(number, value) of a message: integers, and bytes of what has a length."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte, at = data[at], at + 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value
    while at < len(data):
        key = varint()
        length = {0: 0, 1: 8, 2: 0}[key & 7]
        if key & 7 == 0:
            yield key >> 3, varint()
            continue
        length = length or varint()
        assert at + length <= len(data), "cut off"
        yield key >> 3, data[at:at + length]
        at += length


def add_names(known, data):
    """What a packet tells of the names that numbers stand for, each once: known[1] categories, known[2] events."""
    for kind, text in fields(data):
        text = dict(fields(text))
        assert text[1] not in known[kind] and text[2].decode() not in known[kind].values(), text
        known[kind][text[1]] = text[2].decode()


def read_tracks(path):
    """Track number -> [name, [slice begun, ended, name, category, depth]...]; nesting and order are checked."""
    tracks, open_slices, last, names = {}, {}, {}, {}
    for number, packet in fields(open(path, "rb").read()):
        assert number == 1, number
        packet = dict(fields(packet))
        if packet.get(13, 0) & CLEARED:
            names[packet[10]] = {1: {}, 2: {}}
        if 12 in packet:
            add_names(names[packet[10]], packet[12])
        if 60 in packet:
            facts = dict(fields(packet[60]))
            assert facts[1] not in tracks
            tracks[facts[1]] = [facts[2].decode(), []]
            open_slices[facts[1]] = []
            continue
        event = dict(fields(packet[11]))
        track, time = event[11], packet[8]
        assert time >= last.get(track, 0), (track, time)
        last[track] = time
        if event[9] != END:
            assert packet[13] & NEEDED, packet
            known = names[packet[10]]
            piece = [time, None, known[2][event[10]], known[1][event[3]], len(open_slices[track])]
        if event[9] == BEGIN:
            tracks[track][1].append(piece)
            open_slices[track].append(piece)
        elif event[9] == END:
            open_slices[track].pop()[1] = time
        else:
            assert event[9] == INSTANT, event
            tracks[track][1].append([time, time, *piece[2:]])
    assert not any(open_slices.values()), "slices without an end"
    return tracks


def named(track, name):
    return [piece for piece in track[1] if piece[2] == name]


def check_rank(track, iterations):
    """Every iteration is a phase, in which four calls are."""
    phases = named(track, "phase 16")
    assert len(phases) == iterations and len(named(track, "phase 17")) == 1, [piece[2] for piece in track[1]]
    assert all(piece[3:] == ["phase", 0] for piece in phases)
    for name in "MPI_Irecv", "MPI_Send", "MPI_Wait", "MPI_Allreduce":
        calls = [call for call in named(track, name) if call[0] <= phases[-1][1]]
        assert len(calls) == iterations, (name, len(calls))
        for call, phase in zip(calls, phases):
            assert call[3:] == ["MPI", 1] and phase[0] <= call[0] <= call[1] <= phase[1], (call, phase)


def main():
    ranks, tracks = int(sys.argv[2]), read_tracks(sys.argv[1])
    assert sorted(tracks) == list(range(1, ranks + 1)), sorted(tracks)
    names = [tracks[number][0] for number in sorted(tracks)]
    assert [int(re.match(r"rank (\d+) on ", name)[1]) for name in names] == list(range(ranks)), names
    assert names == sorted(names), names  # in which order Perfetto shows them
    if sys.argv[3] == "names":
        return
    if sys.argv[3] == "decisions":
        assert named(tracks[1], "decision") and not any(named(tracks[other], "decision") for other in range(2, ranks + 1))
        return
    iterations, error_ns = int(sys.argv[3]), 1e3 * float(sys.argv[4]) + 1
    for track in tracks.values():
        check_rank(track, iterations)
    # No rank leaves an all-reduce before all have begun it, by clocks that are each off by at most the error that was told.
    for calls in zip(*(named(track, "MPI_Allreduce") for track in tracks.values())):
        assert min(call[1] for call in calls) >= max(call[0] for call in calls) - 2 * error_ns, (calls, error_ns)


if __name__ == "__main__":
    main()
