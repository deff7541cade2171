# Written by stubs.py.
import os
from typing import Any, Callable, Dict, Literal, Mapping, Optional, Sequence, Tuple, Union

import numpy
from numpy.typing import ArrayLike

from . import theory as theory
from ._library import PATH as PATH, LccError as LccError
from .certificates import Certificate as Certificate, Certificates as Certificates
from .estimators import LCCClassifier as LCCClassifier, LCCRegressor as LCCRegressor
from .loo import Loo as Loo, loo as loo
from .model import Classes as Classes, Model as Model, Predictions as Predictions, Spread as Spread, Thinned as Thinned
from .online import Forecast as Forecast, Score as Score
from .page import Figure as Figure, Page as Page
from .parameters import Parameters as Parameters
from .samples import Sample as Sample, Summary as Summary
from .vae import Vae as Vae

__version__: str

def fit(
    x: ArrayLike,
    y: ArrayLike,
    *,
    sample_weight: Optional[ArrayLike] = None,
    groups: Optional[ArrayLike] = None,
    threads: Optional[int] = None,
    progress: Union[bool, Callable[[float], object], None] = None,
    precision: Literal["auto", "single", "double"] = 'auto',
    missing: Literal["refuse", "mean"] = 'refuse',
    calibrate: bool = True,
    method: Union[Literal["bnn", "map", "maximum-likelihood", "laplace", "laplace-diagonal", "last-layer", "ensemble", "dropout", "variational", "variational-full", "variational-low-rank", "backprop", "tempered", "batched", "sgld", "penalty", "swag", "chains", "network"], int, None] = 'bnn',
    widths: Union[int, Sequence[int]] = (20,),
    activation: Union[Literal["tanh", "logistic", "softplus", "squared-relu", "erf", "sine", "gaussian-bump", "gelu", "silu", "arctan", "relu"], int, None] = 'tanh',
    output: Union[Literal["student-t", "gaussian", "mean-variance", "mixture", "bernoulli", "softmax", "poisson", "negative-binomial", "ordinal", "log-normal", "hurdle-log-normal", "gamma", "hurdle-gamma", "regression", "classes", "counts"], int, None] = None,
    categories: int = 2,
    reference: int = 0,
    exposure: Union[int, str] = 0,
    linear: int = 1,
    scales: Union[Literal["inputs", "layers", "known"], int, None] = 'inputs',
    standardise: int = 2,
    chains: int = 0,
    lanes: int = 8,
    start_steps: int = 1000,
    ascent_steps: int = 0,
    warmup: int = 40,
    draws: int = 6,
    keep: int = 3,
    leapfrogs: int = 60,
    drop: int = 1,
    trace_rows: int = 20,
    portable: int = 0,
    first_chain: int = 0,
    batch: int = 0,
    rank: int = 4,
    pairs: int = 4,
    halving: int = 0,
    minibatches: int = 16,
    penalty: Union[Literal["estimated", "series", "known", "controlled"], int, None] = 'series',
    barker: int = 0,
    full: int = 0,
    optimiser: Union[Literal["ascent", "sgd"], int, None] = 'ascent',
    average: int = 1,
    seed: int = 1,
    drop_below: float = 1.0,
    target_accept: float = 0.8,
    jitter: float = 0.3,
    first_step: float = 0.2,
    noise: float = 0.0,
    tail: float = 0.0,
    noise_shape: float = 0.5,
    noise_rate: float = 0.0,
    floor: float = 0.001,
    size: float = 0.0,
    input_scale: float = 0.0,
    bias_scale: float = 1.0,
    hidden_scale: float = 1.0,
    outer_scale: float = 1.0,
    linear_scale: float = 1.0,
    intercept_sd: float = 10.0,
    dropout: float = 0.1,
    mixture: float = 0.0,
    wide: float = 1.0,
    narrow: float = 0.0024787521766663585,
    prune: float = 0.0,
    rate: float = 0.0,
    delay: float = 100.0,
    step: float = 0.0,
    decay: float = 0.0,
    neurons: int = 20,
    gaussian: int = 0,
    starts: int = 3,
    early_leapfrogs: int = 12,
    mass: Union[Literal["dense", "diagonal"], int, None] = 'dense',
    mass_updates: int = 40,
    largest_step: float = 1.0,
) -> Model: ...

