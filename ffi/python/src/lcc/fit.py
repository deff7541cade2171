"""Learning: a Bayesian network from rows and targets."""

import ctypes
import warnings

import numpy

from . import _library as library
from . import columns, tables
from ._library import CODES
from ._network import at_once, run
from ._pilots import calibrated, choose
from ._progress import shown
from ._remarks import said
from ._rows import Rows, groups_of, numeric, some_of, weights_of
from ._signature import with_options
from .model import Model


_CLASSES = ("bernoulli", "softmax", "ordinal")


# The method of lcc_network_, beside those of lcc_bnn_.
_LONG = "network"
# R-hat above which its chains sit in different modes.
_MIXED = 1.05


@with_options("bnn", "network", first=True, method="bnn", output=None)
def fit(x, y, *, sample_weight=None, groups=None, threads=None, progress=None, precision="auto", missing="refuse", calibrate=True,
        **options):
    """Fits a Bayesian neural network to rows `x` (n by d) and targets `y` (n), in their own units; returns a `Model`.

    Nothing needs to be tuned. Options are the members of the header's `lcc_bnn_options` by the same names: `method="bnn"`
    (the default: many short chains of Hamiltonian Monte Carlo; also map, laplace, ensemble, ...); `widths=(20,)`, up to
    four hidden layers, or `()` for none; `output="student-t"` (also gaussian, mean-variance, mixture, log-normal,
    gamma, hurdle-log-normal, hurdle-gamma, bernoulli, softmax, ordinal, poisson, negative-binomial, or, as `lcc fit` has them, regression, classes and
    counts); `activation`, `chains`, `warmup`, `draws`, `keep`, `seed` and so on. The signature shows the defaults of bnn; other methods have their own.

    A target of words or of true and false is classes, as `lcc fit` takes it: bernoulli of two, softmax of more;
    `model.classes_` has their names. `output="classes"` takes numbers as names. With bernoulli, softmax and ordinal, numbers
    are the classes 0, 1, ..., `categories` of them; ordinal takes words as ordered categories of pandas,
    `pandas.Categorical(y, ["low", "middle", "high"], ordered=True)`, or an enumeration of polars. Without `output` other numbers
    are real numbers, and short fits, of which some rows are held out, choose what their noise is like: student-t, the same for
    all rows, log-normal or gamma (of positive numbers), negative-binomial (of whole numbers from 0 on), mean-variance or mixture; with 32 inputs or more also whether `scales` are inputs
    or known, unless you say. `model.report["choice"]` says by how many nats. Numbers of which a fifth or more is 0, and none
    negative, get hurdle-log-normal or hurdle-gamma.

    The probabilities of classes are calibrated, unless `calibrate=False`: a temperature (`model.info["temperature"]`) under
    which rows that short fits did not see score best. That takes about as long as the fit.

    Counts may have an exposure, as a time or an area: the last column of `x` by `exposure=1`, or a column of a data frame by its
    name, `exposure="years"`. A target with an exposure is counts, by negative-binomial without `output`.

    `sample_weight`, one number for each row, 0 or more: a row of weight 2 counts as if it were there twice, one of weight 0 not
    at all. Weights that sum to 1 make one row of all: divide by their mean those whose scale says nothing.

    `groups`, one value for each row, as the person or the device that it is of: the short fits hold out all rows of a group
    together. Give them where rows to predict will be of new persons; scikit-learn's `GroupKFold` judges likewise.

    `method="network"` is what microcontrollers run: one hidden layer by a few long chains, of numbers with Student-t noise.
    Its options are the members of `lcc_network_options`: `neurons`, `chains`, `warmup`, `draws`, `mass` and so on, by
    default 4 chains of 500 + 500 draws. A warning says where its chains sit in different modes.

    Warnings say what of the rows a network would take at its word: codes for missing values, a column that counts the rows,
    one of one value or of dates as 20240131, one number in many targets, a row of totals, more inputs than
    rows, few rows. `model.report["warnings"]` has them all.

    `x` may be a data frame. Its columns go with the model, which finds them by name. Columns of words, categories or true
    and false become a column of 0 and 1 for each category (one column for two), as in `lcc fit`. Missing values are refused,
    or with `missing="mean"` count for the mean of their column and are marked in a column of their own.

    `precision="auto"` is the rule of `lcc fit`: single, but double where single precision would round values by more than a
    thousandth of their spread, and for methods that climb to a mode or fit a distribution. "single" and "double" decide it.
    `model.report["precision"]` says which it was. Results have the dtype of the rows that are predicted.

    The same seed gives the same bytes on every machine, for every number of `threads`, by default as many as run at once.
    `progress=True` shows a bar on standard error; a function is called between steps of some 50 ms with the share that is done,
    from one of the threads at a time; what it raises ends the fit.

    `model.report` tells how it went: `luck_rms` is what another seed would change in a prediction, in predictive sds;
    `rhat_max` above 1.01 says that chains sit in different modes, whose ensemble the model then is.
    """
    threads = at_once() if threads is None else int(threads)
    options = {name: value for name, value in options.items() if value is not None}
    named = [name for name in options if name not in ("method", "output")]
    count = len(y) if hasattr(y, "__len__") else 0
    (has, weights), groups = weights_of(sample_weight, count), groups_of(groups, count)
    if has is not None and not has.all():
        x, y = some_of(x, has), some_of(y, has)
        groups = groups and [group for group, own in zip(groups, has) if own]
    x, options = _counted(x, options)
    x, y, learned, options = _learn(x, y, missing, options)
    if options.get("method") == _LONG:
        for name, given in (("sample_weight", weights), ("groups", groups)):
            if given is not None:
                raise TypeError(f"method={_LONG!r} takes no {name}: leave the method out")
        return _by_long_chains(x, y, learned, precision, threads, progress, options)
    asked = library.options("bnn", "f64", options)   # what is wrong with them is said first
    opens = options.get("output") is None and asked.method == CODES["LCC_INFERENCE_CHAINS"]
    library.check_read("inference", asked.method, asked, named)
    if not opens:
        library.check_read("output", asked.output, asked, named)
    rows = _in_precision(Rows(x, y, weights=weights, groups=groups), precision, options)
    _check_targets(rows, library.network_options(rows.precision, options), library.output_of(options))
    choice, begin = None, 0.0
    with shown(progress) as report:
        if opens:
            options, choice = choose(rows, threads, {**options, "output": "student-t"}, lambda share: report(0.1 * share))
            begin = 0.1
        found = said(rows, library.output_of(options) or "student-t", learned, bool(options.get("exposure")))
        calibrates = calibrate and library.output_of(options) in _CLASSES
        end = 0.5 if calibrates else 1.0
        made = library.network_options(rows.precision, options)
        model = run(made, rows, threads, lambda share: report(begin + (end - begin) * share))
        if calibrates:
            model = calibrated(rows, threads, made, model, lambda share: report(end + (1 - end) * share))
    if choice is not None:
        model.report["choice"] = choice
    model.report["warnings"] = found
    model.report["precision"] = "single" if rows.precision == "f32" else "double"
    return model.with_columns(learned)


