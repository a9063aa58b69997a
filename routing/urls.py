"""What programs ask: the API and the probes."""

from django.urls import path

from routing.api.app import api
from routing.api.probes import healthz, readyz

app_name = "routing"

urlpatterns = [
    path("api/v1/", api.urls),
    path("healthz", healthz, name="healthz"),
    path("readyz", readyz, name="readyz"),
]
