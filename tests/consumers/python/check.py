"""What the Python package computes, against exact answers; its refusals; scikit-learn's own checks."""

import functools
import os
import pickle
import re
import subprocess
import sys
import tempfile
import threading
import unittest
import warnings
from pathlib import Path

import numpy as np

import lcc
from densities import Densities  # noqa: F401, whose tests run with these
from frames import Frames  # noqa: F401
from hosts import Hosts  # noqa: F401
from posteriors import Posteriors  # noqa: F401
from shell import Html, Page, Shell, Wheel  # noqa: F401

ROOT = Path(__file__).resolve().parents[3]
SHORT = {"chains": 8, "start_steps": 200, "warmup": 10, "draws": 4, "keep": 2, "leapfrogs": 20}


def line(n=60, seed=3):
    """y = 1 + 2 x1 - x2 + .3 N(0, 1)."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 2))
    return x, 1 + 2 * x[:, 0] - x[:, 1] + 0.3 * rng.normal(size=n)


@functools.lru_cache(maxsize=None)
def conjugate():
    """No hidden layer, known noise, wide known prior: the conjugate posterior, standardised by hand."""
    x, y = line()
    z, t = (x - x.mean(0)) / x.std(0), (y - y.mean()) / y.std()
    noise = 0.2
    model = lcc.fit(z, t, widths=(), output="gaussian", noise=noise, scales="known", linear_scale=1.0,
                    intercept_sd=10.0, standardise=0, chains=256, draws=64, keep=64, warmup=50, leapfrogs=10)
    return model, z, t, np.column_stack([z, np.ones(len(z))]), noise


class Fits(unittest.TestCase):
    def test_few_long_chains(self):
        x, y = line()
        few = {"method": "network", "neurons": 3, "warmup": 300, "draws": 300, "seed": 2, "lanes": 1}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = lcc.fit(x, y, **few)
            self.assertEqual(lcc.fit(x, y, threads=3, **few), model)
            self.assertNotEqual(lcc.fit(x, y, **{**few, "seed": 3}), model)
        self.assertEqual((model.info["neurons"], model.report["precision"], model.report["chains_used"]), (3, "single", 4))
        self.assertTrue(0.8 < model.report["acceptance"] < 1)
        p = model.predict(x[:20])
        truth = 1 + 2 * x[:20, 0] - x[:20, 1]
        # 60 rows of noise .3 leave some .3 sqrt(3 / 60) = .07 of a line.
        self.assertLess(np.sqrt(np.mean((p.mean - truth) ** 2)), 0.15)
        self.assertTrue(0.25 < np.mean(p.sd) < 0.45)
        with self.assertWarnsRegex(UserWarning, "sit in different modes: R-hat .*; the model averages over them"):
            lcc.fit(x, y, method="network", neurons=6, starts=1, start_steps=5, warmup=5, draws=5, keep=1, leapfrogs=2)
        for own, sentence in (({"output": "poisson"}, "Student-t noise: leave output out"), ({"neuron": 3}, "'neurons' meant"),
                              ({"widths": 3}, "no option 'widths'")):
            with self.assertRaisesRegex(TypeError, sentence):
                lcc.fit(x, y, method="network", **own)
        for own, sentence in (({"method": "map", "leapfrogs": 3}, "leapfrogs is not of method 'map'"),
                              ({"output": "gaussian", "size": 2.0}, "size is not of output 'gaussian'")):
            with self.assertRaisesRegex(TypeError, sentence):
                lcc.fit(x, y, **own)

    def test_stochastic_gradients_come_to_the_mode(self):
        """The weights' mode is that of ridge regression; a step that is too long is said."""
        x, y = line()
        own = {"method": "map", "widths": (), "output": "gaussian", "noise": 0.3, "scales": "known", "linear_scale": 2.0,
               "intercept_sd": 10.0, "standardise": 0}
        design = np.column_stack([np.ones(len(x)), x])
        precision = design.T @ design / 0.09 + np.diag([0.01, 0.25, 0.25])
        exact = design[:9] @ np.linalg.solve(precision, design.T @ y / 0.09)
        sd = np.sqrt(np.einsum("ij,jk,ik->i", design[:9], np.linalg.inv(precision), design[:9]))
        for batch, allowed in ((60, 1e-3), (5, 0.5)):
            found = lcc.fit(x, y, optimiser="sgd", batch=batch, **own).functions(x[:9])[:, 0]
            np.testing.assert_array_less(np.abs(found - exact) / sd, allowed)
        with self.assertRaisesRegex(lcc.LccError, "take a smaller step size"):
            lcc.fit(x, y, optimiser="sgd", rate=1e5, **own)

    def test_linear_regression_is_that_of_the_formula(self):
        model, z, t, design, noise = conjugate()
        precision = design.T @ design / noise**2 + np.diag([1.0, 1.0, 0.01])
        covariance = np.linalg.inv(precision)
        new = np.array([[0.5, -1.0, 1.0], [3.0, 2.0, 1.0]])
        mean = new @ covariance @ design.T @ t / noise**2
        sd = np.sqrt(np.einsum("ij,jk,ik->i", new, covariance, new))
        f = model.functions(new[:, :2])
        chains = f.reshape(2, 256, 64).mean(axis=2)
        error = chains.std(axis=1, ddof=1) / 16
        np.testing.assert_array_less(np.abs(f.mean(axis=1) - mean), 5 * error)
        self.assertLess(error.max(), 0.01 * sd.max())
        # 256 chains of 64 draws that hardly depend on each other: the sd to 1/sqrt(2 * 16384), five times over.
        np.testing.assert_allclose(f.std(axis=1), sd, rtol=0.03)
        p = model.predict(new[:, :2])
        np.testing.assert_allclose(p.sd, np.hypot(sd, noise), rtol=0.03)

    def test_groups_are_held_out_as_a_whole(self):
        """By the temperature of classes: groups of one row change nothing, others do; they go with their rows' weights."""
        x, y = line()
        kind, own = (y > np.median(y)).astype(int), {**SHORT, "output": "bernoulli"}
        usual, groups = lcc.fit(x, kind, **own), [f"person {k % 12}" for k in range(60)]
        self.assertEqual(lcc.fit(x, kind, groups=range(60), **own), usual)
        temperature = lcc.fit(x, kind, groups=groups, **own).info["temperature"]
        self.assertNotIn(temperature, (1, usual.info["temperature"]))
        self.assertEqual(lcc.fit(x, kind, groups=np.arange(60) // 20, **own).info["temperature"], 1)   # three
        some = np.arange(60) % 5 > 0
        weighted = lcc.fit(x, kind, groups=groups, sample_weight=some.astype(float), **own)
        self.assertEqual(lcc.fit(x[some], kind[some], groups=np.array(groups)[some], sample_weight=np.ones(48), **own), weighted)
        for bad, sentence in ((groups[:5], "there are 60 rows"), ([None, *groups[1:]], r"groups at row 0 \(from 0\) is missing"),
                              ([1.5] * 59 + [np.nan], r"groups at row 59 \(from 0\) is missing")):
            with self.assertRaisesRegex(ValueError, sentence):
                lcc.fit(x, kind, groups=bad, **own)
        with self.assertRaisesRegex(TypeError, "takes no groups"):
            lcc.fit(x, y, method="network", groups=groups)

    def test_weights_are_those_of_the_formula(self):
        x, y = line()
        weights = np.tile([1.5, 0, 2, 0.25], 15)
        own = {"method": "laplace", "widths": (), "output": "gaussian", "noise": 0.3, "scales": "known", "linear_scale": 2.0,
               "intercept_sd": 10.0, "standardise": 0}
        design = np.column_stack([np.ones(len(x)), x])
        precision = (design.T * weights) @ design / 0.09 + np.diag([0.01, 0.25, 0.25])
        exact = design @ np.linalg.solve(precision, (design.T * weights) @ y / 0.09)
        spoilt = np.where(weights == 0, 1e9, y)
        import pandas
        frame, target = pandas.DataFrame(x, columns=["a", "b"]), pandas.Series(spoilt, range(7, 67), name="y")
        model = lcc.fit(x, spoilt, sample_weight=weights, draws=4000, keep=4000, **own)
        sd = np.sqrt(np.einsum("ij,jk,ik->i", design, np.linalg.inv(precision), design))
        np.testing.assert_array_less(np.abs(model.functions(x).mean(1) - exact), 5 * sd / np.sqrt(4000))
        short = {**SHORT, "sample_weight": weights}
        alone = lcc.fit(x, y, **short)
        self.assertEqual(lcc.fit(x[weights > 0], spoilt[weights > 0], **{**short, "sample_weight": weights[weights > 0]}), alone)
        self.assertEqual(lcc.fit(x, y, threads=2, **short), alone)
        self.assertEqual(lcc.fit(frame, target, **short).predict(frame).mean.tolist(), alone.predict(x).mean.tolist())
        self.assertNotEqual(lcc.fit(x, y, **SHORT), alone)
        self.assertEqual(lcc.fit(x, y, **SHORT, sample_weight=np.ones(60)), lcc.fit(x, y, **SHORT))
        # Rows that stand for several are not told by others: nothing is chosen or calibrated.
        free = {**SHORT, "start_steps": 300, "warmup": 16, "leapfrogs": 60}
        free.pop("output", None)
        self.assertNotIn("choice", lcc.fit(x, y, **free, sample_weight=np.full(60, 5.0)).report)
        classes = lcc.fit(x, (y > 0).astype(int), **{**SHORT, "output": "bernoulli"}, sample_weight=np.full(60, 5.0))
        self.assertEqual(classes.info["temperature"], 1)
        for bad, sentence in ((-weights, r"row 0 \(from 0\) is -1.5"), (0 * weights, "is zero for every row"), (weights[:5], "there are 60 rows"),
                              (["a"] * 60, "is not a number")):
            with self.assertRaisesRegex(ValueError, sentence):
                lcc.fit(x, y, sample_weight=bad)
        with self.assertRaisesRegex(TypeError, "takes no sample_weight"):
            lcc.fit(x, y, method="network", sample_weight=weights)

    def test_leaving_rows_out_is_that_of_the_formula(self):
        model, z, t, design, noise = conjugate()
        told = lcc.loo(model, z, t)
        exact = []
        for i in range(len(t)):
            rest = np.arange(len(t)) != i
            precision = design[rest].T @ design[rest] / noise**2 + np.diag([1.0, 1.0, 0.01])
            mean = np.linalg.solve(precision, design[rest].T @ t[rest] / noise**2) @ design[i]
            variance = noise**2 + design[i] @ np.linalg.solve(precision, design[i])
            exact.append(-0.5 * (np.log(2 * np.pi * variance) + (t[i] - mean) ** 2 / variance))
        self.assertTrue(np.all(np.abs(told.elpds - exact) < 5 * told.rows[:, 1]))
        self.assertLess(told.rows[:, 1].max(), 0.02)
        # The rows share the draws: their errors may add up.
        self.assertLess(abs(told.elpd - sum(exact)), 3 * np.sum(told.rows[:, 1]))
        self.assertLess(told.k, told.k_limit)
        worse = lcc.fit(z[:, :1], t, widths=(), standardise=0, **SHORT)
        with self.assertWarnsRegex(UserWarning, "Pareto k is above its limit at 60 of 60 rows: 16 draws are too few"):
            other = lcc.loo(worse, z[:, :1], t)
        difference, error = told.minus(other)
        self.assertGreater(difference, 4 * error)

    def test_columns_are_found_by_name(self):
        import pandas

        x, y = line()
        frame = pandas.DataFrame({"a": x[:, 0], "b": x[:, 1]})
        model, plain = lcc.fit(frame, y, **SHORT), lcc.fit(x, y, **SHORT)
        self.assertEqual((model.columns, plain.columns), (["a", "b"], None))
        mean = plain.predict(x).mean.tolist()
        turned = frame[["b", "a"]].assign(c="word")[["c", "b", "a"]]
        for rows in (frame, turned, x):
            self.assertEqual(model.predict(rows).mean.tolist(), mean)
        self.assertEqual(lcc.Model(model.bytes).quantiles(turned, [0.5]).tolist(), plain.quantiles(x, [0.5]).tolist())
        with self.assertRaisesRegex(ValueError, "not there: b"):
            model.predict(frame.rename(columns={"b": "z"}))
        # The bytes are those that lcc fit attaches to a table of the same numbers.
        with self.assertWarnsRegex(UserWarning, r"there are few rows, which can tell little \(3\)"):
            tiny = lcc.fit(pandas.DataFrame({"in": [2.0, 4.0, 3.0]}), [0.5, 1.5, 0.25], output="gaussian", **SHORT)
        self.assertEqual(tiny.bytes[-tiny.info["attachment"]:].hex(),
                         "02000000010000000200696e000000000000000000084000000000000000400000000000001040"
                         "010079000000000000000000e83f000000000000d03f000000000000f83f")

    def test_an_auto_encoder_without_hidden_layers_is_principal_components(self):
        """Its likelihood is a formula (Tipping and Bishop 1999)."""
        rng = np.random.default_rng(9)
        rows = rng.normal(size=(200, 1)) * [2.0, 1.0, -1.0] + 0.5 * rng.normal(size=(200, 3)) + [1.0, 2.0, 3.0]
        vae = lcc.Vae.fit(rows, latent=1, widths=(), seed=2)
        values = np.linalg.eigvalsh(np.cov(rows.T, bias=True))
        noise = values[:2].mean()
        exact = -0.5 * (3 * np.log(2 * np.pi) + np.log(values[2]) + 2 * np.log(noise) + 3)
        told = vae.bound(rows, draws=400)
        self.assertTrue(-0.01 - 4 * told.error < told.bound - exact < 4 * told.error, (told, exact))
        self.assertLess(abs(vae.info["noise"] / np.sqrt(noise) - 1), 0.02)
        mean, sd = vae.encode(rows)
        self.assertEqual((mean.shape, sd.shape), ((200, 1), (200, 1)))
        self.assertLess(np.sqrt(np.sum((vae.decode(mean) - rows) ** 2) / 400), 1.1 * np.sqrt(noise))
        z, y = vae.sample(2000, seed=4)
        self.assertTrue(np.all(np.abs(y.mean(0) - rows.mean(0)) < 0.3) and z.shape == (2000, 1))
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "m.vae")
            vae.save(path)
            np.testing.assert_array_equal(lcc.Vae.load(path).encode(rows)[0], mean)
            lcc.fit(rows[:, :2], rows[:, 2], **SHORT).save(path)
            with self.assertRaises(lcc.LccError):
                lcc.Vae.load(path)
        with self.assertRaises(lcc.LccError):
            lcc.Vae.fit(rows, latent=0)

    def test_threads_precision_and_strides_change_no_byte(self):
        x, y = line(40)
        alone = lcc.fit(x, y, **{**SHORT, "chains": 20})
        self.assertEqual(lcc.fit(x, y, threads=3, **{**SHORT, "chains": 20}), alone)
        wide = np.zeros((40, 7))
        wide[:, 1::3][:, :2] = x
        self.assertEqual(lcc.fit(wide[:, 1::3][:, :2], y, **{**SHORT, "chains": 20}), alone)
        self.assertEqual(lcc.fit(np.asfortranarray(x), y, **{**SHORT, "chains": 20}), alone)
        single = lcc.fit(x.astype(np.float32), y.astype(np.float32), **SHORT)
        self.assertEqual(single.info["precision"], 32)
        self.assertEqual(single.predict(x.astype(np.float32)).mean.dtype, np.float32)
        self.assertEqual(alone.predict(x[::-1]).mean.tolist(), alone.predict(x).mean[::-1].tolist())
        repeated = np.broadcast_to(x[0], (9, x.shape[1]))   # strides of 0
        self.assertEqual(alone.predict(repeated).mean.tolist(), [alone.predict(x).mean[0]] * 9)

    def test_models_are_kept_and_say_one_thing_in_every_way(self):
        x, y = line()
        model = lcc.fit(x, y, seed=4, **SHORT)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "m.lcc")
            model.save(path)
            self.assertEqual(lcc.Model.load(path), model)
            with open(path, "rb") as file:
                broken = bytearray(file.read())
        again = pickle.loads(pickle.dumps(model))
        self.assertEqual((again, again.report), (model, model.report))
        broken[-40] ^= 1
        with self.assertRaises(lcc.LccError) as caught:
            lcc.Model(broken)
        self.assertEqual(caught.exception.name, "LCC_ERROR_IMAGE_CORRUPT")
        p = model.predict(x, level=0.8)
        quantiles = model.quantiles(x, [0.1, 0.9])
        np.testing.assert_allclose(np.column_stack([p.lower, p.upper]), quantiles, atol=1e-6)
        small, rms, largest = model.thin(5, x)
        self.assertEqual(small.info["draws"], 5)
        points = model.quantiles(x, [.25, .75])
        for level, column in zip((.25, .75), points.T):
            self.assertLess(np.abs(small.scores(x, column)["pit"] - level).max(), largest + 1e-4)
        self.assertLess(rms, largest)
        self.assertEqual(model.thin(model.info["draws"]).model, model)
        with self.assertRaises(lcc.LccError):
            model.thin(0)
        spread = model.spread(x)
        np.testing.assert_allclose(np.hypot(*spread), p.sd, rtol=1e-10)
        draws = model.simulate(x, 4000, seed=2)
        # Means of 4000 draws within 5 standard errors; tails are heavy, so their own sds are taken.
        np.testing.assert_array_less(np.abs(draws.mean(1) - p.mean), 5 * draws.std(1) / np.sqrt(4000))
        np.testing.assert_allclose(model.functions(x).mean(1), p.mean, rtol=1e-9, atol=1e-9)
        scores = model.evaluate(x, y, crps=True)
        self.assertAlmostEqual(scores["rmse"], np.sqrt(np.mean((p.mean - y) ** 2)), 12)
        each = model.log_likelihood(x, y)
        self.assertAlmostEqual(scores["log_likelihood"], np.mean(np.log(np.mean(np.exp(each), axis=1))), 9)

    def test_what_is_wrong_is_refused_by_name(self):
        x, y = line()
        holes = x.copy()
        holes[5, 1] = np.nan
        with self.assertRaisesRegex(lcc.LccError, "Row 5, column 1"):
            lcc.fit(holes, y)
        for given, sentence in (({"neuron": 3}, "there is no option"), ({"activation": "thanh"}, "is not one of"),
                                ({"chains": -1}, "whole number"), ({"widths": (1,) * 5}, "at most 4"),
                                ({"draws": 0}, "LCC_ERROR_DRAWS"), ({"method": 2.5}, "whole number")):
            with self.assertRaisesRegex((ValueError, TypeError), sentence):
                lcc.fit(x, y, **given)
        with self.assertRaisesRegex(ValueError, r"y at row 0 .* counts are whole numbers from 0"):
            lcc.fit(x, y, output="poisson")
        with self.assertRaisesRegex(ValueError, "60 rows"):
            lcc.fit(x, y[:-1])
        model = lcc.fit(x, y, **SHORT)
        with self.assertRaisesRegex(lcc.LccError, "LCC_ERROR_INPUTS"):
            model.predict(x[:, :1])
        with self.assertRaisesRegex(lcc.LccError, "LCC_ERROR_PROBABILITY"):
            model.predict(x, level=1.0)

    def test_progress_may_stop_a_fit_and_other_threads_run(self):
        x, y = line()

        class Enough(Exception):
            pass

        seen = []

        def stop(share):
            seen.append(share)
            if len(seen) == 3:
                raise Enough

        for threads in (1, 2):
            seen.clear()
            with self.assertRaises(Enough):
                lcc.fit(x, y, threads=threads, progress=stop)
            self.assertLess(max(seen), 1)
        # As long a fit as this machine needs: while it computes, another thread counts.
        for leapfrogs in (100, 1000, 10000):
            ticks = []
            done = threading.Event()
            clock = threading.Thread(target=lambda: [ticks.append(1) for _ in iter(lambda: done.wait(0.005), True)])
            clock.start()
            lcc.fit(x, y, **{**SHORT, "leapfrogs": leapfrogs})
            done.set()
            clock.join()
            if len(ticks) > 2:
                return
        self.fail("no other thread ran")


