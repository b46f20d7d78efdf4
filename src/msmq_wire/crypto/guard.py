"""Isolates the package `cryptography`: its exceptions, warnings and lazy parsing.

1. Every call of `cryptography` with untrusted bytes or keys is made inside `guarded`.
2. Unsupported algorithms become an `UnavailableError`, all other exceptions a `SecurityError`.  For damaged
   input, `cryptography` raises `ValueError`, `TypeError`, `AttributeError`, its own exceptions, and for
   panics of its Rust code a `BaseException`.
3. Its warnings about the bytes are suppressed.  With ``-W error`` they would be exceptions; otherwise a
   sender could fill a log with them.
4. `cryptography` parses one part of a certificate on loading and the rest on access.  `load_certificate`
   accesses all parts, so the returned certificate raises no errors later.  If a part causes a warning on each
   access, such as a serial number of zero, the certificate is returned in a wrapper with a guard.
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
"""The attributes of a certificate."""

_FILTERS = threading.RLock()
"""Warning filters are global to the process, so two threads must not save and restore them at once."""


@contextmanager
def guarded(problem: str, actual: object, *, tell: bool = False) -> Iterator[None]:
    """Convert exceptions of `cryptography` inside the context to errors of this library.

    Args:
        problem: The problem in the error, as text.
        actual: The value that causes it.
        tell: Whether the error includes the text of the exception.

    Raises:
        SecurityError: `cryptography` rejected the value.
        UnavailableError: `cryptography` does not support the algorithm.
    """
    try:
        with _FILTERS, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    except MsmqWireError:
        raise
    except UnsupportedAlgorithm as error:
        raise UnavailableError(
            f"{problem}: cryptography does not support the algorithm ({_said(error)})", actual
        ) from error
    except BaseException as error:
        if not isinstance(error, Exception) and type(error).__module__ != "pyo3_runtime":
            raise
        raise SecurityError(f"{problem}: {_said(error)}" if tell else problem, actual) from error


def _said(error: BaseException) -> str:
    """Return an exception's text, shortened to one line, because it may contain untrusted bytes."""
    text = escape(str(error)) or type(error).__name__
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def load_certificate(raw: bytes) -> x509.Certificate:
    """Load a certificate and parse all of its parts.

    Raises:
        SecurityError: A part cannot be parsed.
        UnavailableError: The algorithm of its key or of its signature is not supported.
    """
    with guarded(_UNREADABLE, raw, tell=True), warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        certificate = x509.load_der_x509_certificate(raw)
        certificate.public_key()
        for name in _LAZY:
            getattr(certificate, name)
    return cast("x509.Certificate", _Guarded(certificate)) if warned else certificate


class _Guarded:
    """A certificate whose attributes are read inside a guard; callers can use it like any certificate."""

    __slots__ = ("_held",)

    def __init__(self, certificate: x509.Certificate) -> None:
        self._held = certificate

    @property  # type: ignore[misc]  # mypy does not allow a property that overrides an attribute
    def __class__(self) -> type[Any]:  # `isinstance` reads it
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
