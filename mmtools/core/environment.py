"""What a command sees of its host's environment: no secrets, and nothing that waits for a person."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType

from attrs import field, frozen

__all__ = ["NON_INTERACTIVE", "EnvironmentPolicy", "looks_secret"]

#: Keeps programs from colouring, paging, asking and opening an editor. Nothing here is about ssh.
#: `true` as the editor: `git commit` without a message then says so, `git rebase --continue` goes on.
NON_INTERACTIVE: Mapping[str, str] = MappingProxyType(
    {
        "NO_COLOR": "1",
        "TERM": "dumb",
        "PAGER": "cat",
        "GIT_PAGER": "cat",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_EDITOR": "true",
        "EDITOR": "true",
        "VISUAL": "true",
        "DEBIAN_FRONTEND": "noninteractive",
        "PIP_NO_INPUT": "1",
    }
)

#: They contradict NO_COLOR; Node.js warns about it in every output.
_COLOUR_FORCING = frozenset({"FORCE_COLOR", "CLICOLOR_FORCE"})

#: Names that only look like a secret's: a socket, programs that ask for one, directories.
_HARMLESS = frozenset({"SSH_AUTH_SOCK", "PWD", "OLDPWD"})

#: What gives a secret away as the end of one part of a name (`PGPASSWORD`, `AWS_ACCESS_KEY_ID`), …
_SECRET_ENDS = tuple(
    word + plural
    for word in ("KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "CREDENTIAL", "AUTH")
    for plural in ("", "S")
)
#: … and as a whole part.
_SECRET_PARTS = frozenset(
    {
        *("AUTHORIZATION", "BEARER", "COOKIE", "COOKIES", "CRED", "CREDS", "DSN", "JWT", "PASS", "PAT", "PRIVATE"),
        *("PWD", "WEBHOOK", "OTP", "PASSCODE", "PSK", "TOTP"),
    }
)
#: Words that end like a password's and are none.
_NO_PASSWORDS = frozenset({"ASKPASS", "BYPASS", "COMPASS", "MULTIPASS"})
#: What password managers call the key of an open vault.
_VAULT_SESSION = re.compile(r"(?:BW|LPASS|OP|VAULT)_SESSION(?:_|\Z)")
_NOT_ALPHANUMERIC = re.compile("[^A-Z0-9]+")

#: Values that hold a secret whatever their name: an address with a password, or with a token in its place, …
_ADDRESS = re.compile(r"://[^\s/:@]*:[^\s/@]+@|\bhttps?://[^\s/:@]+@")
#: … a connection string or a query, …
_SECRET_WORD = (
    r"(?:password|passwd|pwd|secret|token|api_?key|access_?key|private_?key|client_?secret|auth_?token|access_?token"
)
_CONNECTION = re.compile(
    rf"(?:^|[\s;?&]){_SECRET_WORD}|accountkey|sharedaccesskey|sharedaccesssignature|sig)\s*=\s*[^\s;&]", re.IGNORECASE
)
#: … a member of a JSON object, …
_MEMBER = re.compile(rf'"[\w.-]*{_SECRET_WORD})"\s*:\s*"[^"]', re.IGNORECASE)
#: … and keys to which their issuers give a form of their own.
_ISSUED = re.compile(
    r"""
      (?<! [A-Za-z0-9_] ) (?:
      -----BEGIN\ [A-Z\ ]*PRIVATE\ KEY-----
    | (?: sk | rk | pk ) [-_] [A-Za-z0-9_-]{16,}
    | (?: gh[oprsu]_ | github_pat_ | glpat- | hf_ | npm_ | pypi- ) [A-Za-z0-9_-]{16,}
    | xox[abeoprs]- [A-Za-z0-9-]{10,}
    | (?: AKIA | ASIA ) [A-Z0-9]{16} \b
    | AIza [A-Za-z0-9_-]{30,}
    | eyJ [A-Za-z0-9_-]{8,} \. eyJ [A-Za-z0-9_-]{8,} \.
    )
    """,
    re.VERBOSE,
)


def looks_secret(name: str, value: str) -> bool:
    """Say whether a variable looks like a secret, by its name or by its value."""
    return name.upper() not in _HARMLESS and (_is_secret_name(name.upper()) or _holds_secret(value))


@lru_cache(maxsize=1024)
def _is_secret_name(name: str) -> bool:
    if _VAULT_SESSION.match(name):
        return True
    parts = [part.rstrip("0123456789") for part in _NOT_ALPHANUMERIC.split(name)]
    return any(
        part.endswith(_SECRET_ENDS) or part in _SECRET_PARTS or (part.endswith("PASS") and part not in _NO_PASSWORDS)
        for part in parts
    )


def _holds_secret(value: str) -> bool:
    if "://" in value and _ADDRESS.search(value):
        return True
    return bool(
        _ISSUED.search(value)
        or ("=" in value and _CONNECTION.search(value))
        or ('"' in value and _MEMBER.search(value))
    )


def _names(names: Iterable[str]) -> frozenset[str]:
    return frozenset({names} if isinstance(names, str) else names)


def _names_or_none(names: Iterable[str] | None) -> frozenset[str] | None:
    return None if names is None else _names(names)


@frozen(kw_only=True)
class EnvironmentPolicy:
    """
    The rules by which a command's environment is made from its host's.

    Later ones win: the host's variables that do not look secret, `NON_INTERACTIVE`, `pass_through`, `extra`.

    Args:
        allow: Take only these names from the host, as they are; None takes all that do not look secret.
        pass_through: Names to take from the host although they look secret, or although
            `NON_INTERACTIVE` sets them.
        extra: Variables to add.
    """

    allow: frozenset[str] | None = field(default=None, converter=_names_or_none)
    pass_through: frozenset[str] = field(default=frozenset(), converter=_names)
    extra: Mapping[str, str] = field(factory=dict)

    def child(self, host: Mapping[str, str]) -> dict[str, str]:
        """Return the environment of a command."""
        if self.allow is None:
            inherited = {name: value for name, value in host.items() if not looks_secret(name, value)}
        else:
            inherited = {name: value for name, value in host.items() if name in self.allow}
        passed = {name: host[name] for name in self.pass_through if name in host}
        kept = {name: value for name, value in inherited.items() if name not in _COLOUR_FORCING}
        return {**kept, **NON_INTERACTIVE, **passed, **self.extra}
