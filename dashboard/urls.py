"""The root URLs. A page is added in `dashboard.page_urls` or `catalog.urls`, not here."""

from django.urls import include, path

urlpatterns = [
    path("", include("dashboard.page_urls")),
    path("", include("routing.urls")),
    path("catalogs/", include("catalog.urls")),
]
