"""What a person reads in an editor's question and in its titles, whoever chose the strings of the request."""

from __future__ import annotations

from typing import Any

from acp import schema
from hypothesis import given
from hypothesis import strategies as st

from mmtools.call import CommandPreview, DeletionPreview, FilesPreview, Headline, RemotePreview, ToolKind
from mmtools.hosting.acp import contents
from mmtools.ports.display import StartedCall
from mmtools.ports.permission import PermissionRequest
from tests.hostile_requests import HOSTILE, REQUESTS, expected, is_shown, leads, unseen
from tests.hypothesis_profiles import scaled


def texts(shown: list[Any]) -> list[str]:
    return [each.content.text for each in shown if isinstance(each, schema.ContentToolCallContent)]


@given(REQUESTS)
@scaled(60)
def test_the_verb_the_target_and_the_size_stand_where_no_string_can_write(request_: PermissionRequest) -> None:
    title = contents.question_title(request_)
    assert not unseen(title)
    assert "\n" not in title
    assert len(title) <= 1_000
    wanted = expected(request_.preview)
    first = wanted[-1] if isinstance(request_.preview, RemotePreview) else wanted[0]
    assert leads(title, first, r" (·|—|and) .*|"), (title, first)
    shown = contents.preview(request_)
    assert not unseen("\n".join(texts(shown)).replace("\t", ""))
    if isinstance(request_.preview, FilesPreview | DeletionPreview) and len(wanted) > 1:
        assert f" and {len(wanted) - 1} more path" in title
    if isinstance(request_.preview, FilesPreview) and len(wanted) > 1:
        fence, *lines, end = texts(shown)[0].split("\n")
        assert fence == end
        assert set(fence) == {"`"}
        assert len(lines) == len(wanted)
        assert all(map(leads, lines, wanted)), lines
    elif isinstance(request_.preview, DeletionPreview):
        assert texts(shown)[0].count("\n") == 4 * len(wanted), texts(shown)
    elif isinstance(request_.preview, CommandPreview):
        assert texts(shown)[0].rpartition("\n")[2].startswith("in ")


@given(HOSTILE, HOSTILE, st.sampled_from(ToolKind))
@scaled(60)
def test_the_title_of_a_call_is_one_line_that_hides_nothing(tool: str, about: str, kind: ToolKind) -> None:
    call = StartedCall(call_id="c", tool=tool, kind=kind, family="", headline=Headline(text=about))
    title = contents.title(call)
    assert title
    assert not unseen(title)
    assert "\n" not in title
    assert "\t" not in title
    assert len(title) <= 250
    if kind is not ToolKind.EXECUTE and about.strip():
        assert any(is_shown(title[at:], about) for at in range(len(title)))


@given(REQUESTS)
@scaled(30)
def test_the_options_are_one_line_each(request_: PermissionRequest) -> None:
    for option in contents.options(request_):
        assert not unseen(option.name)
        assert "\n" not in option.name
        assert option.name.startswith(("Allow once", "Allow for this session: ", "Reject"))
