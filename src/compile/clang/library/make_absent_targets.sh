#!/bin/sh -e
# make_absent_targets.sh liblldELF.a OUTPUT: empty LLVMInitialize* functions for the targets left out.
nm "$1" 2>/dev/null | awk '/ U LLVMInitialize/ {print $2}' | sort -u | grep -v X86 |
  sed 's/.*/void &(void) {}/' > "$2"
