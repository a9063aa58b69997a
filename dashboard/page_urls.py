"""The pages of the dashboard app, one line each, under the namespace `dashboard`."""

from django.contrib.auth.views import LogoutView
from django.urls import path

from dashboard.eval_urls import urlpatterns as eval_pages
from dashboard.views import (
    alert_rules,
    alert_targets,
    approvals,
    audit,
    catalog_life,
    circuits,
    health,
    keys,
    labels,
    look_alikes,
    members,
    people,
    profile,
    run_views,
    runs,
    start,
    version,
    version_file,
    versions,
    webhook,
)
from dashboard.views.advice import follow_advice, part_advice
from dashboard.views.alerts import alerts
from dashboard.views.export_tools import export_tools
from dashboard.views.import_tools import import_tools, pending_import
from dashboard.views.invitation import SetPassword
from dashboard.views.metrics import metrics
from dashboard.views.overview import overview
from dashboard.views.playground import playground
from dashboard.views.policy import policy
from dashboard.views.restore import restore
from dashboard.views.roll_back import roll_back
from dashboard.views.rule_trial import try_rules
from dashboard.views.run_compare import compare_runs
from dashboard.views.run_replay import replay_selection
from dashboard.views.search import search
from dashboard.views.sign_in import sign_in
from dashboard.views.suggest_groups import suggest_groups
from dashboard.views.text import stored_text, text
from dashboard.views.tool_history import tool_history

app_name = "dashboard"

