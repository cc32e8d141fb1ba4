"""The site's settings: every choice a club can make comes from the environment, through `deploy.env`."""

import sys
from pathlib import Path

from celery.schedules import crontab
from django.utils.translation import gettext_lazy as _
from kombu import Queue
from redis.asyncio.retry import Retry as AsyncRetry
from redis.backoff import NoBackoff
from redis.retry import Retry

from deploy import env

ROOT = Path(__file__).resolve().parent.parent

# --- From the environment -------------------------------------------------------------------------------------
DEBUG = env.flag("GAUNTLET_DEBUG", False)
VAR = env.folder("GAUNTLET_VAR", ROOT / "var")
WORKS = "celery" in Path(sys.argv[0]).parts[-2:] or sys.argv[1:2] == ["worker"]
ROLE = env.choice("GAUNTLET_ROLE", ["web", "worker"], "worker" if WORKS else "web")
PUBLIC_HOSTS = env.words("GAUNTLET_HOSTS")
HTTPS = env.flag("GAUNTLET_HTTPS", bool(PUBLIC_HOSTS))
PROXIES = env.number("GAUNTLET_PROXIES", 1 if HTTPS else 0)
SCHEME = "https" if HTTPS else "http"
SITE_URL = env.text("GAUNTLET_SITE_URL", f"{SCHEME}://{(PUBLIC_HOSTS or ['127.0.0.1:8000'])[0]}")
COMPILE = env.flag("GAUNTLET_COMPILE", True)
DEMO = env.flag("GAUNTLET_DEMO", not PUBLIC_HOSTS)
REDIS = env.redis("REDIS_URL")
REDIS_PREFIX = env.text("GAUNTLET_REDIS_PREFIX", "gauntlet")
LOG_FORMAT = env.choice("GAUNTLET_LOG_FORMAT", ["console", "json"], "json" if PUBLIC_HOSTS else "console")
LOG_LEVEL = env.choice("GAUNTLET_LOG_LEVEL", ["debug", "info", "warning", "error"], "info")
METRICS_PORT = env.number("GAUNTLET_METRICS_PORT", 0)
METRICS_TOKEN = env.secret("GAUNTLET_METRICS_TOKEN")
SENTRY_DSN = env.text("SENTRY_DSN", "")
EXTENSIONS = env.words("GAUNTLET_EXTENSIONS")
WEBHOOKS_TO_PRIVATE = env.flag("GAUNTLET_WEBHOOKS_PRIVATE", False)

# --- Database ------------------------------------------------------------------------------------------------
POOL = env.number("GAUNTLET_DATABASE_POOL", 8, at_least=1)
DATABASE = env.database("DATABASE_URL", VAR / "gauntlet.sqlite3")
DATABASES = {"default": DATABASE}
if DATABASE["ENGINE"].endswith("sqlite3"):
    # Writers queue for the lock instead of failing half-way through a transaction, and readers never wait.
    DATABASE["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    }
    # Tests with threads and processes need a file: the shared in-memory database locks whole tables.
    DATABASE["TEST"] = {"NAME": str(VAR / "test.sqlite3")}
else:
    DATABASE["OPTIONS"].setdefault("connect_timeout", 5)
    if ROLE == "worker":
        DATABASE["CONN_MAX_AGE"] = None
    else:
        # A request may run in any thread: connections kept per thread would pile up, a pool does not.
        DATABASE["CONN_MAX_AGE"] = 0
        # Checked before use: after a restart of the database no request gets a dead connection.
        DATABASE["CONN_HEALTH_CHECKS"] = True
        DATABASE["OPTIONS"]["pool"] = {"min_size": 1, "max_size": POOL, "timeout": 10}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- Log-in at other services ------------------------------------------------------------------------------------
SOCIALACCOUNT_PROVIDERS, LOGIN_PROVIDER_ORIGINS = env.login_providers()
# None of these has a table. One that is not set up would answer its addresses with an error.
LOGIN_PROVIDER_APPS = [
    f"allauth.socialaccount.providers.{name}" for name in {**SOCIALACCOUNT_PROVIDERS, "openid_connect": 0}
]

# --- The parts of the site -----------------------------------------------------------------------------------
INSTALLED_APPS = [
    "deploy",
    "accounts",
    "games",
    "leagues",
    # Without the pages that other packages would add: deploy/admin.py has all of them.
    "django.contrib.admin.apps.SimpleAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "allauth.socialaccount",
    *LOGIN_PROVIDER_APPS,
    "channels",
    "django_htmx",
    "rest_framework",
    "drf_spectacular",
    # Packages with more games and formats: docs/add-a-game.md.
    *EXTENSIONS,
]
# Our own first and last middleware are synchronous, so that Django runs the whole chain in one thread hop.
MIDDLEWARE = [
    "deploy.middleware.request_log",
    "django.middleware.security.SecurityMiddleware",
    "deploy.middleware.StaticFiles",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "accounts.middleware.preferences",
    "accounts.middleware.storable_input",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "deploy.middleware.content_security",
    "deploy.middleware.for_whom",
    "deploy.middleware.forms_address",
    "deploy.middleware.without_indentation",
]
ROOT_URLCONF = "deploy.urls"
ASGI_APPLICATION = "deploy.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [ROOT / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "deploy.preferences.look",
                "deploy.phone.marks",
            ]
        },
    }
]

