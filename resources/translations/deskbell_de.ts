<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de">
<context>
    <name>AboutWindow</name>
    <message>
        <source>About Deskbell</source>
        <translation>Über Deskbell</translation>
    </message>
    <message>
        <source>A bell on your desk that AI applications ring.</source>
        <translation>Eine Klingel auf Ihrem Schreibtisch, die KI-Anwendungen läuten.</translation>
    </message>
    <message>
        <source>Free software under the MIT licence, without any warranty.</source>
        <translation>Freie Software unter der MIT-Lizenz, ohne jede Gewähr.</translation>
    </message>
    <message>
        <source>Made with</source>
        <translation>Verwendete Software</translation>
    </message>
    <message>
        <source>Licences…</source>
        <translation>Lizenzen…</translation>
    </message>
    <message>
        <source>C&amp;lose</source>
        <translation>S&amp;chließen</translation>
    </message>
</context>
<context>
    <name>AccountsPage</name>
    <message>
        <source>Unlock your keychain in the window it has opened.</source>
        <translation>Entsperren Sie Ihren Schlüsselbund in dem Fenster, das er geöffnet hat.</translation>
    </message>
    <message>
        <source>Sign-ins cannot be stored: {why}</source>
        <translation>Anmeldungen können nicht gespeichert werden: {why}</translation>
    </message>
    <message>
        <source>Signing in</source>
        <translation>Anmeldung läuft</translation>
    </message>
    <message>
        <source>C&amp;opy address</source>
        <translation>Adresse k&amp;opieren</translation>
    </message>
    <message>
        <source>The page to sign in on, if your browser did not open it</source>
        <translation>Die Seite zum Anmelden, falls Ihr Browser sie nicht geöffnet hat</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>&amp;Abbrechen</translation>
    </message>
    <message>
        <source>&amp;Sign in with your browser</source>
        <translation>Mit dem Browser &amp;anmelden</translation>
    </message>
    <message>
        <source>Opens your server&apos;s own page. Deskbell never sees a password.</source>
        <translation>Öffnet die Seite Ihres eigenen Servers. Deskbell sieht nie ein Passwort.</translation>
    </message>
    <message>
        <source>Sign-ins are stored in an encrypted file.</source>
        <translation>Anmeldungen werden in einer verschlüsselten Datei gespeichert.</translation>
    </message>
    <message>
        <source>Sign-ins are forgotten when Deskbell quits.</source>
        <translation>Anmeldungen werden vergessen, wenn Deskbell beendet wird.</translation>
    </message>
    <message>
        <source>Recommended. Deskbell never sees your password.</source>
        <translation>Empfohlen. Deskbell sieht Ihr Passwort nie.</translation>
    </message>
    <message>
        <source>Other &amp;ways</source>
        <translation>Andere &amp;Wege</translation>
    </message>
    <message>
        <source>Handle</source>
        <translation>Handle</translation>
    </message>
    <message>
        <source>App password</source>
        <translation>App-Passwort</translation>
    </message>
    <message>
        <source>&amp;Handle</source>
        <translation>&amp;Handle</translation>
    </message>
    <message>
        <source>&amp;App password</source>
        <translation>App-&amp;Passwort</translation>
    </message>
    <message>
        <source>Sign &amp;in</source>
        <translation>An&amp;melden</translation>
    </message>
    <message>
        <source>{handle} · default</source>
        <translation>{handle} · Standard</translation>
    </message>
    <message>
        <source>Please sign in again. {why}</source>
        <translation>Bitte melden Sie sich neu an. {why}</translation>
    </message>
    <message>
        <source>app password</source>
        <translation>App-Passwort</translation>
    </message>
    <message>
        <source>not used yet</source>
        <translation>noch nicht benutzt</translation>
    </message>
    <message>
        <source>last used {when}</source>
        <translation>zuletzt benutzt {when}</translation>
    </message>
    <message>
        <source>Sign in again</source>
        <translation>Neu anmelden</translation>
    </message>
    <message>
        <source>Sign in again as {name}</source>
        <translation>Neu anmelden als {name}</translation>
    </message>
    <message>
        <source>Make default</source>
        <translation>Als Standard festlegen</translation>
    </message>
    <message>
        <source>Make {name} the default</source>
        <translation>{name} als Standard festlegen</translation>
    </message>
    <message>
        <source>Sign out…</source>
        <translation>Abmelden…</translation>
    </message>
    <message>
        <source>Sign out of {name}</source>
        <translation>Von {name} abmelden</translation>
    </message>
    <message>
        <source>Sign-ins are stored in your keychain.</source>
        <translation>Anmeldungen werden in Ihrem Schlüsselbund gespeichert.</translation>
    </message>
    <message>
        <source>Bluesky</source>
        <translation>Bluesky</translation>
    </message>
    <message>
        <source>Accounts that AI apps may read and post with, once you allow it.</source>
        <translation>Konten, mit denen KI-Apps lesen und schreiben dürfen, sobald Sie es erlauben.</translation>
    </message>
    <message>
        <source>Sign in, and AI apps can read, search and post for you. You see each post before it is sent.</source>
        <translation>Melden Sie sich an, dann können KI-Apps für Sie lesen, suchen und schreiben. Sie sehen jeden Beitrag, bevor er gesendet wird.</translation>
    </message>
    <message>
        <source>No accounts yet</source>
        <translation>Noch keine Konten</translation>
    </message>
    <message>
        <source>Enter your handle. An app password is optional – never use your main password. Create one at {address}</source>
        <translation>Geben Sie Ihren Handle ein. Ein App-Passwort ist nicht nötig – nehmen Sie nie Ihr Hauptpasswort. Erstellen Sie eines unter {address}</translation>
    </message>
    <message>
        <source>signed in by browser</source>
        <translation>mit dem Browser angemeldet</translation>
    </message>
    <message>
        <source>Please enter your handle, too.</source>
        <translation>Bitte geben Sie auch Ihren Handle ein.</translation>
    </message>
    <message>
        <source>Sign out of {name}?</source>
        <translation>Von {name} abmelden?</translation>
    </message>
    <message>
        <source>Deskbell signs out and forgets the account. Your posts and the account itself stay as they are.</source>
        <translation>Deskbell meldet sich ab und vergisst das Konto. Ihre Beiträge und das Konto selbst bleiben, wie sie sind.</translation>
    </message>
    <message>
        <source>&amp;Sign out</source>
        <translation>&amp;Abmelden</translation>
    </message>
</context>
<context>
    <name>ActivityPage</name>
    <message>
        <source>What happened</source>
        <translation>Was passiert ist</translation>
    </message>
    <message>
        <source>The newest is first</source>
        <translation>Das Neueste steht oben</translation>
    </message>
    <message>
        <source>E&amp;xport…</source>
        <translation>E&amp;xportieren…</translation>
    </message>
    <message>
        <source>Save what is shown to a file</source>
        <translation>Die angezeigten Einträge in eine Datei speichern</translation>
    </message>
    <message>
        <source>Delete &amp;all…</source>
        <translation>&amp;Alles löschen…</translation>
    </message>
    <message>
        <source>No matches</source>
        <translation>Keine Treffer</translation>
    </message>
    <message>
        <source>What your AI apps did, and what you answered.</source>
        <translation>Was Ihre KI-Apps taten und was Sie geantwortet haben.</translation>
    </message>
    <message>
        <source>Activity</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>&amp;Show everything</source>
        <translation>Alles &amp;zeigen</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <source>Show &amp;technical entries</source>
        <translation>&amp;Technische Einträge zeigen</translation>
    </message>
    <message>
        <source>History is off</source>
        <translation>Der Verlauf ist aus</translation>
    </message>
    <message>
        <source>Choose in Settings how long it is kept.</source>
        <translation>Wie lange er aufbewahrt wird, wählen Sie in den Einstellungen.</translation>
    </message>
    <message>
        <source>When an AI app uses a tool or asks you something, it appears here.</source>
        <translation>Wenn eine KI-App ein Werkzeug benutzt oder Sie etwas fragt, erscheint es hier.</translation>
    </message>
    <message>
        <source>Nothing has happened yet</source>
        <translation>Noch ist nichts passiert</translation>
    </message>
    <message>
        <source>Delete the whole history?</source>
        <translation>Den ganzen Verlauf löschen?</translation>
    </message>
    <message>
        <source>This can&apos;t be undone.</source>
        <translation>Das lässt sich nicht rückgängig machen.</translation>
    </message>
    <message>
        <source>Delete &amp;all</source>
        <translation>Alles &amp;löschen</translation>
    </message>
    <message>
        <source>Export history</source>
        <translation>Verlauf exportieren</translation>
    </message>
    <message>
        <source>Table (*.csv)</source>
        <translation>Tabelle (*.csv)</translation>
    </message>
    <message>
        <source>JSON lines (*.jsonl)</source>
        <translation>JSON-Zeilen (*.jsonl)</translation>
    </message>
    <message>
        <source>Conversations (*.md)</source>
        <translation>Gespräche (*.md)</translation>
    </message>
    <message>
        <source>Conversations as JSON (*.json)</source>
        <translation>Gespräche als JSON (*.json)</translation>
    </message>
    <message>
        <source>Stop e&amp;xport</source>
        <translation>E&amp;xport anhalten</translation>
    </message>
    <message>
        <source>Exporting…</source>
        <translation>Wird exportiert…</translation>
    </message>
    <message>
        <source>Saved {count} lines to {path}.</source>
        <translation>{count} Zeilen in {path} gespeichert.</translation>
    </message>
</context>
<context>
    <name>AddDialog</name>
    <message>
        <source>Add a server</source>
        <translation>Server hinzufügen</translation>
    </message>
    <message>
        <source>Paste anything: a command, a URL, or a snippet from a README.</source>
        <translation>Fügen Sie irgendetwas ein: einen Befehl, eine Adresse oder einen Ausschnitt aus einer README.</translation>
    </message>
    <message>
        <source>Command, address or settings</source>
        <translation>Befehl, Adresse oder Einstellungen</translation>
    </message>
    <message>
        <source>Add a server from a link?</source>
        <translation>Einen Server aus einem Link hinzufügen?</translation>
    </message>
    <message>
        <source>A link proposes this server. Add it only if you trust where the link came from.</source>
        <translation>Ein Link schlägt diesen Server vor. Fügen Sie ihn nur hinzu, wenn Sie der Herkunft des Links vertrauen.</translation>
    </message>
    <message>
        <source>Example: API_KEY=abc npx -y some-server. Use quotes for spaces.</source>
        <translation>Beispiel: API_KEY=abc npx -y some-server. Leerzeichen gehören in Anführungszeichen.</translation>
    </message>
</context>
<context>
    <name>Alerts</name>
    <message>
        <source>Show</source>
        <translation>Anzeigen</translation>
    </message>
    <message>
        <source>OK</source>
        <translation>OK</translation>
    </message>
    <message>
        <source>Snooze 30 min</source>
        <translation>30 min Ruhe</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>Antworten</translation>
    </message>
    <message>
        <source>{server} is asking a lot</source>
        <translation>{server} fragt sehr oft</translation>
    </message>
    <message>
        <source>Questions waiting: {count}</source>
        <translation>Wartende Fragen: {count}</translation>
    </message>
    <message>
        <source>Mute for an hour</source>
        <translation>Eine Stunde stummschalten</translation>
    </message>
    <message>
        <source>A question is waiting</source>
        <translation>Eine Frage wartet</translation>
    </message>
    <message>
        <source>Still waiting for you</source>
        <translation>Wartet noch auf Sie</translation>
    </message>
    <message>
        <source>{count} questions are waiting</source>
        <translation>{count} Fragen warten</translation>
    </message>
    <message>
        <source>From {servers}</source>
        <translation>Von {servers}</translation>
    </message>
    <message>
        <source>{host} wants to use {server}.</source>
        <translation>{host} möchte {server} verwenden.</translation>
    </message>
    <message>
        <source>{server} asks you through {host}.</source>
        <translation>{server} fragt Sie über {host}.</translation>
    </message>
    <message>
        <source>{server} asks you.</source>
        <translation>{server} fragt Sie.</translation>
    </message>
</context>
<context>
    <name>AnswerPreview</name>
    <message>
        <source>Show exactly what will be sent</source>
        <translation>Genau zeigen, was gesendet wird</translation>
    </message>
    <message>
        <source>Re&amp;view</source>
        <translation>&amp;Prüfen</translation>
    </message>
    <message>
        <source>What will be sent</source>
        <translation>Was gesendet wird</translation>
    </message>
</context>
<context>
    <name>AppCards</name>
    <message>
        <source>Connect {name} again</source>
        <translation>{name} neu verbinden</translation>
    </message>
    <message>
        <source>Connect again</source>
        <translation>Neu verbinden</translation>
    </message>
    <message>
        <source>Connected</source>
        <translation>Verbunden</translation>
    </message>
    <message>
        <source>Not found on this computer</source>
        <translation>Auf diesem Computer nicht gefunden</translation>
    </message>
    <message>
        <source>More about {name}</source>
        <translation>Mehr über {name}</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <source>Where questions of {name} appear</source>
        <translation>Wo Fragen von {name} erscheinen</translation>
    </message>
    <message>
        <source>Questions appear:</source>
        <translation>Fragen erscheinen:</translation>
    </message>
    <message>
        <source>{name} refused a question without showing it. Its questions now appear here.</source>
        <translation>{name} hat eine Frage abgelehnt, ohne sie zu zeigen. Die Fragen erscheinen jetzt hier.</translation>
    </message>
    <message>
        <source>Try {name} again</source>
        <translation>{name} erneut versuchen</translation>
    </message>
    <message>
        <source>Let {name} show questions again</source>
        <translation>{name} wieder Fragen zeigen lassen</translation>
    </message>
    <message>
        <source>{name} left questions unanswered more than once.</source>
        <translation>{name} hat mehrmals Fragen unbeantwortet gelassen.</translation>
    </message>
    <message>
        <source>Always in Deskbell</source>
        <translation>Immer in Deskbell</translation>
    </message>
    <message>
        <source>Always show the questions of {name} here</source>
        <translation>Die Fragen von {name} immer hier zeigen</translation>
    </message>
    <message>
        <source>Servers of {name} that ask through Deskbell: {names}</source>
        <translation>Server von {name}, die über Deskbell fragen: {names}</translation>
    </message>
    <message>
        <source>Version {version}</source>
        <translation>Version {version}</translation>
    </message>
    <message>
        <source>Settings file: {path}</source>
        <translation>Einstellungsdatei: {path}</translation>
    </message>
    <message>
        <source>{name} can show forms and links itself.</source>
        <translation>{name} kann Formulare und Links selbst zeigen.</translation>
    </message>
    <message>
        <source>{name} can show simple forms itself.</source>
        <translation>{name} kann einfache Formulare selbst zeigen.</translation>
    </message>
    <message>
        <source>{name} cannot show questions itself.</source>
        <translation>{name} kann Fragen nicht selbst zeigen.</translation>
    </message>
    <message>
        <source>Undo the last change in {name}</source>
        <translation>Letzte Änderung in {name} rückgängig machen</translation>
    </message>
    <message>
        <source>Let Deskbell run the servers of {name} that have an address</source>
        <translation>Die Server von {name} mit Adresse in Deskbell laufen lassen</translation>
    </message>
    <message>
        <source>Connect {name} over HTTP</source>
        <translation>{name} über HTTP verbinden</translation>
    </message>
    <message>
        <source>Undo last change…</source>
        <translation>Letzte Änderung rückgängig machen…</translation>
    </message>
    <message>
        <source>Servers with an address…</source>
        <translation>Server mit Adresse…</translation>
    </message>
    <message>
        <source>Connect over HTTP…</source>
        <translation>Über HTTP verbinden…</translation>
    </message>
    <message>
        <source>Remove the access of {name}</source>
        <translation>{name} den Zugang entziehen</translation>
    </message>
    <message>
        <source>Remove access</source>
        <translation>Zugang entziehen</translation>
    </message>
    <message>
        <source>End its connections and refuse it until you connect it again.</source>
        <translation>Beendet die Verbindungen und weist die App ab, bis Sie sie neu verbinden.</translation>
    </message>
</context>
<context>
    <name>ApprovalsPage</name>
    <message>
        <source>Rules, in the order in which they are checked</source>
        <translation>Regeln in der Reihenfolge, in der sie geprüft werden</translation>
    </message>
    <message>
        <source>&amp;Add rule…</source>
        <translation>Re&amp;gel hinzufügen…</translation>
    </message>
    <message>
        <source>C&amp;hange…</source>
        <translation>&amp;Ändern…</translation>
    </message>
    <message>
        <source>Move &amp;up</source>
        <translation>Nach &amp;oben</translation>
    </message>
    <message>
        <source>Move do&amp;wn</source>
        <translation>Nach &amp;unten</translation>
    </message>
    <message>
        <source>&amp;Delete</source>
        <translation>&amp;Löschen</translation>
    </message>
    <message>
        <source>Undo Allow al&amp;ways</source>
        <translation>„Immer erlauben“ &amp;zurücknehmen</translation>
    </message>
    <message>
        <source>Show all &amp;tools</source>
        <translation>Alle &amp;Werkzeuge zeigen</translation>
    </message>
    <message>
        <source>Search tools</source>
        <translation>Werkzeuge suchen</translation>
    </message>
    <message>
        <source>{tool} is always allowed, for every AI app.</source>
        <translation>{tool} ist immer erlaubt, für jede KI-App.</translation>
    </message>
    <message>
        <source>{tool} is always allowed for {app}.</source>
        <translation>{tool} ist für {app} immer erlaubt.</translation>
    </message>
    <message>
        <source>No rules yet: the choice for each server decides.</source>
        <translation>Noch keine Regeln: Es gilt, was für den Server gewählt ist.</translation>
    </message>
    <message>
        <source>Clear the search</source>
        <translation>Suche leeren</translation>
    </message>
    <message>
        <source>A rule for the selected tool:</source>
        <translation>Eine Regel für das gewählte Werkzeug:</translation>
    </message>
    <message>
        <source>Known tools</source>
        <translation>Bekannte Werkzeuge</translation>
    </message>
    <message>
        <source>Approvals</source>
        <translation>Freigaben</translation>
    </message>
    <message>
        <source>What Deskbell asks you before a server&apos;s tools are used.</source>
        <translation>Was Deskbell Sie fragt, bevor Werkzeuge eines Servers benutzt werden.</translation>
    </message>
    <message>
        <source>Ad&amp;vanced</source>
        <translation>&amp;Erweitert</translation>
    </message>
    <message>
        <source>Rules for single tools</source>
        <translation>Regeln für einzelne Werkzeuge</translation>
    </message>
    <message>
        <source>Rules are checked from top to bottom, an app&apos;s own rules first. What no rule matches is decided by the choice for its server. If a tool changes, you&apos;ll be asked again.</source>
        <translation>Regeln gelten von oben nach unten, die einer App zuerst. Passt keine, gilt, was für den Server gewählt ist. Ändert sich ein Werkzeug, werden Sie wieder gefragt.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>{tool} has changed since you allowed it. You&apos;ll be asked again, and see what changed.</source>
        <translation>{tool} hat sich geändert, seit Sie es erlaubt haben. Sie werden wieder gefragt und sehen, was anders ist.</translation>
    </message>
    <message>
        <source>All tools</source>
        <translation>Alle Werkzeuge</translation>
    </message>
    <message>
        <source>Tools that the selected rule applies to</source>
        <translation>Werkzeuge, für die die gewählte Regel gilt</translation>
    </message>
</context>
<context>
    <name>AppsStep</name>
    <message>
        <source>Which apps may ring?</source>
        <translation>Welche Apps dürfen klingeln?</translation>
    </message>
    <message>
        <source>Switch on the apps you use. Their settings are changed so that questions come to Deskbell. You can undo this any time.</source>
        <translation>Schalten Sie die Apps ein, die Sie benutzen. Ihre Einstellungen werden so geändert, dass Fragen zu Deskbell kommen. Sie können das jederzeit rückgängig machen.</translation>
    </message>
    <message>
        <source>No supported AI app found</source>
        <translation>Keine unterstützte KI-App gefunden</translation>
    </message>
    <message>
        <source>Install one and open this window again, or set one up by hand on the page AI apps.</source>
        <translation>Installieren Sie eine und öffnen Sie dieses Fenster neu, oder richten Sie auf der Seite KI-Apps eine von Hand ein.</translation>
    </message>
    <message>
        <source>Show &amp;changes</source>
        <translation>&amp;Änderungen zeigen</translation>
    </message>
    <message>
        <source>Restart {name} to connect it</source>
        <translation>Starten Sie {name} neu, um die Verbindung herzustellen</translation>
    </message>
    <message>
        <source>Start a new conversation in {name} to connect it</source>
        <translation>Beginnen Sie in {name} ein neues Gespräch, um die Verbindung herzustellen</translation>
    </message>
    <message>
        <source>Press Refresh in {name}&apos;s list of servers</source>
        <translation>Drücken Sie in der Serverliste von {name} auf „Refresh“</translation>
    </message>
    <message>
        <source>Waiting for {name}…</source>
        <translation>Warten auf {name}…</translation>
    </message>
    <message>
        <source>✓ {name} is connected</source>
        <translation>✓ {name} ist verbunden</translation>
    </message>
    <message>
        <source>✓ {name} is connected, 1 tool</source>
        <translation>✓ {name} ist verbunden, 1 Werkzeug</translation>
    </message>
    <message>
        <source>✓ {name} is connected, {count} tools</source>
        <translation>✓ {name} ist verbunden, {count} Werkzeuge</translation>
    </message>
    <message>
        <source>On my des&amp;ktop</source>
        <translation>Auf meinem &amp;Desktop</translation>
    </message>
    <message>
        <source>&amp;In the app when it can show them</source>
        <translation>&amp;In der App, wenn sie das kann</translation>
    </message>
    <message>
        <source>Questions appear:</source>
        <translation>Fragen erscheinen:</translation>
    </message>
</context>
<context>
    <name>Asker</name>
    <message>
        <source>{server} · via {app}</source>
        <translation>{server} · über {app}</translation>
    </message>
</context>
<context>
    <name>Avatar</name>
    <message>
        <source>Picture of {name}</source>
        <translation>Bild von {name}</translation>
    </message>
</context>
<context>
    <name>Byline</name>
    <message>
        <source>{place} of {count}</source>
        <translation>{place} von {count}</translation>
    </message>
    <message>
        <source>{app} · approval</source>
        <translation>{app} · Freigabe</translation>
    </message>
    <message>
        <source>Approval</source>
        <translation>Freigabe</translation>
    </message>
    <message>
        <source>First time</source>
        <translation>Zum ersten Mal</translation>
    </message>
    <message>
        <source>First time this server asks you</source>
        <translation>Dieser Server fragt Sie zum ersten Mal</translation>
    </message>
    <message>
        <source>Previous question</source>
        <translation>Vorige Frage</translation>
    </message>
    <message>
        <source>Next question</source>
        <translation>Nächste Frage</translation>
    </message>
    <message>
        <source>Which tool asks, and what it was called with</source>
        <translation>Welches Werkzeug fragt und womit es aufgerufen wurde</translation>
    </message>
    <message>
        <source>De&amp;tails</source>
        <translation>D&amp;etails</translation>
    </message>
</context>
<context>
    <name>ChangeSheet</name>
    <message>
        <source>What changes</source>
        <translation>Was sich ändert</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>A&amp;bbrechen</translation>
    </message>
    <message>
        <source>The file was changed meanwhile. This is the difference now.</source>
        <translation>Die Datei wurde inzwischen geändert. Das ist jetzt der Unterschied.</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>S&amp;chließen</translation>
    </message>
    <message>
        <source>Connect {name}</source>
        <translation>{name} verbinden</translation>
    </message>
    <message>
        <source>Disconnect {name}</source>
        <translation>{name} trennen</translation>
    </message>
    <message>
        <source>Let Deskbell handle {name}&apos;s questions</source>
        <translation>Deskbell die Fragen von {name} stellen lassen</translation>
    </message>
    <message>
        <source>Undo the last change in {name}</source>
        <translation>Letzte Änderung in {name} rückgängig machen</translation>
    </message>
    <message>
        <source>C&amp;onnect</source>
        <translation>&amp;Verbinden</translation>
    </message>
    <message>
        <source>&amp;Disconnect</source>
        <translation>&amp;Trennen</translation>
    </message>
    <message>
        <source>Stop using Deskbell for {name}&apos;s servers</source>
        <translation>Deskbell nicht mehr für die Server von {name} benutzen</translation>
    </message>
    <message>
        <source>C&amp;hange</source>
        <translation>&amp;Ändern</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig machen</translation>
    </message>
    <message>
        <source>There is nothing to change.</source>
        <translation>Es gibt nichts zu ändern.</translation>
    </message>
    <message>
        <source>The file will be exactly as it was before.</source>
        <translation>Die Datei wird genau so, wie sie vorher war.</translation>
    </message>
    <message>
        <source>This file does not exist yet; it will be created.</source>
        <translation>Diese Datei gibt es noch nicht; sie wird angelegt.</translation>
    </message>
    <message>
        <source>Nothing else changes. A copy of the file is kept, and you can undo this.</source>
        <translation>Sonst ändert sich nichts. Eine Kopie der Datei bleibt erhalten, und Sie können das rückgängig machen.</translation>
    </message>
    <message>
        <source>Keys of servers that move are stored in your keychain.</source>
        <translation>Schlüssel von Servern, die umziehen, werden in Ihrem Schlüsselbund gespeichert.</translation>
    </message>
</context>
<context>
    <name>CheckAnswerWindow</name>
    <message>
        <source>The model&apos;s answer</source>
        <translation>Die Antwort des Modells</translation>
    </message>
    <message>
        <source>Show what was asked</source>
        <translation>Zeigen, was gefragt wurde</translation>
    </message>
    <message>
        <source>Re&amp;quest</source>
        <translation>A&amp;nfrage</translation>
    </message>
    <message>
        <source>&amp;Use this answer</source>
        <translation>Diese Antwort &amp;verwenden</translation>
    </message>
    <message>
        <source>&amp;Refuse</source>
        <translation>&amp;Ablehnen</translation>
    </message>
    <message>
        <source>Your model {model} answered {server}. You can change the answer.</source>
        <translation>Ihr Modell {model} hat {server} geantwortet. Sie können die Antwort ändern.</translation>
    </message>
    <message>
        <source>This is not a list in JSON.</source>
        <translation>Das ist keine Liste in JSON.</translation>
    </message>
