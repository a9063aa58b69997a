"""What is said of an entry that was read: the faults that keep it out, and the notes on changes.

The last ones of each are of an entry that meets the tools that are there already.
"""

from collections.abc import Mapping

from catalog.document.problems import gettext_noop

FAULTS: Mapping[str, str] = {
    "no_utf8": gettext_noop("This is not text in UTF-8."),
    "no_json": gettext_noop("This is neither JSON nor YAML: %(reason)s"),
    "too_deep": gettext_noop("This is nested more than %(limit)d deep."),
    "too_many_aliases": gettext_noop("The aliases of this YAML stand for too much."),
    "unknown_format": gettext_noop("This is in no format that can be read here."),
    "old_openapi": gettext_noop("This is OpenAPI %(version)s. Convert it to 3.0 or 3.1 first."),
    "no_tools": gettext_noop("There is no tool in this."),
    "not_an_object": gettext_noop("A tool is an object here, and this is none."),
    "unknown_tool_format": gettext_noop("This is no tool in the format %(format)s."),
    "hosted_tool": gettext_noop(
        "“%(kind)s” is a tool that the provider runs itself; it has no schema."
    ),
    "no_name": gettext_noop("The tool has no name."),
    "wrong_type": gettext_noop("“%(field)s” is not what it should be: %(expected)s."),
    "reserved_name": gettext_noop(
        "The name “%(name)s” is reserved: it is the tool that opens one more group."
    ),
    "repeated_name": gettext_noop("The name “%(name)s” occurs before, at %(other)s."),
    "case_only": gettext_noop("“%(name)s” and “%(other)s” differ in letter case only."),
    "name_taken": gettext_noop(
        "“%(name)s” would become “%(canonical)s”, which is the tool at %(other)s."
    ),
    "names_meet": gettext_noop("“%(name)s” would become “%(canonical)s”, as would “%(other)s”."),
    "key_twice": gettext_noop("The key “%(key)s” occurs twice in one object."),
    "no_text": gettext_noop(
        "A text holds U+0000 or half of a surrogate pair, which nothing can store."
    ),
    "no_number": gettext_noop("A number is too large, or is none."),
    "not_a_schema": gettext_noop(
        "A schema is an object, true or false, and this is none: %(place)s."
    ),
    "takes_nothing": gettext_noop("The input schema accepts nothing at all."),
    "input_is_no_object": gettext_noop(
        "The input schema must describe an object: arguments have names."
    ),
    "invalid_schema": gettext_noop("%(field)s: %(reason)s"),
    "reference_outside": gettext_noop(
        "“%(reference)s” points outside this document, and is not fetched."
    ),
    "reference_dangling": gettext_noop("“%(reference)s” points to nothing in this document."),
    "reference_loops": gettext_noop("“%(reference)s” leads back to itself."),
    "arguments_meet": gettext_noop("Two arguments would be called “%(name)s”."),
    "not_a_line": gettext_noop("This line is no tool: - name(argument: type): description"),
    "name_here": gettext_noop("“%(name)s” is another tool here."),
    "name_of_source": gettext_noop("“%(name)s” is a tool of “%(source)s” here."),
    "case_here": gettext_noop(
        "Only letter case tells “%(name)s” from “%(other)s”, which is a tool here."
    ),
    "alias_here": gettext_noop("“%(name)s” is an alias of “%(other)s” here."),
}

NOTES: Mapping[str, str] = {
    "name_cleaned": gettext_noop(
        "“%(name)s” is called “%(canonical)s” here: providers take letters, digits, _ and -."
    ),
    "name_shortened": gettext_noop(
        "“%(name)s” is called “%(canonical)s” here: names have at most 64 characters."
    ),
    "name_made": gettext_noop("The operation has no id and is called “%(canonical)s”."),
    "name_shared": gettext_noop(
        "The operation id “%(name)s” occurs several times; this one is called “%(canonical)s”."
    ),
    "no_description": gettext_noop("The tool has no description."),
    "text_cut": gettext_noop("“%(field)s” was cut from %(length)d to %(limit)d characters."),
    "invisible_removed": gettext_noop(
        "%(count)d invisible characters were removed from “%(field)s”: %(characters)s."
    ),
    "invisible_kept": gettext_noop(
        "%(count)d invisible characters stand in names or values of “%(field)s” and were kept: "
        "%(characters)s."
    ),
    "pattern_dropped": gettext_noop(
        "The pattern “%(pattern)s” at %(place)s was dropped: it cannot be matched in linear time."
    ),
    "additional_opened": gettext_noop(
        "Further properties at %(place)s are accepted, since a pattern for their names was dropped."
    ),
    "type_narrowed": gettext_noop("The arguments are an object; other types were dropped."),
    "true_opened": gettext_noop("The schema “true” is written as one that takes any object."),
    "fields_dropped": gettext_noop("Nothing here keeps: %(fields)s."),
    "keyword_dropped": gettext_noop("“%(keyword)s” was dropped from the schema (%(count)d times)."),
    "read_only_dropped": gettext_noop("“%(name)s” is not sent: it is read-only."),
    "effects_unknown": gettext_noop(
        "Nothing says what the tool changes; it counts as destructive until you say otherwise."
    ),
    "effects_claimed": gettext_noop(
        "Whether a tool reads, writes or destroys is only what its source claims: check it."
    ),
    "more_pages": gettext_noop("The list goes on: its last page names a next one, %(cursor)s."),
    "webhooks_left": gettext_noop("Webhooks are not called by an agent and were left out."),
    "parts_left": gettext_noop("Only the tools of the document are read here, not: %(parts)s."),
    "argument_renamed": gettext_noop(
        "“%(name)s” in the %(place)s is called “%(renamed)s”, since another argument has its name."
    ),
    "header_left": gettext_noop("The header “%(name)s” is the transport's and was left out."),
    "parameter_undeclared": gettext_noop(
        "“%(name)s” is in the path, and no parameter describes it; it is a text."
    ),
    "body_optional": gettext_noop("The body may be left out, and what it requires with it."),
    "media_types_left": gettext_noop(
        "Of the body's media types %(chosen)s was taken, and not: %(others)s."
    ),
    "output_left": gettext_noop("The output schema was left out: %(reason)s"),
    "deprecated": gettext_noop("The operation is deprecated."),
    "key_twice": FAULTS["key_twice"],
    "alias_left": gettext_noop("The alias “%(alias)s” was left out: it means “%(name)s” here."),
}
