#!/bin/sh
# mypy on the package as it installs: a folder of links gives agents/ and training/ their place
# inside mages_env, where their import names put them.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
view=$root/build/typecheck

rm -rf "$view"
mkdir -p "$view/mages_env"
cd "$view/mages_env"
for path in ../../../mages_env/* ../../../agents ../../../training; do
    if [ -e "$path" ]; then ln -s "$path" .; fi
done

cd "$view"
mypy --config-file "$root/pyproject.toml" --cache-dir "$root/.mypy_cache" -p mages_env