</context>
<context>
    <name>ConfirmWindow</name>
    <message>
        <source>This can delete or overwrite things, and may not be undone.</source>
        <translation>Das kann etwas löschen oder überschreiben und lässt sich vielleicht nicht rückgängig machen.</translation>
    </message>
    <message>
        <source>&amp;Don&apos;t allow</source>
        <translation>Nicht erlau&amp;ben</translation>
    </message>
    <message>
        <source>Deny</source>
        <translation>Verweigern</translation>
    </message>
    <message>
        <source>&amp;Allow once</source>
        <translation>E&amp;inmal erlauben</translation>
    </message>
    <message>
        <source>Allow</source>
        <translation>Erlauben</translation>
    </message>
    <message>
        <source>Allow always</source>
        <translation>Immer erlauben</translation>
    </message>
    <message>
        <source>{app} wants to use “{tool}” of {server}</source>
        <translation>{app} möchte „{tool}“ von {server} benutzen</translation>
    </message>
    <message>
        <source>Read only: it changes nothing, says {server}.</source>
        <translation>Liest nur und ändert nichts, sagt {server}.</translation>
    </message>
    <message>
        <source>It makes changes, says {server}.</source>
        <translation>Ändert etwas, sagt {server}.</translation>
    </message>
    <message>
        <source>Raw data</source>
        <translation>Rohdaten</translation>
    </message>
    <message>
        <source>this app</source>
        <translation>diese App</translation>
    </message>
    <message>
        <source>Allow {app} for an hour</source>
        <translation>Eine Stunde lang erlauben für {app}</translation>
    </message>
    <message>
        <source>Always allow for {app}</source>
        <translation>Immer erlauben für {app}</translation>
    </message>
    <message>
        <source>Allow for longer</source>
        <translation>Für länger erlauben</translation>
    </message>
    <message>
        <source>Always allow “{tool}” as it is now</source>
        <translation>„{tool}“ immer erlauben, so wie es jetzt ist</translation>
    </message>
    <message>
        <source>Always allow “{tool}” for {app}</source>
        <translation>„{tool}“ immer erlauben für {app}</translation>
    </message>
    <message>
        <source>Always allow “{tool}” for every app</source>
        <translation>„{tool}“ immer erlauben für jede App</translation>
    </message>
    <message>
        <source>This tool has changed since you allowed it (- before, + now):</source>
        <translation>Dieses Werkzeug hat sich geändert, seit Sie es erlaubt haben (- vorher, + jetzt):</translation>
    </message>
    <message>
        <source>What changed</source>
        <translation>Was anders ist</translation>
    </message>
    <message>
        <source>An AI app</source>
        <translation>Eine KI-App</translation>
    </message>
</context>
<context>
    <name>Countdown</name>
    <message>
        <source>&amp;More time</source>
        <translation>&amp;Mehr Zeit</translation>
    </message>
    <message>
        <source>{clock} left</source>
        <translation>noch {clock}</translation>
    </message>
</context>
<context>
    <name>DateLine</name>
    <message>
        <source>YYYY-MM-DD</source>
        <translation>JJJJ-MM-TT</translation>
    </message>
    <message>
        <source>Clear {field}</source>
        <translation>{field} leeren</translation>
    </message>
    <message>
        <source>Calendar</source>
        <translation>Kalender</translation>
    </message>
    <message>
        <source>Calendar for {field}</source>
        <translation>Kalender für {field}</translation>
    </message>
</context>
<context>
    <name>DateTimeInput</name>
    <message>
        <source>The day is missing. Choose one, or write it such as 2026-03-31.</source>
        <translation>Der Tag fehlt. Wählen Sie einen oder schreiben Sie ihn wie 2026-03-31.</translation>
    </message>
    <message>
        <source>There is no day {day}. Write it such as 2026-03-31.</source>
        <translation>Einen Tag {day} gibt es nicht. Schreiben Sie ihn wie 2026-03-31.</translation>
    </message>
    <message>
        <source>The time is missing. Write it such as 14:30.</source>
        <translation>Die Uhrzeit fehlt. Schreiben Sie sie wie 14:30.</translation>
    </message>
    <message>
        <source>There is no time {time}. Write it such as 14:30.</source>
        <translation>Eine Uhrzeit {time} gibt es nicht. Schreiben Sie sie wie 14:30.</translation>
    </message>
    <message>
        <source>There is no such moment: choose another time or time zone.</source>
        <translation>Diesen Zeitpunkt gibt es nicht: Wählen Sie eine andere Uhrzeit oder Zeitzone.</translation>
    </message>
    <message>
        <source>hh:mm</source>
        <translation>hh:mm</translation>
    </message>
    <message>
        <source>Time for {field}</source>
        <translation>Uhrzeit für {field}</translation>
    </message>
    <message>
        <source>Time zone for {field}</source>
        <translation>Zeitzone für {field}</translation>
    </message>
    <message>
        <source>A time zone, such as Europe/Berlin, or an offset, such as +02:00</source>
        <translation>Eine Zeitzone, etwa Europe/Berlin, oder ein Abstand zu UTC, etwa +02:00</translation>
    </message>
    <message>
        <source>There is no time zone {zone}.</source>
        <translation>Die Zeitzone {zone} gibt es nicht.</translation>
    </message>
    <message>
        <source>Clocks in {zone} skip this time on that day.</source>
        <translation>Die Uhren in {zone} überspringen diese Zeit an dem Tag.</translation>
    </message>
    <message>
        <source>{moment}. Clocks in {zone} show this time twice that day; for the second, choose {offset}.</source>
        <translation>{moment}. Die Uhren in {zone} zeigen diese Zeit an dem Tag zweimal; für das zweite Mal wählen Sie {offset}.</translation>
    </message>
</context>
<context>
    <name>DetailsPane</name>
    <message>
        <source>Details</source>
        <translation>Details</translation>
    </message>
    <message>
        <source>Raw data</source>
        <translation>Rohdaten</translation>
    </message>
    <message>
        <source>The entry as it is stored, and what the call said</source>
        <translation>Der Eintrag, wie er gespeichert ist, und was der Aufruf sagte</translation>
    </message>
    <message>
        <source>&amp;Raw data</source>
        <translation>Roh&amp;daten</translation>
    </message>
    <message>
        <source>Copy the selected lines</source>
        <translation>Die gewählten Zeilen kopieren</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>Delete the selected lines for good</source>
        <translation>Die gewählten Zeilen endgültig löschen</translation>
    </message>
    <message>
        <source>&amp;Delete</source>
        <translation>&amp;Löschen</translation>
    </message>
    <message>
        <source>Show the rule this created, and undo it</source>
        <translation>Zeigt die daraus entstandene Regel, um sie rückgängig zu machen</translation>
    </message>
    <message>
        <source>A&amp;pprovals…</source>
        <translation>Frei&amp;gaben…</translation>
    </message>
    <message>
        <source>{count} selected</source>
        <translation>{count} gewählt</translation>
    </message>
</context>
<context>
    <name>EarlierBar</name>
    <message>
        <source>Unsent draft · {time}</source>
        <translation>Nicht gesendeter Entwurf · {time}</translation>
    </message>
    <message>
        <source>Fill in as before:</source>
        <translation>Ausfüllen wie zuvor:</translation>
    </message>
</context>
<context>
    <name>EditDialog</name>
    <message>
        <source>Edit {server}</source>
        <translation>{server} bearbeiten</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>&amp;Speichern</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>&amp;Abbrechen</translation>
    </message>
    <message>
        <source>your home folder</source>
        <translation>Ihr Benutzerordner</translation>
    </message>
    <message>
        <source>Headers</source>
        <translation>Kopfzeilen</translation>
    </message>
    <message>
        <source>Variables</source>
        <translation>Variablen</translation>
    </message>
    <message>
        <source>Store what looks like a &amp;key in your keychain</source>
        <translation>Was wie ein Sch&amp;lüssel aussieht, im Schlüsselbund speichern</translation>
    </message>
    <message>
        <source> s</source>
        <translation> s</translation>
    </message>
    <message>
        <source>All AI apps shar&amp;e one connection</source>
        <translation>Alle KI-Apps &amp;teilen sich eine Verbindung</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>&amp;Name</translation>
    </message>
    <message>
        <source>&amp;Address</source>
        <translation>A&amp;dresse</translation>
    </message>
    <message>
        <source>C&amp;ommand</source>
        <translation>&amp;Befehl</translation>
    </message>
    <message>
        <source>&amp;Folder</source>
        <translation>&amp;Ordner</translation>
    </message>
    <message>
        <source>Please give this value a name.</source>
        <translation>Bitte geben Sie diesem Wert einen Namen.</translation>
    </message>
    <message>
        <source>&amp;Time limit</source>
        <translation>&amp;Zeitlimit</translation>
    </message>
    <message>
        <source>Tools are prefixed with this name. Sign-ins and rules move with it.</source>
        <translation>Werkzeuge tragen diesen Namen als Präfix. Anmeldung und Regeln ziehen mit um.</translation>
    </message>
    <message>
        <source>Please give it a name.</source>
        <translation>Bitte geben Sie ihm einen Namen.</translation>
    </message>
</context>
<context>
    <name>EntryDetails</name>
    <message>
        <source>When</source>
        <translation>Wann</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>Server</translation>
    </message>
    <message>
        <source>AI app</source>
        <translation>KI-App</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>Aufrufe</translation>
    </message>
    <message>
        <source>Conversation</source>
        <translation>Gespräch</translation>
    </message>
    <message>
        <source>Tool</source>
        <translation>Werkzeug</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>Frage</translation>
    </message>
    <message>
        <source>Your answer</source>
        <translation>Ihre Antwort</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>Nachricht</translation>
    </message>
    <message>
        <source>You took</source>
        <translation>Ihre Antwortzeit</translation>
    </message>
    <message>
        <source>Question in it</source>
        <translation>Frage dabei</translation>
    </message>
    <message>
        <source>Took</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <source>The contents of this call were not kept, or have expired. See Settings.</source>
        <translation>Der Inhalt dieses Aufrufs wurde nicht aufbewahrt oder ist abgelaufen. Siehe Einstellungen.</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>Argumente</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>… Only the beginning is kept.</source>
        <translation>… Nur der Anfang wird behalten.</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>Seite</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>What changed</source>
        <translation>Was anders ist</translation>
    </message>
</context>
<context>
    <name>FieldRow</name>
    <message>
        <source>This looks like a password or key. Servers should not ask for it in a form.</source>
        <translation>Das sieht nach einem Passwort oder Schlüssel aus. Server sollten danach nicht in einem Formular fragen.</translation>
    </message>
    <message>
        <source>Required</source>
        <translation>Pflichtfeld</translation>
    </message>
</context>
<context>
    <name>FileInput</name>
    <message>
        <source>Choose a file…</source>
        <translation>Datei wählen…</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Pasted picture</source>
        <translation>Eingefügtes Bild</translation>
    </message>
    <message>
        <source>Only {kind} files can be sent here.</source>
        <translation>Hier können nur Dateien der Art {kind} gesendet werden.</translation>
    </message>
    <message>
        <source>{size} kB</source>
        <translation>{size} kB</translation>
    </message>
    <message>
        <source>or drop or paste it here</source>
        <translation>oder hier ablegen oder einfügen</translation>
    </message>
</context>
<context>
    <name>FormWindow</name>
    <message>
        <source>This form cannot be shown, so you cannot answer it.</source>
        <translation>Dieses Formular kann nicht angezeigt werden, darum können Sie nicht darauf antworten.</translation>
    </message>
    <message>
        <source>&amp;Send</source>
        <translation>&amp;Senden</translation>
    </message>
    <message>
        <source>&amp;Back</source>
        <translation>&amp;Zurück</translation>
    </message>
    <message>
        <source>Last time: {answer} · {time}</source>
        <translation>Letztes Mal: {answer} · {time}</translation>
    </message>
    <message>
        <source>* required</source>
        <translation>* erforderlich</translation>
    </message>
    <message>
        <source>Nothing is filled in.</source>
        <translation>Nichts ist ausgefüllt.</translation>
    </message>
    <message>
        <source>Not complete yet: {fields}</source>
        <translation>Noch nicht vollständig: {fields}</translation>
    </message>
    <message>
        <source>Send &amp;anyway</source>
        <translation>Trotzdem sen&amp;den</translation>
    </message>
</context>
<context>
    <name>GlobalShortcut</name>
    <message>
        <source>Open the oldest question</source>
        <translation>Älteste Frage öffnen</translation>
    </message>
</context>
<context>
    <name>HeldCallsPanel</name>
    <message>
        <source>Delete the result of the selected call; a call in progress is cancelled</source>
        <translation>Das Ergebnis des gewählten Aufrufs löschen; ein laufender Aufruf wird abgebrochen</translation>
    </message>
    <message>
        <source>Delete &amp;result</source>
        <translation>E&amp;rgebnis löschen</translation>
    </message>
    <message>
        <source>Calls that AI apps no longer wait for</source>
        <translation>Aufrufe, auf die KI-Apps nicht mehr warten</translation>
    </message>
    <message>
        <source>Results kept for the AI app&apos;s next try: {count}</source>
        <translation>Ergebnisse für den nächsten Versuch der KI-App: {count}</translation>
    </message>
    <message>
        <source>{tool} ({server}) is still in progress for {app}</source>
        <translation>{tool} ({server}) läuft noch für {app}</translation>
    </message>
    <message>
        <source>{app} waits again for {tool} ({server})</source>
        <translation>{app} wartet wieder auf {tool} ({server})</translation>
    </message>
    <message>
        <source>{tool} ({server}) is done; {app} has not asked again</source>
        <translation>{tool} ({server}) ist fertig; {app} hat nicht wieder gefragt</translation>
    </message>
</context>
<context>
    <name>HistoryFilters</name>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>AI app</source>
        <translation>KI-App</translation>
    </message>
    <message>
        <source>Every AI app</source>
        <translation>Jede KI-App</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>Server</translation>
    </message>
    <message>
        <source>Every server</source>
        <translation>Jeder Server</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Finds entries that contain every word</source>
        <translation>Findet Einträge, die jedes Wort enthalten</translation>
    </message>
    <message>
        <source>Search activity</source>
        <translation>Verlauf durchsuchen</translation>
    </message>
    <message>
        <source>C&amp;lear</source>
        <translation>&amp;Zurücksetzen</translation>
    </message>
    <message>
        <source>More filters</source>
        <translation>Weitere Filter</translation>
    </message>
    <message>
        <source>Clear the search</source>
        <translation>Suche leeren</translation>
    </message>
    <message>
        <source>Everything</source>
        <translation>Alles</translation>
    </message>
    <message>
        <source>Questions</source>
        <translation>Fragen</translation>
    </message>
    <message>
        <source>Notices</source>
        <translation>Hinweise</translation>
    </message>
    <message>
        <source>Any outcome</source>
        <translation>Jeder Ausgang</translation>
    </message>
    <message>
        <source>Tools used</source>
        <translation>Benutzte Werkzeuge</translation>
    </message>
    <message>
        <source>Servers</source>
        <translation>Server</translation>
    </message>
    <message>
        <source>Completed, answered</source>
        <translation>Erledigt, beantwortet</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Fehlgeschlagen</translation>
    </message>
    <message>
        <source>Not allowed, declined</source>
        <translation>Nicht erlaubt, abgelehnt</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>Abgebrochen</translation>
    </message>
    <message>
        <source>Any time</source>
        <translation>Jederzeit</translation>
    </message>
    <message>
        <source>Last hour</source>
        <translation>Letzte Stunde</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>Heute</translation>
    </message>
    <message>
        <source>Last 7 days</source>
        <translation>Letzte 7 Tage</translation>
    </message>
    <message>
        <source>Last 30 days</source>
        <translation>Letzte 30 Tage</translation>
    </message>
</context>
<context>
    <name>HistoryModel</name>
    <message>
        <source>What happened</source>
        <translation>Was passiert ist</translation>
    </message>
</context>
<context>
    <name>HomePage</name>
    <message>
        <source>&amp;First steps…</source>
        <translation>&amp;Erste Schritte…</translation>
    </message>
    <message>
        <source>Home</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>AI apps</source>
        <translation>KI-Apps</translation>
    </message>
    <message>
        <source>Servers</source>
        <translation>Server</translation>
    </message>
    <message>
        <source>&amp;Connect an AI app…</source>
        <translation>KI-App &amp;verbinden…</translation>
    </message>
    <message>
        <source>No AI app is connected right now</source>
        <translation>Gerade ist keine KI-App verbunden</translation>
    </message>
    <message>
        <source>Connect one, or start one that you have connected. Deskbell rings when it needs an answer from you.</source>
        <translation>Verbinden Sie eine, oder starten Sie eine, die Sie schon verbunden haben. Deskbell klingelt, wenn sie eine Antwort von Ihnen braucht.</translation>
    </message>
    <message>
        <source>Last answers</source>
        <translation>Letzte Antworten</translation>
    </message>
    <message>
        <source>{count} more waiting</source>
        <translation>Noch {count} weitere</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>Startet…</translation>
    </message>
    <message>
        <source>Snoozed until {time}</source>
        <translation>Ruhe bis {time}</translation>
    </message>
    <message>
        <source>Snoozed until you resume</source>
        <translation>Ruhe, bis Sie weitermachen</translation>
    </message>
    <message>
        <source>Ready · 1 app connected</source>
        <translation>Bereit · 1 App verbunden</translation>
    </message>
    <message>
        <source>Ready · {count} apps connected</source>
        <translation>Bereit · {count} Apps verbunden</translation>
    </message>
    <message>
        <source>Ready · no apps connected</source>
        <translation>Bereit · keine App verbunden</translation>
    </message>
    <message>
        <source>No system tray here. Deskbell keeps running when you close this window; open it again from your app menu.</source>
        <translation>Hier gibt es keinen Infobereich. Deskbell läuft weiter, wenn Sie dieses Fenster schließen; öffnen Sie es wieder über das App-Menü.</translation>
    </message>
    <message>
        <source>Rules were removed from the settings file: {rules}.</source>
        <translation>Aus der Einstellungsdatei wurden Regeln entfernt: {rules}.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Sign in again</source>
        <translation>Neu anmelden</translation>
    </message>
    <message>
        <source>Fix…</source>
        <translation>Beheben…</translation>
    </message>
    <message>
        <source>Open the file</source>
        <translation>Datei öffnen</translation>
    </message>
    <message>
        <source>{server} needs you to sign in.</source>
        <translation>Bei {server} müssen Sie sich anmelden.</translation>
    </message>
    <message>
        <source>Sign in…</source>
        <translation>Anmelden…</translation>
    </message>
    <message>
        <source>{server} needs a key: {names}.</source>
        <translation>{server} braucht einen Schlüssel: {names}.</translation>
    </message>
    <message>
        <source>Set key…</source>
        <translation>Schlüssel eingeben…</translation>
    </message>
    <message>
        <source>{server} doesn&apos;t work. {why}</source>
        <translation>{server} funktioniert nicht. {why}</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Keep the change</source>
        <translation>Änderung behalten</translation>
    </message>
    <message>
        <source>uses {servers}</source>
        <translation>benutzt {servers}</translation>
    </message>
    <message>
        <source>Connected</source>
        <translation>Verbunden</translation>
    </message>
    <message>
        <source>{count} tools</source>
        <translation>{count} Werkzeuge</translation>
    </message>
    <message>
        <source>1 tool</source>
        <translation>1 Werkzeug</translation>
    </message>
</context>
<context>
    <name>HostsPage</name>
    <message>
        <source>Looking…</source>
        <translation>Wird gesucht…</translation>
    </message>
    <message>
        <source>Set up by hand</source>
        <translation>Von Hand eingerichtet</translation>
    </message>
    <message>
        <source>OK</source>
        <translation>OK</translation>
    </message>
    <message>
        <source>Show &amp;changes</source>
        <translation>&amp;Änderungen zeigen</translation>
    </message>
    <message>
        <source>AI apps</source>
        <translation>KI-Apps</translation>
    </message>
    <message>
        <source>When a tool of one of these apps has a question, Deskbell shows it. You can undo this any time.</source>
        <translation>Wenn ein Werkzeug einer dieser Apps eine Frage hat, zeigt Deskbell sie. Sie können das jederzeit rückgängig machen.</translation>
    </message>
    <message>
        <source>No supported AI app found</source>
        <translation>Keine unterstützte KI-App gefunden</translation>
    </message>
    <message>
        <source>Install one, or choose yours under All supported apps.</source>
        <translation>Installieren Sie eine, oder wählen Sie Ihre unter „Alle unterstützten Apps“.</translation>
    </message>
    <message>
        <source>Apps that were not found on this computer</source>
        <translation>Apps, die auf diesem Computer nicht gefunden wurden</translation>
    </message>
    <message>
        <source>&amp;All supported apps</source>
        <translation>&amp;Alle unterstützten Apps</translation>
    </message>
    <message>
        <source>Using another app? Copy this entry into its MCP settings.</source>
        <translation>Eine andere App? Kopieren Sie diesen Eintrag in ihre MCP-Einstellungen.</translation>
    </message>
    <message>
        <source>Co&amp;py entry</source>
        <translation>Eintrag &amp;kopieren</translation>
    </message>
    <message>
        <source>Claude Desktop: save an extension file instead</source>
        <translation>Claude Desktop: stattdessen eine Erweiterungsdatei speichern</translation>
    </message>
    <message>
        <source>Save file…</source>
        <translation>Datei speichern…</translation>
    </message>
    <message>
        <source>Save the extension for Claude Desktop</source>
        <translation>Die Erweiterung für Claude Desktop speichern</translation>
    </message>
    <message>
        <source>Extension (*.mcpb)</source>
        <translation>Erweiterung (*.mcpb)</translation>
    </message>
    <message>
        <source>{path} is saved. Open it with Claude Desktop: double click it, or in its settings choose Extensions and install it from there. Then start a new conversation.</source>
        <translation>{path} ist gespeichert. Öffnen Sie es mit Claude Desktop: per Doppelklick, oder wählen Sie in dessen Einstellungen „Erweiterungen“ und installieren Sie es dort. Beginnen Sie dann eine neue Unterhaltung.</translation>
    </message>
</context>
<context>
    <name>ImportDialog</name>
    <message>
        <source>Import servers</source>
        <translation>Server importieren</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>&amp;Abbrechen</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>S&amp;chließen</translation>
    </message>
    <message>
        <source>We found these servers in your apps. Choose the ones Deskbell should run.</source>
        <translation>Diese Server wurden in Ihren Apps gefunden. Wählen Sie die, die Deskbell betreiben soll.</translation>
    </message>
    <message>
        <source>No AI app on this computer has a server in its settings.</source>
        <translation>Keine KI-App auf diesem Computer hat einen Server in ihren Einstellungen.</translation>
    </message>
</context>
<context>
    <name>KeysField</name>
    <message>
        <source>Press keys</source>
        <translation>Tasten drücken</translation>
    </message>
    <message>
        <source>Clear the keys</source>
        <translation>Tasten löschen</translation>
    </message>
</context>
<context>
    <name>LastEntries</name>
    <message>
        <source>Show in Activit&amp;y</source>
        <translation>Im Verlauf &amp;zeigen</translation>
    </message>
</context>
<context>
    <name>LineInput</name>
    <message>
        <source>Show {field}</source>
        <translation>{field} anzeigen</translation>
    </message>
</context>
<context>
    <name>ListInput</name>
    <message>
        <source>{count} chosen: {titles}</source>
        <translation>{count} gewählt: {titles}</translation>
    </message>
    <message>
        <source>Search in {field}</source>
        <translation>In {field} suchen</translation>
    </message>
    <message>
        <source>Search {count} options</source>
        <translation>{count} Möglichkeiten durchsuchen</translation>
    </message>
    <message>
        <source>Clear the search</source>
        <translation>Suche leeren</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Leeren</translation>
    </message>
    <message>
        <source>Clear {field}</source>
        <translation>{field} leeren</translation>
    </message>
</context>
<context>
    <name>LocalActions</name>
    <message>
        <source>That could not be changed: {why}</source>
        <translation>Das ließ sich nicht ändern: {why}</translation>
    </message>
    <message>
        <source>Licences of Deskbell and of everything it is made with.</source>
        <translation>Lizenzen von Deskbell und von allem, was darin steckt.</translation>
    </message>
    <message>
        <source>Licences</source>
        <translation>Lizenzen</translation>
    </message>
    <message>
        <source>The end of {file}. It contains no keys or passwords.</source>
        <translation>Das Ende von {file}. Es enthält keine Schlüssel und Passwörter.</translation>
    </message>
    <message>
        <source>Deskbell log</source>
        <translation>Deskbell-Protokoll</translation>
    </message>
    <message>
        <source>Share this with support. It contains no secrets or answers.</source>
        <translation>Geben Sie das an den Support weiter. Es enthält keine Geheimnisse und keine Antworten.</translation>
    </message>
    <message>
        <source>Deskbell diagnostics</source>
        <translation>Deskbell-Diagnose</translation>
    </message>
</context>
<context>
    <name>LogoutWatcher</name>
    <message>
        <source>You have typed an answer that is not sent yet.</source>
        <translation>Sie haben eine Antwort getippt, die noch nicht gesendet ist.</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>{server} is asking: {question}</source>
        <translation>{server} fragt: {question}</translation>
    </message>
    <message>
        <source>{server} is waiting for your answer.</source>
        <translation>{server} wartet auf Ihre Antwort.</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>Antworten</translation>
    </message>
</context>
<context>
    <name>ModelDialog</name>
    <message>
        <source>Add a model</source>
        <translation>Modell hinzufügen</translation>
    </message>
    <message>
        <source>Edit model</source>
        <translation>Modell bearbeiten</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>&amp;Name</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>&amp;Kind</source>
        <translation>&amp;Art</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>&amp;Address</source>
        <translation>A&amp;dresse</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>&amp;Model</source>
        <translation>&amp;Modell</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>&amp;Speichern</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Stored; type to replace it</source>
        <translation>Gespeichert; zum Ersetzen tippen</translation>
    </message>
    <message>
        <source>None needed for local models</source>
        <translation>Für lokale Modelle nicht nötig</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>Schlüssel</translation>
    </message>
    <message>
        <source>Ke&amp;y</source>
        <translation>Schlüss&amp;el</translation>
    </message>
    <message>
        <source>Keys are stored in your keychain.</source>
        <translation>Schlüssel werden in Ihrem Schlüsselbund gespeichert.</translation>
    </message>
    <message>
        <source>Low &amp;price</source>
        <translation>Niedriger &amp;Preis</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Tempo</translation>
    </message>
    <message>
        <source>Intelligence</source>
        <translation>Intelligenz</translation>
    </message>
    <message>
        <source>Good for</source>
        <translation>Gut für</translation>
    </message>
    <message>
        <source>It can call &amp;tools</source>
        <translation>Es kann &amp;Werkzeuge aufrufen</translation>
    </message>
    <message>
        <source>Servers</source>
        <translation>Server</translation>
    </message>
    <message>
        <source>Every server</source>
        <translation>Jeder Server</translation>
    </message>
    <message>
        <source>Names, separated by commas. Empty: every server. Known: {names}</source>
        <translation>Namen, durch Kommas getrennt. Leer: jeder Server. Bekannt: {names}</translation>
    </message>
    <message>
        <source>Se&amp;rvers</source>
        <translation>Se&amp;rver</translation>
    </message>
    <message>
        <source>Price of a million tokens sent</source>
        <translation>Preis für eine Million gesendete Token</translation>
    </message>
    <message>
        <source>Price of a million tokens received</source>
        <translation>Preis für eine Million empfangene Token</translation>
    </message>
    <message>
        <source>sent</source>
        <translation>gesendet</translation>
    </message>
    <message>
        <source>received</source>
        <translation>empfangen</translation>
    </message>
    <message>
        <source>Price of a million tokens</source>
        <translation>Preis einer Million Token</translation>
    </message>
    <message>
        <source>Unknown</source>
        <translation>Unbekannt</translation>
    </message>
    <message>
        <source>Please give a name, an address and a model.</source>
        <translation>Bitte Name, Adresse und Modell angeben.</translation>
    </message>
    <message>
        <source>There is already a model with this name.</source>
        <translation>Es gibt schon ein Modell mit diesem Namen.</translation>
    </message>
