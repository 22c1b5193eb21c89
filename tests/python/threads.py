# Threads of Python.
import threading

from defects import Device

device = Device()


def work():
    device.bad_read()  # @thread


def wait():
    device.bad_read()  # @main


threads = [threading.Thread(target=work) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
wait()
