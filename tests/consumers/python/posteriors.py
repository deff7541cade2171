"""The posteriors of the papers, their coupling and certificates, and what learns level by level or row by row: against
quadrature (tests/reference) and the command line's page."""

import json
import os
import re
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import numpy as np

import lcc

ROOT = Path(__file__).resolve().parents[3]


def reference(name):
    return json.loads((ROOT / "tests" / "reference" / f"{name}.json").read_text("utf-8"))["cases"]


def settings(case):
    """The activation and the prior of a case."""
    prior = case["prior"]
    kind, scale = ("l1-ball", prior["radius"]) if prior["kind"] == "l1" else ("gaussian", prior["sigma0"])
    return {"activation": case["activation"].replace("_", "-"), "prior": kind, "scale": scale}


def greedy(case, dtype=float, **other):
    x, r = np.array(case["X"], dtype), np.array(case["r"], dtype)
    return lcc.GreedyPosterior(x, r, **{"alpha": case["alpha"], **settings(case), **other})


def joint(case):
    signs = "positive" if all(s > 0 for s in case["signs"]) else "alternating"
    return lcc.JointPosterior(case["X"], case["y"], neurons=case["M"], outer=case["V"], beta=case["beta"], signs=signs,
                              **settings(case))


def g2(**options):
    data = np.loadtxt(ROOT / "tests" / "data" / "targets" / "G2.csv", delimiter=",", skiprows=1)
    return lcc.GreedyPosterior(data[:, :2], data[:, 2], **{"scale": 2, **options})


