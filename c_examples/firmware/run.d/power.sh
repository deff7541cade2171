# Loses power at random steps. Sourced by ../run.

# lose_power TARGET ELF FOLDER: runs the program until it ends, killing it on the way; then once more from nothing
# in peace, once from a torn checkpoint, and prints the last output. All three must agree.
lose_power() {
  local target=$1 elf=$2 folder=$3 calm text kills torn
  rm -rf "$folder" && mkdir -p "$folder"
  calm=$(run_program "$target" "$elf" "$folder") || { echo "$calm"; return 1; }
  calm=$(hash_in "$calm")

  # The newest checkpoint is torn: some of it is not what was written.
  torn=$(newest "$folder")
  head -c 500 /dev/zero | tr '\0' '\245' | dd of="$torn" bs=500 seek=10 conv=notrunc 2> /dev/null
  text=$(run_program "$target" "$elf" "$folder") || { echo "$text"; return 1; }
  echo "$text" | grep -q 'holds no whole checkpoint' || { echo "a torn checkpoint was not seen: $text"; return 1; }
  echo "$text" | grep -q 'resumed from checkpoint' || { echo "the other slot was not used: $text"; return 1; }
  [ "$(hash_in "$text")" = "$calm" ] || { echo "other bits after a torn checkpoint"; return 1; }

  rm -f "$folder"/slot?.bin
  RANDOM=20240711
  for kills in 1 2 3 4 5; do
    kill_after "$target" "$elf" "$folder" $((1 + RANDOM % 4))
  done
  text=$(run_program "$target" "$elf" "$folder") || { echo "$text"; return 1; }
  echo "$text" | grep -q 'resumed from checkpoint' || { echo "nothing was resumed: $text"; return 1; }
  [ "$(hash_in "$text")" = "$calm" ] || { echo "other bits after a loss of power"; return 1; }
  echo "$text"
}

hash_in() { echo "$1" | tr -d '\r' | awk '$1 == "#" && $2 == "hash" { print $3 }'; }

# The slot with the larger number in its first four bytes.
newest() {
  local a b
  a=$(od -An -tu4 -N4 "$1/slot0.bin" 2> /dev/null || echo 0)
  b=$(od -An -tu4 -N4 "$1/slot1.bin" 2> /dev/null || echo 0)
  if [ "${a:-0}" -gt "${b:-0}" ]; then echo "$1/slot0.bin"; else echo "$1/slot1.bin"; fi
}

# Starts the program and ends it, without warning, once it has written so many checkpoints and a random while.
kill_after() {
  local pid seen=0 out=$3/kill.txt
  : > "$out"
  (cd "$3" && exec $(machine "$1" "$2") < /dev/null > "$out" 2>&1) &
  pid=$!
  while kill -0 $pid 2> /dev/null && [ "$seen" -lt "$4" ]; do
    sleep 0.01
    seen=$(grep -c '^checkpoint' "$out")
  done
  sleep 0.00$((RANDOM % 10))
  kill -9 $pid 2> /dev/null
  wait $pid 2> /dev/null
}
