"""A stand-in for RMM: a pool behind the memory resource of the device."""
from rmm import mr
from rmm.pylibrmm.memory_resource._memory_resource import DeviceBuffer, _initialize as reinitialize
