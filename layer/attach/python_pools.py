"""Reports the blocks of the memory pools of CuPy and RMM to gpusan.

The library runs this text as the module _gpusan in the interpreter of a program, with three functions of its own in it:
allocated(framework, address, bytes), freed(framework, address, bytes) and problem(text). Nothing here raises into the
program, and nothing changes what the program computes.
"""
import sys
import threading

CUPY, RMM = 0, 1


def watch_cupy(module):
    """cupy.cuda.memory_hook: each thread has its own hooks, in an OrderedDict that it makes at its first look-up."""

    class Hook(module.MemoryHook):
        name = "gpusan"

        def malloc_postprocess(self, **block):
            allocated(CUPY, block.get("mem_ptr", 0), block.get("mem_size", 0))

        def free_preprocess(self, **block):
            freed(CUPY, block.get("mem_ptr", 0), block.get("mem_size", 0))

    hook = Hook()
    module.get_memory_hooks()[hook.name] = hook
    made = module.collections

    class Collections:
        def __getattr__(self, name):
            return getattr(made, name)

        @staticmethod
        def OrderedDict():
            return made.OrderedDict({hook.name: hook})

    module.collections = Collections()
    found = []
    thread = threading.Thread(target=lambda: found.append(hook.name in module.get_memory_hooks()))
    thread.start()
    thread.join()
    if found != [True]:
        module.collections = made
        problem("this version of CuPy is not known: only the blocks of the thread that imported it are checked")


def watch_rmm(module):
    """The module of RMM's memory resources: a pool that becomes the resource of a device gets a wrapper."""
    kinds = ("ArenaMemoryResource", "BinningMemoryResource", "FixedSizeMemoryResource", "PoolMemoryResource")
    pools = tuple(getattr(module, kind) for kind in kinds if hasattr(module, kind))
    get_current, get_of_device = module.get_current_device_resource, module.get_per_device_resource
    set_current, set_of_device = module.set_current_device_resource, module.set_per_device_resource
    initialize = module._initialize

    class Watched(module.CallbackMemoryResource):
        """Passes everything on to the pool, which programs get where they ask for the resource."""

        def __init__(self, pool):
            def allocate(size, stream):
                address = pool.allocate(size, stream)
                allocated(RMM, address, size)
                return address

            def deallocate(address, size, stream):
                freed(RMM, address, size)
                pool.deallocate(address, size, stream)

            super().__init__(allocate, deallocate)
            self.pool = pool

    def is_pool(resource):
        while resource is not None:
            if isinstance(resource, pools):
                return True
            resource = resource.get_upstream() if hasattr(resource, "get_upstream") else None
        return False

    def watched(resource):
        try:
            return Watched(resource) if is_pool(resource) else resource
        except Exception as error:  # pylint: disable=broad-except
            problem("this version of RMM is not known: its blocks are not checked (%s)" % error)
            return resource

    def bare(resource):
        return resource.pool if isinstance(resource, Watched) else resource

    def _initialize(*arguments, **names):
        initialize(*arguments, **names)
        devices = names.get("devices", arguments[4] if len(arguments) > 4 else 0)
        for device in [devices] if isinstance(devices, int) else devices or [0]:
            set_of_device(device, watched(get_of_device(device)))

    module._initialize = _initialize
    module.get_current_device_resource = lambda: bare(get_current())
    module.get_per_device_resource = lambda device: bare(get_of_device(device))
    module.set_current_device_resource = lambda mr: set_current(watched(mr))
    module.set_per_device_resource = lambda device, mr: set_of_device(device, watched(mr))


WATCHED = {
    "cupy.cuda.memory_hook": ("CuPy", watch_cupy),
    "rmm.pylibrmm.memory_resource._memory_resource": ("RMM", watch_rmm),
    "rmm.pylibrmm.memory_resource": ("RMM", watch_rmm),
    "rmm._lib.memory_resource": ("RMM", watch_rmm),
}


def watch(name, module):
    framework, act = WATCHED[name]
    # A package of this name holds the module in the versions that have one.
    if framework == "RMM" and hasattr(module, "__path__"):
        return
    try:
        act(module)
    except Exception as error:  # pylint: disable=broad-except
        problem("this version of %s is not known: its blocks are not checked (%s: %s)"
                % (framework, type(error).__name__, error))


class Finder:
    """Finds the modules as the other finders do, and runs `watch` behind their code."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name not in WATCHED:
            return None
        for finder in sys.meta_path:
            find = getattr(finder, "find_spec", None) if finder is not Finder else None
            spec = find(name, path, target) if find is not None else None
            if spec is not None:
                break
        else:
            return None
        execute = getattr(spec.loader, "exec_module", None)

        def exec_module(module):
            execute(module)
            watch(name, module)

        if execute is not None:
            try:
                spec.loader.exec_module = exec_module
            except AttributeError:
                problem("the importer of %s is not known: its blocks are not checked" % name)
        return spec


for known in [name for name in WATCHED if name in sys.modules]:
    watch(known, sys.modules[known])
sys.meta_path.insert(0, Finder)
