"""Comments on a draft: all of a catalog, one more, and settling one."""

from django.core.exceptions import BadRequest, PermissionDenied
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from catalog.commenting import add_comment, may_settle, part_of, remarks, settle
from catalog.forms.comment import CommentForm
from catalog.models import Catalog
from catalog.models.part import Part
from catalog.views.requests import PageRequest, back, catalog_or_404, ids

ROWS = 50


@require_http_methods(["GET", "HEAD", "POST"])
def comments(request: PageRequest, catalog: str) -> HttpResponse:
    """Show what was remarked on the draft, the open ones first; take one more.

    A form names the part that it is about by ``kind`` and ``row``, and the page to go back to.
    """
    owner = catalog_or_404(request, catalog)
    if request.method != "POST":
        return _show(request, owner, CommentForm())
    form = CommentForm(request.POST)
    part = _part(request, owner)
    if not form.is_valid():
        return _show(request, owner, form, part=part, status=422)
    text = form.cleaned_data["text"]
    add_comment(catalog=owner, part=part, text=text, by=request.user, now=timezone.now())
    return back(request, reverse("catalog:comments", kwargs={"catalog": owner.name}))


@require_POST
def settle_comment(request: PageRequest, catalog: str, comment: int) -> HttpResponse:
    """Settle a comment (``on=1``), or take it up again."""
    owner = catalog_or_404(request, catalog)
    found = get_object_or_404(owner.comments, pk=comment)
    if not may_settle(catalog=owner, comment=found, person=request.user):
        raise PermissionDenied(_("Whoever edits the catalog settles comments, or who made one."))
    on = request.POST.get("on") == "1"
    settle(comment=found, by=request.user, now=timezone.now(), settled=on)
    return back(request, reverse("catalog:comments", kwargs={"catalog": owner.name}))


def _show(
    request: PageRequest,
    catalog: Catalog,
    form: CommentForm,
    *,
    part: Part | None = None,
    status: int = 200,
) -> HttpResponse:
    wants_settled = request.GET.get("show") == "settled"
    rows = catalog.comments.exclude(settled_at=None) if wants_settled else catalog.comments.open()
    page = Paginator(rows, ROWS).get_page(request.GET.get("page", "1"))
    context = {
        "catalog": catalog,
        "form": form,
        "part": part,
        "kind": request.POST.get("kind", ""),
        "page": page,
        "remarks": remarks(catalog=catalog, comments=page.object_list, person=request.user),
        "show": "settled" if wants_settled else "open",
        "open_count": catalog.comments.open().count(),
        "settled_count": catalog.comments.exclude(settled_at=None).count(),
    }
    return render(request, "catalog/comments.html", context, status=status)


def _part(request: PageRequest, catalog: Catalog) -> Part | None:
    """Return the part that a comment is about; ``None`` for the draft as a whole."""
    kind, rows = request.POST.get("kind", ""), ids(request.POST.getlist("row"))
    if not kind:
        return None
    if len(rows) != 1:
        raise BadRequest("a comment on a part names its row")
    found = part_of(catalog=catalog, kind=kind, row=rows[0])
    if found is None:
        raise Http404("no such part")
    return found
