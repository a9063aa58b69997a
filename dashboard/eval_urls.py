"""The pages of evals, of the gate and of learning, one line each; `page_urls` has the rest."""

from django.urls import path

from dashboard.views import (
    case_files,
    cases,
    datasets,
    eval_compare,
    eval_curve,
    eval_runs,
    gate,
    learning,
    paths,
)
from dashboard.views.effect import effect

urlpatterns = [
    path("catalogs/<slug:catalog>/learning", learning.learning, name="learning"),
    path("catalogs/<slug:catalog>/learning/-/start", learning.start_fit, name="start_fit"),
    path("catalogs/<slug:catalog>/learning/-/set", learning.set_learning, name="set_learning"),
    path("catalogs/<slug:catalog>/learning/-/back/<int:release>", learning.unlearn, name="unlearn"),
    path("catalogs/<slug:catalog>/learning/fits/<int:fit>", learning.fit, name="fit"),
    path(
        "catalogs/<slug:catalog>/learning/fits/<int:fit>/live",
        learning.put_fit_live,
        name="put_fit_live",
    ),
    path(
        "catalogs/<slug:catalog>/learning/fits/<int:fit>/cancel",
        learning.cancel_fit,
        name="cancel_fit",
    ),
    path("catalogs/<slug:catalog>/evals", datasets.evals, name="evals"),
    path("catalogs/<slug:catalog>/evals/-/new", datasets.new_dataset, name="new_dataset"),
    path("catalogs/<slug:catalog>/evals/-/keep", cases.keep_case, name="keep_case"),
    path("catalogs/<slug:catalog>/evals/-/run", eval_runs.new_eval, name="new_eval"),
    path("catalogs/<slug:catalog>/evals/compare", eval_compare.choose_evals, name="choose_evals"),
    path(
        "catalogs/<slug:catalog>/evals/compare/<int:before>/<int:after>",
        eval_compare.compare_evals,
        name="compare_evals",
    ),
    path(
        "catalogs/<slug:catalog>/evals/compare/<int:before>/<int:after>/cases.csv",
        eval_compare.export_comparison,
        name="export_comparison",
    ),
    path(
        "catalogs/<slug:catalog>/evals/compare/<int:before>/<int:after>/cases/<int:case>",
        eval_compare.compare_case,
        name="compare_case",
    ),
    path("catalogs/<slug:catalog>/evals/runs/<int:eval>", eval_runs.eval_run, name="eval_run"),
    path(
        "catalogs/<slug:catalog>/evals/runs/<int:eval>/cases/<int:case>",
        eval_runs.eval_case,
        name="eval_case",
    ),
    path(
        "catalogs/<slug:catalog>/evals/runs/<int:eval>/curve",
        eval_curve.eval_curve,
        name="eval_curve",
    ),
    path(
        "catalogs/<slug:catalog>/evals/runs/<int:eval>/cancel",
        eval_runs.cancel_eval,
        name="cancel_eval",
    ),
    path(
        "catalogs/<slug:catalog>/evals/runs/<int:eval>/resume",
        eval_runs.resume_eval,
        name="resume_eval",
    ),
    path(
        "catalogs/<slug:catalog>/evals/runs/<int:eval>/delete",
        eval_runs.delete_eval,
        name="delete_eval",
    ),
    path("catalogs/<slug:catalog>/evals/datasets/<slug:dataset>", datasets.dataset, name="dataset"),
    path(
        "catalogs/<slug:catalog>/evals/datasets/<slug:dataset>/cases.jsonl",
        case_files.export_cases,
        name="export_cases",
    ),
    path(
        "catalogs/<slug:catalog>/evals/datasets/<slug:dataset>/delete",
        datasets.delete_dataset,
        name="delete_dataset",
    ),
    path(
        "catalogs/<slug:catalog>/evals/datasets/<slug:dataset>/split",
        datasets.split_dataset,
        name="split_dataset",
    ),
    path(
        "catalogs/<slug:catalog>/evals/datasets/<slug:dataset>/file",
        case_files.case_file,
        name="case_file",
    ),
    path(
        "catalogs/<slug:catalog>/evals/datasets/<slug:dataset>/collect",
        datasets.collect_cases,
        name="collect_cases",
    ),
    path(
        "catalogs/<slug:catalog>/evals/datasets/<slug:dataset>/collections/<int:collection>",
        datasets.collection,
        name="collection",
    ),
    path(
        "catalogs/<slug:catalog>/evals/datasets/<slug:dataset>/review",
        cases.review,
        name="review",
    ),
    path(
        "catalogs/<slug:catalog>/evals/datasets/<slug:dataset>/cases/-/new",
        cases.new_case,
        name="new_case",
    ),
    path(
        "catalogs/<slug:catalog>/evals/datasets/<slug:dataset>/cases/<int:case>",
        cases.case,
        name="case",
    ),
    path(
        "catalogs/<slug:catalog>/evals/datasets/<slug:dataset>/cases/<int:case>/decide",
        cases.decide_case,
        name="decide_case",
    ),
    path(
        "catalogs/<slug:catalog>/evals/datasets/<slug:dataset>/decide",
        cases.decide_cases,
        name="decide_cases",
    ),
    path("catalogs/<slug:catalog>/evals/datasets/<slug:dataset>/paths", paths.paths, name="paths"),
    path(
        "catalogs/<slug:catalog>/evals/datasets/<slug:dataset>/paths/<int:case>",
        paths.case_path,
        name="case_path",
    ),
    path(
        "catalogs/<slug:catalog>/evals/datasets/<slug:dataset>/before-and-after",
        paths.before_after,
        name="before_after",
    ),
    path(
        "catalogs/<slug:catalog>/evals/datasets/<slug:dataset>/simulation",
        paths.simulation,
        name="simulation",
    ),
    path("catalogs/<slug:catalog>/effect", effect, name="effect"),
    path("catalogs/<slug:catalog>/versions/gate", gate.gate_policy, name="gate_policy"),
    path("catalogs/<slug:catalog>/versions/gate/check", gate.ask_check, name="ask_check"),
    path("catalogs/<slug:catalog>/versions/gate/<int:check>", gate.gate_check, name="gate_check"),
    path(
        "catalogs/<slug:catalog>/versions/gate/<int:check>/cancel",
        gate.cancel_check,
        name="cancel_check",
    ),
]
