# Builds the programs for a machine, runs them, and writes `target example key value` to $results. Sourced by
# ../run.

examples="predict fit classify drift sample powerloss bits"

# Without an FPU these take minutes in the emulator: there they are as short as a test, under the name PROGRAM-short,
# and the host runs both.
short_ones="fit classify drift bits"
short_defines="-DFIT_ITERATIONS=10 -DCLASSIFY_SHORT -DDRIFT_ROWS=40 -DBITS_SHORT"
short() {
  case $1 in thumbv6m* | riscv32*) return 0 ;; aarch64*) [ $brief = 1 ] ;; *) return 1 ;; esac
}
# The programs of a machine.
examples_of() {
  case $brief$1 in 1thumbv6m* | 1riscv32* | 1aarch64*) echo "${examples/ powerloss/}" ;; *) echo "$examples" ;; esac
}

# build_as TARGET PROFILE FOLDER DEFINES EXAMPLES
build_as() {
  mkdir -p "$3"
  make -s -f "$here/Makefile" TARGET="$1" LIBRARY="$(library_path "$1" "$2")" \
    HOST_LIBRARY="$(library_path host "$(profile_of host)")" OUT="$3" DEFINES="$4" EXAMPLES="$5" > "$3/make.log" 2>&1 ||
    { cat "$3/make.log" >&2; return 1; }
}

build_programs() {
  local out=$base/$1/$2
  if [ "$1" = host ]; then
    build_as "$1" "$2" "$out/short" "$short_defines" "$short_ones" || return 1
  elif short "$1"; then
    build_as "$1" "$2" "$out" "$short_defines" "$(examples_of "$1")"
    return
  fi
  build_as "$1" "$2" "$out" "" "$examples"
}

# Prints the command that runs a program. An emulated instruction takes a nanosecond.
machine() {
  local board
  case $1 in
    host) echo "$2"; return ;;
    thumbv7em*) board="qemu-system-arm -M mps2-an386" ;;
    thumbv6m*) board="qemu-system-arm -M mps2-an385" ;;
    riscv32*) board="qemu-system-riscv32 -M virt -bios none -m 64M" ;;
    aarch64*) board="qemu-system-aarch64 -M virt -cpu cortex-a53 -m 64M -nic none" ;;
  esac
  echo "$board -nographic -icount shift=0 -semihosting-config enable=on,target=native -kernel $2"
}

# run_program TARGET ELF FOLDER: its output; the status is the program's.
run_program() {
  (cd "$3" && timeout 900 $(machine "$1" "$2") < /dev/null 2>&1)
}

note() { echo "$1 $2 $3 $4" >> "$results"; }

# What `size` says of the sections: code (with its constants), tables of the user's, RAM.
sections() {
  local tool
  case $1 in
    host) tool=size ;;
    thumb*) tool=arm-none-eabi-size ;;
    riscv32*) tool=riscv64-unknown-elf-size ;;
    aarch64*) tool=aarch64-linux-gnu-size ;;
  esac
  $tool -A "$2" | awk '
    BEGIN { split("text rodata tables data bss", names, " "); for (i in names) s[names[i]] = 0 }
    $1 ~ /^\.(text|rodata|data|bss|tables)$/ { s[substr($1, 2)] += $2 }
    END {
      for (k in s) print k, s[k]
      code = s["text"] + s["rodata"]
      printf "code %d\nflash %d\nram %d\n", code, code + s["tables"] + s["data"], s["data"] + s["bss"]
    }'
}

# What samplers draw, without the methods that no library for a device has.
golden_bits() { grep -v -e ' bnn-' -e ' vae ' "$root/tests/golden/bits.txt"; }

# Of as many lines as there are runs.
hash_of_bits() {
  local lines
  lines=$(echo "$1" | tr -d '\r')
  if [ "$(echo "$lines" | grep -c .)" = "$(golden_bits | grep -c .)" ]; then
    echo "$lines" | cksum | awk '{ print $1 }'
  else
    echo "incomplete"
  fi
}

# code_beside_libm TOOLS ELF: the bytes of .text that are the library's own. What else is in a program comes from
# special functions (core/src/special, Student's t law beside it, the crate libm), from compiler_builtins (memcpy,
# integer division, soft float) and from C. The compiler's line table says where every halfword comes from, and what it was inlined into.
code_beside_libm() {
  local start length
  read -r length start < <("$1size" -A "$2" | awk '$1 == ".text" { print $2, $3 }')
  awk -v a="$start" -v n="$length" 'BEGIN { for (i = 0; i < n; i += 2) printf "0x%x\n", a + i }' |
    "$1addr2line" -a -i -e "$2" | awk '
    function close_one() { if (rust && !apart) own += 2; rust = apart = 0 }
    /^0x/ { close_one(); next }
    /\.rs:/ { rust = 1 }
    /core\/src\/special\/|predict\/student_t\.rs|\/libm-[0-9.]*\/|compiler[-_]builtins/ { apart = 1 }
    END { close_one(); print own + 0 }'
}