</context>
<context>
    <name>ModelsPage</name>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>Found on this computer</source>
        <translation>Auf diesem Computer gefunden</translation>
    </message>
    <message>
        <source>Some servers ask an AI model for help. You see each request, then Deskbell sends it to one of your models.</source>
        <translation>Manche Server bitten ein KI-Modell um Hilfe. Sie sehen jede Anfrage, dann sendet Deskbell sie an eines Ihrer Modelle.</translation>
    </message>
    <message>
        <source>Add one, or look for models on this computer.</source>
        <translation>Fügen Sie eines hinzu, oder suchen Sie auf diesem Computer.</translation>
    </message>
    <message>
        <source>No models yet</source>
        <translation>Noch keine Modelle</translation>
    </message>
    <message>
        <source>Servers</source>
        <translation>Server</translation>
    </message>
    <message>
        <source>&amp;Add a model…</source>
        <translation>Modell &amp;hinzufügen…</translation>
    </message>
    <message>
        <source>&amp;Find on this computer</source>
        <translation>Auf diesem Computer &amp;suchen</translation>
    </message>
    <message>
        <source>Ask me again after</source>
        <translation>Mich wieder fragen nach</translation>
    </message>
    <message>
        <source>Requests an &amp;hour</source>
        <translation>An&amp;fragen pro Stunde</translation>
    </message>
    <message>
        <source> requests</source>
        <translation> Anfragen</translation>
    </message>
    <message>
        <source>Requests &amp;within one call</source>
        <translation>Anfragen in einem Auf&amp;ruf</translation>
    </message>
    <message>
        <source>Tokens a &amp;day</source>
        <translation>&amp;Token pro Tag</translation>
    </message>
    <message>
        <source> tokens</source>
        <translation> Token</translation>
    </message>
    <message>
        <source>No limit</source>
        <translation>Unbegrenzt</translation>
    </message>
    <message>
        <source>Applies to each server, also to those that send without asking.</source>
        <translation>Gilt für jeden Server, auch für die, die ohne Nachfrage senden dürfen.</translation>
    </message>
    <message>
        <source>Answers</source>
        <translation>Antworten</translation>
    </message>
    <message>
        <source>&amp;Show me each answer before the server gets it</source>
        <translation>Mir jede Antwort &amp;zeigen, bevor der Server sie bekommt</translation>
    </message>
    <message>
        <source>Let me answer &amp;myself where no model can</source>
        <translation>&amp;Mich selbst antworten lassen, wo kein Modell es kann</translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation>Wird gesucht…</translation>
    </message>
    <message>
        <source>No further models found on this computer.</source>
        <translation>Keine weiteren Modelle auf diesem Computer gefunden.</translation>
    </message>
    <message>
        <source>on this computer</source>
        <translation>auf diesem Computer</translation>
    </message>
    <message>
        <source>every server</source>
        <translation>jeden Server</translation>
    </message>
    <message>
        <source>no server</source>
        <translation>keinen Server</translation>
    </message>
    <message>
        <source>For {servers}</source>
        <translation>Für {servers}</translation>
    </message>
    <message>
        <source>Try it…</source>
        <translation>Ausprobieren…</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>Bearbeiten…</translation>
    </message>
    <message>
        <source>Remove…</source>
        <translation>Entfernen…</translation>
    </message>
    <message>
        <source>Waiting for its answer…</source>
        <translation>Wartet auf die Antwort…</translation>
    </message>
    <message>
        <source>It answered: “{words}”</source>
        <translation>Antwort: „{words}“</translation>
    </message>
    <message>
        <source>Add…</source>
        <translation>Hinzufügen…</translation>
    </message>
    <message>
        <source>May use {models}</source>
        <translation>Darf {models} nutzen</translation>
    </message>
    <message>
        <source>May use no model</source>
        <translation>Darf kein Modell nutzen</translation>
    </message>
    <message>
        <source>1 request · {tokens} tokens in, {more} out · {today} today</source>
        <translation>1 Anfrage · {tokens} Token hin, {more} zurück · heute {today}</translation>
    </message>
    <message>
        <source>Also when no tool is running</source>
        <translation>Auch wenn kein Werkzeug läuft</translation>
    </message>
    <message>
        <source>{count} requests · {tokens} tokens in, {more} out · {today} today</source>
        <translation>{count} Anfragen · {tokens} Token hin, {more} zurück · heute {today}</translation>
    </message>
    <message>
        <source>Send without asking me</source>
        <translation>Ohne Nachfrage senden</translation>
    </message>
    <message>
        <source>Remove {name}?</source>
        <translation>{name} entfernen?</translation>
    </message>
    <message>
        <source>Servers can no longer use it. Its key stays in your keychain.</source>
        <translation>Server können es nicht mehr nutzen. Der Schlüssel bleibt in Ihrem Schlüsselbund.</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>&amp;Entfernen</translation>
    </message>
</context>
<context>
    <name>MultiLineInput</name>
    <message>
        <source>Start from this example</source>
        <translation>Mit diesem Beispiel beginnen</translation>
    </message>
    <message>
        <source>Start {field} from this example</source>
        <translation>{field} mit diesem Beispiel beginnen</translation>
    </message>
    <message>
        <source>One per line</source>
        <translation>Eins pro Zeile</translation>
    </message>
    <message>
        <source>JSON</source>
        <translation>JSON</translation>
    </message>
</context>
<context>
    <name>PagedText</name>
    <message>
        <source>&amp;Previous part</source>
        <translation>&amp;Voriger Teil</translation>
    </message>
    <message>
        <source>&amp;Next part</source>
        <translation>&amp;Nächster Teil</translation>
    </message>
    <message>
        <source>Part {at} of {count}; {letters} characters in all</source>
        <translation>Teil {at} von {count}; insgesamt {letters} Zeichen</translation>
    </message>
</context>
<context>
    <name>PairsTable</name>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Add a line</source>
        <translation>Zeile hinzufügen</translation>
    </message>
    <message>
        <source>Name {number}</source>
        <translation>Name {number}</translation>
    </message>
    <message>
        <source>Value {number}</source>
        <translation>Wert {number}</translation>
    </message>
    <message>
        <source>Show the value</source>
        <translation>Wert anzeigen</translation>
    </message>
    <message>
        <source>Remove this line</source>
        <translation>Diese Zeile entfernen</translation>
    </message>
    <message>
        <source>Not shown</source>
        <translation>Nicht angezeigt</translation>
    </message>
    <message>
        <source>Stored in your keychain</source>
        <translation>Im Schlüsselbund gespeichert</translation>
    </message>
</context>
<context>
    <name>PersonAnswerWindow</name>
    <message>
        <source>{server} wants to ask a model. You can answer instead.</source>
        <translation>{server} möchte ein Modell fragen. Sie können an seiner Stelle antworten.</translation>
    </message>
</context>
<context>
    <name>PopupCard</name>
    <message>
        <source>Deskbell: new question</source>
        <translation>Deskbell: neue Frage</translation>
    </message>
    <message>
        <source>{count} more ▸</source>
        <translation>{count} weitere ▸</translation>
    </message>
    <message>
        <source>Show the next question</source>
        <translation>Die nächste Frage zeigen</translation>
    </message>
    <message>
        <source>Later</source>
        <translation>Später</translation>
    </message>
    <message>
        <source>Put this question back; it keeps waiting</source>
        <translation>Diese Frage zurücklegen; sie wartet weiter</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>This can delete or overwrite things.</source>
        <translation>Das kann etwas löschen oder überschreiben.</translation>
    </message>
    <message>
        <source>Don&apos;t allow</source>
        <translation>Nicht erlauben</translation>
    </message>
    <message>
        <source>Allow once</source>
        <translation>Einmal erlauben</translation>
    </message>
    <message>
        <source>{server} is asking a lot ({count} waiting).</source>
        <translation>{server} fragt sehr oft ({count} warten).</translation>
    </message>
    <message>
        <source>Mute for an hour</source>
        <translation>Eine Stunde stummschalten</translation>
    </message>
    <message>
        <source>Ask me anyway</source>
        <translation>Trotzdem fragen lassen</translation>
    </message>
    <message>
        <source>You didn&apos;t answer {server}.</source>
        <translation>Sie haben {server} nicht geantwortet.</translation>
    </message>
    <message>
        <source>Not allowed: {tool}.</source>
        <translation>Nicht erlaubt: {tool}.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Anzeigen</translation>
    </message>
    <message>
        <source>OK</source>
        <translation>OK</translation>
    </message>
    <message>
        <source>{app} · approval</source>
        <translation>{app} · Freigabe</translation>
    </message>
    <message>
        <source>{server} wants to ask a model. You can answer instead.</source>
        <translation>{server} möchte ein Modell fragen. Sie können an seiner Stelle antworten.</translation>
    </message>
    <message>
        <source>Wants to open {site}</source>
        <translation>Möchte {site} öffnen</translation>
    </message>
    <message>
        <source>An AI app</source>
        <translation>Eine KI-App</translation>
    </message>
    <message>
        <source>{app} wants to use “{tool}” of {server}</source>
        <translation>{app} möchte „{tool}“ von {server} benutzen</translation>
    </message>
    <message>
        <source>Send a request to your model?</source>
        <translation>Eine Anfrage an Ihr Modell senden?</translation>
    </message>
</context>
<context>
    <name>PresetList</name>
    <message>
        <source>Add a server or switch on an AI app. Then choose here what tools may do without asking.</source>
        <translation>Fügen Sie einen Server hinzu oder schalten Sie eine KI-App ein. Dann wählen Sie hier, was Werkzeuge ohne Nachfrage tun dürfen.</translation>
    </message>
    <message>
        <source>No servers yet</source>
        <translation>Noch keine Server</translation>
    </message>
    <message>
        <source>Servers say themselves what their tools do. For a server you don&apos;t trust, choose Always ask.</source>
        <translation>Was ein Werkzeug tut, sagt der Server selbst. Wählen Sie „Immer fragen“, wenn Sie einem Server nicht vertrauen.</translation>
    </message>
    <message>
        <source>What is asked before {name} is used</source>
        <translation>Was gefragt wird, bevor {name} benutzt wird</translation>
    </message>
    <message>
        <source>Tools not loaded yet</source>
        <translation>Werkzeuge noch nicht geladen</translation>
    </message>
    <message>
        <source>1 of {all} tools is blocked</source>
        <translation>1 von {all} Werkzeugen ist gesperrt</translation>
    </message>
    <message>
        <source>{count} of {all} tools are blocked</source>
        <translation>{count} von {all} Werkzeugen sind gesperrt</translation>
    </message>
    <message>
        <source>1 of {all} tools asks first</source>
        <translation>1 von {all} Werkzeugen fragt zuerst</translation>
    </message>
    <message>
        <source>{count} of {all} tools ask first</source>
        <translation>{count} von {all} Werkzeugen fragen zuerst</translation>
    </message>
</context>
<context>
    <name>ProposalDialog</name>
    <message>
        <source>&amp;Add</source>
        <translation>&amp;Hinzufügen</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>&amp;Abbrechen</translation>
    </message>
    <message>
        <source>&amp;Add {count}</source>
        <translation>{count} &amp;hinzufügen</translation>
    </message>
</context>
<context>
    <name>ProposalList</name>
    <message>
        <source>Already here: {names}.</source>
        <translation>Schon hier: {names}.</translation>
    </message>
    <message>
        <source>All {count} of them</source>
        <translation>Alle {count}</translation>
    </message>
    <message>
        <source>{name} is the same as {other}.</source>
        <translation>{name} ist derselbe wie {other}.</translation>
    </message>
    <message>
        <source>{name} cannot be added: {reason}.</source>
        <translation>{name} kann nicht hinzugefügt werden: {reason}.</translation>
    </message>
</context>
<context>
    <name>ProposalRow</name>
    <message>
        <source>Add as</source>
        <translation>Hinzufügen als</translation>
    </message>
    <message>
        <source>Add {name}</source>
        <translation>{name} hinzufügen</translation>
    </message>
    <message>
        <source>Name of {name}</source>
        <translation>Name von {name}</translation>
    </message>
    <message>
        <source>from {app}</source>
        <translation>aus {app}</translation>
    </message>
    <message>
        <source>There is already a server named {name}.</source>
        <translation>Es gibt schon einen Server namens {name}.</translation>
    </message>
    <message>
        <source>&amp;Replace that one</source>
        <translation>Vorhandenen &amp;ersetzen</translation>
    </message>
    <message>
        <source>Store {keys} in your &amp;keychain</source>
        <translation>{keys} im Schlüssel&amp;bund speichern</translation>
    </message>
</context>
<context>
    <name>QuestionCard</name>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>{app} wants to use “{tool}” of {server}</source>
        <translation>{app} möchte „{tool}“ von {server} benutzen</translation>
    </message>
    <message>
        <source>Open: {question}</source>
        <translation>Öffnen: {question}</translation>
    </message>
    <message>
        <source>Don&apos;t answer: {question}</source>
        <translation>Nicht antworten: {question}</translation>
    </message>
    <message>
        <source>Decline</source>
        <translation>Ablehnen</translation>
    </message>
    <message>
        <source>Don&apos;t answer</source>
        <translation>Nicht antworten</translation>
    </message>
    <message>
        <source>Needs your approval</source>
        <translation>Braucht Ihre Freigabe</translation>
    </message>
    <message>
        <source>{time} left</source>
        <translation>noch {time}</translation>
    </message>
    <message>
        <source>Yes</source>
        <translation>Ja</translation>
    </message>
    <message>
        <source>No</source>
        <translation>Nein</translation>
    </message>
    <message>
        <source>Skip</source>
        <translation>Überspringen</translation>
    </message>
</context>
<context>
    <name>QuestionDetails</name>
    <message>
        <source>Tool</source>
        <translation>Werkzeug</translation>
    </message>
    <message>
        <source>About</source>
        <translation>Beschreibung</translation>
    </message>
    <message>
        <source>Ra&amp;w data</source>
        <translation>R&amp;ohdaten</translation>
    </message>
    <message>
        <source>Show it as it was sent</source>
        <translation>Zeigen, wie es gesendet wurde</translation>
    </message>
    <message>
        <source>Raw data</source>
        <translation>Rohdaten</translation>
    </message>
</context>
<context>
    <name>QuestionPresenter</name>
    <message>
        <source>Deskbell was closed before you sent it.</source>
        <translation>Deskbell wurde beendet, bevor Sie gesendet haben.</translation>
    </message>
    <message>
        <source>You closed this question.</source>
        <translation>Sie haben diese Frage geschlossen.</translation>
    </message>
</context>
<context>
    <name>QuestionStep</name>
    <message>
        <source>Deskbell rings when AI needs you</source>
        <translation>Deskbell klingelt, wenn die KI Sie braucht</translation>
    </message>
    <message>
        <source>When a tool of your AI app has a question, it appears here on your desktop, and your answer goes straight back.</source>
        <translation>Wenn ein Werkzeug Ihrer KI-App eine Frage hat, erscheint sie hier auf Ihrem Desktop, und Ihre Antwort geht direkt zurück.</translation>
    </message>
    <message>
        <source>This is how questions reach you. How do you like it?</source>
        <translation>So erreichen Sie Fragen. Wie gefällt es Ihnen?</translation>
    </message>
    <message>
        <source>My answer</source>
        <translation>Meine Antwort</translation>
    </message>
    <message>
        <source>Just right</source>
        <translation>Genau richtig</translation>
    </message>
    <message>
        <source>Too loud</source>
        <translation>Zu laut</translation>
    </message>
    <message>
        <source>Too quiet</source>
        <translation>Zu leise</translation>
    </message>
    <message>
        <source>Waiting for your answer…</source>
        <translation>Warte auf Ihre Antwort…</translation>
    </message>
    <message>
        <source>✓ You answered “{answer}”. That&apos;s all there is to it.</source>
        <translation>✓ Ihre Antwort: „{answer}“. Mehr ist es nicht.</translation>
    </message>
    <message>
        <source>✓ You declined. That is an answer, too: the tool is told exactly that.</source>
        <translation>✓ Sie haben abgelehnt. Auch das ist eine Antwort: Das Werkzeug erfährt genau das.</translation>
    </message>
    <message>
        <source>✓ You didn&apos;t answer. The tool is told so, and stops.</source>
        <translation>✓ Sie haben nicht geantwortet. Das Werkzeug erfährt es und hört auf.</translation>
    </message>
</context>
<context>
    <name>QuestionWindow</name>
    <message>
        <source>Question from {server}</source>
        <translation>Frage von {server}</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>Nachricht</translation>
    </message>
    <message>
        <source>{server} is asking a lot ({count} waiting).</source>
        <translation>{server} fragt sehr oft ({count} warten).</translation>
    </message>
    <message>
        <source>&amp;Mute for an hour</source>
        <translation>Eine Stunde st&amp;ummschalten</translation>
    </message>
    <message>
        <source>Ask me an&amp;yway</source>
        <translation>Trotzdem fra&amp;gen lassen</translation>
    </message>
    <message>
        <source>{host} stopped waiting. Your answer is kept for its next try.</source>
        <translation>{host} wartet nicht mehr. Ihre Antwort wird für den nächsten Versuch aufgehoben.</translation>
    </message>
    <message>
        <source>C&amp;opy what I typed</source>
        <translation>Meinen Text &amp;kopieren</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>S&amp;chließen</translation>
    </message>
    <message>
        <source>&amp;Later</source>
        <translation>Spä&amp;ter</translation>
    </message>
    <message>
        <source>Put this question back; it keeps waiting</source>
        <translation>Diese Frage zurücklegen; sie wartet weiter</translation>
    </message>
    <message>
        <source>Answered in {host}.</source>
        <translation>In {host} beantwortet.</translation>
    </message>
    <message>
        <source>Too late – the app stopped waiting. Your text is still here to copy.</source>
        <translation>Zu spät – die App wartet nicht mehr. Ihren Text können Sie hier noch kopieren.</translation>
    </message>
    <message>
        <source>The question was withdrawn. Your text is still here to copy.</source>
        <translation>Die Frage wurde zurückgezogen. Ihr Text ist noch da und lässt sich kopieren.</translation>
    </message>
</context>
<context>
    <name>QuestionsPage</name>
    <message>
        <source>Snoozed until {time}. Questions are on hold and won&apos;t expire.</source>
        <translation>Ruhe bis {time}. Fragen warten und laufen nicht ab.</translation>
    </message>
    <message>
        <source>Snoozed until you resume. Questions are on hold and won&apos;t expire.</source>
        <translation>Ruhe, bis Sie fortsetzen. Fragen warten und laufen nicht ab.</translation>
    </message>
    <message>
        <source>&amp;Decline all…</source>
        <translation>Alle ab&amp;lehnen…</translation>
    </message>
    <message>
        <source>Questions</source>
        <translation>Fragen</translation>
    </message>
    <message>
        <source>No questions waiting</source>
        <translation>Keine Frage wartet</translation>
    </message>
    <message>
        <source>When an AI app or one of its tools needs an answer, the bell rings and the question appears here.</source>
        <translation>Wenn eine KI-App oder eines ihrer Werkzeuge eine Antwort braucht, klingelt es, und die Frage erscheint hier.</translation>
    </message>
    <message>
        <source>Unsent drafts</source>
        <translation>Nicht gesendete Entwürfe</translation>
    </message>
    <message>
        <source>Earlier questions</source>
        <translation>Frühere Fragen</translation>
    </message>
    <message>
        <source>{count} waiting for your answer</source>
        <translation>{count} warten auf Ihre Antwort</translation>
    </message>
    <message>
        <source>Nothing is waiting.</source>
        <translation>Nichts wartet.</translation>
    </message>
    <message>
        <source>Decline all {count} questions?</source>
        <translation>Alle {count} Fragen ablehnen?</translation>
    </message>
    <message>
        <source>The servers that asked will be told that you said no.</source>
        <translation>Die Server, die gefragt haben, erfahren, dass Sie Nein gesagt haben.</translation>
    </message>
    <message>
        <source>&amp;Decline all</source>
        <translation>Alle ab&amp;lehnen</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>&amp;Resume</source>
        <translation>&amp;Weitermachen</translation>
    </message>
    <message>
        <source>{server} is asking a lot ({count} waiting). Mute it for an hour?</source>
        <translation>{server} fragt sehr oft ({count} warten). Eine Stunde stummschalten?</translation>
    </message>
    <message>
        <source>&amp;Mute for an hour</source>
        <translation>Eine Stunde &amp;stummschalten</translation>
    </message>
    <message>
        <source>&amp;Ask me anyway</source>
        <translation>&amp;Trotzdem fragen lassen</translation>
    </message>
    <message>
        <source>{server} is muted until {time}: its questions are declined.</source>
        <translation>{server} ist bis {time} stumm: Seine Fragen werden abgelehnt.</translation>
    </message>
    <message>
        <source>&amp;Unmute</source>
        <translation>Stummschaltung auf&amp;heben</translation>
    </message>
</context>
<context>
    <name>ReadableData</name>
    <message>
        <source>… and {count} more</source>
        <translation>… und {count} weitere</translation>
    </message>
</context>
<context>
    <name>RefuseButton</name>
    <message>
        <source>Do&amp;n&apos;t answer</source>
        <translation>Nicht ant&amp;worten</translation>
    </message>
    <message>
        <source>Other ways not to answer</source>
        <translation>Andere Wege, nicht zu antworten</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>Grund</translation>
    </message>
    <message>
        <source>Why? (optional)</source>
        <translation>Warum? (optional)</translation>
    </message>
    <message>
        <source>Decline</source>
        <translation>Ablehnen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Decline: say no</source>
        <translation>Ablehnen: Nein sagen</translation>
    </message>
    <message>
        <source>Cancel: close without an answer</source>
        <translation>Abbrechen: ohne Antwort schließen</translation>
    </message>
    <message>
        <source>Decline with a reason…</source>
        <translation>Mit Begründung ablehnen…</translation>
    </message>
    <message>
        <source>&amp;Decline</source>
        <translation>Ab&amp;lehnen</translation>
    </message>
</context>
<context>
    <name>RequestView</name>
    <message>
        <source>System text</source>
        <translation>Systemtext</translation>
    </message>
    <message>
        <source>{kind}, {count} bytes</source>
        <translation>{kind}, {count} Bytes</translation>
    </message>
    <message>
        <source>&amp;At most</source>
        <translation>&amp;Höchstens</translation>
    </message>
    <message>
        <source>The most tokens of the answer</source>
        <translation>Höchstzahl der Token der Antwort</translation>
    </message>
    <message>
        <source> tokens back</source>
        <translation> Token zurück</translation>
    </message>
    <message>
        <source>it may call: {tools}</source>
        <translation>es darf aufrufen: {tools}</translation>
    </message>
    <message>
        <source>Further messages: {count}</source>
        <translation>Weitere Nachrichten: {count}</translation>
    </message>
    <message>
        <source>Assistant</source>
        <translation>Assistent</translation>
    </message>
    <message>
        <source>User</source>
        <translation>Benutzer</translation>
    </message>
</context>
<context>
    <name>ResultView</name>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>Resource: {address}</source>
        <translation>Ressource: {address}</translation>
    </message>
    <message>
        <source>Resource</source>
        <translation>Ressource</translation>
    </message>
    <message>
        <source>Sound</source>
        <translation>Ton</translation>
    </message>
    <message>
        <source>{count} bytes</source>
        <translation>{count} Bytes</translation>
    </message>
</context>
<context>
    <name>RuleDialog</name>
    <message>
        <source>New rule</source>
        <translation>Neue Regel</translation>
    </message>
    <message>
        <source>Change rule</source>
        <translation>Regel ändern</translation>
    </message>
    <message>
        <source>&amp;App</source>
        <translation>A&amp;pp</translation>
    </message>
    <message>
        <source>&amp;Server</source>
        <translation>&amp;Server</translation>
    </message>
    <message>
        <source>Every server</source>
        <translation>Jeder Server</translation>
    </message>
    <message>
        <source>&amp;Tool</source>
        <translation>&amp;Werkzeug</translation>
    </message>
    <message>
        <source>Pattern</source>
        <translation>Muster</translation>
    </message>
    <message>
        <source>A tool&apos;s full name; * stands for anything, ? for one letter</source>
        <translation>Der volle Name eines Werkzeugs; * steht für beliebig viel, ? für einen Buchstaben</translation>
    </message>
    <message>
        <source>&amp;Pattern</source>
        <translation>&amp;Muster</translation>
    </message>
    <message>
        <source>Actio&amp;n</source>
        <translation>Aktio&amp;n</translation>
    </message>
    <message>
        <source>Sa&amp;ve rule</source>
        <translation>Regel speich&amp;ern</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>&amp;Abbrechen</translation>
    </message>
    <message>
        <source>Every tool</source>
        <translation>Jedes Werkzeug</translation>
    </message>
    <message>
        <source>Matches {count} tools now: {names}</source>
        <translation>Passt jetzt auf {count} Werkzeuge: {names}</translation>
    </message>
    <message>
        <source>Matches 1 tool now: {names}</source>
        <translation>Passt jetzt auf 1 Werkzeug: {names}</translation>
    </message>
    <message>
        <source>No known tool matches.</source>
        <translation>Passt auf kein bekanntes Werkzeug.</translation>
    </message>
</context>
<context>
    <name>RuleModel</name>
    <message>
        <source>App</source>
        <translation>App</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>Werkzeuge</translation>
    </message>
    <message>
        <source>Action</source>
        <translation>Aktion</translation>
    </message>
    <message>
        <source>Applies to</source>
        <translation>Gilt für</translation>
    </message>
    <message>
        <source>Created</source>
        <translation>Erstellt</translation>
    </message>
    <message>
        <source>Allow always, {time}, for {app}</source>
        <translation>Immer erlauben, {time}, für {app}</translation>
    </message>
    <message>
        <source>Allow always, {time}</source>
        <translation>Immer erlauben, {time}</translation>
    </message>
    <message>
        <source>{count} tools: {names}, …</source>
        <translation>{count} Werkzeuge: {names}, …</translation>
    </message>
    <message>
        <source>none: rules above apply first ({count})</source>
        <translation>keine: Regeln darüber gelten zuerst ({count})</translation>
    </message>
    <message>
        <source>no known tool</source>
        <translation>kein bekanntes Werkzeug</translation>
    </message>
</context>
<context>
    <name>RunningCallsPanel</name>
    <message>
        <source>End the selected call; its AI app is told</source>
        <translation>Den gewählten Aufruf beenden; die KI-App erfährt es</translation>
    </message>
    <message>
        <source>Ca&amp;ncel call</source>
        <translation>A&amp;ufruf abbrechen</translation>
    </message>
    <message>
        <source>Calls in progress</source>
        <translation>Laufende Aufrufe</translation>
    </message>
    <message>
        <source>In progress: {count}</source>
        <translation>Laufend: {count}</translation>
    </message>
    <message>
        <source>{app} waits for your approval: {tool} ({server})</source>
        <translation>{app} wartet auf Ihre Freigabe: {tool} ({server})</translation>
    </message>
    <message>
        <source>{app} waits for your answer: {tool} ({server})</source>
        <translation>{app} wartet auf Ihre Antwort: {tool} ({server})</translation>
    </message>
    <message>
        <source>{app} is using {tool} ({server})</source>
        <translation>{app} benutzt {tool} ({server})</translation>
    </message>
