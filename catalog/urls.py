"""The pages of a catalog's draft, one line each, under the namespace `catalog` at /catalogs/."""

from django.urls import URLPattern

app_name = "catalog"

urlpatterns: list[URLPattern] = []
