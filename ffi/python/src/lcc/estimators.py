"""Estimators in scikit-learn's manner. They are scikit-learn's own where that is installed, and work without it."""

import inspect

import numpy

from ._rows import refuse
from .fit import fit

try:
    import sklearn
except ImportError:
    sklearn = None

if sklearn is not None:
    from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import check_is_fitted

    try:
        from sklearn.utils.validation import validate_data
    except ImportError:   # before scikit-learn 1.6

        def validate_data(estimator, X, y="no_validation", **how):
            if y is not None and not isinstance(y, str):
                return estimator._validate_data(X, y, **how)
            return estimator._validate_data(X, **how)
else:

    class BaseEstimator:
        """The part of scikit-learn's that is needed without it."""

        def get_params(self, deep=True):
            return {name: getattr(self, name) for name in inspect.signature(type(self)).parameters}

        def set_params(self, **values):
            for name, value in values.items():
                if name not in self.get_params():
                    raise ValueError(f"{name} is no parameter of {type(self).__name__}")
                setattr(self, name, value)
            return self

    class RegressorMixin:
        """With R squared as the score."""

        def score(self, X, y):
            y = numpy.asarray(y, float)
            return 1 - numpy.sum((y - self.predict(X)) ** 2) / numpy.sum((y - y.mean()) ** 2)

    class ClassifierMixin:
        """With the accuracy as the score."""

        def score(self, X, y):
            return numpy.mean(self.predict(X) == numpy.asarray(y))

    def check_classification_targets(y):
        pass

    def check_is_fitted(estimator):
        if not hasattr(estimator, "model_"):
            raise ValueError(f"{type(estimator).__name__} is not fitted yet")

    def validate_data(estimator, X, y=None, reset=True, **_):
        X = numpy.asarray(X)
        if reset:
            estimator.n_features_in_ = X.shape[-1]
        return X if y is None else (X, numpy.asarray(y))


def _seed(random_state):
    """An integer as it is; of None, or a RandomState, its next."""
    if isinstance(random_state, (int, numpy.integer)) and not isinstance(random_state, bool):
        return random_state
    if random_state is None or isinstance(random_state, numpy.random.RandomState):
        return (random_state or numpy.random).randint(2**31)
    raise ValueError(f"random_state is an integer, a numpy.random.RandomState or None, not {random_state!r}")


class _Network(BaseEstimator):
    def __init__(self, hidden_layer_sizes=(20,), activation="tanh", chains=0, warmup=40, draws=6, keep=3,
                 start_steps=1000, leapfrogs=60, n_jobs=1, random_state=1):
        self.hidden_layer_sizes = hidden_layer_sizes
        self.activation = activation
        self.chains = chains
        self.warmup = warmup
        self.draws = draws
        self.keep = keep
        self.start_steps = start_steps
        self.leapfrogs = leapfrogs
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _checked(self, X, y):
        refuse(X, "X")
        refuse(y, "y")
        return validate_data(self, X, y, dtype=(numpy.float64, numpy.float32), ensure_min_samples=2,
                             **({"y_numeric": True} if isinstance(self, RegressorMixin) else {}))

    def _rows(self, X):
        check_is_fitted(self)
        refuse(X, "X")
        return validate_data(self, X, reset=False, dtype=(numpy.float64, numpy.float32))

    def _fit(self, X, y, **options):
        seed = _seed(self.random_state)
        threads = self.n_jobs if self.n_jobs and self.n_jobs > 0 else None
        self.model_ = fit(X, y, widths=self.hidden_layer_sizes, activation=self.activation, chains=self.chains,
                          warmup=self.warmup, draws=self.draws, keep=self.keep, start_steps=self.start_steps,
                          leapfrogs=self.leapfrogs, threads=threads, seed=int(seed), **options)
        return self


class LCCRegressor(RegressorMixin, _Network):
    """The posterior of a Bayesian network of a number, by many short chains of Hamiltonian Monte Carlo.

    hidden_layer_sizes: up to four widths, () for none. output: student-t, gaussian, mean-variance, mixture, log-normal,
    gamma, hurdle-log-normal, hurdle-gamma, poisson or negative-binomial; None: what short fits choose (`lcc.fit`).
    random_state: an integer names the random numbers (the same bytes on every machine). n_jobs: threads, -1 for all,
    which change no bit. The others are those of `lcc.fit`, and need no tuning. Inputs and target are standardised
    within. After fit, `model_` is the `lcc.Model`.
    """

    def __init__(self, hidden_layer_sizes=(20,), activation="tanh", output=None, chains=0, warmup=40, draws=6,
                 keep=3, start_steps=1000, leapfrogs=60, n_jobs=1, random_state=1):
        super().__init__(hidden_layer_sizes, activation, chains, warmup, draws, keep, start_steps, leapfrogs, n_jobs,
                         random_state)
        self.output = output

    def fit(self, X, y, sample_weight=None, groups=None):
        X, y = self._checked(X, y)
        if y.dtype.kind in "US" or self.output in ("classes", "bernoulli", "softmax", "ordinal"):
            raise ValueError(f"LCCRegressor predicts numbers, and {'y holds words' if y.dtype.kind in 'US' else 'output=' + repr(self.output)}"
                             " is of classes: take LCCClassifier, or lcc.fit")
        y = y.astype(float) if y.dtype.kind == "b" else y
        return self._fit(X, y, output=self.output, sample_weight=sample_weight, groups=groups)

    def predict(self, X, return_std=False):
        """The means of the predictive law, and with return_std its standard deviations (noise included) too."""
        rows = self._rows(X)
        p = self.model_.predict(rows)
        return (p.mean, p.sd) if return_std else p.mean

    def predict_interval(self, X, level=0.9):
        """The ends of the central interval of probability `level` at each row, as two columns."""
        rows = self._rows(X)
        p = self.model_.predict(rows, level)
        return numpy.column_stack([p.lower, p.upper])

    def sample_y(self, X, n_samples=1, random_state=0):
        """Draws of the target at each row: n_samples columns."""
        rows = self._rows(X)
        return self.model_.simulate(rows, n_samples, _seed(random_state))


class LCCClassifier(ClassifierMixin, _Network):
    """The posterior of a Bayesian network of classes: probabilities averaged over networks, not of one.

    Parameters as those of LCCRegressor. `uncertainty(X)` tells what is noise from what is not known.
    """

    def fit(self, X, y, sample_weight=None, groups=None):
        X, y = self._checked(X, y)
        check_classification_targets(y)
        self.classes_, codes = numpy.unique(y, return_inverse=True)
        count = len(self.classes_)
        if count < 2:
            raise ValueError(f"Classifier can't train when only one class is present: {self.classes_[0]!r}")
        kind = {"output": "bernoulli"} if count == 2 else {"output": "softmax", "categories": count}
        return self._fit(X, codes, sample_weight=sample_weight, groups=groups, **kind)

    def predict_proba(self, X):
        """The probability of each class at each row."""
        rows = self._rows(X)
        return self.model_.classes(rows).probabilities

    def predict(self, X):
        """The most probable class at each row."""
        rows = self._rows(X)
        return self.classes_[numpy.argmax(self.model_.classes(rows).probabilities, axis=1)]

    def uncertainty(self, X):
        """`lcc.Classes` of each row: entropy, and the mutual information, which more data make smaller."""
        rows = self._rows(X)
        return self.model_.classes(rows)


__all__ = ["LCCClassifier", "LCCRegressor"]
