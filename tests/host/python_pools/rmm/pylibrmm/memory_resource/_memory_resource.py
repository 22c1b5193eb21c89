"""The memory resources. In RMM this module is native: its functions call each other directly, not by their names.

With PROGRAM_RMM=unknown a constructor has parameters that it has in no known version.
"""
import os

import driver


class DeviceMemoryResource:
    def allocate(self, size, stream=None):
        return self._allocate(size, stream)

    def deallocate(self, address, size, stream=None):
        self._deallocate(address, size, stream)


class CudaMemoryResource(DeviceMemoryResource):
    def _allocate(self, size, _):
        return driver.new_segment(size)

    def _deallocate(self, address, _, __):
        driver.call("cuMemFree_v2", driver.ctypes.c_uint64(address))


class CallbackMemoryResource(DeviceMemoryResource):
    def __init__(self, allocate_func, deallocate_func):
        if os.environ.get("PROGRAM_RMM") == "unknown":
            raise TypeError("an interface of another version")
        self._allocate, self._deallocate = allocate_func, deallocate_func


class PoolMemoryResource(DeviceMemoryResource):
    def __init__(self, upstream=None, initial_pool_size=1 << 20):
        self._upstream = upstream or CudaMemoryResource()
        self._segments = driver.Segments(initial_pool_size)

    def get_upstream(self):
        return self._upstream

    def pool_size(self):
        return self._segments.smallest

    def _allocate(self, size, _):
        return self._segments.malloc((size + 255) & ~255)

    def _deallocate(self, address, _, __):
        self._segments.give_back(address)


_resources = {0: CudaMemoryResource()}


def get_per_device_resource(device):
    return _resources[device]


def set_per_device_resource(device, mr):
    _resources[device] = mr


def get_current_device_resource():
    return _resources[0]


def set_current_device_resource(mr):
    _resources[0] = mr


def _initialize(pool_allocator=False, managed_memory=False, initial_pool_size=1 << 20, maximum_pool_size=None, devices=0,
                logging=False, log_file_name=None):
    del managed_memory, maximum_pool_size, devices, logging, log_file_name
    _resources[0] = PoolMemoryResource(None, initial_pool_size) if pool_allocator else CudaMemoryResource()


class DeviceBuffer:
    def __init__(self, size):
        self._resource, self.size = _resources[0], size
        self.ptr = self._resource.allocate(size, None)

    def free(self):
        self._resource.deallocate(self.ptr, self.size, None)

