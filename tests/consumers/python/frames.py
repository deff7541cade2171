"""Data frames with words, missing values and classes, against what `lcc fit` makes of the same tables; what is refused."""

import copy
import os
import subprocess
import tempfile
import unittest
import warnings

import numpy as np

import lcc

SHORT = {"chains": 8, "start_steps": 200, "warmup": 10, "draws": 4, "keep": 2, "leapfrogs": 20}
FLAGS = "--chains 8 --start 200 --warmup 10 --draws 4 --keep 2 --leapfrogs 20 --quiet".split()


def table(n=80):
    import pandas

    rng = np.random.default_rng(2)
    frame = pandas.DataFrame({
        "a": rng.normal(size=n), "city": rng.choice(["Rome", "\u00d6land", "Bern"], n), "ok": rng.random(n) > 0.4,
        "k": rng.integers(0, 50, n), "sex": pandas.Categorical(rng.choice([1, 2], n)),
        "code": pandas.Categorical(rng.choice([10, 9, 100.5], n))})
    price = frame.k / 10 + (frame.city == "Bern") + 0.2 * rng.normal(size=n)
    frame.loc[[3, 9], "a"], frame.loc[5, "city"] = np.nan, None
    return frame, price.rename("price")


def parts(model):
    """The posterior without its length and checksum, and the columns without the note that lcc fit adds."""
    image, size = model.bytes, model.info["bytes"] - model.info["attachment"]
    return image[64:size], lcc.columns.write(model._columns)