def sample(
    log_density: Callable[..., Any],
    dim: Union[int, Parameters],
    *,
    gradient: bool = True,
    vectorized: bool = False,
    scale: float = 1.0,
    start: Any = None,
    quantities: Optional[Callable[[Any], Mapping[str, ArrayLike]]] = None,
    progress: Union[bool, Callable[[float], object], None] = None,
    timeout: Optional[float] = None,
    chains: int = 16,
    lanes: int = 8,
    pilot: int = 512,
    warmup: int = 100,
    draws: int = 1000,
    portable: int = 0,
    ess: int = 1000,
    seed: int = 1,
    max_gradients: int = 0,
) -> Sample: ...

def greedy_bayes(
    x: ArrayLike,
    y: ArrayLike,
    *,
    progress: Union[bool, Callable[[float], object], None] = None,
    activation: Union[Literal["tanh", "logistic", "softplus", "squared-relu", "erf", "sine", "gaussian-bump", "gelu", "silu", "arctan", "relu"], int, None] = 'tanh',
    prior: Union[Literal["gaussian", "l1-ball"], int, None] = 'gaussian',
    form: Union[Literal["tilt", "quadratic"], int, None] = 'quadratic',
    levels: int = 60,
    particles: int = 256,
    moves: int = 2,
    lanes: int = 8,
    either_sign: int = 0,
    standardise: int = 1,
    intercept: int = 1,
    refit: int = 1,
    keep: int = 64,
    follow: int = 1,
    portable: int = 0,
    seed: int = 1,
    scale: float = 1.0,
    outer: float = 3.0,
    alpha: float = 1.0,
    beta: float = 0.05,
    ridge: float = 0.001,
    holdout: float = 0.2,
) -> Model: ...

def greedy_least_squares(
    x: ArrayLike,
    y: ArrayLike,
    *,
    progress: Union[bool, Callable[[float], object], None] = None,
    method: Union[Literal["greedy", "frank-wolfe", "orthogonal"], int, None] = 'greedy',
    activation: Union[Literal["tanh", "logistic", "softplus", "squared-relu", "erf", "sine", "gaussian-bump", "gelu", "silu", "arctan", "relu"], int, None] = 'tanh',
    levels: int = 40,
    starts: int = 16,
    steps: int = 60,
    lanes: int = 8,
    standardise: int = 1,
    intercept: int = 1,
    portable: int = 0,
    seed: int = 1,
    outer: float = 5.0,
    radius: float = 5.0,
) -> Model: ...

class Posterior:
    dim: int
    def certify(
        self,
        *,
        probes: int = 8,
        sample: Optional[Sample] = None,
        coupling: Union[Literal["one-sided", "two-sided"], int, None] = 'one-sided',
        reduced: int = 0,
        lemma3: int = 16,
        warmup: int = 200,
        draws: int = 250,
        leapfrogs: int = 4,
        ascent: int = 3,
        portable: int = 0,
        seed: int = 1,
    ) -> Certificates: ...
    def draw_prior(
        self,
        draws: int = 1,
        seed: int = 1,
    ) -> numpy.ndarray: ...
    def log_density(
        self,
        w: ArrayLike,
    ) -> Tuple[float, numpy.ndarray]: ...
    def sample(
        self,
        sampler: Literal["auto", "smc", "tempering", "split-hmc", "gibbs", "xi-langevin", "hmc", "mala", "langevin", "random-walk", "independence", "reverse-diffusion", "hit-and-run", "coordinate-hit-and-run", "ball-walk", "dikin", "mirror-langevin", "reflection", "diffusion-from-noise", "xi-mala", "riemannian"] = 'auto',
        *,
        queries: Optional[ArrayLike] = None,
        temperatures: Optional[ArrayLike] = None,
        progress: Union[bool, Callable[[float], object], None] = None,
        chains: Optional[int] = None,
        lanes: int = 8,
        pilot: int = 512,
        warmup: Optional[int] = None,
        draws: int = 1000,
        portable: int = 0,
        ess: int = 0,
        seed: int = 1,
        max_gradients: int = 0,
        coupling: Union[Literal["one-sided", "two-sided"], int, None] = 'one-sided',
        reduced: int = 0,
        reference: Union[Literal["prior", "gaussian", "student-t", "mixture"], int, None] = 'prior',
        antithetic: int = 0,
        stored: int = 1000,
        leapfrogs: Optional[int] = None,
        inner: int = 1,
        fresh: int = 0,
        burn_in: int = 10,
        levels: int = 8,
        inner_method: Union[Literal["split-hmc", "gibbs", "xi-langevin", "hmc", "mala", "langevin", "random-walk", "independence", "reverse-diffusion", "hit-and-run", "coordinate-hit-and-run", "ball-walk", "dikin", "mirror-langevin", "reflection", "diffusion-from-noise", "xi-mala", "riemannian"], int, None] = 'split-hmc',
        first_chain: int = 0,
        fixed: int = 0,
        target_accept: float = 0.85,
        total_time: float = 1.6,
        jitter: float = 0.2,
        short_steps: float = 0.0,
        langevin_step: float = 0.25,
        diffusion_time: float = 0.7,
        ladder: Union[Literal["adaptive", "even", "geometric", "given", "rows", "cooling"], int, None] = 'adaptive',
        particles: int = 1024,
        stages: int = 100,
        moves: Optional[int] = None,
        adapt: int = 1,
        share: float = 0.5,
        first: float = 0.01,
    ) -> Sample: ...

