"""Read a signed-in person together with how they read the pages."""

from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import User


class PeopleBackend(ModelBackend):
    """Django's names and passwords; a person comes with their preferences, in the one query."""

    def get_user(self, user_id: int) -> User | None:
        """Return the person of a session; None where the account is gone or deactivated."""
        person = User.objects.select_related("preferences").filter(pk=user_id).first()
        return person if person is not None and self.user_can_authenticate(person) else None
