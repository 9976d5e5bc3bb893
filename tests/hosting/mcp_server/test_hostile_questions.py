"""What a person reads in the form of an MCP client, whoever chose the strings of the request."""

from __future__ import annotations

import re

from attrs import evolve
from hypothesis import given

from mmtools.call import CommandPreview, FilesPreview
from mmtools.hosting.mcp import questions
from mmtools.ports.permission import PermissionRequest
from tests.hostile_requests import REQUESTS, expected, leads, spelled_name, unseen
from tests.hypothesis_profiles import scaled

#: What begins a line of the body, beside the bar of what somebody else wrote; "named" follows a change.
WORDS = ("in", "named", "do what stands below,")


@given(REQUESTS)
@scaled(60)
def test_the_verb_the_target_and_the_size_stand_where_no_string_can_write(request_: PermissionRequest) -> None:
    head, *body, reach = questions.text(request_).split("\n")
    assert not unseen(head + reach + "\n".join(body))
    assert head == f"{spelled_name(request_.tool)} — {spelled_name(request_.title)}"
    assert reach == f'"allow for this session" covers: {spelled_name(request_.scope.words)}'
    own = [line for line in body if not line.startswith(("│ ", *(f"{word} " for word in WORDS)))]
    wanted = expected(request_.preview)
    if isinstance(request_.preview, CommandPreview):
        assert re.fullmatch(rf"run {wanted[0].size}, [\d,]+ characters?:", own[0])
        assert body[1] == f"│ {spelled_lines(wanted[0].target)}"
        assert len(own) == 1
    elif wanted[0].verb == "do":
        assert own == []
        assert re.fullmatch(rf"do what stands below, {wanted[0].size}:", body[0])
    else:
        assert len(own) == len(wanted), body
        for line, each in zip(own, wanted, strict=True):
            sized = evolve(each, size=r".*\d bytes.*") if isinstance(request_.preview, FilesPreview) else each
            assert leads(line, sized), (line, each)
            assert len(line) <= 400


def spelled_lines(text: str) -> str:
    """Write one line of a text in which tabs may stay."""
    return "\t".join(map(spelled_name, text.split("\t")))
