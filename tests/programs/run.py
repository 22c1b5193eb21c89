#!/usr/bin/env python3
"""Runs one program bare and under gpusan, and compares the findings with those that its source expects.

  run.py program --gpusan GPUSAN --attach layer|preload|cuda|cupti|vulkan --source FILE [--fixed | --defect NAME]
                 [--keep DIR] [--fake FOLDER [--orders fifo,eager,late]] PROGRAM
  run.py bare --source FILE [--fixed | --defect NAME] [--fake FOLDER [--orders fifo,eager,late]] PROGRAM
  run.py coverage --rules tracker/rules.def

A source says what it expects in comments. A program without expectations must yield no finding at all, notes included:

  // EXPECT severity rule call [CODE_NAME] [at MARK]   one finding; call '-' where there is none, A|B where the
                                                       driver decides which one it is
  // EXPECT-PARTY role [at MARK]                       of the finding above; also: EXPECT-FACT key=value,
  // EXPECT-TEXT regex                                 EXPECT-FACT key~regex, EXPECT-COUNT n or any (1 if not said)
  // MAY rule ...                                      what may follow as well, by what the device makes of the defect
  // EXIT code|any                                     any: the defect may kill the program, or leave it in doubt
  // OPTION --name=value                               an option of gpusan that the case is about
  // DEFECT-OPTION --name=value                        the same, for the build with the defect alone
  // @MARK                                             names the statement that follows

A source with a defect is built twice: with DEFECT defined, and without it, which fixes the defect. --fixed says that the
program is the second build. Only OPTION lines apply to it: it must yield no finding, and it must succeed.

A source can have several defects, with names (// Defect NAME: text). It is built once for each defect, with DEFECT and
DEFECT_NAME defined, and once without them. What stands between a line // Defect NAME: and the next one, or the line
// Fix:, applies to the build with this defect alone, which --defect names.

Without EXIT, the exit code must be the bare run's own, or 66 where that is 0 and an error is expected. A program that
ends with 77 cannot run on this machine, and so does the runner.

The environment variable GPUSAN_TEST_PREFIX names an installed prefix: its command runs instead of --gpusan.

CUDA programs take the driver that the loader finds, or the fake one in the folder given. They run once for each of the
orders in which it may run what nothing orders: findings must be the same in all.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

TIMEOUT_S = 50
FINDINGS_EXIT = 66
SKIP_EXIT = 77


class Expectation:
    def __init__(self, line, severity, rule, call, code, mark):
        self.line, self.severity, self.rule, self.call = line, severity, rule, call
        self.code, self.mark = code, mark
        self.parties, self.facts, self.texts, self.count = [], [], [], 1

    def __str__(self):
        at = f" at {self.mark}" if self.mark else ""
        return f"line {self.line}: {self.severity} {self.rule} {self.call} {self.code or ''}{at}"


class Source:
    """The expectations and marks of one source file, for the build with the defect or for the fixed one. `defect`: the name of
    the defect, if the source names its defects; None: all of them."""

    def __init__(self, path, fixed=False, defect=None):
        self.path, self.fixed, self.defect = pathlib.Path(path), fixed, defect
        self.expectations, self.marks, self.exit, self.options, self.may = [], {}, None, [], set()
        pending, open_marks, applies = [], [], True
        for number, line in enumerate(self.path.read_text().splitlines(), 1):
            part = re.match(r"// (?:Defect (\w+)|Fix):", line)
            if part:
                applies = None in (part[1], defect) or part[1] == defect
            mark = re.match(r"\s*// @(\w+)$", line)
            if mark:
                pending.append(mark[1])
                continue
            if pending:  # the statement begins here
                for name in pending:
                    self.marks[name] = set()
                open_marks, pending = pending, []
            for name in open_marks:
                self.marks[name].add(number)
            if re.search(r"[;{]\s*(//.*)?$", line):
                open_marks = []
            if applies:
                self._read_directive(number, line)

    def _read_directive(self, number, line):
        directive = re.match(r"// (EXPECT|EXPECT-\w+|EXIT|MAY|OPTION|DEFECT-OPTION) (.*\S)", line)
        if not directive:
            return
        kind, rest = directive.groups()
        if self.fixed and kind != "OPTION":
            return
        if kind == "EXPECT":
            fields = re.fullmatch(r"(\w+) ([\w-]+) (\S+?)(?: (CL_\w+|CUDA_\w+|cuda\w+|VK_\w+|none))?(?: at (\w+))?", rest)
            if not fields:
                raise SystemExit(f"{self.path}:{number}: not an expectation: {rest}")
            self.expectations.append(Expectation(number, *fields.groups()))
        elif kind == "EXIT":
            self.exit = rest if rest == "any" else int(rest)
        elif kind in ("OPTION", "DEFECT-OPTION"):
            self.options.append(rest)
        elif kind == "MAY":
            self.may.update(rest.split())
        elif not self.expectations:
            raise SystemExit(f"{self.path}:{number}: {kind} belongs to no EXPECT")
        elif kind == "EXPECT-PARTY":
            role, _, mark = rest.partition(" at ")
            self.expectations[-1].parties.append((role, mark))
        elif kind == "EXPECT-FACT":
            key, sign, value = re.fullmatch(r"(\w+)([=~])(.*)", rest).groups()
            self.expectations[-1].facts.append((key, sign, value))
        elif kind == "EXPECT-TEXT":
            self.expectations[-1].texts.append(rest)
        elif kind == "EXPECT-COUNT":
            self.expectations[-1].count = None if rest == "any" else int(rest)
        else:
            raise SystemExit(f"{self.path}:{number}: unknown {kind}")

    def lines(self, mark):
        if mark not in self.marks:
            raise SystemExit(f"{self.path}: no statement is marked @{mark}")
        return self.marks[mark]


def defects_of(path):
    """The names of the defects of a source; empty: it has one defect without a name."""
    return re.findall(r"^// Defect (\w+):", pathlib.Path(path).read_text(), re.MULTILINE)


def source_of(folder, case):
    """(source, name of the defect or None) of the build `case` of a check."""
    for source in sorted(folder.glob("**/*.c*")):
        if case == source.stem:
            return source, None
        if case.startswith(source.stem + "_") and case[len(source.stem) + 1:] in defects_of(source):
            return source, case[len(source.stem) + 1:]
    raise SystemExit(f"{folder} has no source of {case}")


class Record:
    """What gpusan wrote about one process."""

    def __init__(self, path):
        self.path, self.modules, self.findings, self.process, self.end = path, {}, [], None, None
        for line in path.read_text().splitlines():
            record = json.loads(line)
            kind = record["type"]
            if kind == "module":
                self.modules[record["id"]] = record["path"]
            elif kind == "finding":
                if record.get("refresh"):
                    self.findings = [one for one in self.findings if one["fingerprint"] != record["fingerprint"]]
                self.findings.append(record)
            elif kind == "process":
                self.process = record
            elif kind == "end":
                self.end = record

    def place(self, site):
        """(file name, line) of the program's own frame of a site; the loader's frames are not the program's."""
        for module, offset, *rest in site or []:
            if rest:
                continue  # a function of no loaded file
            path = self.modules.get(module, "")
            name = os.path.basename(path)
            if name.startswith(("libOpenCL.so", "libgpusan.so", "libcuda.so", "libcudart.so", "libvulkan.so", "libVkLayer")):
                continue
            out = subprocess.run(["addr2line", "-i", "-e", path, hex(offset - 1)], capture_output=True, text=True)
            lines = [where.split(" ")[0].strip() for where in out.stdout.splitlines()]
            # The innermost function, unless it is one of gpusan.h.
            where = next((one for one in lines if "/gpusan.h:" not in one), "")
            file, _, line = where.rpartition(":")
            return (os.path.basename(file) or name, int(line) if line.isdigit() else 0)
        return ("", 0)


