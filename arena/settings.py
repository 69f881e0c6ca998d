"""Settings of the arena, all of them taken from ``ARENA_*`` environment variables.

Every variable, its default and its meaning are listed in ``docs/operating.md``.
"""

from __future__ import annotations

import os
from pathlib import Path

import dj_database_url
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

BASE_DIR = Path(__file__).resolve().parent.parent


def env(name: str, default: str = "") -> str:
    return os.environ.get(f"ARENA_{name}", default)


def env_flag(name: str) -> bool:
    return env(name).lower() in {"1", "true", "yes", "on"}


def env_list(name: str, default: str = "") -> list[str]:
    return [part.strip() for part in env(name, default).split(",") if part.strip()]


DEBUG = env_flag("DEBUG")
DATA_DIR = Path(env("DATA", str(BASE_DIR / "data"))).resolve()
SECRET_KEY = env("SECRET_KEY")
if not SECRET_KEY:
    raise ImproperlyConfigured(
        "ARENA_SECRET_KEY is not set. While `make demo` runs, manage.py finds it in the demo's data folder, "
        "ARENA_DATA; in production put 50 random characters there.",
    )
ALLOWED_HOSTS = env_list("ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]")
CSRF_TRUSTED_ORIGINS = env_list("TRUSTED_ORIGINS")

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "django_htmx",
    "allauth",
    "allauth.account",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "arena.accounts",
    "arena.bots",
    "arena.matches",
    "arena.ladders",
    "arena.web",
    "arena.api",
    "arena.demo",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "arena.web.middleware.ArenaErrors",
]
CSRF_FAILURE_VIEW = "arena.web.views.errors.csrf_failure"

ROOT_URLCONF = "arena.urls"
ASGI_APPLICATION = "arena.asgi.application"
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
            ],
        },
    },
]

# PostgreSQL is the only source of truth; Redis (or Valkey) carries wake-ups and live events.
DATABASES = {
    "default": dj_database_url.parse(
        env("DATABASE_URL", "postgresql://postgres@localhost:5432/arena"),
        conn_health_checks=True,
    ),
}
# For the web server only, which gives each request a thread and a connection; a pool does not live through a fork.
DATABASE_POOL = int(env("DATABASE_POOL", "0"))
if DATABASE_POOL:
    DATABASES["default"].setdefault("OPTIONS", {})["pool"] = {"min_size": 1, "max_size": DATABASE_POOL, "timeout": 10}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
REDIS_URL = env("REDIS_URL", "redis://127.0.0.1:6379/0")
CACHES = {"default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": REDIS_URL}}

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_REDIRECT_URL = "web:dashboard"
LOGOUT_REDIRECT_URL = "web:home"
# How many proxies are in front: addresses are taken from what they wrote, and from nobody else.
PROXIES = int(env("PROXIES", "0"))
ALLAUTH_TRUSTED_PROXY_COUNT = PROXIES
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_USERNAME_BLACKLIST = ["house"]
ACCOUNT_EMAIL_VERIFICATION = env("EMAIL_VERIFICATION", "optional")
EMAIL_FIELD = "email*" if ACCOUNT_EMAIL_VERIFICATION == "mandatory" else "email"
ACCOUNT_SIGNUP_FIELDS = ["username*", EMAIL_FIELD, "password1*", "password2*"]

# Without a mail server, mail is printed. A kind of security says: STARTTLS, TLS from the first, the usual port.
EMAIL_HOST = env("EMAIL_HOST")
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if EMAIL_HOST else 'console'}.EmailBackend"
EMAIL_SECURITIES = {"starttls": (True, False, 587), "tls": (False, True, 465), "none": (False, False, 25)}
EMAIL_SECURITY = env("EMAIL_SECURITY", "starttls")
if EMAIL_SECURITY not in EMAIL_SECURITIES:
    raise ImproperlyConfigured(f"ARENA_EMAIL_SECURITY is {EMAIL_SECURITY}; it must be starttls, tls or none.")
EMAIL_USE_TLS, EMAIL_USE_SSL, USUAL_PORT = EMAIL_SECURITIES[EMAIL_SECURITY]
EMAIL_PORT = int(env("EMAIL_PORT") or USUAL_PORT)
EMAIL_HOST_USER = env("EMAIL_USER")
EMAIL_HOST_PASSWORD = env("EMAIL_PASSWORD")
EMAIL_TIMEOUT = 10  # seconds
DEFAULT_FROM_EMAIL = SERVER_EMAIL = env("FROM_EMAIL", "arena@localhost")

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True

STATIC_URL = "static/"
STATIC_ROOT = DATA_DIR / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}

# Behind TLS set ARENA_HTTPS=1: cookies and redirects are then for https only.
HTTPS = env_flag("HTTPS")
SECURE_SSL_REDIRECT = HTTPS
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:"],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "object-src": [NONE],
    },
}

