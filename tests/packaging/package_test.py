#!/usr/bin/env python3
"""Checks the packages that the build makes: package_test.py BUILD deb|rpm|wheel

deb: lintian finds no error. rpm: rpm unpacks it. wheel: pip installs it into an empty environment, with the Python module and
the plugin for pytest. Each has the command and the library, and the unpacked command prints its version.
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
build, kind = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def needs(*tools):
    for tool in tools:
        if shutil.which(tool) is None:
            print(f"skipped: {tool} is not installed")
            sys.exit(SKIPPED)


def check(prefix):
    if not run(prefix / "bin/gpusan", "--version").startswith("gpusan "):
        sys.exit("the unpacked command prints no version")
    if not (prefix / "lib/gpusan/libgpusan.so").resolve().is_file():
        sys.exit("the package has no library")


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    if kind == "deb":
        needs("cpack", "dpkg-deb", "lintian")
        run("cpack", "-G", "DEB", "-B", folder, cwd=build)
        package = next(folder.glob("*.deb"))
        found = subprocess.run(["lintian", "--fail-on", "error", package], capture_output=True, text=True)
        if found.returncode != 0:
            sys.exit(found.stdout + found.stderr)
        run("dpkg-deb", "-x", package, folder / "root")
        text = (folder / "root/usr/share/doc/gpusan/copyright").read_text(encoding="utf-8")
        if "has chosen no licence" not in text:
            sys.exit("the copyright file does not say that no licence was chosen")
        for manifest in (folder / "root/usr/share/vulkan/explicit_layer.d").glob("*.json"):
            if json.loads(manifest.read_text(encoding="utf-8"))["layer"]["url"] != "file:///usr/share/doc/gpusan/checks.md":
                sys.exit(f"{manifest.name} does not lead to the page of the package")
        check(folder / "root/usr")
    elif kind == "rpm":
        needs("cpack", "rpm", "rpmbuild", "rpm2cpio", "cpio")
        run("cpack", "-G", "RPM", "-B", folder, cwd=build)
        package = next(folder.glob("*.rpm"))
        requires = run("rpm", "-qp", "--requires", package).splitlines()
        if [line for line in requires if not line.startswith(("rpmlib(", "glibc >= "))]:
            sys.exit(f"the package requires {requires}")
        (folder / "root").mkdir()
        run("sh", "-c", f"rpm2cpio {package} | cpio -id --quiet", cwd=folder / "root")
        check(folder / "root/usr")
    else:
        script = pathlib.Path(__file__).resolve().parents[2] / "manifests" / "packaging" / "wheel.py"
        wheel = run(sys.executable, script, build, *sys.argv[3:]).strip().splitlines()[-1]
        content = pathlib.Path(wheel).read_bytes()
        run(sys.executable, script, build, *sys.argv[3:])
        if pathlib.Path(wheel).read_bytes() != content:
            sys.exit("two wheels of one build differ")
        environment = folder / "environment"
        run(sys.executable, "-m", "venv", environment)
        run(environment / "bin/python", "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", wheel)
        check(environment)
        run(environment / "bin/python", "-c", "import gpusan; assert not gpusan.is_present() and gpusan.finding_count() == 0")
        if "gpusan_pytest = gpusan_pytest" not in next(environment.rglob("gpusan-*/entry_points.txt")).read_text(encoding="utf-8"):
            sys.exit("pytest does not find the plugin")
        run(environment / "bin/python", "-m", "pip", "uninstall", "--yes", "gpusan")
        if (environment / "bin/gpusan").exists() or (environment / "lib/gpusan/libgpusan.so").exists():
            sys.exit("files are left")