def _check_targets(rows, made, output):
    """That every y is what the output can be, and every exposure positive."""
    y = rows.y
    whole = (y >= 0) & (y == numpy.floor(y))
    if output in _CLASSES:
        most = 2 if output == "bernoulli" else made.categories
        bad = ~(whole & (y < most))
        what = (f"with output={output!r} numbers are the classes 0 to {most - 1}"
                + ("" if output == "bernoulli" else ", categories of them") + '; output="classes" takes numbers as names')
    elif output in ("poisson", "negative-binomial"):
        bad, what = ~whole, "counts are whole numbers from 0"
    else:
        return
    if bad.any():
        row = int(bad.argmax())
        raise ValueError(f"y at row {row} (from 0) is {y[row]:g}: {what}")
    if made.exposure and (bad := ~(rows.x[:, -1] > 0)).any():
        row = int(bad.argmax())
        raise ValueError(f"the exposure, the last column of x, is {rows.x[row, -1]:g} at row {row} (from 0): it must be positive")


def _by_long_chains(x, y, learned, precision, threads, progress, options):
    """The model of a few long chains."""
    if "output" in options:
        raise TypeError(f"method={_LONG!r} is of numbers with Student-t noise: leave output out, or take another method")
    own = {name: value for name, value in options.items() if name != "method"}
    library.options("network", "f64", own)
    rows = _in_precision(Rows(x, y), precision, {})
    found = said(rows, "student-t", learned, depth=4)
    with shown(progress) as report:
        model = run(library.options("network", rows.precision, own), rows, threads, report)
    model.report["precision"] = "single" if rows.precision == "f32" else "double"
    rhat = model.report["rhat_max"]
    if rhat > _MIXED:
        found.append(f"the chains sit in different modes: R-hat {rhat:.3f}, above {_MIXED}; the model averages over them: "
                     "more chains cover more modes, method=\"bnn\" many")
        warnings.warn(found[-1], stacklevel=3)
    model.report["warnings"] = found
    return model.with_columns(learned)