def differences(source, expected, record, finding):
    """What keeps `finding` from being `expected`, in words; empty if it is."""
    found = []

    def compare(what, wanted, got):
        if wanted != got:
            found.append(f"{what} is {got!r}, not {wanted!r}")

    def compare_place(what, mark, site):
        file, line = record.place(site)
        if file != source.path.name or line not in source.lines(mark):
            found.append(f"{what} is {file}:{line}, not line {sorted(source.lines(mark))} (@{mark})")

    compare("rule", expected.rule, finding["rule"])
    compare("severity", expected.severity, finding["severity"])
    if finding.get("call", "") not in ("" if call == "-" else call for call in expected.call.split("|")):
        found.append(f"call is {finding.get('call', '')!r}, not {expected.call!r}")
    if expected.code:
        compare("code", "" if expected.code == "none" else expected.code, finding.get("code_name", ""))
    if expected.mark:
        compare_place("site", expected.mark, finding.get("site"))
    parties = list(finding.get("parties", []))
    for role, mark in expected.parties:
        candidates = [party for party in parties if party["role"] == role]
        good = [party for party in candidates
                if not mark or (record.place(party.get("site"))[0] == source.path.name
                                and record.place(party.get("site"))[1] in source.lines(mark))]
        if good:
            parties.remove(good[0])
        elif candidates:
            for party in candidates:
                compare_place(f"party {role}", mark, party.get("site"))
        else:
            found.append(f"no party {role}; there are {[party['role'] for party in parties]}")
    facts = finding.get("facts", {})
    for key, sign, value in expected.facts:
        got = str(facts[key]) if key in facts else None
        if got is None or (got != value if sign == "=" else not re.search(value, got)):
            found.append(f"fact {key} is {got}, not {sign}{value}; facts {facts}")
    text = " ".join(finding.get(key, "") for key in ("what", "why", "fix"))
    for pattern in expected.texts:
        if not re.search(pattern, text):
            found.append(f"the text has no match of {pattern!r}")
    for key in ("what", "why", "fix"):
        if not finding.get(key):
            found.append(f"'{key}' is empty")
        for left in re.findall(r"\{[a-z_]+\}", finding.get(key, "")):
            found.append(f"'{key}' has {left}, for which the hook passed no value")
    counts = (record.end or {}).get("findings", {})
    if record.end and expected.count is not None and counts.get(finding.get("fingerprint"), 1) != expected.count:
        found.append(f"it came {counts[finding['fingerprint']]} times, not {expected.count}")
    return found