# --- People --------------------------------------------------------------------------------------------------
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
VALIDATORS = "django.contrib.auth.password_validation"
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": f"{VALIDATORS}.UserAttributeSimilarityValidator",
        "OPTIONS": {"user_attributes": ["handle", "display_name", "email"]},
    },
    {"NAME": f"{VALIDATORS}.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": f"{VALIDATORS}.CommonPasswordValidator"},
    {"NAME": f"{VALIDATORS}.NumericPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
ACCOUNT_ADAPTER = "accounts.allauth_adapter.Adapter"
ACCOUNT_FORMS = {"signup": "accounts.forms.SignupForm", "login": "accounts.forms.LoginForm"}
ACCOUNT_USER_MODEL_USERNAME_FIELD = "handle"
ACCOUNT_USERNAME_VALIDATORS = "accounts.models.HANDLE_VALIDATORS"
ACCOUNT_USERNAME_BLACKLIST = ["admin", "administrator", "gauntlet", "moderator", "staff", "support", "system"]
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*"]
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_LOGIN_ON_EMAIL_CONFIRMATION = True
ACCOUNT_LOGIN_ON_PASSWORD_RESET = False
ACCOUNT_LOGOUT_ON_PASSWORD_CHANGE = False
ACCOUNT_SESSION_REMEMBER = None
ACCOUNT_REAUTHENTICATION_REQUIRED = True
MFA_ADAPTER = "accounts.allauth_adapter.SecondFactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_TOLERANCE = 1
MFA_TOTP_ISSUER = "Gauntlet"
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not HTTPS
# Members without an e-mail address may protect their accounts too.
MFA_ALLOW_UNVERIFIED_EMAIL = True
SOCIALACCOUNT_ADAPTER = "accounts.allauth_adapter.OtherServicesAdapter"
SOCIALACCOUNT_FORMS = {"signup": "accounts.forms.OtherServiceSignupForm"}
# Newcomers choose their handle, and an address that another service names never opens an account that is here already.
SOCIALACCOUNT_AUTO_SIGNUP = False
SOCIALACCOUNT_EMAIL_AUTHENTICATION = False
SOCIALACCOUNT_STORE_TOKENS = False
SOCIALACCOUNT_REQUESTS_TIMEOUT = 10
# Counted in the default cache, which all web processes share when there is more than one.
# The key of a wrong log-in is the account and the address together (accounts/allauth_adapter.py).
ACCOUNT_RATE_LIMITS = {"login": "90/m/ip", "login_failed": "5/5m/key", "signup": "20/m/ip"}

# --- E-mail --------------------------------------------------------------------------------------------------
vars().update(env.email("EMAIL_URL"))
SENDS_MAIL = "smtp" in vars()["EMAIL_BACKEND"]
# Where no mail can arrive nobody waits for one: people are in at once, and staff can confirm them.
ACCOUNT_EMAIL_VERIFICATION = "mandatory" if SENDS_MAIL else "none"
DEFAULT_FROM_EMAIL = SERVER_EMAIL = env.text("GAUNTLET_FROM_EMAIL", "Gauntlet <gauntlet@localhost>")

# --- Languages and time --------------------------------------------------------------------------------------
LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("it", _("Italian")), ("pl", _("Polish"))]
LOCALE_PATHS = [VAR / "locale", ROOT / "deploy" / "locale"]
USE_TZ = True
TIME_ZONE = "UTC"

# --- Static files --------------------------------------------------------------------------------------------
STATIC_URL = "static/"
STATICFILES_DIRS = [ROOT / "deploy" / "static"]
STATIC_ROOT = VAR / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "deploy.static_storage.StaticStorage"
    },
}

