#!/usr/bin/env python3
"""Tasks of Slurm: a controller and one node of its own on loopback, `srun -n 4 gpusan run`, one report.

Everything that Slurm writes is in a folder of the test; every process that the test starts is ended by its id.
"""
import os
import pwd
import secrets
import signal
import socket
import subprocess
import sys
import time
import unittest

from fleet_test import BAD, FLEET, GOOD, GPUSAN, RANKS, Case, need

need("munged", "slurmctld", "slurmd", "srun", "sbatch", "scontrol")

CONFIGURATION = """
ClusterName=gpusan
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller_port}
SlurmdPort={node_port}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SwitchType=switch/none
ReturnToService=2
SlurmdParameters=config_overrides
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
NodeName=node1 NodeHostname={host} NodeAddr=127.0.0.1 Port={node_port} CPUs=4 State=UNKNOWN
PartitionName=night Nodes=node1 Default=YES MaxTime=INFINITE State=UP
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Slurm(Case):
    def setUp(self):
        super().setUp()
        self.folder.chmod(0o755)
        for name in ("state", "spool"):
            (self.folder / name).mkdir()
        key = self.folder / "munge.key"
        key.write_bytes(secrets.token_bytes(128))
        key.chmod(0o400)
        (self.folder / "slurm.conf").write_text(CONFIGURATION.format(
            folder=self.folder, host=socket.gethostname().split(".")[0], user=pwd.getpwuid(os.geteuid()).pw_name,
            controller_port=free_port(), node_port=free_port()))
        # Else Slurm looks for control groups, which a container may not have.
        (self.folder / "cgroup.conf").write_text("CgroupPlugin=cgroup/v1\nCgroupAutomount=no\n")
        self.environment["SLURM_CONF"] = str(self.folder / "slurm.conf")
        self.start("munged", "--foreground", "--force", f"--key-file={key}", f"--socket={self.folder}/munge.socket",
                   f"--pid-file={self.folder}/munged.pid", f"--log-file={self.folder}/munged.log",
                   f"--seed-file={self.folder}/munged.seed")
        self.wait_for("munged", lambda: (self.folder / "munge.socket").exists())
        self.start("slurmctld", "-D", "-f", str(self.folder / "slurm.conf"))
        self.start("slurmd", "-D", "-f", str(self.folder / "slurm.conf"), "-N", "node1")
        self.wait_for("slurmd", self.node_is_idle)

    def start(self, *words):
        log = open(self.folder / f"{words[0]}.out", "wb")
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=self.environment,
                                   cwd=self.folder)
        log.close()
        self.addCleanup(self.end, process)
        return process

    @staticmethod
    def end(process):
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def node_is_idle(self):
        shown = subprocess.run(["sinfo", "--noheader", "--format=%T"], capture_output=True, text=True, timeout=60,
                               env=self.environment)
        return shown.stdout.strip() == "idle"

    def wait_for(self, name, ready, seconds=60):
        deadline = time.monotonic() + seconds
        while not ready():
            if time.monotonic() > deadline:
                logs = "".join(path.read_text(errors="replace") for path in sorted(self.folder.glob("*.out"))
                               + sorted(self.folder.glob("*.log")))
                self.fail(f"{name} did not come up in {seconds} s:\n{logs[-6000:]}")
            time.sleep(0.2)

    def test_tasks_of_srun_become_one_report(self):
        records = self.folder / "records"
        run = ["srun", "-n", str(RANKS), GPUSAN, "run", f"--output={records}", "--record=%h.%r.%x.%p.jsonl", "--no-merge-ranks", "--"]
        result = self.run_it(*run, BAD, code=66)
        self.assertEqual(result.stderr.count("SUMMARY: gpusan:"), RANKS, result.stderr)
        self.check_ranks(records)
        self.run_it(*run[:4], "run", f"--output={self.folder}/clean", "--", GOOD)
        # The recipe, two nights of it.
        store = self.folder / "store"
        store.mkdir()
        job = ["sbatch", "--wait", f"--output={self.folder}/job.out", FLEET / "slurm-night.sbatch"]
        about = {"STORE": str(store), "FLEET": str(FLEET), "GPUSAN": str(GPUSAN), "PROGRAM": str(BAD)}
        self.run_it(*job, code=66, NIGHT="1", **about)
        self.assertIn(f"seen: {RANKS} times in {RANKS} processes", (store / "new.txt").read_text())
        self.run_it(*job, NIGHT="2", **about)
        self.assertEqual((store / "new.txt").read_text(), "")


if __name__ == "__main__":
    unittest.main(verbosity=2)
