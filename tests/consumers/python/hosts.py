"""Which host has what: writes docs/hosts.md (`LCC=lcc python3 hosts.py`, with the package on the path), after asking every host
for the names in ROWS. A test sees whether the page is stale, whether an object of the header has no row, and whether Julia has got what
the page says it lacks."""

import os
import re
import subprocess
import unittest
from pathlib import Path

import lcc

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs" / "hosts.md"
COMMAND = os.environ.get("LCC", "lcc")
HOSTS = ("Rust", "C", "C++", "Julia", "Python", "command line")
# What; module of the core; C's prefix; C++'s class; Julia's function and names; Python's name and argument; lcc's command and words.
ROWS = """
a Bayesian network by many chains, modes, Gaussians | estimator/bnn | bnn | bnn | fit | fit | fit --method bnn
a few long chains, for microcontrollers | estimator/regressor | network | network | fit :network | fit network | fit --method network
Greedy Bayes | estimator/greedy_bayes | greedy | greedy | fit :greedy | greedy_bayes | fit --method greedy --as-printed
Greedy Bayes row by row | estimator/prequential | prequential | prequential | prequential | Prequential | fit --method prequential
greedy least squares | estimator/relaxed | relaxed | relaxed | fit :relaxed | greedy_least_squares | fit --method relaxed
a model that goes on learning | stream | stream | stream | stream | Stream | fit --stream
the last rows of a stream | stream/window | window | window | | |
a variational auto-encoder | estimator/vae | vae | vae | vae | Vae | vae
the posterior of one hidden unit | likelihood | problem | problem | GreedyProblem | GreedyPosterior | sample --posterior greedy
the posterior of M hidden units | likelihood | problem | problem | JointProblem | JointPosterior | sample --posterior joint
the posterior of all weights of a network | posterior | problem | problem | NetworkProblem | NetworkPosterior |
a density of your own | density | problem | density | DensityProblem | sample |
its constraints | transform | parameters | parameters | Parameters | Parameters |
its place and width | warmup | warmup | warmup | | |
the sampler that chooses | auto | auto | automatic | sample :auto | sample | sample --sampler auto
chains: Gibbs and Langevin on xi, HMC, hit-and-run | sampler | sampler | sampler | sample :gibbs | Posterior.sample gibbs xi-langevin | sample --sampler gibbs
sequential Monte Carlo, with the evidence | smc | smc | smc | sample :smc | Posterior.sample smc | sample --sampler smc
parallel tempering | tempering | tempering | tempering | sample :tempering | Posterior.sample tempering | sample --sampler tempering
Gibbs over the layers of a deep posterior | sampler/layers | problem | problem | JointProblem layers | JointPosterior | sample --layers
certificates | certificate | certificates | certificates | certify | Posterior.certify | certify --probes
the coupling: rho, xi, score and Hessian of p(xi) | coupling | coupling | coupling | Coupling | Coupling |
fewer draws of a model | predict/thin | model_thin | thinned | thin | Model.thin | convert --draws
leave-one-out | diagnostics/loo | loo | loo | loo | loo | loo
what the papers bound | theory | theory | theory | Theory | theory | theory
"""


def text_of(*patterns):
    return "".join(path.read_text("utf-8") for pattern in patterns for path in sorted(ROOT.glob(pattern)))


def run(*arguments):
    return subprocess.run([COMMAND, *arguments], check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout


def cells():
    """The rows, every name of which its host knows."""
    header, cpp = text_of("include/lcc/f64.h"), text_of("include/lcc/*.hpp")
    julia, stubs = text_of("ffi/julia/src/*.jl"), text_of("ffi/python/src/lcc/*.pyi")
    versions, missing, made = run("--version"), [], []
    for line in ROWS.strip().splitlines():
        what, rust, c, plus, jl, py, command = (cell.strip() for cell in line.split("|"))
        (name, *symbols), (dotted, *words), (verb, *flags) = (cell.split() or [""] for cell in (jl, py, command))
        exported = re.search(rf"^export .*\b{name}\b", julia, re.M)
        known = lcc
        for part in filter(None, dotted.split(".")):
            known = getattr(known, part, None)
        page = run(verb, "--help") + versions if verb else ""
        missing += [(what, host) for host, there in (
            ("Rust", any((ROOT / "core" / "src").glob(f"{rust}*"))), ("C", not c or f" lcc_{c}_" in header),
            ("C++", not plus or re.search(rf"\b(class|struct) {plus}\b|[> ]{plus}\(", cpp)), ("Julia", exported and all(s in julia for s in symbols)),
            ("Julia lacks it", name or not re.search(rf"ABI\.{c}_\w+\(", julia)),
            ("Python", known is not None and all(f'"{w}"' in stubs for w in words)),
            ("command line", all(re.search(rf"(?<![\w-]){flag}(?![\w-])", page) for flag in flags))) if not there]
        call = f"{name}({''.join(symbols)})" if symbols else name
        made.append((what, rust.replace("/", "::"), c and f"lcc_{c}_", plus and f"lcc::{plus}", call,
                     dotted and f"lcc.{dotted}" + (f'("{words[0]}")' if words else ""), command and f"lcc {command}"))
    missing += [(kind, "no row") for kind in set(re.findall(r"lcc_([a-z]+)_init\w*_f64", header)) - {row[2][4:-1] for row in made}]
    assert not missing, missing
    return made


def text():
    """The page."""
    rows = [[row[0], *(f"`{cell}`" if cell else "" for cell in row[1:])] for row in cells()]
    rows = [["what", *HOSTS], ["---"] * 7, *([cell or "-" for cell in row] for row in rows)]
    table = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    return f"# Which host has what\n\nWritten by `tests/consumers/python/hosts.py`, which asks every host for these names.\n\n{table}\n"


class Hosts(unittest.TestCase):
    def test_the_page_says_what_every_host_has(self):
        self.assertEqual(PAGE.read_text("utf-8"), text(), "LCC=lcc python3 tests/consumers/python/hosts.py writes it anew")


if __name__ == "__main__":
    PAGE.write_text(text(), "utf-8")
