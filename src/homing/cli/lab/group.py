"""``homing lab``: the group of its commands, each in a module of its own."""

from __future__ import annotations

from homing.cli import options
from homing.cli.lab.import_web import import_
from homing.cli.lab.report_experiment import report
from homing.cli.lab.run_experiment import run, verify
from homing.cli.lab.serve_web import serve_

app = options.group("Record a web once, and compare strategies on it.")

app.command("import")(import_)
app.command("serve")(serve_)
app.command("run")(run)
app.command("report")(report)
app.command("verify")(verify)
