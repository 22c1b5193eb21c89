#!/bin/sh
# wlangenpmkocl: PBKDF2 on the device for a list of passwords.
# packages: hcxkeys
# suite: quick
# expect: warning leak clCreateCommandQueue
# expect: warning leak clCreateContext
# expect: warning leak clCreateKernel
# expect: warning leak clCreateProgramWithSource
set -e
seq -f 'password%.0f' 1 300 >words
wlangenpmkocl -e network -i words -A keys
sort keys