def describe(record, finding):
    file, line = record.place(finding.get("site"))
    parties = "".join("\n      {}: {} at {}:{}".format(party["role"], party.get("text", ""),
                                                     *record.place(party.get("site")))
                      for party in finding.get("parties", []))
    return (f"{finding['severity']} {finding['rule']} {finding.get('call', '')} {finding.get('code_name', '')} at "
            f"{file}:{line}\n      what: {finding.get('what')}\n      why: {finding.get('why')}\n      fix: "
            f"{finding.get('fix')}\n      facts: {finding.get('facts')}{parties}")


def judge(source, records):
    """Every difference between the findings in `records` and the expectations of `source`, in words."""
    wrong = []
    left = [(record, finding) for record in records for finding in record.findings]
    for expected in source.expectations:
        ranked = sorted(((differences(source, expected, record, finding), index)
                         for index, (record, finding) in enumerate(left)), key=lambda entry: len(entry[0]))
        same_rule = [(why, index) for why, index in ranked if left[index][1]["rule"] == expected.rule]
        if ranked and not ranked[0][0]:
            left.pop(ranked[0][1])
        elif same_rule:
            why, index = same_rule[0]
            wrong.append(f"{expected}\n    " + "\n    ".join(why) + "\n    in " + describe(*left.pop(index)))
        else:
            wrong.append(f"{expected}\n    is missing")
    wrong += ["not expected: " + describe(record, finding) for record, finding in left
              if finding["rule"] not in source.may]
    return wrong


def run(command, environment, folder):
    """Output and exit code; a hang is killed and answers None for the code."""
    try:
        done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, timeout=TIMEOUT_S,
                              stdin=subprocess.DEVNULL)
        return done.stdout, done.stderr, done.returncode
    except subprocess.TimeoutExpired as timeout:
        return timeout.stdout or b"", timeout.stderr or b"", None


