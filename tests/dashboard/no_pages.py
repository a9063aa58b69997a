"""Root URLs without any page."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