</context>
<context>
    <name>SamplingWindow</name>
    <message>
        <source>Show me the answer &amp;before {server} gets it</source>
        <translation>Mir die Antwort zeigen, be&amp;vor {server} sie bekommt</translation>
    </message>
    <message>
        <source>&amp;Send</source>
        <translation>&amp;Senden</translation>
    </message>
    <message>
        <source>A&amp;lways for this server</source>
        <translation>&amp;Immer für diesen Server</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>&amp;Refuse</source>
        <translation>&amp;Ablehnen</translation>
    </message>
    <message>
        <source>{server} wants an answer from your model {model}.</source>
        <translation>{server} möchte eine Antwort Ihres Modells {model}.</translation>
    </message>
    <message>
        <source>Always: whatever {server} asks is sent to your models without asking you, until you change it under Models.</source>
        <translation>Immer: Alles, was {server} fragt, geht ohne Nachfrage an Ihre Modelle, bis Sie es unter „Modelle“ ändern.</translation>
    </message>
</context>
<context>
    <name>SecretConfirmation</name>
    <message>
        <source>Servers must not ask for passwords, keys or cards in a form. This will be sent:</source>
        <translation>Server dürfen in einem Formular nicht nach Passwörtern, Schlüsseln oder Karten fragen. Das wird gesendet:</translation>
    </message>
    <message>
        <source>What will be sent</source>
        <translation>Was gesendet wird</translation>
    </message>
    <message>
        <source>You are about to give {server} what looks like a secret: {fields}.</source>
        <translation>Sie sind dabei, {server} etwas zu geben, das nach einem Geheimnis aussieht: {fields}.</translation>
    </message>
</context>
<context>
    <name>SecretsDialog</name>
    <message>
        <source>C&amp;lose</source>
        <translation>S&amp;chließen</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>&amp;Speichern</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>&amp;Name</translation>
    </message>
    <message>
        <source>&amp;Value</source>
        <translation>&amp;Wert</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Schlüssel</translation>
    </message>
    <message>
        <source>Keys are stored in your keychain and given only to the server that needs them.</source>
        <translation>Schlüssel liegen in Ihrem Schlüsselbund, und nur der Server bekommt sie, der sie braucht.</translation>
    </message>
    <message>
        <source>No server uses a key yet.</source>
        <translation>Noch benutzt kein Server einen Schlüssel.</translation>
    </message>
    <message>
        <source>used by {servers}</source>
        <translation>genutzt von {servers}</translation>
    </message>
    <message>
        <source>not used by any server</source>
        <translation>von keinem Server benutzt</translation>
    </message>
    <message>
        <source>missing · needed by {servers}</source>
        <translation>fehlt · nötig für {servers}</translation>
    </message>
    <message>
        <source>Replace…</source>
        <translation>Ersetzen…</translation>
    </message>
    <message>
        <source>Set…</source>
        <translation>Eingeben…</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>Löschen…</translation>
    </message>
    <message>
        <source>Sign-in to {server}, which was removed</source>
        <translation>Anmeldung bei {server}, der entfernt wurde</translation>
    </message>
    <message>
        <source>Delete it</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Please give a name and a value.</source>
        <translation>Bitte geben Sie Name und Wert an.</translation>
    </message>
    <message>
        <source>Delete the key {name}?</source>
        <translation>Den Schlüssel {name} löschen?</translation>
    </message>
    <message>
        <source>{servers} won&apos;t start without it.</source>
        <translation>Ohne ihn startet {servers} nicht.</translation>
    </message>
    <message>
        <source>&amp;Delete</source>
        <translation>&amp;Löschen</translation>
    </message>
</context>
<context>
    <name>ServerCards</name>
    <message>
        <source>Use {name}</source>
        <translation>{name} benutzen</translation>
    </message>
    <message>
        <source>Offer Bluesky to AI apps</source>
        <translation>KI-Apps Bluesky anbieten</translation>
    </message>
    <message>
        <source>Sign in to Bluesky…</source>
        <translation>Bei Bluesky anmelden…</translation>
    </message>
    <message>
        <source>Questions for you</source>
        <translation>Fragen an Sie</translation>
    </message>
    <message>
        <source>Bluesky</source>
        <translation>Bluesky</translation>
    </message>
    <message>
        <source>1 tool</source>
        <translation>1 Werkzeug</translation>
    </message>
    <message>
        <source>{count} tools</source>
        <translation>{count} Werkzeuge</translation>
    </message>
    <message>
        <source>used by {names}</source>
        <translation>genutzt von {names}</translation>
    </message>
    <message>
        <source>Set the key {key} of {name}</source>
        <translation>Den Schlüssel {key} von {name} eingeben</translation>
    </message>
    <message>
        <source>Set key…</source>
        <translation>Schlüssel eingeben…</translation>
    </message>
    <message>
        <source>Sign in…</source>
        <translation>Anmelden…</translation>
    </message>
    <message>
        <source>Open the page again</source>
        <translation>Seite noch einmal öffnen</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Edit command…</source>
        <translation>Befehl bearbeiten…</translation>
    </message>
    <message>
        <source>Edit address…</source>
        <translation>Adresse bearbeiten…</translation>
    </message>
</context>
<context>
    <name>ServerDetailsTab</name>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>Variables</source>
        <translation>Variablen</translation>
    </message>
    <message>
        <source>Headers</source>
        <translation>Kopfzeilen</translation>
    </message>
    <message>
        <source>Time limit</source>
        <translation>Zeitlimit</translation>
    </message>
    <message>
        <source>{seconds} s</source>
        <translation>{seconds} s</translation>
    </message>
    <message>
        <source>one for all AI apps</source>
        <translation>eine für alle KI-Apps</translation>
    </message>
    <message>
        <source>one for each AI app</source>
        <translation>eine je KI-App</translation>
    </message>
    <message>
        <source>Connections</source>
        <translation>Verbindungen</translation>
    </message>
    <message>
        <source>Used by</source>
        <translation>Genutzt von</translation>
    </message>
    <message>
        <source>no AI app at the moment</source>
        <translation>zurzeit keiner KI-App</translation>
    </message>
    <message>
        <source>The key {name} is missing.</source>
        <translation>Der Schlüssel {name} fehlt.</translation>
    </message>
    <message>
        <source>Last messages of the program</source>
        <translation>Letzte Meldungen des Programms</translation>
    </message>
    <message>
        <source>Set {name}</source>
        <translation>{name} eingeben</translation>
    </message>
    <message>
        <source>Set it…</source>
        <translation>Eingeben…</translation>
    </message>
    <message>
        <source>Last problem</source>
        <translation>Letztes Problem</translation>
    </message>
</context>
<context>
    <name>ServerToolModel</name>
    <message>
        <source>Tool</source>
        <translation>Werkzeug</translation>
    </message>
    <message>
        <source>Risk</source>
        <translation>Risiko</translation>
    </message>
    <message>
        <source>Description</source>
        <translation>Beschreibung</translation>
    </message>
</context>
<context>
    <name>ServerTools</name>
    <message>
        <source>Search tools</source>
        <translation>Werkzeuge suchen</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Leeren</translation>
    </message>
    <message>
        <source>&amp;Try it…</source>
        <translation>Aus&amp;probieren…</translation>
    </message>
    <message>
        <source>Start a&amp;nd load tools</source>
        <translation>Starten und Werkzeuge l&amp;aden</translation>
    </message>
    <message>
        <source>Refres&amp;h</source>
        <translation>Ak&amp;tualisieren</translation>
    </message>
    <message>
        <source>One of your AI apps starts this server and uses its tools.</source>
        <translation>Eine Ihrer KI-Apps startet diesen Server und benutzt seine Werkzeuge.</translation>
    </message>
    <message>
        <source>Loading its tools…</source>
        <translation>Werkzeuge werden geladen…</translation>
    </message>
    <message>
        <source>Switched off: no AI app can use it.</source>
        <translation>Ausgeschaltet: Keine KI-App kann ihn benutzen.</translation>
    </message>
    <message>
        <source>No tools</source>
        <translation>Keine Werkzeuge</translation>
    </message>
    <message>
        <source>Not started yet.</source>
        <translation>Noch nicht gestartet.</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>Werkzeuge</translation>
    </message>
</context>
<context>
    <name>ServersPage</name>
    <message>
        <source>&amp;Undo</source>
        <translation>Rückgän&amp;gig</translation>
    </message>
    <message>
        <source>OK</source>
        <translation>OK</translation>
    </message>
    <message>
        <source>T&amp;ools ({count})</source>
        <translation>&amp;Werkzeuge ({count})</translation>
    </message>
    <message>
        <source>T&amp;ools</source>
        <translation>&amp;Werkzeuge</translation>
    </message>
    <message>
        <source>Servers</source>
        <translation>Server</translation>
    </message>
    <message>
        <source>&amp;Add…</source>
        <translation>&amp;Hinzufügen…</translation>
    </message>
    <message>
        <source>&amp;Import…</source>
        <translation>&amp;Importieren…</translation>
    </message>
    <message>
        <source>Your servers are not known: the settings file cannot be read. {problem}</source>
        <translation>Ihre Server sind nicht bekannt: Die Einstellungsdatei kann nicht gelesen werden. {problem}</translation>
    </message>
    <message>
        <source>These are the servers of the last valid settings: the settings file cannot be read, and nothing can be changed here until it is corrected. {problem}</source>
        <translation>Das sind die bisherigen Server: Die Einstellungsdatei kann nicht gelesen werden, und bis dahin lässt sich hier nichts ändern. {problem}</translation>
    </message>
    <message>
        <source>Open the fi&amp;le</source>
        <translation>Datei &amp;öffnen</translation>
    </message>
    <message>
        <source>Servers give your AI apps tools.</source>
        <translation>Server geben Ihren KI-Apps Werkzeuge.</translation>
    </message>
    <message>
        <source>&amp;Keys…</source>
        <translation>S&amp;chlüssel…</translation>
    </message>
    <message>
        <source>From your AI apps</source>
        <translation>Aus Ihren KI-Apps</translation>
    </message>
    <message>
        <source>Built in</source>
        <translation>Eingebaut</translation>
    </message>
    <message>
        <source>Add a server…</source>
        <translation>Server hinzufügen…</translation>
    </message>
    <message>
        <source>Add one by its command or address, or import those your AI apps already have.</source>
        <translation>Fügen Sie einen mit Befehl oder Adresse hinzu, oder importieren Sie die, die Ihre KI-Apps schon haben.</translation>
    </message>
    <message>
        <source>No servers yet</source>
        <translation>Noch keine Server</translation>
    </message>
    <message>
        <source>&amp;Details</source>
        <translation>&amp;Details</translation>
    </message>
    <message>
        <source>&amp;Restart</source>
        <translation>&amp;Neu starten</translation>
    </message>
    <message>
        <source>&amp;Edit…</source>
        <translation>Bea&amp;rbeiten…</translation>
    </message>
    <message>
        <source>Sign o&amp;ut</source>
        <translation>Abme&amp;lden</translation>
    </message>
    <message>
        <source>Re&amp;move…</source>
        <translation>Ent&amp;fernen…</translation>
    </message>
    <message>
        <source>Remove {server} from Deskbell?</source>
        <translation>{server} aus Deskbell entfernen?</translation>
    </message>
    <message>
        <source>Your AI apps lose access to it. Its keys and its sign-in stay stored. You can undo this.</source>
        <translation>Ihre KI-Apps verlieren den Zugang. Schlüssel und Anmeldung bleiben gespeichert. Sie können das rückgängig machen.</translation>
    </message>
    <message>
        <source>&amp;Delete its sign-in and its own keys, too: this cannot be undone</source>
        <translation>Auch Anmeldung und eigene Schlüssel &amp;löschen: Das lässt sich nicht rückgängig machen</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>&amp;Entfernen</translation>
    </message>
</context>
<context>
    <name>SettingsPage</name>
    <message>
        <source>Snoozed until {time}.</source>
        <translation>Ruhe bis {time}.</translation>
    </message>
    <message>
        <source>Snoozed until you resume.</source>
        <translation>Ruhe, bis Sie weitermachen.</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>About Deskbell {version}…</source>
        <translation>Über Deskbell {version}…</translation>
    </message>
    <message>
        <source>The token was replaced at {time}.</source>
        <translation>Das Token wurde um {time} ersetzt.</translation>
    </message>
    <message>
        <source>1 minute</source>
        <translation>1 Minute</translation>
    </message>
    <message>
        <source>1 hour</source>
        <translation>1 Stunde</translation>
    </message>
    <message>
        <source>{count} hours</source>
        <translation>{count} Stunden</translation>
    </message>
    <message>
        <source>{count} minutes</source>
        <translation>{count} Minuten</translation>
    </message>
    <message>
        <source>{count} seconds</source>
        <translation>{count} Sekunden</translation>
    </message>
    <message>
        <source>Replace the token?</source>
        <translation>Das Token ersetzen?</translation>
    </message>
    <message>
        <source>When a question comes</source>
        <translation>Wenn eine Frage kommt</translation>
    </message>
    <message>
        <source>Show question &amp;windows automatically</source>
        <translation>&amp;Fragefenster automatisch zeigen</translation>
    </message>
    <message>
        <source>Show a &amp;notification that tells who asks</source>
        <translation>Eine Benachrichti&amp;gung zeigen, wer fragt</translation>
    </message>
    <message>
        <source>Play a &amp;sound</source>
        <translation>Einen &amp;Ton abspielen</translation>
    </message>
    <message>
        <source>Stay quiet while the desktop is set to do not &amp;disturb</source>
        <translation>Still bleiben, solange die Arbeitsumgebung auf „&amp;Nicht stören“ steht</translation>
    </message>
    <message>
        <source> questions per minute</source>
        <translation> Fragen pro Minute</translation>
    </message>
    <message>
        <source>Snoo&amp;ze</source>
        <translation>R&amp;uhe</translation>
    </message>
    <message>
        <source>Settings that few people need</source>
        <translation>Einstellungen, die wenige brauchen</translation>
    </message>
    <message>
        <source>Advanced</source>
        <translation>Erweitert</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Changes apply at once.</source>
        <translation>Änderungen gelten sofort.</translation>
    </message>
    <message>
        <source>These keys are used by another program. Choose others.</source>
        <translation>Diese Tasten nutzt ein anderes Programm. Wählen Sie andere.</translation>
    </message>
    <message>
        <source>Moving keys… Your keychain may ask you to unlock it.</source>
        <translation>Schlüssel werden verschoben… Ihr Schlüsselbund muss vielleicht entsperrt werden.</translation>
    </message>
    <message>
        <source>Forget keys when Deskbell ends?</source>
        <translation>Schlüssel vergessen, wenn Deskbell endet?</translation>
    </message>
    <message>
        <source>Store no keys?</source>
        <translation>Keine Schlüssel speichern?</translation>
    </message>
    <message>
        <source>Servers and accounts lose access to the keys that are stored now. They stay where they are, for when you choose that place again.</source>
        <translation>Server und Konten können die jetzt gespeicherten Schlüssel nicht mehr nutzen. Sie bleiben am alten Ort, falls Sie ihn wieder wählen.</translation>
    </message>
    <message>
        <source>&amp;Change</source>
        <translation>Än&amp;dern</translation>
    </message>
    <message>
        <source>These files still contain the old token:</source>
        <translation>Diese Dateien enthalten noch das alte Token:</translation>
    </message>
    <message>
        <source>Deskbell {version} is ready; it is installed when Deskbell starts next.</source>
        <translation>Deskbell {version} ist bereit und wird beim nächsten Start von Deskbell installiert.</translation>
    </message>
    <message>
        <source>Deskbell {version} is available. Update with: {command}</source>
        <translation>Deskbell {version} ist verfügbar. Aktualisieren mit: {command}</translation>
    </message>
    <message>
        <source>Deskbell {version} is available.</source>
        <translation>Deskbell {version} ist verfügbar.</translation>
    </message>
    <message>
        <source>Up to date, checked at {time}.</source>
        <translation>Aktuell, geprüft um {time}.</translation>
    </message>
    <message>
        <source>Not checked yet.</source>
        <translation>Noch nicht geprüft.</translation>
    </message>
    <message>
        <source>All activity is deleted. This can&apos;t be undone.</source>
        <translation>Der gesamte Verlauf wird gelöscht. Das lässt sich nicht rückgängig machen.</translation>
    </message>
    <message>
        <source>&amp;Delete</source>
        <translation>&amp;Löschen</translation>
    </message>
    <message>
        <source>AI apps that connect by HTTP can&apos;t connect until you give them the new token. Other apps keep working.</source>
        <translation>KI-Apps, die sich über HTTP verbinden, brauchen danach das neue Token. Andere Apps funktionieren weiter.</translation>
    </message>
    <message>
        <source>&amp;Replace</source>
        <translation>&amp;Ersetzen</translation>
    </message>
    <message>
        <source>Shortcut to answer</source>
        <translation>Tastenkürzel zum Antworten</translation>
    </message>
    <message>
        <source>&amp;Resume</source>
        <translation>&amp;Weitermachen</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>Darstellung</translation>
    </message>
    <message>
        <source>Lan&amp;guage</source>
        <translation>&amp;Sprache</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>Farbsch&amp;ema</translation>
    </message>
    <message>
        <source>Restart Deskbell to change the language.</source>
        <translation>Starten Sie Deskbell neu, um die Sprache zu ändern.</translation>
    </message>
    <message>
        <source>In colour</source>
        <translation>Farbig</translation>
    </message>
    <message>
        <source>Monochrome</source>
        <translation>Einfarbig</translation>
    </message>
    <message>
        <source>Monochrome, for a light panel</source>
        <translation>Einfarbig, für helle Leisten</translation>
    </message>
    <message>
        <source>Monochrome, for a dark panel</source>
        <translation>Einfarbig, für dunkle Leisten</translation>
    </message>
    <message>
        <source>Tray &amp;icon</source>
        <translation>S&amp;ymbol im Infobereich</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>St&amp;art Deskbell when I log in</source>
        <translation>Deskbell bei der An&amp;meldung starten</translation>
    </message>
    <message>
        <source>&amp;Keep it for</source>
        <translation>Aufbewahren für so &amp;lange</translation>
    </message>
    <message>
        <source> days</source>
        <translation> Tage</translation>
    </message>
    <message>
        <source> day</source>
        <translation> Tag</translation>
    </message>
    <message>
        <source>Keep call contents for</source>
        <translation>Inhalte von Aufrufen aufbewahren für</translation>
    </message>
    <message>
        <source>Never keep it</source>
        <translation>Nie behalten</translation>
    </message>
    <message>
        <source>AI apps that connect by HTTP</source>
        <translation>KI-Apps, die sich über HTTP verbinden</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>&amp;Port</source>
        <translation>&amp;Port</translation>
    </message>
    <message>
        <source>Any free one</source>
        <translation>Irgendein freier</translation>
    </message>
    <message>
        <source>&amp;Copy address</source>
        <translation>Adresse &amp;kopieren</translation>
    </message>
    <message>
        <source>Cop&amp;y token</source>
        <translation>Token kop&amp;ieren</translation>
    </message>
    <message>
        <source>Replace the t&amp;oken…</source>
        <translation>Token e&amp;rsetzen…</translation>
    </message>
    <message>
        <source>Updates</source>
        <translation>Updates</translation>
    </message>
    <message>
        <source>Download them, and install them when Deskbell starts next</source>
        <translation>Herunterladen und beim nächsten Start von Deskbell installieren</translation>
    </message>
    <message>
        <source>Update addr&amp;ess</source>
        <translation>Adresse für Up&amp;dates</translation>
    </message>
    <message>
        <source>Check now</source>
        <translation>Jetzt prüfen</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>Hilfe</translation>
    </message>
    <message>
        <source>About Deskbell…</source>
        <translation>Über Deskbell…</translation>
    </message>
    <message>
        <source>S&amp;how the log…</source>
        <translation>Protokoll &amp;zeigen…</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Schlüssel</translation>
    </message>
    <message>
        <source>Keychain; a file where there is none</source>
        <translation>Schlüsselbund, sonst eine Datei</translation>
    </message>
    <message>
        <source>System keychain</source>
        <translation>Schlüsselbund des Systems</translation>
    </message>
    <message>
        <source>Encrypted file</source>
        <translation>Verschlüsselte Datei</translation>
    </message>
    <message>
        <source>Memory, until Deskbell ends</source>
        <translation>Arbeitsspeicher, bis Deskbell endet</translation>
    </message>
    <message>
        <source>Nowhere</source>
        <translation>Nirgends</translation>
    </message>
    <message>
        <source>Store keys in</source>
        <translation>Schlüssel speichern in</translation>
    </message>
    <message>
        <source>Check for new versions daily</source>
        <translation>Täglich nach neuen Versionen suchen</translation>
    </message>
    <message>
        <source>Deskbell cannot update itself: this build has no key to verify a download with.</source>
        <translation>Deskbell kann sich nicht selbst aktualisieren: Diesem Build fehlt der Schlüssel, um einen Download zu prüfen.</translation>
    </message>
    <message>
        <source>The request contains nothing about you. Nothing is installed unless you say so.</source>
        <translation>Die Anfrage enthält nichts über Sie. Ohne Ihr Zutun wird nichts installiert.</translation>
    </message>
    <message>
        <source>Diagnostics…</source>
        <translation>Diagnose…</translation>
    </message>
    <message>
        <source>History</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>Keep no history?</source>
        <translation>Keinen Verlauf aufbewahren?</translation>
    </message>
    <message>
        <source>Never</source>
        <translation>Nie</translation>
    </message>
    <message>
        <source>When I&apos;m idle</source>
        <translation>Wenn ich gerade nichts tue</translation>
    </message>
    <message>
        <source>Always</source>
        <translation>Immer</translation>
    </message>
    <message>
        <source>Bring to &amp;front</source>
        <translation>Nach vorn h&amp;olen</translation>
    </message>
    <message>
        <source>Expire &amp;unanswered questions after</source>
        <translation>Unbe&amp;antwortete Fragen verfallen nach</translation>
    </message>
    <message>
        <source>Limit each server to</source>
        <translation>Jeden Server begrenzen auf</translation>
    </message>
    <message>
        <source>No limit</source>
        <translation>Unbegrenzt</translation>
    </message>
    <message>
        <source>Keep no history</source>
        <translation>Keinen Verlauf aufbewahren</translation>
    </message>
    <message>
        <source>Follow system</source>
        <translation>Wie das System</translation>
    </message>
</context>
<context>
    <name>Sidebar</name>
    <message>
        <source>Pages</source>
        <translation>Seiten</translation>
    </message>
    <message>
        <source>Choose what to see</source>
        <translation>Wählen Sie, was Sie sehen möchten</translation>
    </message>
    <message>
        <source>{page} ({count})</source>
        <translation>{page} ({count})</translation>
    </message>
</context>
<context>
    <name>SliderInput</name>
    <message>
        <source>Slider for {field}</source>
        <translation>Schieberegler für {field}</translation>
    </message>
</context>
<context>
    <name>StarsInput</name>
    <message>
        <source>{count} of {most}</source>
        <translation>{count} von {most}</translation>
    </message>
</context>
<context>
    <name>TextWindow</name>
    <message>
        <source>Nothing here yet.</source>
        <translation>Es steht noch nichts darin.</translation>
    </message>
    <message>
        <source>&amp;Copy all</source>
        <translation>Alles &amp;kopieren</translation>
    </message>
    <message>
        <source>&amp;Refresh</source>
        <translation>&amp;Aktualisieren</translation>
    </message>
    <message>
        <source>Open &amp;folder</source>
        <translation>&amp;Ordner öffnen</translation>
    </message>
    <message>
        <source>C&amp;lose</source>
        <translation>S&amp;chließen</translation>
    </message>
    <message>
        <source>Copied.</source>
        <translation>Kopiert.</translation>
    </message>
</context>
<context>
    <name>ToolModel</name>
    <message>
        <source>Tool</source>
        <translation>Werkzeug</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>Server</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>Jetzt</translation>
    </message>
    <message>
        <source>Risk</source>
        <translation>Risiko</translation>
    </message>
    <message>
        <source>Asks: it has changed</source>
        <translation>Fragt: hat sich geändert</translation>
    </message>
</context>
<context>
    <name>Tray</name>
    <message>
        <source>S&amp;nooze</source>
        <translation>&amp;Ruhe</translation>
    </message>
    <message>
        <source>&amp;Resume</source>
        <translation>&amp;Weitermachen</translation>
    </message>
    <message>
        <source>Ac&amp;tivity…</source>
        <translation>&amp;Verlauf…</translation>
    </message>
    <message>
        <source>&amp;Servers…</source>
        <translation>&amp;Server…</translation>
    </message>
    <message>
        <source>&amp;Open Deskbell</source>
        <translation>Deskbell &amp;öffnen</translation>
    </message>
    <message>
        <source>&amp;Bluesky…</source>
        <translation>Blues&amp;ky…</translation>
    </message>
    <message>
        <source>S&amp;ettings…</source>
        <translation>&amp;Einstellungen…</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <source>Please sign in to Bluesky again as {account}.</source>
        <translation>Bitte melden Sie sich bei Bluesky neu an als {account}.</translation>
    </message>
    <message>
        <source>&amp;Answer next question</source>
        <translation>&amp;Nächste Frage beantworten</translation>
    </message>
    <message>
        <source>AI a&amp;pps…</source>
        <translation>KI-A&amp;pps…</translation>
    </message>
    <message>
        <source>{count} connected</source>
        <translation>{count} verbunden</translation>
    </message>
    <message>
        <source>AI a&amp;pps: {state}</source>
        <translation>KI-A&amp;pps: {state}</translation>
    </message>
    <message>
        <source>&amp;Servers: {count} failed</source>
        <translation>&amp;Server: {count} fehlgeschlagen</translation>
    </message>
    <message>
        <source>&amp;Servers: {count} running</source>
        <translation>&amp;Server: {count} in Betrieb</translation>
    </message>
    <message>
        <source>{server} is asking a lot</source>
        <translation>{server} fragt sehr oft</translation>
    </message>
    <message>
        <source>Questions waiting: {count}</source>
        <translation>Wartende Fragen: {count}</translation>
    </message>
    <message>
        <source>{server} has failed</source>
        <translation>{server} ist fehlgeschlagen</translation>
    </message>
    <message>
        <source>Ready · no apps connected</source>
        <translation>Bereit · keine App verbunden</translation>
    </message>
    <message>
        <source>Ready · {names}</source>
        <translation>Bereit · {names}</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>Startet…</translation>
    </message>
    <message>
        <source>Snoozed</source>
        <translation>Ruhe</translation>
    </message>
    <message>
        <source>Snoozed until {time}</source>
        <translation>Ruhe bis {time}</translation>
    </message>
</context>
<context>
    <name>TryWindow</name>
    <message>
        <source>Try {tool} of {server}</source>
        <translation>{tool} von {server} ausprobieren</translation>
    </message>
    <message>
        <source>Description</source>
        <translation>Beschreibung</translation>
    </message>
    <message>
        <source>This tool&apos;s form cannot be shown. Enter its arguments as JSON. {why}</source>
        <translation>Das Formular dieses Werkzeugs lässt sich nicht zeigen. Geben Sie die Argumente als JSON ein. {why}</translation>
    </message>
    <message>
        <source>No input needed.</source>
        <translation>Keine Eingaben nötig.</translation>
    </message>
    <message>
        <source>* required. What you leave blank is left out.</source>
        <translation>* erforderlich. Was Sie leer lassen, wird weggelassen.</translation>
    </message>
    <message>
        <source>What you leave blank is left out.</source>
        <translation>Was leer bleibt, wird weggelassen.</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>A&amp;usführen</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>&amp;Abbrechen</translation>
    </message>
    <message>
        <source>C&amp;lose</source>
        <translation>S&amp;chließen</translation>
    </message>
    <message>
        <source>The tool is asking you something in another window.</source>
        <translation>Das Werkzeug fragt Sie etwas in einem anderen Fenster.</translation>
    </message>
    <message>
        <source>Waiting for the answer…</source>
        <translation>Warten auf die Antwort…</translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation>Abgebrochen.</translation>
    </message>
    <message>
        <source>Failed after {seconds} s.</source>
        <translation>Nach {seconds} s fehlgeschlagen.</translation>
    </message>
    <message>
        <source>Done in {seconds} s, without output.</source>
        <translation>Nach {seconds} s fertig, ohne Ausgabe.</translation>
    </message>
    <message>
        <source>Answered in {seconds} s.</source>
        <translation>Antwort nach {seconds} s.</translation>
    </message>
