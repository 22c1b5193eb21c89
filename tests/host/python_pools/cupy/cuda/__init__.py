"""The pool: sizes are rounded up to 512 bytes."""
import driver
from cupy.cuda import memory_hook

_segments = driver.Segments(512)
_sizes = {}


def malloc(size):
    rounded = (size + 511) & ~511
    hooks = list(memory_hook.get_memory_hooks().values())
    for hook in hooks:
        hook.malloc_preprocess(device_id=0, size=size, mem_size=rounded)
    address = _segments.malloc(rounded)
    _sizes[address] = rounded
    for hook in hooks:
        hook.malloc_postprocess(device_id=0, size=size, mem_size=rounded, mem_ptr=address, pmem_id=1)
    return address


def free(address):
    size = _sizes.pop(address)
    hooks = list(memory_hook.get_memory_hooks().values())
    for hook in hooks:
        hook.free_preprocess(device_id=0, mem_size=size, mem_ptr=address, pmem_id=1)
    _segments.give_back(address)
    for hook in hooks:
        hook.free_postprocess(device_id=0, mem_size=size, mem_ptr=address, pmem_id=1)
