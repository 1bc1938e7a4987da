#!/bin/sh
# Tests the wheel as a user gets it: installed with nothing but its own dependencies, away from
# the sources. WHEEL_TESTS names the test folders.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
wheel_tests=${WHEEL_TESTS:-tests/packaging tests/envs}
python=$root/.venv-wheel/bin/python
away=$(mktemp -d)
trap 'rm -rf "$away"' EXIT

cd "$root"
rm -rf dist build/lib build/bdist.* ./*.egg-info # setuptools would pack what lies there
python -m pip wheel -q --disable-pip-version-check --no-deps -w dist .
python -m venv --clear --without-pip .venv-wheel
python -m pip --python .venv-wheel install -q --disable-pip-version-check -c constraints.txt dist/*.whl

where='
import sys, mages_env, mages_env.agents
print("testing", mages_env.__file__)
sys.exit(not mages_env.__file__.startswith(sys.prefix))
'
cd "$away"
"$python" -c "$where"

# From here on also what else .venv holds, pytest among it. Its .pth files do not count on this
# way, so the editable installation stays out.
site='import sysconfig; print(sysconfig.get_path("purelib"))'
python -c "$site" >"$("$python" -c "$site")/development.pth"
"$python" -c "$where"

cp -R "$root/tests" "$root/pyproject.toml" .
present=
for path in $wheel_tests; do
    if [ -e "$path" ]; then present="$present $path"; fi
done
# shellcheck disable=SC2086
"$python" -m pytest -n 2 -m "not slow" $present