class GreedyPosterior(Posterior):
    def __init__(
        self,
        x: ArrayLike,
        r: ArrayLike,
        *,
        alpha: Optional[float] = None,
        activation: Union[Literal["tanh", "logistic", "softplus", "squared-relu", "erf", "sine", "gaussian-bump", "gelu", "silu", "arctan", "relu"], int, None] = 'tanh',
        prior: Union[Literal["gaussian", "l1-ball"], int, None] = 'gaussian',
        scale: float = 1.0,
    ) -> None: ...

class JointPosterior(Posterior):
    def __init__(
        self,
        x: ArrayLike,
        y: ArrayLike,
        *,
        neurons: int = 8,
        layers: Union[int, Sequence[int], None] = None,
        outer: float = 4.0,
        beta: float = 1.0,
        signs: Union[Literal["alternating", "positive"], int, None] = 'alternating',
        activation: Union[Literal["tanh", "logistic", "softplus", "squared-relu", "erf", "sine", "gaussian-bump", "gelu", "silu", "arctan", "relu"], int, None] = 'tanh',
        prior: Union[Literal["gaussian", "l1-ball"], int, None] = 'gaussian',
        scale: float = 1.0,
    ) -> None: ...

class NetworkPosterior(Posterior):
    def __init__(
        self,
        x: ArrayLike,
        y: ArrayLike,
        *,
        method: Union[Literal["bnn", "map", "maximum-likelihood", "laplace", "laplace-diagonal", "last-layer", "ensemble", "dropout", "variational", "variational-full", "variational-low-rank", "backprop", "tempered", "batched", "sgld", "penalty", "swag", "chains"], int, None] = 'bnn',
        widths: Union[int, Sequence[int]] = (20,),
        activation: Union[Literal["tanh", "logistic", "softplus", "squared-relu", "erf", "sine", "gaussian-bump", "gelu", "silu", "arctan", "relu"], int, None] = 'tanh',
        output: Union[Literal["student-t", "gaussian", "mean-variance", "mixture", "bernoulli", "softmax", "poisson", "negative-binomial", "ordinal", "log-normal", "hurdle-log-normal", "gamma", "hurdle-gamma", "regression", "classes", "counts"], int, None] = 'gaussian',
        categories: int = 2,
        reference: int = 0,
        exposure: int = 0,
        linear: int = 1,
        scales: Union[Literal["inputs", "layers", "known"], int, None] = 'inputs',
        standardise: int = 2,
        chains: int = 0,
        lanes: int = 8,
        start_steps: int = 1000,
        ascent_steps: int = 0,
        warmup: int = 40,
        draws: int = 6,
        keep: int = 3,
        leapfrogs: int = 60,
        drop: int = 1,
        trace_rows: int = 20,
        portable: int = 0,
        first_chain: int = 0,
        batch: int = 0,
        rank: int = 4,
        pairs: int = 4,
        halving: int = 0,
        minibatches: int = 16,
        penalty: Union[Literal["estimated", "series", "known", "controlled"], int, None] = 'series',
        barker: int = 0,
        full: int = 0,
        optimiser: Union[Literal["ascent", "sgd"], int, None] = 'ascent',
        average: int = 1,
        seed: int = 1,
        drop_below: float = 1.0,
        target_accept: float = 0.8,
        jitter: float = 0.3,
        first_step: float = 0.2,
        noise: float = 0.0,
        tail: float = 0.0,
        noise_shape: float = 0.5,
        noise_rate: float = 0.0,
        floor: float = 0.001,
        size: float = 0.0,
        input_scale: float = 0.0,
        bias_scale: float = 1.0,
        hidden_scale: float = 1.0,
        outer_scale: float = 1.0,
        linear_scale: float = 1.0,
        intercept_sd: float = 10.0,
        dropout: float = 0.1,
        mixture: float = 0.0,
        wide: float = 1.0,
        narrow: float = 0.0024787521766663585,
        prune: float = 0.0,
        rate: float = 0.0,
        delay: float = 100.0,
        step: float = 0.0,
        decay: float = 0.0,
    ) -> None: ...

