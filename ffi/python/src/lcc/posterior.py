"""The posteriors of the papers: of one hidden unit given residuals (greedy), of M hidden units together (joint)."""

import ctypes
import warnings

import numpy

from . import _library as library
from ._library import CODES, STRUCTS, at, block, call, codes, name_of, number_by, options, size_by, whole
from ._progress import shown
from ._rows import Rows
from ._signature import with_options
from .certificates import certificates
from .samples import Run, Sample, heavy

#: Above it the chains disagree.
_RHAT = 1.05
#: The law of a method that needs no more words.
_EXACT = "the posterior"
#: Fewer draws of the prior that particles descend from are too few to trust them.
_FAMILIES = 10
#: Rows at which f is evaluated, where no others are asked for.
_QUERIES = 20


class Posterior:
    """What `GreedyPosterior`, `JointPosterior` and `NetworkPosterior` have in common. `dim` is the number of coordinates of w. Rows of float32
    are computed in single precision, others in double."""

    _raised = ()

    def __init__(self, posterior, x, y, given, network=None):
        self._rows = Rows(x, y)
        self._precision = self._rows.precision
        made = STRUCTS[f"lcc_problem_{self._precision}"]()
        call(f"lcc_problem_default_{self._precision}", ctypes.byref(made), self._rows.n)
        options("problem", self._precision, {name: value for name, value in given.items() if value is not None}, made)
        made.posterior = CODES[f"LCC_POSTERIOR_{posterior}"]
        if network is not None:
            made.network = ctypes.addressof(network)
        self._problem, self._network = made, network
        self.where = ctypes.byref(made), self._rows.pointer
        self.dim = size_by(f"lcc_problem_dim_{self._precision}", *self.where)
        self._shape = (made.neurons, self._rows.d) if posterior == "JOINT" else (self.dim,)

    def _values(self, values, shape, name):
        """Numbers of a shape, in the posterior's precision."""
        values = numpy.ascontiguousarray(values, self._rows.dtype)
        if values.size != numpy.prod(shape, dtype=int):
            raise ValueError(f"{name} has the shape {values.shape} in place of {shape}")
        return values

    def _scratch(self, name, *arguments):
        return block(size_by(f"lcc_{name}_scratch_{self._precision}", *self.where, *arguments))

    def log_density(self, w):
        """log p(w) up to the posterior's own constant (the prior is normalised), and its gradient."""
        w, value = self._values(w, self._shape, "w"), numpy.empty(1, self._rows.dtype)
        gradient, room = numpy.empty_like(w), self._scratch("problem")
        call(f"lcc_problem_log_density_{self._precision}", *self.where, at(w), at(room), room.size, at(value), at(gradient))
        return value[0], gradient

    def draw_prior(self, draws=1, seed=1):
        """Independent draws of w from the prior, a row each."""
        out, room = numpy.empty((whole(draws, "draws"), *self._shape), self._rows.dtype), self._scratch("problem_prior")
        call(f"lcc_problem_draw_prior_{self._precision}", *self.where, whole(seed, "seed", ctypes.c_uint64), len(out),
             at(room), room.size, at(out), out.size)
        return out

    @with_options("probe")
    def certify(self, *, probes=8, sample=None, **options):
        """What is proved of log-concavity, as `lcc certify` prints it: `Certificates`.

        `probes` searches are made for a xi at which p(xi) is not log-concave, each from two draws of w: of `sample`, a
        `Sample` of this posterior, else of 8 short chains. Options are the members of the header's `lcc_probe_options`.
        """
        asked = library.options("probe", self._precision, options)

        def draws():
            own = {"chains": 8, "warmup": 100, "draws": 200, "seed": asked.seed}
            return (self._sample("auto", own, None, None) if sample is None else sample).draws

        return certificates(self, asked, whole(probes, "probes"), draws)

    @with_options("auto", "sampler", "smc", "tempering")
    def sample(self, sampler="auto", *, queries=None, temperatures=None, progress=None, **options):
        """Draws of w by a sampler that `lcc sample --sampler` names; returns a `Sample`.

        `sampler` is "auto", which makes a short run of particles and chooses; "smc" (sequential Monte Carlo); "tempering";
        "gibbs" (coupled: xi given w, then w given xi), "xi-langevin" and "xi-mala" (on the score of p(xi)), "split-hmc",
        "hmc", "mala", "langevin", "random-walk", "independence", "reverse-diffusion", or on the l1 ball "hit-and-run" and
        others: `lcc --version` lists them. Options are the members of the header's `lcc_auto_options`, `lcc_smc_options`,
        `lcc_tempering_options` or `lcc_sampler_options` by the same names.

        `values["w"]` and `values["f"]` of the result are the draws, and the network at the rows `queries` (the first 20 of
        the data): psi(x.w) of a greedy posterior. `report` has the worst R-hat and effective sample sizes over these, of
        several hidden units over f alone: they may change places. Of a network `model` is the `Model` of all draws. A warning is
        given, and `trusted` is False, where R-hat is above 1.05, the method is langevin or diffusion-from-noise, whose law is another,
        particles descend from fewer than 10 draws of the prior, or
        nothing mixes.

        `temperatures`, increasing to 1, are those of smc or tempering; tempering without takes those of a short run of
        `particles` (256). A fitted `reference` of chains is fitted to such a run (512).
        """
        with shown(progress) as tell:
            result = self._sample(sampler, options, queries, temperatures, tell)
        if not result.trusted:
            warnings.warn(result.report, stacklevel=2)
        return result

    def _run(self, kind, given, tell, **more):
        asked = options(kind, self._precision, given)
        if "stored" not in given and hasattr(asked, "stored"):
            asked.stored = asked.draws
        run = Run(kind, self._precision, asked, *self.where, raised=self._raised, **more)
        return run.to_end(64 * self._rows.n, tell or (lambda share: None))

    def _climbed(self, particles, given):
        """A short run of particles before another."""
        own = {"particles": particles, "lanes": 1 if particles % 8 else 8, "seed": given.get("seed", 1)}
        return self._run("smc", own, None)

    def _sample(self, sampler, given, queries, temperatures, tell=None):
        given, name = {k: v for k, v in given.items() if v is not None}, str(sampler).replace("_", "-")
        names = ["auto", "smc", "tempering", *map(library.spelt, codes("METHOD"))]
        if name not in names:
            raise ValueError(f"sampler {sampler!r} is not one of {', '.join(names)}{library.nearest(name, names)}")
        if temperatures is not None and name not in ("smc", "tempering"):
            raise ValueError(f"temperatures are of smc and tempering, not of {name}")
        ladder = None if temperatures is None else numpy.ascontiguousarray(temperatures, self._rows.dtype).reshape(-1)
        if name == "auto":
            run = self._run("auto", given, tell)
        elif name == "smc" and ladder is None:
            run = self._run("smc", given, tell)
        elif name == "smc":
            run = self._run("smc", {**given, "ladder": "given", "stages": ladder.size}, tell, init="smc_init_given",
                            before=(at(ladder), ladder.size))
        elif name == "tempering":
            particles = given.pop("particles", 256)
            if ladder is None:
                climb = self._climbed(particles, given)
                stages = range(climb.by("climb", "smc_climb").stages)
                ladder = numpy.array([climb.by("stage", "smc_stage", k).temperature for k in stages], self._rows.dtype)
            run = self._run("tempering", {**given, "temperatures": ladder.size}, tell, before=(at(ladder), ladder.size))
        else:
            asked = options("sampler", self._precision, {k: v for k, v in given.items() if k != "particles"})
            library.check_read("method", codes("METHOD")[name.replace("-", "_")], asked, given)
            given, fitted = {**given, "method": name}, given.get("reference", "prior") not in ("prior", 0)
            pilot = self._climbed(given.pop("particles", 512), given) if fitted else None
            more = {"init": "sampler_init_from_smc", "after": (pilot.handle,)} if fitted else {}
            run = self._run("sampler", given, tell, **more)
        return self._told(run, name, queries)

    def _queries(self, queries):
        return Rows(self._rows.x[:_QUERIES] if queries is None else queries, dtype=self._rows.dtype)

    def _told(self, run, name, queries):
        """A run that is over as a sample."""
        choice, report = run.choice() if run.kind == "auto" else (None, "")  # and whether there are particles
        draws, summary = run.draws(self.dim)
        rows, values = self._queries(queries), {"w": draws.reshape(*draws.shape[:2], *self._shape)}
        of = {"w": summary._make(field.reshape(self._shape) for field in summary)}
        network, joint = self._network is not None, len(self._shape) > 1
        model = run.model() if network or joint else None
        if rows is not None:
            values["f"] = model.functions(rows.x).T.reshape(*draws.shape[:2], rows.n) if network else run.outputs(rows)
            of["f"] = run.summary_of(values["f"])
        chosen, evidence, error = name, numpy.nan, numpy.nan
        if run.kind == "auto":
            trusted, chosen = choice.verdict != CODES["LCC_VERDICT_UNRELIABLE"], name_of("CHOICE", choice.choice)
            evidence, error = choice.log_evidence, choice.log_evidence_error
        elif run.kind == "smc":
            own = run.by("evidence", "smc_evidence")
            trusted, evidence, error = own.families >= _FAMILIES, own.log, own.standard_error
            report = f"Particles descend from {own.families} draws of the prior{'' if trusted else ', too few to trust them'}"
        else:
            # Hidden units may change places: their weights have no R-hat to speak of.
            seen = [of["f"]] if rows is not None and (network or joint) else of.values()
            rhat = max(s.rhat.max() for s in seen)
            bulk, tail = min(s.ess_bulk.min() for s in seen), min(s.ess_tail.min() for s in seen)
            report, trusted = f"R-hat {rhat:.4f} at worst; ESS {bulk:.0f} (bulk), {tail:.0f} (tail) at least", not rhat > _RHAT
            if not trusted:
                report += f": the chains disagree, R-hat being above {_RHAT}; auto, smc and tempering cross between modes"
            law = library.function("lcc_method_law")(codes("METHOD")[name.replace("-", "_")]).decode() if run.kind == "sampler" else _EXACT
            if law != _EXACT:
                report += f". The draws' law is {law}"
                trusted = trusted and law.startswith(_EXACT)
        if run.kind == "tempering":  # its chains are independent
            logs = [number_by(f"lcc_tempering_log_evidence_{self._precision}", run.handle, k, out=run.real) for k in range(len(draws))]
            evidence = numpy.mean(logs)
            error = numpy.std(logs, ddof=1) / numpy.sqrt(len(logs)) if len(logs) > 1 else numpy.nan
        if run.kind in ("smc", "tempering"):
            report += f". Evidence: log {evidence:.4f} +- {error:.4f}"
        report = (report if run.kind == "auto" else report + ".") + heavy(of)
        return Sample(draws, summary, report, trusted, chosen, evidence, values, of, error,
                      model)


