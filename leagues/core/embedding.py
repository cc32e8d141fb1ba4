"""The content security policy of pages that other sites may embed in a frame."""

from django.conf import settings

FRAMED_CSP = settings.CONTENT_SECURITY_POLICY.replace("frame-ancestors 'none'", "frame-ancestors *")
