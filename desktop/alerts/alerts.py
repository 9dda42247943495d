"""Alert the user to new Questions by window, notification and sound, as core/questions/interruption.py says.

The order: the presenter holds new windows back, the user's activity is read, then windows, notification and
sound follow, or do not. While a Question waits, the user's presence is read every few seconds: its clock
stops while they are away. At half of its time and a minute before its end it alerts again, without a sound.
"""

from __future__ import annotations

import time
from dataclasses import replace

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QGuiApplication

from bridge.api import Mode, Question, Status, app_of, interruption
from desktop.alerts import sound
from desktop.alerts.notifications import DEFAULT, Notification, Notifier
from desktop.alerts.user_activity import UserActivity
from desktop.questions.asker import asker
from desktop.questions.presenter import QuestionPresenter
from desktop.widgets.text.safe_text import one_line

WATCH = 5_000  # milliseconds between two readings of the user's presence and of the clocks
AGAIN = 15_000  # milliseconds between two readings while the user is busy or the screen locked
SETTLE = 500  # milliseconds before changed counts are shown
SNOOZE, MUTE, ANSWER = "snooze", "mute", "answer"
MISSED, SEEN = "missed", "seen"
HALF_AN_HOUR, HOUR = 1800.0, 3600.0
NAMED = 3  # servers named in a notification


