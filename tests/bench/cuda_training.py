"""A small model's training step; prints the median ns of a step.

usage: cuda_training.py [SYMBOLS [PAIRS]]

SYMBOLS is what nm prints of the libgpusan.so that is preloaded. Then ten steps watched and ten that pass the hooks by take
turns in one process, and printed are the median ns of both and of the ratios of neighbours: processes differ by more than
what is to be measured. Memory that a step takes or gives back while the hooks are passed by is not known to them, so that
findings of such a run mean nothing.
"""
import ctypes
import re
import statistics
import sys
import time

import torch

torch.manual_seed(1)
layers = []
for _ in range(12):
    layers += [torch.nn.Linear(512, 512), torch.nn.ReLU()]
model = torch.nn.Sequential(*layers, torch.nn.Linear(512, 10)).cuda()
optimizer = torch.optim.Adam(model.parameters())
x = torch.randn(64, 512, device="cuda")
y = torch.randint(0, 10, (64,), device="cuda")


class Switch:
    """Takes the tracker away from the CUDA hooks, and gives it back."""

    def __init__(self, symbols):
        with open("/proc/self/maps", encoding="utf-8") as maps:
            base = min(int(line.split("-")[0], 16) for line in maps if "libgpusan.so" in line)
        with open(symbols, encoding="utf-8") as lines:
            text = lines.read()
        # The first member of the hooks makes the tracker; the trackers of the attach paths are there once it was asked.
        self.words = [ctypes.c_uint64.from_address(base + int(re.search(rf"^(\w+) \w {name}\S*$", text, re.M).group(1), 16))
                      for name in ("_ZN6gpusan4cuda12_GLOBAL__N_17g_hooksE", "_ZN6gpusan4cuda10g_trackersE")]
        self.values = [word.value for word in self.words]

    def watch(self, on):
        for word, value in zip(self.words, self.values):
            word.value = value if on else 0


def step():
    optimizer.zero_grad()
    torch.nn.functional.cross_entropy(model(x), y).backward()
    optimizer.step()
    torch.cuda.synchronize()


def ns_of(steps):
    times = []
    for _ in range(steps):
        begin = time.perf_counter_ns()
        step()
        times.append(time.perf_counter_ns() - begin)
    return times


ns_of(20)
if len(sys.argv) == 1:
    print(statistics.median(ns_of(200)))
    sys.exit()
switch = Switch(sys.argv[1])
medians = {True: [], False: []}
for turn in range(int(sys.argv[2]) * 2 if len(sys.argv) > 2 else 120):
    watched = turn % 2 == 0
    switch.watch(watched)
    ns_of(2)
    medians[watched].append(statistics.median(ns_of(10)))
switch.watch(True)
ratios = sorted(w / b for w, b in zip(medians[True], medians[False]))
print(f"{statistics.median(medians[False]):.0f} {statistics.median(medians[True]):.0f} {statistics.median(ratios):.4f} "
      f"({ratios[len(ratios) // 4]:.4f} to {ratios[len(ratios) * 3 // 4]:.4f})")