</context>
<context>
    <name>UrlWindow</name>
    <message>
        <source>&amp;Open in browser</source>
        <translation>Im Browser ö&amp;ffnen</translation>
    </message>
    <message>
        <source>No browser could be opened. You can copy the address and open it yourself.</source>
        <translation>Es konnte kein Browser geöffnet werden. Sie können die Adresse kopieren und selbst öffnen.</translation>
    </message>
    <message>
        <source>I opened it &amp;myself</source>
        <translation>Ich habe sie &amp;selbst geöffnet</translation>
    </message>
    <message>
        <source>The page is open in your browser. Come back here when you are done.</source>
        <translation>Die Seite ist in Ihrem Browser offen. Kommen Sie hierher zurück, wenn Sie fertig sind.</translation>
    </message>
    <message>
        <source>&amp;Done</source>
        <translation>Fe&amp;rtig</translation>
    </message>
    <message>
        <source>&amp;Open again</source>
        <translation>Noch einmal ö&amp;ffnen</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>&amp;Abbrechen</translation>
    </message>
    <message>
        <source>Stop the task</source>
        <translation>Die Aufgabe abbrechen</translation>
    </message>
    <message>
        <source>Wants to open this address:</source>
        <translation>Möchte diese Adresse öffnen:</translation>
    </message>
    <message>
        <source>Wants to open {site}</source>
        <translation>Möchte {site} öffnen</translation>
    </message>
    <message>
        <source>This is not a web page, so Deskbell will not open it.</source>
        <translation>Das ist keine Webseite, darum öffnet Deskbell sie nicht.</translation>
    </message>
    <message>
        <source>This address is malformed, so Deskbell will not open it.</source>
        <translation>Diese Adresse ist fehlerhaft, darum öffnet Deskbell sie nicht.</translation>
    </message>
    <message>
        <source>The connection would not be encrypted, so Deskbell will not open it.</source>
        <translation>Die Verbindung wäre nicht verschlüsselt, darum öffnet Deskbell sie nicht.</translation>
    </message>
    <message>
        <source>Careful: this address uses letters that look like others: {name}</source>
        <translation>Vorsicht: Diese Adresse enthält Buchstaben, die wie andere aussehen: {name}</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>Co&amp;py address</source>
        <translation>Adresse &amp;kopieren</translation>
    </message>
    <message>
        <source>The address starts with a user name. This is often done to hide the real site.</source>
        <translation>Die Adresse beginnt mit einem Benutzernamen. Das verdeckt oft die wahre Website.</translation>
    </message>
    <message>
        <source>The site has no name, only a number. Real services rarely do that.</source>
        <translation>Die Website hat keinen Namen, nur eine Nummer. Echte Dienste tun das selten.</translation>
    </message>
    <message>
        <source>The site&apos;s name mixes several scripts. This is often done to look like another site.</source>
        <translation>Der Name der Website mischt mehrere Schriften. Das lässt sie oft wie eine andere aussehen.</translation>
    </message>
    <message>
        <source>Careful: this address uses look-alike letters: {name}. It is not {other}.</source>
        <translation>Vorsicht: Diese Adresse enthält Buchstaben, die anderen gleichen: {name}. Es ist nicht {other}.</translation>
    </message>
    <message>
        <source>This address uses an unusual port.</source>
        <translation>Diese Adresse verwendet einen ungewöhnlichen Port.</translation>
    </message>
</context>
<context>
    <name>WaitingCards</name>
    <message>
        <source>Waiting questions</source>
        <translation>Wartende Fragen</translation>
    </message>
</context>
<context>
    <name>WaitingList</name>
    <message>
        <source>Waiting requests</source>
        <translation>Wartende Anfragen</translation>
    </message>
    <message>
        <source>Re&amp;fuse all</source>
        <translation>A&amp;lle ablehnen</translation>
    </message>
    <message>
        <source>{count} requests are waiting for you</source>
        <translation>{count} Anfragen warten auf Sie</translation>
    </message>
    <message>
        <source>answer: {words}</source>
        <translation>Antwort: {words}</translation>
    </message>
</context>
<context>
    <name>WelcomeWindow</name>
    <message>
        <source>Welcome to Deskbell</source>
        <translation>Willkommen bei Deskbell</translation>
    </message>
    <message>
        <source>S&amp;kip setup</source>
        <translation>Einrichtung ü&amp;berspringen</translation>
    </message>
    <message>
        <source>&amp;Back</source>
        <translation>&amp;Zurück</translation>
    </message>
    <message>
        <source>Skip this &amp;step</source>
        <translation>Schritt über&amp;springen</translation>
    </message>
    <message>
        <source>&amp;Ring the bell</source>
        <translation>&amp;Klingeln</translation>
    </message>
    <message>
        <source>&amp;Continue</source>
        <translation>&amp;Weiter</translation>
    </message>
    <message>
        <source>&amp;Done</source>
        <translation>Fe&amp;rtig</translation>
    </message>
    <message>
        <source>Step {number} of {count}</source>
        <translation>Schritt {number} von {count}</translation>
    </message>
</context>
<context>
    <name>WrittenChangeSheet</name>
    <message>
        <source>What changed in {name}</source>
        <translation>Was sich in {name} geändert hat</translation>
    </message>
    <message>
        <source>What changed</source>
        <translation>Was anders ist</translation>
    </message>
    <message>
        <source>Nothing else was changed. Switch the app off to get its file back exactly as it was.</source>
        <translation>Sonst wurde nichts geändert. Schalten Sie die App aus, dann ist ihre Datei wieder genau wie vorher.</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>S&amp;chließen</translation>
    </message>
</context>
<context>
    <name>app</name>
    <message>
        <source>Questions</source>
        <translation>Fragen</translation>
    </message>
    <message>
        <source>Servers</source>
        <translation>Server</translation>
    </message>
    <message>
        <source>AI apps</source>
        <translation>KI-Apps</translation>
    </message>
    <message>
        <source>Home</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>Activity</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>Approvals</source>
        <translation>Freigaben</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>Bluesky</source>
        <translation>Bluesky</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Quit with a question waiting?</source>
        <translation>Beenden, obwohl eine Frage wartet?</translation>
    </message>
    <message>
        <source>It will be cancelled, and the AI app will be told.</source>
        <translation>Sie wird abgebrochen, und die KI-App erfährt es.</translation>
    </message>
    <message>
        <source>Quit with {count} questions waiting?</source>
        <translation>Beenden, obwohl {count} Fragen warten?</translation>
    </message>
    <message>
        <source>They will be cancelled, and the AI apps will be told.</source>
        <translation>Sie werden abgebrochen, und die KI-Apps erfahren es.</translation>
    </message>
    <message>
        <source>What you typed is kept under Unsent drafts.</source>
        <translation>Was Sie eingegeben haben, bleibt unter „Nicht gesendete Entwürfe“.</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>&amp;Abbrechen</translation>
    </message>
    <message>
        <source>Deskbell is already running without windows.</source>
        <translation>Deskbell läuft bereits ohne Fenster.</translation>
    </message>
    <message>
        <source>AI apps are connected to it. If you take over, their connections end; restart them, and from then on their questions come here.</source>
        <translation>KI-Apps sind damit verbunden. Wenn Sie übernehmen, enden ihre Verbindungen; starten Sie sie neu, dann kommen ihre Fragen hierher.</translation>
    </message>
    <message>
        <source>&amp;Take over</source>
        <translation>Ü&amp;bernehmen</translation>
    </message>
</context>
<context>
    <name>approvals</name>
    <message>
        <source>Allow</source>
        <translation>Erlauben</translation>
    </message>
    <message>
        <source>Ask me first</source>
        <translation>Zuerst fragen</translation>
    </message>
    <message>
        <source>Deny</source>
        <translation>Verweigern</translation>
    </message>
    <message>
        <source>Every AI app</source>
        <translation>Jede KI-App</translation>
    </message>
    <message>
        <source>Read only</source>
        <translation>Liest nur</translation>
    </message>
    <message>
        <source>Can delete</source>
        <translation>Kann löschen</translation>
    </message>
    <message>
        <source>Makes changes</source>
        <translation>Ändert etwas</translation>
    </message>
    <message>
        <source>Allow all</source>
        <translation>Alles erlauben</translation>
    </message>
    <message>
        <source>Ask before changes that cannot be undone</source>
        <translation>Vor endgültigen Änderungen fragen</translation>
    </message>
    <message>
        <source>Ask before changes</source>
        <translation>Vor Änderungen fragen</translation>
    </message>
    <message>
        <source>Always ask</source>
        <translation>Immer fragen</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>Sperren</translation>
    </message>
</context>
<context>
    <name>asking</name>
    <message>
        <source>&amp;Cancel</source>
        <translation>&amp;Abbrechen</translation>
    </message>