CELERY_BROKER_URL = REDIS_URL
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# A broker that is away must not keep an upload waiting: the sweep sends what could not be sent.
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 3600,
    "socket_connect_timeout": 2,
    "max_retries": 1,
    "interval_start": 0,
    "interval_step": 0.2,
}
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
# A queue each, so that a pile of matches delays no build and no sweep; a plain worker serves them all.
CELERY_TASK_DEFAULT_QUEUE = "housekeeping"
CELERY_TASK_CREATE_MISSING_QUEUES = True
CELERY_TASK_QUEUES = {name: {"exchange": name, "routing_key": name} for name in ("housekeeping", "builds", "matches")}
CELERY_TASK_ROUTES = {"arena.bots.build": {"queue": "builds"}, "arena.matches.play": {"queue": "matches"}}
CELERY_BEAT_SCHEDULE_FILENAME = str(DATA_DIR / "celerybeat")
CELERY_BEAT_SCHEDULE = {
    "heal the matches": {"task": "arena.matches.sweep", "schedule": 10, "options": {"expires": 10}},
    "heal the builds": {"task": "arena.bots.sweep", "schedule": 10, "options": {"expires": 10}},
    "fill the ladders": {"task": "arena.ladders.matchmake", "schedule": 5, "options": {"expires": 5}},
    "tidy up": {"task": "arena.matches.tidy", "schedule": 86_400, "options": {"expires": 3600}},
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"without_housekeeping": {"()": "arena.logs.WithoutHousekeeping"}},
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
    "handlers": {"output": {"class": "logging.StreamHandler", "stream": "ext://sys.stdout", "formatter": "line"}},
    "root": {"handlers": ["output"], "level": "WARNING"},
    "loggers": {
        "arena": {"level": "INFO"},
        # Without Django's own handlers, which write with DEBUG only, or mail: the root's writes everything.
        "django": {"handlers": [], "level": "WARNING"},
        # What a client asked wrongly stands in the web server's own log.
        "django.request": {"level": "ERROR"},
        "celery.app.trace": {"filters": ["without_housekeeping"]},
        "celery.worker.strategy": {"filters": ["without_housekeeping"]},
    },
}

# The arena's own knobs.
WORKER_NAME = env("WORKER_NAME")
SANDBOX_BACKEND = env("SANDBOX", "auto")
MATCH_LEASE_SECONDS = float(env("MATCH_LEASE_SECONDS", "30"))
MATCH_MAX_ATTEMPTS = int(env("MATCH_MAX_ATTEMPTS", "5"))
MATCH_FAULT_LIMIT = int(env("MATCH_FAULT_LIMIT", "3"))
BUILD_LEASE_SECONDS = float(env("BUILD_LEASE_SECONDS", "60"))
BOTS_PER_USER = int(env("BOTS_PER_USER", "20"))
TOKENS_PER_USER = int(env("TOKENS_PER_USER", "20"))
UPLOADS_PER_DAY = int(env("UPLOADS_PER_DAY", "50"))
UPLOADS_WAITING = int(env("UPLOADS_WAITING", "5"))
CHALLENGES_OPEN = int(env("CHALLENGES_OPEN", "20"))
CHALLENGE_DEALS_OPEN = int(env("CHALLENGE_DEALS_OPEN", "600"))
LOGS_KEPT_DAYS = int(env("LOGS_KEPT_DAYS", "90"))
LADDER_QUEUE = int(env("LADDER_QUEUE", "4"))
LADDER_FAULTY_LIMIT = int(env("LADDER_FAULTY_LIMIT", "3"))
LADDER_SPOILT_LIMIT = int(env("LADDER_SPOILT_LIMIT", "3"))
UPLOAD_MAX_BYTES = int(env("UPLOAD_MAX_BYTES", str(8 * 1024 * 1024)))
DATA_UPLOAD_MAX_MEMORY_SIZE = UPLOAD_MAX_BYTES + 64 * 1024
FILE_UPLOAD_MAX_MEMORY_SIZE = UPLOAD_MAX_BYTES + 64 * 1024

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "arena.api.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticatedOrReadOnly"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PAGINATION_CLASS": "arena.api.pagination.NewestFirst",
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_THROTTLE_CLASSES": [
        "rest_framework.throttling.AnonRateThrottle",
        "rest_framework.throttling.UserRateThrottle",
    ],
    "DEFAULT_THROTTLE_RATES": {
        "anon": env("THROTTLE_ANON", "120/min"),
        "user": env("THROTTLE_USER", "600/min"),
        "upload": env("THROTTLE_UPLOAD", "20/hour"),
        "challenge": env("THROTTLE_CHALLENGE", "60/hour"),
        "position": env("THROTTLE_POSITION", "120/min"),
        "login": env("THROTTLE_LOGIN", "10/min"),
    },
    "NUM_PROXIES": PROXIES,
    "EXCEPTION_HANDLER": "arena.api.errors.handle",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Durak Arena",
    "DESCRIPTION": "Bots, matches, records and ladders of the arena.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "OAS_VERSION": "3.1.0",
    "SCHEMA_PATH_PREFIX": "/api/v1/",
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "arena.api.schema.add_errors",
    ],
    "ENUM_NAME_OVERRIDES": {
        "MatchKind": "arena.matches.models.Match.Kind",
        "MatchState": "arena.matches.models.Match.State",
        "AttemptOutcome": "arena.matches.models.Attempt.Outcome",
        "VersionState": "arena.bots.models.BotVersion.State",
    },
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
}