run_programs() {
  local name=$1 target=$2 profile=$3 out=$base/$2/$3 e elf text key value
  for e in $(examples_of "$target"); do
    elf=$out/$e.elf
    echo "  $e" >&2
    case $e in
      powerloss) text=$(lose_power "$target" "$elf" "$out/power") ;;
      *) text=$(run_program "$target" "$elf" "$out") ;;
    esac || { fail "$name $e: $(echo "$text" | tail -n 5)"; continue; }
    echo "$text" > "$out/$e.txt"
    key=$e
    if short "$target"; then case " $short_ones " in *" $e "*) key=$e-short ;; esac; fi
    [ "$e" != bits ] || note "$name" "$key" hash "$(hash_of_bits "$text")"
    # This computer counts nanoseconds, and its stack is not painted.
    echo "$text" | tr -d '\r' | awk -v host="$target" '$1 == "#" && NF == 3 {
      if (host == "host") { if ($2 == "stack") next; sub(/^instructions_/, "nanoseconds_", $2) }
      print $2, $3 }' > "$out/$e.keys"
    sections "$target" "$elf" >> "$out/$e.keys"
    if [ "$e" = predict ] && [ "$target" = thumbv7em-none-eabihf ]; then
      echo "code_beside_libm $(code_beside_libm arm-none-eabi- "$out/predict.lines")" >> "$out/$e.keys"
    fi
    # RAM is what is static and the deepest stack.
    awk '{ v[$1] = $2 } END { for (k in v) if (k != "ram") print k, v[k]; print "ram", v["ram"] + v["stack"] }' \
      "$out/$e.keys" | while read -r k value; do note "$name" "$key" "$k" "$value"; done
  done
  if [ "$target" = host ]; then
    for e in $short_ones; do
      text=$(run_program host "$out/short/$e.elf" "$out") || fail "host $e-short"
      if [ "$e" = bits ]; then text=$(hash_of_bits "$text"); else text=$(hash_in "$text"); fi
      note "$name" "$e-short" hash "$text"
    done
  fi
  check_symbols "$name" "$target" "$out"
}

# Nothing but lcc_* is visible in the library, and single precision needs no double arithmetic.
check_symbols() {
  local name=$1 target=$2 out=$3 tool e found
  case $target in
    thumb*) tool=arm-none-eabi-nm ;;
    riscv32*) tool=riscv64-unknown-elf-nm ;;
    aarch64*) tool=aarch64-linux-gnu-nm ;;
    *) return ;;
  esac
  rm -rf "$out/check" && mkdir "$out/check"
  (cd "$out/check" && "${tool%nm}ar" x "$(library_path "$target" "${out##*/}")" && rm -f ./*compiler_builtins*)
  found=$($tool -g --defined-only "$out"/check/*.o | awk 'NF == 3 { print $3 }')
  echo "$found" | grep -q '^lcc_version$' || fail "$name: nm read no symbols"
  if echo "$found" | grep -v '^lcc_'; then fail "$name: a symbol without the prefix lcc_"; fi
  if [ "$target" = thumbv7em-none-eabihf ]; then
    for e in ${examples% bits}; do
      found=$($tool "$out/$e.elf" | awk '{ print $NF }' |
        grep -E '^__(aeabi_(d|cd|f2d|i2d|ui2d|l2d|ul2d)|extendsfdf|truncdfsf|adddf|muldf|divdf)')
      [ -z "$found" ] || fail "$name $e computes in double: $found"
    done
  fi
}

# This computer with blocks of chains on its widest registers.
run_wide() {
  local out=$base/wide e text
  echo "building for this computer's registers" >&2
  mkdir -p "$out"
  make -s -f "$here/Makefile" TARGET=host LIBRARY="$wide" HOST_LIBRARY="$wide" OUT="$out" \
    HOST_LINK="-Wl,-rpath,$(dirname "$wide")" > "$out/make.log" 2>&1 || { fail "$(cat "$out/make.log")"; return; }
  for e in $examples; do
    text=$(run_program host "$out/$e.elf" "$out") || { fail "host-wide $e: $text"; continue; }
    echo "$text" > "$out/$e.txt"
    if [ "$e" = bits ]; then
      note host-wide bits hash "$(hash_of_bits "$text")"
    else
      note host-wide "$e" hash "$(hash_in "$text")"
    fi
  done
}
