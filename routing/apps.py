"""The routing app."""

from django.apps import AppConfig


class RoutingConfig(AppConfig):
    name = "routing"
