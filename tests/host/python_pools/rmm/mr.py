from rmm.pylibrmm.memory_resource._memory_resource import (CallbackMemoryResource, CudaMemoryResource, PoolMemoryResource,
                                                           get_current_device_resource, get_per_device_resource,
                                                           set_current_device_resource, set_per_device_resource)
