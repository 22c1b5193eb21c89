# ncnn from its package of PyPI: networks of its own layers, with weights of 0, run by compute shaders that ncnn compiles.
# pypi: ncnn numpy
# packages: mesa-vulkan-drivers
# api: vulkan
# suite: long
import ncnn
import numpy as np

NETWORK = """7767517
11 12
Input                input 0 1 data 0=32 1=32 2=3
Convolution          conv  1 1 data conv 0=16 1=3 4=1 5=1 6=432 9=1
Split                split 1 2 conv left right
ConvolutionDepthWise depth 1 1 left deep 0=16 1=3 4=1 5=1 6=144 7=16
BinaryOp             add   2 1 deep right sum 0=0
Pooling              pool  1 1 sum half 0=0 1=2 2=2
Deconvolution        back  1 1 half full 0=8 1=4 3=2 4=1 5=1 6=2048
Interp               interp 1 1 full wide 0=2 1=1.5 2=1.5
InnerProduct         inner 1 1 wide classes 0=10 1=1 2=184320
HardSwish            swish 1 1 classes bent
Softmax              soft  1 1 bent prob 0=0
"""

print("devices:", ncnn.get_gpu_count() > 0)
net = ncnn.Net()
net.opt.use_vulkan_compute = True
net.load_param_mem(NETWORK)
net.load_model(ncnn.DataReaderFromEmpty())
for i in range(4):
    extractor = net.create_extractor()
    extractor.input("data", ncnn.Mat(np.random.RandomState(i).rand(3, 32, 32).astype(np.float32)))
    for blob in ("half", "prob"):
        code, result = extractor.extract(blob)
        print(blob, code, np.array(result).shape, np.array(result).ravel()[:3])
    del extractor
del net
ncnn.destroy_gpu_instance()
