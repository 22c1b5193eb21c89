"""Compares the summaries of kernels from their machine code with those from the PTX that it was compiled from.

usage: compare_with_ptx.py KERNEL_ACCESS_DUMP CUBIN PTX [CUBIN PTX]...

The summary of the PTX may name more: compilers drop loads without a use. It must name every kind of access that the machine
code has through each parameter, and, where it knows all addresses of such accesses, those of the machine code. An address
with several parameters tells nothing of the parameters: some of them are integers, and that may show in the PTX alone. An
unknown address of the machine code may be known in the PTX. Ends with 1 after a contradiction.
"""
import collections
import re
import subprocess
import sys

PARTS = re.compile(r"  (param@\d+|unknown addresses|globals|unknown): (.*)")
ACCESS = re.compile(r"    [0-9a-f]+: ([rwa])\d+(?: always)? \[(.*?)\]")


class Summary:
    def __init__(self):
        self.known = True
        self.kinds = collections.defaultdict(str)  # by parameter
        self.alone = collections.defaultdict(set)  # kinds by the only parameter of an address
        self.addresses = collections.defaultdict(set)  # by kind and parameter; None: not exact

    def add(self, line):
        part = PARTS.match(line)
        if part and part[1] == "unknown":
            self.known = False
        elif part:
            self.kinds[part[1]] = part[2]
        access = ACCESS.match(line)
        if access:
            bases = {term for term in access[2].split(" + ") if re.fullmatch(r"param@\d+", term)}
            bases |= set(re.findall(r"from (param@\d+)", access[2]))
            for parameter in bases or {"unknown addresses"}:
                self.addresses[access[1], parameter].add(None if "?" in access[2] else access[2])
                if len(bases) == 1:
                    self.alone[parameter].add(access[1])


def summaries(tool, path):
    found, current = {}, Summary()
    for line in subprocess.run([tool, "summary", path], capture_output=True, text=True, check=True).stdout.splitlines():
        kernel = re.match(r"(\S+) \(\d+ bytes", line)
        if kernel:
            current = found.setdefault(kernel[1], Summary())
        else:
            current.add(line)
    return found


def contradictions(machine, ptx):
    for place, kinds in [*machine.alone.items(), ("globals", machine.kinds["globals"])]:
        missing = set(kinds) - set(ptx.kinds[place]) - set(ptx.kinds["unknown addresses"])
        if missing:
            yield f"{place}: {''.join(sorted(missing))} is missing"
    for (kind, parameter), addresses in machine.addresses.items():
        own = ptx.addresses[kind, parameter]
        if None in own or None in addresses or kind in ptx.kinds["unknown addresses"]:
            continue
        for address in addresses - own:
            yield f"{parameter}: {kind} [{address}] is missing, there is {sorted(own)}"


def main():
    both = bad = alone = 0
    for cubin, text in zip(sys.argv[2::2], sys.argv[3::2]):
        of_machine, of_ptx = summaries(sys.argv[1], cubin), summaries(sys.argv[1], text)
        for name in of_machine.keys() & of_ptx.keys():
            if not of_machine[name].known or not of_ptx[name].known:
                alone += of_machine[name].known != of_ptx[name].known
                continue
            both += 1
            for text_of_one in contradictions(of_machine[name], of_ptx[name]):
                bad += 1
                print(f"{cubin}: {name}: {text_of_one}")
    print(f"{both} kernels with both summaries, {alone} with one; {bad} contradictions")
    return 1 if bad or not both else 0


sys.exit(main())
