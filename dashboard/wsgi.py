"""The WSGI application that granian serves."""

import os

from django.conf import settings
from django.core.wsgi import get_wsgi_application

from dashboard.chunked import with_lengths

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dashboard.settings")

application = with_lengths(get_wsgi_application(), limit=settings.DATA_UPLOAD_MAX_MEMORY_SIZE)
