# Written by stubs.py.
from typing import Any, Callable, Literal, Mapping, Optional, Sequence, Union

from numpy.typing import ArrayLike

from . import theory as theory
from ._library import PATH as PATH, LccError as LccError
from .density import Sample as Sample, Summary as Summary
from .estimators import LCCClassifier as LCCClassifier, LCCRegressor as LCCRegressor
from .loo import Loo as Loo, loo as loo
from .model import Classes as Classes, Model as Model, Predictions as Predictions, Spread as Spread
from .parameters import Parameters as Parameters
from .vae import Vae as Vae

__version__: str

def fit(
    x: ArrayLike,
    y: ArrayLike,
    *,
    threads: int = 1,
    progress: Union[bool, Callable[[float], object], None] = None,
    precision: Literal["auto", "single", "double"] = 'auto',
    missing: Literal["refuse", "mean"] = 'refuse',
    calibrate: bool = True,
    method: Union[Literal["bnn", "map", "maximum-likelihood", "laplace", "laplace-diagonal", "last-layer", "ensemble", "dropout", "variational", "variational-full", "variational-low-rank", "backprop", "tempered", "batched", "sgld", "penalty", "swag", "chains"], int, None] = 'bnn',
    widths: Union[int, Sequence[int]] = (20,),
    activation: Union[Literal["tanh", "logistic", "softplus", "squared-relu", "erf", "sine", "gaussian-bump", "gelu", "silu", "arctan", "relu"], int, None] = 'tanh',
    output: Union[Literal["student-t", "gaussian", "mean-variance", "mixture", "bernoulli", "softmax", "poisson", "negative-binomial", "ordinal", "log-normal", "hurdle-log-normal", "classes"], int, None] = None,
    categories: int = 2,
    reference: int = 0,
    exposure: int = 0,
    linear: int = 1,
    scales: Union[Literal["inputs", "layers", "known"], int, None] = 'inputs',
    standardise: int = 1,
    chains: int = 0,
    lanes: int = 8,
    start_steps: int = 1000,
    ascent_steps: int = 0,
    warmup: int = 25,
    draws: int = 6,
    keep: int = 3,
    leapfrogs: int = 240,
    drop: int = 1,
    trace_rows: int = 20,
    portable: int = 0,
    first_chain: int = 0,
    batch: int = 0,
    rank: int = 4,
    pairs: int = 4,
    halving: int = 0,
    minibatches: int = 16,
    penalty: Union[Literal["estimated", "series", "known"], int, None] = 'series',
    barker: int = 0,
    full: int = 0,
    seed: int = 1,
    drop_below: float = 1.0,
    target_accept: float = 0.95,
    jitter: float = 0.3,
    first_step: float = 0.15,
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