class ScikitLearn(unittest.TestCase):
    def test_they_pass_its_checks(self):
        from sklearn.utils.estimator_checks import check_estimator

        for estimator in (lcc.LCCRegressor(**SHORT), lcc.LCCClassifier(**SHORT)):
            # A row of weight 2 has the law of two rows, not their rounding, nor the same random numbers after it.
            other = {f"check_sample_weight_equivalence_on_{kind}_data": "draws, not a formula" for kind in ("dense", "sparse")}
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", "there are (more inputs than|few) rows")   # as there are in some checks
                ran = check_estimator(estimator, on_skip=None, on_fail=None, expected_failed_checks=other)
            skipped = {one["check_name"] for one in ran if one["status"] != "passed"}
            self.assertLessEqual(skipped, {"check_array_api_input", *other})   # the first, which SciPy turns on by a variable
            self.assertGreater(len(ran), 40)

    def test_predictions_are_those_of_the_model(self):
        x, y = line()
        fitted = lcc.LCCRegressor(**SHORT, random_state=4).fit(x, y)
        self.assertEqual(fitted.model_, lcc.fit(x, y, seed=4, **SHORT))
        mean, sd = fitted.predict(x, return_std=True)
        p = fitted.model_.predict(x)
        self.assertEqual((mean.tolist(), sd.tolist()), (p.mean.tolist(), p.sd.tolist()))
        self.assertEqual(fitted.sample_y(x, 7).shape, (60, 7))
        self.assertGreater(fitted.score(x, y), 0.9)
        classes = lcc.LCCClassifier(**SHORT).fit(x, np.where(y > 1, "high", "low"))
        shares = classes.predict_proba(x)
        np.testing.assert_allclose(shares.sum(1), 1)
        self.assertEqual(classes.predict(x).tolist(), classes.classes_[shares.argmax(1)].tolist())
        self.assertGreater(classes.score(x, np.where(y > 1, "high", "low")), 0.9)
        np.testing.assert_allclose(classes.uncertainty(x).top, shares.max(1))

    def test_a_regressor_takes_numbers(self):
        x, y = line()
        with self.assertRaisesRegex(ValueError, "y holds words"):
            lcc.LCCRegressor(**SHORT).fit(x, np.where(y > 1, "high", "low"))
        with self.assertRaisesRegex(ValueError, "output='softmax' is of classes"):
            lcc.LCCRegressor(**SHORT, output="softmax").fit(x, y)

    def test_they_work_without_scikit_learn(self):
        """In a process where it cannot be imported."""
        program = f"""
import sys
sys.modules["sklearn"] = None
import numpy as np, lcc
rng = np.random.default_rng(1)
x = rng.normal(size=(50, 2))
options = {SHORT!r}
assert lcc.LCCRegressor(**options).fit(x, x[:, 0]).score(x, x[:, 0]) > .9
assert lcc.LCCClassifier(**options).fit(x, x[:, 0] > 0).score(x, x[:, 0] > 0) > .9
assert lcc.LCCRegressor().set_params(chains=3).get_params()["chains"] == 3
assert "sklearn.base" not in sys.modules
"""
        subprocess.run([sys.executable, "-c", program], check=True)


