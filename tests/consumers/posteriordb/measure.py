#!/usr/bin/env python3
"""LCC on posteriordb: one JSON line a posterior.

    measure.py --lib liblcc.a --include DIR [--only NAME,...] [--mode auto] [--seeds 4] [--limit 120]
           [--jobs 1] [--each] [--cxx c++] [key=value ...]

--lib      the static library, or a shared one
--only     parts of names
--mode     auto, sampler, smc, pipeline, tempering; for comparison, nothing of LCC: nuts, and nutpie by its defaults (from the
           Python that runs this, as `target/shapes/env/bin/python` of `tests/shapes`)
--limit    CPU seconds a run
--each     a line a seed besides
--table    cells of tests/results/posteriordb.md in place of JSON: thousand gradients of a run (the median and the most), runs
           that are right, runs with an R-hat of at most 1.01, an ESS of 400 (in bulk and tail) and no divergence, the least ESS
           (the median), the worst mean in sds and the worst sd
--strict   says of each posterior whether every run is right (means within 4.5 standard errors, sds within 10 %) or
           warned of, and fails where one is calmly wrong (a mean .3 sd off, an sd 30 %) or fewer than --least are right
key=value  options of LCC's structs, as scale=10, draws=2000, method=hmc, leapfrogs=16
"""
import argparse, ctypes, gzip, json, math, os, subprocess, sys, tempfile, time, warnings
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))


def flat(data, path):
    with open(path, "w") as f:
        f.write("model %s\n" % data["model"])
        for k, v in data.items():
            if k not in ("model", "params"):
                f.write("%s %d %s\n" % (k, len(v), " ".join(repr(float(x)) for x in v)))


def run(binary, mode, file, seed, limit, options):
    p = subprocess.run([binary, mode, file, str(seed), str(limit), *options], capture_output=True, text=True,
                       timeout=None)
    try:
        r = json.loads(p.stdout.strip().splitlines()[-1])
    except Exception:
        return {"crash": p.returncode, "stderr": p.stderr[-300:]}
    r["seed"] = seed
    return r


def rival(library, file, seed):
    """A run of nutpie by its defaults, told as the harness tells one of LCC."""
    import arviz, numpy as np, nutpie
    from nutpie.compiled_pyfunc import from_pyfunc
    warnings.filterwarnings("ignore")
    harness = ctypes.CDLL(library)
    harness.open_density.restype = ctypes.c_void_p
    model = ctypes.c_void_p(harness.open_density(file.encode()))
    dim, outs, value, calls = ctypes.c_size_t(), ctypes.c_size_t(), ctypes.c_double(), [0]
    harness.sizes(model, ctypes.byref(dim), ctypes.byref(outs))
    pointer = lambda a: a.ctypes.data_as(ctypes.c_void_p)
    def density(x):
        x, g = np.ascontiguousarray(x), np.zeros(dim.value)
        calls[0] += 1
        inside = harness.callback(dim, pointer(x), pointer(g), ctypes.byref(value), model) == 0
        return (value.value, g) if inside else (-math.inf, g)
    def outputs(*_):
        def constrain(x):
            x, out = np.ascontiguousarray(x), np.zeros(outs.value)
            harness.constrain(model, pointer(x), pointer(out))
            return {"x": out}
        return constrain
    compiled = from_pyfunc(dim.value, lambda: density, outputs, [np.dtype("float64")], [(outs.value,)], ["x"])
    began = time.process_time()
    try:
        trace = nutpie.sample(compiled, seed=seed, progress_bar=False, cores=1)
    except Exception as e:
        return {"crash": type(e).__name__, "stderr": str(e), "seed": seed}
    s = arviz.summary(trace, var_names=["x"], round_to="none")
    list_of = lambda column: [float(x) if math.isfinite(x) else None for x in s[column]]
    ess = [float(min(a, b)) for a, b in zip(s["ess_bulk"], s["ess_tail"])]
    divergent, rhat = int(trace.sample_stats["diverging"].sum()), list_of("r_hat")
    sound = divergent == 0 and max(x or math.inf for x in rhat) <= 1.01
    return {"mean": list_of("mean"), "sd": list_of("sd"), "se": list_of("mcse_mean"), "sd_se": list_of("mcse_sd"), "rhat": rhat, "ess": ess,
            "gradients": calls[0], "seconds": time.process_time() - began, "divergent": divergent, "choice": "nutpie",
            "verdict": "mixed" if sound else "unreliable", "seed": seed}


