"""What runs after the answer was given. Each task only calls its verb."""

from celery import shared_task

from accounts import deliveries, digests, notices


@shared_task(name="accounts.tasks.deliver_notice")
def deliver_notice(notice_id: int) -> None:
    notices.deliver(notice_id=notice_id)


@shared_task(name="accounts.tasks.sweep_notices")
def sweep_notices() -> None:
    for notice_id in notices.due():
        deliver_notice.delay(notice_id)


@shared_task(name="accounts.tasks.send_digest")
def send_digest(digest_id: int) -> None:
    digests.send(digest_id=digest_id)


@shared_task(name="accounts.tasks.sweep_digests")
def sweep_digests() -> None:
    for digest_id in digests.due():
        send_digest.delay(digest_id)


@shared_task(name="accounts.tasks.deliver_news", ignore_result=True)
def deliver_news(delivery_id: int) -> None:
    deliveries.deliver(delivery_id=delivery_id)


@shared_task(name="accounts.tasks.sweep_news", ignore_result=True)
def sweep_news() -> None:
    for delivery_id in deliveries.due():
        deliver_news.delay(delivery_id)


@shared_task(name="accounts.tasks.clear_out_news", ignore_result=True)
def clear_out_news() -> None:
    deliveries.clear_out()
