"""What an agent says, without what an owner does not want kept: pure, and linear in the text.

redactor = redactor_of(redactions)       # compiled once per setting and process
redactor.text("write to ana@example.com")          # "write to [e-mail]"
redactor.value({"to": "ana@example.com"})          # {"to": "[e-mail]"}
"""

from routing.redaction.lines import Fault, Line, lines_of, read_lines, written
from routing.redaction.ready import READY
from routing.redaction.redactor import Redactor
from routing.redaction.setting import Redactions, redactor_of

__all__ = [
    "READY",
    "Fault",
    "Line",
    "Redactions",
    "Redactor",
    "lines_of",
    "read_lines",
    "redactor_of",
    "written",
]
