# Code that is no plain function: module level, lambda, generator, nested comprehension, decorator, exec, names that are
# not ASCII.
import functools

from defects import Device

device = Device()
device.bad_read()  # @module
device.bad_read()  # @module_again

short = lambda: device.bad_read()  # @lambda
short()


def numbers():
    yield 1
    device.bad_read()  # @generator
    yield 2


list(numbers())


def nested():
    return [[device.bad_read() for _ in range(1)] for _ in range(1)]  # @comprehension


nested()


def decorated(function):
    @functools.wraps(function)
    def wrapper():
        return function()
    return wrapper


@decorated
def inner():
    device.bad_read()  # @decorated


inner()
exec("device.bad_read()")  # @exec


def größe():
    device.bad_read()  # @unicode


größe()


async def coroutine():
    device.bad_read()  # @coroutine


try:
    coroutine().send(None)
except StopIteration:
    pass


def deep(depth):
    return deep(depth - 1) if depth else device.bad_read()  # @deep


deep(100)