class GreedyPosterior(Posterior):
    """The posterior of one hidden unit given residuals r, p(w) ~ exp(alpha sum_i r_i psi(x_i.w)) p0(w), where `prior` p0 is
    "gaussian", N(0, scale^2 I), or "l1-ball", uniform on |w|_1 <= scale. `alpha` is 1/sqrt(n) where none is given."""

    def __init__(self, x, r, *, alpha=None, activation="tanh", prior="gaussian", scale=1.0):
        super().__init__("GREEDY", x, r, {"alpha": alpha, "activation": activation, "prior": prior, "scale": scale})


class JointPosterior(Posterior):
    """The posterior of M hidden units (`neurons`) whose weights in the output are known,
    p(w_1..w_M) ~ exp(-(beta/2) sum_i (y_i - (outer/M) sum_m s_m psi(x_i.w_m))^2) prod p0(w_m). `signs` s_m are "alternating"
    (+ - + - ...) or "positive"; the prior is as in `GreedyPosterior`. w has a row for each unit. A sample's `model` predicts, with
    Gaussian noise of the sd beta^(-1/2).

    With `layers`, the units of up to four hidden layers in place of `neurons`, every row of every layer has that prior, w are
    coordinates, N(0, 1) each under it, and there is no certificate. On the l1 ball "gibbs" then goes from layer to layer."""

    def __init__(self, x, y, *, neurons=8, layers=None, outer=4.0, beta=1.0, signs="alternating", activation="tanh",
                 prior="gaussian", scale=1.0):
        given = {"neurons": neurons, "outer": outer, "beta": beta, "signs": signs, "activation": activation, "prior": prior,
                 "scale": scale}
        if layers is None:
            super().__init__("JOINT", x, y, given)
        elif neurons != 8:
            raise ValueError("layers has the units of all layers: leave neurons out")
        else:
            network = library.options("bnn", Rows(x, y).precision, {"widths": layers})
            super().__init__("LAYERS", x, y, given, network)


class NetworkPosterior(Posterior):
    """The posterior of a network of up to four hidden layers (`widths`, or `()`), every weight free. Options are the members of
    the header's `lcc_bnn_options` that say what a network is and its prior: `output`, `activation`, `noise`, `scales` and so on.
    x and y are taken as they are: standardise them first; student-t noise needs a known `tail`. w are coordinates, N(0, 1) each
    under the law that chains start from. It has no coupling and no certificate."""

    @with_options("bnn", output="gaussian")
    def __init__(self, x, y, **options):
        precision = Rows(x, y).precision
        super().__init__("NETWORK", x, y, {}, library.options("bnn", precision, {"output": "gaussian", **options}))


__all__ = ["GreedyPosterior", "JointPosterior", "NetworkPosterior", "Posterior"]
