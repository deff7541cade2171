# Which compiler makes the library for a target, and the library. Sourced by ../run.

# What is missing for a target, and a failing status; nothing if all is there.
tools_for() {
  local need=()
  case $1 in
    host) need=(cc) ;;
    thumb*) need=(arm-none-eabi-gcc qemu-system-arm) ;;
    riscv32*) need=(riscv64-unknown-elf-gcc qemu-system-riscv32) ;;
    aarch64*) need=(aarch64-linux-gnu-gcc qemu-system-aarch64) ;;
    *) echo "there is no such target"; return 1 ;;
  esac
  local tool
  for tool in "${need[@]}" make awk; do
    command -v "$tool" > /dev/null || { echo "$tool is not installed"; return 1; }
  done
  [ "$1" = host ] || rust_with_sources > /dev/null || {
    echo "no Rust that builds for it: 'rustup component add rust-src', or a system's Rust with the library's sources"
    return 1
  }
}

# Prints how cargo is called with -Zbuild-std=core, which builds a target's library from the sources that come with a
# toolchain: the compiled ones of `rustup target add` have other sizes, and symbols.
rust_with_sources() {
  local cargo sysroot version
  for cargo in cargo /usr/bin/cargo; do
    command -v "$cargo" > /dev/null || continue
    sysroot=$("$(dirname "$(command -v "$cargo")")/rustc" --print sysroot 2> /dev/null) || continue
    [ -f "$sysroot/lib/rustlib/src/rust/library/core/Cargo.toml" ] || continue
    version=$("$cargo" --version | awk '{ split($2, v, "."); print v[1] * 1000 + v[2] }')
    [ "$version" -ge 1095 ] || continue
    echo "env RUSTC_BOOTSTRAP=1 RUSTC=$(dirname "$(command -v "$cargo")")/rustc $cargo"
    return 0
  done
  return 1
}

# Where the library of a target and profile lies.
library_path() {
  if [ "$1${brief:-0}" = host1 ]; then
    echo "$wide"
  elif [ "$1" = host ]; then
    echo "$base/host/cargo/$2/liblcc.a"
  else
    echo "$base/$1/cargo/$1/$2/liblcc.a"
  fi
}

library_log() { echo "$base/$1-$2.log"; }

# One lane, but on AArch64 with --brief eight in NEON; and a panic handler that does not link if it can be reached.
build_library() {
  local target=$1 profile=$2 features=panic-proof command=cargo options=() debug=none
  # With --brief this computer's is given.
  if [ "$target${brief:-0}" = host1 ]; then return 0; fi
  if [ $keep = 1 ] && [ -f "$(library_path "$target" "$profile")" ]; then return 0; fi
  rm -f "$(library_path "$target" "$profile")"
  if [ "$target" != host ]; then
    command=$(rust_with_sources)
    options=(--target "$target" -Zbuild-std=core)
  fi
  case ${brief:-0}$target in 1aarch64*) features=$features,wide ;; esac
  # Lines for code_beside_libm; they change no instruction.
  if [ "$target" = thumbv7em-none-eabihf ]; then features=$features,sqrtf-hook debug=line-tables-only; fi
  # Not the flags of a caller that is cargo itself; and a folder of its own, as cargo locks it.
  (cd "$root" && env -u RUSTFLAGS -u CARGO_ENCODED_RUSTFLAGS -u CARGO_TARGET_DIR \
    CARGO_PROFILE_RELEASE_DEBUG=$debug CARGO_PROFILE_SMALL_DEBUG=$debug $command rustc -p lcc-ffi --lib \
    --profile "$profile" --no-default-features --features "$features" --crate-type staticlib "${options[@]}" \
    --target-dir "$base/$target/cargo") > "$(library_log "$target" "$profile")" 2>&1
}
