"""What runs after the answer was given. Each task only calls its verb."""

from datetime import timedelta

from celery import shared_task
from django.utils import timezone

from accounts import notices
from accounts.models import Notice


@shared_task(
    name="accounts.tasks.deliver_notice",
    autoretry_for=(OSError,),
    retry_backoff=5,
    max_retries=5,
    ignore_result=True,
)
def deliver_notice(notice_id: int) -> None:
    notices.deliver(notice_id=notice_id)


@shared_task(name="accounts.tasks.sweep_notices", ignore_result=True)
def sweep_notices() -> None:
    """Deliver what a lost task left behind; a week-old notice is no news any more."""
    now = timezone.now()
    late = Notice.objects.filter(
        delivered_at=None, created_at__lt=now - timedelta(minutes=1), created_at__gt=now - timedelta(days=7)
    )
    for notice_id in late.order_by("created_at").values_list("pk", flat=True)[:200]:
        deliver_notice.apply_async((notice_id,))
