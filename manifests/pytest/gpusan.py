"""The functions of gpusan.h for Python: a program controls gpusan and reads its findings.

    import gpusan
    gpusan.name_object(gpusan.OPENCL, buffer.int_ptr, "weights")
    with gpusan.ignored():
        ...

The functions work if gpusan is in the process, as under 'gpusan run'. In other processes they do nothing. All functions are
thread-safe.
"""
import contextlib
import ctypes

OPENCL, CUDA, VULKAN = 1, 2, 3
SEVERITIES = ("note", "warning", "error")


class _Finding(ctypes.Structure):
    """struct gpusan_finding of gpusan.h."""
    _fields_ = [("size", ctypes.c_size_t), ("severity", ctypes.c_int), ("thread", ctypes.c_int32),
                ("check", ctypes.c_char_p), ("call", ctypes.c_char_p), ("what", ctypes.c_char_p), ("why", ctypes.c_char_p),
                ("fix", ctypes.c_char_p)]


_CALLBACK = ctypes.CFUNCTYPE(None, ctypes.POINTER(_Finding), ctypes.c_void_p)
_ORDER = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_uint64, ctypes.c_void_p)


class _Functions(ctypes.Structure):
    """struct gpusan_functions of gpusan.h, as far as it is used here."""
    _fields_ = [("size", ctypes.c_size_t),
                ("name_object", ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_uint64, ctypes.c_char_p)),
                ("order_signal", _ORDER), ("order_wait", _ORDER),
                ("ignore_begin", ctypes.CFUNCTYPE(None)), ("ignore_end", ctypes.CFUNCTYPE(None)),
                ("check_nothing_live", ctypes.CFUNCTYPE(ctypes.c_uint64)),
                ("finding_count", ctypes.CFUNCTYPE(ctypes.c_uint64)), ("set_callback", ctypes.c_void_p),
                ("take_findings", ctypes.CFUNCTYPE(ctypes.c_uint64, _CALLBACK, ctypes.c_void_p))]


class Finding:
    """A finding as text."""

    def __init__(self, view):
        self.severity = SEVERITIES[view.severity]
        self.check, self.call, self.what, self.why, self.fix = (
            text.decode(errors="replace") for text in (view.check, view.call, view.what, view.why, view.fix))

    def __str__(self):
        call = f" in {self.call}" if self.call else ""
        return f"gpusan: {self.severity}: {self.check}{call}\n  what: {self.what}\n  why: {self.why}\n  fix: {self.fix}"


def _find():
    try:
        interface = ctypes.CDLL(None).gpusan_interface
    except AttributeError:
        return None
    interface.restype = ctypes.POINTER(_Functions)
    interface.argtypes = [ctypes.c_uint32]
    found = interface(1)
    return found.contents if found and found.contents.size >= ctypes.sizeof(_Functions) else None


_functions = _find()


def is_present():
    """Returns whether gpusan is in the process."""
    return _functions is not None


def name_object(api, handle, name):
    """Gives an object a name, which findings show. `api` is OPENCL, CUDA or VULKAN, `handle` an integer."""
    if _functions is not None:
        _functions.name_object(api, handle, name.encode())


def order_signal(api, queue, tag):
    """Marks the point after all commands that the queue has now. `queue` and `tag` are integers."""
    if _functions is not None:
        _functions.order_signal(api, queue, tag)


def order_wait(api, queue, tag):
    """Orders all later commands of the queue (0: of the process) after the point that order_signal marked with the tag."""
    if _functions is not None:
        _functions.order_wait(api, queue, tag)


@contextlib.contextmanager
def ignored():
    """A region in which gpusan does not report findings about calls of this thread. Regions may be nested."""
    if _functions is not None:
        _functions.ignore_begin()
    try:
        yield
    finally:
        if _functions is not None:
            _functions.ignore_end()


def check_nothing_live():
    """Reports everything that is still allocated as a leak. Returns the number of findings."""
    return _functions.check_nothing_live() if _functions is not None else 0


def finding_count():
    """Returns the number of findings of this process so far, with repetitions."""
    return _functions.finding_count() if _functions is not None else 0


def take_findings():
    """Returns the findings since the last call. The first call returns none: gpusan keeps findings from then on."""
    found = []
    if _functions is not None:
        callback = _CALLBACK(lambda view, user: found.append(Finding(view.contents)))
        _functions.take_findings(callback, None)
    return found
