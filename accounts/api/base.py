"""The base of all API views, with authentication by token or session."""

from rest_framework.request import Request

from accounts.api.authentication import Bearer, Session
from accounts.infra.rest import views
from accounts.models import User


class PersonRequest(Request):
    """A request of an operation that is not open to visitors."""

    user: User


class Api(views.Api):
    authentication_classes = (Bearer, Session)
