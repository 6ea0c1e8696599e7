"""What a launch's modelled time says in words: what it waits for, and what would make it shorter."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kbench.backends.ascend.sim.timing import Time

_SHORT_US = 2  # of a kernel that is shorter, latencies are most of the time, whatever it does
_SMALL = 16384  # bytes from which a copy reaches the memory's bandwidth (page on copying large blocks)


def hints(time: Time) -> list[str]:
    """Sentences, the one with the largest gain first; none where nothing stands out."""
    found = [*_launch_hints(time)]
    if time["kernel_us"] >= _SHORT_US:
        found += [*_copy_hints(time), *_wait_hints(time), *_vector_hints(time)]
    return [text for _, text in sorted(found, key=lambda f: -f[0])]


Found = tuple[float, str]


def _copy_hints(time: Time) -> list[Found]:
    found: list[Found] = []
    for pipe, copies in time["copies"].items():
        share = _share(time, pipe)
        mean = copies["bytes"] / copies["count"]
        several = copies["bytes"] >= 2 * _SMALL * time["cores"]  # a core has enough for larger ones
        if share >= 0.3 and several and copies["small"] >= 0.5 * copies["count"]:
            found.append(
                (share, f"{pipe} is busy {share:.0%} of the time with copies of {mean:.0f} B: use ≥ 16 KiB each")
            )
        piece = copies["bytes"] / max(copies["pieces"], 1)
        if share >= 0.3 and mean >= _SMALL and piece < 512:
            found.append(
                (share * 0.9, f"{pipe}'s copies consist of pieces of {piece:.0f} B: contiguous ones of ≥ 512 B")
            )
        if share >= 0.3 and copies["unaligned"] >= 0.5 * copies["count"] and piece >= 512:
            few = f"{copies['unaligned']} of {copies['count']}"
            text = f"{few} copies of {pipe} begin at no multiple of 512 B in global memory"
            found.append((share * 0.5, text))
        if copies["contended"] >= 0.2 * copies["count"] and time["cores"] > 1:
            text = f"{pipe}: cores are at the same addresses at the same time: let each begin elsewhere"
            found.append((share * 0.6, text))
    gm = time["gm"]
    if gm["hbm_written"] > 0.1 * gm["hbm_read"] and gm["l2_hits"] < 0.05 * gm["read"]:
        text = "what is read once pushes results out of L2: SetL2CacheHint(CACHE_MODE_DISABLE) on such inputs"
        found.append((0.3, text))
    return found


def _wait_hints(time: Time) -> list[Found]:
    found: list[Found] = []
    pipes, cycles = time["pipes"], max(time["cycles"], 1)
    vector = pipes.get("V")
    if vector and "MTE2" in pipes:
        waits, busy = vector["waits"].get("flag MTE2", 0) / cycles, _share(time, "MTE2")
        back = pipes["MTE2"]["waits"].get("flag V", 0) / cycles
        if waits >= 0.2 and back >= 0.1:
            text = f"V waits for MTE2 {waits:.0%} of the time, and MTE2 for V {back:.0%}: no double buffering"
            found.append((waits, text))
        elif waits >= 0.5 and busy >= 0.8:
            found.append((0.2, f"MTE2-bound: it works {busy:.0%} of the time, V waits for it {waits:.0%}"))
    for pipe, sums in pipes.items():
        issue = sums["waits"].get("issue", 0) / cycles
        if pipe in ("V", "MTE2", "MTE3") and issue >= 0.3 and _share(time, "S") >= 0.5:
            found.append(
                (issue, f"{pipe} waits for the scalar unit {issue:.0%} of the time: fewer calls and scalar accesses")
            )
    sync = pipes["S"]["waits"].get("sync", 0) / cycles if "S" in pipes else 0
    if sync >= 0.2:
        found.append((sync, f"cores wait for each other {sync:.0%} of the time: uneven work, or too many SyncAll"))
    return found


def _vector_hints(time: Time) -> list[Found]:
    found: list[Found] = []
    v = time["vector"]
    share = _share(time, "V")
    whole = max(v["work"] + v["conflicts"] + v["overhead"], 1)
    if v["conflicts"] >= 0.2 * whole and share >= 0.05:
        gain = v["conflicts"] / whole
        found.append((share * gain, f"bank conflicts in UB take {gain:.0%} of V's time: shift one operand by 256 B"))
    if v["overhead"] >= 0.5 * whole and share >= 0.3:
        mean = v["repeats"] / max(v["operations"], 1)
        found.append((share * 0.5, f"V's operations have {mean:.1f} repeats on average: more elements for each call"))
    return found


def _launch_hints(time: Time) -> list[Found]:
    found: list[Found] = []
    share = time["launch_us"] / time["us"]
    if share >= 0.5 and time["cores"] > 8:
        found.append((share * 0.5, f"the launch itself takes {share:.0%}: fewer cores begin sooner"))
    return found


def _share(time: Time, pipe: str) -> float:
    """Of the cores' time, for which the pipe is busy."""
    return time["pipes"][pipe]["busy"] / max(time["cycles"], 1) if pipe in time["pipes"] else 0.0
