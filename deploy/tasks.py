from celery import shared_task

from deploy import announcements


@shared_task(queue="moves")
def sweep_announcements() -> None:
    announcements.send_unsent()
