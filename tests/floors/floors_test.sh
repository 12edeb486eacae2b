#!/usr/bin/env bash
# scripts/check_floors accepts the sources as they are, and refuses a planted upward include.
set -euo pipefail
source_folder=$1
check=$source_folder/scripts/check_floors
"$check" "$source_folder/src"

planted=$(mktemp -d)
trap 'rm -rf "$planted"' EXIT
plant() {  # plant FLOOR INCLUDE: a tree with this one include must be refused
  rm -rf "${planted:?}"/*
  mkdir -p "$planted/$1"
  printf '#include "%s"\n' "$2" > "$planted/$1/file.cpp"
  if "$check" "$planted" > /dev/null; then
    echo "expected check_floors to refuse $2 in $1/, got its consent"
    exit 1
  fi
}
plant base kernel/call_checks.h
plant program dialect/lexer.h
plant device compile/compiler.h
plant casting nowhere/file.h
plant unknown_floor base/hash.h