# --- Live pages and background work --------------------------------------------------------------------------
if REDIS:
    # A connection that Redis has closed is opened again once. If Redis is down the error comes at once: a player is
    # waiting for the answer to a move.
    REDIS_TIMEOUTS = {"socket_connect_timeout": 2, "socket_timeout": 5}
    LAYER = {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {
            "hosts": [{"address": REDIS, "retry": AsyncRetry(NoBackoff(), 1), **REDIS_TIMEOUTS}],
            "prefix": REDIS_PREFIX,
        },
    }
    CACHE = {
        "BACKEND": "accounts.infra.redis_cache.RedisCache",
        "LOCATION": REDIS,
        "KEY_PREFIX": REDIS_PREFIX,
        "OPTIONS": {"retry": Retry(NoBackoff(), 1), **REDIS_TIMEOUTS},
    }
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        # Must be longer than any task: one that runs longer would be delivered twice.
        "visibility_timeout": 3600,
        "global_keyprefix": f"{REDIS_PREFIX}.",
        "max_retries": 1,
        "interval_start": 0,
        "interval_max": 0,
    }
else:
    LAYER = {"BACKEND": "accounts.infra.realtime.memory_layer.MemoryLayer"}
    CACHE = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
    # How often the worker looks for tasks. With kombu's default of a second every bot would be slow.
    CELERY_BROKER_TRANSPORT_OPTIONS = {"polling_interval": 0.005}
CHANNEL_LAYERS = {"default": LAYER}
CACHES = {"default": CACHE}

CELERY_BROKER_URL = REDIS or "memory://localhost/"
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_QUEUES = [Queue(name) for name in ("moves", "bots", "league", "mail", "analysis")]
# Work of seconds to minutes for which nobody's move waits: every worker gives it a process or a thread of its own.
SLOW_QUEUES = ["analysis"]
CELERY_TASK_DEFAULT_QUEUE = "moves"
CELERY_TASK_ROUTES = {
    "accounts.tasks.*": {"queue": "mail"},
    "games.tasks.bot_turn": {"queue": "bots"},
    "games.tasks.analyse": {"queue": "analysis"},
    # A hint is a bot's thought for which a person waits: it never queues behind analyses.
    "games.tasks.hint": {"queue": "bots"},
    "games.tasks.make_puzzles": {"queue": "analysis"},
    "leagues.tasks.*": {"queue": "league"},
}
CELERY_TASK_CREATE_MISSING_QUEUES = False
CELERY_TASK_SERIALIZER = CELERY_RESULT_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_IGNORE_RESULT = True
# Every task may run twice: delivered again is safe, lost is not.
CELERY_TASK_ACKS_LATE = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_WORKER_CONSUMER = "deploy.worker:Consumer"
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_REDIRECT_STDOUTS = False
CELERY_DB_REUSE_MAX = 1000
CELERY_BEAT_SCHEDULER = "celery.beat:Scheduler"
CELERY_BEAT_SCHEDULE = {
    "pulse": {"task": "deploy.tasks.pulse", "schedule": 5.0},
    "sweep-announcements": {"task": "deploy.tasks.sweep_announcements", "schedule": 2.0},
    "sweep-matches": {"task": "games.tasks.sweep", "schedule": 2.0},
    "clear-out-bots-events": {"task": "games.tasks.clear_out_events", "schedule": crontab(hour="4", minute="53")},
    "close-abandoned-tables": {"task": "games.tasks.close_abandoned", "schedule": 600.0},
    "erase-trials": {"task": "games.tasks.erase_trials", "schedule": 3600.0},
    "exhibit": {"task": "games.tasks.exhibit", "schedule": 10.0},
    # One match a time. A task that waited for longer than that is not needed: the next one comes.
    "make-puzzles": {"task": "games.tasks.make_puzzles", "schedule": 20.0, "options": {"expires": 20}},
    "sweep-results": {"task": "leagues.tasks.sweep", "schedule": 10.0},
    "match-up-arenas": {"task": "leagues.tasks.match_up", "schedule": 5.0},
    "deadlines": {"task": "leagues.tasks.deadlines", "schedule": 30.0},
    "check-ratings": {"task": "leagues.tasks.check_ratings", "schedule": crontab(hour="4", minute="17")},
    "sweep-notices": {"task": "accounts.tasks.sweep_notices", "schedule": 60.0},
    "sweep-digests": {"task": "accounts.tasks.sweep_digests", "schedule": 60.0},
    "sweep-alerts": {"task": "accounts.tasks.sweep_alerts", "schedule": 15.0},
    "sweep-news": {"task": "accounts.tasks.sweep_news", "schedule": 5.0},
    "clear-out-news": {"task": "accounts.tasks.clear_out_news", "schedule": crontab(hour="4", minute="41")},
}
if DEMO:
    CELERY_BEAT_SCHEDULE["go-on-with-the-demo"] = {"task": "leagues.tasks.demo", "schedule": 10.0}