class Alerts(QObject):
    snooze_wanted = Signal(float)  # seconds
    mute_wanted = Signal(str, float)  # server, seconds
    presence_changed = Signal(bool)
    missed_wanted = Signal()  # to see what was missed
    missed_seen = Signal()

    def __init__(self, presenter: QuestionPresenter, activity: UserActivity, notifier: Notifier) -> None:
        super().__init__()
        self._presenter = presenter
        self._activity = activity
        self._notifier = notifier
        self._status = Status()
        self._known: frozenset[str] = frozenset()  # Questions and floods already alerted
        self._notified = False
        self._present = True
        self._rung: dict[str, int] = {}  # Question → reminders that rang
        self._missed: tuple[str, ...] = ()  # missed Questions already announced
        self._watch = QTimer(self, interval=WATCH)
        self._watch.timeout.connect(self._look_around)
        self._held = False  # quiet because the user is busy or the screen is locked
        self._again = QTimer(self, singleShot=True, interval=AGAIN)
        self._again.timeout.connect(self._alert)
        self._settle = QTimer(self, singleShot=True, interval=SETTLE)
        self._settle.timeout.connect(self._update_counts)
        QGuiApplication.instance().focusWindowChanged.connect(lambda _: self._focus_changed())  # type: ignore[union-attr]

    def draw(self, status: Status) -> None:
        """Alert to new Questions; to all waiting ones when a snooze has ended."""
        back = self._status.snoozed and not status.snoozed
        self._status = status
        flooding = {flood.server for flood in status.floods}
        ids = {question.id for question in status.waiting if question.server not in flooding}
        due = frozenset(ids | {f"flood:{server}" for server in flooding})
        fresh = due if back else due - self._known
        self._known = due
        if fresh:
            self._presenter.hold()
        self._presenter.draw(status)
        self._rung = {one.id: self._rung.get(one.id, 0) for one in status.waiting}
        if status.waiting and not self._watch.isActive():
            self._watch.start()
        if fresh:
            self._alert()
        elif self._tell_missed():
            return
        elif not due or status.snoozed:
            self._quiet()
        elif self._notified and not self._settle.isActive():
            self._settle.start()

    def _tell_missed(self) -> bool:
        """Leave a notice of what was missed, if nothing else waits; True if there is one."""
        missed = tuple(question.id for question in self._status.missed)
        before, self._missed = self._missed, missed
        if not missed or self._status.waiting or self._status.snoozed:
            return False
        if missed != before and self._status.wishes.notifications:
            self._notified = True
            self._notifier.show(self._missed_notice())
        return True

    # presence and time

    def _look_around(self) -> None:
        if not self._status.waiting:
            self._watch.stop()
            self._set_presence(True)
            return
        self._activity.look(self._status.wishes, self._notice_presence)

    def _notice_presence(self, scene: interruption.Activity) -> None:
        scene = replace(scene, answering=self._presenter.answering)
        self._set_presence(interruption.is_present(scene))
        if self._present and not self._status.snoozed:
            self._remind(scene)

    def _set_presence(self, present: bool) -> None:
        if present != self._present:
            self._present = present
            self.presence_changed.emit(present)

    def _remind(self, scene: interruption.Activity) -> None:
        """Alert again, without a sound, for Questions at half of their time, or near its end."""
        status, now = self._status, time.time()
        alert = interruption.alert_for(status.wishes, scene, status.snoozed)
        rings = False
        for question in status.waiting:
            left = question.deadline - now if question.deadline else status.question_timeout
            due = interruption.reminder(left, status.question_timeout)
            rings = rings or due > self._rung.get(question.id, 0)
            self._rung[question.id] = due
        if rings and not scene.answering:
            self._presenter.remind()
            if alert.notification:
                self._notified = True
                self._notifier.show(self._notice(loud=False, again=True))
            if alert.sound:
                sound.play(quiet=True)

    def choose(self, action: str) -> None:
        """Act on a click on the notification or one of its buttons."""
        self._quiet()
        if action == SNOOZE:
            self.snooze_wanted.emit(HALF_AN_HOUR)
        elif action.startswith(MUTE):
            self.mute_wanted.emit(action.removeprefix(f"{MUTE}:"), HOUR)
        elif action == SEEN:
            self.missed_seen.emit()
        elif action == MISSED or not self._status.waiting:
            self.missed_wanted.emit()
        elif action in (ANSWER, DEFAULT):
            self._presenter.next()

    def look_again(self) -> None:
        """Alert again, if quiet until now: the screen was unlocked."""
        self._look_around()
        if self._held and self._known and not self._status.snoozed:
            self._alert()

    def _alert(self) -> None:
        self._activity.look(self._status.wishes, self._alert_in_scene)

    def _alert_in_scene(self, scene: interruption.Activity) -> None:
        status = self._status
        scene = replace(scene, answering=self._presenter.answering)
        alert = interruption.alert_for(status.wishes, scene, status.snoozed)
        self._presenter.apply_alert(alert)
        self._set_presence(interruption.is_present(scene))
        self._held = scene.busy or scene.locked
        if self._held and self._known and not status.snoozed:
            self._again.start()
        if not self._known:
            return
        if alert.notification:
            self._notified = True
            self._notifier.show(self._notice(loud=alert.sound))
        if alert.sound and not (alert.notification and self._notifier.sounds):
            sound.play()

    def _focus_changed(self) -> None:
        """Close the notification once a question window has focus."""
        if self._notified and self._presenter.answering:
            self._quiet()

    def _update_counts(self) -> None:
        """Show changed counts, without sound."""
        self._notifier.show(self._notice(loud=False))

    def close(self) -> None:
        """Close the notification and stop all timers."""
        self._watch.stop()
        self._quiet()

    def _quiet(self) -> None:
        """Close the notification."""
        self._again.stop()
        self._settle.stop()
        if self._notified:
            self._notified = False
            self._notifier.close()

    # texts

    def _missed_notice(self) -> Notification:
        from desktop.questions.popup_card import missed_text, missed_title  # loaded with the first Question

        missed = self._status.missed
        actions = ((MISSED, self.tr("Show")), (SEEN, self.tr("OK")))
        return Notification(missed_title(missed), missed_text(missed), actions)

    def _notice(self, *, loud: bool, again: bool = False) -> Notification:
        """`again`: a reminder."""
        snooze = (SNOOZE, self.tr("Snooze 30 min"))
        answer = (ANSWER, self.tr("Answer"))
        for flood in self._status.floods:
            title = self.tr("{server} is asking a lot").format(server=one_line(flood.server, 60))
            text = self.tr("Questions waiting: {count}").format(count=flood.waiting)
            mute = (f"{MUTE}:{flood.server}", self.tr("Mute for an hour"))
            return Notification(title, text, (answer, mute), loud)
        waiting = self._status.waiting
        if len(waiting) == 1:
            title = self.tr("Still waiting for you") if again else self.tr("A question is waiting")
            return Notification(title, self._who(waiting[0]), (answer, snooze), loud)
        title = self.tr("{count} questions are waiting").format(count=len(waiting))
        servers = list(dict.fromkeys(one_line(question.server, 40) for question in waiting))
        named = ", ".join(servers[:NAMED]) + (" …" if len(servers) > NAMED else "")
        return Notification(title, self.tr("From {servers}").format(servers=named), (answer, snooze), loud)

    def _who(self, question: Question) -> str:
        host = one_line(app_of(question.host).name, 60) if question.host else ""
        if host and question.mode is Mode.CONFIRM:
            server = one_line(question.server, 60)
            return self.tr("{host} wants to use {server}.").format(server=server, host=host)
        server, app = asker(question)
        if server and app:
            return self.tr("{server} asks you through {host}.").format(server=server, host=app)
        return self.tr("{server} asks you.").format(server=server or app)
