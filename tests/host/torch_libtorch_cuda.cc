// A stand-in for PyTorch's libtorch_cuda.so, which loads the allocator.
