"""Unlock the Secret Service with its own dialog, and close the dialog when the result is no longer needed.

The keyring library would wait without limit and leave the dialog open. The first collection is created in the
same way: the dialog asks for its password.
"""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from bridge.vault.unlock_dialog import UnlockDialog

if TYPE_CHECKING:
    from jeepney.io.blocking import DBusConnection  # type: ignore[import-untyped]
    from secretstorage.collection import Collection
    from secretstorage.util import DBusAddressWrapper

_LOOK = 0.25  # seconds between checks whether the result is still needed
_BETWEEN = 8  # such checks between two checks whether the keyring is still locked


def unlock(path: str, asking: UnlockDialog) -> bool:
    """Unlock the collection at this path ("": the default one); blocks while the dialog is open. False if
    the user refused or the result is no longer needed."""
    import secretstorage
    from secretstorage.defines import SS_PREFIX

    with closing(secretstorage.dbus_init()) as bus:
        try:
            collection = secretstorage.Collection(bus, path) if path else secretstorage.Collection(bus)
        except secretstorage.ItemNotFoundException:
            label = {f"{SS_PREFIX}Collection.Label": ("s", "Default")}
            _, prompt = _service(bus).call("CreateCollection", "a{sv}s", label, "default")
            return _agreed(bus, prompt, None, asking)
        if not collection.is_locked():
            return True
        _, prompt = _service(bus).call("Unlock", "ao", [collection.collection_path])
        return _agreed(bus, prompt, collection, asking)


def _service(bus: DBusConnection) -> DBusAddressWrapper:
    from secretstorage.defines import SS_PATH
    from secretstorage.util import DBusAddressWrapper

    return DBusAddressWrapper(SS_PATH, "org.freedesktop.Secret.Service", bus)


def _agreed(bus: DBusConnection, prompt: str, collection: Collection | None, asking: UnlockDialog) -> bool:
    from jeepney import MatchRule, MessageType  # type: ignore[import-untyped]
    from secretstorage.util import DBusAddressWrapper

    if len(prompt) == 1:  # "/": no dialog is needed
        return True
    face = "org.freedesktop.Secret.Prompt"
    dialog = DBusAddressWrapper(prompt, face, bus)
    rule = MatchRule(path=prompt, interface=face, member="Completed", type=MessageType.signal)
    with bus.filter(rule) as signals, asking.shown() as stop:
        dialog.call("Prompt", "s", "")
        looks = 0
        while not stop.is_set():
            try:
                dismissed, _ = bus.recv_until_filtered(signals, timeout=_LOOK).body
                return not dismissed
            except TimeoutError:
                looks += 1
            if looks % _BETWEEN == 0 and collection is not None and not collection.is_locked():
                break  # unlocked by another program or the user
        dialog.call("Dismiss", "")
        return not stop.is_set()
