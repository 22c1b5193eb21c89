"""Compares the decoder of hooks/cuda/machine_code with nvdisasm, instruction by instruction.

usage: compare_with_nvdisasm.py KERNEL_ACCESS_DUMP CUBIN...

Every instruction that the decoder knows must agree with nvdisasm: its name, the registers that it writes, and, where the
data flow uses them, its operands, its address and its target. Ends with 77 if there is no nvdisasm, with 1 after a
difference. The instructions that the decoder does not know are counted and printed.
"""
import collections
import os
import pathlib
import re
import shutil
import subprocess
import sys

LINE = re.compile(r"/\*([0-9a-f]{4,})\*/\s+(@!?U?P\w+\s+)?([A-Z][A-Za-z0-9_.]*)\s*(.*?)\s*;\s+/\* 0x([0-9a-f]{16}) \*/(.*)")
SECOND = re.compile(r"^\s+/\* 0x([0-9a-f]{16}) \*/(.*)")
RESULT = re.compile(r"^(U?R\d+|U?RZ)(?![\dA-Za-z])")
# Rows whose name differs from the mnemonic.
ALIASES = {"RED": ("RED", "REDG"), "REDG.FP": ("REDG", "RED"), "ATOM.CAS": ("ATOM",), "ATOM.FP": ("ATOM",),
           "ATOMG.CAS": ("ATOMG",), "ATOMG.FP": ("ATOMG",), "ATOMS.CAS": ("ATOMS",), "ERRBAR": ("ERRBAR", "CGAERRBAR"),
           "HFMA2.MMA": ("HFMA2", "HFMA2.MMA"), "IADD": ("IADD", "IADD.64"), "CALL.REL": ("CALL",), "RET.REL": ("RET",),
           "I2F.F64": ("I2F",), "F2I.F64": ("F2I",), "F2F.F64": ("F2F",), "FRND.F64": ("FRND",),
           "LDG.256": ("LDG",), "STG.256": ("STG",), "UTCMMA": ("UTCHMMA", "UTCIMMA", "UTCQMMA", "UTCOMMA"),
           "UCGABAR": ("UCGABAR_ARV", "UCGABAR_WAIT")}
# Instructions whose operands the data flow uses, with the operands that it uses.
OPERANDS = {"MOV": "b", "UMOV": "b", "SEL": "ab", "USEL": "ab", "IADD3": "abc", "UIADD3": "abc", "UIADD3.64": "abc",
            "LEA": "ab", "ULEA": "ab", "LOP3": "abc", "ULOP3": "abc", "SHF": "abc", "USHF": "abc", "IMAD": "abc",
            "UIMAD": "abc", "IMAD.WIDE": "abc", "UIMAD.WIDE": "abc", "IADD": "ab", "VIADD": "ab", "LDC": "b", "ULDC": "b",
            "LDCU": "b", "R2UR": "a", "PRMT": "abc", "IMNMX": "ab", "VIMNMX": "ab"}
MEMORY = ("LD", "LDG", "ST", "STG", "ATOM", "ATOM.CAS", "ATOM.FP", "RED", "REDG.FP", "ATOMG", "ATOMG.CAS", "ATOMG.FP",
          "LDG.256", "STG.256", "LDGSTS", "LDL", "STL")
# A predicate behind the result of these is a source.
NO_PREDICATE_RESULTS = ("EXIT", "RET.REL", "BSYNC", "SEL", "FSEL", "USEL", "VOTE", "VOTEU", "BRA", "BAR",
                        "MOVM", "P2R", "B2R", "PLOP3", "UPLOP3")
BRANCHES = ("BRA", "BSSY", "CALL.REL", "WARPSYNC")


def nvdisasm():
    tools = pathlib.Path(__file__).resolve().parents[3] / "build" / "tools"  # tests/install.sh puts it there
    for name in ("nvdisasm", "/usr/local/cuda/bin/nvdisasm", *map(str, tools.glob("nvidia/*/bin/nvdisasm"))):
        if shutil.which(name):
            return name
    return None


