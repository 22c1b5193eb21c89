#!/usr/bin/env python3
"""Compiles the fragments of manifests/docs/checks.md, so that they use the APIs correctly.

usage: examples.py --compiler CXX [--include FOLDER]...

Only syntax and types are checked. Fragments of an API whose headers are missing are skipped; exit code 77 when all are.
"""
import argparse
import pathlib
import re
import subprocess
import sys

PAGE = pathlib.Path(__file__).resolve().parent.parent / "manifests" / "docs" / "checks.md"
# The objects that fragments use and do not declare.
PRELUDES = {
    "cl": """
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <cstdlib>
extern cl_context context;
extern cl_command_queue queue, other_queue;
extern cl_mem buffer, image, other_buffer;
extern cl_kernel kernel;
extern cl_event done;
extern cl_image_format rgba8, rgba_float;
extern cl_image_desc shape;
extern cl_int error;
extern const size_t origin[3], region[3];
extern size_t global_size, size;
extern void *data, *texels, *block;
""",
    "cu": """
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <cstdlib>
#include <vector>
extern CUarray array;
extern CUDA_RESOURCE_DESC resource;
extern CUsurfObject surface;
extern CUdeviceptr memory, in, scratch;
extern CUstream stream, other_stream;
extern CUfunction function;
extern CUmodule module;
extern CUevent uploaded, allocated, begin, end;
extern float milliseconds;
extern size_t size;
extern void *data, *host_data, *device_data, *result, *pinned, *cubin_for_sm_90, *ptx_for_compute_70, *arguments[4];
""",
    "vk": """
#include <vulkan/vulkan.h>
#include <cstring>
extern VkDevice device;
extern VkQueue queue, transfer_queue, graphics_queue;
extern VkSubmitInfo submit, write_buffer, read_buffer;
extern VkFence fence;
extern VkBuffer buffer, upload, middle, result;
extern VkBufferCreateInfo buffer_info;
extern VkImage image;
extern VkDeviceMemory memory;
extern VkCommandBuffer commands, release, acquire;
extern VkCommandBufferBeginInfo begin;
extern VkBufferCopy all;
extern VkBufferImageCopy region;
extern VkWriteDescriptorSet write;
extern uint32_t memory_type, transfer_family, graphics_family;
extern void *mapped, *data;
""",
}


def functions():
    """(api, source) of a function for each fragment."""
    for section in re.split(r"^### ", PAGE.read_text(encoding="utf-8"), flags=re.M)[1:]:
        check = section.split("`")[1]
        code = re.search(r"```cpp\n(.*?)```", section, re.S).group(1)
        fragments = re.split(r"^// (?:bad|good|reported|not reported)\b[^\n]*\n", code, flags=re.M)[1:]
        for number, fragment in enumerate(fragments):
            api = next(prefix for prefix in ("cl", "vk", "cu") if re.search(rf"\b{prefix}(da)?[A-Z]", fragment))
            yield api, f'#line 1 "{check}"\nvoid {check.replace("-", "_")}_{number}() {{\n{fragment}}}\n'


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--include", action="append", default=[])
    options = parser.parse_args()
    command = [options.compiler, "-std=c++20", "-fsyntax-only", "-x", "c++", "-"]
    command += [f"-I{folder}" for folder in options.include if folder]
    fragments = list(functions())
    failed, compiled = False, 0
    for api, prelude in PRELUDES.items():
        if subprocess.run(command, input=prelude, text=True, capture_output=True, check=False).returncode != 0:
            print(f"examples.py: the headers of {api}* are missing; its fragments are skipped")
            continue
        bodies = [body for of, body in fragments if of == api]
        compiled += len(bodies)
        done = subprocess.run(command, input=prelude + "".join(bodies), text=True, capture_output=True, check=False)
        failed |= done.returncode != 0
        sys.stdout.write(done.stderr)
    print(f"{compiled} of {len(fragments)} fragments compiled")
    sys.exit(1 if failed else 77 if compiled == 0 else 0)


if __name__ == "__main__":
    main()