def report_differences(gpusan, folder, records, source):
    """Where `gpusan report`, which has a symboliser of its own, names another place for a finding."""
    def place(record, finding):
        file, line = record.place(finding.get("site"))
        return f"{file}:{line}" if file else "unknown"

    wanted = sorted("{} {} {} {}".format(finding["severity"], finding["rule"], finding.get("call") or "-",
                                         place(record, finding))
                    for record in records for finding in record.findings)
    report = subprocess.run([gpusan, "report", folder], capture_output=True, text=True, timeout=TIMEOUT_S)
    # Code that a runtime made while the program ran belongs to no file.
    got = sorted(re.sub(r" (0x[0-9a-f]+|Program:\S+)$", " unknown", summary)
                 for summary in re.findall(r"^SUMMARY: gpusan: (.*)$", report.stdout, re.MULTILINE))
    # binutils name the source for a line of a header, if the function was not inlined.
    got, wanted = (sorted(re.sub(r" \S+\.h(:\d+)$", rf" {source.path.name}\1", one) for one in places) for places in (got, wanted))
    return [] if got == wanted else [f"'gpusan report' says {got}, the records say {wanted}\n{report.stderr}"]


def clean_environment(options, order):
    """The environment of a bare run: no gpusan, and the fake driver where one was given."""
    environment = {key: value for key, value in os.environ.items()
                   if key not in ("GPUSAN_OPTIONS", "OPENCL_LAYERS", "LD_PRELOAD")}
    if options.fake:
        folders = [os.path.abspath(options.fake), environment.get("LD_LIBRARY_PATH")]
        environment["LD_LIBRARY_PATH"] = ":".join(folder for folder in folders if folder)
        environment["GPUSAN_FAKE_CUDA_ORDER"] = order
    return environment


def print_differences(options, order, attach, wrong, err):
    print(f"{options.source} {options.defect or ''} {attach}" + (f" in order {order}:" if options.fake else ":"))
    for line in wrong:
        print("  " + line)
    print("-- stderr\n" + err.decode(errors="replace"))


def run_bare(options, order):
    """A program must do without gpusan what it must do with it: work, however wrong it is."""
    source = Source(options.source, options.fixed, options.defect)
    with tempfile.TemporaryDirectory(prefix="gpusan-program-") as folder:
        _, err, code = run([os.path.abspath(options.program)], clean_environment(options, order), folder)
    wanted = source.exit if source.exit is not None else 0
    if code == SKIP_EXIT or wanted == "any" or code == wanted:
        return SKIP_EXIT if code == SKIP_EXIT else 0
    print_differences(options, order, "bare", [f"the exit code is {code}, not {wanted}"], err)
    return 1


def run_program(options, order):
    source = Source(options.source, options.fixed, options.defect)
    environment = clean_environment(options, order)
    program, options.gpusan = os.path.abspath(options.program), os.path.abspath(options.gpusan)
    api = {"cuda": "cuda", "cupti": "cuda", "vulkan": "vulkan"}.get(options.attach, "opencl")
    attach = {"cuda": "--cuda-attach=preload", "cupti": "--cuda-attach=cupti",
            "vulkan": "--vulkan-attach=layer"}.get(options.attach, f"--opencl-attach={options.attach}")
    wrong = []
    with tempfile.TemporaryDirectory(prefix="gpusan-program-") as folder:
        bare_out, bare_err, bare_code = run([program], environment, folder)
        if bare_code == SKIP_EXIT:
            return SKIP_EXIT
        if source.exit != "any" and (bare_code is None or bare_code < 0):
            wrong.append(f"the bare run ends with {bare_code}: {bare_err.decode(errors='replace')}")
        output = options.keep or os.path.join(folder, "records")
        out, err, code = run([options.gpusan, "run", f"--output={output}", "--fail-on=error", attach, *source.options,
                              "--", program], environment, folder)
        records = [Record(path) for path in sorted(pathlib.Path(output).glob("**/*.jsonl"))] \
            if os.path.isdir(output) else []
        wrong += judge(source, records)
        if records:
            wrong += report_differences(options.gpusan, output, records, source)
        else:
            wrong.append("gpusan wrote no record")
        if source.exit == "any":
            if code is None:
                wrong.append("the program hangs under gpusan")
        else:
            errors = any(expected.severity == "error" for expected in source.expectations)
            wanted = source.exit if source.exit is not None else bare_code or (FINDINGS_EXIT if errors else 0)
            if code != wanted:
                wrong.append(f"the exit code is {code}, not {wanted}")
            if out != bare_out:
                wrong.append(f"the program printed {out!r}, bare {bare_out!r}")
            wrong += [f"{record.path.name} has no end" for record in records if not record.end]
            if not any(record.end and record.end.get("calls", {}).get(api) for record in records):
                wrong.append(f"gpusan saw no call of {api}")
    if wrong:
        print_differences(options, order, f"by the attach path {options.attach}", wrong, err)
        return 1
    return 0


