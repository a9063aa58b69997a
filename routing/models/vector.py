"""Vectors, kept by what they are of and who made them."""

from django.db import models


class Vector(models.Model):
    """An encoder's vector of a text: little-endian float32 bytes. Equal texts share one."""

    encoder = models.CharField(max_length=100)
    sha256 = models.CharField(max_length=64)
    values = models.BinaryField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["encoder", "sha256"], name="vector_once_an_encoder"),
        ]

    def __str__(self) -> str:
        return f"{self.encoder} {self.sha256[:12]}"
