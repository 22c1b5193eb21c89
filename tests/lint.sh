#!/bin/sh
# Static checks of the sources: their format, their floors, and clang-tidy. Needs a configured build folder.
#   tests/lint.sh                 everything
#   tests/lint.sh format|floors|tidy [FILE...]   one stage; tidy of these files alone
# Prints a line a stage with its seconds; the first stage that fails ends it with 1.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
stages="format floors tidy"
case ${1:-} in
  "") ;;
  format | floors | tidy) stages=$1; shift ;;
  *) echo "lint.sh: no stage '$1'; format, floors or tidy" >&2; exit 2 ;;
esac
for stage in $stages; do
  begin=$(date +%s)
  case $stage in
    format)
      git ls-files 'layer/*.cc' 'layer/*.h' 'hooks/*.cc' 'hooks/*.h' 'tracker/*.cc' 'tracker/*.h' 'report/*.cc' 'report/*.h' \
        'tests/*.cc' 'tests/*.h' 'tests/*.c' | grep -v '^tests/programs/' | xargs clang-format --dry-run --Werror
      ;;
    floors) python3 tests/structure/floors.py >/dev/null || { python3 tests/structure/floors.py; exit 1; } ;;
    tidy) python3 tests/structure/tidy.py build/release "$@" ;;
  esac
  echo "lint: $stage: clean, $(($(date +%s) - begin)) s"
done