def split_operands(text):
    parts, depth, current = [], 0, ""
    for char in text:
        depth += (char in "[`(") - (char in "])")
        if char == "`":
            depth -= 1
        if char == "," and depth == 0:
            parts.append(current.strip())
            current = ""
        else:
            current += char
    return [part for part in parts + [current.strip()] if part]


def plain(operand):
    """An operand as the dump prints it."""
    operand = re.sub(r"\.(reuse|64|U32|H0_H0|H1_H1)\b", "", operand).replace(" ", "")
    sign = "-" if operand[:1] in "-~" else ""
    rest = operand[1:] if sign else operand
    if re.fullmatch(r"0x[0-9a-f]+|\d+", rest):
        value = int(rest, 0)
        return hex((-value if sign else value) & 0xFFFFFFFF)
    if rest in ("RZ", "URZ", "SRZ"):
        return "RZ"
    rest = rest.replace("[RZ]", "[0x0]").replace("[URZ]", "[0x0]").replace("[RZ+", "[").replace("[URZ+", "[")
    match = re.fullmatch(r"c\[(0x[0-9a-f]+)\]\[(?:(U?R\d+)(?:\+|\]$))?(0x[0-9a-f]+)?\]?", rest)
    if match:
        index = match[2] + "+" if match[2] else ""
        return f"{sign}c[{match[1]}][{index}{match[3] or '0x0'}]"
    return sign + rest


class Listing:
    """The instructions of a cubin by function and offset, as nvdisasm prints them."""

    def __init__(self, path):
        self.instructions = {}
        self.labels = {}
        function, pending, columns = None, None, []
        text = subprocess.run([nvdisasm(), "-hex", "-plr", path], capture_output=True, text=True, check=True).stdout
        waiting = []
        for line in text.splitlines():
            section = re.match(r"\.text\.([^:]+):", line)
            if section:
                function = section[1]
                continue
            if re.search(r"// \|\s+#", line):
                columns = self.columns(line)
            label = re.match(r"\s*(\.L_x_\w+|\$[\w$.]+):", line)
            if label:
                waiting.append(label[1])
            match = LINE.search(line)
            if match and function:
                pending = match
                for name in waiting:
                    self.labels[function, name] = int(match[1], 16)
                waiting = []
                continue
            second = SECOND.match(line)
            if pending and second:
                written = [register for register, at in columns if line[at:at + 1] in ("^", "x")]
                self.instructions[function, int(pending[1], 16)] = (pending[3], split_operands(pending[4]), written)
                pending = None

    @staticmethod
    def columns(line):
        """Positions of the general registers' marks: the last digit of each number."""
        start = line.index("#")
        end = line.find("|", start)
        part = line[start + 1:end if end > 0 else len(line)]
        return [(int(found[0]), start + 1 + found.end() - 1) for found in re.finditer(r"\d+", part)]


