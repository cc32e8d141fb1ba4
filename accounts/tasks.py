"""Celery tasks for notifications and webhooks. Each one only calls a service function."""

from celery import shared_task

from accounts.notifications import digest, push
from accounts.notifications.service import deliver_notification, due_notifications
from accounts.webhooks import delivery


@shared_task(name="accounts.tasks.deliver_notice")
def deliver_notice(notice_id: int) -> None:
    deliver_notification(notice_id=notice_id)


@shared_task(name="accounts.tasks.sweep_notices")
def sweep_notices() -> None:
    for notice_id in due_notifications():
        deliver_notice.delay(notice_id)


@shared_task(name="accounts.tasks.send_digest")
def send_digest(digest_id: int) -> None:
    digest.send(digest_id=digest_id)


@shared_task(name="accounts.tasks.sweep_digests")
def sweep_digests() -> None:
    for digest_id in digest.due():
        send_digest.delay(digest_id)


@shared_task(name="accounts.tasks.deliver_alert", ignore_result=True)
def deliver_alert(alert_id: int) -> None:
    push.deliver_alert(alert_id=alert_id)


@shared_task(name="accounts.tasks.sweep_alerts", ignore_result=True)
def sweep_alerts() -> None:
    for alert_id in push.due_alerts():
        deliver_alert.delay(alert_id)


@shared_task(name="accounts.tasks.deliver_news", ignore_result=True)
def deliver_webhook(delivery_id: int) -> None:
    delivery.deliver(delivery_id=delivery_id)


@shared_task(name="accounts.tasks.sweep_news", ignore_result=True)
def sweep_webhooks() -> None:
    for delivery_id in delivery.due():
        deliver_webhook.delay(delivery_id)


@shared_task(name="accounts.tasks.clear_out_news", ignore_result=True)
def delete_old_deliveries() -> None:
    delivery.delete_old()
