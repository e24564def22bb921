#!/bin/sh
# Install Kibitz into .venv, as far as it is not there yet:  sh scripts/install.sh [dev] [bench]
# Without words only the package itself; each word adds one of the extras of pyproject.toml.
#
# PYTHON names the interpreter. Without it a .venv with a suitable one is kept, and a new .venv takes the first suitable
# one of python3 and its numbered names. While .venv/.unfinished exists, .venv is not whole and is made again.
set -eu
cd "$(dirname "$0")/.."

VENV=.venv
UNFINISHED=$VENV/.unfinished
# 3.14 comes last: it has the fewest packages.
NAMES="python3 python3.13 python3.12 python3.11 python3.14 python"
LEAST=$(sed -n 's/^requires-python *= *">=3\.\([0-9]*\)".*/\1/p' pyproject.toml)

fail() {
    echo "$1" >&2
    exit 1
}

# Three lines: the version, where that Python is installed, and its executable outside of any .venv.
describe() {
    "$1" -c 'import sys
print("%d.%d.%d" % sys.version_info[:3])
print(getattr(sys, "base_prefix", sys.prefix))
print(getattr(sys, "_base_executable", sys.executable))' 2>/dev/null || true
}

version_of() { echo "$1" | sed -n 1p; }

# The minor version and the place: what must stay the same for a .venv to go on working.
identity_of() { echo "$1" | sed -n '1s/^\([0-9]*\.[0-9]*\).*/\1/p;2p'; }

is_suitable() {
    case $(version_of "$1") in
    3.*) minor=$(version_of "$1" | sed 's/^3\.\([0-9]*\).*/\1/') && [ "$minor" -ge "$LEAST" ] ;;
    *) false ;;
    esac
}

# Set `found` to the description of the Python to use, or say why there is none.
find_python() {
    tried=
    if [ -n "${PYTHON:-}" ]; then set -- "$PYTHON"; else set -- $NAMES; fi
    for name in "$@"; do
        found=$(describe "$name")
        if is_suitable "$found"; then return; fi
        version=$(version_of "$found")
        [ -z "$version" ] || tried="$tried${tried:+, }$name is Python $version"
    done
    fail "Kibitz needs Python 3.$LEAST or newer, but ${tried:-${PYTHON:-python3} cannot be run}: name another one, as in make PYTHON=python3.$LEAST demo"
}

# Whether .venv is whole, suitable, and made with PYTHON where one is named; if not, `unusable` says why.
is_usable() {
    unusable="it was not finished"
    [ ! -e $UNFINISHED ] && $VENV/bin/python -c 'import pip' 2>/dev/null || return 1
    present=$(describe $VENV/bin/python)
    unusable="it has Python $(version_of "$present")"
    is_suitable "$present" || return 1
    unusable="$unusable of $(echo "$present" | sed -n 2p)"
    [ -z "${PYTHON:-}" ] || [ "$(identity_of "$present")" = "$(identity_of "$found")" ]
}

make_venv() {
    python=$(echo "$found" | sed -n 3p)
    [ ! -d $VENV ] || echo "Making $VENV again, with Python $(version_of "$found"): $unusable" >&2
    rm -rf $VENV
    mkdir $VENV
    touch $UNFINISHED
    "$python" -m venv $VENV || {
        rm -rf $VENV
        fail "$python cannot make $VENV, see above"
    }
    rm $UNFINISHED
}

# Install the package with an extra, "" for none. What fails in good order leaves .venv usable; what is killed does not.
install() {
    stamp=$VENV/.installed${1:+-$1}
    [ "$stamp" -nt pyproject.toml ] && return
    echo "Installing Kibitz${1:+ with what \"$1\" needs} into $VENV, Python $(version_of "$(describe $VENV/bin/python)")" >&2
    touch $UNFINISHED
    $VENV/bin/python -m pip install --quiet --editable ".${1:+[$1]}" || {
        rm $UNFINISHED
        fail "Installing Kibitz failed, see above"
    }
    touch "$stamp" $VENV/.installed
    rm $UNFINISHED
}

trap 'exit 130' INT TERM  # without what follows a failure
[ -z "${PYTHON:-}" ] || find_python
if ! is_usable; then
    [ -n "${PYTHON:-}" ] || find_python
    make_venv
fi
[ $# -gt 0 ] || set -- ""
for extra in "$@"; do install "$extra"; done
