# For the projects here: what they need, and what a program must have printed. Sourced.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

# Skips the project unless all these commands are there.
need() {
  local tool
  for tool in "$@"; do
    command -v "$tool" > /dev/null || { echo "$tool is not installed"; exit 77; }
  done
}

# Runs a program that learns the thermistor (c_examples/minimal.c, thermistor.cpp): the same line everywhere.
thermistor() {
  local said
  said=$("$@") || { echo "$* failed"; return 1; }
  [ "$said" = "7.0 kilo-ohm: 33.27 degrees, between 33.01 and 33.52 with probability 0.9" ] ||
    { echo "$*: $said"; return 1; }
}

# LCC becomes the command line, which cargo builds where the environment has none.
command_line() {
  if [ -z "${LCC:-}" ]; then
    need cargo
    cargo build --quiet --release -p lcc-cli --manifest-path "$LCC_ROOT/Cargo.toml" --target-dir "$LCC_ROOT/target"
    export LCC=$LCC_ROOT/target/release/lcc
  fi
}