</context>
<context>
    <name>bridge</name>
    <message>
        <source>, locked by a passphrase</source>
        <translation>, gesperrt durch eine Passphrase</translation>
    </message>
    <message>
        <source>, which cannot be used now</source>
        <translation>, aber das geht gerade nicht</translation>
    </message>
    <message>
        <source>, which waits for you to unlock it in a window of its own</source>
        <translation>, der darauf wartet, dass Sie ihn in einem eigenen Fenster entsperren</translation>
    </message>
    <message>
        <source>1 character</source>
        <translation>1 Zeichen</translation>
    </message>
    <message>
        <source>1 item</source>
        <translation>1 Eintrag</translation>
    </message>
    <message>
        <source>@{handle} cannot be looked up</source>
        <translation>@{handle} lässt sich nicht nachschlagen</translation>
    </message>
    <message>
        <source>@{handle} is not the handle of an account</source>
        <translation>@{handle} ist nicht der Handle eines Kontos</translation>
    </message>
    <message>
        <source>A handle looks like alice.bsky.social; a DID (did:plc:…) or the address of a profile page works too.</source>
        <translation>Ein Handle sieht aus wie alice.bsky.social; auch eine DID (did:plc:…) oder die Adresse einer Profilseite geht.</translation>
    </message>
    <message>
        <source>Its command or address seems to contain a key, where others can see it. If the server can take the key from a variable or a header, enter it there: Deskbell can then store it in your keychain.</source>
        <translation>Befehl oder Adresse scheint einen Schlüssel zu enthalten, den andere dort sehen können. Wenn der Server ihn aus einer Variablen oder einer Kopfzeile nehmen kann, geben Sie ihn dort ein: Dann kann Deskbell ihn in Ihrem Schlüsselbund speichern.</translation>
    </message>
    <message>
        <source>A multiple of {number}.</source>
        <translation>Ein Vielfaches von {number}.</translation>
    </message>
    <message>
        <source>A part of it is missing. Set it again.</source>
        <translation>Ein Teil davon fehlt. Setzen Sie es neu.</translation>
    </message>
    <message>
        <source>A quote is not closed</source>
        <translation>Ein Anführungszeichen ist nicht geschlossen</translation>
    </message>
    <message>
        <source>A server needs a command or an address</source>
        <translation>Ein Server braucht einen Befehl oder eine Adresse</translation>
    </message>
    <message>
        <source>Added {names}.</source>
        <translation>{names} hinzugefügt.</translation>
    </message>
    <message>
        <source>Another Deskbell is writing</source>
        <translation>Ein anderes Deskbell schreibt gerade</translation>
    </message>
    <message>
        <source>Another account answered</source>
        <translation>Ein anderes Konto hat geantwortet</translation>
    </message>
    <message>
        <source>Another account signed in</source>
        <translation>Ein anderes Konto hat sich angemeldet</translation>
    </message>
    <message>
        <source>Another program is using the secrets</source>
        <translation>Ein anderes Programm verwendet gerade die Geheimnisse</translation>
    </message>
    <message>
        <source>Another program may manage it. Allow writing, or change it there.</source>
        <translation>Vielleicht verwaltet sie ein anderes Programm. Erlauben Sie das Schreiben oder ändern Sie es dort.</translation>
    </message>
    <message>
        <source>Another program uses it</source>
        <translation>Ein anderes Programm benutzt ihn</translation>
    </message>
    <message>
        <source>Asking {host} for a sign-in page…</source>
        <translation>{host} wird um eine Anmeldeseite gebeten…</translation>
    </message>
    <message>
        <source>At least {low} characters.</source>
        <translation>Mindestens {low} Zeichen.</translation>
    </message>
    <message>
        <source>At most {high} characters.</source>
        <translation>Höchstens {high} Zeichen.</translation>
    </message>
    <message>
        <source>At {place}: {reason}</source>
        <translation>Bei {place}: {reason}</translation>
    </message>
    <message>
        <source>Byte {place} is wrong. {remedy}</source>
        <translation>Byte {place} ist falsch. {remedy}</translation>
    </message>
    <message>
        <source>Change it first, on the page Approvals or in config.toml.</source>
        <translation>Ändern Sie sie zuerst, auf der Seite Freigaben oder in config.toml.</translation>
    </message>
    <message>
        <source>Changed {name}.</source>
        <translation>{name} geändert.</translation>
    </message>
    <message>
        <source>Check how it is spelled.</source>
        <translation>Prüfen Sie die Schreibweise.</translation>
    </message>
    <message>
        <source>Check your connection, and try again.</source>
        <translation>Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>Choose another name, or change that first, on the page AI apps or in config.toml.</source>
        <translation>Wählen Sie einen anderen Namen, oder ändern Sie das zuerst, auf der Seite KI-Apps oder in config.toml.</translation>
    </message>
    <message>
        <source>Choose another name.</source>
        <translation>Wählen Sie einen anderen Namen.</translation>
    </message>
    <message>
        <source>Choose one of: {names}.</source>
        <translation>Wählen Sie eines davon: {names}.</translation>
    </message>
    <message>
        <source>Close it, or put it into other quotes.</source>
        <translation>Schließen Sie es, oder setzen Sie es in andere Anführungszeichen.</translation>
    </message>
    <message>
        <source>Connect it without --http.</source>
        <translation>Verbinden Sie es ohne --http.</translation>
    </message>
    <message>
        <source>Could not reach {server}: {why}</source>
        <translation>{server} ist nicht zu erreichen: {why}</translation>
    </message>
    <message>
        <source>Could not sign in to {server}: {why}</source>
        <translation>Die Anmeldung bei {server} ist fehlgeschlagen: {why}</translation>
    </message>
    <message>
        <source>Could not start {server}</source>
        <translation>{server} konnte nicht gestartet werden</translation>
    </message>
    <message>
        <source>Could not start {server}: {why}. Check its command.</source>
        <translation>{server} konnte nicht gestartet werden: {why}. Prüfen Sie den Befehl.</translation>
    </message>
    <message>
        <source>DESKBELL_PORT cannot be used</source>
        <translation>DESKBELL_PORT kann nicht benutzt werden</translation>
    </message>
    <message>
        <source>Deskbell cannot listen at {path}</source>
        <translation>Deskbell kann an {path} nicht lauschen</translation>
    </message>
    <message>
        <source>Deskbell cannot listen on 127.0.0.1</source>
        <translation>Deskbell kann an 127.0.0.1 nicht lauschen</translation>
    </message>
    <message>
        <source>Deskbell keeps no secrets</source>
        <translation>Deskbell speichert keine Geheimnisse</translation>
    </message>
    <message>
        <source>Deskbell does not know the AI app {name}</source>
        <translation>Deskbell kennt keine KI-App namens {name}</translation>
    </message>
    <message>
        <source>Deskbell takes app passwords only, NOT your main password. Nothing was sent or kept. Create an app password at {address} – it looks like xxxx-xxxx-xxxx-xxxx. Better still, sign in with your browser (OAuth): that is the strongly recommended way.</source>
        <translation>Deskbell nimmt nur App-Passwörter, NICHT Ihr Hauptpasswort. Nichts wurde gesendet oder gespeichert. Erstellen Sie ein App-Passwort unter {address} – es sieht aus wie xxxx-xxxx-xxxx-xxxx. Noch besser: Melden Sie sich mit Ihrem Browser an (OAuth); das wird dringend empfohlen.</translation>
    </message>
    <message>
        <source>Deskbell {newer} is available; you have {here}.</source>
        <translation>Deskbell {newer} ist verfügbar; Sie haben {here}.</translation>
    </message>
    <message>
        <source>Deskbell&apos;s port is another one at each start</source>
        <translation>Deskbells Port ist bei jedem Start ein anderer</translation>
    </message>
    <message>
        <source>Does not belong here: {names}.</source>
        <translation>Gehört nicht hierher: {names}.</translation>
    </message>
    <message>
        <source>Done.</source>
        <translation>Erledigt.</translation>
    </message>
    <message>
        <source>Exactly {low} characters.</source>
        <translation>Genau {low} Zeichen.</translation>
    </message>
    <message>
        <source>Finishing the sign-in…</source>
        <translation>Die Anmeldung wird abgeschlossen…</translation>
    </message>
    <message>
        <source>Give it: {command}</source>
        <translation>Geben Sie sie ein: {command}</translation>
    </message>
    <message>
        <source>Give one command, one address, or settings as an AI app has them.</source>
        <translation>Geben Sie einen Befehl, eine Adresse oder Einstellungen an, wie KI-Apps sie haben.</translation>
    </message>
    <message>
        <source>Give one of them.</source>
        <translation>Geben Sie eines davon an.</translation>
    </message>
    <message>
        <source>HTTP status {code}</source>
        <translation>HTTP-Status {code}</translation>
    </message>
    <message>
        <source>Install and start it once. To write {path} all the same, add --create.</source>
        <translation>Installieren und starten Sie es einmal. Um {path} trotzdem zu schreiben, geben Sie --create an.</translation>
    </message>
    <message>
        <source>It begins with http:// or https://</source>
        <translation>Sie beginnt mit http:// oder https://</translation>
    </message>
    <message>
        <source>A command begins with the program to start.</source>
        <translation>Ein Befehl beginnt mit dem Programm, das gestartet wird.</translation>
    </message>
    <message>
        <source>It does not say where to sign in with a browser. Use an app password there.</source>
        <translation>Dort steht nicht, wo man sich mit dem Browser anmeldet. Nehmen Sie dort ein App-Passwort.</translation>
    </message>
    <message>
        <source>It has locked {path}.</source>
        <translation>Es hat {path} gesperrt.</translation>
    </message>
    <message>
        <source>Give a number of seconds above 0.</source>
        <translation>Geben Sie eine Zahl von Sekunden über 0 an.</translation>
    </message>
    <message>
        <source>It is encrypted with {key}, which is not there. Put it back.</source>
        <translation>Sie ist mit {key} verschlüsselt, und diese Datei fehlt. Legen Sie sie zurück.</translation>
    </message>
    <message>
        <source>It does not contain a table of settings.</source>
        <translation>Die Datei enthält keine Tabelle mit Einstellungen.</translation>
    </message>
    <message>
        <source>It is not this Deskbell. Rename it in {path}, then try again.</source>
        <translation>Es ist nicht dieses Deskbell. Benennen Sie ihn in {path} um und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>It is started again in {seconds} s.</source>
        <translation>In {seconds} s wird er wieder gestartet.</translation>
    </message>
    <message>
        <source>It is disabled there, so it will be disabled here too.</source>
        <translation>Er ist dort ausgeschaltet und wird es auch hier sein.</translation>
    </message>
    <message>
        <source>It is tried again in {seconds} s.</source>
        <translation>In {seconds} s wird es wieder versucht.</translation>
    </message>
    <message>
        <source>It supports did:plc and did:web.</source>
        <translation>Bekannt sind did:plc und did:web.</translation>
    </message>
    <message>
        <source>Choose one of: {known}.</source>
        <translation>Wählen Sie: {known}.</translation>
    </message>
    <message>
        <source>It leads to {did}, which calls itself @{handle}. Use that handle, or the DID.</source>
        <translation>Er führt zu {did}, und das nennt sich @{handle}. Nehmen Sie diesen Handle oder die DID.</translation>
    </message>
    <message>
        <source>It may be asking you to unlock it. Unlock it, and try again.</source>
        <translation>Vielleicht bittet er Sie gerade, ihn zu entsperren. Entsperren Sie ihn und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>It may have been closed.</source>
        <translation>Vielleicht wurde es geschlossen.</translation>
    </message>
    <message>
        <source>It must be {what}, not {value}.</source>
        <translation>Nötig ist {what}, nicht {value}.</translation>
    </message>
    <message>
        <source>It must be {what}.</source>
        <translation>Nötig ist {what}.</translation>
    </message>
    <message>
        <source>It must begin with https:// (http:// is for this computer only).</source>
        <translation>Sie muss mit https:// beginnen (http:// nur auf diesem Computer).</translation>
    </message>
    <message>
        <source>It sent no code.</source>
        <translation>Es kam kein Code.</translation>
    </message>
    <message>
        <source>It uses {sign}, which Deskbell cannot fill in. Please enter the value.</source>
        <translation>Er verwendet {sign}; das kann Deskbell nicht einsetzen. Bitte geben Sie den Wert ein.</translation>
    </message>
    <message>
        <source>It waits for you to sign in.</source>
        <translation>Er wartet, dass Sie sich anmelden.</translation>
    </message>
    <message>
        <source>It was not called, and nobody said no: asking again later, when the person is there, makes sense.</source>
        <translation>Es wurde nicht aufgerufen, und niemand hat abgelehnt: Später noch einmal zu fragen, wenn jemand da ist, ist sinnvoll.</translation>
    </message>
    <message>
        <source>It is changing {path}. Try again.</source>
        <translation>Es ändert gerade {path}. Versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>Item {place}: {reason}</source>
        <translation>Eintrag {place}: {reason}</translation>
    </message>
    <message>
        <source>Deskbell cannot understand its answer. Try again; if the problem stays, tell the people who run it.</source>
        <translation>Deskbell versteht die Antwort nicht. Versuchen Sie es noch einmal; wenn es so bleibt, melden Sie es dem Betreiber.</translation>
    </message>
    <message>
        <source>Its document names no PDS; the account may be closed.</source>
        <translation>Das Dokument nennt keinen PDS; vielleicht ist das Konto geschlossen.</translation>
    </message>
    <message>
        <source>Its {header} comes from the variable {variable}: please give it.</source>
        <translation>{header} kommt dort aus der Variablen {variable}: Bitte geben Sie den Wert an.</translation>
    </message>
    <message>
        <source>Kept in memory only: gone when Deskbell ends.</source>
        <translation>Nur im Arbeitsspeicher: gelöscht, wenn Deskbell endet.</translation>
    </message>
    <message>
        <source>Less than {number}.</source>
        <translation>Weniger als {number}.</translation>
    </message>
    <message>
        <source>Letters, digits, _ . / and - make a name, at most 128; it cannot begin with . / or -.</source>
        <translation>Ein Name besteht aus Buchstaben, Ziffern, _ . / und -, höchstens 128; er beginnt nicht mit . / oder -.</translation>
    </message>
    <message>
        <source>Letters, digits, _ . / and - make a name, such as {example}.</source>
        <translation>Ein Name besteht aus Buchstaben, Ziffern, _ . / und -, etwa {example}.</translation>
    </message>
    <message>
        <source>Looking up {who}…</source>
        <translation>{who} wird nachgeschlagen…</translation>
    </message>
    <message>
        <source>Missing: {names}.</source>
        <translation>Es fehlt: {names}.</translation>
    </message>
    <message>
        <source>More than {count} KiB.</source>
        <translation>Mehr als {count} KiB.</translation>
    </message>
    <message>
        <source>More than {count} MiB.</source>
        <translation>Mehr als {count} MiB.</translation>
    </message>
    <message>
        <source>Files larger than {most} bytes are not read.</source>
        <translation>Dateien mit mehr als {most} Bytes werden nicht gelesen.</translation>
    </message>
    <message>
        <source>More than {number}.</source>
        <translation>Mehr als {number}.</translation>
    </message>
    <message>
        <source>Move first: {command}</source>
        <translation>Ziehen Sie erst um: {command}</translation>
    </message>
    <message>
        <source>Move it away, then start Deskbell again.</source>
        <translation>Verschieben Sie es, und starten Sie Deskbell dann neu.</translation>
    </message>
    <message>
        <source>Move them: {command}. Or set {line} again.</source>
        <translation>Ziehen Sie damit um: {command}. Oder setzen Sie wieder {line}.</translation>
    </message>
    <message>
        <source>Moved 1 secret.</source>
        <translation>1 Geheimnis ist umgezogen.</translation>
    </message>
    <message>
        <source>Moved {count} secrets.</source>
        <translation>{count} Geheimnisse sind umgezogen.</translation>
    </message>
    <message>
        <source>No browser could be opened. Open this address yourself: {address}</source>
        <translation>Es konnte kein Browser geöffnet werden. Öffnen Sie diese Adresse selbst: {address}</translation>
    </message>
    <message>
        <source>No valid settings are known: every call is denied until this is fixed.</source>
        <translation>Es sind keine gültigen Einstellungen bekannt: Jeder Aufruf wird abgelehnt, bis das behoben ist.</translation>
    </message>
    <message>
        <source>The sign-in to {server} was not approved.</source>
        <translation>Der Anmeldung bei {server} wurde nicht zugestimmt.</translation>
    </message>
    <message>
        <source>The sign-in to {server} was not finished.</source>
        <translation>Die Anmeldung bei {server} wurde nicht abgeschlossen.</translation>
    </message>
    <message>
        <source>Could not check for a new version: {why}</source>
        <translation>Die Suche nach einer neuen Version ist fehlgeschlagen: {why}</translation>
    </message>
    <message>
        <source>An earlier renewal is still under way. Try again in a minute.</source>
        <translation>Eine frühere Erneuerung läuft noch. Versuchen Sie es in einer Minute noch einmal.</translation>
    </message>
    <message>
        <source>Another program uses it: {program}</source>
        <translation>Ein anderes Programm benutzt ihn: {program}</translation>
    </message>
    <message>
        <source>Check the app password – NOT your main password – or create a new one at {address}. Better still, sign in with your browser (OAuth): that is the strongly recommended way.</source>
        <translation>Prüfen Sie das App-Passwort – NICHT Ihr Hauptpasswort – oder erstellen Sie ein neues unter {address}. Noch besser: Melden Sie sich mit Ihrem Browser an (OAuth); das wird dringend empfohlen.</translation>
    </message>
    <message>
        <source>Could not download Deskbell {version}: {why}</source>
        <translation>Deskbell {version} konnte nicht heruntergeladen werden: {why}</translation>
    </message>
    <message>
        <source>Could not start {server}: Too many applications and servers are connected. Close some, and try again.</source>
        <translation>{server} konnte nicht gestartet werden: Zu viele Anwendungen und Server sind verbunden. Schließen Sie einige und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>Deskbell was updated or moved. Quit it and start it again.</source>
        <translation>Deskbell wurde aktualisiert oder verschoben. Beenden Sie es und starten Sie es neu.</translation>
    </message>
    <message>
        <source>Deskbell {version} could not be put in place: {why}</source>
        <translation>Deskbell {version} konnte nicht installiert werden: {why}</translation>
    </message>
    <message>
        <source>Deskbell {version} did not stay in place</source>
        <translation>Deskbell {version} blieb nicht installiert</translation>
    </message>
    <message>
        <source>Deskbell {version} failed its self-test here: {why}</source>
        <translation>Deskbell {version} hat seinen Selbsttest hier nicht bestanden: {why}</translation>
    </message>
    <message>
        <source>Deskbell {version} was changed on the disk</source>
        <translation>Deskbell {version} wurde auf der Festplatte verändert</translation>
    </message>
    <message>
        <source>Install it or edit the command.</source>
        <translation>Installieren Sie es oder ändern Sie den Befehl.</translation>
    </message>
    <message>
        <source>It asks for the context of other servers, which is not sent.</source>
        <translation>Er möchte den Kontext anderer Server mitsenden; das geschieht nicht.</translation>
    </message>
    <message>
        <source>It contains unusual characters: {characters}</source>
        <translation>Darin stehen ungewöhnliche Zeichen: {characters}</translation>
    </message>
    <message>
        <source>It is encrypted. While you are logged in, programs that run as you can read it.</source>
        <translation>Er ist verschlüsselt. Solange Sie angemeldet sind, können Programme, die unter Ihrem Namen laufen, ihn lesen.</translation>
    </message>
    <message>
        <source>It looks like {example}</source>
        <translation>Er sieht so aus: {example}</translation>
    </message>
    <message>
        <source>It would get your secrets: {names}</source>
        <translation>Er bekäme Ihre Geheimnisse: {names}</translation>
    </message>
    <message>
        <source>Look closely where its address leads: {address}</source>
        <translation>Achten Sie darauf, wohin seine Adresse führt: {address}</translation>
    </message>
    <message>
        <source>Its own key lies beside it ({key}), so programs that run as you, and whoever gets the whole disk, can read it. A passphrase protects more: deskbell secrets protect</source>
        <translation>Ihr eigener Schlüssel liegt daneben ({key}); darum können Programme, die unter Ihrem Namen laufen, und wer die ganze Festplatte hat, sie lesen. Besser schützt eine Passphrase: deskbell secrets protect</translation>
    </message>
    <message>
        <source>Its name must end with {endings}.</source>
        <translation>Der Name muss auf {endings} enden.</translation>
    </message>
    <message>
        <source>Nobody signed in within {count} minutes. Start again when you are ready.</source>
        <translation>In {count} Minuten hat sich niemand angemeldet. Fangen Sie neu an, wenn Sie so weit sind.</translation>
    </message>
    <message>
        <source>Nobody unlocked the {store}</source>
        <translation>Niemand hat den Speicher entsperrt ({store})</translation>
    </message>
    <message>
        <source>Not in a keychain: {why}.</source>
        <translation>Nicht in einem Schlüsselbund: {why}.</translation>
    </message>
    <message>
        <source>Not signed in</source>
        <translation>Nicht angemeldet</translation>
    </message>
    <message>
        <source>Nothing can be undone in {app}</source>
        <translation>In {app} lässt sich nichts rückgängig machen</translation>
    </message>
    <message>
        <source>Nothing on the internet may lead there. If it is yours, name it as `service` in config.toml.</source>
        <translation>Nichts aus dem Internet darf dorthin führen. Wenn sie Ihnen gehört, nennen Sie sie als `service` in config.toml.</translation>
    </message>
    <message>
        <source>Nothing was changed.</source>
        <translation>Nichts wurde geändert.</translation>
    </message>
    <message>
        <source>Nothing was moved.</source>
        <translation>Nichts ist umgezogen.</translation>
    </message>
    <message>
        <source>Nothing was written.</source>
        <translation>Nichts wurde geschrieben.</translation>
    </message>
    <message>
        <source>Nothing was written. Review the new change.</source>
        <translation>Nichts wurde geschrieben. Sehen Sie sich die neue Änderung an.</translation>
    </message>
    <message>
        <source>Please change it by hand.</source>
        <translation>Bitte ändern Sie sie von Hand.</translation>
    </message>
    <message>
        <source>Please choose at least {count}.</source>
        <translation>Bitte wählen Sie mindestens {count}.</translation>
    </message>
    <message>
        <source>Please choose at most {count}.</source>
        <translation>Bitte wählen Sie höchstens {count}.</translation>
    </message>
    <message>
        <source>Please choose each option once.</source>
        <translation>Bitte wählen Sie jede Möglichkeit nur einmal.</translation>
    </message>
    <message>
        <source>Please choose from the options.</source>
        <translation>Bitte wählen Sie aus den Möglichkeiten.</translation>
    </message>
    <message>
        <source>Please choose from what is offered.</source>
        <translation>Bitte wählen Sie aus dem, was angeboten wird.</translation>
    </message>
    <message>
        <source>Please choose one of the options.</source>
        <translation>Bitte wählen Sie eine der Möglichkeiten.</translation>
    </message>
    <message>
        <source>Please choose one.</source>
        <translation>Bitte wählen Sie etwas aus.</translation>
    </message>
    <message>
        <source>Please choose yes or no.</source>
        <translation>Bitte wählen Sie Ja oder Nein.</translation>
    </message>
    <message>
        <source>Please edit it by hand.</source>
        <translation>Bitte bearbeiten Sie sie von Hand.</translation>
    </message>
    <message>
        <source>Please enter a date as YYYY-MM-DD, such as 2026-03-31.</source>
        <translation>Bitte geben Sie ein Datum als JJJJ-MM-TT ein, etwa 2026-03-31.</translation>
    </message>
    <message>
        <source>Please enter a full address, such as https://example.org/page.</source>
        <translation>Bitte geben Sie eine vollständige Adresse ein, etwa https://example.org/page.</translation>
    </message>
    <message>
        <source>Please enter a multiple of {number}.</source>
        <translation>Bitte geben Sie ein Vielfaches von {number} ein.</translation>
    </message>
    <message>
        <source>Please enter a number, such as 3.5.</source>
        <translation>Bitte geben Sie eine Zahl mit Dezimalpunkt ein, etwa 3.5.</translation>
    </message>
    <message>
        <source>Please enter a number.</source>
        <translation>Bitte geben Sie eine Zahl ein.</translation>
    </message>
    <message>
        <source>Please enter a whole number, such as 3.</source>
        <translation>Bitte geben Sie eine ganze Zahl ein, etwa 3.</translation>
    </message>
    <message>
        <source>Please enter a whole number.</source>
        <translation>Bitte geben Sie eine ganze Zahl ein.</translation>
    </message>
    <message>
        <source>Please enter an email address, such as ann@example.org.</source>
        <translation>Bitte geben Sie eine E-Mail-Adresse ein, etwa ann@example.org.</translation>
    </message>
    <message>
        <source>Please enter at least {count}; there are {length}.</source>
        <translation>Bitte geben Sie mindestens {count} ein; es sind {length}.</translation>
    </message>
    <message>
        <source>Please enter at least {count}; this has {length}.</source>
        <translation>Bitte geben Sie mindestens {count} ein; es sind {length}.</translation>
    </message>
    <message>
        <source>Please enter at most {count}; there are {length}.</source>
        <translation>Bitte geben Sie höchstens {count} ein; es sind {length}.</translation>
    </message>
    <message>
        <source>Please enter at most {count}; this has {length}.</source>
        <translation>Bitte geben Sie höchstens {count} ein; es sind {length}.</translation>
    </message>
    <message>
        <source>Please enter date, time and offset, such as 2026-03-31T14:30:00+02:00 or 2026-03-31T12:30:00Z.</source>
        <translation>Bitte geben Sie Datum, Zeit und Abstand zu UTC ein, etwa 2026-03-31T14:30:00+02:00 oder 2026-03-31T12:30:00Z.</translation>
    </message>
    <message>
        <source>Please enter each item once.</source>
        <translation>Bitte geben Sie jeden Eintrag nur einmal ein.</translation>
    </message>
    <message>
        <source>Please enter less than {number}.</source>
        <translation>Bitte geben Sie weniger als {number} ein.</translation>
    </message>
    <message>
        <source>Please enter more than {number}.</source>
        <translation>Bitte geben Sie mehr als {number} ein.</translation>
    </message>
    <message>
        <source>Please enter {number} or less.</source>
        <translation>Bitte geben Sie höchstens {number} ein.</translation>
    </message>
    <message>
        <source>Please enter {number} or more.</source>
        <translation>Bitte geben Sie mindestens {number} ein.</translation>
    </message>
    <message>
        <source>Please fill this in.</source>
        <translation>Bitte füllen Sie das aus.</translation>
    </message>
    <message>
        <source>Please look at them again.</source>
        <translation>Bitte sehen Sie sie sich noch einmal an.</translation>
    </message>
    <message>
        <source>Please sign in again as @{handle}. {why}</source>
        <translation>Bitte melden Sie sich neu an als @{handle}. {why}</translation>
    </message>
    <message>
        <source>Port {port} cannot be used</source>
        <translation>Port {port} kann nicht benutzt werden</translation>
    </message>
    <message>
        <source>Put it in quotes to pass it to the program, or leave it out.</source>
        <translation>Setzen Sie es in Anführungszeichen, wenn das Programm selbst es bekommen soll; sonst lassen Sie es weg.</translation>
    </message>
    <message>
        <source>Put the servers into {key} first, then connect again.</source>
        <translation>Tragen Sie die Server zuerst unter {key} ein, dann verbinden Sie erneut.</translation>
    </message>
    <message>
        <source>Remove it first.</source>
        <translation>Entfernen Sie ihn zuerst.</translation>
    </message>
    <message>
        <source>Removed {name}, its sign-in and its secrets.</source>
        <translation>{name} mit Anmeldung und Geheimnissen entfernt.</translation>
    </message>
    <message>
        <source>Removed {name}.</source>
        <translation>{name} entfernt.</translation>
    </message>
    <message>
        <source>Secrets cannot be moved to {store}</source>
        <translation>Geheimnisse können nicht nach {store} umziehen</translation>
    </message>
    <message>
        <source>See the [servers] of {path}.</source>
        <translation>Siehe [servers] in {path}.</translation>
    </message>
    <message>
        <source>See {command}.</source>
        <translation>Siehe {command}.</translation>
    </message>
    <message>
        <source>Set `port` in config.toml first.</source>
        <translation>Setzen Sie zuerst `port` in config.toml.</translation>
    </message>
    <message>
        <source>Sign in again.</source>
        <translation>Melden Sie sich neu an.</translation>
    </message>
    <message>
        <source>Sign in: {command}</source>
        <translation>Anmelden: {command}</translation>
    </message>
    <message>
        <source>Signed out of {name}, which has ended the sign-in too.</source>
        <translation>Von {name} abgemeldet; auch dort ist die Anmeldung beendet.</translation>
    </message>
    <message>
        <source>Signed out of {name}. It may still list Deskbell among the apps you allowed.</source>
        <translation>Von {name} abgemeldet. Dort steht Deskbell vielleicht noch unter den erlaubten Apps.</translation>
    </message>
    <message>
        <source>Signing in at {host}…</source>
        <translation>Anmeldung bei {host}…</translation>
    </message>
    <message>
        <source>Somebody or something changed it. Nothing was written to it; restore it from a backup.</source>
        <translation>Jemand oder etwas hat sie verändert. Es wurde nichts hineingeschrieben; stellen Sie sie aus einer Sicherung wieder her.</translation>
    </message>
    <message>
        <source>Start one (such as gnome-keyring or KWallet), or store keys in an encrypted file (Settings, Advanced).</source>
        <translation>Starten Sie einen (etwa gnome-keyring oder KWallet), oder speichern Sie Schlüssel in einer verschlüsselten Datei: Einstellungen › Erweitert.</translation>
    </message>
    <message>
        <source>There is something else in its place. {remedy}</source>
        <translation>Dort steht etwas anderes. {remedy}</translation>
    </message>
    <message>
        <source>{why}. Choose another one in Settings, under Advanced, or by --port.</source>
        <translation>{why}. Wählen Sie einen anderen unter Einstellungen › Erweitert oder mit --port.</translation>
    </message>
    <message>
        <source>Something is missing or misspelt in line {line}.</source>
        <translation>In Zeile {line} fehlt etwas oder ist falsch geschrieben.</translation>
    </message>
    <message>
        <source>Something is missing or misspelt in this text.</source>
        <translation>In diesem Text fehlt etwas oder ist falsch geschrieben.</translation>
    </message>
    <message>
        <source>Start again.</source>
        <translation>Fangen Sie neu an.</translation>
    </message>
    <message>
        <source>Switched {name} off.</source>
        <translation>{name} ausgeschaltet.</translation>
    </message>
    <message>
        <source>Switched {name} on.</source>
        <translation>{name} eingeschaltet.</translation>
    </message>
    <message>
        <source>That is not an app password</source>
        <translation>Das ist kein App-Passwort</translation>
    </message>
    <message>
        <source>That is not the passphrase</source>
        <translation>Das ist nicht die Passphrase</translation>
    </message>
    <message>
        <source>That is not the current passphrase</source>
        <translation>Das ist nicht die jetzige Passphrase</translation>
    </message>
    <message>
        <source>That number is too large or too small.</source>
        <translation>Diese Zahl ist zu groß oder zu klein.</translation>
    </message>
    <message>
        <source>That number is too large.</source>
        <translation>Diese Zahl ist zu groß.</translation>
    </message>
    <message>
        <source>That number is too long.</source>
        <translation>Diese Zahl ist zu lang.</translation>
    </message>
    <message>
        <source>The account has moved to {host}.</source>
        <translation>Das Konto ist zu {host} umgezogen.</translation>
    </message>
    <message>
        <source>The account is on another server</source>
        <translation>Das Konto liegt auf einem anderen Server</translation>
    </message>
    <message>
        <source>The address of {server} is not a web address. Edit it so that it begins with https://.</source>
        <translation>Die Adresse von {server} ist keine Webadresse. Ändern Sie sie so, dass sie mit https:// beginnt.</translation>
    </message>
    <message>
        <source>The answer of {server} cannot be read: {why}.</source>
        <translation>Die Antwort von {server} ist nicht lesbar: {why}.</translation>
    </message>
    <message>
        <source>The app password no longer works</source>
        <translation>Das App-Passwort gilt nicht mehr</translation>
    </message>
    <message>
        <source>The browser came back from {where}.</source>
        <translation>Der Browser kam von {where} zurück.</translation>
    </message>
    <message>
        <source>The content must be a JSON object.</source>
        <translation>Der Inhalt muss ein JSON-Objekt sein.</translation>
    </message>
    <message>
        <source>The document of {did} cannot be read</source>
        <translation>Das Dokument von {did} ist nicht lesbar</translation>
    </message>
    <message>
        <source>The export was stopped</source>
        <translation>Der Export wurde angehalten</translation>
    </message>
    <message>
        <source>The folder is not yours to write to.</source>
        <translation>In diesen Ordner dürfen Sie nicht schreiben.</translation>
    </message>
    <message>
        <source>The form cannot be read. {reason}</source>
        <translation>Das Formular ist nicht lesbar. {reason}</translation>
    </message>
    <message>
        <source>The form does not describe an object.</source>
        <translation>Das Formular beschreibt kein Objekt.</translation>
    </message>
    <message>
        <source>The form has more than {count} fields.</source>
        <translation>Das Formular hat mehr als {count} Felder.</translation>
    </message>
    <message>
        <source>The form has no such field.</source>
        <translation>Das Formular hat kein solches Feld.</translation>
    </message>
    <message>
        <source>The form is larger than 1 MiB.</source>
        <translation>Das Formular ist größer als 1 MiB.</translation>
    </message>
    <message>
        <source>The form is nested too deeply.</source>
        <translation>Das Formular ist zu tief verschachtelt.</translation>
    </message>
    <message>
        <source>The form refers to a schema elsewhere; such references are never fetched.</source>
        <translation>Das Formular verweist auf ein Schema an anderer Stelle; solche Verweise werden nie abgerufen.</translation>
    </message>
    <message>
        <source>The form&apos;s properties are not an object.</source>
        <translation>Die Eigenschaften des Formulars sind kein Objekt.</translation>
    </message>
    <message>
        <source>The handle and the app password do not belong together</source>
        <translation>Handle und App-Passwort gehören nicht zusammen</translation>
    </message>
    <message>
        <source>The header {header} of {server} cannot be sent. Edit it.</source>
        <translation>Die Kopfzeile {header} von {server} kann nicht gesendet werden. Bearbeiten Sie sie.</translation>
    </message>
    <message>
        <source>The history cannot be written ({why}). It is kept in memory and tried again.</source>
        <translation>Der Verlauf kann nicht geschrieben werden ({why}). Er bleibt im Arbeitsspeicher und wird erneut versucht.</translation>
    </message>
    <message>
        <source>The keychain cannot be used</source>
        <translation>Der Schlüsselbund kann nicht benutzt werden</translation>
    </message>
    <message>
        <source>The keychain does not return what is stored in it</source>
        <translation>Der Schlüsselbund gibt nicht zurück, was in ihm gespeichert wird</translation>
    </message>
    <message>
        <source>The keychain is locked</source>
        <translation>Der Schlüsselbund ist gesperrt</translation>
    </message>
    <message>
        <source>The last good settings are in force, from {file}.</source>
        <translation>Es gelten die letzten guten Einstellungen, aus {file}.</translation>
    </message>
    <message>
        <source>The last good settings stay in force.</source>
        <translation>Die letzten guten Einstellungen gelten weiter.</translation>
    </message>
    <message>
        <source>The last time, Deskbell was ended in the middle of its work. Calls that were cut short: {count}. Activity shows them.</source>
        <translation>Beim letzten Mal wurde Deskbell mitten in der Arbeit beendet. Abgebrochene Aufrufe: {count}. Der Verlauf zeigt sie.</translation>
    </message>
    <message>
        <source>The model {model} cannot call tools.</source>
        <translation>Das Modell {model} kann keine Werkzeuge aufrufen.</translation>
    </message>
    <message>
        <source>The model {model} does not accept the key: {said}. Enter its key again under Models.</source>
        <translation>Das Modell {model} nimmt den Schlüssel nicht an: {said}. Geben Sie ihn unter Modelle neu ein.</translation>
    </message>
    <message>
        <source>The model {model} failed: {said}. Try again later.</source>
        <translation>Das Modell {model} ist gescheitert: {said}. Versuchen Sie es später noch einmal.</translation>
    </message>
    <message>
        <source>The model {model} is asked too often: {said}. Try again later.</source>
        <translation>Das Modell {model} wird zu oft gefragt: {said}. Versuchen Sie es später noch einmal.</translation>
    </message>
    <message>
        <source>The model {model} is out of credit: {said}. Add credit at its provider.</source>
        <translation>Das Guthaben für das Modell {model} ist aufgebraucht: {said}. Laden Sie es beim Anbieter auf.</translation>
    </message>
    <message>
        <source>The model {model} refused the request: {said}. Another model may take it.</source>
        <translation>Das Modell {model} hat die Anfrage abgelehnt: {said}. Ein anderes Modell nimmt sie vielleicht an.</translation>
    </message>
    <message>
        <source>The model {model} was not found: {said}. Check its name and address.</source>
        <translation>Das Modell {model} wurde nicht gefunden: {said}. Prüfen Sie Namen und Adresse.</translation>
    </message>
    <message>
        <source>The model {model}: {why}</source>
        <translation>Das Modell {model}: {why}</translation>
    </message>
    <message>
        <source>The passphrase was not given. Give it by {command}.</source>
        <translation>Die Passphrase wurde nicht eingegeben. Geben Sie sie ein mit {command}.</translation>
    </message>
    <message>
        <source>The rule for {pattern} matches only {old} or {new}</source>
        <translation>Die Regel für {pattern} gilt nur für {old} oder nur für {new}</translation>
    </message>
    <message>
        <source>The rule for {pattern} also matches {other}</source>
        <translation>Die Regel für {pattern} gilt auch für {other}</translation>
    </message>
    <message>
        <source>The rules could not be changed.</source>
        <translation>Die Regeln konnten nicht geändert werden.</translation>
    </message>
    <message>
        <source>The rules were changed meanwhile</source>
        <translation>Die Regeln wurden inzwischen geändert</translation>
    </message>
    <message>
        <source>The server expects this pattern: {pattern}</source>
        <translation>Der Server erwartet dieses Muster: {pattern}</translation>
    </message>
    <message>
        <source>The server&apos;s reply to the handshake is not valid.</source>
        <translation>Die Antwort des Servers auf den Handshake ist ungültig.</translation>
    </message>
    <message>
        <source>The settings of {server} were changed. Try again.</source>
        <translation>Die Einstellungen von {server} wurden geändert. Versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>The sign-in could not be renewed</source>
        <translation>Die Anmeldung ließ sich nicht erneuern</translation>
    </message>
    <message>
        <source>The sign-in has ended</source>
        <translation>Die Anmeldung ist abgelaufen</translation>
    </message>
    <message>
        <source>The sign-in has ended. {why}</source>
        <translation>Die Anmeldung ist abgelaufen. {why}</translation>
    </message>
    <message>
        <source>The saved sign-in is missing</source>
        <translation>Die gespeicherte Anmeldung fehlt</translation>
    </message>
    <message>
        <source>The sign-in of @{handle} could not be stored yet. {why}</source>
        <translation>Die Anmeldung von @{handle} konnte noch nicht gespeichert werden. {why}</translation>
    </message>
    <message>
        <source>The sign-in to {server} failed: {why}</source>
        <translation>Die Anmeldung bei {server} ist fehlgeschlagen: {why}</translation>
    </message>
    <message>
        <source>The sign-in took too long</source>
        <translation>Die Anmeldung hat zu lange gedauert</translation>
    </message>
    <message>
        <source>The sign-in was not finished.</source>
        <translation>Die Anmeldung wurde nicht abgeschlossen.</translation>
    </message>
    <message>
        <source>The system&apos;s keychain cannot be read</source>
        <translation>Der Schlüsselbund des Systems kann nicht gelesen werden</translation>
    </message>
    <message>
        <source>This time limit is not valid</source>
        <translation>Dieses Zeitlimit ist ungültig</translation>
    </message>
    <message>
        <source>The tools of {package} cannot be used: {why}.</source>
        <translation>Die Werkzeuge von {package} können nicht benutzt werden: {why}.</translation>
    </message>
    <message>
        <source>The {store} did not answer</source>
        <translation>Der Speicher hat nicht geantwortet ({store})</translation>
    </message>
    <message>
        <source>The {store} does not return what is stored in it</source>
        <translation>Der Speicher ({store}) gibt nicht zurück, was in ihm gespeichert wird</translation>
    </message>
    <message>
        <source>The {store} has no passphrase of Deskbell&apos;s</source>
        <translation>Dieser Speicher hat keine Passphrase von Deskbell ({store})</translation>
    </message>
    <message>
        <source>The {store} store has nothing for this account.</source>
        <translation>Der Speicher ({store}) hat nichts für dieses Konto.</translation>
    </message>
    <message>
        <source>There is already a server named {name}</source>
        <translation>Es gibt schon einen Server namens {name}</translation>
    </message>
    <message>
        <source>There is no account @{handle}</source>
        <translation>Es gibt kein Konto @{handle}</translation>
    </message>
    <message>
        <source>There is no account {did}</source>
        <translation>Es gibt kein Konto {did}</translation>
    </message>
    <message>
        <source>There is no address to check at. Set `url` in [updates] of config.toml.</source>
        <translation>Es ist keine Adresse zum Prüfen bekannt. Geben Sie `url` in [updates] von config.toml an.</translation>
    </message>
    <message>
        <source>There is no file {path}</source>
        <translation>Es gibt keine Datei {path}</translation>
    </message>
    <message>
        <source>There is no keychain on this computer</source>
        <translation>Auf diesem Rechner gibt es keinen Schlüsselbund</translation>
    </message>
    <message>
        <source>There is no model named {name}</source>
        <translation>Es gibt kein Modell namens {name}</translation>
    </message>
    <message>
        <source>This line names no program</source>
        <translation>In dieser Zeile steht kein Programm</translation>
    </message>
    <message>
        <source>There is no secret named {name}</source>
        <translation>Es gibt kein Geheimnis namens {name}</translation>
    </message>
    <message>
        <source>There is no server in this text.</source>
        <translation>In diesem Text ist kein Server.</translation>
    </message>
    <message>
        <source>There is no server named {name}</source>
        <translation>Es gibt keinen Server namens {name}</translation>
    </message>
    <message>
        <source>There is no server named {name} in the settings</source>
        <translation>In den Einstellungen gibt es keinen Server namens {name}</translation>
    </message>
    <message>
        <source>Commands are started without a shell, so {mark} has no effect</source>
        <translation>Befehle starten ohne Shell, daher wirkt {mark} nicht</translation>
    </message>
    <message>
        <source>There is no such address, or no connection to the internet.</source>
        <translation>Diese Adresse gibt es nicht, oder es besteht keine Verbindung zum Internet.</translation>
    </message>
    <message>
        <source>There is no such setting.</source>
        <translation>Eine solche Einstellung gibt es nicht.</translation>
    </message>
    <message>
        <source>This is more than one line</source>
        <translation>Das sind mehrere Zeilen</translation>
    </message>
    <message>
        <source>This account may not use it</source>
        <translation>Dieses Benutzerkonto darf ihn nicht benutzen</translation>
    </message>
    <message>
        <source>This call has reached its limit of requests to a model: {count} so far.</source>
        <translation>Dieser Aufruf hat die Höchstzahl seiner Anfragen an ein Modell erreicht: bisher {count}.</translation>
    </message>
    <message>
        <source>This cannot be read as settings</source>
        <translation>Das lässt sich nicht als Einstellungen lesen</translation>
    </message>
    <message>
        <source>This cannot be the name of a secret</source>
        <translation>So kann kein Geheimnis heißen</translation>
    </message>
    <message>
        <source>This can no longer be undone</source>
        <translation>Das lässt sich nicht mehr rückgängig machen</translation>
    </message>
    <message>
        <source>This does not have the form the server expects: {pattern}</source>
        <translation>Das hat nicht die Form, die der Server erwartet: {pattern}</translation>
    </message>
    <message>
        <source>This file is larger than {limit} MB.</source>
        <translation>Diese Datei ist größer als {limit} MB.</translation>
    </message>
    <message>
        <source>This holds a character that cannot be sent.</source>
        <translation>Das enthält ein Zeichen, das nicht gesendet werden kann.</translation>
    </message>
    <message>
        <source>This is missing.</source>
        <translation>Das fehlt.</translation>
    </message>
    <message>
        <source>This is neither JSON, TOML nor YAML.</source>
        <translation>Das ist weder JSON noch TOML noch YAML.</translation>
    </message>
    <message>
        <source>This is not a file.</source>
        <translation>Das ist keine Datei.</translation>
    </message>
    <message>
        <source>This is not the address of a server</source>
        <translation>Das ist keine Adresse eines Servers</translation>
    </message>
    <message>
        <source>This answer is not from {host}</source>
        <translation>Diese Antwort ist nicht von {host}</translation>
    </message>
    <message>
        <source>This is not valid JSON ({reason}).</source>
        <translation>Das ist kein gültiges JSON ({reason}).</translation>
    </message>
    <message>
        <source>This link names no server</source>
        <translation>Dieser Link nennt keinen Server</translation>
    </message>
    <message>
        <source>This must be JSON of type {types}.</source>
        <translation>Das muss JSON vom Typ {types} sein.</translation>
    </message>
    <message>
        <source>This must be a list.</source>
        <translation>Das muss eine Liste sein.</translation>
    </message>
    <message>
        <source>This must be text.</source>
        <translation>Das muss Text sein.</translation>
    </message>
    <message>
        <source>This must be {types}.</source>
        <translation>Das muss {types} sein.</translation>
    </message>
    <message>
        <source>This must keep the rule {name}: {rule}</source>
        <translation>Das muss die Regel {name} einhalten: {rule}</translation>
    </message>
    <message>
        <source>This text is too long.</source>
        <translation>Dieser Text ist zu lang.</translation>
    </message>
    <message>
        <source>Too many questions wait already, and this one was not asked. Try again when some are answered.</source>
        <translation>Es warten schon zu viele Fragen; diese wurde nicht gestellt. Versuchen Sie es wieder, wenn einige beantwortet sind.</translation>
    </message>
    <message>
        <source>Too many sign-ins. Try again later.</source>
        <translation>Zu viele Anmeldungen. Versuchen Sie es später noch einmal.</translation>
    </message>
    <message>
        <source>Try again.</source>
        <translation>Versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>Undone.</source>
        <translation>Rückgängig gemacht.</translation>
    </message>
    <message>
        <source>Unlock it, and try again.</source>
        <translation>Entsperren Sie ihn und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>Unlock them: deskbell secrets unlock.</source>
        <translation>Entsperren: deskbell secrets unlock.</translation>
    </message>
    <message>
        <source>Until then it is {address}.</source>
        <translation>Bis dahin gilt {address}.</translation>
    </message>
    <message>
        <source>Up to {high} lines</source>
        <translation>Bis zu {high} Zeilen</translation>
    </message>
    <message>
        <source>Use an app password instead.</source>
        <translation>Nehmen Sie stattdessen ein App-Passwort.</translation>
    </message>
    <message>
        <source>Use letters, digits, - and _, at most 64.</source>
        <translation>Erlaubt sind Buchstaben, Ziffern, - und _, höchstens 64.</translation>
    </message>
    <message>
        <source>Use letters, digits, - and _, at most 64; {taken} are taken.</source>
        <translation>Nehmen Sie Buchstaben, Ziffern, - und _, höchstens 64; {taken} sind vergeben.</translation>
    </message>
    <message>
        <source>Use that one.</source>
        <translation>Benutzen Sie dieses.</translation>
    </message>
    <message>
        <source>Waiting for you to sign in with your browser…</source>
        <translation>Wartet, dass Sie sich mit dem Browser anmelden…</translation>
    </message>
    <message>
        <source>The saved sign-in of this account cannot be read</source>
        <translation>Die gespeicherten Daten dieses Kontos sind nicht lesbar</translation>
    </message>
    <message>
        <source>You are not signed in to {server}</source>
        <translation>Sie sind bei {server} nicht angemeldet</translation>
    </message>
    <message>
        <source>You declined the sign-in to {server}.</source>
        <translation>Sie haben die Anmeldung bei {server} abgelehnt.</translation>
    </message>
    <message>
        <source>You did not allow the sign-in to {server}.</source>
        <translation>Sie haben die Anmeldung bei {server} nicht erlaubt.</translation>
    </message>
    <message>
        <source>You declined on the sign-in page. Nothing was changed.</source>
        <translation>Sie haben auf der Anmeldeseite abgelehnt. Nichts wurde geändert.</translation>
    </message>
    <message>
        <source>You wanted @{handle}. Choose that account on the sign-in page.</source>
        <translation>Gewünscht war @{handle}. Wählen Sie auf der Anmeldeseite dieses Konto.</translation>
    </message>
    <message>
        <source>You were asked and did not allow it, or could not be asked. Add the server to config.toml.</source>
        <translation>Sie wurden gefragt und haben es nicht erlaubt, oder Sie konnten nicht gefragt werden. Tragen Sie den Server in config.toml ein.</translation>
    </message>
    <message>
        <source>The PATH of your login shell is not known yet: try again in a minute.</source>
        <translation>Der PATH Ihrer Login-Shell ist noch nicht bekannt: Versuchen Sie es in einer Minute noch einmal.</translation>
    </message>
    <message>
        <source>Your secrets are in the {store}, but config.toml says {setting}</source>
        <translation>Ihre Geheimnisse liegen woanders ({store}), als config.toml sagt: {setting}</translation>
    </message>
    <message>
        <source>Your secrets are in {keyring}, which does not answer: {why}</source>
        <translation>Ihre Geheimnisse liegen in {keyring}, und das antwortet nicht: {why}</translation>
    </message>
    <message>
        <source>Your secrets are locked</source>
        <translation>Ihre Geheimnisse sind gesperrt</translation>
    </message>
    <message>
        <source>Your secrets are locked by a passphrase</source>
        <translation>Ihre Geheimnisse sind durch eine Passphrase gesperrt</translation>
    </message>
    <message>
        <source>Your secrets are locked. Unlock them?</source>
        <translation>Ihre Geheimnisse sind gesperrt. Entsperren?</translation>
    </message>
    <message>
        <source>`{command}` is a batch file, and the argument {argument} contains {found}, which Windows would run as a command. Leave it out, or name the program itself (an .exe).</source>
        <translation>`{command}` ist eine Batchdatei, und das Argument {argument} enthält {found}, was Windows als Befehl ausführen würde. Lassen Sie es weg, oder nennen Sie das Programm selbst (eine .exe).</translation>
    </message>
    <message>
        <source>`{command}` was not found.</source>
        <translation>`{command}` wurde nicht gefunden.</translation>
    </message>
    <message>
        <source>a colon is missing</source>
        <translation>ein Doppelpunkt fehlt</translation>
    </message>
    <message>
        <source>a comma or {mark} is missing</source>
        <translation>ein Komma oder {mark} fehlt</translation>
    </message>
    <message>
        <source>a folder or a list of folders, such as {example}</source>
        <translation>ein Ordner oder eine Liste von Ordnern, etwa {example}</translation>
    </message>
    <message>
        <source>a language, such as &quot;de&quot;</source>
        <translation>eine Sprache, etwa &quot;de&quot;</translation>
    </message>
    <message>
        <source>a list of patterns, such as {example}</source>
        <translation>eine Liste von Mustern, etwa {example}</translation>
    </message>
    <message>
        <source>a list of texts, such as {example}</source>
        <translation>eine Liste von Texten, etwa {example}</translation>
    </message>
    <message>
        <source>a list of up to three languages, such as {example}</source>
        <translation>eine Liste mit bis zu drei Sprachen, wie {example}</translation>
    </message>
    <message>
        <source>a list of {names}</source>
        <translation>eine Liste aus {names}</translation>
    </message>
    <message>
        <source>a name in double quotes is missing</source>
        <translation>ein Name in doppelten Anführungszeichen fehlt</translation>
    </message>
    <message>
        <source>a number of days, or 0 for never</source>
        <translation>eine Zahl von Tagen, oder 0 für nie</translation>
    </message>
    <message>
        <source>a number of days, or 0 for no history</source>
        <translation>eine Zahl von Tagen, oder 0 für keinen Verlauf</translation>
    </message>
    <message>
        <source>a number of seconds above 0</source>
        <translation>eine Zahl von Sekunden über 0</translation>
    </message>
    <message>
        <source>a number of seconds above 0, &quot;auto&quot; or &quot;none&quot;</source>
        <translation>eine Zahl von Sekunden über 0, &quot;auto&quot; oder &quot;none&quot;</translation>
    </message>
    <message>
        <source>a port number from 0 to 65535</source>
        <translation>eine Portnummer von 0 bis 65535</translation>
    </message>
    <message>
        <source>a price of a million tokens</source>
        <translation>ein Preis für eine Million Token</translation>
    </message>
    <message>
        <source>a public key of minisign, 56 letters that begin with RW</source>
        <translation>ein öffentlicher Schlüssel von minisign, 56 Zeichen, die mit RW beginnen</translation>
    </message>
    <message>
        <source>a table</source>
        <translation>eine Tabelle</translation>
    </message>
    <message>
        <source>a table of texts named {names}</source>
        <translation>eine Tabelle von Texten mit den Namen {names}</translation>
    </message>
    <message>
        <source>a table of texts, such as {example}</source>
        <translation>eine Tabelle von Texten, etwa {example}</translation>
    </message>
    <message>
        <source>a text is not ended</source>
        <translation>ein Text ist nicht beendet</translation>
    </message>
    <message>
        <source>a value is missing</source>
        <translation>ein Wert fehlt</translation>
    </message>
    <message>
        <source>a whole number, or 0 for no limit</source>
        <translation>eine ganze Zahl, oder 0 für unbegrenzt</translation>
    </message>
    <message>
        <source>an address that begins with http:// or https://</source>
        <translation>eine Adresse, die mit http:// oder https:// beginnt</translation>
    </message>
    <message>
        <source>an address that begins with https:// (http:// on this computer only)</source>
        <translation>eine Adresse, die mit https:// beginnt (http:// nur auf diesem Computer)</translation>
    </message>
    <message>
        <source>an unnamed server</source>
        <translation>einem Server ohne Namen</translation>
    </message>
    <message>
        <source>and {count} more</source>
        <translation>und {count} weitere</translation>
    </message>
    <message>
        <source>autoreply has no saved accounts here.</source>
        <translation>autoreply hat hier keine Konten gespeichert.</translation>
    </message>
    <message>
        <source>it did not end within {count} seconds</source>
        <translation>er war nach {count} Sekunden nicht zu Ende</translation>
    </message>
    <message>
        <source>it is signed with another key</source>
        <translation>sie ist mit einem anderen Schlüssel signiert</translation>
    </message>
    <message>
        <source>it uses HTTP+SSE, which is old and not supported</source>
        <translation>er verwendet HTTP+SSE, eine alte Verbindungsart, die nicht unterstützt wird</translation>
    </message>
    <message>
        <source>its signature cannot be read</source>
        <translation>ihre Signatur kann nicht gelesen werden</translation>
    </message>
    <message>
        <source>its signature does not fit: somebody has changed it</source>
        <translation>ihre Signatur passt nicht: jemand hat sie verändert</translation>
    </message>
    <message>
        <source>keys, such as &quot;Meta+Alt+A&quot;, or &quot;none&quot;</source>
        <translation>Tasten wie &quot;Meta+Alt+A&quot; oder &quot;none&quot;</translation>
    </message>
    <message>
        <source>the archive cannot be read</source>
        <translation>das Archiv kann nicht gelesen werden</translation>
    </message>
    <message>
        <source>the file is not the one that was published</source>
        <translation>die Datei ist nicht die veröffentlichte</translation>
    </message>
    <message>
        <source>the file is incomplete</source>
        <translation>die Datei ist unvollständig</translation>
    </message>
    <message>
        <source>the list of files cannot be read</source>
        <translation>die Liste der Dateien kann nicht gelesen werden</translation>
    </message>
    <message>
        <source>the list of files is older than one that was seen before</source>
        <translation>die Liste der Dateien ist älter als eine schon bekannte</translation>
    </message>
    <message>
        <source>the list of files is out of date</source>
        <translation>die Liste der Dateien ist abgelaufen</translation>
    </message>
    <message>
        <source>there is no file for this kind of installation</source>
        <translation>für diese Art der Installation gibt es keine Datei</translation>
    </message>
    <message>
        <source>this is not a public key of minisign</source>
        <translation>dies ist kein öffentlicher Schlüssel von minisign</translation>
    </message>
    <message>
        <source>{address} is not an https address.</source>
        <translation>{address} ist keine https-Adresse.</translation>
    </message>
    <message>
        <source>{address} is not for a server on the internet to name.</source>
        <translation>{address} darf ein Server im Internet nicht nennen.</translation>
    </message>
    <message>
        <source>{host} answered HTTP {status}.</source>
        <translation>{host} antwortete HTTP {status}.</translation>
    </message>
    <message>
        <source>{low} lines</source>
        <translation>{low} Zeilen</translation>
    </message>
    <message>
        <source>{low} to {high} lines</source>
        <translation>{low} bis {high} Zeilen</translation>
    </message>
    <message>
        <source>{low}–{high}</source>
        <translation>{low}–{high}</translation>
    </message>
    <message>
        <source>{name} is stored in your keychain.</source>
        <translation>{name} ist in Ihrem Schlüsselbund gespeichert.</translation>
    </message>
    <message>
        <source>config.toml says vault = &quot;refuse&quot;. Choose another, such as &quot;auto&quot;.</source>
        <translation>config.toml sagt vault = &quot;refuse&quot;. Wählen Sie etwas anderes, etwa &quot;auto&quot;.</translation>
    </message>
    <message>
        <source>At least {low} lines</source>
        <translation>Mindestens {low} Zeilen</translation>
    </message>
    <message>
        <source>Choose at least {low}</source>
        <translation>Mindestens {low} auswählen</translation>
    </message>
    <message>
        <source>Choose up to {high}</source>
        <translation>Bis zu {high} auswählen</translation>
    </message>
    <message>
        <source>Choose {low}</source>
        <translation>{low} auswählen</translation>
    </message>
    <message>
        <source>Choose {low} to {high}</source>
        <translation>{low} bis {high} auswählen</translation>
    </message>
    <message>
        <source>Keys are stored in an encrypted file</source>
        <translation>Schlüssel liegen in einer verschlüsselten Datei</translation>
    </message>
    <message>
        <source>Keys are stored in memory</source>
        <translation>Schlüssel liegen im Arbeitsspeicher</translation>
    </message>
    <message>
        <source>Keys are stored in your system keychain</source>
        <translation>Schlüssel liegen im Schlüsselbund Ihres Systems</translation>
    </message>
    <message>
        <source>No keys are stored</source>
        <translation>Es werden keine Schlüssel gespeichert</translation>
    </message>
    <message>
        <source>No keys are stored yet</source>
        <translation>Noch keine Schlüssel gespeichert</translation>
    </message>
    <message>
        <source>None of your models can answer this. Choose one under Models, and you will not be asked.</source>
        <translation>Keines Ihrer Modelle kann das beantworten. Wählen Sie eines unter „Modelle“, dann werden Sie nicht gefragt.</translation>
    </message>
    <message>
        <source>Your passphrase encrypts it. While it is unlocked, programs that run as you can read it.</source>
        <translation>Sie ist mit Ihrer Passphrase verschlüsselt. Solange sie entsperrt ist, können Programme, die unter Ihrem Namen laufen, sie lesen.</translation>
    </message>
    <message>
        <source>config.toml says {setting}.</source>
        <translation>config.toml sagt {setting}.</translation>
    </message>
    <message>
        <source>file</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>it broke off</source>
        <translation>sie brach ab</translation>
    </message>
    <message>
        <source>it calls itself {name}</source>
        <translation>dort nennt man sich {name}</translation>
    </message>
    <message>
        <source>it has neither a command nor an address</source>
        <translation>er hat weder Befehl noch Adresse</translation>
    </message>
    <message>
        <source>it is Deskbell itself</source>
        <translation>das ist Deskbell selbst</translation>
    </message>
    <message>
        <source>it is a part of that application, not a server</source>
        <translation>das ist ein Teil jener Anwendung, kein Server</translation>
    </message>
    <message>
        <source>it is badly packed</source>
        <translation>sie ist falsch gepackt</translation>
    </message>
    <message>
        <source>it is no HTTP</source>
        <translation>das ist kein HTTP</translation>
    </message>
    <message>
        <source>it is not an object</source>
        <translation>das ist kein Objekt</translation>
    </message>
    <message>
        <source>it is there already, as {name}</source>
        <translation>er ist schon da, als {name}</translation>
    </message>
    <message>
        <source>it wants one of your secrets</source>
        <translation>er will eines Ihrer Geheimnisse</translation>
    </message>
    <message>
        <source>its address cannot be read</source>
        <translation>seine Adresse ist nicht lesbar</translation>
    </message>
    <message>
        <source>its address does not begin with http:// or https://</source>
        <translation>seine Adresse beginnt nicht mit http:// oder https://</translation>
    </message>
    <message>
        <source>its folder {path} does not exist. Edit the server&apos;s folder.</source>
        <translation>Den Ordner {path} gibt es nicht. Ändern Sie den Ordner des Servers.</translation>
    </message>
    <message>
        <source>its headers are too long</source>
        <translation>die Header sind zu lang</translation>
    </message>
    <message>
        <source>keychain</source>
        <translation>Schlüsselbund</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>Arbeitsspeicher</translation>
    </message>
    <message>
        <source>no Content-Type</source>
        <translation>keinem Content-Type</translation>
    </message>
    <message>
        <source>no longer knew this connection</source>
        <translation>kannte diese Verbindung nicht mehr</translation>
    </message>
    <message>
        <source>no route</source>
        <translation>kein Weg dorthin</translation>
    </message>
    <message>
        <source>no secure connection to {host} could be made.</source>
        <translation>Eine sichere Verbindung zu {host} kam nicht zustande.</translation>
    </message>
    <message>
        <source>nothing listens at {host}. Is it running?</source>
        <translation>An {host} lauscht nichts. Läuft der Server?</translation>
    </message>
    <message>
        <source>nothing may follow here</source>
        <translation>hier darf nichts mehr folgen</translation>
    </message>
    <message>
        <source>secret store</source>
        <translation>Geheimnisspeicher</translation>
    </message>
    <message>
        <source>set it by {command}.</source>
        <translation>Setzen Sie es mit {command}.</translation>
    </message>
    <message>
        <source>text in quotes</source>
        <translation>Text in Anführungszeichen</translation>
    </message>
    <message>
        <source>the answer is not JSON</source>
        <translation>die Antwort ist kein JSON</translation>
    </message>
    <message>
        <source>the answer names no version</source>
        <translation>die Antwort nennt keine Version</translation>
    </message>
    <message>
        <source>the answer of {host} cannot be read: {why}.</source>
        <translation>Die Antwort von {host} ist nicht lesbar: {why}.</translation>
    </message>
    <message>
        <source>the answer was not for this sign-in.</source>
        <translation>Die Antwort galt nicht dieser Anmeldung.</translation>
    </message>
    <message>
        <source>the certificate of {host} is not trusted.</source>
        <translation>Dem Zertifikat von {host} wird nicht vertraut.</translation>
    </message>
    <message>
        <source>the proxy does not let us through. Check HTTP_PROXY and HTTPS_PROXY.</source>
        <translation>Der Proxy lässt uns nicht durch. Prüfen Sie HTTP_PROXY und HTTPS_PROXY.</translation>
    </message>
    <message>
        <source>the proxy is reached by https, which Deskbell cannot do. Give its address as http://…</source>
        <translation>der Proxy ist nur über https erreichbar, was Deskbell nicht kann. Geben Sie seine Adresse als http://… an</translation>
    </message>
    <message>
        <source>the request could not be made. Check the server&apos;s address, its headers and the proxy.</source>
        <translation>Die Anfrage war nicht möglich. Prüfen Sie Adresse und Kopfzeilen des Servers und den Proxy.</translation>
    </message>
    <message>
        <source>the server&apos;s answer is not valid.</source>
        <translation>Die Antwort des Servers ist ungültig.</translation>
    </message>
    <message>
        <source>there is more than one</source>
        <translation>es ist mehr als eine</translation>
    </message>
    <message>
        <source>this is nested too deeply</source>
        <translation>das ist zu tief verschachtelt</translation>
    </message>
    <message>
        <source>true or false</source>
        <translation>true oder false</translation>
    </message>
    <message>
        <source>what is asked before tools of {server} are called</source>
        <translation>was gefragt wird, bevor Werkzeuge von {server} aufgerufen werden</translation>
    </message>
    <message>
        <source>which servers {host} may use</source>
        <translation>welche Server {host} benutzen darf</translation>
    </message>
    <message>
        <source>which tools {host} may use</source>
        <translation>welche Werkzeuge {host} benutzen darf</translation>
    </message>
    <message>
        <source>Deskbell sends no request to {address}</source>
        <translation>Deskbell sendet keine Anfrage an {address}</translation>
    </message>
    <message>
        <source>{address} is on this computer or in the network around it</source>
        <translation>{address} liegt auf diesem Computer oder im Netz um ihn herum</translation>
    </message>
    <message>
        <source>{app} already has another server named {name}</source>
        <translation>{app} hat schon einen anderen Server namens {name}</translation>
    </message>
    <message>
        <source>{app} cannot be given an address</source>
        <translation>{app} kann keine Adresse bekommen</translation>
    </message>
    <message>
        <source>{app} was not found on this computer</source>
        <translation>{app} wurde auf diesem Computer nicht gefunden</translation>
    </message>
    <message>
        <source>{did} has no server</source>
        <translation>{did} hat keinen Server</translation>
    </message>
    <message>
        <source>Deskbell does not support the DID {did}</source>
        <translation>{did} ist keine DID, die Deskbell kennt</translation>
    </message>
    <message>
        <source>{file} cannot be read ({why}). Changes of allowed tools are noticed from now on only.</source>
        <translation>{file} kann nicht gelesen werden ({why}). Änderungen erlaubter Werkzeuge werden erst von jetzt an bemerkt.</translation>
    </message>
    <message>
        <source>{file} could not be read ({why}); it is now {aside}.</source>
        <translation>{file} konnte nicht gelesen werden ({why}); sie heißt jetzt {aside}.</translation>
    </message>
    <message>
        <source>{file}, line {line}, column {column}</source>
        <translation>{file}, Zeile {line}, Spalte {column}</translation>
    </message>
    <message>
        <source>{file}, line {line}: {what}</source>
        <translation>{file}, Zeile {line}: {what}</translation>
    </message>
    <message>
        <source>{first}
{rest}</source>
        <translation>{first}
{rest}</translation>
    </message>
    <message>
        <source>{host} broke off the connection.</source>
        <translation>{host} hat die Verbindung abgebrochen.</translation>
    </message>
    <message>
        <source>{host} cannot be reached</source>
        <translation>{host} ist nicht zu erreichen</translation>
    </message>
    <message>
        <source>{host} cannot sign you in</source>
        <translation>{host} kann Sie nicht anmelden</translation>
    </message>
    <message>
        <source>{host} could not be told: {why}</source>
        <translation>{host} konnte es nicht erfahren: {why}</translation>
    </message>
    <message>
        <source>{host} did not accept a connection within {limit} s.</source>
        <translation>{host} hat in {limit} s keine Verbindung angenommen.</translation>
    </message>
    <message>
        <source>{host} did not answer</source>
        <translation>{host} hat nicht geantwortet</translation>
    </message>
    <message>
        <source>{host} did not end the sign-in</source>
        <translation>{host} hat die Anmeldung nicht beendet</translation>
    </message>
    <message>
        <source>{host} did not finish the sign-in</source>
        <translation>{host} hat die Anmeldung nicht abgeschlossen</translation>
    </message>
    <message>
        <source>{host} did not renew the sign-in</source>
        <translation>{host} hat die Anmeldung nicht erneuert</translation>
    </message>
    <message>
        <source>{host} did not sign you in</source>
        <translation>{host} hat Sie nicht angemeldet</translation>
    </message>
    <message>
        <source>{host} does not offer OAuth</source>
        <translation>{host} bietet kein OAuth an</translation>
    </message>
    <message>
        <source>{host} is not the server of @{handle}.</source>
        <translation>{host} ist nicht der Server von @{handle}.</translation>
    </message>
    <message>
        <source>{host} cannot be reached ({why}).</source>
        <translation>{host} ist nicht erreichbar ({why}).</translation>
    </message>
    <message>
        <source>{host} may use a server named {new}, and not {old}</source>
        <translation>{host} darf einen Server namens {new} verwenden, {old} aber nicht</translation>
    </message>
    <message>
        <source>{host} refused a question without showing it. Its questions now appear on your desktop. To let {host} show them again, use the page AI apps or {command}.</source>
        <translation>{host} hat eine Frage abgelehnt, ohne sie zu zeigen. Die Fragen erscheinen jetzt auf Ihrem Desktop. Damit {host} sie wieder zeigt, nutzen Sie die Seite KI-Apps oder {command}.</translation>
    </message>
    <message>
        <source>{host} refused the sign-in</source>
        <translation>{host} hat die Anmeldung abgelehnt</translation>
    </message>
    <message>
        <source>{host} renewed {did}.</source>
        <translation>{host} hat {did} erneuert.</translation>
    </message>
    <message>
        <source>{host} sent too much</source>
        <translation>{host} hat zu viel gesendet</translation>
    </message>
    <message>
        <source>{host} signed in {did}.</source>
        <translation>{host} hat {did} angemeldet.</translation>
    </message>
    <message>
        <source>{host} wants you to wait</source>
        <translation>{host} bittet Sie zu warten</translation>
    </message>
    <message>
        <source>{host} was not found. Check the address and the network.</source>
        <translation>{host} wurde nicht gefunden. Prüfen Sie die Adresse und das Netz.</translation>
    </message>
    <message>
        <source>{keyring} is set up, which does not keep secrets safe. {remedy}</source>
        <translation>Eingerichtet ist {keyring}, und dort sind Geheimnisse nicht sicher. {remedy}</translation>
    </message>
    <message>
        <source>{key} cannot be {value}</source>
        <translation>{key} kann nicht {value} sein</translation>
    </message>
    <message>
        <source>{key} could not be changed. {why}</source>
        <translation>{key} konnte nicht geändert werden. {why}</translation>
    </message>
    <message>
        <source>{key} is kept by that application: please set it in env.</source>
        <translation>{key} bewahrt jene Anwendung auf: Bitte setzen Sie es in env.</translation>
    </message>
    <message>
        <source>{key} is not a setting; it is ignored.</source>
        <translation>{key} ist keine Einstellung und wird nicht beachtet.</translation>
    </message>
    <message>
        <source>{key} is not its key, or one was altered. Restore both from one backup.</source>
        <translation>{key} ist nicht der passende Schlüssel, oder eines wurde verändert. Stellen Sie beide aus derselben Sicherung wieder her.</translation>
    </message>
    <message>
        <source>{key} must be {what}.</source>
        <translation>{key}: Nötig ist {what}.</translation>
    </message>
    <message>
        <source>{key} must have a name of letters, digits, - and _, at most 64.</source>
        <translation>{key}: Der Name darf nur Buchstaben, Ziffern, - und _ haben, höchstens 64.</translation>
    </message>
    <message>
        <source>{key} must have another name: this is a built-in server&apos;s.</source>
        <translation>{key} braucht einen anderen Namen: So heißt ein eingebauter Server.</translation>
    </message>
    <message>
        <source>{key} must have either a command or a url.</source>
        <translation>{key} braucht entweder command oder url.</translation>
    </message>
    <message>
        <source>{key} must have {names}.</source>
        <translation>{key} braucht {names}.</translation>
    </message>
    <message>
        <source>{key} uses {reference} where it is not filled in: only env and headers are secret.</source>
        <translation>{key} verwendet {reference}, wo es nicht eingesetzt wird: Nur env und headers sind geheim.</translation>
    </message>
    <message>
        <source>{low} to {high} characters.</source>
        <translation>{low} bis {high} Zeichen.</translation>
    </message>
    <message>
        <source>{name} cannot be a model&apos;s name</source>
        <translation>{name} kann nicht der Name eines Modells sein</translation>
    </message>
    <message>
        <source>{name} cannot be a server&apos;s name</source>
        <translation>{name} kann kein Servername sein</translation>
    </message>
    <message>
        <source>{name} cannot be the name of a secret</source>
        <translation>{name} kann kein Geheimnis heißen</translation>
    </message>
    <message>
        <source>{name} is damaged in the keychain</source>
        <translation>{name} ist im Schlüsselbund beschädigt</translation>
    </message>
    <message>
        <source>{name} is deleted.</source>
        <translation>{name} ist gelöscht.</translation>
    </message>
    <message>
        <source>{name} is empty, long or unprintable.</source>
        <translation>{name} ist leer, zu lang oder nicht druckbar.</translation>
    </message>
    <message>
        <source>{number} characters</source>
        <translation>{number} Zeichen</translation>
    </message>
    <message>
        <source>{number} items</source>
        <translation>{number} Einträge</translation>
    </message>
    <message>
        <source>{number} or less.</source>
        <translation>{number} oder weniger.</translation>
    </message>
    <message>
        <source>{number} or more.</source>
        <translation>{number} oder mehr.</translation>
    </message>
    <message>
        <source>{old} is called {new} now; so are its tools.</source>
        <translation>{old} heißt jetzt {new}; auch seine Werkzeuge.</translation>
    </message>
    <message>
        <source>{others} or {last}</source>
        <translation>{others} oder {last}</translation>
    </message>
    <message>
        <source>{path} cannot be changed by Deskbell without touching more than its own entry</source>
        <translation>{path} kann von Deskbell nicht geändert werden, ohne mehr als den eigenen Eintrag zu berühren</translation>
    </message>
    <message>
        <source>{path} cannot be deleted</source>
        <translation>{path} kann nicht gelöscht werden</translation>
    </message>
    <message>
        <source>{path} cannot be edited by Deskbell</source>
        <translation>{path} kann von Deskbell nicht bearbeitet werden</translation>
    </message>
    <message>
        <source>{path} cannot be opened</source>
        <translation>{path} kann nicht geöffnet werden</translation>
    </message>
    <message>
        <source>{path} cannot be read</source>
        <translation>{path} kann nicht gelesen werden</translation>
    </message>
    <message>
        <source>{path} cannot be used</source>
        <translation>{path} kann nicht benutzt werden</translation>
    </message>
    <message>
        <source>{path} cannot be written</source>
        <translation>{path} kann nicht geschrieben werden</translation>
    </message>
    <message>
        <source>{path} has changed since.</source>
        <translation>{path} hat sich seitdem geändert.</translation>
    </message>
    <message>
        <source>{path} has no table of servers where it should be</source>
        <translation>{path} hat keine Tabelle der Server, wo sie sein sollte</translation>
    </message>
    <message>
        <source>{path} has servers outside {key}</source>
        <translation>{path} enthält Server außerhalb von {key}</translation>
    </message>
    <message>
        <source>{path} is damaged</source>
        <translation>{path} ist beschädigt</translation>
    </message>
    <message>
        <source>{path} is in the way</source>
        <translation>{path} ist im Weg</translation>
    </message>
    <message>
        <source>Deskbell has not changed {path}, or another program has changed it since.</source>
        <translation>Deskbell hat {path} nicht geändert, oder ein anderes Programm hat die Datei seither geändert.</translation>
    </message>
    <message>
        <source>{path} is not written in UTF-8</source>
        <translation>{path} ist nicht in UTF-8 geschrieben</translation>
    </message>
    <message>
        <source>{path} is too large</source>
        <translation>{path} ist zu groß</translation>
    </message>
    <message>
        <source>{path} is write-protected</source>
        <translation>{path} ist schreibgeschützt</translation>
    </message>
    <message>
        <source>{path} is not valid</source>
        <translation>{path} ist ungültig</translation>
    </message>
    <message>
        <source>{path} has a mistake at line {line}, column {column}</source>
        <translation>{path} hat einen Fehler in Zeile {line}, Spalte {column}</translation>
    </message>
    <message>
        <source>{path} was changed by another program meanwhile</source>
        <translation>{path} wurde inzwischen von einem anderen Programm geändert</translation>
    </message>
    <message>
        <source>{path} was deleted while Deskbell runs: nothing is saved any more. Quit Deskbell and start it again.</source>
        <translation>{path} wurde gelöscht, während Deskbell läuft: Nichts wird mehr gespeichert. Beenden Sie Deskbell und starten Sie es neu.</translation>
    </message>
    <message>
        <source>{path} was written by a newer Deskbell</source>
        <translation>{path} wurde von einem neueren Deskbell geschrieben</translation>
    </message>
    <message>
        <source>{preset} is not one of the choices</source>
        <translation>{preset} ist keine der Vorgaben</translation>
    </message>
    <message>
        <source>{problem} {remedy}</source>
        <translation>{problem} {remedy}</translation>
    </message>
    <message>
        <source>{program} may not have the secret {name}</source>
        <translation>{program} darf das Geheimnis {name} nicht haben</translation>
    </message>
    <message>
        <source>{program} wants your secret {name}. May it have it, now and later?</source>
        <translation>{program} möchte Ihr Geheimnis {name}. Darf es das haben, jetzt und später?</translation>
    </message>
    <message>
        <source>{reference} names no secret</source>
        <translation>{reference} nennt kein Geheimnis</translation>
    </message>
    <message>
        <source>{rule}</source>
        <translation>{rule}</translation>
    </message>
    <message>
        <source>{rule} of {host}</source>
        <translation>{rule} von {host}</translation>
    </message>
    <message>
        <source>{said}. Try again later.</source>
        <translation>{said}. Versuchen Sie es später noch einmal.</translation>
    </message>
    <message>
        <source>{said}. Try again.</source>
        <translation>{said}. Versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>{server} accepted the request and left it unanswered.</source>
        <translation>{server} hat die Anfrage angenommen und nicht beantwortet.</translation>
    </message>
    <message>
        <source>{server} answered another request than this one.</source>
        <translation>{server} hat auf eine andere Anfrage als diese geantwortet.</translation>
    </message>
    <message>
        <source>{server} answered with more than 64 MiB.</source>
        <translation>{server} antwortete mit mehr als 64 MiB.</translation>
    </message>
    <message>
        <source>{server} sent an answer that is not MCP.</source>
        <translation>{server} hat eine Antwort gesendet, die nicht MCP ist.</translation>
    </message>
    <message>
        <source>{server} answered with {kind}. Is this its MCP address?</source>
        <translation>{server} antwortete mit {kind}. Ist das seine MCP-Adresse?</translation>
    </message>
    <message>
        <source>{server} answered {told}.</source>
        <translation>{server} antwortete {told}.</translation>
    </message>
    <message>
        <source>{server} asked something in the middle of the call</source>
        <translation>{server} hat mitten im Aufruf etwas gefragt</translation>
    </message>
    <message>
        <source>{server} asks as before.</source>
        <translation>{server} fragt wie bisher.</translation>
    </message>
    <message>
        <source>{server} broke off its answer.</source>
        <translation>{server} hat die Antwort abgebrochen.</translation>
    </message>
    <message>
        <source>{server} closed the connection and kept running</source>
        <translation>{server} hat die Verbindung geschlossen und lief weiter</translation>
    </message>
    <message>
        <source>{server} did not answer within {limit} seconds.</source>
        <translation>{server} hat in {limit} Sekunden nicht geantwortet.</translation>
    </message>
    <message>
        <source>{server} denies access. It answered HTTP {status}.</source>
        <translation>{server} verweigert den Zugang. Er antwortete HTTP {status}.</translation>
    </message>
    <message>
        <source>{server} does not read what it is sent: more than 64 MiB are waiting. It was stopped.</source>
        <translation>{server} liest nicht, was ihm gesendet wird: Mehr als 64 MiB warten. Er wurde angehalten.</translation>
    </message>
    <message>
        <source>{server} ended its answer before the result.</source>
        <translation>{server} hat die Antwort vor dem Ergebnis beendet.</translation>
    </message>
    <message>
        <source>{server} ended with code {code}</source>
        <translation>{server} endete mit Code {code}</translation>
    </message>
    <message>
        <source>{server} has reached its limit of requests within an hour: {count} so far.</source>
        <translation>{server} hat die Höchstzahl der Anfragen in einer Stunde erreicht: bisher {count}.</translation>
    </message>
    <message>
        <source>{server} has moved to {address}. If you trust that address, edit the server and enter it.</source>
        <translation>{server} ist zu {address} umgezogen. Wenn Sie dieser Adresse vertrauen, bearbeiten Sie den Server und tragen sie ein.</translation>
    </message>
    <message>
        <source>{server} has used {count} tokens today.</source>
        <translation>{server} hat heute {count} Token verbraucht.</translation>
    </message>
    <message>
        <source>{server} is closed.</source>
        <translation>{server} ist geschlossen.</translation>
    </message>
    <message>
        <source>{server} needs you to sign in: {command}</source>
        <translation>{server} braucht Ihre Anmeldung: {command}</translation>
    </message>
    <message>
        <source>{server} no longer knows this connection (HTTP {status}).</source>
        <translation>{server} kennt diese Verbindung nicht mehr (HTTP {status}).</translation>
    </message>
    <message>
        <source>{server} redirects in circles.</source>
        <translation>{server} leitet im Kreis weiter.</translation>
    </message>
    <message>
        <source>{server} redirects to an invalid address.</source>
        <translation>{server} leitet an eine ungültige Adresse weiter.</translation>
    </message>
    <message>
        <source>{server} refuses you although you have signed in.</source>
        <translation>{server} weist Sie ab, obwohl Sie angemeldet sind.</translation>
    </message>
    <message>
        <source>{server} sent a list of more than {most}.</source>
        <translation>{server} hat eine Liste von mehr als {most} gesendet.</translation>
    </message>
    <message>
        <source>{server} sent an answer that cannot be read: {why}.</source>
        <translation>{server} hat eine Antwort gesendet, die nicht lesbar ist: {why}.</translation>
    </message>
    <message>
        <source>{server} sent an invalid answer: {why}.</source>
        <translation>{server} hat eine ungültige Antwort gesendet: {why}.</translation>
    </message>
    <message>
        <source>{server} sent an event of more than 64 MiB.</source>
        <translation>{server} hat ein Ereignis von mehr als 64 MiB gesendet.</translation>
    </message>
    <message>
        <source>{server} sent more than 64 MiB in one line. It was stopped.</source>
        <translation>{server} hat mehr als 64 MiB in einer Zeile gesendet. Er wurde angehalten.</translation>
    </message>
    <message>
        <source>{server} wants you to sign in (HTTP 401).</source>
        <translation>{server} möchte, dass Sie sich anmelden (HTTP 401).</translation>
    </message>
    <message>
        <source>{server} wants you to sign in. Deskbell then acts for you there, until you sign out.</source>
        <translation>{server} möchte, dass Sie sich anmelden. Deskbell handelt dort dann für Sie, bis Sie sich abmelden.</translation>
    </message>
    <message>
        <source>{server} was ended by signal {number}</source>
        <translation>{server} wurde durch das Signal {number} beendet</translation>
    </message>
    <message>
        <source>{server} was ended by {signal}</source>
        <translation>{server} wurde durch {signal} beendet</translation>
    </message>
    <message>
        <source>{server} was restarted. Try again.</source>
        <translation>{server} wurde neu gestartet. Versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>{server} could not be connected: {reason}</source>
        <translation>{server} konnte nicht verbunden werden: {reason}</translation>
    </message>
    <message>
        <source>{setting} names a SOCKS proxy, which Deskbell cannot use. Set HTTPS_PROXY to an HTTP proxy, or add {host} to NO_PROXY.</source>
        <translation>{setting} nennt einen SOCKS-Proxy, den Deskbell nicht benutzen kann. Setzen Sie HTTPS_PROXY auf einen HTTP-Proxy, oder nehmen Sie {host} in NO_PROXY auf.</translation>
    </message>
    <message>
        <source>{text} is not a Bluesky account</source>
        <translation>{text} ist kein Bluesky-Konto</translation>
    </message>
    <message>
        <source>{title}.</source>
        <translation>{title}.</translation>
    </message>
    <message>
        <source>{title}. {message}</source>
        <translation>{title}. {message}</translation>
    </message>
    <message>
        <source>{title}:
{message}</source>
        <translation>{title}:
{message}</translation>
    </message>
    <message>
        <source>{title}: {message}</source>
        <translation>{title}: {message}</translation>
    </message>
    <message>
        <source>Could not save “Always allow” for {tool}.</source>
        <translation>„Immer erlauben“ für {tool} konnte nicht gespeichert werden.</translation>
    </message>
    <message>
        <source>{tool} is still allowed.</source>
        <translation>{tool} ist weiterhin erlaubt.</translation>
    </message>
    <message>
        <source>{tool} of {server} needs an approval</source>
        <translation>{tool} von {server} braucht eine Freigabe</translation>
    </message>
    <message>
        <source>{what}, and nobody answered in time.</source>
        <translation>{what}, und niemand hat rechtzeitig geantwortet.</translation>
    </message>
    <message>
        <source>{what}, and nobody answered within {seconds} s.</source>
        <translation>{what}, und niemand hat in {seconds} s geantwortet.</translation>
    </message>
    <message>
        <source>{what}. Fix it, then try again.</source>
        <translation>{what}. Beheben Sie das und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>{where}{state}.</source>
        <translation>{where}{state}.</translation>
    </message>
    <message>
        <source>{why}. Delete it to get a new one.</source>
        <translation>{why}. Löschen Sie sie, um eine neue zu bekommen.</translation>
    </message>
    <message>
        <source>{why}. It lists the names of your secrets; restore it from a backup.</source>
        <translation>{why}. Dort stehen die Namen Ihrer Geheimnisse; stellen Sie die Datei aus einer Sicherung wieder her.</translation>
    </message>
    <message>
        <source>{why}. Set DESKBELL_HOME to a folder of your own.</source>
        <translation>{why}. Setzen Sie DESKBELL_HOME auf einen eigenen Ordner.</translation>
    </message>
    <message>
        <source>{why}. Unlock it, and try again.</source>
        <translation>{why}. Entsperren Sie ihn und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>{why}. Your browser could not report back.</source>
        <translation>{why}. Ihr Browser könnte sich nicht zurückmelden.</translation>
    </message>
    <message>
        <source>⚠️ {reason}</source>
        <translation>⚠️ {reason}</translation>
    </message>
    <message>
        <source>✓ Logged in as @{handle}</source>
        <translation>✓ Angemeldet als @{handle}</translation>
    </message>
