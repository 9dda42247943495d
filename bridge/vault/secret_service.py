"""Unlocking the Secret Service, with its own dialog: the keyring library would wait for it for ever, say
nothing meanwhile and leave it open when nobody wants the answer any more.

A first keyring is made in the same way: its password is asked for too.
"""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from bridge.vault.unlock_dialog import UnlockDialog

if TYPE_CHECKING:
    from jeepney.io.blocking import DBusConnection  # type: ignore[import-untyped]
    from secretstorage.collection import Collection
    from secretstorage.util import DBusAddressWrapper

_LOOK = 0.25  # seconds between two looks at whether the answer is still wanted
_BETWEEN = 8  # of these looks, between two at whether the keyring is still there, and locked


def unlock(path: str, asking: UnlockDialog) -> bool:
    """Whether the collection at this path (the default one if it is empty) can be used; blocks for as long as
    the person takes. False: they said no, or nobody wants to know any more."""
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

    if len(prompt) == 1:  # "/": nobody had to be asked
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
                break  # by another program's dialog, or the person's own hand
        dialog.call("Dismiss", "")
        return not stop.is_set()
