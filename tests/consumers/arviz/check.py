"""Runs lcc, reads its draws by ArviZ, and compares names, shapes and diagnostics with lcc's own report."""

import glob
import json
import math
import subprocess
import sys
import warnings

import arviz as az
import numpy as np

warnings.filterwarnings("ignore")
LCC = sys.argv[1]
CHAINS, WARMUP, DRAWS = 4, 200, 500


def table(rows):
    """A smooth target of two inputs."""
    generator = np.random.default_rng(7)
    x = generator.uniform(-1, 1, (rows, 2)).round(6)
    y = np.tanh(2 * x[:, 0]) - x[:, 1] + 0.1 * generator.standard_normal(rows).round(6)
    with open("d.csv", "w", encoding="ascii") as out:
        out.write("a,b,y\n")
        out.writelines(f"{a:.6f},{b:.6f},{t:.6f}\n" for (a, b), t in zip(x, y))
    return x


def run(name, *arguments):
    """The report and what ArviZ reads of the draws."""
    command = [LCC, *arguments, "--data", "d.csv", "--quiet", "--draws-csv", name, "--json", f"{name}.json"]
    subprocess.run([*command, "--chains", str(CHAINS), "--warmup", str(WARMUP), "--draws", str(DRAWS)],
                   check=True, stdout=subprocess.DEVNULL)
    with open(f"{name}.json", encoding="ascii") as file:
        report = json.load(file)
    return report, az.from_cmdstan(sorted(glob.glob(f"{name}_[0-9]*.csv")))


def close(what, ours, theirs, tolerance):
    assert math.isfinite(ours), f"{what}: {ours}"
    assert abs(ours - theirs) <= tolerance * abs(theirs), f"{what}: {ours} here, {theirs} by ArviZ"
    print(f"{what}: {ours:.6g}, off by {abs(ours / theirs - 1):.1e}")


def check_diagnostics(name, report, quantities, tolerance):
    """The worst of R-hat and ESS over arrays of chains by draws."""
    # Folded about the median, the two middle draws are as far out as each other: their ranks hang on the last bit.
    close(f"{name}: R-hat", report["rhat_max"], max(az.rhat(q) for q in quantities), max(tolerance, 1e-4))
    close(f"{name}: bulk ESS", report["ess_bulk_min"], min(az.ess(q, method="bulk") for q in quantities), tolerance)
    if "ess_tail_min" in report:
        tail = min(az.ess(q, method="tail") for q in quantities)
        close(f"{name}: tail ESS", report["ess_tail_min"], tail, tolerance)


def check_format(name, data, parameter, size, leapfrogs):
    posterior, stats = data.posterior, data.sample_stats
    assert list(posterior.data_vars) == [parameter], posterior
    assert posterior[parameter].shape == (CHAINS, DRAWS, size), posterior[parameter].shape
    assert np.isfinite(posterior[parameter]).all() and np.ptp(posterior[parameter].values) > 0
    wanted = {"lp", "acceptance_rate", "step_size", "diverging", "energy"} | ({"n_steps"} if leapfrogs else set())
    assert set(stats.data_vars) == wanted, stats
    assert stats["diverging"].dtype == bool and (stats["step_size"] > 0).all()
    assert stats["acceptance_rate"].min() >= 0 and stats["acceptance_rate"].max() <= 1
    if leapfrogs:
        assert (stats["n_steps"] == leapfrogs).all()
    attributes = posterior.attrs
    assert attributes["num_warmup"] == [str(WARMUP)] * CHAINS and attributes["save_warmup"] == ["0"] * CHAINS
    assert attributes["num_samples"] == [str(DRAWS)] * CHAINS
    for chain, step in enumerate(attributes["step_size"]):
        assert float(step) == stats["step_size"].values[chain, 0], f"{name}: the step size of chain {chain}"


def check_sample(name, x, leapfrogs, *arguments):
    report, data = run(name, "sample", *arguments)
    check_format(name, data, "w", 2, leapfrogs)
    assert data.posterior.attrs["inverse_mass_matrix"] == ["[1.0, 1.0]"] * CHAINS
    w = data.posterior["w"].values
    outputs = np.tanh(np.einsum("cdj,qj->qcd", w, x[:20]))
    single = report["precision"] == "f32"
    # The same published estimators: what is left is rounding.
    tolerance = 2e-3 if single else 1e-8
    check_diagnostics(name, report, [w[:, :, 0], w[:, :, 1], *outputs], tolerance)
    for q, output in enumerate(outputs):
        close(f"{name}: MCSE at query {q}", report["mcse"][q], float(az.mcse(output)), tolerance)
        close(f"{name}: mean at query {q}", report["expectation"][q], output.mean(), tolerance)
    for j in range(2):
        close(f"{name}: variance of w.{j + 1}", report["variance"][j], w[:, :, j].var(ddof=1), tolerance)


def check_fit(name, *arguments):
    report, data = run(name, "fit", "--method", "network", "--neurons", "3", *arguments)
    check_format(name, data, "f", 20, 24)
    f = data.posterior["f"].values
    tolerance = 2e-3 if report["parameters"]["precision"] == "f32" else 1e-8
    check_diagnostics(name, report, [f[:, :, k] for k in range(20)], tolerance)
    assert report["divergences"] == int(data.sample_stats["diverging"].sum())
    acceptance = float(data.sample_stats["acceptance_rate"].mean())
    close(f"{name}: acceptance", report["acceptance"], acceptance, tolerance)


inputs = table(80)
check_sample("hmc", inputs, 4, "--sampler", "split-hmc", "--alpha", ".05")
# Chains that move slowly: R-hat above 1 and small ESS.
check_sample("walk", inputs, 0, "--sampler", "random-walk", "--alpha", ".3")
check_sample("single", inputs, 4, "--sampler", "hmc", "--alpha", ".05", "--precision", "f32", "--seed", "3")
check_fit("network")
check_fit("network64", "--precision", "f64", "--seed", "2")
print("passed")