def compare(r, ref):
    """Adds the worst z of means and sds and the worst relative error of sds."""
    if r.get("crash") is not None or not r["mean"]: return r
    f = lambda v, w=0.0: w if v is None else v
    z = [(f(m, math.nan) - a) / math.hypot(f(e, 0), b) for m, e, a, b in zip(r["mean"], r["se"], ref["mean"], ref["mean_error"])]
    zs = [(f(m, math.nan) - a) / math.hypot(f(e, 0), b) for m, e, a, b in zip(r["sd"], r["sd_se"], ref["sd"], ref["sd_error"])]
    rel = [f(s, math.nan) / a - 1 for s, a in zip(r["sd"], ref["sd"])]
    off = [(f(m, math.nan) - a) / s for m, a, s in zip(r["mean"], ref["mean"], ref["sd"])]
    worst = lambda v: max(range(len(v)), key=lambda i: abs(v[i]) if v[i] == v[i] else math.inf)
    for name, v in (("z", z), ("z_sd", zs), ("sd_error", rel), ("off", off)):
        k = worst(v)
        r["worst_" + name], r["worst_" + name + "_at"] = round(v[k], 4), ref["names"][k]
    r["max_rhat"] = max((x for x in r["rhat"] if x is not None), default=None)
    r["min_ess"] = min((x for x in r["ess"] if x is not None), default=None)
    return r


