"""A small model's training step or eager inference of one sample; prints the median ns of a step.

usage: torch_steps.py training|inference [SYMBOLS [PAIRS]]

SYMBOLS is what nm prints of the libgpusan.so that is preloaded. With it, ten steps that gpusan watches and ten steps that
bypass its hooks take turns in one process, because two processes differ by more than the cost of gpusan. The script prints the
median ns of both kinds of steps, and the median and the quarters of the ratio of neighbours. The hooks do not see what bypassed
steps allocate and free, so that findings of such a run mean nothing.
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
# 160 launches a step.
deep = torch.nn.Sequential(*(layer for _ in range(80) for layer in (torch.nn.Linear(512, 512), torch.nn.ReLU()))).cuda().eval()
sample = torch.randn(1, 512, device="cuda")


class Switch:
    """Takes the tracker away from the CUDA hooks, and gives it back."""

    def __init__(self, symbols):
        with open("/proc/self/maps", encoding="utf-8") as maps:
            base = min(int(line.split("-")[0], 16) for line in maps if "libgpusan.so" in line)
        with open(symbols, encoding="utf-8") as lines:
            text = lines.read()

        def address(name):
            return base + int(re.search(rf"^(\w+) \w {name}$", text, re.M).group(1), 16)

        # The first member of the hooks creates trackers; behind it come the trackers of the two ways to attach.
        trackers = address("_ZN6gpusan4cuda10g_trackersE")
        self.words = [ctypes.c_uint64.from_address(at)
                      for at in (address("_ZN6gpusan4cuda15driver_internal5hooksE"), trackers, trackers + 8)]
        self.values = [word.value for word in self.words]

    def watch(self, on):
        for word, value in zip(self.words, self.values):
            word.value = value if on else 0


def train():
    optimizer.zero_grad()
    torch.nn.functional.cross_entropy(model(x), y).backward()
    optimizer.step()
    torch.cuda.synchronize()


@torch.no_grad()
def infer():
    deep(sample)
    torch.cuda.synchronize()


step = {"training": train, "inference": infer}[sys.argv[1]]


def ns_of(steps):
    times = []
    for _ in range(steps):
        begin = time.perf_counter_ns()
        step()
        times.append(time.perf_counter_ns() - begin)
    return times


ns_of(20)
if len(sys.argv) == 2:
    print(statistics.median(ns_of(200)))
    sys.exit()
switch = Switch(sys.argv[2])
medians = {True: [], False: []}
for turn in range(int(sys.argv[3]) * 2 if len(sys.argv) > 3 else 120):
    watched = turn % 2 == 0
    switch.watch(watched)
    ns_of(2)
    medians[watched].append(statistics.median(ns_of(10)))
switch.watch(True)
ratios = sorted(w / b for w, b in zip(medians[True], medians[False]))
print(f"{statistics.median(medians[False]):.0f} {statistics.median(medians[True]):.0f} {statistics.median(ratios):.4f} "
      f"({ratios[len(ratios) // 4]:.4f} to {ratios[len(ratios) * 3 // 4]:.4f})")
