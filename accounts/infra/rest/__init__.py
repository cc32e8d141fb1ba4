"""What every API operation shares: rate limits, errors, pagination and the schema.

An operation is a method of an `Api` view under the decorator `operation`; `docs/api.md` shows one.
"""

from accounts.infra.rest.operations import Data, operation
from accounts.infra.rest.problems import Problem
from accounts.infra.rest.serializers import page_of

__all__ = ["Data", "Problem", "operation", "page_of"]
