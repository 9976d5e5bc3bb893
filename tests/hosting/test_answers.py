"""Outcomes in no framework's words."""

from __future__ import annotations

import base64
import json
import urllib.request

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.call import Media, Outcome, Status
from mmtools.errors import DefinitionError
from mmtools.hosting import answers
from mmtools.hosting.answers import MediaFamily
from mmtools.pending import PendingCall

kinds = st.sampled_from(["image/png", "audio/wav", "video/mp4", "application/pdf", "text/plain", "image/svg+xml"])
media = st.builds(Media, kinds, st.binary(max_size=40))
texts = st.text(min_size=1).filter(lambda text: text.strip("\n"))


def outcome(text: str = "done", *, status: Status = Status.OK, shown: tuple[Media, ...] = ()) -> Outcome:
    return Outcome(call_id="c1", tool="look", text=text, status=status, media=shown)


@given(media)
def test_a_data_url_is_read_back_by_another_reader(item: Media) -> None:
    with urllib.request.urlopen(answers.data_url(item)) as answer:
        assert answer.read() == item.data
        assert answer.headers.get_content_type() == item.mime_type
    assert base64.b64decode(answers.base64_text(item), validate=True) == item.data


@given(st.text(st.characters(codec=None)))
def test_what_is_sent_can_be_encoded_and_is_as_long(text: str) -> None:
    sent = answers.encodable(text)
    assert len(sent.encode()) >= len(sent) == len(text)
    assert all(now == was or (now, was.isprintable()) == ("?", False) for now, was in zip(sent, text, strict=True))


@given(texts, st.lists(media, max_size=5), st.sets(kinds))
def test_media_are_handed_over_in_order_or_named(text: str, shown: list[Media], taken: set[str]) -> None:
    told, kept = answers.split(outcome(text, shown=tuple(shown)), takes=lambda each: each.mime_type in taken)
    assert list(kept) == [each for each in shown if each.mime_type in taken]
    assert told.startswith(text.removesuffix("\n"))
    left = [each for each in shown if each.mime_type not in taken]
    assert told.count("cannot be shown here]") >= len(left)
    assert all(each.mime_type in told for each in left)
    if not left:
        assert told == text


def test_without_a_choice_all_is_taken() -> None:
    picture = Media("image/png", b"\x89PNG")
    assert answers.split(outcome("a picture\n", shown=(picture,))) == ("a picture\n", (picture,))


def test_what_is_left_out_reads_plainly() -> None:
    film = Media("video/mp4", b"x" * 1234)
    told, kept = answers.split(outcome("a film\n", shown=(film,)), takes=lambda each: False)
    assert told == "a film\n[video/mp4, 1,234 bytes: cannot be shown here]"
    assert kept == ()


@pytest.mark.parametrize(
    ("mime_type", "family"),
    [
        ("image/png", MediaFamily.IMAGE),
        ("IMAGE/PNG", MediaFamily.IMAGE),
        ("audio/mpeg", MediaFamily.AUDIO),
        ("video/mp4", MediaFamily.VIDEO),
        ("application/pdf", MediaFamily.FILE),
        ("text/plain", MediaFamily.FILE),
        ("file/odd", MediaFamily.FILE),
        ("", MediaFamily.FILE),
    ],
)
def test_families(mime_type: str, family: MediaFamily) -> None:
    assert answers.family(Media(mime_type, b"")) is family


@pytest.mark.parametrize("status", list(Status))
def test_what_counts_as_a_failure(status: Status) -> None:
    assert answers.failed(outcome(status=status)) is (status not in {Status.OK, Status.PENDING})


@pytest.mark.parametrize("allowed", [True, False])
def test_a_yes_or_no_is_for_one_call(allowed: bool) -> None:
    said = answers.decision(allowed=allowed, feedback="because")
    assert (said.allowed, said.feedback) == (allowed, "because")
    assert said.choice.value.endswith("_once")


RECORD = PendingCall(call_id="c1", tool="bash", arguments={"command": "true"}, title="run: true")


@pytest.mark.parametrize("call_id", ["c1", None])
def test_a_record_is_read_back(call_id: str | None) -> None:
    assert answers.recorded(RECORD.to_json(), tool="bash", call_id=call_id) == RECORD


@pytest.mark.parametrize(("tool", "call_id"), [("bash", "c2"), ("edit_file", "c1"), ("edit_file", None)])
def test_a_record_of_another_call_is_refused(tool: str, call_id: str | None) -> None:
    with pytest.raises(DefinitionError, match="the record given with it is of bash"):
        answers.recorded(RECORD.to_json(), tool=tool, call_id=call_id)


@pytest.mark.parametrize("pending", [None, 3, {}, json.loads(RECORD.to_json()), "", "{}"])
def test_what_is_no_record_is_refused(pending: object) -> None:
    with pytest.raises(DefinitionError):
        answers.recorded(pending, tool="bash", call_id="c1")