def in_all_orders(act):
    """The act for each order; the first that is not 0 decides."""
    def run_all(options):
        orders = options.orders.split(",") if options.fake else [""]
        return next((code for code in (act(options, order) for order in orders) if code), 0)
    return run_all


def run_coverage(options):
    folder = pathlib.Path(__file__).parent
    ids = re.findall(r'^GPUSAN_RULE\(\w+,\s*"([\w-]+)"', pathlib.Path(options.rules).read_text(), re.MULTILINE)
    wrong = [] if ids else [f"{options.rules} lists no check"]
    defect = re.compile(r"^#(?:ifn?def |if !?|elif defined\()DEFECT(?:_(\w+))?\)?$", re.MULTILINE)
    for rule in ids:
        if not list((folder / rule).glob("**/*.c*")):
            wrong.append(f"{rule} has no program")
    for path in sorted([*folder.glob("*/*.c*"), *folder.glob("*/*/*.c*")]):
        check, text = path.relative_to(folder).parts[0], path.read_text()
        if check == "common":
            continue
        if check == "correct":
            if defect.search(text) or Source(path).expectations:
                wrong.append(f"{path} is correct, and has a defect or expects a finding")
            continue
        if check not in ids:
            wrong.append(f"{path} belongs to no check of {options.rules}")
        names = defects_of(path)
        for name in names or [None]:
            if not any(e.rule == check for e in Source(path, defect=name).expectations):
                wrong.append(f"{path} does not expect {check}" + (f" of the defect {name}" if name else ""))
        if not re.match(r"// Defect(?: \w+)?: (?s:.*?)\n// Fix: ", text):
            wrong.append(f"{path} does not begin with its defect and its fix")
        if set(defect.findall(text)) - {""} != set(names):
            wrong.append(f"{path} has other defects in '#ifdef DEFECT_NAME' than in '// Defect NAME:'")
        if not defect.search(text):
            wrong.append(f"{path} has no '#ifdef DEFECT'")
    print("\n".join(wrong) if wrong else f"{len(ids)} checks have programs with and without the defect")
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    program = commands.add_parser("program")
    program.add_argument("--gpusan", required=True)
    program.add_argument("--attach", required=True, choices=["layer", "preload", "cuda", "cupti", "vulkan"])
    program.add_argument("--keep", help="folder for the records, instead of a temporary one")
    program.set_defaults(act=in_all_orders(run_program))
    bare = commands.add_parser("bare")
    bare.set_defaults(act=in_all_orders(run_bare))
    for command in (program, bare):
        command.add_argument("--source", required=True)
        build = command.add_mutually_exclusive_group()
        build.add_argument("--fixed", action="store_true", help="the program is built without DEFECT")
        build.add_argument("--defect", help="the program is built with DEFECT_NAME", metavar="NAME")
        command.add_argument("--fake", help="folder of the fake CUDA driver")
        command.add_argument("--orders", default="fifo,eager,late", help="orders of the fake driver")
        command.add_argument("program")
    coverage = commands.add_parser("coverage")
    coverage.add_argument("--rules", required=True)
    coverage.set_defaults(act=run_coverage)
    options = parser.parse_args()
    prefix = os.environ.get("GPUSAN_TEST_PREFIX")
    if prefix and hasattr(options, "gpusan"):
        options.gpusan = os.path.join(prefix, "bin", "gpusan")
    sys.exit(options.act(options))


if __name__ == "__main__":
    main()
