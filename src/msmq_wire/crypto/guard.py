"""The boundary around the package `cryptography`: what it raises, warns of and leaves for later.

1. Every call of `cryptography` over bytes or keys of a stranger is made within `guarded`.
2. What it lacks becomes an `UnavailableError`, whatever else it raises a `SecurityError`: it answers damage
   with `ValueError`, `TypeError`, `AttributeError`, exceptions of its own, and where its Rust code panics
   with a `BaseException`.
3. Its warnings about the bytes do not get out: with ``-W error`` they would be exceptions, without it a
   stranger could fill a log.
4. A certificate is parsed in part when it is loaded and in part when it is asked.  `load_certificate` asks
   for everything, so that what it returns holds no surprise.  One that `cryptography` would warn of each time
   that a part is read, such as a serial number of zero, is returned within a guard of its own.
"""

from __future__ import annotations

import threading
import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, cast

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.serialization import Encoding

from msmq_wire.packets.signature import SecurityError, UnavailableError
from msmq_wire.values.errors import MsmqWireError
from msmq_wire.views.texts import escape

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["guarded", "load_certificate"]

_SHOWN = 120
_UNREADABLE = "the certificate cannot be read"

_LAZY = (
    "version",
    "serial_number",
    "issuer",
    "subject",
    "not_valid_before_utc",
    "not_valid_after_utc",
    "extensions",
    "signature",
    "signature_algorithm_oid",
    "signature_algorithm_parameters",
    "signature_hash_algorithm",
    "tbs_certificate_bytes",
    "public_key_algorithm_oid",
)
"""What a certificate offers."""

_FILTERS = threading.RLock()
"""The filters of warnings belong to the process: two threads must not save and restore them crosswise."""


@contextmanager
def guarded(problem: str, actual: object, *, tell: bool = False) -> Iterator[None]:
    """What `cryptography` raises within becomes an error of ours.

    Args:
        problem: What is wrong if it raises, in words.
        actual: The value that it is about.
        tell: Whether the error's text says what `cryptography` said.

    Raises:
        SecurityError: It refused the value.
        UnavailableError: It has not the algorithm.
    """
    try:
        with _FILTERS, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    except MsmqWireError:
        raise
    except UnsupportedAlgorithm as error:
        raise UnavailableError(
            f"{problem}: cryptography does not offer what it takes ({_said(error)})", actual
        ) from error
    except BaseException as error:
        if not isinstance(error, Exception) and type(error).__module__ != "pyo3_runtime":
            raise
        raise SecurityError(f"{problem}: {_said(error)}" if tell else problem, actual) from error


def _said(error: BaseException) -> str:
    """An exception's text, short and in one line: parts of it can come from the bytes."""
    text = escape(str(error)[:_SHOWN]) or type(error).__name__
    return text if len(text) < _SHOWN else f"{text[:_SHOWN]}..."


def load_certificate(raw: bytes) -> x509.Certificate:
    """A certificate of which every part can be read.

    Raises:
        SecurityError: A part cannot be read.
        UnavailableError: The algorithm of its key or of its signature is not known here.
    """
    with guarded(_UNREADABLE, raw, tell=True), warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        certificate = x509.load_der_x509_certificate(raw)
        certificate.public_key()
        for name in _LAZY:
            getattr(certificate, name)
    return cast("x509.Certificate", _Guarded(certificate)) if told else certificate


class _Guarded:
    """A certificate whose parts are read behind the boundary; to callers it is a certificate like others."""

    __slots__ = ("_held",)

    def __init__(self, held: x509.Certificate) -> None:
        self._held = held

    @property  # type: ignore[misc]  # in `object` it can be set
    def __class__(self) -> type[Any]:  # what `isinstance` goes by
        return x509.Certificate

    def __getattr__(self, name: str) -> Any:
        if not hasattr(x509.Certificate, name):
            raise AttributeError(name)
        with guarded(_UNREADABLE, self._held):
            return getattr(self._held, name)

    def __eq__(self, other: object) -> bool:
        return self._held == (other._held if type(other) is _Guarded else other)

    def __hash__(self) -> int:
        return hash(self._held)

    def __repr__(self) -> str:
        return repr(self._held)

    def __reduce__(self) -> tuple[Any, ...]:
        return load_certificate, (self._held.public_bytes(Encoding.DER),)
