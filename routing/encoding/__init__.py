"""The encoders that releases name: those that ship their weights, and endpoints over HTTP."""

from routing.encoding.endpoint import EmbeddingsEndpoint, EncoderFailed
from routing.encoding.names import ENDPOINT, ReleaseEncoder, current, wanted
from routing.encoding.registry import Missing, encoder_of_release, load_encoder

__all__ = [
    "ENDPOINT",
    "EmbeddingsEndpoint",
    "EncoderFailed",
    "Missing",
    "ReleaseEncoder",
    "current",
    "encoder_of_release",
    "load_encoder",
    "wanted",
]