# --- Safety --------------------------------------------------------------------------------------------------
LOOPBACK = ["localhost", "127.0.0.1", "[::1]"]
ALLOWED_HOSTS = [*PUBLIC_HOSTS, *LOOPBACK]
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = HTTPS
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = LANGUAGE_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = LANGUAGE_COOKIE_SAMESITE = "Lax"
SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$", r"^metrics$"]
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = False
# A club's domain may have other sites: this one must not decide about their subdomains.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
if PROXIES:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
ALLAUTH_TRUSTED_PROXY_COUNT = PROXIES
CONTENT_SECURITY_POLICY = "; ".join(
    [
        "default-src 'self'",
        "img-src 'self' data:",
        "object-src 'none'",
        "base-uri 'self'",
        " ".join(["form-action 'self'", *LOGIN_PROVIDER_ORIGINS]),
        "frame-ancestors 'none'",
    ]
)

# --- Tables --------------------------------------------------------------------------------------------------
# How many people may play without an account at one time; 0: nobody.
TRIAL_ACCOUNTS = env.number("GAUNTLET_TRIALS", 1000)
# How long bots wait where people play, in percent of the table's pace; 0: not at all.
BOT_PACE = env.number("GAUNTLET_BOT_PACE", 100)
# Up to how many puzzles the site plays matches of bots, in the background; 0: it makes none at all.
PUZZLES = env.number("GAUNTLET_PUZZLES", 60)

# --- The API for programs ------------------------------------------------------------------------------------
# Requests a minute; counted in the default cache, as above.
API_RATES = {
    "token": env.number("GAUNTLET_API_TOKEN_RATE", 600, at_least=1),
    "address": env.number("GAUNTLET_API_ADDRESS_RATE", 120, at_least=1),
    "bot": env.number("GAUNTLET_API_BOT_RATE", 3000, at_least=1),
}
# `accounts.infra.rest.views.Api` sets the rest, for all operations.
REST_FRAMEWORK = {
    "DEFAULT_SCHEMA_CLASS": "accounts.infra.rest.schema.Schema",
    "EXCEPTION_HANDLER": "accounts.infra.rest.problems.handler",
    "URL_FORMAT_OVERRIDE": None,
}
SPECTACULAR_SETTINGS = {
    "OAS_VERSION": "3.1.1",
    "TITLE": "Gauntlet",
    "VERSION": "1",
    "SCHEMA_PATH_PREFIX": "/api/v1/",
    "SERVE_INCLUDE_SCHEMA": False,
    "COMPONENT_SPLIT_REQUEST": False,
    "PATH_CONVERTER_OVERRIDES": {
        "slug": {"type": "string", "pattern": "^[-a-zA-Z0-9_]+$"},
        "int": {"type": "integer", "minimum": 0},
    },
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "POSTPROCESSING_HOOKS": ["accounts.infra.rest.schema.tidy"],
}

LOGGING_CONFIG = "deploy.logging_config.configure"
LOGGING = {"format": LOG_FORMAT, "level": LOG_LEVEL}

SECRET_KEY = env.secret("GAUNTLET_SECRET_KEY")
# Signs alerts to phones; 0: a key that follows from the secret key.
PUSH_KEY = env.push_key("GAUNTLET_PUSH_KEY")
env.refuse_unknown()
if HTTPS and not PROXIES:
    raise env.BadSetting("https needs a proxy: set GAUNTLET_PROXIES, or GAUNTLET_HTTPS=off without one")
if not SECRET_KEY and REDIS:
    raise env.BadSetting(
        "REDIS_URL is set, so several processes share this site: give them all the same GAUNTLET_SECRET_KEY "
        "(or GAUNTLET_SECRET_KEY_FILE) of 50 or more random characters"
    )
if SECRET_KEY and len(SECRET_KEY) < 50:
    raise env.BadSetting(f"GAUNTLET_SECRET_KEY has {len(SECRET_KEY)} characters: use 50 or more random ones")
if SENTRY_DSN:
    env.report_errors_to(SENTRY_DSN)
# Last, so that a start that fails above has written nothing.
SECRET_KEY = SECRET_KEY or env.stored_key(VAR / "secret-key")