def differences(row, mnemonic, operands, written, listing):
    name, result, count, predicates = row["name"], row["result"], int(row["count"]), row["predicates"]
    names = ALIASES.get(name, (name,))
    if not any((mnemonic + ".").startswith(base + ".") for base in names):
        yield f"name {name}"
        return
    if count and result != "none" and not result.startswith("U"):
        groups = result.split("+")
        size = count // len(groups)
        outside = [r for r in written if not any(int(first[1:]) <= r < int(first[1:]) + size for first in groups)]
    else:
        outside = written
    if outside and name not in ("CALL.REL", "CALL.ABS"):
        yield f"results {result}..{count}, nvdisasm: {written}"
    rest = list(operands)
    kills = int(predicates.rstrip("U"), 16)
    if rest and RESULT.match(rest[0]):
        rest.pop(0)
    for operand in rest[:2]:
        number = re.fullmatch(r"U?P([\dT])", operand)
        if number is None:
            break
        if number[1] != "T" and not kills >> int(number[1]) & 1 and name not in NO_PREDICATE_RESULTS:
            yield f"predicate {operand} is not among {predicates}"
    if name in OPERANDS:
        used = [plain(o) for o in operands if not re.fullmatch(r"!?U?P[\dT]", o)][1:]
        ours = [row[key] for key in OPERANDS[name]]
        ours = ["RZ" if o in ("-RZ",) else o for o in ours]
        used = ["RZ" if o in ("-RZ",) else o for o in used]
        wide_immediate = name in ("MOV", "UMOV") and mnemonic.endswith(".64")
        if used[:len(ours)] != ours and not wide_immediate:
            yield f"operands {ours}"
    if name in MEMORY and row["memory"] != "unknown":
        yield from memory_differences(name, row["memory"], operands)
    if name in BRANCHES:
        target = re.search(r"`\(([^)]+)\)|0x[0-9a-f]+$", operands[-1] if operands else "")
        if target and target[1] and (row["function"], target[1]) in listing.labels:
            if listing.labels[row["function"], target[1]] != int(row["target"], 16):
                yield f"target {row['target']}, nvdisasm {listing.labels[row['function'], target[1]]:x}"


def memory_differences(name, ours, operands):
    addresses = [o for o in operands if "[" in o]
    address = addresses[-1 if name == "LDGSTS" else 0]
    address = re.sub(r"desc\[UR\d+\]", "", address).strip("[]").replace(" ", "")
    base, uniform, offset = re.fullmatch(r"(.*?)\+(none|U?R\d+)\+(-?\d+):\d+", ours).groups()
    parts = [p for p in address.replace("+-", "+~").split("+") if p]
    want_base, want_uniform, want_offset = "RZ", "none", 0
    for part in parts:
        part = part.replace("~", "-")
        if re.match(r"UR\d", part):
            want_uniform = part.replace(".64", "")
        elif part in ("URZ", "RZ", "RZ.64", "RZ.U32"):
            pass
        elif part.startswith("R"):
            want_base = part.replace(".64", "")
        else:
            want_offset = int(part, 0)
    if name == "LDGSTS":
        want_offset = int(offset)
    if (base, uniform, int(offset)) != (want_base, want_uniform, want_offset):
        yield f"address {ours}, nvdisasm {address}"


def dump(tool, path):
    text = subprocess.run([tool, "decode", path], capture_output=True, text=True, check=True).stdout
    names = ("function", "offset", "name", "operation", "result", "count", "predicates", "a", "b", "c", "memory", "target",
             "conditional")
    for line in text.splitlines():
        yield dict(zip(names, line.split("\t")))


def main():
    if nvdisasm() is None:
        print("no nvdisasm")
        sys.exit(77)
    tool, paths = sys.argv[1], sys.argv[2:]
    checked, unknown, bad, unknown_addresses = 0, collections.Counter(), collections.Counter(), collections.Counter()
    for path in paths:
        listing = Listing(path)
        for row in dump(tool, path):
            found = listing.instructions.get((row["function"], int(row["offset"], 16)))
            if found is None:
                continue
            mnemonic, operands, written = found
            if row["name"] == "?":
                unknown[mnemonic] += 1
                continue
            checked += 1
            if row["name"] in MEMORY and row["memory"] == "unknown" and not row["name"].endswith(("L",)):
                unknown_addresses[mnemonic] += 1
            for difference in differences(row, mnemonic, operands, written, listing):
                key = row["name"], difference.split()[0]
                bad[key] += 1
                if bad[key] <= int(os.environ.get("EXAMPLES", "3")):
                    print(f"{os.path.basename(path)} {row['function'][:30]}+{row['offset']}: {mnemonic} "
                          f"{', '.join(operands)}: {difference}")
    print(f"{checked} instructions agree or differ; {sum(bad.values())} differences; {sum(unknown.values())} unknown:",
          dict(unknown.most_common(40)), "unknown addresses:", dict(unknown_addresses))
    sys.exit(1 if bad or checked == 0 else 0)


main()