urlpatterns = [
    *eval_pages,
    path("", overview, name="overview"),
    path("charts", metrics, name="metrics"),
    path("charts/<slug:topic>", metrics, name="metrics_topic"),
    path("catalogs/<slug:catalog>/advice", follow_advice, name="follow_advice"),
    path("catalogs/<slug:catalog>/advice/surest", part_advice, name="part_advice"),
    path("sign-in", sign_in, name="sign_in"),
    path("sign-out", LogoutView.as_view(), name="sign_out"),
    path("welcome/<str:uidb64>/<str:token>", SetPassword.as_view(), name="set_password"),
    path("language", profile.set_language, name="set_language"),
    path("search", search, name="search"),
    path("profile", profile.profile, name="profile"),
    path("profile/password", profile.change_password, name="change_password"),
    path("people", people.people, name="people"),
    path("people/new", people.new_person, name="new_person"),
    path("people/<int:person>", people.person, name="person"),
    path("people/<int:person>/deactivate", people.deactivate, name="deactivate"),
    path("people/<int:person>/activate", people.activate, name="activate"),
    path("people/<int:person>/link", people.person_link, name="person_link"),
    path("catalogs/<slug:catalog>/members", members.members, name="members"),
    path("catalogs/<slug:catalog>/members/new", members.new_member, name="new_member"),
    path("catalogs/<slug:catalog>/members/<int:person>", members.member, name="member"),
    path(
        "catalogs/<slug:catalog>/members/<int:person>/remove",
        members.remove_member,
        name="remove_member",
    ),
    path(
        "catalogs/<slug:catalog>/members/<int:person>/link", members.member_link, name="member_link"
    ),
    path("catalogs/<slug:catalog>/audit", audit.audit, name="audit"),
    path(
        "catalogs/<slug:catalog>/audit/entries.<slug:ending>",
        audit.export_audit,
        name="export_audit",
    ),
    path("catalogs/<slug:catalog>/audit/undo/<uuid:operation>", audit.undo_operation, name="undo"),
    path("playground", playground, name="playground"),
    path("keys", keys.keys, name="keys"),
    path("keys/new", keys.new_key, name="new_key"),
    path("keys/<int:key>/rotate", keys.rotate, name="rotate_key"),
    path("keys/<int:key>/revoke", keys.revoke, name="revoke_key"),
    path("catalogs/<slug:catalog>/runs", runs.runs, name="runs"),
    path("catalogs/<slug:catalog>/runs/runs.<slug:ending>", runs.export_runs, name="export_runs"),
    path("catalogs/<slug:catalog>/runs/compare", compare_runs, name="compare_runs"),
    path("catalogs/<slug:catalog>/runs/views", run_views.run_views, name="run_views"),
    path("catalogs/<slug:catalog>/runs/views/-/new", run_views.new_run_view, name="new_run_view"),
    path("catalogs/<slug:catalog>/runs/views/<int:view>", run_views.run_view, name="run_view"),
    path(
        "catalogs/<slug:catalog>/runs/views/<int:view>/delete",
        run_views.delete_run_view,
        name="delete_run_view",
    ),
    path("catalogs/<slug:catalog>/runs/<int:run>", runs.run, name="run"),
    path(
        "catalogs/<slug:catalog>/runs/<int:run>/replay/<int:span>",
        replay_selection,
        name="replay",
    ),
    path("catalogs/<slug:catalog>/runs/<int:run>/erase", runs.erase_run, name="erase_run"),
    path("catalogs/<slug:catalog>/alerts", alerts, name="alerts"),
    path(
        "catalogs/<slug:catalog>/alerts/rules/-/new",
        alert_rules.new_alert_rule,
        name="new_alert_rule",
    ),
    path(
        "catalogs/<slug:catalog>/alerts/rules/<slug:alert>",
        alert_rules.alert_rule,
        name="alert_rule",
    ),
    path(
        "catalogs/<slug:catalog>/alerts/rules/<slug:alert>/switch",
        alert_rules.switch_alert_rule,
        name="switch_alert_rule",
    ),
    path(
        "catalogs/<slug:catalog>/alerts/rules/<slug:alert>/drop",
        alert_rules.drop_alert_rule,
        name="drop_alert_rule",
    ),
    path(
        "catalogs/<slug:catalog>/alerts/rules/<slug:alert>/acknowledge",
        alert_rules.acknowledge_alert,
        name="acknowledge_alert",
    ),
    path(
        "catalogs/<slug:catalog>/alerts/rules/<slug:alert>/silence",
        alert_rules.silence_alert,
        name="silence_alert",
    ),
    path(
        "catalogs/<slug:catalog>/alerts/rules/<slug:alert>/silence/end",
        alert_rules.end_alert_silence,
        name="end_alert_silence",
    ),
    path(
        "catalogs/<slug:catalog>/alerts/targets", alert_targets.alert_targets, name="alert_targets"
    ),
    path(
        "catalogs/<slug:catalog>/alerts/targets/<int:target>/try",
        alert_targets.try_alert_target,
        name="try_alert_target",
    ),
    path(
        "catalogs/<slug:catalog>/alerts/targets/<int:target>/secret",
        alert_targets.alert_target_secret,
        name="alert_target_secret",
    ),
    path(
        "catalogs/<slug:catalog>/alerts/targets/<int:target>/remove",
        alert_targets.remove_alert_target,
        name="remove_alert_target",
    ),
    path("catalogs/<slug:catalog>/approvals", approvals.approvals, name="approvals"),
    path("catalogs/<slug:catalog>/approvals/<uuid:approval>", approvals.approval, name="approval"),
    path("catalogs/<slug:catalog>/approvals/webhook", webhook.webhook, name="webhook"),
    path(
        "catalogs/<slug:catalog>/approvals/webhook/secret",
        webhook.new_secret,
        name="webhook_secret",
    ),
    path("catalogs/<slug:catalog>/approvals/webhook/try", webhook.try_webhook, name="try_webhook"),
    path(
        "catalogs/<slug:catalog>/approvals/webhook/remove",
        webhook.remove_webhook,
        name="remove_webhook",
    ),
    path("catalogs/<slug:catalog>/rules/-/try", try_rules, name="try_rules"),
    path("catalogs/<slug:catalog>/policy", policy, name="policy"),
    path("catalogs/<slug:catalog>/settings/text", text, name="text"),
    path("catalogs/<slug:catalog>/settings/text/stored", stored_text, name="stored_text"),
    path("catalogs/<slug:catalog>/tools/<str:tool>/history", tool_history, name="tool_history"),
    path("catalogs/<slug:catalog>/circuits", circuits.circuits, name="circuits"),
    path(
        "catalogs/<slug:catalog>/circuits/<int:circuit>/close",
        circuits.close_circuit,
        name="close_circuit",
    ),
    path("start", start.start_new, name="start_new"),
    path("catalogs/<slug:catalog>/start", start.start, name="start"),
    path("catalogs/<slug:catalog>/start/groups", suggest_groups, name="suggest_groups"),
    path("catalogs/<slug:catalog>/start/key", start.start_key, name="start_key"),
    path("catalogs/<slug:catalog>/start/waiting", start.start_waiting, name="start_waiting"),
    path("catalogs/<slug:catalog>/tools/-/export", export_tools, name="export_tools"),
    path("catalogs/<slug:catalog>/tools/-/import", import_tools, name="import_tools"),
    path(
        "catalogs/<slug:catalog>/tools/-/import/<uuid:pending>",
        pending_import,
        name="pending_import",
    ),
    path("catalogs/<slug:catalog>/health", health.health, name="health"),
    path("catalogs/<slug:catalog>/health/mend", health.mend, name="mend"),
    path(
        "catalogs/<slug:catalog>/health/look-alikes",
        look_alikes.search_look_alikes,
        name="search_look_alikes",
    ),
    path(
        "catalogs/<slug:catalog>/health/look-alikes/<int:search>",
        look_alikes.look_alike_search,
        name="look_alike_search",
    ),
    path(
        "catalogs/<slug:catalog>/health/look-alikes/of",
        look_alikes.part_look_alikes,
        name="part_look_alikes",
    ),
    path("catalogs/<slug:catalog>/versions", versions.versions, name="versions"),
    path("catalogs/<slug:catalog>/versions/draft", versions.draft, name="draft"),
    path("catalogs/<slug:catalog>/versions/moves", versions.moves, name="moves"),
    path(
        "catalogs/<slug:catalog>/versions/preparations/<int:job>",
        versions.preparation,
        name="preparation",
    ),
    path("catalogs/<slug:catalog>/clone", catalog_life.clone, name="clone"),
    path("catalogs/<slug:catalog>/archive", catalog_life.archive, name="archive"),
    path("catalogs/<slug:catalog>/unarchive", catalog_life.unarchive, name="unarchive"),
    path("catalogs/<slug:catalog>/delete", catalog_life.delete_catalog, name="delete_catalog"),
    path("catalogs/<slug:catalog>/versions/file", version_file.version_file, name="version_file"),
    path(
        "catalogs/<slug:catalog>/versions/file/<uuid:file>",
        version_file.take_in_version,
        name="take_in",
    ),
    path("catalogs/<slug:catalog>/versions/<int:number>/restore", restore, name="restore"),
    path("catalogs/<slug:catalog>/versions/labels/-/new", labels.new_label, name="new_label"),
    path("catalogs/<slug:catalog>/versions/labels/<slug:label>", labels.label, name="label"),
    path(
        "catalogs/<slug:catalog>/versions/labels/<slug:label>/remove",
        labels.remove_label,
        name="remove_label",
    ),
    path(
        "catalogs/<slug:catalog>/versions/labels/<slug:label>/protect",
        labels.protect_label,
        name="protect_label",
    ),
    path("catalogs/<slug:catalog>/versions/<int:number>", version.version, name="version"),
    path(
        "catalogs/<slug:catalog>/versions/<int:number>/document", version.document, name="document"
    ),
    path("catalogs/<slug:catalog>/versions/<int:number>/roll-back", roll_back, name="roll_back"),
]