class Posteriors(unittest.TestCase):
    def agrees(self, summary, exact, most=5):
        np.testing.assert_array_less(np.abs(summary.mean - np.array(exact)), most * summary.error)

    def test_samplers_have_the_means_of_quadrature(self):
        """A mean that is off by a tenth of its sd is off by 6 errors and more."""
        for case in reference("greedy_posterior_d2"):
            if case["regime"] not in ("weak", "strong"):
                continue
            exact, samplers = case["result"], ["auto", "gibbs", "smc", "tempering"]
            samplers.append("hit-and-run" if case["prior"]["kind"] == "l1" else "split-hmc")
            for seed, sampler in enumerate(samplers):
                s = greedy(case).sample(sampler, queries=case["query"], seed=seed + 1)
                self.agrees(s.of["w"], exact["mean"])
                self.agrees(s.of["f"], exact["E_psi_query"])
                self.assertLess(s.of["w"].error.max(), 0.1 * s.of["w"].sd.max())
                self.assertEqual((s.draws.shape, s.trusted), (s.values["w"].shape, True))
            for sampler, more in (("smc", {"particles": 4096}), ("tempering", {})):
                s = greedy(case).sample(sampler, **more)
                self.assertLess(abs(s.log_evidence - exact["log_Z"]), 5 * s.log_evidence_error + 1e-3)
            single = greedy(case, np.float32).sample("split-hmc", queries=np.array(case["query"], np.float32))
            self.assertEqual((single.draws.dtype, single.values["f"].dtype), (np.float32, np.float32))
            self.agrees(single.of["f"], exact["E_psi_query"])
            # Pairs: one chain of each for R-hat, errors of the means of pairs.
            pairs = greedy(case).sample("split-hmc", antithetic=1, chains=32, queries=case["query"])
            self.agrees(pairs.of["f"], exact["E_psi_query"])

    def test_joint_posteriors_have_the_means_of_quadrature(self):
        for case in reference("joint_posterior"):
            p, exact = joint(case), case["result"]
            s = p.sample("smc", particles=4096, queries=case["query"])
            self.agrees(s.of["f"], exact["E_f_query"])
            self.assertLess(abs(s.log_evidence - exact["log_Z"]), 5 * s.log_evidence_error + 1e-3)
            self.assertEqual(s.values["w"].shape, (4096, 1, case["M"], case["d"]))
            told = s.model.predict(case["query"])
            np.testing.assert_allclose(told.mean, s.of["f"].mean, rtol=1e-9, atol=1e-12)
            np.testing.assert_allclose(told.sd ** 2, 1 / case["beta"] + s.values["f"].var((0, 1)), rtol=1e-6)
            value, slope = p.log_density(s.values["w"][0, 0])
            self.assertEqual((np.shape(value), slope.shape), ((), (case["M"], case["d"])))

    def test_a_network_without_hidden_layers_is_linear_regression(self):
        """Mean, sd and evidence by the formulas."""
        rng = np.random.default_rng(4)
        x, new, noise = rng.normal(size=(8, 2)), np.array([[0.5, -0.5], [2.0, 1.0]]), 0.6
        y = 0.4 + x @ [1.0, -0.5] + noise * rng.normal(size=8)
        p = lcc.NetworkPosterior(x, y, widths=(), noise=noise, scales="known", linear_scale=1.5, intercept_sd=2.0)
        self.assertEqual(p.dim, 3)
        design, at, prior = np.column_stack([np.ones(8), x]), np.column_stack([np.ones(2), new]), np.diag([4.0, 2.25, 2.25])
        covariance = design @ prior @ design.T + noise**2 * np.eye(8)
        gain = at @ prior @ design.T @ np.linalg.inv(covariance)
        sd = np.sqrt(np.diag(at @ prior @ at.T - gain @ design @ prior @ at.T))
        evidence = -0.5 * (8 * np.log(2 * np.pi) + np.linalg.slogdet(covariance)[1] + y @ np.linalg.solve(covariance, y))
        for sampler in ("auto", "hmc", "smc"):
            s = p.sample(sampler, queries=new)
            self.agrees(s.of["f"], gain @ y)
            np.testing.assert_allclose(s.of["f"].sd, sd, rtol=0.1)
            np.testing.assert_allclose(s.model.predict(new).mean, s.of["f"].mean)
            self.assertEqual(s.model.info["draws"], s.draws[..., 0].size)
        self.assertLess(abs(s.log_evidence - evidence), 5 * s.log_evidence_error)
        for call in (p.certify, lambda: lcc.Coupling(p)):
            with self.assertRaisesRegex(lcc.LccError, "LCC_ERROR_POSTERIOR|LCC_ERROR_NO_COUPLING"):
                call()

    def test_the_numbers_are_those_of_the_command_line(self):
        """docs/papers.md, whose numbers are what the command line prints, in full."""
        page = (ROOT / "docs" / "papers.md").read_text("utf-8")
        weak, strong = g2(alpha=0.006), g2(alpha=1)
        table = str(weak.certify()).splitlines()
        for line in re.search(r"  certificate .*?(?=\.\.\.)", page, re.S)[0].splitlines():
            self.assertIn(line, table)
        self.assertIn("\n".join(str(strong.certify()).splitlines()[-9:]), page)
        self.assertIn(weak.sample("gibbs").report.split("; ")[0].replace("R-hat ", "R-hat       "), page)
        with self.assertWarnsRegex(UserWarning, "the chains disagree, R-hat being above 1.05"):
            stuck = strong.sample("gibbs")
        self.assertFalse(stuck.trusted)
        self.assertIn(stuck.report.split(":")[0].replace("R-hat ", "R-hat       "), page)
        for biased in ("langevin", "diffusion-from-noise"):
            with self.assertWarnsRegex(UserWarning, "The draws' law is (near|not) the posterior"):
                self.assertFalse(weak.sample(biased, draws=50).trusted)
        self.assertRegex(weak.sample("xi-mala", draws=200).report, "but for what the inner chain's error leaves")
        found = strong.sample()
        self.assertIn(f"evidence    log {found.log_evidence:.4f} +- {found.log_evidence_error:.4f}", page)
        exact = json.loads((ROOT / "tests" / "reference" / "g2.json").read_text("utf-8"))
        self.agrees(found.of["f"], exact["estimate"])
        self.assertLess(abs(found.log_evidence - exact["log_evidence"]), 4 * found.log_evidence_error)

    def test_particles_have_errors_and_no_rhat(self):
        s = g2(alpha=10).sample()
        self.assertEqual((s.choice, s.draws.shape[1:]), ("particles", (1, 2)))
        for summary in s.of.values():
            self.assertTrue(np.isnan(summary.rhat).all() and np.isfinite(summary.error).all() and (summary.sd > 0).any())
        np.testing.assert_allclose(s.of["w"].sd, s.draws.std(axis=(0, 1), ddof=1))
        self.assertIn(f"{len(s.draws)} particles.", str(s))

    def test_certificates_say_what_holds(self):
        own = g2(alpha=0.006)
        quick = own.certify(probes=0)
        self.assertEqual((quick.conclusion, quick.visited), ("already-log-concave", 0))
        self.assertEqual(list(quick.entries), ["lemma-2", "rho-two-sided", "rho-one-sided"])
        self.assertEqual(quick.entries["lemma-2"].status, "already-log-concave")
        again = own.certify(sample=own.sample(chains=8, warmup=100, draws=200))
        self.assertEqual(again, own.certify())
        with self.assertRaisesRegex(lcc.LccError, "LCC_ERROR_KINK"):
            g2(activation="relu").certify()
        unbounded = lcc.JointPosterior(own._rows.x, own._rows.y, activation="softplus")  # its residual has no bound: no coupling
        self.assertEqual(unbounded.certify().visited, 0)
        with self.assertRaisesRegex(lcc.LccError, "LCC_ERROR_NO_COUPLING"):
            lcc.Coupling(unbounded)

    def test_the_coupling_is_that_of_the_formulas(self):
        for case in reference("coupling_d2_n3"):
            p = greedy(case)
            for variant in case["variants"]:
                two = variant["variant"].startswith("two_sided")
                coupling = lcc.Coupling(p, "two-sided" if two else "one-sided")
                same = np.allclose(coupling.rho, variant["rho"], rtol=1e-12)
                for point in variant["points"] if same else ():  # else sharper, over what x.w can reach
                    np.testing.assert_allclose(coupling.score(point["xi"], point["E_w_given_xi"]), point["score"], atol=1e-12)
                    np.testing.assert_allclose(coupling.hessian(point["Cov_w_given_xi"]), point["hessian"], atol=1e-12)
                if same:
                    point = variant["points"][-1]
                    s = coupling.given(point["xi"])
                    self.agrees(s.of["w"], point["E_w_given_xi"])
                    np.testing.assert_allclose(np.cov(s.draws.reshape(-1, 2).T), point["Cov_w_given_xi"], rtol=0.1, atol=0.04)
                    np.testing.assert_array_equal(coupling.score(point["xi"]), coupling.score(point["xi"], s.of["w"].mean))

    def test_w_given_xi_is_the_posterior_less_a_square(self):
        for p in (greedy(reference("greedy_posterior_d2")[0]), joint(reference("joint_posterior")[-1])):
            coupling, (w, v) = lcc.Coupling(p, "two-sided"), p.draw_prior(2, seed=5)
            xi = coupling.draw(w, seed=3)

            def square(at):
                return 0.5 * np.sum((xi - np.sqrt(coupling.rho).reshape(-1, *[1] * (xi.ndim - 1)) * (p._rows.x @ at.T)) ** 2)

            exact = p.log_density(w)[0] - square(w) - p.log_density(v)[0] + square(v)
            self.assertAlmostEqual(coupling.log_density(w, xi)[0] - coupling.log_density(v, xi)[0], exact, places=10)
            self.assertEqual(coupling.log_density(w, xi)[1].shape, w.shape)
            # xi - S X w is N(0, I).
            drawn = np.array([coupling.draw(w, seed=k) for k in range(400)])
            centred = drawn - drawn.mean(axis=0)
            self.assertLess(abs(centred.var() - 1), 5 * np.sqrt(2 / centred.size))

    def test_greedy_bayes_is_that_of_quadrature(self):
        """Batch and row by row, as printed: the mean of 16 seeds within five standard errors, which are small."""
        for case in reference("greedy_bayes"):
            x, y, own = np.array(case["X"]), np.array(case["y"]), settings(case)
            printed = {"form": "tilt", "intercept": 0, "outer": 1.0, "alpha": case["alpha"], "beta": case["beta"], "levels": case["K"],
                       "particles": 512, "keep": 512, **own}
            batch, online = [], []
            for seed in range(1, 17):
                model = lcc.greedy_bayes(x, y, standardise=0, follow=0, refit=0, holdout=0, seed=seed, **printed)
                batch.append(model.functions(case["query"]).mean(axis=1))
                learner = lcc.Prequential(case["d"], case["n"], seed=seed, **printed)
                scores = [learner.observe(*row) for row in zip(x, y)]
                online.append(learner.model("printed").functions(case["query"]).mean(axis=1))
            for values, name in ((batch, "batch"), (online, "online")):
                error = np.std(values, axis=0, ddof=1) / 4
                exact = np.array(case[name]["f_hat_K_xq"])
                np.testing.assert_array_less(np.abs(np.mean(values, axis=0) - exact), 5 * error + 1e-3, f"{case['id']}, {name}")
                self.assertLess(error.max(), 0.02)
            self.assertEqual(model.report["used"], case["K"])
            losses = learner.losses
            self.assertEqual(losses["rows"], case["n"])
            self.assertAlmostEqual(losses["log"], -sum(score.log_density for score in scores), places=10)
            level = learner.level(0)  # given all rows: the posterior of the batch's first level
            self.assertLess(abs(level["log_evidence"] - case["batch"]["levels"][0]["log_Z"]), 1.0)
            psi = learner.expectation(0, case["query"][0]) - case["batch"]["levels"][0]["E_p_k_psi_xq"][0]
            self.assertLess(abs(psi), 0.2)

    def test_learners_go_on_where_files_left_them(self):
        rng = np.random.default_rng(6)
        x = rng.normal(size=(120, 2))
        y = x[:, 0] + 0.1 * rng.normal(size=120)
        short = {"chains": 8, "start_steps": 200, "warmup": 10, "draws": 4, "keep": 2, "leapfrogs": 20, "output": "student-t"}
        stream = lcc.Stream(lcc.fit(x, y, **short), draws=16)
        squares = []
        for row in rng.normal(size=(300, 2)):
            told = stream.predict(row)
            squares.append((told.mean - row[0] - 2) ** 2)
            stream.observe(row, row[0] + 2 + 0.1 * rng.normal())
        self.assertTrue(np.mean(squares[250:]) < 0.1 < squares[0], squares[0])
        self.assertEqual(stream.info["rows"], 300)
        self.assertAlmostEqual(stream.weights.sum(), 1)
        self.assertLess(abs(stream.model(spread=False).predict([[0.0, 0.0]]).mean[0] - 2), 0.2)
        learner = lcc.Prequential(2, 60, units=(x, y), levels=3, particles=64, precision="single")
        for row in range(50):
            law = learner.predict(x[row])
            score = learner.observe(x[row], y[row])
            self.assertTrue(law.lower < law.location < law.upper and np.isfinite(score.crps))
        self.assertGreater(learner.level(0)["resamplings"], 0)
        with tempfile.TemporaryDirectory() as folder:
            for own, kind in ((stream, lcc.Stream), (learner, lcc.Prequential)):
                path = os.path.join(folder, "kept")
                own.save(path)
                again = kind.load(path)
                self.assertEqual(own.observe(x[0], y[0]), again.observe(x[0], y[0]))
                self.assertEqual((own.predict(x[1]), own.model()), (again.predict(x[1]), again.model()))
            with self.assertRaisesRegex(ValueError, "lcc_prequential_f32"):
                lcc.Stream.load(path)
        for _ in range(9):
            learner.observe(x[1], y[1])
        with self.assertRaisesRegex(lcc.LccError, "make it with more rows"):
            learner.observe(x[1], y[1])

    def test_gibbs_over_layers_agrees_with_particles(self):
        x = np.linspace(-1, 1, 12).reshape(6, 2)
        p = lcc.JointPosterior(x, np.tanh(2 * x[:, 0]), layers=(3, 2), beta=4.0, prior="l1-ball")
        self.assertEqual(p.dim, 3 * 3 + 2 * 4)
        gibbs, smc = p.sample("gibbs", warmup=200, draws=2000), p.sample("smc", particles=4096)
        miss = np.abs(gibbs.of["f"].mean - smc.of["f"].mean)
        self.assertTrue((miss < 0.1).all(), miss)
        np.testing.assert_allclose(gibbs.model.predict(x).mean, gibbs.of["f"].mean, atol=1e-9)

    def test_what_is_wrong_is_refused_by_name(self):
        p, x = g2(), np.zeros((3, 2))
        for call, sentence in (
                (lambda: p.sample("gibs"), "is 'gibbs' meant"), (lambda: p.sample(drws=3), "is 'draws' meant"),
                (lambda: p.sample("smc", draws=3), "no option 'draws'"), (lambda: p.sample("gibbs", warmup=-1), "warmup must be"),
                (lambda: g2().certify(sample=lcc.GreedyPosterior(x[:, :1], x[:, 0]).sample("hmc", warmup=9, draws=9)), "1 coordinates"),
                (lambda: p.sample("hmc", inner=3), "inner is not of method 'hmc'"), (lambda: p.sample("hit-and-run"), "LCC_ERROR_NEEDS_BALL"), (lambda: p.sample("gibbs", temperatures=[1]), "of smc"),
                (lambda: p.sample("smc", temperatures=[1, 0.5]), "LCC_ERROR_TEMPERATURES"),
                (lambda: p.sample(queries=[[1, 2, 3]]), "LCC_ERROR_INPUTS"), (lambda: p.certify(sede=3), "is 'seed' meant"),
                (lambda: p.log_density([1, 2, 3]), "w has the shape"), (lambda: lcc.Coupling(p, "one"), "one-sided, two-sided"),
                (lambda: lcc.Coupling(p).given(np.zeros(100), queries=x), "queries are of"),
                (lambda: g2(prior="l2"), "gaussian, l1-ball"), (lambda: g2(scale=-1), "LCC_ERROR_SCALE"),
                (lambda: g2(activation="relu").sample("gibbs"), "LCC_ERROR_KINK"),
                (lambda: lcc.JointPosterior(x, x[:, 0], neurons=0), "LCC_ERROR_NEURONS"),
                (lambda: lcc.JointPosterior(x, x[:, 0], neurons=3, layers=(3, 2)), "leave neurons out"),
                (lambda: lcc.JointPosterior(x, x[:, 0], layers=(3, 2)).sample("gibbs"), "LCC_ERROR_NO_COUPLING"),
                (lambda: lcc.Prequential(2, 5, levles=3), "is 'levels' meant"),
                (lambda: lcc.Prequential(2, 5).predict(x), "one dimension"),
                (lambda: lcc.Prequential(3, 5, units=(x, x[:, 0])), "units have 2 inputs"),
                (lambda: lcc.Prequential(2, 5, precision="half"), '"single" or "double"'),
                (lambda: lcc.greedy_bayes(x, x[:, 0], form="tlt"), "is 'tilt' meant")):
            with self.assertRaisesRegex((TypeError, ValueError), sentence):
                call()
        self.assertRaises(ValueError, lcc.Prequential(2, 5).model, "prnted")

    def test_an_interrupt_ends_what_is_drawn_given_xi(self):
        coupling = lcc.Coupling(g2(alpha=1))
        with mock.patch("lcc.coupling.function", lambda name: mock.Mock(side_effect=KeyboardInterrupt)):
            self.assertRaises(KeyboardInterrupt, coupling.given, np.zeros(100))


if __name__ == "__main__":
    unittest.main()
