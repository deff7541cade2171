"""Writes diagnostics.json: what ArviZ says of draws that the Rust test makes again.

    pip install "arviz<1" numpy scipy
    python diagnostics.py

Draws come from a 64-bit linear congruential generator and + - * / alone, so that both languages
make the same bits; the file holds only the recipe of each case, a few draws as a check, and ArviZ's
values for the draws in double precision ("f64") and rounded to single ("f32").
"""

import json
import math
import pathlib
import warnings

import numpy as np

warnings.simplefilter("ignore")
import arviz as az  # noqa: E402
import scipy  # noqa: E402
from arviz.stats.stats_utils import quantile  # noqa: E402

PROBABILITIES = [0.05, 0.1, 0.25, 0.5, 0.9, 0.95]


class Lcg:
    def __init__(self, seed):
        self.s = seed

    def uniform(self):
        self.s = (self.s * 6364136223846793005 + 1442695040888963407) % 2**64
        return ((self.s >> 11) + 0.5) * 2.0**-53

    def noise(self):
        """Four uniforms less 2: nearly normal, variance 1/3."""
        u = self.uniform() + self.uniform()
        u = u + self.uniform()
        u = u + self.uniform()
        return u - 2.0


def make(case):
    g = Lcg(case["seed"])
    kind, a = case["kind"], case["a"]
    out = np.empty((case["chains"], case["draws"]))
    for c in range(case["chains"]):
        x = 0.0
        for t in range(case["draws"]):
            if kind == "ar1":
                e = g.noise()
                x = e if t == 0 else a * x + e
            elif kind == "ratio":
                x = (g.uniform() - 0.5) / g.uniform()
            elif kind == "discrete":
                x = float(int(5.0 * g.uniform()))
            elif kind == "sticky":
                u, e = g.uniform(), g.noise()
                if t == 0 or u > a:
                    x = e
            elif kind == "constant":
                x = 3.0
            elif kind == "constant_chains":
                x = float(c)
            elif kind == "trend":
                x = t + a * g.noise()
            elif kind == "one_odd":
                x = 1.0 if c == 0 and t == 0 else 3.0
            elif kind == "nan":
                x = math.nan if c == 0 and t == 2 else g.noise()
            out[c, t] = (x + case["shift"] * c) * case["scale"] + case["offset"]
    return out


def values(x):
    d = az.convert_to_dataset(x[:, :, None])
    get = lambda f, **k: float(f(d, **k)["x"].values[0])  # noqa: E731
    x64 = np.asarray(x, dtype=float)
    return {
        "mean": float(np.mean(x64)),
        "sd": float(np.std(x64, ddof=1)),
        "median": float(np.median(x64)),
        "quantile": [float(q) for q in quantile(x64, PROBABILITIES)],
        "rhat": get(az.rhat, method="rank"),
        "ess_bulk": get(az.ess, method="bulk"),
        "ess_tail": get(az.ess, method="tail"),
        "ess_mean": get(az.ess, method="mean"),
        "ess_sd": get(az.ess, method="sd"),
        "ess_quantile": [get(az.ess, method="quantile", prob=p) for p in PROBABILITIES],
        "mcse_mean": get(az.mcse, method="mean"),
        "mcse_sd": get(az.mcse, method="sd"),
        "bfmi": [float(b) for b in az.bfmi(x64)],
    }


def plain(v):
    """JSON knows neither NaN nor infinities."""
    if isinstance(v, dict):
        return {k: plain(w) for k, w in v.items()}
    if isinstance(v, list):
        return [plain(w) for w in v]
    return v if not isinstance(v, float) or math.isfinite(v) else str(v)


def main():
    cases = []

    def case(name, kind, chains, draws, a=0.0, shift=0.0, scale=1.0, offset=0.0):
        recipe = dict(name=name, kind=kind, chains=chains, draws=draws, a=a, shift=shift)
        recipe |= dict(scale=scale, offset=offset, seed=1000 + len(cases))
        x = make(recipe)
        recipe["first"] = [float(v) for v in x[0, :3]]
        recipe["last"] = float(x[-1, -1])
        recipe["f64"] = values(x)
        recipe["f32"] = values(x.astype(np.float32).astype(float))
        cases.append(plain(recipe))

    for chains, draws in [(4, 1000), (1, 2000), (2, 500), (8, 250), (3, 333), (4, 101), (16, 40)]:
        for a in [0.0, 0.5, 0.95, -0.6]:
            case(f"ar1 {a} {chains} x {draws}", "ar1", chains, draws, a=a)
    case("strongly antithetic", "ar1", 4, 400, a=-0.97)
    case("slow", "ar1", 4, 2000, a=0.995)
    case("shifted a little", "ar1", 4, 500, a=0.3, shift=0.2)
    case("shifted", "ar1", 4, 500, a=0.3, shift=2.0)
    case("scaled and offset", "ar1", 4, 500, a=0.7, scale=0.25, offset=100.0)
    case("tiny", "ar1", 4, 200, a=0.2, scale=1e-12)
    case("heavy tails", "ratio", 4, 1000)
    case("heavy tails, odd", "ratio", 5, 201)
    case("discrete", "discrete", 4, 500)
    case("discrete, odd", "discrete", 3, 77)
    case("sticky", "sticky", 4, 600, a=0.8)
    case("very sticky", "sticky", 2, 301, a=0.97)
    case("trend", "trend", 2, 200, a=10.0)
    case("constant", "constant", 4, 50)
    case("constant, odd", "constant", 1, 51)
    case("constant chains", "constant_chains", 4, 50)
    case("one odd draw", "one_odd", 4, 50)
    case("not a number", "nan", 4, 50)
    for draws in [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 15]:
        case(f"short {draws}", "ar1", 4, draws, a=0.4)
    case("short, one chain", "ar1", 1, 9, a=0.4)

    versions = {"arviz": az.__version__, "numpy": np.__version__, "scipy": scipy.__version__}
    path = pathlib.Path(__file__).with_suffix(".json")
    head = {"versions": versions, "probabilities": PROBABILITIES}
    lines = ",\n".join(json.dumps(c, allow_nan=False) for c in cases)
    path.write_text(json.dumps(head)[:-1] + ', "cases": [\n' + lines + "\n]}\n")


if __name__ == "__main__":
    main()
