"""What every operation of the API shares: who asks, how much, how it is refused, and how it is described.

An operation is a method of an `Api` view under the decorator `operation`; `docs/api.md` shows one.
"""

from accounts.rest.operations import Data, operation
from accounts.rest.problems import Problem
from accounts.rest.shapes import page_of
from accounts.rest.views import Api, PersonRequest

__all__ = ["Api", "Data", "PersonRequest", "Problem", "operation", "page_of"]
