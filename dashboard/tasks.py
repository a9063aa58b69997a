"""What the worker does for the pages. Each is a row of the database until it is done."""

from django.utils import timezone
from django_tasks import task


@task()
def send_alert(delivery: int) -> None:
    """Send one message of an alert, if it is due."""
    from dashboard.alerts.sending import send  # noqa: PLC0415 - it hands over what failed

    send(delivery, now=timezone.now())
