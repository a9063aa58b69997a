"""What a release says about its tools, looked up by name."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from routing.policy.arguments import Checked, Schema, canonical_sha256, check_arguments
from routing.policy.faults import Fault


@dataclass(frozen=True)
class ToolRules:
    """A tool of a release; its schemas are compiled when they are first needed."""

    tool: Mapping[str, Any]

    @property
    def name(self) -> str:
        """Return the tool's name."""
        return str(self.tool["name"])

    @property
    def enabled(self) -> bool:
        """Tell whether the version has the tool switched on."""
        return bool(self.tool["enabled"])

    @property
    def needs_key(self) -> bool:
        """Tell whether a call changes something, so that it must be known again."""
        return bool(self.tool["side_effect"] != "read")

    @property
    def needs_approval(self) -> bool:
        """Tell whether a person has to say yes to each call."""
        return bool(self.tool["needs_approval"])

    @property
    def scopes(self) -> tuple[str, ...]:
        """Return the scopes that a key must have, all of them."""
        return tuple(self.tool["scopes"])

    @property
    def max_attempts(self) -> int:
        """Return how often a call may be tried."""
        return int(self.tool["max_attempts"])

    @property
    def timeout_ms(self) -> int:
        """Return how long an attempt may take, in milliseconds."""
        return int(self.tool["timeout_ms"])

    @property
    def output_trust(self) -> str:
        """Return ``trusted_system`` or ``untrusted_content``."""
        return str(self.tool["output_trust"])

    @property
    def capability(self) -> str:
        """Return the tool's capability class, which may be empty."""
        return str(self.tool["capability"] or "")

    @cached_property
    def input(self) -> Schema:
        """Return the schema of the arguments. ``format`` counts: a model can mend what it sent."""
        return Schema({"type": "object", **self.tool["input_schema"]}, formats=True)

    @cached_property
    def output(self) -> Schema | None:
        """Return the schema of the output, if there is one. ``format`` is an annotation."""
        schema = self.tool["output_schema"]
        return None if schema is None else Schema(schema, formats=False)

    def check(self, arguments: Mapping[str, Any]) -> Checked:
        """Return arguments as they are meant, with what is wrong with them."""
        return check_arguments(self.input, arguments)

    def output_faults(self, data: object) -> tuple[Fault, ...]:
        """Return what is wrong with a tool's output; nothing where it has no schema."""
        return self.output.faults(data) if self.output else ()

    def traced(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments that the tool's owner chose to see in traces."""
        fields = self.tool["trace_fields"]
        return {name: arguments[name] for name in fields if name in arguments}


@dataclass(frozen=True, slots=True)
class Rulebook:
    """The tools of a release by name and by alias. Names are compared exactly."""

    ref: str
    tools: Mapping[str, ToolRules]
    aliases: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, document: Mapping[str, Any], *, ref: str) -> "Rulebook":
        """Return the rules of a document. A name goes before an alias, the first alias counts."""
        tools = {tool["name"]: ToolRules(tool) for tool in document["tools"]}
        aliases: dict[str, str] = {}
        for tool in document["tools"]:
            for alias in tool["aliases"]:
                if alias not in tools:
                    aliases.setdefault(alias, tool["name"])
        return cls(ref=ref, tools=tools, aliases=aliases)

    def find(self, name: str) -> ToolRules | None:
        """Return the tool of a name or alias."""
        return self.tools.get(name) or self.tools.get(self.aliases.get(name, ""))


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A call as an agent proposes it, read by the rules of the release.

    ``tool`` is ``None`` where the release has none of the ``name``; nothing is then wrong with the
    arguments, since nothing is known of them.
    """

    name: str
    tool: ToolRules | None
    arguments: Checked
    idempotency_key: str | None = None
    ref: str = ""

    @classmethod
    def read(
        cls,
        rules: Rulebook,
        *,
        name: str,
        arguments: Mapping[str, Any],
        idempotency_key: str | None = None,
    ) -> "Proposal":
        """Return a proposal with its tool found and its arguments checked."""
        tool = rules.find(name)
        checked = tool.check(arguments) if tool else Checked(arguments, canonical_sha256(arguments))
        return cls(
            name=name,
            tool=tool,
            arguments=checked,
            idempotency_key=idempotency_key,
            ref=rules.ref,
        )
