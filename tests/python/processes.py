# Children of multiprocessing, started anew and forked before the first use of the driver.
import multiprocessing
import sys


def work():
    from defects import Device
    Device().bad_read()  # @child


if __name__ == "__main__":
    context = multiprocessing.get_context(sys.argv[1])
    children = [context.Process(target=work) for _ in range(2)]
    for child in children:
        child.start()
    for child in children:
        child.join()
        assert child.exitcode == 0
