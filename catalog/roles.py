"""The roles of people in a catalog, each of which may do all that the one before it may."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class Role(models.IntegerChoices):
    """A person's role in one catalog; the numbers order them and leave room between."""

    VIEWER = 10, _("viewer")
    EDITOR = 20, _("editor")
    PUBLISHER = 30, _("publisher")
    ADMINISTRATOR = 40, _("administrator")
