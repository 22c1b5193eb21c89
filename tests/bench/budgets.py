"""The cases of the bench: the text of each row and the budget that it is held to."""

import dataclasses

NONE = "none"  # printed without a verdict
PLUS = "plus"  # at most `limit` more than bare, in the unit of the case
RATIO = "ratio"  # at most `limit` times bare
RATIO_TO = "ratio_to"  # at most `limit` times the figure of case `to` through the same variant
SCALING = "scaling"  # at least `limit`, where bare reaches it


@dataclasses.dataclass(frozen=True)
class Case:
    """One row of the table. `limit` is in the unit of the case or a ratio, as `kind` says."""

    name: str
    text: str
    kind: str = NONE
    limit: float = 0.0
    to: str = ""
    budget: str = ""


CASES = [
    Case("set_arg_buffer", "clSetKernelArg, a buffer", PLUS, 15, budget="+15 ns"),
    Case("set_arg_int", "clSetKernelArg, an int", PLUS, 15, budget="+15 ns"),
    Case("buffer_pair", "clCreateBuffer + clReleaseMemObject", PLUS, 80, budget="+80 ns"),
    Case("image_pair", "clCreateImage + clReleaseMemObject", PLUS, 80, budget="+80 ns"),
    Case("write_64", "64 B write", RATIO, 1.15, budget="1.15x"),
    Case("write_64_small_block", "64 B write from a block of 96 B", RATIO, 1.5, budget="1.5x"),
    Case("write_64_event", "64 B write with event + clReleaseEvent", RATIO, 1.15, budget="1.15x"),
    Case("write_image_16x16", "16x16 RGBA8 image write", RATIO, 1.15, budget="1.15x"),
    Case("ndrange_4", "clEnqueueNDRangeKernel, 4 buffers", RATIO, 1.10, budget="1.10x"),
    Case("ndrange_two_sizes", "clEnqueueNDRangeKernel, two sizes in turn", RATIO, 1.10, budget="1.10x"),
    Case("ndrange_new_kernel", "clCreateKernel, 4 clSetKernelArg, launch, clReleaseKernel"),
    Case("ndrange_images", "clEnqueueNDRangeKernel, 2 images", RATIO, 1.10, budget="1.10x"),
    Case("buffer_pair_live", "buffer pair, {live} live buffers", RATIO_TO, 1.3, "buffer_pair",
         "1.3x of none live"),
    Case("write_64_live", "64 B write, {live} live buffers", RATIO_TO, 1.3, "write_64",
         "1.3x of none live"),
    Case("ndrange_4_live", "clEnqueueNDRangeKernel, {live} live buffers", RATIO_TO, 1.3,
         "ndrange_4", "1.3x of none live"),
    Case("write_64_open", "64 B write, queue not held back"),
    Case("ndrange_4_open", "clEnqueueNDRangeKernel, queue not held back"),
    Case("threads_set_arg", "two threads, clSetKernelArg", SCALING, 1.8, budget=">= 1.8x"),
    Case("threads_buffer_pair", "two threads, buffer pair", SCALING, 1.8, budget=">= 1.8x"),
    Case("threads_write", "two threads on two queues, 64 B write", SCALING, 1.8, budget=">= 1.8x"),
    Case("malloc_16", "malloc + free 16 B, OpenCL in use"),
    Case("malloc_2k", "malloc + free 2 KiB, OpenCL in use"),
    Case("malloc_1m", "malloc + free 1 MiB, OpenCL in use"),
    Case("mmap_64k", "mmap + munmap 64 KiB, OpenCL in use"),
    Case("host/malloc_16", "malloc + free 16 B, no GPU API"),
    Case("host/malloc_2k", "malloc + free 2 KiB, no GPU API"),
    Case("host/malloc_1m", "malloc + free 1 MiB, no GPU API"),
    Case("host/mmap_64k", "mmap + munmap 64 KiB, no GPU API"),
    Case("live_bytes", "RSS a live buffer, {live} of them", PLUS, 256, budget="+256 B"),
    Case("growth_buffers", "RSS growth, {cycles} create/release cycles", PLUS, 2 << 20,
         budget="+2 MiB"),
    Case("growth_events", "RSS growth, {cycles} enqueues with events", PLUS, 2 << 20,
         budget="+2 MiB"),
    Case("start_command", "`gpusan run -- true`, wall", PLUS, 5, budget="+5 ms"),
    Case("start_true", "`true` preloaded, wall", PLUS, 1, budget="+1 ms"),
    Case("start_bash", "bash loop of `true` preloaded, wall a process", PLUS, 1, budget="+1 ms"),
]


def verdict(case, variant, bare, own, base):
    """'ok', 'miss' or '-' for a row.

    variant: the median through the variant; bare: that of the bare run; own: (difference, ratio) to bare,
    paired by round; base: the median of case `case.to` through the same variant, or None.
    """
    difference, ratio = own
    if case.kind == PLUS:
        good = difference <= case.limit
    elif case.kind == RATIO:
        good = ratio <= case.limit
    elif case.kind == RATIO_TO and base:
        good = variant / base <= case.limit
    elif case.kind == SCALING and bare >= case.limit:
        good = variant >= case.limit
    else:
        return "-"
    return "ok" if good else "miss"
