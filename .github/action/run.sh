#!/usr/bin/env bash
# The steps of action.yml: install fictc, lint, check the layout, run the examples. A step that fails does not keep
# the next from running; the script ends with 1 if one has findings, with more if one could not do its work.
#
# FICTC_PATHS: files and folders, one a line. FICTC_STRICT: true or false.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
mapfile -t paths < <(printf '%s\n' "${FICTC_PATHS:-.}" | sed 's/^[[:space:]]*//; s/[[:space:]]*$//; /^$/d')
strict=()
if [[ ${FICTC_STRICT:-false} == true ]]; then strict=(--strict); fi

echo "::group::Install fictc"
venv=$(mktemp -d "${RUNNER_TEMP:-/tmp}/fictc.XXXXXX")
python3 -m venv "$venv"
"$venv/bin/pip" install --quiet --disable-pip-version-check "$here"
fictc=$venv/bin/fictc
"$fictc" --version
echo "::endgroup::"

worst=0
step() {
    local title=$1 code=0
    shift
    echo "::group::$title"
    "$@" || code=$?
    echo "::endgroup::"
    if ((code > worst)); then worst=$code; fi
}

# A workflow command for each file that `fictc fmt --check` names, and the difference for whoever reads the log.
layout() {
    local code=0 name names
    names=$("$fictc" fmt --check "$@" 2>/dev/null) || true
    while IFS= read -r name; do
        [[ -n $name ]] || continue
        name=${name//%/%25} name=${name//:/%3A} name=${name//,/%2C}
        echo "::error file=$name,title=fictc fmt::not in the canonical layout; fictc fmt brings it there"
    done <<<"$names"
    "$fictc" fmt --diff "$@" || code=$?
    return "$code"
}

step "fictc lint" "$fictc" lint --format github "${strict[@]}" "${paths[@]}"
step "fictc fmt" layout "${paths[@]}"
step "fictc test" "$fictc" test "${paths[@]}"
exit "$worst"