class Frames(unittest.TestCase):
    def test_words_become_columns_of_zeros_and_ones(self):
        frame, price = table()
        model = lcc.fit(frame, price, missing="mean", **SHORT)
        self.assertEqual((model.info["inputs"], model.columns, model.classes_), (12, list(frame.columns), None))
        with self.assertRaisesRegex(ValueError, "x has 6 columns, and the model 12 inputs, made of the columns a, city, ok"):
            model.predict(np.zeros((2, 6)))
        middle = frame.iloc[:6].assign(city=["Bern", "Rome", "\u00d6land", None, "Oslo", "Bern"], code=[9, 10, 100.5, 9, 9.0, 9])
        with self.assertRaisesRegex(ValueError, r'"city", row 4 \(from 0\): category "Oslo" was not seen in training \("Bern"'):
            model.predict(middle)
        x = lcc.tables.encode(middle, model._columns, "mean")
        shares = list(model._columns.inputs[1].fill)
        np.testing.assert_array_equal(x[:, 2:6], [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [*shares, 1], [*shares, 0],
                                                  [1, 0, 0, 0]])
        np.testing.assert_array_equal(x[:4, 9:], [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0]])
        self.assertEqual(x[3, :2].tolist(), [model._columns.inputs[0].fill[0], 1.0])
        self.assertEqual(model.predict(middle, unknown="mean").mean.tolist(), model.predict(x).mean.tolist())
        self.assertEqual(model.predict(frame[frame.columns[::-1]]).sd.tolist(), model.predict(frame).sd.tolist())
        self.assertEqual(model.extrapolates(middle.assign(a=[0.5, 99, -99, None, 0.5, 0.5])).tolist(), [0, 1, 1, 0, 1, 0])
        self.assertEqual(lcc.columns.read(lcc.columns.write(model._columns)), model._columns)
        self.assertEqual(lcc.tables.level_of("1.0") + lcc.tables.level_of("0012345678901234567"), "10012345678901234567")

    def test_a_flag_that_is_set_or_missing_is_an_input(self):
        import pandas

        rng = np.random.default_rng(4)
        a, is_set = rng.normal(size=60), rng.random(60) < 0.4
        for flag in ("yes", 1.0):
            frame = pandas.DataFrame({"a": a, "flag": [flag if own else None for own in is_set]})
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                model = lcc.fit(frame, a + 2 * is_set, missing="mean", **SHORT)
            self.assertGreater(np.corrcoef(model.predict(frame).mean, a + 2 * is_set)[0, 1], 0.97)
        with self.assertRaisesRegex(ValueError, 'column "flag" is "yes" in all rows'):
            lcc.fit(frame.assign(flag="yes"), a, **SHORT)
        with self.assertWarnsRegex(UserWarning, "the weights sum to 1: 60 rows count as so few"):
            lcc.fit(frame[["a"]], a, sample_weight=np.full(60, 1 / 60), **SHORT)
        # Whole numbers from 0 on, and gamma amounts.
        many = {**SHORT, "start_steps": 300, "leapfrogs": 60}
        counts = lcc.fit(frame[["a"]], rng.poisson(np.exp(1 + 0.5 * a) * rng.gamma(0.7, size=60)), **{**many, "warmup": 16})
        self.assertEqual(counts.info["output"], "negative-binomial")
        amounts = lcc.fit(frame[["a"]], np.exp(a) * rng.gamma(2, size=60), output="gamma", **SHORT)
        self.assertAlmostEqual(amounts.predict(frame[["a"]]).mean.mean() / 3.3, 1, delta=0.5)

    def test_what_is_remarkable_of_rows_is_said(self):
        frame, price = table(60)
        rows = frame[["city", "k"]].drop(5).assign(id=range(59))
        rows.loc[[7, 8], "k"] = -9999
        with self.assertWarnsRegex(UserWarning, 'column "id" grows by whole numbers from row to row') as caught:
            model = lcc.fit(rows, price.drop(5), **SHORT)
        self.assertEqual(caught.filename, __file__)
        far, counts = model.report["warnings"]
        self.assertRegex(far, r'column "k" has a few values far from all others: .* \(2 of 59 rows, -9999 the farthest\)')
        self.assertRegex(counts, '"id"')
        y = price.drop(5).to_numpy().copy()
        y[3] = 1e5
        with self.assertWarnsRegex(UserWarning, r"y has a few values far .* \(1 of 59 rows, 100000 the farthest\)"):
            lcc.fit(rows[["city"]], y, **SHORT)
        self.assertEqual(lcc.fit(rows[["city"]], price.drop(5), **SHORT).report["warnings"], [])
        rows = rows[["city"]].assign(one=1, day=[20240101 + k % 28 for k in range(59)], zero=0.0)
        rows["city"] = ["bern", "Total", *rows["city"][2:]]
        with self.assertWarns(UserWarning):
            found = lcc.fit(rows, price.drop(5), **SHORT).report["warnings"]
        self.assertRegex("; ".join(found), '^column "day" looks like dates.*; column "one" has the same value in all rows.* 1 more '
                         'such columns; .*"Bern" and "bern" are two categories.*; .*"Total" in one row')
        self.assertEqual(len(found), 4)
        with self.assertWarnsRegex(UserWarning, r"row 59 \(from 0\) has the sums of all other rows"):
            x, y = rows[["day"]].to_numpy(float) + np.arange(59)[:, None] * 1e6, price.drop(5).to_numpy() + 9
            lcc.fit(np.vstack([x, x.sum(0)]), np.append(y, y.sum()), **SHORT)

    def test_columns_have_names_in_greedy_fits_and_streams(self):
        frame, price = table()
        x, y = frame[["k", "ok"]].drop(5).astype(float).iloc[:60], price.drop(5).iloc[:60]
        turned = x[["ok", "k"]]
        for make in (lcc.greedy_bayes, lcc.greedy_least_squares):
            model = make(x, y, levels=3)
            self.assertEqual(model.columns, ["k", "ok"])
            self.assertEqual(model.predict(turned).mean.tolist(), model.predict(x.to_numpy()).mean.tolist())
        stream = lcc.Stream(lcc.fit(x, y, output="student-t", **SHORT))
        self.assertEqual(stream.predict(turned.iloc[3]), stream.predict(x.to_numpy()[3]))
        stream.observe(turned.iloc[3], y.iloc[3])
        self.assertEqual(stream.model().columns, ["k", "ok"])
        learner = lcc.Prequential(2, 60, units=(x, y), levels=3, particles=64)
        for row in range(9):
            learner.observe(turned.iloc[row], y.iloc[row])
        self.assertEqual(learner.model().columns, ["k", "ok"])
        with tempfile.TemporaryDirectory() as folder:
            for own, kind in ((stream, lcc.Stream), (learner, lcc.Prequential)):
                own.save(path := os.path.join(folder, "kept"))
                again, aside = kind.load(path), copy.copy(own)
                self.assertEqual(again.predict(turned.iloc[3]), own.predict(x.to_numpy()[3]))
                self.assertEqual(again.model().columns, ["k", "ok"])
                own.observe(x.iloc[4], y.iloc[4])
                self.assertEqual(again.predict(x.iloc[3]), aside.predict(x.iloc[3]))   # a copy has memory of its own
        for wrong, what in ((x, "units=\\(x, y\\)"), ((x[["k"]], y), "1 inputs in place of 2")):
            with self.assertRaisesRegex((TypeError, ValueError), what):
                lcc.Prequential(2, 60, units=wrong)
        with self.assertRaisesRegex(TypeError, "begins with a Model"):
            lcc.Stream("m.lcc")
        with self.assertRaisesRegex(lcc.LccError, 'output="student-t"'):
            lcc.Stream(lcc.fit(x, y, output="mean-variance", **SHORT))
        with self.assertRaisesRegex(lcc.LccError, 'precision="double"'):
            lcc.Stream(lcc.fit(x, y + 1e9, output="student-t", **SHORT), precision="single")

    def test_ordinal_classes_have_the_order_of_their_categories(self):
        import pandas

        x = np.linspace(-2, 2, 60)[:, None]
        words = np.array(["low", "middle", "high"])
        y = words[np.digitize(x[:, 0] + 0.3 * np.sin(40 * x[:, 0]), [-0.7, 0.7])]
        with self.assertRaisesRegex(ValueError, "needs the order of the classes, from the lowest on: pandas.Categorical"):
            lcc.fit(x, y, output="ordinal", **SHORT)
        model = lcc.fit(x, pandas.Categorical(y, ["low", "none", "middle", "high"], ordered=True), output="ordinal", **SHORT)
        self.assertEqual(model.classes_, list(words))
        self.assertEqual(lcc.Model(model.bytes).classes_, list(words))
        self.assertGreater(model.evaluate(x, y)["accuracy"], 0.8)
        numbers = lcc.fit(x, np.searchsorted([-0.7, 0.7], x[:, 0] + 0.3 * np.sin(40 * x[:, 0])), output="ordinal", categories=3, **SHORT)
        np.testing.assert_array_equal(model.classes(x).probabilities, numbers.classes(x).probabilities)
        spread = model.spread(x)
        np.testing.assert_allclose(np.hypot(spread.aleatoric, spread.epistemic), model.predict(x).sd, rtol=1e-5)
        if os.environ.get("LCC"):   # each reads the other's
            with tempfile.TemporaryDirectory() as folder:
                pandas.DataFrame({"x1": x[:, 0], "y": y}).to_csv(f"{folder}/t.csv", index=False)
                more = "--data t.csv --output ordinal --order low,middle,high --model m.lcc".split()
                subprocess.run([os.environ["LCC"], "fit", *more, *FLAGS], check=True, cwd=folder, capture_output=True)
                self.assertEqual(parts(lcc.Model.load(f"{folder}/m.lcc")), parts(model))
                model.save(f"{folder}/o.lcc")
                subprocess.run([os.environ["LCC"], *"predict --model o.lcc --data t.csv --predictions p.csv".split()],
                               check=True, cwd=folder, capture_output=True)
                told = pandas.read_csv(f"{folder}/p.csv")
                self.assertEqual([c for c in told if c.startswith("p_")], ["p_low", "p_middle", "p_high"])

    def test_an_exposure_is_a_column_by_its_name(self):
        frame, price = table()
        hours = 1 + frame["k"] / 10
        counts = np.floor(price * hours).clip(lower=0)
        named = frame[["ok"]].assign(hours=hours, k=frame["k"])
        model = lcc.fit(named, counts, exposure="hours", **SHORT)
        self.assertEqual(model.columns, ["ok", "k", "hours"])
        self.assertEqual(model, lcc.fit(named[["ok", "k", "hours"]], counts, exposure=1, output="counts", **SHORT))
        np.testing.assert_allclose(model.predict(named.assign(hours=2 * hours)).mean, 2 * model.predict(named).mean, rtol=1e-5)
        for x, sentence in ((named.drop(columns="hours"), "x has no such column"), (named.to_numpy(float), "exposure=1 takes its last")):
            with self.assertRaisesRegex(ValueError, f'exposure="hours": .*{sentence}'):
                lcc.fit(x, counts, exposure="hours", **SHORT)

    def test_classes_have_names(self):
        frame, price = table()
        x = frame[["k", "city"]].drop(5)
        for y, names, output in ((np.where(price > 3, "high", "low"), ["high", "low"], "bernoulli"),
                                 (price > 3, ["False", "True"], "bernoulli"),
                                 (np.digitize(price, [2, 3]).astype(str).astype(object) + "x", ["0x", "1x", "2x"], "softmax"),
                                 (np.digitize(price, [2, 3]) + 9, ["9", "10", "11"], "softmax")):
            y = np.delete(np.asarray(y), 5)
            options = {"output": "classes"} if y.dtype.kind == "i" else {}
            model = lcc.fit(x, y, **options, **SHORT)
            self.assertEqual((model.classes_, model.info["output"]), (names, output))
            self.assertEqual(lcc.Model(model.bytes).classes_, names)
            top = model.classes(x).probabilities.argmax(1)
            share = np.mean([names[k] == str(own) for k, own in zip(top, y)])
            self.assertAlmostEqual(model.evaluate(x, y)["accuracy"], share)
            self.assertGreater(share, 0.6)
        plain = lcc.fit(x[["k"]].to_numpy(), y.astype(str).astype(object) + "x", **SHORT)
        self.assertEqual((plain.classes_, plain.columns), (["10x", "11x", "9x"], ["x1"]))
        with self.assertRaisesRegex(ValueError, 'y, row 0 .*category "nine" was not seen'):
            plain.evaluate(x[["k"]].to_numpy(), ["nine"] * len(x))

    def test_what_is_refused_says_where_and_what_mends_it(self):
        import pandas

        frame, price = table()
        whole = frame[["k"]]
        days, words = pandas.date_range("2024-01-31", periods=80), np.array(["a", "b"] * 40, object)
        marks = ["1,234", "$ 5", "7 %", "12"] * 20
        for x, sentence in (
                (frame, 'column "a", row 3 .* is missing: missing="mean"'),
                (whole.assign(t=days), 'column "t" holds dates or times .* days since the first'),
                (whole.assign(t=days.astype(str)), 'column "t", row 0 .* is a date'),
                (whole.assign(t=days.date), 'column "t", row 0 .* is a date'),
                (whole.assign(t=days - days[0]), 'column "t" holds dates or times'),
                (whole.assign(m=marks), 'column "m", row 0 .*"?1,234"?.* is a number written with marks.*category'),
                (whole.assign(m=[1, "b"] * 40), 'column "m", row 1 .* is not a number, as others'),
                (whole.assign(m="same"), '"same" in all rows'), (whole.assign(m=[f"w{k}" for k in range(80)]), "80 different"),
                (whole.assign(m=np.inf), "not a finite number"), (whole.assign(m=1j), "Complex data not supported"),
                (whole.assign(m=[[1]] * 80), r"is \[1\], neither a number nor a word"),
                (pandas.concat([whole, whole], axis=1), 'two columns called "k"')):
            with self.assertRaisesRegex(ValueError, sentence):
                lcc.fit(x, price)
        for y, sentence in ((marks, "y, row 0 .* written with marks"), (["1", "2.5"] * 40, "numbers written as text"),
                            (["a", None] * 40, "y, row 1 .* is missing"), (["a"] * 80, 'one class, "a"'),
                            (["a", 1] * 40, "as others of the column"), (days, "y holds dates"),
                            (np.ma.masked_greater(price.to_numpy(), 3), "y is masked at row"), (price + 0j, "Complex")):
            with self.assertRaisesRegex(ValueError, sentence):
                lcc.fit(whole, y)
        for x, y, sentence in ((whole[:0], [], "no rows"), (whole[[]], price, "no rows or no columns"), (whole, None, "y is None"),
                               (whole, [[1.0]] * 80, "y has the shape")):
            with self.assertRaisesRegex(ValueError, sentence):
                lcc.fit(x, y)
        for output, y in (("gaussian", words), ("bernoulli", ["a", "b", "c", "d"] * 20)):
            with self.assertRaisesRegex(ValueError, "output|takes two"):
                lcc.fit(whole, y, output=output)
        x = whole.to_numpy(float)
        model = lcc.fit(x, price, **SHORT)
        mixed = np.column_stack([x, x]).astype(object)
        mixed[7, 1] = "three"
        for rows, sentence in (
                (np.ma.array(x, mask=np.arange(80)[:, None] == 4), r"x is masked at row 4, column 0 \(from 0\)"),
                (mixed, "x at row 7, column 1 .* is 'three', which is not a number"), (mixed.tolist(), "row 7, column 1"),
                (np.array([["1"]]), "is '1', which is not a number"), (np.array([[None]]), "missing"),
                (days.to_numpy()[:, None], "x holds dates"), ([[days[0]]], "is a date or time"), (x + 0j, "Complex")):
            for use in (model.predict, lambda rows: lcc.fit(rows, price), lcc.Vae.fit):
                with self.assertRaisesRegex(ValueError, sentence):
                    use(rows)
        for start in ([days[0]], np.ma.array([0.0], mask=[True]), ["a"]):
            with self.assertRaisesRegex(ValueError, "start"):
                lcc.sample(lambda q: (-q @ q / 2, -q), 1, start=start)
        for rows in (whole.assign(k=days), np.ma.array(x, mask=x > 3)):
            with self.assertRaisesRegex(ValueError, "dates|masked"):
                lcc.LCCRegressor().fit(rows, price)
        for given in ({"missing": "drop"}, {"precision": "f32"}):
            with self.assertRaisesRegex(ValueError, f"{next(iter(given))} is "):
                lcc.fit(whole, price, **given)
        with self.assertRaisesRegex(ValueError, "of data frames"):
            lcc.fit(x, price, missing="mean")

    def test_precision_is_single_where_that_loses_nothing(self):
        x, y = table()[0][["k"]].to_numpy(float), table()[1].to_numpy()
        for given, rows, targets, precision in (
                ({}, x, y, "single"), ({"precision": "double"}, x, y, "double"), ({}, 1.7e9 + x, y, "double"),
                ({}, x, 1e20 * y, "double"), ({}, 1e300 * x, y, "double"), ({"method": "map"}, x, y, "double"),
                ({"method": "ensemble"}, x, y, "single"), ({"precision": "single"}, x, y, "single")):
            model = lcc.fit(rows, targets, **given, **({"chains": 8} if "method" in given else SHORT))
            self.assertEqual(model.report["precision"], precision)
            self.assertEqual(model.info["precision"], {"single": 32, "double": 64}[precision])
            self.assertEqual(model.predict(rows).mean.dtype, np.float64)
        with self.assertWarnsRegex(UserWarning, "column 0 of x"):
            lcc.fit(1.7e9 + x, y, precision="single", **SHORT)
        single = lcc.fit(x.astype(np.float32), y.astype(np.float32), **SHORT)
        self.assertEqual(single, lcc.fit(x, y, **SHORT))

    def test_log_evidence_is_that_of_the_closed_form(self):
        x = np.random.default_rng(4).normal(size=(40, 2))
        y = np.sin(x[:, 0])
        known = dict(widths=0, output="gaussian", scales="known", noise=.3, standardise=0, intercept_sd=0., chains=1)
        covariance = .09 * np.eye(40) + x @ x.T
        exact = -.5 * (40 * np.log(2 * np.pi) + np.linalg.slogdet(covariance)[1] + y @ np.linalg.solve(covariance, y))
        for method in ("laplace", "variational-full"):
            mode, = lcc.fit(x, y, method=method, **known).report["modes"]
            self.assertAlmostEqual(mode["log_evidence"], exact, 5)
        self.assertNotIn("modes", lcc.fit(x, y, **SHORT).report)

    def test_the_command_line_makes_the_same_model(self):
        """To the byte: posterior, and columns but for its note. Each reads the other's."""
        if not os.environ.get("LCC"):
            self.skipTest("the environment variable LCC names no command line")
        frame, price = table()
        kind = np.where(price > 3, "high", np.where(price > 2, "mid", "low"))
        with tempfile.TemporaryDirectory() as folder:
            def command(name, *arguments):
                subprocess.run([os.environ["LCC"], name, *arguments], check=True, cwd=folder, capture_output=True)

            for y, name, more, own in (
                    (price, "price", ["--missing", "mean", "--categorical", "sex,code"], {"missing": "mean"}),
                    (price + 1e9, "price", ["--missing", "mean", "--categorical", "sex,code"], {"missing": "mean"}),
                    (price.to_numpy(), "y", ["--drop", "a,city,sex,code", "--method", "map"], {"method": "map"}),
                    (price.to_numpy(), "y", ["--drop", "a,city,sex,code", "--method", "laplace"], {"method": "laplace"}),
                    (price.to_numpy(), "y", ["--drop", "a,city,sex,code"], {}),
                    (kind, "y", ["--drop", "a,city,sex,code"], {}),
                    (kind, "y", ["--drop", "a,city,sex", "--group", "code"], {"groups": frame["code"]})):
                x = frame if "missing" in own else frame[["ok", "k"]]
                frame.assign(**{name: y}).to_csv(f"{folder}/t.csv", index=False)
                flags = FLAGS if "method" not in own else "--chains 2 --start 50 --ascent 20 --quiet".split()
                options = SHORT if "method" not in own else {"chains": 2, "start_steps": 50, "ascent_steps": 20}
                command("fit", "--data", "t.csv", "--target", name, "--model", "m.lcc", *flags, *more)
                theirs, ours = lcc.Model.load(f"{folder}/m.lcc"), lcc.fit(x, y, **own, **options)
                self.assertEqual(parts(ours), parts(theirs))
                self.assertEqual(theirs.classes_, ours.classes_)
                self.assertEqual(str(theirs.evaluate(x, y)), str(ours.evaluate(x, y)))   # NaN is not NaN
                ours.save(f"{folder}/p.lcc")
                for model, out in (("m.lcc", "m.csv"), ("p.lcc", "p.csv")):
                    command("predict", "--model", model, "--data", "t.csv", "--predictions", out)
                with open(f"{folder}/m.csv") as first, open(f"{folder}/p.csv") as second:
                    self.assertEqual(first.read(), second.read())


if __name__ == "__main__":
    unittest.main()
