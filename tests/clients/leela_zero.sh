#!/bin/sh
# Leela Zero: searches a few moves with a small made-up network; its OpenCL pipe with several threads and batches.
# packages: leela-zero clinfo
# suite: long
# expect: warning call-failed clBuildProgram
set -e
/usr/bin/python3 - <<'P'
# A network of 8 filters and one block, with fixed weights, and the tuning that its OpenCL code would search for.
import os, subprocess

state = 1
def weights(count, low, high):
    global state
    out = []
    for _ in range(count):
        state = (state * 1103515245 + 12345) % 2**31
        out.append('%.4f' % (low + (high - low) * state / 2**31))
    return ' '.join(out)

filters, lines = 8, ['1']
def convolution(inputs, outputs, side):
    lines.append(weights(inputs * outputs * side * side, -0.1, 0.1))
    lines.append(weights(outputs, -0.1, 0.1))
    lines.append(weights(outputs, -0.1, 0.1))
    lines.append(weights(outputs, 0.5, 1.5))
convolution(18, filters, 3)
convolution(filters, filters, 3)
convolution(filters, filters, 3)
convolution(filters, 2, 1)
lines += [weights(2 * 361 * 362, -0.1, 0.1), weights(362, -0.1, 0.1)]
convolution(filters, 1, 1)
lines += [weights(361 * 256, -0.1, 0.1), weights(256, -0.1, 0.1), weights(256, -0.1, 0.1), '0.0100']
open('network.txt', 'w').write('\n'.join(lines) + '\n')

def device(key):
    text = subprocess.run(['clinfo', '--raw', '--prop', key], capture_output=True, text=True).stdout
    return [line.split(key, 1)[1].strip() for line in text.splitlines() if key in line][0]
name = 'OpenCL: %s %s @ %sMHz' % (device('CL_DEVICE_VENDOR').replace('_ID', ''), device('CL_DEVICE_NAME'),
                                  device('CL_DEVICE_MAX_CLOCK_FREQUENCY'))
folder = os.path.join(os.environ['HOME'], '.local/share/leela-zero')
os.makedirs(folder, exist_ok=True)
parameters = (' -DKWG=16 -DKWI=8 -DMDIMA=8 -DMDIMC=8 -DMWG=16 -DNDIMB=8 -DNDIMC=8 -DNWG=16 -DSA=1 -DSB=1'
              ' -DSTRM=0 -DSTRN=0 -DTCE=0 -DVWM=2 -DVWN=2')
with open(os.path.join(folder, 'leelaz_opencl_tuning'), 'w') as tuning:
    for columns in (25, 125):
        tuning.write('1;XgemmBatched;8;%d;8;36;%s;%s\n' % (columns, parameters, name))
P
play() {
  printf 'genmove b\ngenmove w\ngenmove b\nquit\n' | /usr/lib/leelaz/bin/leelaz --gtp --weights network.txt \
    --noponder --seed 1 --randomcnt 0 --precision single --gpu 0 "$@" 2>log.txt
  grep -E '^NN eval' log.txt
}
play --playouts 40 --threads 1
# With several threads the order of the search is not fixed: only that it plays to the end is compared.
play --playouts 60 --threads 5 --batchsize 5 | wc -l
