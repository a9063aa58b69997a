"""The forms of the draft's pages."""

from catalog.forms.catalog import CatalogSettingsForm, NewCatalogForm
from catalog.forms.group import GroupForm
from catalog.forms.tool import ToolForm

__all__ = ["CatalogSettingsForm", "GroupForm", "NewCatalogForm", "ToolForm"]