def summary(name, mode, options, runs, d, ref):
    good = [r for r in runs if r.get("worst_z") is not None]
    line = {"posterior": name, "mode": mode, "options": options, "d": d, "runs": len(runs), "finished": len(good)}
    worst = lambda k: max((r[k] for r in good if r.get(k) is not None), key=abs, default=None)
    mid = lambda k: sorted(r[k] for r in runs if k in r and r[k] is not None)[len([r for r in runs if k in r and r[k] is not None]) // 2] \
        if any(r.get(k) is not None for r in runs) else None
    line["choice"] = ",".join(sorted({r.get("choice", "?") for r in runs}))
    line["verdict"] = ",".join(r.get("verdict", "") or "-" for r in runs)
    line["messages"] = sorted({"%s: %s" % (r["where"], r["message"]) for r in runs if r.get("message")}
                              | {"crash %s" % r["crash"] for r in runs if "crash" in r} | {"time limit" for r in runs if r.get("timed_out")})
    for k in ("worst_z", "worst_z_sd", "worst_sd_error", "worst_off"): line[k] = worst(k)
    line["worst_z_at"] = max(good, key=lambda r: abs(r["worst_z"]))["worst_z_at"] if good else None
    line["max_rhat"] = worst("max_rhat")
    line["rhat_reported"] = worst("rhat_reported")
    for k in ("seconds", "gradients", "values", "outside", "stages", "min_ess", "acceptance", "e_bfmi", "step", "divergent"):
        v = mid(k)
        line[k] = float("%.4g" % v) if v is not None else None
    rates = sorted(r["min_ess"] / r["seconds"] for r in good if r.get("min_ess") and r["seconds"])
    per = sorted(1000 * r["min_ess"] / max(r["gradients"], 1) for r in good if r.get("min_ess"))
    line["ess_per_second"] = float("%.4g" % rates[len(rates) // 2]) if rates else None
    line["ess_per_1000_gradients"] = float("%.4g" % per[len(per) // 2]) if per else None
    if len(good) > 1:  # over the seeds: the mean of means against its spread, whatever the runs say of their errors
        zs = []
        for k in range(len(ref["names"])):
            v = [r["mean"][k] for r in good]
            if None in v: continue
            m = sum(v) / len(v)
            e = math.sqrt(sum((x - m) ** 2 for x in v) / (len(v) - 1) / len(v))
            said = math.sqrt(sum((r["se"][k] or 0) ** 2 for r in good)) / len(v)
            zs.append((abs(m - ref["mean"][k]) / math.hypot(max(e, said), ref["mean_error"][k]), ref["names"][k], e / said if said else None))
        if zs: line["pooled_z"], line["pooled_z_at"] = round(max(zs)[0], 2), max(zs)[1]
    line["explain"] = next((r["explain"] for r in runs if r.get("explain")), None)
    return line


def judged(r):
    """right, warned (not right, and said so), off (beyond its error, yet near) or WRONG (far, and calm)."""
    if r.get("worst_z") is None: return "none"
    if abs(r["worst_z"]) < 4.5 and abs(r["worst_sd_error"]) < 0.1 and r["verdict"] != "unreliable": return "right"
    if r["verdict"] == "unreliable": return "warned"
    return "WRONG" if abs(r["worst_off"]) > 0.3 or abs(r["worst_sd_error"]) > 0.3 else "off"


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--lib", required=True)
    p.add_argument("--include", required=True)
    p.add_argument("--only", default="")
    p.add_argument("--skip", default="", help="parts of names")
    p.add_argument("--mode", default="auto")
    p.add_argument("--seeds", type=int, default=4)
    p.add_argument("--first-seed", type=int, default=1)
    p.add_argument("--limit", type=float, default=120)
    p.add_argument("--jobs", type=int, default=1)
    p.add_argument("--each", action="store_true")
    p.add_argument("--table", action="store_true")
    p.add_argument("--strict", action="store_true")
    p.add_argument("--least", type=int, default=0, help="posteriors of which every run must be right")
    p.add_argument("--cxx", default=os.environ.get("CXX", "c++"))
    p.add_argument("--check", help="a folder of reference draws (extract.py --raw): checks the densities, samples nothing")
    p.add_argument("--affine", help="a folder of files of locations and widths, for coordinates of the caller's own")
    p.add_argument("options", nargs="*")
    a = p.parse_args()
    reference = json.load(open(os.path.join(HERE, "reference.json")))
    right, wrong = 0, []
    with tempfile.TemporaryDirectory() as tmp:
        binary = os.path.join(tmp, "harness")
        lib = os.path.abspath(a.lib)
        shared = ["-shared", "-fPIC"] if a.mode == "nutpie" else []
        subprocess.run([a.cxx, "-std=c++17", "-O3", "-ffp-contract=off", *shared, "-I", a.include, os.path.join(HERE, "harness.cpp"), lib,
                        "-Wl,--gc-sections", "-Wl,-rpath," + os.path.dirname(lib), "-o", binary], check=True)
        for name, ref in reference.items():
            if a.only and not any(part and part in name for part in a.only.split(",")) or any(part and part in name for part in a.skip.split(",")): continue
            path = os.path.join(HERE, "data", name + ".json")
            data = json.load(open(path) if os.path.exists(path) else gzip.open(path + ".gz"))
            file = os.path.join(tmp, name + ".txt")
            flat(data, file)
            if a.check:
                raw = os.path.join(a.check, name + ".txt")
                if os.path.exists(raw):
                    out = subprocess.run([binary, "check", file, "1", "1", "raw=" + raw], capture_output=True, text=True)
                    print(name, out.stdout.strip() or out.stderr.strip() or out.returncode, flush=True)
                continue
            options = list(a.options)
            if a.affine: options.append("affine=" + os.path.join(a.affine, name + ".txt"))
            seeds = range(a.first_seed, a.first_seed + a.seeds)
            one = lambda s: rival(binary, file, s) if a.mode == "nutpie" else run(binary, a.mode, file, s, a.limit, options)
            with ThreadPoolExecutor(a.jobs) as pool:
                runs = list(pool.map(lambda s: compare(one(s), ref), seeds))
            if a.each:
                for r in runs: print(json.dumps({"posterior": name, **r}), flush=True)
            if a.strict:
                said = [judged(r) for r in runs]
                right += all(s == "right" for s in said)
                wrong += [name for s in said if s == "WRONG"]
                worst = lambda k: max((abs(r[k]) for r in runs if r.get(k) is not None), default=math.nan)
                print("%-44s %s; z %.2f, off %.3f sd, sds %.3f, %d gradients, %.1f s" % (name, ", ".join(said), worst("worst_z"), worst("worst_off"), worst("worst_sd_error"), max(r.get("gradients", 0) for r in runs), max(r.get("seconds", 0) for r in runs)), flush=True)
                continue
            dims = {"hmm_example": 4, "hmm_drive_0": 6, "hmm_drive_1": 6}
            d = next((v for k, v in dims.items() if data["model"] == k), len(ref["names"]))
            line = summary(name, a.mode, a.options, runs, d, ref)
            if a.table:
                thousand = lambda g: ("%.0f" if g >= 1e5 else "%.3g") % (g / 1000)
                good = [r for r in runs if r.get("worst_z") is not None]
                passed = lambda r: (r["max_rhat"] or math.inf) <= 1.01 and r["min_ess"] >= 400 and not r.get("divergent")
                middle = lambda key: sorted(r[key] for r in good)[len(good) // 2]
                cells = [name, d, "%s (%s)" % (thousand(middle("gradients")), thousand(max(r["gradients"] for r in good))),
                         sum(judged(r) == "right" for r in runs), sum(map(passed, good)), "%.0f" % middle("min_ess"),
                         "%.3f" % max(abs(r["worst_off"]) for r in good), "%.0f %%" % (100 * max(abs(r["worst_sd_error"]) for r in good))] if good else [name, line["messages"]]
                print("| " + " | ".join(map(str, cells)) + " |", flush=True)
                continue
            print(json.dumps(line), flush=True)
    if a.strict:
        print("%d posteriors right in every run; calmly wrong: %s" % (right, ", ".join(wrong) or "none"))
        sys.exit(bool(wrong) or right < a.least)


main()
