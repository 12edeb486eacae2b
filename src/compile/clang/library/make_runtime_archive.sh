#!/bin/sh -e
# make_runtime_archive.sh AR COMPILER_RT OUTPUT OBJECTS...: compiler-rt's builtins plus our objects.
ar=$1 builtins=$2 output=$3
shift 3
cp "$builtins" "$output.tmp"
chmod u+w "$output.tmp"
unwanted=$("$ar" t "$output.tmp" | grep -E 'cpu_model|enable_execute_stack|eprintf|clear_cache|gcc_personality|crtbegin|crtend|emutls|os_version' || true)
[ -z "$unwanted" ] || "$ar" d "$output.tmp" $unwanted
"$ar" rsD "$output.tmp" "$@"
mv "$output.tmp" "$output"
