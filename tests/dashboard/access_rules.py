"""Who is let through to each page, and what it is sent with that is no use to it."""

from collections.abc import Mapping
from dataclasses import dataclass

from catalog.roles import Role

ANYBODY = 0
VIEWER, EDITOR, PUBLISHER, ADMINISTRATOR = map(int, Role)
SUPERUSER = ADMINISTRATOR + 1
# Who is not let through: a catalog that they do not see is not there, one they see says why.
PERSONS: Mapping[str, int | None] = {
    "outsider": None,
    **{role.name.lower(): int(role) for role in Role},
    "superuser": SUPERUSER,
}


@dataclass(frozen=True)
class Asked:
    """The least role that is let through and the status that it then gets."""

    role: int
    status: int
    outsider: int = 404
    too_low: int = 403

    def status_for(self, role: int | None) -> int:
        """Return the status that a person with a role gets."""
        if self.role == ANYBODY or (role is not None and role >= self.role):
            return self.status
        return self.outsider if role is None else self.too_low


NOT_ALLOWED = Asked(ANYBODY, 405)


def superuser(status: int) -> Asked:
    """Return what pages that only superusers see ask for: they say so to everybody."""
    return Asked(SUPERUSER, status, outsider=403)


# By the name of the pattern: what a GET and what a POST gets.
RULES: Mapping[str, tuple[Asked, Asked]] = {
    "catalog:catalogs": (Asked(ANYBODY, 200), NOT_ALLOWED),
    "catalog:settings": (Asked(VIEWER, 200), Asked(EDITOR, 422)),
    "catalog:comments": (Asked(VIEWER, 200), Asked(VIEWER, 422)),
    "catalog:settle_comment": (NOT_ALLOWED, Asked(EDITOR, 302)),
    "catalog:groups": (Asked(VIEWER, 200), Asked(EDITOR, 302)),
    "catalog:cells": (NOT_ALLOWED, Asked(EDITOR, 400)),
    "catalog:new_group": (Asked(EDITOR, 200), Asked(EDITOR, 422)),
    "catalog:group_hint": (Asked(EDITOR, 200), NOT_ALLOWED),
    "catalog:group": (Asked(VIEWER, 200), Asked(EDITOR, 422)),
    "catalog:delete_group": (Asked(EDITOR, 200), Asked(EDITOR, 302)),
    "catalog:move_group": (NOT_ALLOWED, Asked(EDITOR, 302)),
    "catalog:move_tool": (NOT_ALLOWED, Asked(EDITOR, 302)),
    "catalog:remove_tool": (NOT_ALLOWED, Asked(EDITOR, 302)),
    "catalog:pick": (NOT_ALLOWED, Asked(EDITOR, 200)),
    "catalog:phases": (Asked(VIEWER, 200), NOT_ALLOWED),
    "catalog:new_phase": (Asked(EDITOR, 200), Asked(EDITOR, 422)),
    "catalog:phase": (Asked(VIEWER, 200), Asked(EDITOR, 422)),
    "catalog:delete_phase": (Asked(EDITOR, 200), Asked(EDITOR, 302)),
    "catalog:move_phase": (NOT_ALLOWED, Asked(EDITOR, 302)),
    "catalog:rules": (Asked(VIEWER, 200), NOT_ALLOWED),
    "catalog:new_rule": (Asked(EDITOR, 200), Asked(EDITOR, 422)),
    "catalog:rule": (Asked(VIEWER, 200), Asked(EDITOR, 422)),
    "catalog:delete_rule": (Asked(EDITOR, 200), Asked(EDITOR, 302)),
    "catalog:move_rule": (NOT_ALLOWED, Asked(EDITOR, 302)),
    "catalog:routes": (Asked(VIEWER, 200), NOT_ALLOWED),
    "catalog:new_route": (Asked(EDITOR, 200), Asked(EDITOR, 422)),
    "catalog:route": (Asked(VIEWER, 200), Asked(EDITOR, 422)),
    "catalog:delete_route": (Asked(EDITOR, 200), Asked(EDITOR, 302)),
    "catalog:tools": (Asked(VIEWER, 200), NOT_ALLOWED),
    "catalog:bulk_edit": (Asked(EDITOR, 200), Asked(EDITOR, 200)),
    "catalog:new_tool": (Asked(EDITOR, 200), Asked(EDITOR, 422)),
    "catalog:check_tool": (NOT_ALLOWED, Asked(EDITOR, 200)),
    "catalog:tool": (Asked(VIEWER, 200), Asked(EDITOR, 422)),
    "catalog:delete_tool": (Asked(EDITOR, 200), Asked(EDITOR, 302)),
    "catalog:tool_flag": (NOT_ALLOWED, Asked(EDITOR, 302)),
    "dashboard:overview": (Asked(ANYBODY, 200), NOT_ALLOWED),
    "dashboard:metrics": (Asked(ANYBODY, 200), NOT_ALLOWED),
    "dashboard:metrics_topic": (Asked(ANYBODY, 200), NOT_ALLOWED),
    "dashboard:follow_advice": (NOT_ALLOWED, Asked(EDITOR, 302)),
    "dashboard:sign_in": (Asked(ANYBODY, 302), Asked(ANYBODY, 302)),
    "dashboard:sign_out": (NOT_ALLOWED, Asked(ANYBODY, 302)),
    "dashboard:set_language": (Asked(ANYBODY, 302), Asked(ANYBODY, 302)),
    # The sample is a link that works no more, which says so.
    "dashboard:set_password": (Asked(ANYBODY, 200), Asked(ANYBODY, 200)),
    "dashboard:search": (Asked(ANYBODY, 200), NOT_ALLOWED),
    "dashboard:profile": (Asked(ANYBODY, 200), Asked(ANYBODY, 422)),
    "dashboard:change_password": (Asked(ANYBODY, 200), Asked(ANYBODY, 422)),
    "dashboard:people": (superuser(200), NOT_ALLOWED),
    "dashboard:new_person": (superuser(200), superuser(422)),
    "dashboard:person": (superuser(200), NOT_ALLOWED),
    "dashboard:deactivate": (superuser(200), superuser(302)),
    "dashboard:activate": (NOT_ALLOWED, superuser(302)),
    "dashboard:person_link": (superuser(200), superuser(200)),
    "dashboard:members": (Asked(ADMINISTRATOR, 200), Asked(ADMINISTRATOR, 422)),
    "dashboard:new_member": (Asked(ADMINISTRATOR, 200), Asked(ADMINISTRATOR, 422)),
    "dashboard:member": (Asked(ADMINISTRATOR, 200), Asked(ADMINISTRATOR, 422)),
    "dashboard:remove_member": (Asked(ADMINISTRATOR, 200), Asked(ADMINISTRATOR, 302)),
    "dashboard:member_link": (Asked(ADMINISTRATOR, 200), Asked(ADMINISTRATOR, 200)),
    # Somebody without a catalog is told so there, and has nothing to try.
    "dashboard:playground": (Asked(ANYBODY, 200), Asked(VIEWER, 422, outsider=200)),
    "dashboard:keys": (Asked(ANYBODY, 200), NOT_ALLOWED),
    "dashboard:new_key": (
        Asked(ADMINISTRATOR, 200, outsider=403),
        Asked(ADMINISTRATOR, 422, outsider=403),
    ),
    # Whoever does not administer a key's catalogs does not see the key.
    "dashboard:rotate_key": (
        Asked(ADMINISTRATOR, 200, too_low=404),
        Asked(ADMINISTRATOR, 409, too_low=404),
    ),
    "dashboard:revoke_key": (
        Asked(ADMINISTRATOR, 200, too_low=404),
        Asked(ADMINISTRATOR, 302, too_low=404),
    ),
    "dashboard:circuits": (Asked(VIEWER, 200), Asked(PUBLISHER, 422)),
    "dashboard:close_circuit": (NOT_ALLOWED, Asked(PUBLISHER, 302)),
    "dashboard:runs": (Asked(VIEWER, 200), NOT_ALLOWED),
    "dashboard:run": (Asked(VIEWER, 200), NOT_ALLOWED),
    "dashboard:export_runs": (Asked(VIEWER, 200), NOT_ALLOWED),
    "dashboard:compare_runs": (Asked(VIEWER, 200), NOT_ALLOWED),
    "dashboard:replay": (Asked(VIEWER, 200), NOT_ALLOWED),
    "dashboard:run_views": (Asked(VIEWER, 200), NOT_ALLOWED),
    # Without a filter there is nothing to save.
    "dashboard:new_run_view": (Asked(VIEWER, 302), Asked(VIEWER, 302)),
    # Of a view that is shared.
    "dashboard:run_view": (Asked(EDITOR, 200), Asked(EDITOR, 422)),
    "dashboard:delete_run_view": (NOT_ALLOWED, Asked(EDITOR, 302)),
    "dashboard:erase_run": (Asked(ADMINISTRATOR, 200), Asked(ADMINISTRATOR, 302)),
    "dashboard:audit": (Asked(EDITOR, 200), NOT_ALLOWED),
    "dashboard:export_audit": (Asked(EDITOR, 200), NOT_ALLOWED),
    "dashboard:undo": (NOT_ALLOWED, Asked(EDITOR, 302)),
    "dashboard:approvals": (Asked(VIEWER, 200), NOT_ALLOWED),
    "dashboard:approval": (Asked(VIEWER, 200), Asked(PUBLISHER, 422)),
    "dashboard:webhook": (Asked(ADMINISTRATOR, 200), Asked(ADMINISTRATOR, 422)),
    "dashboard:webhook_secret": (Asked(ADMINISTRATOR, 200), Asked(ADMINISTRATOR, 200)),
    "dashboard:try_webhook": (NOT_ALLOWED, Asked(ADMINISTRATOR, 302)),
    "dashboard:remove_webhook": (NOT_ALLOWED, Asked(ADMINISTRATOR, 302)),
    "dashboard:gate_policy": (Asked(VIEWER, 200), Asked(ADMINISTRATOR, 422)),
    "dashboard:ask_check": (NOT_ALLOWED, Asked(EDITOR, 302)),
    "dashboard:gate_check": (Asked(VIEWER, 200), NOT_ALLOWED),
    "dashboard:cancel_check": (NOT_ALLOWED, Asked(EDITOR, 302)),
    "dashboard:effect": (NOT_ALLOWED, Asked(EDITOR, 200)),
    "dashboard:learning": (Asked(VIEWER, 200), NOT_ALLOWED),
    "dashboard:start_fit": (NOT_ALLOWED, Asked(PUBLISHER, 302)),
    "dashboard:set_learning": (NOT_ALLOWED, Asked(PUBLISHER, 302)),
    "dashboard:unlearn": (NOT_ALLOWED, Asked(PUBLISHER, 302)),
    "dashboard:fit": (Asked(VIEWER, 200), NOT_ALLOWED),
    "dashboard:cancel_fit": (NOT_ALLOWED, Asked(PUBLISHER, 302)),
    "dashboard:put_fit_live": (NOT_ALLOWED, Asked(PUBLISHER, 302)),
    "dashboard:evals": (Asked(VIEWER, 200), NOT_ALLOWED),
    "dashboard:new_dataset": (Asked(EDITOR, 200), Asked(EDITOR, 422)),
    "dashboard:dataset": (Asked(VIEWER, 200), NOT_ALLOWED),
    "dashboard:export_cases": (Asked(VIEWER, 200), NOT_ALLOWED),
    "dashboard:delete_dataset": (Asked(EDITOR, 200), Asked(EDITOR, 302)),
    "dashboard:split_dataset": (NOT_ALLOWED, Asked(EDITOR, 302)),
    "dashboard:case_file": (Asked(EDITOR, 200), Asked(EDITOR, 422)),
    "dashboard:collect_cases": (Asked(EDITOR, 200), Asked(EDITOR, 422)),
    "dashboard:collection": (Asked(VIEWER, 302), NOT_ALLOWED),
    "dashboard:review": (Asked(VIEWER, 200), Asked(EDITOR, 422)),
    "dashboard:new_case": (Asked(EDITOR, 200), Asked(EDITOR, 422)),
    "dashboard:keep_case": (NOT_ALLOWED, Asked(EDITOR, 200)),
    "dashboard:case": (Asked(VIEWER, 200), Asked(EDITOR, 422)),
    "dashboard:decide_case": (NOT_ALLOWED, Asked(EDITOR, 302)),
    "dashboard:decide_cases": (NOT_ALLOWED, Asked(EDITOR, 302)),
    "dashboard:new_eval": (Asked(EDITOR, 200), Asked(EDITOR, 422)),
    "dashboard:choose_evals": (Asked(VIEWER, 200), NOT_ALLOWED),
    "dashboard:compare_evals": (Asked(VIEWER, 200), NOT_ALLOWED),
    "dashboard:export_comparison": (Asked(VIEWER, 200), NOT_ALLOWED),
    "dashboard:compare_case": (Asked(VIEWER, 200), NOT_ALLOWED),
    "dashboard:eval_run": (Asked(VIEWER, 200), NOT_ALLOWED),
    "dashboard:eval_case": (Asked(VIEWER, 200), NOT_ALLOWED),
    "dashboard:eval_curve": (Asked(VIEWER, 200), Asked(EDITOR, 422)),
    "dashboard:cancel_eval": (NOT_ALLOWED, Asked(EDITOR, 302)),
    "dashboard:resume_eval": (NOT_ALLOWED, Asked(EDITOR, 302)),
    "dashboard:delete_eval": (NOT_ALLOWED, Asked(EDITOR, 302)),
    "dashboard:paths": (Asked(VIEWER, 200), NOT_ALLOWED),
    "dashboard:case_path": (Asked(VIEWER, 200), NOT_ALLOWED),
    "dashboard:before_after": (Asked(VIEWER, 200), NOT_ALLOWED),
    "dashboard:simulation": (Asked(VIEWER, 200), Asked(EDITOR, 302)),
    "dashboard:alerts": (Asked(VIEWER, 200), NOT_ALLOWED),
    "dashboard:new_alert_rule": (Asked(EDITOR, 200), Asked(EDITOR, 422)),
    "dashboard:alert_rule": (Asked(VIEWER, 200), Asked(EDITOR, 422)),
    "dashboard:switch_alert_rule": (NOT_ALLOWED, Asked(EDITOR, 302)),
    "dashboard:drop_alert_rule": (NOT_ALLOWED, Asked(EDITOR, 302)),
    "dashboard:acknowledge_alert": (NOT_ALLOWED, Asked(EDITOR, 302)),
    "dashboard:silence_alert": (NOT_ALLOWED, Asked(EDITOR, 422)),
    "dashboard:end_alert_silence": (NOT_ALLOWED, Asked(EDITOR, 302)),
    "dashboard:alert_targets": (Asked(ADMINISTRATOR, 200), Asked(ADMINISTRATOR, 422)),
    "dashboard:try_alert_target": (NOT_ALLOWED, Asked(ADMINISTRATOR, 302)),
    "dashboard:alert_target_secret": (NOT_ALLOWED, Asked(ADMINISTRATOR, 200)),
    "dashboard:remove_alert_target": (NOT_ALLOWED, Asked(ADMINISTRATOR, 302)),
    "dashboard:try_rules": (Asked(VIEWER, 200), Asked(VIEWER, 200)),
    "dashboard:text": (Asked(VIEWER, 200), Asked(ADMINISTRATOR, 422)),
    # It is kept in full: there is nothing to apply.
    "dashboard:stored_text": (Asked(ADMINISTRATOR, 302), Asked(ADMINISTRATOR, 302)),
    "dashboard:policy": (Asked(VIEWER, 200), Asked(VIEWER, 422)),
    "dashboard:start_new": (Asked(ANYBODY, 200), Asked(EDITOR, 422, outsider=403)),
    "dashboard:start": (Asked(VIEWER, 200), NOT_ALLOWED),
    "dashboard:suggest_groups": (Asked(EDITOR, 200), Asked(EDITOR, 400)),
    "dashboard:start_key": (NOT_ALLOWED, Asked(ADMINISTRATOR, 200)),
    "dashboard:start_waiting": (Asked(VIEWER, 200), NOT_ALLOWED),
    "dashboard:export_tools": (Asked(VIEWER, 200), NOT_ALLOWED),
    "dashboard:import_tools": (Asked(EDITOR, 200), Asked(EDITOR, 422)),
    "dashboard:pending_import": (Asked(EDITOR, 200), Asked(EDITOR, 409)),
    "dashboard:health": (Asked(VIEWER, 200), NOT_ALLOWED),
    "dashboard:mend": (NOT_ALLOWED, Asked(EDITOR, 302)),
    "dashboard:search_look_alikes": (NOT_ALLOWED, Asked(EDITOR, 302)),
    "dashboard:look_alike_search": (Asked(VIEWER, 302), NOT_ALLOWED),
    "dashboard:part_advice": (Asked(VIEWER, 302), NOT_ALLOWED),
    "dashboard:part_look_alikes": (Asked(VIEWER, 302), NOT_ALLOWED),
    "dashboard:versions": (Asked(VIEWER, 200), Asked(PUBLISHER, 422)),
    "dashboard:draft": (Asked(VIEWER, 200), NOT_ALLOWED),
    "dashboard:moves": (Asked(VIEWER, 200), NOT_ALLOWED),
    "dashboard:preparation": (Asked(VIEWER, 302), NOT_ALLOWED),
    "dashboard:version": (Asked(VIEWER, 200), NOT_ALLOWED),
    "dashboard:document": (Asked(VIEWER, 200), NOT_ALLOWED),
    "dashboard:roll_back": (Asked(PUBLISHER, 200), Asked(PUBLISHER, 422)),
    "dashboard:tool_history": (Asked(VIEWER, 200), NOT_ALLOWED),
    "dashboard:restore": (Asked(EDITOR, 200), Asked(EDITOR, 422)),
    "dashboard:version_file": (Asked(EDITOR, 200), Asked(EDITOR, 422)),
    # Somebody else's file is not there.
    "dashboard:take_in": (Asked(EDITOR, 404), Asked(EDITOR, 404)),
    "dashboard:clone": (
        Asked(EDITOR, 200),
        Asked(EDITOR, 422),
    ),
    "dashboard:archive": (Asked(ADMINISTRATOR, 200), Asked(ADMINISTRATOR, 422)),
    # The catalog is in use, and so nothing to bring back.
    "dashboard:unarchive": (NOT_ALLOWED, Asked(SUPERUSER + 1, 404, too_low=404)),
    "dashboard:delete_catalog": (Asked(ADMINISTRATOR, 200), Asked(ADMINISTRATOR, 422)),
    # Of a label that is not protected.
    "dashboard:new_label": (Asked(EDITOR, 200), Asked(EDITOR, 422)),
    "dashboard:label": (Asked(VIEWER, 200), Asked(EDITOR, 422)),
    "dashboard:remove_label": (NOT_ALLOWED, Asked(EDITOR, 409)),
    "dashboard:protect_label": (NOT_ALLOWED, Asked(PUBLISHER, 302)),
}
# What a form is sent with that would be taken empty.
SENT: Mapping[str, Mapping[str, str]] = {
    "dashboard:start_new": {"title": ""},
    "catalog:settings": {"title": ""},
    "dashboard:versions": {"note": "x" * 501},
    "dashboard:roll_back": {"reason": "x" * 501},
    "dashboard:archive": {"reason": "x" * 501},
    "dashboard:profile": {"language": "tlh"},
    "dashboard:change_password": {"old_password": ""},
    "dashboard:new_person": {"username": ""},
    "dashboard:members": {"person": ""},
    "dashboard:new_member": {"username": ""},
    "dashboard:member": {"role": ""},
}
