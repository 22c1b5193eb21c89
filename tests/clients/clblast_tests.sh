#!/bin/sh
# CLBlast's own tests against a reference BLAS: thousands of calls with good and bad arguments.
# packages: clblast-tests
# suite: long
# timeout: 900
set -e
for routine in xaxpy xdot xscal xasum xamax xger xgemv xtrsv xomatcopy; do
  clblast_test_$routine | grep -E 'passed|skipped|failed|Testing'
done
