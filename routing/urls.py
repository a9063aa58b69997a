"""What programs ask: the API and the probes. Names here have no namespace: ninja brings its own."""

from django.urls import path, re_path

from routing.api.app import api
from routing.api.monitoring import metrics
from routing.api.probes import healthz, readyz
from routing.api.refusals import unknown_address

urlpatterns = [
    path("api/v1/", api.urls),
    re_path("^api/", unknown_address),
    path("healthz", healthz, name="healthz"),
    path("readyz", readyz, name="readyz"),
    path("metrics", metrics, name="metrics"),
]
