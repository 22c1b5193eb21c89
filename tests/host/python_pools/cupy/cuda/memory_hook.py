"""Hooks of a thread. With PROGRAM_CUPY=unknown they are where no version of CuPy has them."""
import collections
import os
import threading

_local = threading.local()
_new = dict if os.environ.get("PROGRAM_CUPY") == "unknown" else None


def get_memory_hooks():
    hooks = getattr(_local, "hooks", None)
    if hooks is None:
        hooks = _local.hooks = _new() if _new is not None else collections.OrderedDict()
    return hooks


class MemoryHook:
    name = "MemoryHook"

    def malloc_preprocess(self, **block):
        pass

    def malloc_postprocess(self, **block):
        pass

    def free_preprocess(self, **block):
        pass

    def free_postprocess(self, **block):
        pass