class Theory(unittest.TestCase):
    def test_bounds_are_their_closed_forms(self):
        t = lcc.theory
        outer, inner, g = [3, -1], [[1, -2], [0.5, 0.25]], np.array([[1, 0, 1], [0.5, 1, 2]])
        got = [
            t.risk(1.5, layers=2, d=4, observations=100), t.covering_hull(2, 7, 2), t.bayes_regret(0.25, 0.5),
            *t.resolvability(1, 1, 1, 100, 50), *t.model_probabilities([-10, -12]), t.variation(outer, inner, 1),
            t.spectral_norm([2, -1], [[3, -1], [0, 0.5]], 1), t.paths([inner, [outer]]),
            t.subnetwork_error([1, -2, 3], g, 5), t.gamma_xi([0, np.log(3)], 2), t.hoelder(0.2, 2, [0, np.log(3)]),
            *t.hoelder_least(2, 0, 1, 3),
        ]
        f = g @ [1, -2, 3]
        error = (6 * (g**2).mean(0) @ [1, 2, 3] - (f**2).mean()) / 5
        odds = 1 / (1 + np.exp(2))
        exact = [
            1.5 * np.sqrt((np.log(8) + 2) / 100), np.log(7), 0.5 + np.log(4), 10, 0.2, 1 - odds, odds, 9.75, 8.5, 9.75,
            error, np.log(5), 0.5, 18 / np.sqrt(5), 2,
        ]
        np.testing.assert_allclose(got, exact, rtol=1e-13)
        with self.assertRaisesRegex(ValueError, "log evidence 1 .* is nan"):
            t.model_probabilities([-10, np.nan])
        counts = t.subnetwork([1, -2, 3], 5) / (np.array([1, -1, 1]) * 6 / 5)
        np.testing.assert_allclose(counts, np.round(counts), atol=1e-12)
        self.assertEqual(round(counts.sum()), 5)
        self.assertIn("mean squared risk", t.risk.__doc__)
        for refused in (lambda: t.risk(1, -1, 2, 3), lambda: t.risk(np.nan, 1, 2, 3), lambda: t.unit_time(-1, 2), lambda: t.resolvability(1, 1, 1, 100, 0), lambda: t.paths([]),
                        lambda: t.variation([1], inner, 1), lambda: t.paths([inner, [[1, 2, 3]]])):
            self.assertRaises(ValueError, refused)
        header = (ROOT / "include" / "lcc" / "f64.h").read_text("utf-8")
        for name in re.findall(r" lcc_theory_(\w+)_f64\(", header):
            self.assertTrue(getattr(t, name).__doc__, name)


if __name__ == "__main__":
    unittest.main()