class Coupling:
    def __init__(
        self,
        posterior: Posterior,
        sides: Literal["one-sided", "two-sided"] = 'one-sided',
    ) -> None: ...
    rho: numpy.ndarray
    def draw(
        self,
        w: ArrayLike,
        seed: int = 1,
    ) -> numpy.ndarray: ...
    def given(
        self,
        xi: ArrayLike,
        sampler: Optional[Literal["auto", "smc", "tempering", "split-hmc", "gibbs", "xi-langevin", "hmc", "mala", "langevin", "random-walk", "independence", "reverse-diffusion", "hit-and-run", "coordinate-hit-and-run", "ball-walk", "dikin", "mirror-langevin", "reflection", "diffusion-from-noise", "xi-mala", "riemannian"]] = None,
        **options: Any,
    ) -> Sample: ...
    def hessian(
        self,
        covariance: ArrayLike,
    ) -> numpy.ndarray: ...
    def log_density(
        self,
        w: ArrayLike,
        xi: ArrayLike,
    ) -> Tuple[float, numpy.ndarray]: ...
    def score(
        self,
        xi: ArrayLike,
        mean: Optional[ArrayLike] = None,
    ) -> numpy.ndarray: ...

class Prequential:
    def __init__(
        self,
        inputs: int,
        rows: int,
        *,
        units: Optional[Tuple[ArrayLike, ArrayLike]] = None,
        precision: Literal["single", "double"] = 'double',
        activation: Union[Literal["tanh", "logistic", "softplus", "squared-relu", "erf", "sine", "gaussian-bump", "gelu", "silu", "arctan", "relu"], int, None] = 'tanh',
        prior: Union[Literal["gaussian", "l1-ball"], int, None] = 'gaussian',
        form: Union[Literal["tilt", "quadratic"], int, None] = 'quadratic',
        levels: int = 16,
        particles: int = 256,
        moves: int = 2,
        lanes: int = 8,
        either_sign: int = 0,
        intercept: int = 1,
        keep: int = 64,
        portable: int = 0,
        seed: int = 1,
        scale: float = 1.0,
        outer: float = 3.0,
        alpha: float = 0.3,
        beta: float = 0.1,
        ess: float = 0.5,
        noise: float = 1.0,
    ) -> None: ...
    def predict(
        self,
        x: ArrayLike,
        level: float = 0.9,
    ) -> Forecast: ...
    def observe(
        self,
        x: ArrayLike,
        y: float,
    ) -> Score: ...
    def model(
        self,
        averaging: Literal["printed", "inclusive", "last"] = 'last',
    ) -> Model: ...
    def save(
        self,
        path: Union[str, os.PathLike[str]],
    ) -> None: ...
    @classmethod
    def load(
        cls,
        path: Union[str, os.PathLike[str]],
    ) -> Prequential: ...
    def expectation(
        self,
        index: int,
        x: ArrayLike,
    ) -> float: ...
    def level(
        self,
        index: int,
    ) -> Dict[str, float]: ...
    @property
    def losses(self) -> Dict[str, float]: ...

class Stream:
    def __init__(
        self,
        model: Model,
        *,
        precision: Literal["single", "double"] = 'double',
        draws: int = 64,
        lanes: int = 8,
        weighted: int = 1,
        portable: int = 0,
        forgetting: float = 0.98,
        noise_forgetting: float = 0.98,
        weight_forgetting: float = 0.9,
        noise_rows: float = 10.0,
        outer_sd: float = 1.0,
        intercept_sd: float = 1.0,
        linear_sd: float = 0.3,
    ) -> None: ...
    def predict(
        self,
        x: ArrayLike,
        level: float = 0.9,
    ) -> Predictions: ...
    def observe(
        self,
        x: ArrayLike,
        y: float,
    ) -> Score: ...
    def model(
        self,
        *,
        spread: bool = True,
        seed: int = 1,
    ) -> Model: ...
    def save(
        self,
        path: Union[str, os.PathLike[str]],
    ) -> None: ...
    @classmethod
    def load(
        cls,
        path: Union[str, os.PathLike[str]],
    ) -> Stream: ...
    @property
    def info(self) -> Dict[str, int]: ...
    @property
    def weights(self) -> numpy.ndarray: ...
