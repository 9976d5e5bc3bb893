"""What we use of hypothesis; or one sentence on where to get it."""

try:
    from hypothesis import HealthCheck, Phase, given, seed, settings, stateful, strategies
except ModuleNotFoundError as missing:
    if missing.name != "hypothesis":
        raise
    raise ModuleNotFoundError(
        "this part of mmtools.testing needs the package hypothesis: pip install hypothesis", name=missing.name
    ) from missing

__all__ = ["HealthCheck", "Phase", "given", "seed", "settings", "stateful", "strategies"]
