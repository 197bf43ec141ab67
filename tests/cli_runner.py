"""Run the command as a shell would: its exit code, and what it printed where."""

from __future__ import annotations

import pytest

from paytables import cli


def run(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    """Exit code, standard output and standard error."""
    with pytest.raises(SystemExit) as exit_info:
        cli.main(arguments)
    out, err = capsys.readouterr()
    return int(str(exit_info.value.code)), out, err
