#!/usr/bin/env python3
"""Writes functions.cc: every function of the driver, which notifies a subscriber of the calls that CUPTI numbers.

usage: generate_functions.py GENERATE META CBIDS NAMES OUTPUT

GENERATE is the generator of the wrappers, which reads the structs of META (the toolkit's generated_cuda_meta.h); CBIDS is
its cupti_driver_cbid.h, NAMES the list of the driver's exports, one a line.
"""
import importlib.util
import re
import sys


def main():
    generate_path, meta, cbids_path, names_path, output = sys.argv[1:]
    spec = importlib.util.spec_from_file_location("generate", generate_path)
    generate = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generate)
    structs = generate.read_structs(meta)
    with open(cbids_path, encoding="utf-8") as source:
        cbids = set(re.findall(r"CUPTI_DRIVER_TRACE_CBID_(cu\w+)", source.read()))
    with open(names_path, encoding="utf-8") as source:
        names = sorted({line.strip() for line in source if line.startswith("cu")} & set(structs))
    lines = ['#include "driver.h"', "", "namespace notifying_driver {", "", "enum Slot {", *(f"  kSlot_{name}," for name in names), "};",
             "", "const char* const kNames[] = {", *(f'    "{name}",' for name in names), "};", "", 'extern "C" {']
    for name in names:
        fields = structs[name][0] if structs[name] else []
        params = f"{name}_params" if fields else "None"
        parameters = ", ".join(f"decltype({params}::{field}) {field}" for field in fields)
        cbid = f"CUPTI_DRIVER_TRACE_CBID_{name}" if name in cbids else "CUPTI_DRIVER_TRACE_CBID_INVALID"
        lines += [f'[[gnu::visibility("default")]] CUresult CUDAAPI notifying_{name}({parameters}) __asm__("{name}");',
                  f"CUresult CUDAAPI notifying_{name}({parameters}) {{",
                  f"  return Notify<{params}>(kSlot_{name}, {cbid}{''.join(', ' + field for field in fields)});", "}"]
    lines += ['}  // extern "C"', "", "void* const kFunctions[] = {",
              *(f"    reinterpret_cast<void*>(&notifying_{name})," for name in names), "};",
              "const int kFunctionCount = sizeof(kFunctions) / sizeof(kFunctions[0]);", "", "}  // namespace notifying_driver", ""]
    with open(output, "w", encoding="utf-8") as file:
        file.write("\n".join(lines))


if __name__ == "__main__":
    main()
