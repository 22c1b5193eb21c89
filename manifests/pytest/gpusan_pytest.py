"""A pytest plugin that attributes gpusan's findings to the test that was running.

    gpusan run -- python -m pytest -p gpusan_pytest

If the wheel of gpusan is installed, pytest loads the plugin without `-p`. Otherwise PYTHONPATH must have the folder of this file
(/usr/local/share/gpusan/pytest). In a process without gpusan the plugin does nothing, unless --gpusan-require is given. A test
whose calls cause findings at or above --gpusan-fail-on fails.

    @pytest.mark.gpusan_ignore                    findings of the test's thread are not reported at all
    @pytest.mark.gpusan_ignore("race", "leak")    findings of these checks do not fail the test

Findings of the end of the process, such as leaks, belong to no test: 'gpusan run' reports them.
"""
import contextlib

import pytest

import gpusan
from gpusan import SEVERITIES


class FindingsError(AssertionError):
    """A test caused findings."""


class Plugin:
    """The hooks, for a process with gpusan."""

    def __init__(self, fail_on):
        self.fail_on = fail_on
        self.by_test = {}
        gpusan.take_findings()

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item):
        gpusan.take_findings()  # of imports and fixtures of other tests
        ignored = any(not mark.args for mark in item.iter_markers("gpusan_ignore"))
        with gpusan.ignored() if ignored else contextlib.nullcontext():
            yield

    def attribute(self, item, phase, outcome):
        found = gpusan.take_findings()
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
    if not gpusan.is_present():
        if config.getoption("--gpusan-require"):
            raise pytest.UsageError("--gpusan-require: gpusan is not in this process; start it with 'gpusan run -- python -m pytest'")
        return
    config.pluginmanager.register(Plugin(config.getoption("--gpusan-fail-on")), "gpusan-findings")