</context>
<context>
    <name>form</name>
    <message>
        <source>a file of {size} kB</source>
        <translation>eine Datei mit {size} kB</translation>
    </message>
</context>
<context>
    <name>history</name>
    <message>
        <source>Yesterday</source>
        <translation>Gestern</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>Heute</translation>
    </message>
    <message>
        <source>An AI app</source>
        <translation>Eine KI-App</translation>
    </message>
    <message>
        <source>You answered {server}: {sent}</source>
        <translation>Sie haben {server} geantwortet: {sent}</translation>
    </message>
    <message>
        <source>You agreed: {words}</source>
        <translation>Sie haben zugestimmt: {words}</translation>
    </message>
    <message>
        <source>You opened a page for {server}: {words}</source>
        <translation>Sie haben für {server} eine Seite geöffnet: {words}</translation>
    </message>
    <message>
        <source>Answered in {app}: {words}</source>
        <translation>In {app} beantwortet: {words}</translation>
    </message>
    <message>
        <source>{server} asked: {words}</source>
        <translation>{server} hat gefragt: {words}</translation>
    </message>
    <message>
        <source>Yes</source>
        <translation>Ja</translation>
    </message>
    <message>
        <source>No</source>
        <translation>Nein</translation>
    </message>
    <message>
        <source>You declined {server}: {words}</source>
        <translation>Sie haben eine Frage von {server} abgelehnt: {words}</translation>
    </message>
    <message>
        <source>You closed a question from {server}: {words}</source>
        <translation>Sie haben eine Frage von {server} geschlossen: {words}</translation>
    </message>
    <message>
        <source>You missed a question from {server}: {words}</source>
        <translation>Sie haben eine Frage von {server} verpasst: {words}</translation>
    </message>
    <message>
        <source>No one was there to answer {server}: {words}</source>
        <translation>Niemand war da, um {server} zu antworten: {words}</translation>
    </message>
    <message>
        <source>{server} withdrew its question: {words}</source>
        <translation>{server} hat seine Frage zurückgezogen: {words}</translation>
    </message>
    <message>
        <source>Muted, so declined: {server} asked {words}</source>
        <translation>Stummgeschaltet, darum abgelehnt: {server} hat gefragt: {words}</translation>
    </message>
    <message>
        <source>Too many questions from {server}: {words}</source>
        <translation>Zu viele Fragen von {server}: {words}</translation>
    </message>
    <message>
        <source>You allowed {app} to use {tool} ({server})</source>
        <translation>Sie haben {app} erlaubt, {tool} zu benutzen ({server})</translation>
    </message>
    <message>
        <source>You always allow {app} to use {tool} ({server})</source>
        <translation>Sie erlauben {app} immer, {tool} zu benutzen ({server})</translation>
    </message>
    <message>
        <source>You didn&apos;t allow {app} to use {tool} ({server})</source>
        <translation>Sie haben {app} nicht erlaubt, {tool} zu benutzen ({server})</translation>
    </message>
    <message>
        <source>You missed a request: {app} wanted to use {tool} ({server})</source>
        <translation>Sie haben eine Anfrage verpasst: {app} wollte {tool} benutzen ({server})</translation>
    </message>
    <message>
        <source>{app} wanted to use {tool} ({server})</source>
        <translation>{app} wollte {tool} benutzen ({server})</translation>
    </message>
    <message>
        <source>{app} used {tool} ({server})</source>
        <translation>{app} hat {tool} benutzt ({server})</translation>
    </message>
    <message>
        <source>{tool} failed for {app} ({server})</source>
        <translation>{tool} ist für {app} fehlgeschlagen ({server})</translation>
    </message>
    <message>
        <source>Blocked: {app} wanted to use {tool} ({server})</source>
        <translation>Gesperrt: {app} wollte {tool} benutzen ({server})</translation>
    </message>
    <message>
        <source>You stopped {tool} for {app} ({server})</source>
        <translation>Sie haben {tool} für {app} abgebrochen ({server})</translation>
    </message>
    <message>
        <source>{app} cancelled {tool} ({server})</source>
        <translation>{app} hat {tool} abgebrochen ({server})</translation>
    </message>
    <message>
        <source>{tool} was interrupted: Deskbell ended ({server})</source>
        <translation>{tool} wurde unterbrochen: Deskbell wurde beendet ({server})</translation>
    </message>
    <message>
        <source>{app} called {tool} ({server})</source>
        <translation>{app} hat {tool} aufgerufen ({server})</translation>
    </message>
    <message>
        <source>{app} used {server} {count} times: {tools}</source>
        <translation>{app} hat {server} {count}-mal benutzt: {tools}</translation>
    </message>
    <message>
        <source>{server} stopped: {words}</source>
        <translation>{server} wurde beendet: {words}</translation>
    </message>
    <message>
        <source>{server} stopped</source>
        <translation>{server} wurde beendet</translation>
    </message>
    <message>
        <source>You snoozed questions</source>
        <translation>Sie haben Ruhe eingeschaltet</translation>
    </message>
    <message>
        <source>Questions resumed</source>
        <translation>Fragen kommen wieder durch</translation>
    </message>
    <message>
        <source>You muted {server}</source>
        <translation>Sie haben {server} stummgeschaltet</translation>
    </message>
    <message>
        <source>You unmuted {server}</source>
        <translation>Sie haben die Stummschaltung von {server} aufgehoben</translation>
    </message>
    <message>
        <source>{server} asked too often: {words}</source>
        <translation>{server} hat zu oft gefragt: {words}</translation>
    </message>
