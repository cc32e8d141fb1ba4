import base64
import hashlib
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from allauth.account.stages import EmailVerificationStage
from allauth.core.internal.ratelimit import consume, get_ip
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialLogin
from allauth.usersessions.models import UserSession
from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.infra.on_commit import after_commit
from accounts.infra.realtime.publish import recheck
from accounts.models import LoginAddress, User
from accounts.models.login_address import fingerprint

# Guesses at one account from many addresses. The owner's own addresses are not stopped by them.
WRONG_FROM_ELSEWHERE = {"login_failed_elsewhere": "60/h/key"}
REMEMBER_ADDRESS = 90 * 24 * 3600


class Adapter(DefaultAccountAdapter):
    """django-allauth with our error messages and our links in e-mails."""

    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "username_taken": _("This handle is taken."),
        "username_blacklisted": _("This handle cannot be used. Choose another."),
        "username_password_mismatch": _("The handle and the password do not match."),
    }

    def login(self, request: HttpRequest, user: User) -> None:
        super().login(request, user)
        _note_address(user, get_ip(request))
        # The welcome message is in the user's language, not in that of the page they came from.
        translation.activate(user.language)

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Wrong passwords count for the account and the address together: a whole club may share one address.

        Besides, an account takes a limited number from all addresses that it was never logged in from.
        """
        super().pre_authenticate(request, **credentials)
        account = self._login_of(request, **credentials)
        if cache.get(_known_address(account, get_ip(request))):
            return
        self._from_elsewhere = consume(
            request, app="allauth.account", action="login_failed_elsewhere", config=WRONG_FROM_ELSEWHERE, key=account
        )
        if not self._from_elsewhere:
            raise self.validation_error("too_many_login_attempts")

    def authenticate(self, request: HttpRequest, **credentials: Any) -> Any:
        user = super().authenticate(request, **credentials)
        if user is not None:
            account = self._login_of(request, **credentials)
            cache.set(_known_address(account, get_ip(request)), True, REMEMBER_ADDRESS)
            if usage := getattr(self, "_from_elsewhere", None):
                usage.rollback()
        return user

    def _login_of(self, request: HttpRequest, **credentials: Any) -> str:
        return str(super()._get_login_attempts_cache_key(request, **credentials))

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        return f"{self._login_of(request, **credentials)}:{get_ip(request)}"

    def get_login_stages(self) -> list[str]:
        own = {"allauth.account.stages.EmailVerificationStage": f"{__name__}.ConfirmedAddress"}
        return [own.get(stage, stage) for stage in super().get_login_stages()]

    def logout(self, request: HttpRequest) -> None:
        person = request.user
        # With the log-in go the alerts on this device.
        UserSession.objects.filter(session_key=request.session.session_key).delete()
        super().logout(request)
        _check_open_pages(person.pk)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Links in an e-mail always use SITE_URL, whatever host name the request came by."""
        links = {name: _with_site_url(link) for name, link in context.items() if name.endswith("_url") and link}
        site = {"current_site": SimpleNamespace(domain=urlsplit(settings.SITE_URL).netloc)}
        super().send_mail(template_prefix, email, {**context, **links, **site})

    def set_password(self, user: User, password: str) -> None:
        super().set_password(user, password)
        _check_open_pages(user.pk)


class ConfirmedAddress(EmailVerificationStage):
    """Whoever has an address confirms it before they log in. An account without one has nothing to wait for."""

    def handle(self) -> tuple[HttpResponse | None, bool]:
        # Nobody, where somebody signs up with an address that is taken: they are not to learn it here.
        person: User | None = self.login.user
        if person is not None and not person.email and not EmailAddress.objects.filter(user=person).exists():
            return None, True
        handled: tuple[HttpResponse | None, bool] = super().handle()
        return handled


def _note_address(user: User, address: str) -> None:
    LoginAddress.objects.update_or_create(
        user=user, fingerprint=fingerprint(address), defaults={"last_at": timezone.now()}
    )


def _known_address(account: str, address: str) -> str:
    return "known-address-" + hashlib.sha256(f"{account} {address}".encode()).hexdigest()


class SecondFactorAdapter(DefaultMFAAdapter):
    """Secrets of authenticator apps and recovery codes are encrypted with the site's key."""

    error_messages = {
        **DefaultMFAAdapter.error_messages,
        "incorrect_code": _("This code is not right. Use the newest one."),
        "cannot_generate_recovery_codes": _("Set up an authenticator app or a passkey first."),
    }

    def get_totp_label(self, user: User) -> str:
        return user.handle

    def encrypt(self, text: str) -> str:
        return _cipher().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        try:
            return _cipher().decrypt(encrypted_text.encode()).decode()
        except InvalidToken:
            # Stored with another key: no code is right then. Staff can switch the second factor off.
            return ""

    def generate_authenticator_name(self, user: User, type: Authenticator.Type) -> str:
        number = Authenticator.objects.filter(user=user, type=type).count() + 1
        return gettext("Passkey %(number)s") % {"number": number}


def _cipher() -> Fernet:
    key = hashlib.sha256(f"second-factor:{settings.SECRET_KEY}".encode()).digest()
    return Fernet(base64.urlsafe_b64encode(key))


class OtherServicesAdapter(DefaultSocialAccountAdapter):
    """Log-in with an account at another service: nothing is kept of it but who it is."""

    error_messages = {
        **DefaultSocialAccountAdapter.error_messages,
        "email_taken": _(
            "There is an account with this e-mail address already. Log in to it, then connect %s in your settings."
        ),
    }

    def populate_user(self, request: HttpRequest, sociallogin: SocialLogin, data: dict[str, Any]) -> User:
        user: User = super().populate_user(request, sociallogin, data)
        sociallogin.account.extra_data = {}
        return user


def _with_site_url(link: str) -> str:
    return settings.SITE_URL + urlsplit(link)._replace(scheme="", netloc="").geturl()


def _check_open_pages(person_id: int | None) -> None:
    """Sockets of a session that has ended must close too."""
    after_commit(recheck, f"user.{person_id}")
