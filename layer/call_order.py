#!/usr/bin/env python3
"""Writes the linker script that puts the functions of call_order.txt side by side, in front of all others.

usage: call_order.py LIST OUTPUT
"""
import sys


def main(order, output):
    with open(order, encoding="utf-8") as lines:
        names = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    with open(output, "w", encoding="utf-8") as script:
        script.write("SECTIONS {\n  .text.calls : ALIGN(4096) {\n")
        for name in names:
            script.write(f"    *(.text.{name} .text.{name}.*)\n")
        script.write("  }\n}\nINSERT BEFORE .text;\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
