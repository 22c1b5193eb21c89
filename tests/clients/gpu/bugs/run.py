#!/usr/bin/env python3
"""Runs programs with everyday stream bugs of PyTorch and CuPy under gpusan, with the bug and without it. Needs a GPU.

usage: run.py --gpusan COMMAND [--only NAME] [--keep FOLDER]

Each script beside this file has one bug, which the argument `defect` switches on. Its comments say what must be found:

    # EXPECT race     a finding of this check with the bug
    # MISSED why      gpusan does not find the bug yet: no finding is expected with it
    # OPTION --flag   a flag of `gpusan run` for both runs

Without the bug there must be no finding. Exit code 1 if something differs.
"""
import argparse
import pathlib
import re
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from run import findings, run  # pylint: disable=wrong-import-position


def once(script, defect, options, flags, scratch):
    records = f"{options.keep or scratch}/{script.stem}.{'bad' if defect else 'good'}"
    command = [options.gpusan, "run", *flags, "--output", records, "--fail-on=never", "--", sys.executable, str(script)]
    code, _, errors, seconds = run([*command, "defect"] if defect else command)
    return code, errors, seconds, findings(options.gpusan, records)[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gpusan", required=True)
    parser.add_argument("--only", default="")
    parser.add_argument("--keep")
    options = parser.parse_args()
    good = True
    for script in sorted(HERE.glob("*.py")):
        if script.name == "run.py" or options.only not in script.name:
            continue
        text = script.read_text()
        expected = re.findall(r"^# EXPECT (\S+)", text, re.M)
        missed = re.findall(r"^# MISSED (.+)", text, re.M)
        flags = re.findall(r"^# OPTION (\S+)", text, re.M)
        with tempfile.TemporaryDirectory() as scratch:
            code, errors, _, found = once(script, False, options, flags, scratch)
            if "ModuleNotFoundError" in errors:
                print(f"{script.stem:36} not installed", flush=True)
                continue
            if code == 77:
                print(f"{script.stem:36} needs more GPUs", flush=True)
                continue
            wrong = [f"without the bug: {one}" for one in found]
            if code != 0:
                wrong.append(f"without the bug: exit {code} {errors[-600:]}")
            code, errors, seconds, found = once(script, True, options, flags, scratch)
            if code != 0:
                wrong.append(f"with the bug: exit {code} {errors[-600:]}")
            rules = [one.split()[1] for one in found]
            if missed:
                wrong += [f"said to be missed: {one}" for one in found]
            else:
                wrong += [f"with the bug: no {rule}" for rule in expected if rule not in rules]
                wrong += [f"with the bug: {one}" for one in found if one.split()[1] not in expected]
        state = "WRONG" if wrong else "missed" if missed else "found"
        print("\n    ".join([f"{script.stem:36} {state:6} {seconds:5.1f} s", *wrong]), flush=True)
        good = good and not wrong
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
