# Compares, checks and prints what is in $results. Sourced by ../run.

value() { awk -v t="$1" -v e="$2" -v k="$3" '$1 == t && $2 == e && $3 == k { print $4 }' "$results"; }

# Every machine against golden.txt, and the samplers against the list of the tests, line by line.
compare_bits() {
  local name e hash golden=$here/golden.txt
  if [ $write_golden = 1 ]; then
    awk '$1 == "host" && $3 == "hash" { print $2, $4 }' "$results" > "$golden"
  fi
  while read -r name e hash; do
    [ "$hash" = "$(awk -v e="$e" '$1 == e { print $2 }' "$golden")" ] || fail "$name $e: $hash is not the golden hash"
  done < <(awk '$3 == "hash" { print $1, $2, $4 }' "$results")
  for name in $(awk '$2 == "bits" && $3 == "hash" { print $1 }' "$results"); do
    local target=${name#*:} profile
    profile=$(profile_of "$name")
    [ "$name" != host-wide ] || target=wide profile=.
    tr -d '\r' < "$base/$target/$profile/bits.txt" | diff - <(golden_bits) > /dev/null ||
      fail "$name: samplers draw other bits than tests/golden/bits.txt"
  done
  for e in ${short_ones// /-short }-short $examples; do
    hash=$(value host "$e" hash)
    awk -v e="$e" -v h="$hash" '$2 == e && $3 == "hash" && $4 != h { print $1 }' "$results" | while read -r name; do
      echo "$name $e differs from the host" >&2
    done
  done
}

# at_most NAME EXAMPLE KEY LIMIT
at_most() {
  local v
  v=$(value "$1" "$2" "$3")
  [ -z "$v" ] || [ "$v" -le "$4" ] || fail "$1 $2: $3 is $v, above $4"
}

# at_least NAME EXAMPLE KEY LIMIT
at_least() {
  local v
  v=$(value "$1" "$2" "$3")
  [ -z "$v" ] || [ "$v" -ge "$4" ] || fail "$1 $2: $3 is $v, below $4"
}

check_limits() {
  local m=thumbv7em-none-eabihf
  at_most $m fit ram 32768
  at_most $m fit code 63488
  at_most $m classify ram 32768
  at_most $m classify code 126976 # 30 kB of it are output families that it does not use, 2 bend inputs, 8 masses in blocks
  at_most $m drift ram 49152
  at_most $m predict ram 16384
  at_most $m predict code_beside_libm 9216 # 300 bytes are a start of quantiles that saves a third of the evaluations, 100 that all laws have one search
  at_least $m predict code_beside_libm 4096 # less is a line table that was not read
  at_most $m powerloss ram 32768
  # The mean of four other splits has a log loss of .03.
  at_least host classify accuracy_permille 970
  at_most host classify log_loss_thousandths 80
  at_least host classify told_apart_permille 850
  # The model as it was fails; the one that learns does not.
  at_least host drift rmse_thousandths_frozen 10000
  at_most host drift covered_permille_frozen 700
  at_most host drift rmse_thousandths_stream 5500
  at_least host drift covered_permille_stream 880
  at_most host drift covered_permille_stream 970
  at_most host drift rmse_thousandths_window 8000
}

print_page() {
  cat << 'END'
# What LCC takes on a microcontroller

    c_examples/firmware/run --table tests/results/firmware.md TARGET ...

Bytes. Code is `.text` and `.rodata` of the whole program: vectors, the demonstration's text, the library, memcpy, and
soft float where the CPU has no FPU. Beside libm: the part of it that is neither C nor special functions (exp, log, tanh,
erf, the normal and Student-t laws), memcpy or integer division, told halfword by halfword from the line table, on the
Cortex-M4F. Tables are the user's: rows of data (9 + 1 floats each; 200 to learn from, 100 to be judged by, 1000 that
`drift` follows; for `classify` 286 and 71 pictures of 48 + 1 floats) and the models (32 draws of 100 floats; for `drift`
16 of 122). RAM is what is static (for `fit` the regressor with its copy of the data, and the model that it writes; for
`classify` the network and its model, 6 draws of 249 floats, while the pictures are read in flash; for `drift` the larger
of the learner of 8 draws and the refitted window of 60 rows) and the deepest that the stack has been, from a painted
stack.

Instructions are counted by QEMU (`-icount shift=0`). Seconds assume 1.5 cycles an instruction, as a Cortex-M4 with flash
that does not wait takes for such code (loads 2, divisions and square roots 14, most others 1): an estimate, not a
measurement. Opt-level s. A gradient is one pass over the 200 rows (of
`classify` 286), all that a fit does shared out over them; a prediction is the mean, sd and 90 % interval of one row (of
`classify` the probabilities of the classes, entropy and mutual information); a transition is that of one chain over 40
rows. The longest step is the longest between two feeds of the watchdog: a trajectory, and what follows it.
A row of `drift` is one prediction with its interval and what is learnt from its target; `frozen` predicts only.

`fit` is 8 neurons, 2 starts of 250 Adam steps, 250 + 200 iterations of 10 to 20 leapfrog steps, 12 draws kept;
`fit-short` (for CPUs without an FPU, which take minutes in the emulator) a twenty-fifth of that, `drift-short` the first
40 rows. `classify` is 4 neurons, 6 chains of 14 Adam steps and 6 + 1 trajectories of 30 leapfrog steps, a draw each;
`classify-short` 2 chains of 1 step and 1 + 1 trajectories of 3.

END
  print_table
}

print_table() {
  awk '
    { v[$1, $2, $3] = $4; if (!(($1, $2) in seen)) { seen[$1, $2] = 1; order[++n] = $1 SUBSEP $2 } }
    function number(t, e, k) { return (t, e, k) in v ? v[t, e, k] : "" }
    END {
      print "| target | program | code | beside libm | tables | RAM static | stack | RAM in all |"
      print "|---|---|---:|---:|---:|---:|---:|---:|"
      for (i = 1; i <= n; i++) {
        split(order[i], p, SUBSEP)
        if (p[1] ~ /^host/ || p[2] ~ /^bits/) continue
        printf "| %s | %s | %s | %s | %s | %s | %s | %s |\n", p[1], p[2], number(p[1], p[2], "code"), \
          number(p[1], p[2], "code_beside_libm"), number(p[1], p[2], "tables"), \
          number(p[1], p[2], "ram") - number(p[1], p[2], "stack"), number(p[1], p[2], "stack"), number(p[1], p[2], "ram")
      }
      print ""
      print "| target | program | instructions of | number | seconds at 100 MHz |"
      print "|---|---|---|---:|---:|"
      for (i = 1; i <= n; i++) {
        split(order[i], p, SUBSEP)
        if (p[1] ~ /^host/) continue
        for (j in v) {
          split(j, q, SUBSEP)
          if (q[1] == p[1] && q[2] == p[2] && q[3] ~ /^instructions_/) {
            what = substr(q[3], 14); gsub("_", " ", what)
            lines[++m] = sprintf("| %s | %s | %s | %.0f | %.6f |", p[1], p[2], what, v[j], v[j] * 1.5 / 1e8)
          }
        }
      }
      for (i = 1; i <= m; i++) for (j = i + 1; j <= m; j++)
        if (lines[j] < lines[i]) { x = lines[i]; lines[i] = lines[j]; lines[j] = x }
      for (i = 1; i <= m; i++) print lines[i]
      print ""
      print "| 2014-2015 by the model of 2011-2013 | RMSE | coverage of .9 |"
      print "|---|---:|---:|"
      split("frozen stream window", ways, " ")
      split("as it was;recursive heads;window, refitted", what_it_is, ";")
      for (i = 1; i <= 3; i++)
        printf "| %s | %.2f | %.3f |\n", what_it_is[i], v["host", "drift", "rmse_thousandths_" ways[i]] / 1000, \
          v["host", "drift", "covered_permille_" ways[i]] / 1000
      print ""
      print "| 3 or 8, 71 pictures | accuracy | log loss | mutual information of digits | of noise | told apart (AUROC) |"
      print "|---|---:|---:|---:|---:|---:|"
      printf "| `classify` | %.3f | %.3f | %.3f | %.3f | %.3f |\n", v["host", "classify", "accuracy_permille"] / 1000, \
        v["host", "classify", "log_loss_thousandths"] / 1000, \
        v["host", "classify", "ignorance_thousandths_digits"] / 1000, \
        v["host", "classify", "ignorance_thousandths_noise"] / 1000, v["host", "classify", "told_apart_permille"] / 1000
    }' "$results"
}

print_json() {
  awk '
    { if (!($1 in t)) { t[$1] = 1; names[++n] = $1 }
      if (!(($1, $2) in e)) { e[$1, $2] = 1; list[$1] = list[$1] " " $2 }
      q = $4 ~ /^[0-9]+$/ && $3 != "hash" ? $4 : "\"" $4 "\""
      body[$1, $2] = body[$1, $2] (body[$1, $2] == "" ? "" : ", ") "\"" $3 "\": " q }
    END {
      print "{"
      for (i = 1; i <= n; i++) {
        printf "  \"%s\": {\n", names[i]
        k = split(list[names[i]], x, " ")
        for (j = 1; j <= k; j++) printf "    \"%s\": {%s}%s\n", x[j], body[names[i], x[j]], j < k ? "," : ""
        printf "  }%s\n", i < n ? "," : ""
      }
      print "}"
    }' "$results"
}
