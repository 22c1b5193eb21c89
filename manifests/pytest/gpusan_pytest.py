"""A pytest plugin that attributes gpusan's findings to the test that was running.

    gpusan run -- python -m pytest -p gpusan_pytest

The module must be importable (PYTHONPATH=/usr/local/share/gpusan/pytest). In a process without gpusan the plugin does
nothing, unless --gpusan-require is given. A test whose calls cause findings at or above --gpusan-fail-on fails.

    @pytest.mark.gpusan_ignore                    findings of the test's thread are not reported at all
    @pytest.mark.gpusan_ignore("race", "leak")    findings of these checks do not fail the test

Findings of the end of the process, such as leaks, belong to no test: 'gpusan run' reports them.
"""
import ctypes

import pytest

SEVERITIES = ("note", "warning", "error")


class _Finding(ctypes.Structure):
    """struct gpusan_finding of gpusan.h."""
    _fields_ = [("size", ctypes.c_size_t), ("severity", ctypes.c_int), ("thread", ctypes.c_int32),
                ("check", ctypes.c_char_p), ("call", ctypes.c_char_p), ("what", ctypes.c_char_p), ("why", ctypes.c_char_p),
                ("fix", ctypes.c_char_p)]


_CALLBACK = ctypes.CFUNCTYPE(None, ctypes.POINTER(_Finding), ctypes.c_void_p)


class _Functions(ctypes.Structure):
    """struct gpusan_functions of gpusan.h, as far as it is used here."""
    _fields_ = [("size", ctypes.c_size_t), ("name_object", ctypes.c_void_p), ("order_signal", ctypes.c_void_p),
                ("order_wait", ctypes.c_void_p), ("ignore_begin", ctypes.CFUNCTYPE(None)),
                ("ignore_end", ctypes.CFUNCTYPE(None)), ("check_nothing_live", ctypes.c_void_p),
                ("finding_count", ctypes.c_void_p), ("set_callback", ctypes.c_void_p),
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


def _functions():
    """The functions of gpusan in this process; None without gpusan."""
    try:
        interface = ctypes.CDLL(None).gpusan_interface
    except AttributeError:
        return None
    interface.restype = ctypes.POINTER(_Functions)
    interface.argtypes = [ctypes.c_uint32]
    found = interface(1)
    return found.contents if found and found.contents.size >= ctypes.sizeof(_Functions) else None


class FindingsError(AssertionError):
    """A test caused findings."""


class Plugin:
    """The hooks, for a process with gpusan."""

    def __init__(self, functions, fail_on):
        self.functions, self.fail_on = functions, fail_on
        self.by_test = {}
        self.take()

    def take(self):
        """The findings since the last call."""
        found = []
        callback = _CALLBACK(lambda view, user: found.append(Finding(view.contents)))
        self.functions.take_findings(callback, None)
        return found

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item):
        self.take()  # of imports and fixtures of other tests
        ignored = any(not mark.args for mark in item.iter_markers("gpusan_ignore"))
        if ignored:
            self.functions.ignore_begin()
        yield
        if ignored:
            self.functions.ignore_end()

    def attribute(self, item, phase, outcome):
        found = self.take()
        if not found:
            return
        self.by_test.setdefault(item.nodeid, []).extend(found)
        item.add_report_section(phase, "gpusan", "\n".join(map(str, found)))
        accepted = {check for mark in item.iter_markers("gpusan_ignore") for check in mark.args}
        least = SEVERITIES.index(self.fail_on) if self.fail_on in SEVERITIES else len(SEVERITIES)
        failing = [one for one in found if one.check not in accepted and SEVERITIES.index(one.severity) >= least]
        if failing and outcome.excinfo is None:
            outcome.force_exception(FindingsError("\n".join(map(str, failing))))

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_setup(self, item):
        outcome = yield
        self.attribute(item, "setup", outcome)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_call(self, item):
        outcome = yield
        self.attribute(item, "call", outcome)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_teardown(self, item):
        outcome = yield
        self.attribute(item, "teardown", outcome)

    def pytest_terminal_summary(self, terminalreporter):
        if not self.by_test:
            return
        terminalreporter.section("gpusan")
        for test, found in self.by_test.items():
            checks = ", ".join(sorted({f"{one.severity} {one.check}" for one in found}))
            terminalreporter.write_line(f"{test}: {len(found)} finding{'s' if len(found) > 1 else ''}: {checks}")


def pytest_addoption(parser):
    group = parser.getgroup("gpusan")
    group.addoption("--gpusan-fail-on", choices=(*SEVERITIES, "never"), default="error",
                    help="findings of this severity or above fail the test that caused them (default: error)")
    group.addoption("--gpusan-require", action="store_true", help="fail when the process runs without gpusan")


def pytest_configure(config):
    config.addinivalue_line("markers", "gpusan_ignore(*checks): do not report findings of this test, or not those of these checks")
    functions = _functions()
    if functions is None:
        if config.getoption("--gpusan-require"):
            raise pytest.UsageError("--gpusan-require: gpusan is not in this process; start it with 'gpusan run -- python -m pytest'")
        return
    config.pluginmanager.register(Plugin(functions, config.getoption("--gpusan-fail-on")), "gpusan-findings")