</context>
<context>
    <name>hosts</name>
    <message>
        <source>Use Deskbell in {name}</source>
        <translation>Deskbell in {name} benutzen</translation>
    </message>
    <message>
        <source>Settings cannot be read</source>
        <translation>Einstellungen nicht lesbar</translation>
    </message>
    <message>
        <source>Connected to a different Deskbell</source>
        <translation>Mit einem anderen Deskbell verbunden</translation>
    </message>
    <message>
        <source>Access removed</source>
        <translation>Zugang entzogen</translation>
    </message>
    <message>
        <source>Connected · {count} tools</source>
        <translation>Verbunden · {count} Werkzeuge</translation>
    </message>
    <message>
        <source>Connected</source>
        <translation>Verbunden</translation>
    </message>
    <message>
        <source>Connected · 1 tool</source>
        <translation>Verbunden · 1 Werkzeug</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>Aus</translation>
    </message>
    <message>
        <source>On · last connected {time}</source>
        <translation>Ein · zuletzt verbunden {time}</translation>
    </message>
    <message>
        <source>On · not connected yet</source>
        <translation>Ein · noch nicht verbunden</translation>
    </message>
    <message>
        <source>Restart {name} for the change to take effect.</source>
        <translation>Starten Sie {name} neu, damit die Änderung wirkt.</translation>
    </message>
    <message>
        <source>It takes effect in {name}&apos;s next conversation.</source>
        <translation>Es wirkt ab dem nächsten Gespräch in {name}.</translation>
    </message>
    <message>
        <source>Press Refresh in {name}&apos;s list of servers.</source>
        <translation>Drücken Sie in der Serverliste von {name} auf „Refresh“.</translation>
    </message>
    <message>
        <source>No restart needed.</source>
        <translation>Ein Neustart ist nicht nötig.</translation>
    </message>
    <message>
        <source>{name} is set up.</source>
        <translation>{name} ist eingerichtet.</translation>
    </message>
    <message>
        <source>{name} no longer uses Deskbell. Its settings are as before.</source>
        <translation>{name} benutzt Deskbell nicht mehr. Die Einstellungen sind wie vorher.</translation>
    </message>
    <message>
        <source>Done. {name}&apos;s servers now ask you through Deskbell.</source>
        <translation>Fertig. Die Server von {name} fragen Sie jetzt über Deskbell.</translation>
    </message>
    <message>
        <source>{name}&apos;s servers are as they were.</source>
        <translation>Die Server von {name} sind wie vorher.</translation>
    </message>
    <message>
        <source>The last change in {name} is undone.</source>
        <translation>Die letzte Änderung in {name} ist rückgängig gemacht.</translation>
    </message>
    <message>
        <source>In {name} when possible</source>
        <translation>Wenn möglich in {name}</translation>
    </message>
    <message>
        <source>Always in Deskbell</source>
        <translation>Immer in Deskbell</translation>
    </message>
    <message>
        <source>Always in {name}</source>
        <translation>Immer in {name}</translation>
    </message>
    <message>
        <source>Waits for your answer as long as it takes</source>
        <translation>Wartet auf Ihre Antwort, so lange es dauert</translation>
    </message>
    <message>
        <source>Waits up to {count} minutes for an answer</source>
        <translation>Wartet bis zu {count} Minuten auf eine Antwort</translation>
    </message>
    <message>
        <source>Waits up to {count} seconds for an answer</source>
        <translation>Wartet bis zu {count} Sekunden auf eine Antwort</translation>
    </message>
</context>
<context>
    <name>inputs</name>
    <message>
        <source>Yes</source>
        <translation>Ja</translation>
    </message>
    <message>
        <source>No</source>
        <translation>Nein</translation>
    </message>
    <message>
        <source>Skip</source>
        <translation>Überspringen</translation>
    </message>
</context>
<context>
    <name>missed</name>
    <message>
        <source>You missed a question from {server}</source>
        <translation>Sie haben eine Frage von {server} verpasst</translation>
    </message>
    <message>
        <source>You missed {count} questions from {servers}</source>
        <translation>Sie haben {count} Fragen von {servers} verpasst</translation>
    </message>
    <message>
        <source>Nobody answered in time. Run it again to be asked again.</source>
        <translation>Niemand hat rechtzeitig geantwortet. Starten Sie es noch einmal, um wieder gefragt zu werden.</translation>
    </message>
    <message>
        <source>{app} was told that nobody answered. Ask it to try again.</source>
        <translation>{app} hat erfahren, dass niemand geantwortet hat. Bitten Sie dort um einen neuen Versuch.</translation>
    </message>
</context>
<context>
    <name>models</name>
    <message>
        <source>OpenAI-compatible</source>
        <translation>OpenAI-kompatibel</translation>
    </message>
</context>
<context>
    <name>one press</name>
    <message>
        <source>Yes</source>
        <translation>Ja</translation>
    </message>
    <message>
        <source>No</source>
        <translation>Nein</translation>
    </message>
    <message>
        <source>Skip</source>
        <translation>Überspringen</translation>
    </message>
    <message>
        <source>Y</source>
        <comment>key for Yes</comment>
        <translation>J</translation>
    </message>
    <message>
        <source>N</source>
        <comment>key for No</comment>
        <translation>N</translation>
    </message>
</context>
<context>
    <name>picture</name>
    <message>
        <source>A picture ({kind}) that cannot be shown.</source>
        <translation>Ein Bild ({kind}), das sich nicht zeigen lässt.</translation>
    </message>
    <message>
        <source>Picture, {width} × {height}</source>
        <translation>Bild, {width} × {height}</translation>
    </message>
</context>
<context>
    <name>readable data</name>
    <message>
        <source>yes</source>
        <translation>ja</translation>
    </message>
    <message>
        <source>no</source>
        <translation>nein</translation>
    </message>
</context>
<context>
    <name>sampling</name>
    <message>
        <source>on this computer</source>
        <translation>auf diesem Computer</translation>
    </message>
    <message>
        <source>about {count} tokens, at most {most} back</source>
        <translation>etwa {count} Token, höchstens {most} zurück</translation>
    </message>
    <message>
        <source>about {count} tokens</source>
        <translation>etwa {count} Token</translation>
    </message>
    <message>
        <source>may cost {price}</source>
        <translation>kostet etwa {price}</translation>
    </message>
</context>
<context>
    <name>servers</name>
    <message>
        <source>Signing in…</source>
        <translation>Anmeldung läuft…</translation>
    </message>
    <message>
        <source>Paused until {time} after failures</source>
        <translation>Nach Fehlern pausiert bis {time}</translation>
    </message>
    <message>
        <source>Idle</source>
        <translation>Bereit</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>Startet…</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>Läuft</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Fehlgeschlagen</translation>
    </message>
    <message>
        <source>Sign-in needed</source>
        <translation>Anmeldung nötig</translation>
    </message>
    <message>
        <source>Needs a key</source>
        <translation>Braucht einen Schlüssel</translation>
    </message>
    <message>
        <source>Switched off</source>
        <translation>Ausgeschaltet</translation>
    </message>
    <message>
        <source>program</source>
        <translation>Programm</translation>
    </message>
    <message>
        <source>web</source>
        <translation>Web</translation>
    </message>
    <message>
        <source>built in</source>
        <translation>eingebaut</translation>
    </message>
</context>
<context>
    <name>snooze</name>
    <message>
        <source>For &amp;30 minutes</source>
        <translation>Für &amp;30 Minuten</translation>
    </message>
    <message>
        <source>For &amp;1 hour</source>
        <translation>Für &amp;1 Stunde</translation>
    </message>
    <message>
        <source>For &amp;8 hours</source>
        <translation>Für &amp;8 Stunden</translation>
    </message>
    <message>
        <source>&amp;Until I resume</source>
        <translation>Bis ich &amp;weitermache</translation>
    </message>
</context>
</TS>
