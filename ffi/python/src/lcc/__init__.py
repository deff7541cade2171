"""Bayesian neural networks, and draws from log densities, by log-concave coupling (LCC).

    import lcc
    model = lcc.fit(x, y)                    # or lcc.LCCRegressor, lcc.LCCClassifier in scikit-learn's manner
    mean, sd, lower, upper = model.predict(x_new, level=0.9)
    draws = lcc.sample(lambda x: (-x @ x / 2, -x), 2).draws

Everything is computed by the shared library liblcc: that of the wheel, or the file that LCC_LIBRARY names. The same seed
gives the same bits on every machine.
"""

from . import theory
from ._library import PATH, LccError, function
from .certificates import Certificate, Certificates
from .coupling import Coupling
from .density import sample
from .fit import fit
from .greedy import greedy_bayes, greedy_least_squares
from .loo import Loo, loo
from .model import Classes, Model, Predictions, Spread, Thinned
from .online import Forecast, Prequential, Score, Stream
from .page import Figure, Page
from .parameters import Parameters
from .posterior import GreedyPosterior, JointPosterior, NetworkPosterior, Posterior
from .samples import Sample, Summary
from .vae import Vae


def __getattr__(name):
    """The estimators, when they are asked for: scikit-learn takes longer to import than the rest."""
    if name in ("LCCClassifier", "LCCRegressor"):
        from . import estimators

        return getattr(estimators, name)
    raise AttributeError(f"module 'lcc' has no attribute {name!r}")


__version__ = function("lcc_version")().decode()
__all__ = [
    "PATH", "Certificate", "Certificates", "Classes", "Coupling", "Figure", "Forecast", "GreedyPosterior", "JointPosterior",
    "LCCClassifier", "LCCRegressor", "LccError", "Loo", "Model", "NetworkPosterior", "Page", "Parameters", "Posterior",
    "Predictions", "Prequential", "Sample", "Score", "Spread", "Stream", "Summary", "Thinned", "Vae", "fit", "greedy_bayes",
    "greedy_least_squares", "loo", "sample", "theory",
]
