"""Draws from log densities, against exact answers."""

import math
import pickle
import unittest
import warnings

import numpy as np

import lcc


class Densities(unittest.TestCase):
    def test_a_gaussian_far_away(self):
        mean, sd = np.array([1e4, -3.0]), np.array([1e2, 0.01])
        sample = lcc.sample(lambda x: (-0.5 * np.sum(((x - mean) / sd) ** 2), -(x - mean) / sd**2), 2, seed=3)
        s = sample.summary
        self.assertTrue(sample.trusted)
        np.testing.assert_array_less(np.abs(s.mean - mean), 5 * s.error)
        np.testing.assert_array_less(s.error, 0.05 * sd)
        np.testing.assert_allclose(s.sd, sd, rtol=0.05)
        np.testing.assert_allclose(sample.draws.mean((0, 1)), s.mean, rtol=1e-9)
        self.assertLess(s.rhat.max(), 1.02)

    def test_without_a_gradient_and_with_bounds(self):
        """Uniform on (-9, 9) times exp(x/9): the mean is 9 (coth 1 - 1)."""
        sample = lcc.sample(lambda x: x[0] / 9 if abs(x[0]) < 9 else -np.inf, 1, gradient=False, draws=4000, scale=2)
        self.assertLess(abs(sample.summary.mean[0] - 9 * (1 / np.tanh(1) - 1)), 5 * sample.summary.error[0])
        self.assertLess(sample.summary.error[0], 0.3)
        self.assertLess(np.abs(sample.draws).max(), 9)
        with self.assertRaisesRegex(lcc.LccError, "LCC_ERROR_START"):
            lcc.sample(lambda x: -np.inf, 1, gradient=False)
        for dim in (1, 5):   # by the default, until each coordinate has enough effective draws
            sample = lcc.sample(lambda x: -0.5 * (x @ x), dim, gradient=False)
            self.assertTrue(sample.trusted, sample.report)
            np.testing.assert_array_less(abs(sample.draws.var(axis=(0, 1)) - 1), 5 * (2 / 1000) ** 0.5)

    def test_nan_is_outside_of_the_support(self):
        """Gamma(3, 1), the formula of which is NaN where x is negative: counted, and said once."""
        sample = lcc.sample(lambda x: (2 * np.log(x[0]) - x[0], 2 / x - 1), 1, seed=4)
        self.assertLess(abs(sample.summary.mean[0] - 3), 5 * sample.summary.error[0])
        self.assertGreater(sample.draws.min(), 0)
        self.assertRegex(sample.report, r"NaN at \d+ of \d+ points, which counts as outside of its support: first at \[-")
        self.assertNotIn("NaN", lcc.sample(lambda x: (-x[0] ** 2, -2 * x), 1, seed=4, draws=200).report)

    def test_constraints_and_their_jacobians(self):
        """Gamma(3, 2) beside Dirichlet(1, 2, 3) and a standard normal pair in order."""
        shapes = np.array([1.0, 2.0, 3.0])

        def density(q):
            value = 2 * np.log(q["g"]) - 2 * q["g"] + (shapes - 1) @ np.log(q["p"]) - 0.5 * q["o"] @ q["o"]
            return value, {"g": 2 / q["g"] - 2, "p": (shapes - 1) / q["p"], "o": -q["o"]}

        rules = lcc.Parameters(g="lower", p={"constraint": "simplex", "size": 3}, o={"constraint": "ordered", "size": 2})
        self.assertEqual((rules.coordinates, rules.elements), (5, 6))
        values, _ = rules.constrain(np.linspace(-1, 1, 5))
        np.testing.assert_allclose(rules.unconstrain(values), np.linspace(-1, 1, 5), atol=1e-9)
        with self.assertRaisesRegex(lcc.LccError, "LCC_ERROR_SUPPORT") as caught:
            rules.unconstrain({**values, "g": -1.0})
        for own in (rules, caught.exception):   # as other processes need them
            self.assertEqual(str(pickle.loads(pickle.dumps(own))), str(own))
        # And a product of two that are independent: E g p_2 = 1.5/2.
        sample = lcc.sample(density, rules, seed=3, quantities=lambda q: {"gp": q["g"] * q["p"][2], "two": 2 * q["o"]})
        self.assertTrue(sample.trusted)
        np.testing.assert_array_equal(sample.values["gp"], sample.values["g"] * sample.values["p"][..., 2])
        np.testing.assert_array_equal(sample.values["two"], 2 * sample.values["o"])
        for name, mean in {"g": 1.5, "p": shapes / 6, "gp": 0.75, "two": np.array([-2, 2]) / np.sqrt(np.pi)}.items():
            s = sample.of[name]
            self.assertEqual(np.shape(s.mean), sample.values[name].shape[2:])
            np.testing.assert_array_less(np.abs(s.mean - mean), 5 * s.error)
            np.testing.assert_allclose(s.sd, sample.values[name].std((0, 1)), rtol=1e-3)
            np.testing.assert_allclose(s.median, np.median(sample.values[name], (0, 1)), rtol=1e-2, atol=1e-2)
            self.assertTrue(np.all(s.rhat < 1.02) and np.all(s.ess_bulk > 1000))
        exact = {"g": 1.5, "p": shapes / 6, "o": np.array([-1, 1]) / np.sqrt(np.pi)}
        for name, mean in exact.items():
            chains = sample.values[name].mean(axis=1)
            pairs = (chains[::2] + chains[1::2]) / 2   # antithetic
            error = pairs.std(axis=0, ddof=1) / np.sqrt(len(pairs))
            np.testing.assert_array_less(np.abs(pairs.mean(axis=0) - mean), 6 * error)   # t of 7 degrees of freedom
            np.testing.assert_array_less(error, 0.02)

    def test_several_points_at_once(self):
        calls = []

        def densities(x):
            calls.append(len(x))
            return -0.5 * x[:, 0] ** 2 - 2 * x[:, 1] ** 2, np.column_stack([-x[:, 0], -4 * x[:, 1]])

        several = lcc.sample(densities, 2, vectorized=True, draws=200)
        many = len(calls)
        one = lcc.sample(lambda x: tuple(v[0] for v in densities(x[None])), 2, draws=200)
        np.testing.assert_array_equal(several.draws, one.draws)
        self.assertLess(1.5 * many, len(calls) - many)   # the ascents are of one point at a time
        with self.assertRaisesRegex(ValueError, "a value of the shape"):
            lcc.sample(lambda x: (np.zeros(3), x), 2, vectorized=True)
        with self.assertRaisesRegex(ValueError, "one point at a time"):
            lcc.sample(densities, lcc.Parameters(g="lower"), vectorized=True)

    def test_where_it_begins(self):
        """N(1000, 1) within 50 of its mean: nothing lies near 0."""
        def far(x):
            return -np.inf if abs(x[0] - 1000) > 50 else -0.5 * (x[0] - 1000) ** 2, 1000 - x

        with self.assertRaisesRegex(lcc.LccError, "LCC_ERROR_START"):
            lcc.sample(far, 1, draws=200)
        for start in ([1010.0], [[990.0], [1010.0]]):
            sample = lcc.sample(far, 1, draws=200, start=start)
            self.assertTrue(sample.trusted)
            self.assertLess(abs(sample.summary.mean[0] - 1000), 5 * sample.summary.error[0])
        rules = lcc.Parameters(g="lower")
        for wrong in ([], [1.0, 2.0], np.zeros((1, 1, 1))):
            with self.assertRaisesRegex(ValueError, "shape"):
                lcc.sample(far, 1, start=wrong)
        with self.assertRaisesRegex(lcc.LccError, "LCC_ERROR_NOT_FINITE_VALUE"):
            lcc.sample(far, 1, start=[np.nan])
        # Of Parameters by their values: exp(N(20, 1)).
        def log_normal(q):
            z = math.log(q["g"]) - 20   # raises of 0: there it is not asked
            return (-np.inf if abs(z) > 10 else -0.5 * z * z - np.log(q["g"])), {"g": -(z + 1) / q["g"]}

        for start in ({"g": np.exp(21.0)}, [{"g": np.exp(21.0)}, {"g": np.exp(19.0)}]):
            sample = lcc.sample(log_normal, rules, draws=200, start=start, quantities=lambda q: {"log": np.log(q["g"])})
            self.assertLess(abs(sample.of["log"].mean - 20), 5 * sample.of["log"].error)
        with self.assertRaisesRegex(ValueError, "already"):
            lcc.sample(lambda x: (-x @ x / 2, -x), 1, draws=100, quantities=lambda x: {"x": x})

    def test_what_it_raises_comes_through(self):
        def broken(x):
            raise KeyError("mine")

        with self.assertRaisesRegex(KeyError, "mine"):
            lcc.sample(broken, 2)

    def test_a_density_that_is_no_number_says_where(self):
        for value, slope in ((np.nan, 0.0), (0.0, np.nan)):
            seen = []

            def density(q):
                seen.append(q.copy())
                return value, np.full(2, slope)

            with self.assertRaises(lcc.LccError) as caught:
                lcc.sample(density, 2)
            self.assertEqual(caught.exception.name, "LCC_ERROR_START")
            self.assertTrue(any(f"First at {one}." in str(caught.exception) for one in seen))

    def test_the_negative_of_a_log_density_is_refused(self):
        with self.assertRaisesRegex(lcc.LccError, "improper: along coordinate 0.*LCC_ERROR_IMPROPER"):
            lcc.sample(lambda x: (0.5 * x @ x, x), 2)

    def test_an_improper_scale_is_not_trusted(self):
        with self.assertWarnsRegex(UserWarning, "Draws of a are as large as numbers can be"):
            sample = lcc.sample(lambda q: (0.0, {"a": 0.0}), lcc.Parameters(a="lower"))
        self.assertFalse(sample.trusted)

    def test_a_mean_that_few_draws_lead_has_no_error(self):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            cauchy = lcc.sample(lambda x: (-np.log1p(x @ x), -2 * x / (1 + x @ x)), 1)
            normal = lcc.sample(lambda x: (-0.5 * x @ x, -x), 1, quantities=lambda x: {"e": np.exp(0.5 * x[0])})
        self.assertRegex(cauchy.report, "A tail of x is so heavy that a few draws lead the mean")
        self.assertTrue(np.isnan(cauchy.summary.error).all() and np.isfinite(cauchy.summary.q95).all())
        self.assertNotIn("heavy", normal.report)
        self.assertTrue(abs(normal.of["e"].mean - np.exp(0.125)) < 5 * normal.of["e"].error)

    def test_what_a_density_returns_is_looked_at(self):
        """NumPy would stretch a number to a gradient, and take two numbers for a value and its gradient."""
        for density, error, said in (
                (lambda x: (-x @ x / 2, -1.0), ValueError, r"a gradient of the shape \(2,\)"),
                (lambda x: (-x @ x / 2, -x[:1]), ValueError, r"not \(1,\)"),
                (lambda x: -x * x / 2, TypeError, "returned ndarray")):
            with self.assertRaisesRegex(error, said):
                lcc.sample(density, 2)
        gaussian = lambda x: (-x @ x / 2, -x)  # noqa: E731
        for wrong, error, said in (({"gradient": False}, TypeError, "value alone"), ({"timeout": -1}, ValueError, "above 0"),
                                   ({"quantities": lambda x: x[0]}, TypeError, "dictionary")):
            with self.assertRaisesRegex(error, said):
                lcc.sample(gaussian, 2, draws=100, **wrong)
        with self.assertRaisesRegex(TypeError, "whole number"):
            lcc.sample(gaussian, 2.0)

    def test_wrong_gradients_are_warned_of(self):
        """By finite differences at the start; 3 % leave the draws right, and are left alone."""

        def told(factor):
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                sample = lcc.sample(lambda x: (-0.5 * x @ x, -factor * x), 3, chains=4, draws=100, pilot=64)
            self.assertEqual(sample.trusted, not caught)
            return [str(warning.message) for warning in caught]

        self.assertEqual(told(1.0), [])
        self.assertEqual(told(np.array([1, 1.03, 1])), [])
        for factor, coordinate in ([1, 1.5, 1], 1), ([1, 1, -1], 2):
            self.assertRegex(told(np.array(factor))[0], f"not the derivative of the density in coordinate {coordinate},")


if __name__ == "__main__":
    unittest.main()