def _counted(x, options):
    """Rows whose last column is the exposure, where a column of a data frame is named, and the options with an output's name."""
    exposure, output = options.get("exposure"), options.get("output")
    if isinstance(exposure, str):
        names = columns.names_of(x)
        if names is None or names.count(exposure) != 1:
            what = "x is no data frame: exposure=1 takes its last column" if names is None else "x has no such column"
            raise ValueError(f'exposure="{exposure}": {what}')
        own = names.index(exposure)
        order = [k for k in range(len(names)) if k != own] + [own]
        x = x.iloc[:, order] if hasattr(x, "iloc") else x.select([names[k] for k in order])
        exposure = 1
        options = {**options, "exposure": exposure}
    if output == "counts" or exposure and output is None:
        options = {**options, "output": "negative-binomial"}
    elif output == "regression":
        options = {name: value for name, value in options.items() if name != "output"}
    return x, options


def _learn(x, y, missing, options):
    """Rows and targets as numbers, what their columns are (None where they are numbers in arrays), and the options."""
    output = library.output_of(options)
    if y is None:
        raise ValueError("y is None: give the target of each row")
    classes, name = tables.names_classes(y, output), str(getattr(y, "name", None) or "y")
    if columns.names_of(x) is None:
        if missing != "refuse":
            raise ValueError(f"missing={missing!r} is of data frames: give pandas.DataFrame(x)")
        if not classes:
            return x, y, None, options
        x = Rows(x).x
    elif not classes:
        y = numeric(y, "y")
    if classes and output not in ("", "classes", *_CLASSES):
        raise ValueError(f"y names classes, and the output {output} is of numbers: leave output out, or give numbers")
    target, codes = tables.learn_target(y, name, classes, output == "ordinal")
    inputs, x = tables.learn(x, missing, options.get("exposure"))
    if classes:
        count = len(target.levels)
        output = output if output in _CLASSES else "bernoulli" if count == 2 else "softmax"
        if output == "bernoulli" and count != 2:
            raise ValueError(f"y has {count} classes, and bernoulli takes two: output=\"classes\" takes all")
        options = {**options, "output": output, "categories": count}
    return x, codes, columns.Columns(inputs, bool(options.get("exposure")), target), options


def _in_precision(rows, precision, options):
    """Rows in single or double precision."""
    if precision not in ("auto", "single", "double"):
        raise ValueError(f'precision is "auto", "single" or "double", not {precision!r}')
    made, column = library.network_options(rows.precision, options), ctypes.c_size_t()
    bits = library.number_by(f"lcc_bnn_precision_{rows.precision}", ctypes.byref(made), rows.pointer, ctypes.byref(column),
                               out=ctypes.c_uint32)
    if precision == "single" and column.value <= rows.d:
        lost = "y" if column.value == rows.d else f"column {column.value} of x"
        warnings.warn(f"single precision does not hold what the values of {lost} differ by: leave precision=\"single\" out",
                      stacklevel=3)
    double = precision == "double" or precision == "auto" and bits == 64
    dtype = numpy.float64 if double else numpy.float32
    with numpy.errstate(over="ignore"):
        return rows if rows.dtype == dtype else Rows(rows.x, rows.y, dtype, rows.weights, rows.groups)


__all__ = ["fit"]
