"""Checks and reads what a webhook of Landfall delivers."""

import base64
import binascii
import hashlib
import hmac
import json
import time
from typing import Mapping, Optional, Sequence, Union

from .resource import Resource, join
from .resources import CLASSES, WebhookNotification


class Distrusted(Exception):
    """Answer 400. `reason`: headers_missing, too_old, too_new, signature_wrong, not_a_notification."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


def read_notification(
    body: Union[bytes, str],
    headers: Mapping[str, str],
    secret: Union[str, Sequence[str]],
    *,
    tolerance_s: float = 300,
    now: Optional[float] = None,
) -> WebhookNotification:
    """Verifies the signature (Standard Webhooks), then reads. Raises `Distrusted`.

    `body`: the bytes as they came, not JSON that was parsed and written again. `secret`: `whsec_…` of the webhook;
    several while it is being changed. Keep the `id` of the notification where your work is kept: the same notification
    may come again, and always with this id.
    """
    given = {name.lower(): value for name, value in headers.items()}
    own_id, timestamp, signatures = (
        given.get(f"webhook-{name}") for name in ("id", "timestamp", "signature")
    )
    if own_id is None or timestamp is None or signatures is None:
        raise Distrusted("headers_missing", "webhook-id, webhook-timestamp and webhook-signature are needed.")
    _check_time(timestamp, tolerance_s, time.time() if now is None else now)
    raw = body.encode() if isinstance(body, str) else bytes(body)
    message = f"{own_id}.{timestamp}.".encode() + raw
    if not _is_signed(message, signatures, [secret] if isinstance(secret, str) else secret):
        raise Distrusted("signature_wrong", "No signature fits the body and the secret.")
    return _read(raw)


def _check_time(timestamp: str, tolerance_s: float, now: float) -> None:
    try:
        age_s = now - int(timestamp)
    except ValueError:
        raise Distrusted("too_old", "The time of the delivery is no number.") from None
    if age_s > tolerance_s:
        raise Distrusted("too_old", f"The delivery was sent {age_s:.0f} s ago.")
    if age_s < -tolerance_s:
        raise Distrusted("too_new", f"The delivery is {-age_s:.0f} s ahead of this clock.")


def _is_signed(message: bytes, signatures: str, secrets: Sequence[str]) -> bool:
    found = [each[3:] for each in signatures.split(" ") if each.startswith("v1,")]
    for secret in secrets:
        try:
            key = base64.b64decode(secret[6:] if secret.startswith("whsec_") else secret, validate=True)
        except binascii.Error:
            key = b""
        if key == b"":
            raise ValueError("The secret is whsec_ and base64.")
        wanted = base64.b64encode(hmac.new(key, message, hashlib.sha256).digest())
        if any(hmac.compare_digest(wanted, each.encode()) for each in found):
            return True
    return False


def _read(raw: bytes) -> WebhookNotification:
    try:
        found: Sequence[Resource] = join(json.loads(raw), CLASSES)
    except (ValueError, KeyError, TypeError, AttributeError):
        raise Distrusted("not_a_notification", "The body is no document of Landfall.") from None
    if len(found) != 1 or found[0].type != "webhook_notification":
        raise Distrusted("not_a_notification", "The body is no webhook_notification.")
    return found[0]  # type: ignore[return-value]
