"""What is said of an entry that was read: the faults that keep it out, and the notes on changes."""

from collections.abc import Mapping

FAULTS: Mapping[str, str] = {
    "no_utf8": "This is not text in UTF-8.",
    "no_json": "This is neither JSON nor YAML: %(reason)s",
    "too_deep": "This is nested more than %(limit)d deep.",
    "too_many_aliases": "The aliases of this YAML stand for too much.",
    "unknown_format": "This is in no format that can be read here.",
    "old_openapi": "This is OpenAPI %(version)s. Convert it to 3.0 or 3.1 first.",
    "no_tools": "There is no tool in this.",
    "not_an_object": "A tool is an object here, and this is none.",
    "unknown_tool_format": "This is no tool in the format %(format)s.",
    "hosted_tool": "“%(kind)s” is a tool that the provider runs itself; it has no schema.",
    "no_name": "The tool has no name.",
    "wrong_type": "“%(field)s” is not what it should be: %(expected)s.",
    "reserved_name": "The name “%(name)s” is reserved: it is the tool that opens one more group.",
    "repeated_name": "The name “%(name)s” occurs before, at %(other)s.",
    "case_only": "“%(name)s” and “%(other)s” differ in letter case only.",
    "name_taken": "“%(name)s” would become “%(canonical)s”, which is the tool at %(other)s.",
    "names_meet": "“%(name)s” would become “%(canonical)s”, as would “%(other)s”.",
    "key_twice": "The key “%(key)s” occurs twice in one object.",
    "no_text": "A text holds U+0000 or half of a surrogate pair, which nothing can store.",
    "no_number": "A number is too large, or is none.",
    "not_a_schema": "A schema is an object, true or false, and this is none: %(place)s.",
    "takes_nothing": "The input schema accepts nothing at all.",
    "input_is_no_object": "The input schema must describe an object: arguments have names.",
    "invalid_schema": "%(field)s: %(reason)s",
    "reference_outside": "“%(reference)s” points outside this document, and is not fetched.",
    "reference_dangling": "“%(reference)s” points to nothing in this document.",
    "reference_loops": "“%(reference)s” leads back to itself.",
    "arguments_meet": "Two arguments would be called “%(name)s”.",
    "not_a_line": "This line is no tool: - name(argument: type): description",
}

NOTES: Mapping[str, str] = {
    "name_cleaned": "“%(name)s” is called “%(canonical)s” here: providers take letters, digits, _ "
    "and -.",
    "name_shortened": "“%(name)s” is called “%(canonical)s” here: names have at most 64 "
    "characters.",
    "name_made": "The operation has no id and is called “%(canonical)s”.",
    "name_shared": "The operation id “%(name)s” occurs several times; this one is called "
    "“%(canonical)s”.",
    "no_description": "The tool has no description.",
    "text_cut": "“%(field)s” was cut from %(length)d to %(limit)d characters.",
    "invisible_removed": "%(count)d invisible characters were removed from “%(field)s”: "
    "%(characters)s.",
    "pattern_dropped": "The pattern “%(pattern)s” at %(place)s was dropped: it cannot be matched "
    "in linear time.",
    "additional_opened": "Further properties at %(place)s are accepted, since a pattern for their "
    "names was dropped.",
    "type_narrowed": "The arguments are an object; other types were dropped.",
    "true_opened": "The schema “true” is written as one that takes any object.",
    "fields_dropped": "Nothing here keeps: %(fields)s.",
    "keyword_dropped": "“%(keyword)s” was dropped from the schema (%(count)d times).",
    "read_only_dropped": "“%(name)s” is not sent: it is read-only.",
    "effects_unknown": "Nothing says what the tool changes; it counts as destructive until you "
    "say otherwise.",
    "effects_claimed": "What the tool changes is its server's claim: check it.",
    "more_pages": "The list goes on: its last page names a next one, %(cursor)s.",
    "webhooks_left": "Webhooks are not called by an agent and were left out.",
    "parts_left": "Only the tools of the document are read here, not: %(parts)s.",
    "argument_renamed": "“%(name)s” in the %(place)s is called “%(renamed)s”, since another "
    "argument has its name.",
    "header_left": "The header “%(name)s” is the transport's and was left out.",
    "parameter_undeclared": "“%(name)s” is in the path, and no parameter describes it; it is a "
    "text.",
    "body_optional": "The body may be left out, and what it requires with it.",
    "media_types_left": "Of the body's media types %(chosen)s was taken, and not: %(others)s.",
    "output_left": "The output schema was left out: %(reason)s",
    "deprecated": "The operation is deprecated.",
    "key_twice": FAULTS["key_twice"],
}
