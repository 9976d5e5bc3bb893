"""Which variables a command sees."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.core.environment import NON_INTERACTIVE, EnvironmentPolicy, looks_secret

SECRET_NAMES = [
    "OPENAI_API_KEY",
    "MMTOOLS_API_KEY",
    "ANTHROPIC_AUTH_TOKEN",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_ACCESS_KEY_ID",
    "AWS_SESSION_TOKEN",
    "GOOGLE_APPLICATION_CREDENTIALS",
    "AZURE_CLIENT_SECRET",
    "GITHUB_TOKEN",
    "GH_PAT",
    "HF_TOKEN",
    "NPM_TOKEN",
    "npm_config__authToken",
    "NPM_CONFIG_//registry.example/:_authToken",
    "SLACK_WEBHOOK_URL",
    "SENTRY_DSN",
    "PGPASSWORD",
    "MYSQL_PWD",
    "DB_PASS",
    "SMTP_PASSWD",
    "SSH_PASSPHRASE",
    "SESSION_COOKIE",
    "apikey",
    "MyApiKey",
    "Secret-Token",
    "DJANGO_SECRETS",
    "PRIVATE_PEM",
    "BASIC_AUTH",
    "SSHPASS",
    "PASSWORD1",
    "API_KEY_2",
    "BW_SESSION",
    "OP_SESSION_my",
    "DBPASS",
    "WIFI_PSK",
]

HARMLESS = {
    "PATH": "/usr/local/bin:/usr/bin",
    "HOME": "/home/me",
    "PWD": "/repo",
    "OLDPWD": "/",
    "LANG": "C.UTF-8",
    "USER": "me",
    "SSH_AUTH_SOCK": "/tmp/ssh-x/agent.1",
    "XAUTHORITY": "/home/me/.Xauthority",
    "GIT_AUTHOR_NAME": "Me",
    "KEYBOARD_LAYOUT": "us",
    "KEYMAP": "us",
    "TOKENIZERS_PARALLELISM": "false",
    "PASSENGER_COUNT": "3",
    "SECRETARY": "Jo",
    "PATTERN": "a*",
    "COMPASS": "north",
    "SSH_ASKPASS": "/usr/bin/ssh-askpass",
    "DISPLAY": ":0",
    "SSL_CERT_FILE": "/etc/ssl/cert.pem",
    "VIRTUAL_ENV": "/repo/.venv",
    "HTTP_PROXY": "http://proxy.example:3128",
    "DATABASE_URL": "postgres://localhost:5432/db",
    "LS_COLORS": "*.tar=01;31:*.zip=01;31",
    "SKETCH": "sk-etch",
    "DESKTOP_SESSION": "gnome",
    "XDG_SESSION_ID": "2",
    "GIT_REMOTE": "ssh://git@host.example/repo",
    "INDEX": "https://pypi.example/simple?page=2",
    "SETTINGS": '{"name": "x", "tokens": 3}',
}

SECRET_VALUES = [
    "https://tok@pypi.example/",
    "jdbc:mysql://h/db?user=u&password=p",
    "https://x.example/blob?sv=1&sig=abc",
    '{"private_key":"-----BEGIN PRIVATE KEY-----\\nabc"}',
    '{"client_secret": "x"}',
    '{"nested": {"auth": "ghp_0123456789abcdefghij0123456789abcdef"}}',
    "postgres://me:hunter2@db.example/app",
    "redis://:hunter2@localhost:6379/0",
    "http://user:word@proxy.example:3128",
    "Server=db;User Id=me;Password=hunter2;",
    "DefaultEndpointsProtocol=https;AccountName=a;AccountKey=abc==",
    "host=db user=me password=hunter2",
    "-----BEGIN OPENSSH PRIVATE KEY-----\nabc\n",
    "sk-proj-0123456789abcdefghij",
    "ghp_0123456789abcdefghij0123456789abcdef",
    "github_pat_0123456789abcdefghij",
    "xoxb-0123456789-abcdef",
    "AKIA0123456789ABCDEF",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln",
]


@pytest.mark.parametrize("name", SECRET_NAMES)
def test_names_of_secrets_are_dropped_in_any_case(name: str) -> None:
    for spelling in (name, name.upper(), name.lower()):
        assert EnvironmentPolicy().child({spelling: "value"}) == dict(NON_INTERACTIVE)


@pytest.mark.parametrize("value", SECRET_VALUES)
def test_secrets_are_dropped_by_their_form_whatever_their_name(value: str) -> None:
    assert "SETTING" not in EnvironmentPolicy().child({"SETTING": value})


@pytest.mark.parametrize("name", HARMLESS)
def test_names_that_only_resemble_secrets_are_kept(name: str) -> None:
    assert EnvironmentPolicy().child(HARMLESS)[name] == HARMLESS[name]


def test_a_command_gets_what_keeps_programs_from_waiting_for_a_person() -> None:
    child = EnvironmentPolicy().child({"TERM": "xterm-256color", "PAGER": "less", "EDITOR": "code --wait"})
    assert child == dict(NON_INTERACTIVE)
    assert (child["TERM"], child["NO_COLOR"], child["GIT_TERMINAL_PROMPT"]) == ("dumb", "1", "0")
    assert child["PAGER"] == child["GIT_PAGER"] == "cat"


def test_ssh_is_left_alone() -> None:
    host = {"GIT_SSH_COMMAND": "ssh -i id", "SSH_AUTH_SOCK": "/tmp/agent"}
    child = EnvironmentPolicy().child(host)
    assert {name: value for name, value in child.items() if "SSH" in name} == host


def test_what_forces_colours_is_dropped() -> None:
    assert EnvironmentPolicy().child({"FORCE_COLOR": "1", "CLICOLOR_FORCE": "1"}) == dict(NON_INTERACTIVE)


def test_a_host_passes_names_through_that_would_be_dropped_or_set() -> None:
    policy = EnvironmentPolicy(pass_through=("GITHUB_TOKEN", "TERM", "FORCE_COLOR", "NOT_SET"))
    child = policy.child({"GITHUB_TOKEN": "t", "TERM": "xterm", "FORCE_COLOR": "1", "NPM_TOKEN": "n"})
    assert child == {**NON_INTERACTIVE, "GITHUB_TOKEN": "t", "TERM": "xterm", "FORCE_COLOR": "1"}


def test_an_allow_list_takes_nothing_else_from_the_host() -> None:
    policy = EnvironmentPolicy(allow=("PATH", "MY_TOKEN"), pass_through=("HOME",))
    child = policy.child({"PATH": "/bin", "MY_TOKEN": "t", "HOME": "/h", "LANG": "C", "USER": "me"})
    assert child == {**NON_INTERACTIVE, "PATH": "/bin", "MY_TOKEN": "t", "HOME": "/h"}


def test_extra_variables_win_over_everything() -> None:
    policy = EnvironmentPolicy(pass_through=("TERM",), extra={"TERM": "vt100", "API_KEY": "meant"})
    assert policy.child({"TERM": "xterm", "API_KEY": "other"}) == {
        **NON_INTERACTIVE,
        "TERM": "vt100",
        "API_KEY": "meant",
    }


def test_one_name_is_a_name_and_not_its_letters() -> None:
    assert EnvironmentPolicy(pass_through="API_KEY").child({"API_KEY": "k", "A": "a"}) == {
        **NON_INTERACTIVE,
        "API_KEY": "k",
        "A": "a",
    }
    assert EnvironmentPolicy(allow="A").child({"A": "a", "B": "b"}) == {**NON_INTERACTIVE, "A": "a"}


@given(st.dictionaries(st.text(), st.text()))
def test_every_variable_is_either_kept_as_it_is_or_looks_secret(host: dict[str, str]) -> None:
    child = EnvironmentPolicy().child(host)
    for name, value in host.items():
        if name not in NON_INTERACTIVE and name not in ("FORCE_COLOR", "CLICOLOR_FORCE"):
            assert (child.get(name) == value) != looks_secret(name, value)
    assert set(child) <= set(host) | set(NON_INTERACTIVE)
