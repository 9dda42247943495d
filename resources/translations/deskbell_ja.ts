<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="ja">
<context>
    <name>AboutWindow</name>
    <message>
        <source>About Deskbell</source>
        <translation>Deskbell について</translation>
    </message>
    <message>
        <source>A bell on your desk that AI applications ring.</source>
        <translation>AI アプリが鳴らす、机の上のベル。</translation>
    </message>
    <message>
        <source>Free software under the MIT licence, without any warranty.</source>
        <translation>MIT ライセンスのフリーソフトウェアです。無保証です。</translation>
    </message>
    <message>
        <source>Made with</source>
        <translation>使用しているもの</translation>
    </message>
    <message>
        <source>Licences…</source>
        <translation>ライセンス…</translation>
    </message>
    <message>
        <source>C&amp;lose</source>
        <translation>閉じる(&amp;L)</translation>
    </message>
</context>
<context>
    <name>AccountsPage</name>
    <message>
        <source>Unlock your keychain in the window it has opened.</source>
        <translation>開いたウィンドウでキーリングのロックを解除してください。</translation>
    </message>
    <message>
        <source>Sign-ins cannot be stored: {why}</source>
        <translation>サインイン情報を保存できません: {why}</translation>
    </message>
    <message>
        <source>Signing in</source>
        <translation>サインイン中</translation>
    </message>
    <message>
        <source>C&amp;opy address</source>
        <translation>アドレスをコピー(&amp;O)</translation>
    </message>
    <message>
        <source>The page to sign in on, if your browser did not open it</source>
        <translation>サインイン用のページ(ブラウザーで開かなかった場合)</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>キャンセル(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Sign in with your browser</source>
        <translation>ブラウザーでサインイン(&amp;S)</translation>
    </message>
    <message>
        <source>Opens your server&apos;s own page. Deskbell never sees a password.</source>
        <translation>サーバー自身のページを開きます。Deskbell がパスワードを見ることはありません。</translation>
    </message>
    <message>
        <source>Sign-ins are stored in an encrypted file.</source>
        <translation>サインイン情報は暗号化されたファイルに保存されます。</translation>
    </message>
    <message>
        <source>Sign-ins are forgotten when Deskbell quits.</source>
        <translation>サインイン情報は Deskbell の終了時に消えます。</translation>
    </message>
    <message>
        <source>Recommended. Deskbell never sees your password.</source>
        <translation>推奨。Deskbell がパスワードを知ることはありません。</translation>
    </message>
    <message>
        <source>Other &amp;ways</source>
        <translation>ほかの方法(&amp;W)</translation>
    </message>
    <message>
        <source>Handle</source>
        <translation>ハンドル</translation>
    </message>
    <message>
        <source>App password</source>
        <translation>アプリパスワード</translation>
    </message>
    <message>
        <source>&amp;Handle</source>
        <translation>ハンドル(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;App password</source>
        <translation>アプリパスワード(&amp;A)</translation>
    </message>
    <message>
        <source>Sign &amp;in</source>
        <translation>サインイン(&amp;I)</translation>
    </message>
    <message>
        <source>{handle} · default</source>
        <translation>{handle} · 既定</translation>
    </message>
    <message>
        <source>Please sign in again. {why}</source>
        <translation>もう一度サインインしてください。{why}</translation>
    </message>
    <message>
        <source>app password</source>
        <translation>アプリパスワード</translation>
    </message>
    <message>
        <source>not used yet</source>
        <translation>未使用</translation>
    </message>
    <message>
        <source>last used {when}</source>
        <translation>最終使用 {when}</translation>
    </message>
    <message>
        <source>Sign in again</source>
        <translation>もう一度サインイン</translation>
    </message>
    <message>
        <source>Sign in again as {name}</source>
        <translation>{name} としてもう一度サインイン</translation>
    </message>
    <message>
        <source>Make default</source>
        <translation>既定にする</translation>
    </message>
    <message>
        <source>Make {name} the default</source>
        <translation>{name} を既定にする</translation>
    </message>
    <message>
        <source>Sign out…</source>
        <translation>サインアウト…</translation>
    </message>
    <message>
        <source>Sign out of {name}</source>
        <translation>{name} からサインアウト</translation>
    </message>
    <message>
        <source>Sign-ins are stored in your keychain.</source>
        <translation>サインイン情報はキーリングに保存されます。</translation>
    </message>
    <message>
        <source>Bluesky</source>
        <translation>Bluesky</translation>
    </message>
    <message>
        <source>Accounts that AI apps may read and post with, once you allow it.</source>
        <translation>許可すると、AI アプリがこのアカウントで閲覧や投稿をできるようになります。</translation>
    </message>
    <message>
        <source>Sign in, and AI apps can read, search and post for you. You see each post before it is sent.</source>
        <translation>サインインすると、AI アプリが代わりに閲覧、検索、投稿をできます。投稿は送信前に毎回確認できます。</translation>
    </message>
    <message>
        <source>No accounts yet</source>
        <translation>アカウントはまだありません</translation>
    </message>
    <message>
        <source>Enter your handle. An app password is optional – never use your main password. Create one at {address}</source>
        <translation>ハンドルを入力してください。アプリパスワードは任意です。メインのパスワードは決して使わないでください。作成はこちら: {address}</translation>
    </message>
    <message>
        <source>signed in by browser</source>
        <translation>ブラウザーでサインイン済み</translation>
    </message>
    <message>
        <source>Please enter your handle, too.</source>
        <translation>ハンドルも入力してください。</translation>
    </message>
    <message>
        <source>Sign out of {name}?</source>
        <translation>{name} からサインアウトしますか？</translation>
    </message>
    <message>
        <source>Deskbell signs out and forgets the account. Your posts and the account itself stay as they are.</source>
        <translation>Deskbell はサインアウトし、アカウントの情報を削除します。投稿とアカウント自体はそのまま残ります。</translation>
    </message>
    <message>
        <source>&amp;Sign out</source>
        <translation>サインアウト(&amp;S)</translation>
    </message>
</context>
<context>
    <name>ActivityPage</name>
    <message>
        <source>What happened</source>
        <translation>できごと</translation>
    </message>
    <message>
        <source>The newest is first</source>
        <translation>新しいものが上です</translation>
    </message>
    <message>
        <source>E&amp;xport…</source>
        <translation>書き出す(&amp;X)…</translation>
    </message>
    <message>
        <source>Save what is shown to a file</source>
        <translation>表示中の内容をファイルに書き出します</translation>
    </message>
    <message>
        <source>Delete &amp;all…</source>
        <translation>すべて削除(&amp;A)…</translation>
    </message>
    <message>
        <source>No matches</source>
        <translation>一致する項目はありません</translation>
    </message>
    <message>
        <source>What your AI apps did, and what you answered.</source>
        <translation>AI アプリがしたことと、あなたの回答です。</translation>
    </message>
    <message>
        <source>Activity</source>
        <translation>アクティビティ</translation>
    </message>
    <message>
        <source>&amp;Show everything</source>
        <translation>すべて表示(&amp;S)</translation>
    </message>
    <message>
        <source>More</source>
        <translation>その他</translation>
    </message>
    <message>
        <source>Show &amp;technical entries</source>
        <translation>技術的な項目を表示(&amp;T)</translation>
    </message>
    <message>
        <source>History is off</source>
        <translation>履歴はオフです</translation>
    </message>
    <message>
        <source>Choose in Settings how long it is kept.</source>
        <translation>保存期間は設定で選べます。</translation>
    </message>
    <message>
        <source>When an AI app uses a tool or asks you something, it appears here.</source>
        <translation>AI アプリがツールを使ったり質問したりすると、ここに表示されます。</translation>
    </message>
    <message>
        <source>Nothing has happened yet</source>
        <translation>まだ何もありません</translation>
    </message>
    <message>
        <source>Delete the whole history?</source>
        <translation>履歴をすべて削除しますか？</translation>
    </message>
    <message>
        <source>This can&apos;t be undone.</source>
        <translation>元に戻せません。</translation>
    </message>
    <message>
        <source>Delete &amp;all</source>
        <translation>すべて削除(&amp;A)</translation>
    </message>
    <message>
        <source>Export history</source>
        <translation>履歴を書き出す</translation>
    </message>
    <message>
        <source>Table (*.csv)</source>
        <translation>表 (*.csv)</translation>
    </message>
    <message>
        <source>JSON lines (*.jsonl)</source>
        <translation>JSON 行 (*.jsonl)</translation>
    </message>
    <message>
        <source>Conversations (*.md)</source>
        <translation>会話 (*.md)</translation>
    </message>
    <message>
        <source>Conversations as JSON (*.json)</source>
        <translation>会話を JSON で (*.json)</translation>
    </message>
    <message>
        <source>Stop e&amp;xport</source>
        <translation>書き出しを中止(&amp;X)</translation>
    </message>
    <message>
        <source>Exporting…</source>
        <translation>書き出しています…</translation>
    </message>
    <message>
        <source>Saved {count} lines to {path}.</source>
        <translation>{count} 行を {path} に書き出しました。</translation>
    </message>
</context>
<context>
    <name>AddDialog</name>
    <message>
        <source>Add a server</source>
        <translation>サーバーを追加</translation>
    </message>
    <message>
        <source>Paste anything: a command, a URL, or a snippet from a README.</source>
        <translation>コマンド、URL、README の抜粋など、何でも貼り付けてください。</translation>
    </message>
    <message>
        <source>Command, address or settings</source>
        <translation>コマンド、アドレス、または設定</translation>
    </message>
    <message>
        <source>Add a server from a link?</source>
        <translation>リンクからサーバーを追加しますか？</translation>
    </message>
    <message>
        <source>A link proposes this server. Add it only if you trust where the link came from.</source>
        <translation>リンクがこのサーバーの追加を提案しています。リンクの出どころを信頼できる場合だけ追加してください。</translation>
    </message>
    <message>
        <source>Example: API_KEY=abc npx -y some-server. Use quotes for spaces.</source>
        <translation>例: API_KEY=abc npx -y some-server。空白を含む場合は引用符で囲んでください。</translation>
    </message>
</context>
<context>
    <name>Alerts</name>
    <message>
        <source>Show</source>
        <translation>表示</translation>
    </message>
    <message>
        <source>OK</source>
        <translation>OK</translation>
    </message>
    <message>
        <source>Snooze 30 min</source>
        <translation>30 分スヌーズ</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>回答する</translation>
    </message>
    <message>
        <source>{server} is asking a lot</source>
        <translation>{server} からの質問が多すぎます</translation>
    </message>
    <message>
        <source>Questions waiting: {count}</source>
        <translation>待っている質問: {count}</translation>
    </message>
    <message>
        <source>Mute for an hour</source>
        <translation>1 時間ミュート</translation>
    </message>
    <message>
        <source>A question is waiting</source>
        <translation>質問が届いています</translation>
    </message>
    <message>
        <source>Still waiting for you</source>
        <translation>まだ回答を待っています</translation>
    </message>
    <message>
        <source>{count} questions are waiting</source>
        <translation>質問が {count} 件待っています</translation>
    </message>
    <message>
        <source>From {servers}</source>
        <translation>{servers} から</translation>
    </message>
    <message>
        <source>{host} wants to use {server}.</source>
        <translation>{host} が {server} を使おうとしています。</translation>
    </message>
    <message>
        <source>{server} asks you through {host}.</source>
        <translation>{server} が {host} を通じて質問しています。</translation>
    </message>
    <message>
        <source>{server} asks you.</source>
        <translation>{server} が質問しています。</translation>
    </message>
</context>
<context>
    <name>AnswerPreview</name>
    <message>
        <source>Show exactly what will be sent</source>
        <translation>送信される内容をそのまま表示します</translation>
    </message>
    <message>
        <source>Re&amp;view</source>
        <translation>確認(&amp;V)</translation>
    </message>
    <message>
        <source>What will be sent</source>
        <translation>送信される内容</translation>
    </message>
</context>
<context>
    <name>AppCards</name>
    <message>
        <source>Connect {name} again</source>
        <translation>{name} を再接続</translation>
    </message>
    <message>
        <source>Connect again</source>
        <translation>再接続</translation>
    </message>
    <message>
        <source>Connected</source>
        <translation>接続済み</translation>
    </message>
    <message>
        <source>Not found on this computer</source>
        <translation>このコンピューターに見つかりません</translation>
    </message>
    <message>
        <source>More about {name}</source>
        <translation>{name} の詳細</translation>
    </message>
    <message>
        <source>More</source>
        <translation>詳細</translation>
    </message>
    <message>
        <source>Where questions of {name} appear</source>
        <translation>{name} の質問の表示先</translation>
    </message>
    <message>
        <source>Questions appear:</source>
        <translation>質問の表示先:</translation>
    </message>
    <message>
        <source>{name} refused a question without showing it. Its questions now appear here.</source>
        <translation>{name} は質問を表示せずに拒否しました。質問は今後ここに表示されます。</translation>
    </message>
    <message>
        <source>Try {name} again</source>
        <translation>{name} をもう一度試す</translation>
    </message>
    <message>
        <source>Let {name} show questions again</source>
        <translation>{name} に再び質問を表示させる</translation>
    </message>
    <message>
        <source>{name} left questions unanswered more than once.</source>
        <translation>{name} は何度か質問に回答しませんでした。</translation>
    </message>
    <message>
        <source>Always in Deskbell</source>
        <translation>常に Deskbell</translation>
    </message>
    <message>
        <source>Always show the questions of {name} here</source>
        <translation>{name} の質問を常にここで表示する</translation>
    </message>
    <message>
        <source>Servers of {name} that ask through Deskbell: {names}</source>
        <translation>Deskbell を通じて質問する {name} のサーバー: {names}</translation>
    </message>
    <message>
        <source>Version {version}</source>
        <translation>バージョン {version}</translation>
    </message>
    <message>
        <source>Settings file: {path}</source>
        <translation>設定ファイル: {path}</translation>
    </message>
    <message>
        <source>{name} can show forms and links itself.</source>
        <translation>{name} はフォームとリンクを自分で表示できます。</translation>
    </message>
    <message>
        <source>{name} can show simple forms itself.</source>
        <translation>{name} は簡単なフォームを自分で表示できます。</translation>
    </message>
    <message>
        <source>{name} cannot show questions itself.</source>
        <translation>{name} は質問を自分で表示できません。</translation>
    </message>
    <message>
        <source>Undo the last change in {name}</source>
        <translation>{name} の最後の変更を元に戻す</translation>
    </message>
    <message>
        <source>Let Deskbell run the servers of {name} that have an address</source>
        <translation>アドレスを持つ {name} のサーバーを Deskbell で動かす</translation>
    </message>
    <message>
        <source>Connect {name} over HTTP</source>
        <translation>{name} を HTTP で接続</translation>
    </message>
    <message>
        <source>Undo last change…</source>
        <translation>最後の変更を元に戻す…</translation>
    </message>
    <message>
        <source>Servers with an address…</source>
        <translation>アドレスを持つサーバー…</translation>
    </message>
    <message>
        <source>Connect over HTTP…</source>
        <translation>HTTP で接続…</translation>
    </message>
    <message>
        <source>Remove the access of {name}</source>
        <translation>{name} のアクセスを取り消す</translation>
    </message>
    <message>
        <source>Remove access</source>
        <translation>アクセスを取り消す</translation>
    </message>
    <message>
        <source>End its connections and refuse it until you connect it again.</source>
        <translation>接続を切り、再接続するまで拒否します。</translation>
    </message>
</context>
<context>
    <name>ApprovalsPage</name>
    <message>
        <source>Rules, in the order in which they are checked</source>
        <translation>適用される順のルール</translation>
    </message>
    <message>
        <source>&amp;Add rule…</source>
        <translation>ルールを追加(&amp;A)…</translation>
    </message>
    <message>
        <source>C&amp;hange…</source>
        <translation>変更(&amp;H)…</translation>
    </message>
    <message>
        <source>Move &amp;up</source>
        <translation>上へ(&amp;U)</translation>
    </message>
    <message>
        <source>Move do&amp;wn</source>
        <translation>下へ(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Delete</source>
        <translation>削除(&amp;D)</translation>
    </message>
    <message>
        <source>Undo Allow al&amp;ways</source>
        <translation>「常に許可」を取り消す(&amp;W)</translation>
    </message>
    <message>
        <source>Show all &amp;tools</source>
        <translation>すべてのツールを表示(&amp;T)</translation>
    </message>
    <message>
        <source>Search tools</source>
        <translation>ツールを検索</translation>
    </message>
    <message>
        <source>{tool} is always allowed, for every AI app.</source>
        <translation>{tool} は、すべての AI アプリに常に許可されています。</translation>
    </message>
    <message>
        <source>{tool} is always allowed for {app}.</source>
        <translation>{tool} は {app} に常に許可されています。</translation>
    </message>
    <message>
        <source>No rules yet: the choice for each server decides.</source>
        <translation>ルールはまだありません。サーバーごとの選択に従います。</translation>
    </message>
    <message>
        <source>Clear the search</source>
        <translation>検索をクリア</translation>
    </message>
    <message>
        <source>A rule for the selected tool:</source>
        <translation>選択したツールのルール:</translation>
    </message>
    <message>
        <source>Known tools</source>
        <translation>現在わかっているツール</translation>
    </message>
    <message>
        <source>Approvals</source>
        <translation>承認</translation>
    </message>
    <message>
        <source>What Deskbell asks you before a server&apos;s tools are used.</source>
        <translation>サーバーのツールを使う前に、Deskbell が確認する内容です。</translation>
    </message>
    <message>
        <source>Ad&amp;vanced</source>
        <translation>詳細設定(&amp;V)</translation>
    </message>
    <message>
        <source>Rules for single tools</source>
        <translation>個々のツールのルール</translation>
    </message>
    <message>
        <source>Rules are checked from top to bottom, an app&apos;s own rules first. What no rule matches is decided by the choice for its server. If a tool changes, you&apos;ll be asked again.</source>
        <translation>ルールは上から順に、アプリ固有のものから適用されます。どれにも当てはまらなければ、サーバーごとの選択に従います。ツールが変わったときは、もう一度確認します。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>元に戻す</translation>
    </message>
    <message>
        <source>{tool} has changed since you allowed it. You&apos;ll be asked again, and see what changed.</source>
        <translation>{tool} は許可した後に変更されました。次に使われるとき、変更点を示して確認します。</translation>
    </message>
    <message>
        <source>All tools</source>
        <translation>すべてのツール</translation>
    </message>
    <message>
        <source>Tools that the selected rule applies to</source>
        <translation>選択したルールが適用されるツール</translation>
    </message>
</context>
<context>
    <name>AppsStep</name>
    <message>
        <source>Which apps may ring?</source>
        <translation>どのアプリにベルを鳴らさせますか？</translation>
    </message>
    <message>
        <source>Switch on the apps you use. Their settings are changed so that questions come to Deskbell. You can undo this any time.</source>
        <translation>使っているアプリをオンにしてください。質問が Deskbell に届くように、アプリの設定を変更します。いつでも元に戻せます。</translation>
    </message>
    <message>
        <source>No supported AI app found</source>
        <translation>対応する AI アプリが見つかりません</translation>
    </message>
    <message>
        <source>Install one and open this window again, or set one up by hand on the page AI apps.</source>
        <translation>インストールしてこのウィンドウを開き直すか、「AI アプリ」ページで手動で設定してください。</translation>
    </message>
    <message>
        <source>Show &amp;changes</source>
        <translation>変更内容を表示(&amp;C)</translation>
    </message>
    <message>
        <source>Restart {name} to connect it</source>
        <translation>{name} を再起動すると接続します</translation>
    </message>
    <message>
        <source>Start a new conversation in {name} to connect it</source>
        <translation>{name} で新しい会話を始めると接続します</translation>
    </message>
    <message>
        <source>Press Refresh in {name}&apos;s list of servers</source>
        <translation>{name} のサーバー一覧で「Refresh」を押してください</translation>
    </message>
    <message>
        <source>Waiting for {name}…</source>
        <translation>{name} を待っています…</translation>
    </message>
    <message>
        <source>✓ {name} is connected</source>
        <translation>✓ {name} が接続しました</translation>
    </message>
    <message>
        <source>✓ {name} is connected, 1 tool</source>
        <translation>✓ {name} が接続しました (ツール 1 個)</translation>
    </message>
    <message>
        <source>✓ {name} is connected, {count} tools</source>
        <translation>✓ {name} が接続しました (ツール {count} 個)</translation>
    </message>
    <message>
        <source>On my des&amp;ktop</source>
        <translation>デスクトップ(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;In the app when it can show them</source>
        <translation>アプリが表示できるときはアプリ内(&amp;I)</translation>
    </message>
    <message>
        <source>Questions appear:</source>
        <translation>質問の表示先:</translation>
    </message>
</context>
<context>
    <name>Asker</name>
    <message>
        <source>{server} · via {app}</source>
        <translation>{server} · {app} 経由</translation>
    </message>
</context>
<context>
    <name>Avatar</name>
    <message>
        <source>Picture of {name}</source>
        <translation>{name} の画像</translation>
    </message>
</context>
<context>
    <name>Byline</name>
    <message>
        <source>{place} of {count}</source>
        <translation>{place}/{count}</translation>
    </message>
    <message>
        <source>{app} · approval</source>
        <translation>{app} · 承認</translation>
    </message>
    <message>
        <source>Approval</source>
        <translation>承認</translation>
    </message>
    <message>
        <source>First time</source>
        <translation>初めて</translation>
    </message>
    <message>
        <source>First time this server asks you</source>
        <translation>このサーバーからの初めての質問です</translation>
    </message>
    <message>
        <source>Previous question</source>
        <translation>前の質問</translation>
    </message>
    <message>
        <source>Next question</source>
        <translation>次の質問</translation>
    </message>
    <message>
        <source>Which tool asks, and what it was called with</source>
        <translation>質問しているツールと、その呼び出し内容</translation>
    </message>
    <message>
        <source>De&amp;tails</source>
        <translation>詳細(&amp;T)</translation>
    </message>
</context>
<context>
    <name>ChangeSheet</name>
    <message>
        <source>What changes</source>
        <translation>変更内容</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>キャンセル(&amp;C)</translation>
    </message>
    <message>
        <source>The file was changed meanwhile. This is the difference now.</source>
        <translation>その間にファイルが変更されました。現在の差分はこちらです。</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>閉じる(&amp;C)</translation>
    </message>
    <message>
        <source>Connect {name}</source>
        <translation>{name} を接続</translation>
    </message>
    <message>
        <source>Disconnect {name}</source>
        <translation>{name} を切断</translation>
    </message>
    <message>
        <source>Let Deskbell handle {name}&apos;s questions</source>
        <translation>{name} の質問を Deskbell に任せる</translation>
    </message>
    <message>
        <source>Undo the last change in {name}</source>
        <translation>{name} の最後の変更を元に戻す</translation>
    </message>
    <message>
        <source>C&amp;onnect</source>
        <translation>接続(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Disconnect</source>
        <translation>切断(&amp;D)</translation>
    </message>
    <message>
        <source>Stop using Deskbell for {name}&apos;s servers</source>
        <translation>{name} のサーバーで Deskbell の使用をやめる</translation>
    </message>
    <message>
        <source>C&amp;hange</source>
        <translation>変更(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>元に戻す(&amp;U)</translation>
    </message>
    <message>
        <source>There is nothing to change.</source>
        <translation>変更するものはありません。</translation>
    </message>
    <message>
        <source>The file will be exactly as it was before.</source>
        <translation>ファイルは完全に元どおりになります。</translation>
    </message>
    <message>
        <source>This file does not exist yet; it will be created.</source>
        <translation>このファイルはまだありません。新しく作られます。</translation>
    </message>
    <message>
        <source>Nothing else changes. A copy of the file is kept, and you can undo this.</source>
        <translation>ほかには何も変更しません。ファイルのコピーを残すので、元に戻せます。</translation>
    </message>
    <message>
        <source>Keys of servers that move are stored in your keychain.</source>
        <translation>移動するサーバーのキーはキーリングに保存されます。</translation>
    </message>
</context>
<context>
    <name>CheckAnswerWindow</name>
    <message>
        <source>The model&apos;s answer</source>
        <translation>モデルの回答</translation>
    </message>
    <message>
        <source>Show what was asked</source>
        <translation>依頼内容を表示</translation>
    </message>
    <message>
        <source>Re&amp;quest</source>
        <translation>依頼(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Use this answer</source>
        <translation>この回答を使う(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Refuse</source>
        <translation>拒否(&amp;R)</translation>
    </message>
    <message>
        <source>Your model {model} answered {server}. You can change the answer.</source>
        <translation>モデル {model} が {server} に回答しました。回答は変更できます。</translation>
    </message>
    <message>
        <source>This is not a list in JSON.</source>
        <translation>JSON のリストではありません。</translation>
    </message>
</context>
<context>
    <name>ConfirmWindow</name>
    <message>
        <source>This can delete or overwrite things, and may not be undone.</source>
        <translation>削除や上書きをすることがあり、元に戻せない場合があります。</translation>
    </message>
    <message>
        <source>&amp;Don&apos;t allow</source>
        <translation>許可しない(&amp;D)</translation>
    </message>
    <message>
        <source>Deny</source>
        <translation>拒否</translation>
    </message>
    <message>
        <source>&amp;Allow once</source>
        <translation>今回だけ許可(&amp;A)</translation>
    </message>
    <message>
        <source>Allow</source>
        <translation>許可</translation>
    </message>
    <message>
        <source>Allow always</source>
        <translation>常に許可</translation>
    </message>
    <message>
        <source>{app} wants to use “{tool}” of {server}</source>
        <translation>{app} が {server} の「{tool}」を使おうとしています</translation>
    </message>
    <message>
        <source>Read only: it changes nothing, says {server}.</source>
        <translation>読み取りのみで、何も変更しません（{server} による）。</translation>
    </message>
    <message>
        <source>It makes changes, says {server}.</source>
        <translation>変更を行います（{server} による）。</translation>
    </message>
    <message>
        <source>Raw data</source>
        <translation>生データ</translation>
    </message>
    <message>
        <source>this app</source>
        <translation>このアプリ</translation>
    </message>
    <message>
        <source>Allow {app} for an hour</source>
        <translation>{app} に 1 時間許可</translation>
    </message>
    <message>
        <source>Always allow for {app}</source>
        <translation>{app} に常に許可</translation>
    </message>
    <message>
        <source>Allow for longer</source>
        <translation>より長く許可</translation>
    </message>
    <message>
        <source>Always allow “{tool}” as it is now</source>
        <translation>現在の「{tool}」を常に許可</translation>
    </message>
    <message>
        <source>Always allow “{tool}” for {app}</source>
        <translation>{app} に「{tool}」を常に許可</translation>
    </message>
    <message>
        <source>Always allow “{tool}” for every app</source>
        <translation>すべてのアプリに「{tool}」を常に許可</translation>
    </message>
    <message>
        <source>This tool has changed since you allowed it (- before, + now):</source>
        <translation>このツールは許可した後に変更されました（- 以前、+ 現在）:</translation>
    </message>
    <message>
        <source>What changed</source>
        <translation>変更点</translation>
    </message>
    <message>
        <source>An AI app</source>
        <translation>AI アプリ</translation>
    </message>
</context>
<context>
    <name>Countdown</name>
    <message>
        <source>&amp;More time</source>
        <translation>時間を延ばす(&amp;M)</translation>
    </message>
    <message>
        <source>{clock} left</source>
        <translation>残り {clock}</translation>
    </message>
</context>
<context>
    <name>DateLine</name>
    <message>
        <source>YYYY-MM-DD</source>
        <translation>YYYY-MM-DD</translation>
    </message>
    <message>
        <source>Clear {field}</source>
        <translation>{field} をクリア</translation>
    </message>
    <message>
        <source>Calendar</source>
        <translation>カレンダー</translation>
    </message>
    <message>
        <source>Calendar for {field}</source>
        <translation>{field} のカレンダー</translation>
    </message>
</context>
<context>
    <name>DateTimeInput</name>
    <message>
        <source>The day is missing. Choose one, or write it such as 2026-03-31.</source>
        <translation>日付がありません。選ぶか、2026-03-31 のように入力してください。</translation>
    </message>
    <message>
        <source>There is no day {day}. Write it such as 2026-03-31.</source>
        <translation>{day} という日付はありません。2026-03-31 のように入力してください。</translation>
    </message>
    <message>
        <source>The time is missing. Write it such as 14:30.</source>
        <translation>時刻がありません。14:30 のように入力してください。</translation>
    </message>
    <message>
        <source>There is no time {time}. Write it such as 14:30.</source>
        <translation>{time} という時刻はありません。14:30 のように入力してください。</translation>
    </message>
    <message>
        <source>There is no such moment: choose another time or time zone.</source>
        <translation>その日時は存在しません。別の時刻かタイムゾーンを選んでください。</translation>
    </message>
    <message>
        <source>hh:mm</source>
        <translation>hh:mm</translation>
    </message>
    <message>
        <source>Time for {field}</source>
        <translation>{field} の時刻</translation>
    </message>
    <message>
        <source>Time zone for {field}</source>
        <translation>{field} のタイムゾーン</translation>
    </message>
    <message>
        <source>A time zone, such as Europe/Berlin, or an offset, such as +02:00</source>
        <translation>Asia/Tokyo のようなタイムゾーン、または +09:00 のような時差</translation>
    </message>
    <message>
        <source>There is no time zone {zone}.</source>
        <translation>タイムゾーン {zone} は存在しません。</translation>
    </message>
    <message>
        <source>Clocks in {zone} skip this time on that day.</source>
        <translation>{zone} ではその日にこの時刻が存在しません。</translation>
    </message>
    <message>
        <source>{moment}. Clocks in {zone} show this time twice that day; for the second, choose {offset}.</source>
        <translation>{moment}。{zone} ではその日にこの時刻が 2 回あります。2 回目なら {offset} を選んでください。</translation>
    </message>
</context>
<context>
    <name>DetailsPane</name>
    <message>
        <source>Details</source>
        <translation>詳細</translation>
    </message>
    <message>
        <source>Raw data</source>
        <translation>生データ</translation>
    </message>
    <message>
        <source>The entry as it is stored, and what the call said</source>
        <translation>保存されたままの項目と、呼び出しの内容</translation>
    </message>
    <message>
        <source>&amp;Raw data</source>
        <translation>生データ(&amp;R)</translation>
    </message>
    <message>
        <source>Copy the selected lines</source>
        <translation>選択した行をコピーします</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>コピー(&amp;C)</translation>
    </message>
    <message>
        <source>Delete the selected lines for good</source>
        <translation>選択した行を完全に削除します</translation>
    </message>
    <message>
        <source>&amp;Delete</source>
        <translation>削除(&amp;D)</translation>
    </message>
    <message>
        <source>Show the rule this created, and undo it</source>
        <translation>これによって作られたルールを表示し、取り消す</translation>
    </message>
    <message>
        <source>A&amp;pprovals…</source>
        <translation>承認(&amp;P)…</translation>
    </message>
    <message>
        <source>{count} selected</source>
        <translation>{count} 件選択</translation>
    </message>
</context>
<context>
    <name>EarlierBar</name>
    <message>
        <source>Unsent draft · {time}</source>
        <translation>未送信の下書き · {time}</translation>
    </message>
    <message>
        <source>Fill in as before:</source>
        <translation>前回と同じ内容を入力:</translation>
    </message>
</context>
<context>
    <name>EditDialog</name>
    <message>
        <source>Edit {server}</source>
        <translation>{server} を編集</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>保存(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>キャンセル(&amp;C)</translation>
    </message>
    <message>
        <source>your home folder</source>
        <translation>ホームフォルダー</translation>
    </message>
    <message>
        <source>Headers</source>
        <translation>ヘッダー</translation>
    </message>
    <message>
        <source>Variables</source>
        <translation>変数</translation>
    </message>
    <message>
        <source>Store what looks like a &amp;key in your keychain</source>
        <translation>キーと思われるものをキーリングに保存(&amp;K)</translation>
    </message>
    <message>
        <source> s</source>
        <translation> 秒</translation>
    </message>
    <message>
        <source>All AI apps shar&amp;e one connection</source>
        <translation>すべての AI アプリで 1 つの接続を共有(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>名前(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Address</source>
        <translation>アドレス(&amp;A)</translation>
    </message>
    <message>
        <source>C&amp;ommand</source>
        <translation>コマンド(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Folder</source>
        <translation>フォルダー(&amp;F)</translation>
    </message>
    <message>
        <source>Please give this value a name.</source>
        <translation>この値に名前を付けてください。</translation>
    </message>
    <message>
        <source>&amp;Time limit</source>
        <translation>制限時間(&amp;T)</translation>
    </message>
    <message>
        <source>Tools are prefixed with this name. Sign-ins and rules move with it.</source>
        <translation>ツール名の先頭にこの名前が付きます。サインインとルールも引き継がれます。</translation>
    </message>
    <message>
        <source>Please give it a name.</source>
        <translation>名前を入力してください。</translation>
    </message>
</context>
<context>
    <name>EntryDetails</name>
    <message>
        <source>When</source>
        <translation>日時</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>サーバー</translation>
    </message>
    <message>
        <source>AI app</source>
        <translation>AI アプリ</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>呼び出し</translation>
    </message>
    <message>
        <source>Conversation</source>
        <translation>会話</translation>
    </message>
    <message>
        <source>Tool</source>
        <translation>ツール</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>質問</translation>
    </message>
    <message>
        <source>Your answer</source>
        <translation>あなたの回答</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>メッセージ</translation>
    </message>
    <message>
        <source>You took</source>
        <translation>回答までの時間</translation>
    </message>
    <message>
        <source>Question in it</source>
        <translation>途中の質問</translation>
    </message>
    <message>
        <source>Took</source>
        <translation>所要時間</translation>
    </message>
    <message>
        <source>The contents of this call were not kept, or have expired. See Settings.</source>
        <translation>この呼び出しの内容は保存されていないか、期限が切れました。設定を確認してください。</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>引数</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>結果</translation>
    </message>
    <message>
        <source>… Only the beginning is kept.</source>
        <translation>… 先頭だけを残しています。</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>ページ</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>メモ</translation>
    </message>
    <message>
        <source>What changed</source>
        <translation>変更点</translation>
    </message>
</context>
<context>
    <name>FieldRow</name>
    <message>
        <source>This looks like a password or key. Servers should not ask for it in a form.</source>
        <translation>パスワードまたはキーのようです。サーバーはフォームでこれを尋ねるべきではありません。</translation>
    </message>
    <message>
        <source>Required</source>
        <translation>必須</translation>
    </message>
</context>
<context>
    <name>FileInput</name>
    <message>
        <source>Choose a file…</source>
        <translation>ファイルを選択…</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>削除</translation>
    </message>
    <message>
        <source>Pasted picture</source>
        <translation>貼り付けた画像</translation>
    </message>
    <message>
        <source>Only {kind} files can be sent here.</source>
        <translation>ここで送れるのは {kind} のファイルだけです。</translation>
    </message>
    <message>
        <source>{size} kB</source>
        <translation>{size} kB</translation>
    </message>
    <message>
        <source>or drop or paste it here</source>
        <translation>またはここにドロップ・貼り付け</translation>
    </message>
</context>
<context>
    <name>FormWindow</name>
    <message>
        <source>This form cannot be shown, so you cannot answer it.</source>
        <translation>このフォームは表示できないため、回答できません。</translation>
    </message>
    <message>
        <source>&amp;Send</source>
        <translation>送信(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Back</source>
        <translation>戻る(&amp;B)</translation>
    </message>
    <message>
        <source>Last time: {answer} · {time}</source>
        <translation>前回: {answer} · {time}</translation>
    </message>
    <message>
        <source>* required</source>
        <translation>* 必須</translation>
    </message>
    <message>
        <source>Nothing is filled in.</source>
        <translation>何も入力されていません。</translation>
    </message>
    <message>
        <source>Not complete yet: {fields}</source>
        <translation>未入力または誤り: {fields}</translation>
    </message>
    <message>
        <source>Send &amp;anyway</source>
        <translation>それでも送信(&amp;A)</translation>
    </message>
</context>
<context>
    <name>GlobalShortcut</name>
    <message>
        <source>Open the oldest question</source>
        <translation>最も古い質問を開く</translation>
    </message>
</context>
<context>
    <name>HeldCallsPanel</name>
    <message>
        <source>Delete the result of the selected call; a call in progress is cancelled</source>
        <translation>選択した呼び出しの結果を削除します。実行中の呼び出しは中止されます</translation>
    </message>
    <message>
        <source>Delete &amp;result</source>
        <translation>結果を削除(&amp;R)</translation>
    </message>
    <message>
        <source>Calls that AI apps no longer wait for</source>
        <translation>AI アプリが待つのをやめた呼び出し</translation>
    </message>
    <message>
        <source>Results kept for the AI app&apos;s next try: {count}</source>
        <translation>AI アプリの次の試行のために保管した結果: {count}</translation>
    </message>
    <message>
        <source>{tool} ({server}) is still in progress for {app}</source>
        <translation>{tool}（{server}）は {app} のためにまだ実行中です</translation>
    </message>
    <message>
        <source>{app} waits again for {tool} ({server})</source>
        <translation>{app} は再び {tool}（{server}）を待っています</translation>
    </message>
    <message>
        <source>{tool} ({server}) is done; {app} has not asked again</source>
        <translation>{tool}（{server}）は完了しました。{app} からの再要求はまだありません</translation>
    </message>
</context>
<context>
    <name>HistoryFilters</name>
    <message>
        <source>Kind</source>
        <translation>種類</translation>
    </message>
    <message>
        <source>AI app</source>
        <translation>AI アプリ</translation>
    </message>
    <message>
        <source>Every AI app</source>
        <translation>すべての AI アプリ</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>サーバー</translation>
    </message>
    <message>
        <source>Every server</source>
        <translation>すべてのサーバー</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>結果</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>時期</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>検索</translation>
    </message>
    <message>
        <source>Finds entries that contain every word</source>
        <translation>すべての語を含む項目を検索します</translation>
    </message>
    <message>
        <source>Search activity</source>
        <translation>アクティビティを検索</translation>
    </message>
    <message>
        <source>C&amp;lear</source>
        <translation>クリア(&amp;L)</translation>
    </message>
    <message>
        <source>More filters</source>
        <translation>ほかの絞り込み</translation>
    </message>
    <message>
        <source>Clear the search</source>
        <translation>検索をクリア</translation>
    </message>
    <message>
        <source>Everything</source>
        <translation>すべて</translation>
    </message>
    <message>
        <source>Questions</source>
        <translation>質問</translation>
    </message>
    <message>
        <source>Notices</source>
        <translation>お知らせ</translation>
    </message>
    <message>
        <source>Any outcome</source>
        <translation>すべての結果</translation>
    </message>
    <message>
        <source>Tools used</source>
        <translation>使われたツール</translation>
    </message>
    <message>
        <source>Servers</source>
        <translation>サーバー</translation>
    </message>
    <message>
        <source>Completed, answered</source>
        <translation>完了・回答済み</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失敗</translation>
    </message>
    <message>
        <source>Not allowed, declined</source>
        <translation>不許可・辞退</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>取り消し</translation>
    </message>
    <message>
        <source>Any time</source>
        <translation>すべての時期</translation>
    </message>
    <message>
        <source>Last hour</source>
        <translation>過去 1 時間</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>今日</translation>
    </message>
    <message>
        <source>Last 7 days</source>
        <translation>過去 7 日</translation>
    </message>
    <message>
        <source>Last 30 days</source>
        <translation>過去 30 日</translation>
    </message>
</context>
<context>
    <name>HistoryModel</name>
    <message>
        <source>What happened</source>
        <translation>できごと</translation>
    </message>
</context>
<context>
    <name>HomePage</name>
    <message>
        <source>&amp;First steps…</source>
        <translation>はじめに(&amp;F)…</translation>
    </message>
    <message>
        <source>Home</source>
        <translation>ホーム</translation>
    </message>
    <message>
        <source>AI apps</source>
        <translation>AI アプリ</translation>
    </message>
    <message>
        <source>Servers</source>
        <translation>サーバー</translation>
    </message>
    <message>
        <source>&amp;Connect an AI app…</source>
        <translation>AI アプリを接続(&amp;C)…</translation>
    </message>
    <message>
        <source>No AI app is connected right now</source>
        <translation>現在接続中の AI アプリはありません</translation>
    </message>
    <message>
        <source>Connect one, or start one that you have connected. Deskbell rings when it needs an answer from you.</source>
        <translation>アプリを接続するか、接続済みのアプリを起動してください。回答が必要なときに Deskbell がベルを鳴らします。</translation>
    </message>
    <message>
        <source>Last answers</source>
        <translation>最近の回答</translation>
    </message>
    <message>
        <source>{count} more waiting</source>
        <translation>ほかに {count} 件待機中</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>起動中…</translation>
    </message>
    <message>
        <source>Snoozed until {time}</source>
        <translation>{time} までスヌーズ中</translation>
    </message>
    <message>
        <source>Snoozed until you resume</source>
        <translation>再開するまでスヌーズ中</translation>
    </message>
    <message>
        <source>Ready · 1 app connected</source>
        <translation>準備完了 · 1 個のアプリが接続中</translation>
    </message>
    <message>
        <source>Ready · {count} apps connected</source>
        <translation>準備完了 · {count} 個のアプリが接続中</translation>
    </message>
    <message>
        <source>Ready · no apps connected</source>
        <translation>準備完了 · 接続中のアプリなし</translation>
    </message>
    <message>
        <source>No system tray here. Deskbell keeps running when you close this window; open it again from your app menu.</source>
        <translation>ここにはシステムトレイがありません。このウィンドウを閉じても Deskbell は動き続けます。アプリのメニューから開き直せます。</translation>
    </message>
    <message>
        <source>Rules were removed from the settings file: {rules}.</source>
        <translation>設定ファイルからルールが削除されました: {rules}</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>元に戻す</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>設定</translation>
    </message>
    <message>
        <source>Sign in again</source>
        <translation>もう一度サインイン</translation>
    </message>
    <message>
        <source>Fix…</source>
        <translation>修正…</translation>
    </message>
    <message>
        <source>Open the file</source>
        <translation>ファイルを開く</translation>
    </message>
    <message>
        <source>{server} needs you to sign in.</source>
        <translation>{server} へのサインインが必要です。</translation>
    </message>
    <message>
        <source>Sign in…</source>
        <translation>サインイン…</translation>
    </message>
    <message>
        <source>{server} needs a key: {names}.</source>
        <translation>{server} にはキーが必要です: {names}。</translation>
    </message>
    <message>
        <source>Set key…</source>
        <translation>キーを設定…</translation>
    </message>
    <message>
        <source>{server} doesn&apos;t work. {why}</source>
        <translation>{server} が動作していません。{why}</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>もう一度試す</translation>
    </message>
    <message>
        <source>Keep the change</source>
        <translation>このままにする</translation>
    </message>
    <message>
        <source>uses {servers}</source>
        <translation>{servers} を使用</translation>
    </message>
    <message>
        <source>Connected</source>
        <translation>接続済み</translation>
    </message>
    <message>
        <source>{count} tools</source>
        <translation>ツール {count} 個</translation>
    </message>
    <message>
        <source>1 tool</source>
        <translation>ツール 1 個</translation>
    </message>
</context>
<context>
    <name>HostsPage</name>
    <message>
        <source>Looking…</source>
        <translation>確認しています…</translation>
    </message>
    <message>
        <source>Set up by hand</source>
        <translation>手動で設定済み</translation>
    </message>
    <message>
        <source>OK</source>
        <translation>OK</translation>
    </message>
    <message>
        <source>Show &amp;changes</source>
        <translation>変更内容を表示(&amp;C)</translation>
    </message>
    <message>
        <source>AI apps</source>
        <translation>AI アプリ</translation>
    </message>
    <message>
        <source>When a tool of one of these apps has a question, Deskbell shows it. You can undo this any time.</source>
        <translation>これらのアプリのツールから質問があると、Deskbell が表示します。いつでも元に戻せます。</translation>
    </message>
    <message>
        <source>No supported AI app found</source>
        <translation>対応する AI アプリが見つかりません</translation>
    </message>
    <message>
        <source>Install one, or choose yours under All supported apps.</source>
        <translation>インストールするか、「対応するすべてのアプリ」から選んでください。</translation>
    </message>
    <message>
        <source>Apps that were not found on this computer</source>
        <translation>このコンピューターに見つからなかったアプリ</translation>
    </message>
    <message>
        <source>&amp;All supported apps</source>
        <translation>対応するすべてのアプリ(&amp;A)</translation>
    </message>
    <message>
        <source>Using another app? Copy this entry into its MCP settings.</source>
        <translation>ほかのアプリを使う場合は、この項目をその MCP 設定にコピーしてください。</translation>
    </message>
    <message>
        <source>Co&amp;py entry</source>
        <translation>項目をコピー(&amp;P)</translation>
    </message>
    <message>
        <source>Claude Desktop: save an extension file instead</source>
        <translation>Claude Desktop: 代わりに拡張ファイルを保存</translation>
    </message>
    <message>
        <source>Save file…</source>
        <translation>ファイルを保存…</translation>
    </message>
    <message>
        <source>Save the extension for Claude Desktop</source>
        <translation>Claude Desktop 用の拡張機能を保存</translation>
    </message>
    <message>
        <source>Extension (*.mcpb)</source>
        <translation>拡張機能 (*.mcpb)</translation>
    </message>
    <message>
        <source>{path} is saved. Open it with Claude Desktop: double click it, or in its settings choose Extensions and install it from there. Then start a new conversation.</source>
        <translation>{path} を保存しました。Claude Desktop で開いてください。ダブルクリックするか、設定の「拡張機能」からインストールします。その後、新しい会話を始めてください。</translation>
    </message>
</context>
<context>
    <name>ImportDialog</name>
    <message>
        <source>Import servers</source>
        <translation>サーバーをインポート</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>キャンセル(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>閉じる(&amp;C)</translation>
    </message>
    <message>
        <source>We found these servers in your apps. Choose the ones Deskbell should run.</source>
        <translation>アプリの設定に次のサーバーが見つかりました。Deskbell で動かすものを選んでください。</translation>
    </message>
    <message>
        <source>No AI app on this computer has a server in its settings.</source>
        <translation>このコンピューターの AI アプリの設定にサーバーはありません。</translation>
    </message>
</context>
<context>
    <name>KeysField</name>
    <message>
        <source>Press keys</source>
        <translation>キーを押す</translation>
    </message>
    <message>
        <source>Clear the keys</source>
        <translation>キーを消去</translation>
    </message>
</context>
<context>
    <name>LastEntries</name>
    <message>
        <source>Show in Activit&amp;y</source>
        <translation>アクティビティで表示(&amp;Y)</translation>
    </message>
</context>
<context>
    <name>LineInput</name>
    <message>
        <source>Show {field}</source>
        <translation>{field} を表示</translation>
    </message>
</context>
<context>
    <name>ListInput</name>
    <message>
        <source>{count} chosen: {titles}</source>
        <translation>{count} 件選択: {titles}</translation>
    </message>
    <message>
        <source>Search in {field}</source>
        <translation>{field} を検索</translation>
    </message>
    <message>
        <source>Search {count} options</source>
        <translation>{count} 件の選択肢を検索</translation>
    </message>
    <message>
        <source>Clear the search</source>
        <translation>検索をクリア</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>クリア</translation>
    </message>
    <message>
        <source>Clear {field}</source>
        <translation>{field} をクリア</translation>
    </message>
</context>
<context>
    <name>LocalActions</name>
    <message>
        <source>That could not be changed: {why}</source>
        <translation>変更できませんでした: {why}</translation>
    </message>
    <message>
        <source>Licences of Deskbell and of everything it is made with.</source>
        <translation>Deskbell と、Deskbell に使われているすべてのもののライセンスです。</translation>
    </message>
    <message>
        <source>Licences</source>
        <translation>ライセンス</translation>
    </message>
    <message>
        <source>The end of {file}. It contains no keys or passwords.</source>
        <translation>{file} の末尾です。キーやパスワードは含まれません。</translation>
    </message>
    <message>
        <source>Deskbell log</source>
        <translation>Deskbell のログ</translation>
    </message>
    <message>
        <source>Share this with support. It contains no secrets or answers.</source>
        <translation>サポートに渡すための情報です。秘密の情報や回答は含まれません。</translation>
    </message>
    <message>
        <source>Deskbell diagnostics</source>
        <translation>Deskbell の診断情報</translation>
    </message>
</context>
<context>
    <name>LogoutWatcher</name>
    <message>
        <source>You have typed an answer that is not sent yet.</source>
        <translation>まだ送信していない回答が入力されています。</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>{server} is asking: {question}</source>
        <translation>{server} からの質問: {question}</translation>
    </message>
    <message>
        <source>{server} is waiting for your answer.</source>
        <translation>{server} が回答を待っています。</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>回答する</translation>
    </message>
</context>
<context>
    <name>ModelDialog</name>
    <message>
        <source>Add a model</source>
        <translation>モデルを追加</translation>
    </message>
    <message>
        <source>Edit model</source>
        <translation>モデルを編集</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名前</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>名前(&amp;N)</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>種類</translation>
    </message>
    <message>
        <source>&amp;Kind</source>
        <translation>種類(&amp;K)</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>アドレス</translation>
    </message>
    <message>
        <source>&amp;Address</source>
        <translation>アドレス(&amp;A)</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>モデル</translation>
    </message>
    <message>
        <source>&amp;Model</source>
        <translation>モデル(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>保存(&amp;S)</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>Stored; type to replace it</source>
        <translation>保存済み。入力すると置き換えます</translation>
    </message>
    <message>
        <source>None needed for local models</source>
        <translation>ローカルのモデルには不要</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>キー</translation>
    </message>
    <message>
        <source>Ke&amp;y</source>
        <translation>キー(&amp;Y)</translation>
    </message>
    <message>
        <source>Keys are stored in your keychain.</source>
        <translation>キーはキーリングに保存されます。</translation>
    </message>
    <message>
        <source>Low &amp;price</source>
        <translation>低価格(&amp;P)</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速さ</translation>
    </message>
    <message>
        <source>Intelligence</source>
        <translation>性能の高さ</translation>
    </message>
    <message>
        <source>Good for</source>
        <translation>得意なこと</translation>
    </message>
    <message>
        <source>It can call &amp;tools</source>
        <translation>ツールを呼び出せる(&amp;T)</translation>
    </message>
    <message>
        <source>Servers</source>
        <translation>サーバー</translation>
    </message>
    <message>
        <source>Every server</source>
        <translation>すべてのサーバー</translation>
    </message>
    <message>
        <source>Names, separated by commas. Empty: every server. Known: {names}</source>
        <translation>名前をコンマで区切ります。空ならすべてのサーバー。登録済み: {names}</translation>
    </message>
    <message>
        <source>Se&amp;rvers</source>
        <translation>サーバー(&amp;R)</translation>
    </message>
    <message>
        <source>Price of a million tokens sent</source>
        <translation>送信 100 万トークンの価格</translation>
    </message>
    <message>
        <source>Price of a million tokens received</source>
        <translation>受信 100 万トークンの価格</translation>
    </message>
    <message>
        <source>sent</source>
        <translation>送信</translation>
    </message>
    <message>
        <source>received</source>
        <translation>受信</translation>
    </message>
    <message>
        <source>Price of a million tokens</source>
        <translation>100 万トークンの価格</translation>
    </message>
    <message>
        <source>Unknown</source>
        <translation>不明</translation>
    </message>
    <message>
        <source>Please give a name, an address and a model.</source>
        <translation>名前、アドレス、モデルを入力してください。</translation>
    </message>
    <message>
        <source>There is already a model with this name.</source>
        <translation>この名前のモデルはすでにあります。</translation>
    </message>
</context>
<context>
    <name>ModelsPage</name>
    <message>
        <source>Models</source>
        <translation>モデル</translation>
    </message>
    <message>
        <source>Found on this computer</source>
        <translation>このコンピューターで見つかったモデル</translation>
    </message>
    <message>
        <source>Some servers ask an AI model for help. You see each request, then Deskbell sends it to one of your models.</source>
        <translation>サーバーによっては AI モデルの助けを求めます。内容を確認していただいたうえで、Deskbell があなたのモデルに送ります。</translation>
    </message>
    <message>
        <source>Add one, or look for models on this computer.</source>
        <translation>追加するか、このコンピューターのモデルを探してください。</translation>
    </message>
    <message>
        <source>No models yet</source>
        <translation>モデルはまだありません</translation>
    </message>
    <message>
        <source>Servers</source>
        <translation>サーバー</translation>
    </message>
    <message>
        <source>&amp;Add a model…</source>
        <translation>モデルを追加(&amp;A)…</translation>
    </message>
    <message>
        <source>&amp;Find on this computer</source>
        <translation>このコンピューターで探す(&amp;F)</translation>
    </message>
    <message>
        <source>Ask me again after</source>
        <translation>次を超えたら再び確認する</translation>
    </message>
    <message>
        <source>Requests an &amp;hour</source>
        <translation>1 時間の依頼数(&amp;H)</translation>
    </message>
    <message>
        <source> requests</source>
        <translation> 件</translation>
    </message>
    <message>
        <source>Requests &amp;within one call</source>
        <translation>1 回の呼び出しでの依頼数(&amp;W)</translation>
    </message>
    <message>
        <source>Tokens a &amp;day</source>
        <translation>1 日のトークン数(&amp;D)</translation>
    </message>
    <message>
        <source> tokens</source>
        <translation> トークン</translation>
    </message>
    <message>
        <source>No limit</source>
        <translation>制限なし</translation>
    </message>
    <message>
        <source>Applies to each server, also to those that send without asking.</source>
        <translation>サーバーごと。確認なしで送るサーバーにも適用されます。</translation>
    </message>
    <message>
        <source>Answers</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>&amp;Show me each answer before the server gets it</source>
        <translation>サーバーに渡す前に回答を毎回見る(&amp;S)</translation>
    </message>
    <message>
        <source>Let me answer &amp;myself where no model can</source>
        <translation>モデルが答えられないときは自分で答える(&amp;M)</translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation>探しています…</translation>
    </message>
    <message>
        <source>No further models found on this computer.</source>
        <translation>このコンピューターにほかのモデルは見つかりませんでした。</translation>
    </message>
    <message>
        <source>on this computer</source>
        <translation>このコンピューター</translation>
    </message>
    <message>
        <source>every server</source>
        <translation>すべてのサーバー</translation>
    </message>
    <message>
        <source>no server</source>
        <translation>なし</translation>
    </message>
    <message>
        <source>For {servers}</source>
        <translation>対象: {servers}</translation>
    </message>
    <message>
        <source>Try it…</source>
        <translation>試す…</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>編集…</translation>
    </message>
    <message>
        <source>Remove…</source>
        <translation>削除…</translation>
    </message>
    <message>
        <source>Waiting for its answer…</source>
        <translation>回答を待っています…</translation>
    </message>
    <message>
        <source>It answered: “{words}”</source>
        <translation>回答: 「{words}」</translation>
    </message>
    <message>
        <source>Add…</source>
        <translation>追加…</translation>
    </message>
    <message>
        <source>May use {models}</source>
        <translation>{models} を使えます</translation>
    </message>
    <message>
        <source>May use no model</source>
        <translation>使えるモデルはありません</translation>
    </message>
    <message>
        <source>1 request · {tokens} tokens in, {more} out · {today} today</source>
        <translation>依頼 1 件 · 入力 {tokens}、出力 {more} トークン · 今日 {today}</translation>
    </message>
    <message>
        <source>Also when no tool is running</source>
        <translation>ツールの実行中でなくても許可</translation>
    </message>
    <message>
        <source>{count} requests · {tokens} tokens in, {more} out · {today} today</source>
        <translation>依頼 {count} 件 · 入力 {tokens}、出力 {more} トークン · 今日 {today}</translation>
    </message>
    <message>
        <source>Send without asking me</source>
        <translation>確認せずに送る</translation>
    </message>
    <message>
        <source>Remove {name}?</source>
        <translation>{name} を削除しますか？</translation>
    </message>
    <message>
        <source>Servers can no longer use it. Its key stays in your keychain.</source>
        <translation>サーバーは使えなくなります。キーはキーリングに残ります。</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>削除(&amp;R)</translation>
    </message>
</context>
<context>
    <name>MultiLineInput</name>
    <message>
        <source>Start from this example</source>
        <translation>この例から始める</translation>
    </message>
    <message>
        <source>Start {field} from this example</source>
        <translation>{field} をこの例から始める</translation>
    </message>
    <message>
        <source>One per line</source>
        <translation>1 行に 1 つ</translation>
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
        <translation>前の部分(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Next part</source>
        <translation>次の部分(&amp;N)</translation>
    </message>
    <message>
        <source>Part {at} of {count}; {letters} characters in all</source>
        <translation>{count} 分割の {at} 番目、全 {letters} 文字</translation>
    </message>
</context>
<context>
    <name>PairsTable</name>
    <message>
        <source>Name</source>
        <translation>名前</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>値</translation>
    </message>
    <message>
        <source>Add a line</source>
        <translation>行を追加</translation>
    </message>
    <message>
        <source>Name {number}</source>
        <translation>名前 {number}</translation>
    </message>
    <message>
        <source>Value {number}</source>
        <translation>値 {number}</translation>
    </message>
    <message>
        <source>Show the value</source>
        <translation>値を表示</translation>
    </message>
    <message>
        <source>Remove this line</source>
        <translation>この行を削除</translation>
    </message>
    <message>
        <source>Not shown</source>
        <translation>非表示</translation>
    </message>
    <message>
        <source>Stored in your keychain</source>
        <translation>キーリングに保存済み</translation>
    </message>
</context>
<context>
    <name>PersonAnswerWindow</name>
    <message>
        <source>{server} wants to ask a model. You can answer instead.</source>
        <translation>{server} がモデルに質問しようとしています。代わりに答えられます。</translation>
    </message>
</context>
<context>
    <name>PopupCard</name>
    <message>
        <source>Deskbell: new question</source>
        <translation>Deskbell: 新しい質問</translation>
    </message>
    <message>
        <source>{count} more ▸</source>
        <translation>ほか {count} 件 ▸</translation>
    </message>
    <message>
        <source>Show the next question</source>
        <translation>次の質問を表示</translation>
    </message>
    <message>
        <source>Later</source>
        <translation>後で</translation>
    </message>
    <message>
        <source>Put this question back; it keeps waiting</source>
        <translation>この質問を後に回します。質問は待ち続けます</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>開く</translation>
    </message>
    <message>
        <source>This can delete or overwrite things.</source>
        <translation>削除や上書きをすることがあります。</translation>
    </message>
    <message>
        <source>Don&apos;t allow</source>
        <translation>許可しない</translation>
    </message>
    <message>
        <source>Allow once</source>
        <translation>今回だけ許可</translation>
    </message>
    <message>
        <source>{server} is asking a lot ({count} waiting).</source>
        <translation>{server} からの質問が多すぎます（{count} 件待機中）。</translation>
    </message>
    <message>
        <source>Mute for an hour</source>
        <translation>1 時間ミュート</translation>
    </message>
    <message>
        <source>Ask me anyway</source>
        <translation>それでも質問を受ける</translation>
    </message>
    <message>
        <source>You didn&apos;t answer {server}.</source>
        <translation>{server} に回答しませんでした。</translation>
    </message>
    <message>
        <source>Not allowed: {tool}.</source>
        <translation>許可しませんでした: {tool}。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>元に戻す</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>表示</translation>
    </message>
    <message>
        <source>OK</source>
        <translation>OK</translation>
    </message>
    <message>
        <source>{app} · approval</source>
        <translation>{app} · 承認</translation>
    </message>
    <message>
        <source>{server} wants to ask a model. You can answer instead.</source>
        <translation>{server} がモデルに質問しようとしています。代わりに答えられます。</translation>
    </message>
    <message>
        <source>Wants to open {site}</source>
        <translation>{site} を開こうとしています</translation>
    </message>
    <message>
        <source>An AI app</source>
        <translation>AI アプリ</translation>
    </message>
    <message>
        <source>{app} wants to use “{tool}” of {server}</source>
        <translation>{app} が {server} の「{tool}」を使おうとしています</translation>
    </message>
    <message>
        <source>Send a request to your model?</source>
        <translation>モデルに依頼を送りますか？</translation>
    </message>
</context>
<context>
    <name>PresetList</name>
    <message>
        <source>Add a server or switch on an AI app. Then choose here what tools may do without asking.</source>
        <translation>サーバーを追加するか、AI アプリをオンにしてください。確認なしでツールに許可する操作をここで選べます。</translation>
    </message>
    <message>
        <source>No servers yet</source>
        <translation>サーバーはまだありません</translation>
    </message>
    <message>
        <source>Servers say themselves what their tools do. For a server you don&apos;t trust, choose Always ask.</source>
        <translation>ツールの動作はサーバー自身の申告です。信頼できないサーバーには「常に確認」を選んでください。</translation>
    </message>
    <message>
        <source>What is asked before {name} is used</source>
        <translation>{name} を使う前に確認する内容</translation>
    </message>
    <message>
        <source>Tools not loaded yet</source>
        <translation>ツールはまだ読み込まれていません</translation>
    </message>
    <message>
        <source>1 of {all} tools is blocked</source>
        <translation>ツール {all} 個中 1 個をブロック</translation>
    </message>
    <message>
        <source>{count} of {all} tools are blocked</source>
        <translation>ツール {all} 個中 {count} 個をブロック</translation>
    </message>
    <message>
        <source>1 of {all} tools asks first</source>
        <translation>ツール {all} 個中 1 個は先に確認</translation>
    </message>
    <message>
        <source>{count} of {all} tools ask first</source>
        <translation>ツール {all} 個中 {count} 個は先に確認</translation>
    </message>
</context>
<context>
    <name>ProposalDialog</name>
    <message>
        <source>&amp;Add</source>
        <translation>追加(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>キャンセル(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Add {count}</source>
        <translation>{count} 件を追加(&amp;A)</translation>
    </message>
</context>
<context>
    <name>ProposalList</name>
    <message>
        <source>Already here: {names}.</source>
        <translation>追加済み: {names}。</translation>
    </message>
    <message>
        <source>All {count} of them</source>
        <translation>{count} 個すべて</translation>
    </message>
    <message>
        <source>{name} is the same as {other}.</source>
        <translation>{name} は {other} と同じです。</translation>
    </message>
    <message>
        <source>{name} cannot be added: {reason}.</source>
        <translation>{name} は追加できません: {reason}。</translation>
    </message>
</context>
<context>
    <name>ProposalRow</name>
    <message>
        <source>Add as</source>
        <translation>追加する名前</translation>
    </message>
    <message>
        <source>Add {name}</source>
        <translation>{name} を追加</translation>
    </message>
    <message>
        <source>Name of {name}</source>
        <translation>{name} の名前</translation>
    </message>
    <message>
        <source>from {app}</source>
        <translation>{app} から</translation>
    </message>
    <message>
        <source>There is already a server named {name}.</source>
        <translation>{name} というサーバーはすでにあります。</translation>
    </message>
    <message>
        <source>&amp;Replace that one</source>
        <translation>それを置き換える(&amp;R)</translation>
    </message>
    <message>
        <source>Store {keys} in your &amp;keychain</source>
        <translation>{keys} をキーリングに保存(&amp;K)</translation>
    </message>
</context>
<context>
    <name>QuestionCard</name>
    <message>
        <source>Open</source>
        <translation>開く</translation>
    </message>
    <message>
        <source>{app} wants to use “{tool}” of {server}</source>
        <translation>{app} が {server} の「{tool}」を使おうとしています</translation>
    </message>
    <message>
        <source>Open: {question}</source>
        <translation>開く: {question}</translation>
    </message>
    <message>
        <source>Don&apos;t answer: {question}</source>
        <translation>回答しない: {question}</translation>
    </message>
    <message>
        <source>Decline</source>
        <translation>断る</translation>
    </message>
    <message>
        <source>Don&apos;t answer</source>
        <translation>回答しない</translation>
    </message>
    <message>
        <source>Needs your approval</source>
        <translation>承認が必要です</translation>
    </message>
    <message>
        <source>{time} left</source>
        <translation>残り {time}</translation>
    </message>
    <message>
        <source>Yes</source>
        <translation>はい</translation>
    </message>
    <message>
        <source>No</source>
        <translation>いいえ</translation>
    </message>
    <message>
        <source>Skip</source>
        <translation>スキップ</translation>
    </message>
</context>
<context>
    <name>QuestionDetails</name>
    <message>
        <source>Tool</source>
        <translation>ツール</translation>
    </message>
    <message>
        <source>About</source>
        <translation>説明</translation>
    </message>
    <message>
        <source>Ra&amp;w data</source>
        <translation>生データ(&amp;W)</translation>
    </message>
    <message>
        <source>Show it as it was sent</source>
        <translation>送られてきたまま表示します</translation>
    </message>
    <message>
        <source>Raw data</source>
        <translation>生データ</translation>
    </message>
</context>
<context>
    <name>QuestionPresenter</name>
    <message>
        <source>Deskbell was closed before you sent it.</source>
        <translation>送信する前に Deskbell が終了しました。</translation>
    </message>
    <message>
        <source>You closed this question.</source>
        <translation>この質問を閉じました。</translation>
    </message>
</context>
<context>
    <name>QuestionStep</name>
    <message>
        <source>Deskbell rings when AI needs you</source>
        <translation>AI が呼ぶと、ベルが鳴ります</translation>
    </message>
    <message>
        <source>When a tool of your AI app has a question, it appears here on your desktop, and your answer goes straight back.</source>
        <translation>AI アプリのツールから質問があると、このデスクトップに表示され、回答がすぐに返されます。</translation>
    </message>
    <message>
        <source>This is how questions reach you. How do you like it?</source>
        <translation>質問はこのように届きます。いかがですか？</translation>
    </message>
    <message>
        <source>My answer</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>Just right</source>
        <translation>ちょうどいい</translation>
    </message>
    <message>
        <source>Too loud</source>
        <translation>目立ちすぎる</translation>
    </message>
    <message>
        <source>Too quiet</source>
        <translation>目立たなすぎる</translation>
    </message>
    <message>
        <source>Waiting for your answer…</source>
        <translation>あなたの回答を待っています…</translation>
    </message>
    <message>
        <source>✓ You answered “{answer}”. That&apos;s all there is to it.</source>
        <translation>✓ 「{answer}」と回答しました。これだけです。</translation>
    </message>
    <message>
        <source>✓ You declined. That is an answer, too: the tool is told exactly that.</source>
        <translation>✓ 断りました。これも回答の 1 つで、ツールにそのまま伝わります。</translation>
    </message>
    <message>
        <source>✓ You didn&apos;t answer. The tool is told so, and stops.</source>
        <translation>✓ 回答しませんでした。ツールにそれが伝わり、処理は終わります。</translation>
    </message>
</context>
<context>
    <name>QuestionWindow</name>
    <message>
        <source>Question from {server}</source>
        <translation>{server} からの質問</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>メッセージ</translation>
    </message>
    <message>
        <source>{server} is asking a lot ({count} waiting).</source>
        <translation>{server} からの質問が多すぎます（{count} 件待機中）。</translation>
    </message>
    <message>
        <source>&amp;Mute for an hour</source>
        <translation>1 時間ミュート(&amp;M)</translation>
    </message>
    <message>
        <source>Ask me an&amp;yway</source>
        <translation>それでも質問を受ける(&amp;Y)</translation>
    </message>
    <message>
        <source>{host} stopped waiting. Your answer is kept for its next try.</source>
        <translation>{host} は待つのをやめました。回答は次の試行のために保管されます。</translation>
    </message>
    <message>
        <source>C&amp;opy what I typed</source>
        <translation>入力した内容をコピー(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>閉じる(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Later</source>
        <translation>後で(&amp;L)</translation>
    </message>
    <message>
        <source>Put this question back; it keeps waiting</source>
        <translation>この質問を後に回します。質問は待ち続けます</translation>
    </message>
    <message>
        <source>Answered in {host}.</source>
        <translation>{host} で回答済みです。</translation>
    </message>
    <message>
        <source>Too late – the app stopped waiting. Your text is still here to copy.</source>
        <translation>時間切れです。アプリは待機を終了しました。入力した文章はここからコピーできます。</translation>
    </message>
    <message>
        <source>The question was withdrawn. Your text is still here to copy.</source>
        <translation>質問は取り下げられました。入力した内容はここに残っており、コピーできます。</translation>
    </message>
</context>
<context>
    <name>QuestionsPage</name>
    <message>
        <source>Snoozed until {time}. Questions are on hold and won&apos;t expire.</source>
        <translation>{time} までスヌーズ中です。質問は保留され、期限切れになりません。</translation>
    </message>
    <message>
        <source>Snoozed until you resume. Questions are on hold and won&apos;t expire.</source>
        <translation>再開するまでスヌーズ中です。質問は保留され、期限切れになりません。</translation>
    </message>
    <message>
        <source>&amp;Decline all…</source>
        <translation>すべて断る(&amp;D)…</translation>
    </message>
    <message>
        <source>Questions</source>
        <translation>質問</translation>
    </message>
    <message>
        <source>No questions waiting</source>
        <translation>待っている質問はありません</translation>
    </message>
    <message>
        <source>When an AI app or one of its tools needs an answer, the bell rings and the question appears here.</source>
        <translation>AI アプリやそのツールが回答を必要とすると、ベルが鳴り、ここに表示されます。</translation>
    </message>
    <message>
        <source>Unsent drafts</source>
        <translation>未送信の下書き</translation>
    </message>
    <message>
        <source>Earlier questions</source>
        <translation>以前の質問</translation>
    </message>
    <message>
        <source>{count} waiting for your answer</source>
        <translation>{count} 件が回答を待っています</translation>
    </message>
    <message>
        <source>Nothing is waiting.</source>
        <translation>待っているものはありません。</translation>
    </message>
    <message>
        <source>Decline all {count} questions?</source>
        <translation>{count} 件の質問をすべて断りますか？</translation>
    </message>
    <message>
        <source>The servers that asked will be told that you said no.</source>
        <translation>質問したサーバーには、断ったことが伝わります。</translation>
    </message>
    <message>
        <source>&amp;Decline all</source>
        <translation>すべて断る(&amp;D)</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>コピー</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>破棄</translation>
    </message>
    <message>
        <source>&amp;Resume</source>
        <translation>再開(&amp;R)</translation>
    </message>
    <message>
        <source>{server} is asking a lot ({count} waiting). Mute it for an hour?</source>
        <translation>{server} からの質問が多すぎます（{count} 件待機中）。1時間ミュートしますか？</translation>
    </message>
    <message>
        <source>&amp;Mute for an hour</source>
        <translation>1 時間ミュート(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Ask me anyway</source>
        <translation>それでも質問を受ける(&amp;A)</translation>
    </message>
    <message>
        <source>{server} is muted until {time}: its questions are declined.</source>
        <translation>{server} は {time} までミュート中で、質問は断られます。</translation>
    </message>
    <message>
        <source>&amp;Unmute</source>
        <translation>ミュート解除(&amp;U)</translation>
    </message>
</context>
<context>
    <name>ReadableData</name>
    <message>
        <source>… and {count} more</source>
        <translation>… ほか {count} 件</translation>
    </message>
</context>
<context>
    <name>RefuseButton</name>
    <message>
        <source>Do&amp;n&apos;t answer</source>
        <translation>回答しない(&amp;N)</translation>
    </message>
    <message>
        <source>Other ways not to answer</source>
        <translation>回答しないほかの方法</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>理由</translation>
    </message>
    <message>
        <source>Why? (optional)</source>
        <translation>理由（任意）</translation>
    </message>
    <message>
        <source>Decline</source>
        <translation>断る</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>Decline: say no</source>
        <translation>断る:「いいえ」と伝えます</translation>
    </message>
    <message>
        <source>Cancel: close without an answer</source>
        <translation>キャンセル: 回答せずに閉じます</translation>
    </message>
    <message>
        <source>Decline with a reason…</source>
        <translation>理由を付けて断る…</translation>
    </message>
    <message>
        <source>&amp;Decline</source>
        <translation>断る(&amp;D)</translation>
    </message>
</context>
<context>
    <name>RequestView</name>
    <message>
        <source>System text</source>
        <translation>システムテキスト</translation>
    </message>
    <message>
        <source>{kind}, {count} bytes</source>
        <translation>{kind}、{count} バイト</translation>
    </message>
    <message>
        <source>&amp;At most</source>
        <translation>最大(&amp;A)</translation>
    </message>
    <message>
        <source>The most tokens of the answer</source>
        <translation>回答の最大トークン数</translation>
    </message>
    <message>
        <source> tokens back</source>
        <translation> トークンの回答</translation>
    </message>
    <message>
        <source>it may call: {tools}</source>
        <translation>呼び出せるツール: {tools}</translation>
    </message>
    <message>
        <source>Further messages: {count}</source>
        <translation>ほかのメッセージ: {count} 件</translation>
    </message>
    <message>
        <source>Assistant</source>
        <translation>アシスタント</translation>
    </message>
    <message>
        <source>User</source>
        <translation>ユーザー</translation>
    </message>
</context>
<context>
    <name>ResultView</name>
    <message>
        <source>Text</source>
        <translation>テキスト</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>データ</translation>
    </message>
    <message>
        <source>Resource: {address}</source>
        <translation>リソース: {address}</translation>
    </message>
    <message>
        <source>Resource</source>
        <translation>リソース</translation>
    </message>
    <message>
        <source>Sound</source>
        <translation>音声</translation>
    </message>
    <message>
        <source>{count} bytes</source>
        <translation>{count} バイト</translation>
    </message>
</context>
<context>
    <name>RuleDialog</name>
    <message>
        <source>New rule</source>
        <translation>新しいルール</translation>
    </message>
    <message>
        <source>Change rule</source>
        <translation>ルールの変更</translation>
    </message>
    <message>
        <source>&amp;App</source>
        <translation>アプリ(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Server</source>
        <translation>サーバー(&amp;S)</translation>
    </message>
    <message>
        <source>Every server</source>
        <translation>すべてのサーバー</translation>
    </message>
    <message>
        <source>&amp;Tool</source>
        <translation>ツール(&amp;T)</translation>
    </message>
    <message>
        <source>Pattern</source>
        <translation>パターン</translation>
    </message>
    <message>
        <source>A tool&apos;s full name; * stands for anything, ? for one letter</source>
        <translation>ツールの完全な名前。* は任意の文字列、? は 1 文字</translation>
    </message>
    <message>
        <source>&amp;Pattern</source>
        <translation>パターン(&amp;P)</translation>
    </message>
    <message>
        <source>Actio&amp;n</source>
        <translation>動作(&amp;N)</translation>
    </message>
    <message>
        <source>Sa&amp;ve rule</source>
        <translation>ルールを保存(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>キャンセル(&amp;C)</translation>
    </message>
    <message>
        <source>Every tool</source>
        <translation>すべてのツール</translation>
    </message>
    <message>
        <source>Matches {count} tools now: {names}</source>
        <translation>現在 {count} 個のツールに一致: {names}</translation>
    </message>
    <message>
        <source>Matches 1 tool now: {names}</source>
        <translation>現在 1 個のツールに一致: {names}</translation>
    </message>
    <message>
        <source>No known tool matches.</source>
        <translation>現在わかっているツールには一致しません。</translation>
    </message>
</context>
<context>
    <name>RuleModel</name>
    <message>
        <source>App</source>
        <translation>アプリ</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>ツール</translation>
    </message>
    <message>
        <source>Action</source>
        <translation>動作</translation>
    </message>
    <message>
        <source>Applies to</source>
        <translation>対象</translation>
    </message>
    <message>
        <source>Created</source>
        <translation>作成</translation>
    </message>
    <message>
        <source>Allow always, {time}, for {app}</source>
        <translation>常に許可、{time}、{app}</translation>
    </message>
    <message>
        <source>Allow always, {time}</source>
        <translation>常に許可、{time}</translation>
    </message>
    <message>
        <source>{count} tools: {names}, …</source>
        <translation>{count} 個のツール: {names}、…</translation>
    </message>
    <message>
        <source>none: rules above apply first ({count})</source>
        <translation>なし: 上のルールが先に適用されます（{count}）</translation>
    </message>
    <message>
        <source>no known tool</source>
        <translation>現在わかっているものはなし</translation>
    </message>
</context>
<context>
    <name>RunningCallsPanel</name>
    <message>
        <source>End the selected call; its AI app is told</source>
        <translation>選択した呼び出しを終了し、AI アプリに伝えます</translation>
    </message>
    <message>
        <source>Ca&amp;ncel call</source>
        <translation>呼び出しを中止(&amp;N)</translation>
    </message>
    <message>
        <source>Calls in progress</source>
        <translation>実行中の呼び出し</translation>
    </message>
    <message>
        <source>In progress: {count}</source>
        <translation>実行中: {count}</translation>
    </message>
    <message>
        <source>{app} waits for your approval: {tool} ({server})</source>
        <translation>{app} があなたの承認を待っています: {tool}（{server}）</translation>
    </message>
    <message>
        <source>{app} waits for your answer: {tool} ({server})</source>
        <translation>{app} があなたの回答を待っています: {tool}（{server}）</translation>
    </message>
    <message>
        <source>{app} is using {tool} ({server})</source>
        <translation>{app} が {tool}（{server}）を使用中です</translation>
    </message>
</context>
<context>
    <name>SamplingWindow</name>
    <message>
        <source>Show me the answer &amp;before {server} gets it</source>
        <translation>{server} に渡す前に回答を見る(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Send</source>
        <translation>送信(&amp;S)</translation>
    </message>
    <message>
        <source>A&amp;lways for this server</source>
        <translation>このサーバーには常に許可(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>編集(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Refuse</source>
        <translation>拒否(&amp;R)</translation>
    </message>
    <message>
        <source>{server} wants an answer from your model {model}.</source>
        <translation>{server} があなたのモデル {model} の回答を求めています。</translation>
    </message>
    <message>
        <source>Always: whatever {server} asks is sent to your models without asking you, until you change it under Models.</source>
        <translation>常に: {server} からの依頼を確認なしでモデルに送ります。「モデル」で変更するまで続きます。</translation>
    </message>
</context>
<context>
    <name>SecretConfirmation</name>
    <message>
        <source>Servers must not ask for passwords, keys or cards in a form. This will be sent:</source>
        <translation>サーバーはフォームでパスワード、キー、カードを尋ねてはいけません。次の内容が送信されます:</translation>
    </message>
    <message>
        <source>What will be sent</source>
        <translation>送信される内容</translation>
    </message>
    <message>
        <source>You are about to give {server} what looks like a secret: {fields}.</source>
        <translation>{server} に秘密の情報と思われるもの({fields})を渡そうとしています。</translation>
    </message>
</context>
<context>
    <name>SecretsDialog</name>
    <message>
        <source>C&amp;lose</source>
        <translation>閉じる(&amp;L)</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名前</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>値</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>保存(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>名前(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Value</source>
        <translation>値(&amp;V)</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>キー</translation>
    </message>
    <message>
        <source>Keys are stored in your keychain and given only to the server that needs them.</source>
        <translation>キーはキーリングに保存され、必要とするサーバーだけに渡されます。</translation>
    </message>
    <message>
        <source>No server uses a key yet.</source>
        <translation>キーを使うサーバーはまだありません。</translation>
    </message>
    <message>
        <source>used by {servers}</source>
        <translation>{servers} が使用</translation>
    </message>
    <message>
        <source>not used by any server</source>
        <translation>どのサーバーも使用していません</translation>
    </message>
    <message>
        <source>missing · needed by {servers}</source>
        <translation>未設定 · {servers} に必要</translation>
    </message>
    <message>
        <source>Replace…</source>
        <translation>置き換え…</translation>
    </message>
    <message>
        <source>Set…</source>
        <translation>設定…</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>削除…</translation>
    </message>
    <message>
        <source>Sign-in to {server}, which was removed</source>
        <translation>削除された {server} へのサインイン</translation>
    </message>
    <message>
        <source>Delete it</source>
        <translation>削除する</translation>
    </message>
    <message>
        <source>Please give a name and a value.</source>
        <translation>名前と値を入力してください。</translation>
    </message>
    <message>
        <source>Delete the key {name}?</source>
        <translation>キー {name} を削除しますか？</translation>
    </message>
    <message>
        <source>{servers} won&apos;t start without it.</source>
        <translation>これがないと {servers} は起動しません。</translation>
    </message>
    <message>
        <source>&amp;Delete</source>
        <translation>削除(&amp;D)</translation>
    </message>
</context>
<context>
    <name>ServerCards</name>
    <message>
        <source>Use {name}</source>
        <translation>{name} を使う</translation>
    </message>
    <message>
        <source>Offer Bluesky to AI apps</source>
        <translation>AI アプリに Bluesky を提供する</translation>
    </message>
    <message>
        <source>Sign in to Bluesky…</source>
        <translation>Bluesky にサインイン…</translation>
    </message>
    <message>
        <source>Questions for you</source>
        <translation>あなたへの質問</translation>
    </message>
    <message>
        <source>Bluesky</source>
        <translation>Bluesky</translation>
    </message>
    <message>
        <source>1 tool</source>
        <translation>ツール 1 個</translation>
    </message>
    <message>
        <source>{count} tools</source>
        <translation>ツール {count} 個</translation>
    </message>
    <message>
        <source>used by {names}</source>
        <translation>{names} が使用中</translation>
    </message>
    <message>
        <source>Set the key {key} of {name}</source>
        <translation>{name} のキー {key} を設定</translation>
    </message>
    <message>
        <source>Set key…</source>
        <translation>キーを設定…</translation>
    </message>
    <message>
        <source>Sign in…</source>
        <translation>サインイン…</translation>
    </message>
    <message>
        <source>Open the page again</source>
        <translation>ページをもう一度開く</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>もう一度試す</translation>
    </message>
    <message>
        <source>Edit command…</source>
        <translation>コマンドを編集…</translation>
    </message>
    <message>
        <source>Edit address…</source>
        <translation>アドレスを編集…</translation>
    </message>
</context>
<context>
    <name>ServerDetailsTab</name>
    <message>
        <source>State</source>
        <translation>状態</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>コマンド</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>アドレス</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>フォルダー</translation>
    </message>
    <message>
        <source>Variables</source>
        <translation>変数</translation>
    </message>
    <message>
        <source>Headers</source>
        <translation>ヘッダー</translation>
    </message>
    <message>
        <source>Time limit</source>
        <translation>制限時間</translation>
    </message>
    <message>
        <source>{seconds} s</source>
        <translation>{seconds} 秒</translation>
    </message>
    <message>
        <source>one for all AI apps</source>
        <translation>すべての AI アプリで 1 つ</translation>
    </message>
    <message>
        <source>one for each AI app</source>
        <translation>AI アプリごとに 1 つ</translation>
    </message>
    <message>
        <source>Connections</source>
        <translation>接続</translation>
    </message>
    <message>
        <source>Used by</source>
        <translation>使用中のアプリ</translation>
    </message>
    <message>
        <source>no AI app at the moment</source>
        <translation>現在はありません</translation>
    </message>
    <message>
        <source>The key {name} is missing.</source>
        <translation>キー {name} がありません。</translation>
    </message>
    <message>
        <source>Last messages of the program</source>
        <translation>プログラムの最後のメッセージ</translation>
    </message>
    <message>
        <source>Set {name}</source>
        <translation>{name} を設定</translation>
    </message>
    <message>
        <source>Set it…</source>
        <translation>設定…</translation>
    </message>
    <message>
        <source>Last problem</source>
        <translation>最後の問題</translation>
    </message>
</context>
<context>
    <name>ServerToolModel</name>
    <message>
        <source>Tool</source>
        <translation>ツール</translation>
    </message>
    <message>
        <source>Risk</source>
        <translation>リスク</translation>
    </message>
    <message>
        <source>Description</source>
        <translation>説明</translation>
    </message>
</context>
<context>
    <name>ServerTools</name>
    <message>
        <source>Search tools</source>
        <translation>ツールを検索</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>消去</translation>
    </message>
    <message>
        <source>&amp;Try it…</source>
        <translation>試す(&amp;T)…</translation>
    </message>
    <message>
        <source>Start a&amp;nd load tools</source>
        <translation>起動してツールを読み込む(&amp;N)</translation>
    </message>
    <message>
        <source>Refres&amp;h</source>
        <translation>更新(&amp;H)</translation>
    </message>
    <message>
        <source>One of your AI apps starts this server and uses its tools.</source>
        <translation>このサーバーは AI アプリが起動し、そのツールを使います。</translation>
    </message>
    <message>
        <source>Loading its tools…</source>
        <translation>ツールを読み込んでいます…</translation>
    </message>
    <message>
        <source>Switched off: no AI app can use it.</source>
        <translation>オフです。どの AI アプリも使えません。</translation>
    </message>
    <message>
        <source>No tools</source>
        <translation>ツールはありません</translation>
    </message>
    <message>
        <source>Not started yet.</source>
        <translation>まだ起動していません。</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>ツール</translation>
    </message>
</context>
<context>
    <name>ServersPage</name>
    <message>
        <source>&amp;Undo</source>
        <translation>元に戻す(&amp;U)</translation>
    </message>
    <message>
        <source>OK</source>
        <translation>OK</translation>
    </message>
    <message>
        <source>T&amp;ools ({count})</source>
        <translation>ツール(&amp;O)({count})</translation>
    </message>
    <message>
        <source>T&amp;ools</source>
        <translation>ツール(&amp;O)</translation>
    </message>
    <message>
        <source>Servers</source>
        <translation>サーバー</translation>
    </message>
    <message>
        <source>&amp;Add…</source>
        <translation>追加(&amp;A)…</translation>
    </message>
    <message>
        <source>&amp;Import…</source>
        <translation>インポート(&amp;I)…</translation>
    </message>
    <message>
        <source>Your servers are not known: the settings file cannot be read. {problem}</source>
        <translation>設定ファイルを読み込めないため、サーバーがわかりません。{problem}</translation>
    </message>
    <message>
        <source>These are the servers of the last valid settings: the settings file cannot be read, and nothing can be changed here until it is corrected. {problem}</source>
        <translation>以前のサーバーを表示しています。設定ファイルを読み込めないため、直るまでここでは何も変更できません。{problem}</translation>
    </message>
    <message>
        <source>Open the fi&amp;le</source>
        <translation>ファイルを開く(&amp;L)</translation>
    </message>
    <message>
        <source>Servers give your AI apps tools.</source>
        <translation>サーバーは AI アプリにツールを提供します。</translation>
    </message>
    <message>
        <source>&amp;Keys…</source>
        <translation>キー(&amp;K)…</translation>
    </message>
    <message>
        <source>From your AI apps</source>
        <translation>AI アプリのサーバー</translation>
    </message>
    <message>
        <source>Built in</source>
        <translation>組み込み</translation>
    </message>
    <message>
        <source>Add a server…</source>
        <translation>サーバーを追加…</translation>
    </message>
    <message>
        <source>Add one by its command or address, or import those your AI apps already have.</source>
        <translation>コマンドかアドレスで追加するか、AI アプリにあるものをインポートしてください。</translation>
    </message>
    <message>
        <source>No servers yet</source>
        <translation>サーバーはまだありません</translation>
    </message>
    <message>
        <source>&amp;Details</source>
        <translation>詳細(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Restart</source>
        <translation>再起動(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Edit…</source>
        <translation>編集(&amp;E)…</translation>
    </message>
    <message>
        <source>Sign o&amp;ut</source>
        <translation>サインアウト(&amp;U)</translation>
    </message>
    <message>
        <source>Re&amp;move…</source>
        <translation>削除(&amp;M)…</translation>
    </message>
    <message>
        <source>Remove {server} from Deskbell?</source>
        <translation>{server} を Deskbell から削除しますか？</translation>
    </message>
    <message>
        <source>Your AI apps lose access to it. Its keys and its sign-in stay stored. You can undo this.</source>
        <translation>AI アプリから使えなくなります。キーとサインイン情報は残ります。元に戻せます。</translation>
    </message>
    <message>
        <source>&amp;Delete its sign-in and its own keys, too: this cannot be undone</source>
        <translation>サインイン情報と専用のキーも削除(&amp;D)（元に戻せません）</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>削除(&amp;R)</translation>
    </message>
</context>
<context>
    <name>SettingsPage</name>
    <message>
        <source>Snoozed until {time}.</source>
        <translation>{time} までスヌーズ中です。</translation>
    </message>
    <message>
        <source>Snoozed until you resume.</source>
        <translation>再開するまでスヌーズ中です。</translation>
    </message>
    <message>
        <source>none</source>
        <translation>なし</translation>
    </message>
    <message>
        <source>About Deskbell {version}…</source>
        <translation>Deskbell {version} について…</translation>
    </message>
    <message>
        <source>The token was replaced at {time}.</source>
        <translation>トークンは {time} に置き換えられました。</translation>
    </message>
    <message>
        <source>1 minute</source>
        <translation>1 分</translation>
    </message>
    <message>
        <source>1 hour</source>
        <translation>1 時間</translation>
    </message>
    <message>
        <source>{count} hours</source>
        <translation>{count} 時間</translation>
    </message>
    <message>
        <source>{count} minutes</source>
        <translation>{count} 分</translation>
    </message>
    <message>
        <source>{count} seconds</source>
        <translation>{count} 秒</translation>
    </message>
    <message>
        <source>Replace the token?</source>
        <translation>トークンを置き換えますか？</translation>
    </message>
    <message>
        <source>When a question comes</source>
        <translation>質問が届いたとき</translation>
    </message>
    <message>
        <source>Show question &amp;windows automatically</source>
        <translation>質問のウィンドウを自動的に表示(&amp;W)</translation>
    </message>
    <message>
        <source>Show a &amp;notification that tells who asks</source>
        <translation>誰からの質問かを通知する(&amp;N)</translation>
    </message>
    <message>
        <source>Play a &amp;sound</source>
        <translation>音を鳴らす(&amp;S)</translation>
    </message>
    <message>
        <source>Stay quiet while the desktop is set to do not &amp;disturb</source>
        <translation>デスクトップが「おやすみモード」の間は静かにする(&amp;D)</translation>
    </message>
    <message>
        <source> questions per minute</source>
        <translation> 件／分</translation>
    </message>
    <message>
        <source>Snoo&amp;ze</source>
        <translation>スヌーズ(&amp;Z)</translation>
    </message>
    <message>
        <source>Settings that few people need</source>
        <translation>あまり使わない設定</translation>
    </message>
    <message>
        <source>Advanced</source>
        <translation>詳細設定</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>設定</translation>
    </message>
    <message>
        <source>Changes apply at once.</source>
        <translation>変更はすぐに反映されます。</translation>
    </message>
    <message>
        <source>These keys are used by another program. Choose others.</source>
        <translation>このキーは別のプログラムが使っています。ほかのキーを選んでください。</translation>
    </message>
    <message>
        <source>Moving keys… Your keychain may ask you to unlock it.</source>
        <translation>キーを移動しています… キーリングのロック解除を求められることがあります。</translation>
    </message>
    <message>
        <source>Forget keys when Deskbell ends?</source>
        <translation>Deskbell の終了時にキーを消去しますか？</translation>
    </message>
    <message>
        <source>Store no keys?</source>
        <translation>キーを保存しないようにしますか？</translation>
    </message>
    <message>
        <source>Servers and accounts lose access to the keys that are stored now. They stay where they are, for when you choose that place again.</source>
        <translation>サーバーとアカウントは、いま保存されているキーを使えなくなります。キーは元の場所に残り、その場所を選び直すとまた使えます。</translation>
    </message>
    <message>
        <source>&amp;Change</source>
        <translation>変更(&amp;C)</translation>
    </message>
    <message>
        <source>These files still contain the old token:</source>
        <translation>次のファイルには古いトークンが残っています:</translation>
    </message>
    <message>
        <source>Deskbell {version} is ready; it is installed when Deskbell starts next.</source>
        <translation>Deskbell {version} の準備ができました。次に Deskbell を起動したときにインストールされます。</translation>
    </message>
    <message>
        <source>Deskbell {version} is available. Update with: {command}</source>
        <translation>Deskbell {version} が公開されました。更新コマンド: {command}</translation>
    </message>
    <message>
        <source>Deskbell {version} is available.</source>
        <translation>Deskbell {version} が利用できます。</translation>
    </message>
    <message>
        <source>Up to date, checked at {time}.</source>
        <translation>最新です ({time} に確認)。</translation>
    </message>
    <message>
        <source>Not checked yet.</source>
        <translation>まだ確認していません。</translation>
    </message>
    <message>
        <source>All activity is deleted. This can&apos;t be undone.</source>
        <translation>アクティビティはすべて削除されます。元に戻せません。</translation>
    </message>
    <message>
        <source>&amp;Delete</source>
        <translation>削除(&amp;D)</translation>
    </message>
    <message>
        <source>AI apps that connect by HTTP can&apos;t connect until you give them the new token. Other apps keep working.</source>
        <translation>HTTP で接続する AI アプリは、新しいトークンを渡すまで接続できません。ほかのアプリはそのまま使えます。</translation>
    </message>
    <message>
        <source>&amp;Replace</source>
        <translation>置き換える(&amp;R)</translation>
    </message>
    <message>
        <source>Shortcut to answer</source>
        <translation>回答のショートカット</translation>
    </message>
    <message>
        <source>&amp;Resume</source>
        <translation>再開(&amp;R)</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>外観</translation>
    </message>
    <message>
        <source>Lan&amp;guage</source>
        <translation>言語(&amp;G)</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>ライト</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>ダーク</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>テーマ(&amp;T)</translation>
    </message>
    <message>
        <source>Restart Deskbell to change the language.</source>
        <translation>言語を変えるには Deskbell を再起動してください。</translation>
    </message>
    <message>
        <source>In colour</source>
        <translation>カラー</translation>
    </message>
    <message>
        <source>Monochrome</source>
        <translation>単色</translation>
    </message>
    <message>
        <source>Monochrome, for a light panel</source>
        <translation>単色（明るいパネル用）</translation>
    </message>
    <message>
        <source>Monochrome, for a dark panel</source>
        <translation>単色（暗いパネル用）</translation>
    </message>
    <message>
        <source>Tray &amp;icon</source>
        <translation>トレイアイコン(&amp;I)</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>起動</translation>
    </message>
    <message>
        <source>St&amp;art Deskbell when I log in</source>
        <translation>ログイン時に Deskbell を起動する(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Keep it for</source>
        <translation>保存期間(&amp;K)</translation>
    </message>
    <message>
        <source> days</source>
        <translation> 日</translation>
    </message>
    <message>
        <source> day</source>
        <translation> 日</translation>
    </message>
    <message>
        <source>Keep call contents for</source>
        <translation>呼び出しの内容を保存する期間</translation>
    </message>
    <message>
        <source>Never keep it</source>
        <translation>残さない</translation>
    </message>
    <message>
        <source>AI apps that connect by HTTP</source>
        <translation>HTTP で接続する AI アプリ</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>アドレス</translation>
    </message>
    <message>
        <source>&amp;Port</source>
        <translation>ポート(&amp;P)</translation>
    </message>
    <message>
        <source>Any free one</source>
        <translation>空いているもの</translation>
    </message>
    <message>
        <source>&amp;Copy address</source>
        <translation>アドレスをコピー(&amp;C)</translation>
    </message>
    <message>
        <source>Cop&amp;y token</source>
        <translation>トークンをコピー(&amp;Y)</translation>
    </message>
    <message>
        <source>Replace the t&amp;oken…</source>
        <translation>トークンを置き換える(&amp;O)…</translation>
    </message>
    <message>
        <source>Updates</source>
        <translation>アップデート</translation>
    </message>
    <message>
        <source>Download them, and install them when Deskbell starts next</source>
        <translation>ダウンロードして、次に Deskbell を起動したときにインストールする</translation>
    </message>
    <message>
        <source>Update addr&amp;ess</source>
        <translation>更新の確認先(&amp;E)</translation>
    </message>
    <message>
        <source>Check now</source>
        <translation>今すぐ確認</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>ヘルプ</translation>
    </message>
    <message>
        <source>About Deskbell…</source>
        <translation>Deskbell について…</translation>
    </message>
    <message>
        <source>S&amp;how the log…</source>
        <translation>ログを表示(&amp;H)…</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>キー</translation>
    </message>
    <message>
        <source>Keychain; a file where there is none</source>
        <translation>キーリング (なければファイル)</translation>
    </message>
    <message>
        <source>System keychain</source>
        <translation>システムのキーリング</translation>
    </message>
    <message>
        <source>Encrypted file</source>
        <translation>暗号化ファイル</translation>
    </message>
    <message>
        <source>Memory, until Deskbell ends</source>
        <translation>メモリ (Deskbell の終了まで)</translation>
    </message>
    <message>
        <source>Nowhere</source>
        <translation>保存しない</translation>
    </message>
    <message>
        <source>Store keys in</source>
        <translation>キーの保存先</translation>
    </message>
    <message>
        <source>Check for new versions daily</source>
        <translation>新しいバージョンを毎日確認する</translation>
    </message>
    <message>
        <source>Deskbell cannot update itself: this build has no key to verify a download with.</source>
        <translation>Deskbell を自動更新できません: このビルドには、ダウンロードを検証するための鍵がありません。</translation>
    </message>
    <message>
        <source>The request contains nothing about you. Nothing is installed unless you say so.</source>
        <translation>要求にあなたの情報は含まれません。あなたが選ばないかぎり何もインストールされません。</translation>
    </message>
    <message>
        <source>Diagnostics…</source>
        <translation>診断情報…</translation>
    </message>
    <message>
        <source>History</source>
        <translation>履歴</translation>
    </message>
    <message>
        <source>Keep no history?</source>
        <translation>履歴を残さないようにしますか？</translation>
    </message>
    <message>
        <source>Never</source>
        <translation>しない</translation>
    </message>
    <message>
        <source>When I&apos;m idle</source>
        <translation>操作していないとき</translation>
    </message>
    <message>
        <source>Always</source>
        <translation>常に</translation>
    </message>
    <message>
        <source>Bring to &amp;front</source>
        <translation>前面に表示(&amp;F)</translation>
    </message>
    <message>
        <source>Expire &amp;unanswered questions after</source>
        <translation>未回答の質問の期限(&amp;U)</translation>
    </message>
    <message>
        <source>Limit each server to</source>
        <translation>サーバーごとの上限</translation>
    </message>
    <message>
        <source>No limit</source>
        <translation>制限なし</translation>
    </message>
    <message>
        <source>Keep no history</source>
        <translation>履歴を残さない</translation>
    </message>
    <message>
        <source>Follow system</source>
        <translation>システムに合わせる</translation>
    </message>
</context>
<context>
    <name>Sidebar</name>
    <message>
        <source>Pages</source>
        <translation>ページ</translation>
    </message>
    <message>
        <source>Choose what to see</source>
        <translation>表示するページを選びます</translation>
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
        <translation>{field} のスライダー</translation>
    </message>
</context>
<context>
    <name>StarsInput</name>
    <message>
        <source>{count} of {most}</source>
        <translation>{most} 個中 {count} 個</translation>
    </message>
</context>
<context>
    <name>TextWindow</name>
    <message>
        <source>Nothing here yet.</source>
        <translation>まだ何もありません。</translation>
    </message>
    <message>
        <source>&amp;Copy all</source>
        <translation>すべてコピー(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Refresh</source>
        <translation>更新(&amp;R)</translation>
    </message>
    <message>
        <source>Open &amp;folder</source>
        <translation>フォルダーを開く(&amp;F)</translation>
    </message>
    <message>
        <source>C&amp;lose</source>
        <translation>閉じる(&amp;L)</translation>
    </message>
    <message>
        <source>Copied.</source>
        <translation>コピーしました。</translation>
    </message>
</context>
<context>
    <name>ToolModel</name>
    <message>
        <source>Tool</source>
        <translation>ツール</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>サーバー</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>現在</translation>
    </message>
    <message>
        <source>Risk</source>
        <translation>リスク</translation>
    </message>
    <message>
        <source>Asks: it has changed</source>
        <translation>確認: 変更あり</translation>
    </message>
</context>
<context>
    <name>Tray</name>
    <message>
        <source>S&amp;nooze</source>
        <translation>スヌーズ(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Resume</source>
        <translation>再開(&amp;R)</translation>
    </message>
    <message>
        <source>Ac&amp;tivity…</source>
        <translation>アクティビティ(&amp;T)…</translation>
    </message>
    <message>
        <source>&amp;Servers…</source>
        <translation>サーバー(&amp;S)…</translation>
    </message>
    <message>
        <source>&amp;Open Deskbell</source>
        <translation>Deskbell を開く(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Bluesky…</source>
        <translation>Bluesky(&amp;B)…</translation>
    </message>
    <message>
        <source>S&amp;ettings…</source>
        <translation>設定(&amp;E)…</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>終了(&amp;Q)</translation>
    </message>
    <message>
        <source>Please sign in to Bluesky again as {account}.</source>
        <translation>{account} として、Bluesky にもう一度サインインしてください。</translation>
    </message>
    <message>
        <source>&amp;Answer next question</source>
        <translation>次の質問に回答(&amp;A)</translation>
    </message>
    <message>
        <source>AI a&amp;pps…</source>
        <translation>AI アプリ(&amp;P)…</translation>
    </message>
    <message>
        <source>{count} connected</source>
        <translation>{count} 個接続中</translation>
    </message>
    <message>
        <source>AI a&amp;pps: {state}</source>
        <translation>AI アプリ(&amp;P): {state}</translation>
    </message>
    <message>
        <source>&amp;Servers: {count} failed</source>
        <translation>サーバー(&amp;S): {count} 個失敗</translation>
    </message>
    <message>
        <source>&amp;Servers: {count} running</source>
        <translation>サーバー(&amp;S): {count} 個実行中</translation>
    </message>
    <message>
        <source>{server} is asking a lot</source>
        <translation>{server} からの質問が多すぎます</translation>
    </message>
    <message>
        <source>Questions waiting: {count}</source>
        <translation>待っている質問: {count}</translation>
    </message>
    <message>
        <source>{server} has failed</source>
        <translation>{server} が失敗しました</translation>
    </message>
    <message>
        <source>Ready · no apps connected</source>
        <translation>準備完了 · 接続中のアプリなし</translation>
    </message>
    <message>
        <source>Ready · {names}</source>
        <translation>準備完了 · {names}</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>起動中…</translation>
    </message>
    <message>
        <source>Snoozed</source>
        <translation>スヌーズ中</translation>
    </message>
    <message>
        <source>Snoozed until {time}</source>
        <translation>{time} までスヌーズ中</translation>
    </message>
</context>
<context>
    <name>TryWindow</name>
    <message>
        <source>Try {tool} of {server}</source>
        <translation>{server} の {tool} を試す</translation>
    </message>
    <message>
        <source>Description</source>
        <translation>説明</translation>
    </message>
    <message>
        <source>This tool&apos;s form cannot be shown. Enter its arguments as JSON. {why}</source>
        <translation>このツールのフォームは表示できません。引数を JSON で入力してください。{why}</translation>
    </message>
    <message>
        <source>No input needed.</source>
        <translation>入力は不要です。</translation>
    </message>
    <message>
        <source>* required. What you leave blank is left out.</source>
        <translation>* は必須です。空欄は送られません。</translation>
    </message>
    <message>
        <source>What you leave blank is left out.</source>
        <translation>空欄の項目は送られません。</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>進行状況</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>実行(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>キャンセル(&amp;C)</translation>
    </message>
    <message>
        <source>C&amp;lose</source>
        <translation>閉じる(&amp;L)</translation>
    </message>
    <message>
        <source>The tool is asking you something in another window.</source>
        <translation>ツールが別のウィンドウで質問しています。</translation>
    </message>
    <message>
        <source>Waiting for the answer…</source>
        <translation>応答を待っています…</translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation>キャンセルしました。</translation>
    </message>
    <message>
        <source>Failed after {seconds} s.</source>
        <translation>{seconds} 秒で失敗しました。</translation>
    </message>
    <message>
        <source>Done in {seconds} s, without output.</source>
        <translation>{seconds} 秒で完了しました。出力はありません。</translation>
    </message>
    <message>
        <source>Answered in {seconds} s.</source>
        <translation>{seconds} 秒で応答しました。</translation>
    </message>
</context>
<context>
    <name>UrlWindow</name>
    <message>
        <source>&amp;Open in browser</source>
        <translation>ブラウザーで開く(&amp;O)</translation>
    </message>
    <message>
        <source>No browser could be opened. You can copy the address and open it yourself.</source>
        <translation>ブラウザーを開けませんでした。アドレスをコピーして自分で開くことができます。</translation>
    </message>
    <message>
        <source>I opened it &amp;myself</source>
        <translation>自分で開きました(&amp;M)</translation>
    </message>
    <message>
        <source>The page is open in your browser. Come back here when you are done.</source>
        <translation>ページをブラウザーで開きました。終わったらここに戻ってください。</translation>
    </message>
    <message>
        <source>&amp;Done</source>
        <translation>完了(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Open again</source>
        <translation>もう一度開く(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>キャンセル(&amp;C)</translation>
    </message>
    <message>
        <source>Stop the task</source>
        <translation>この処理を中止する</translation>
    </message>
    <message>
        <source>Wants to open this address:</source>
        <translation>次のアドレスを開こうとしています:</translation>
    </message>
    <message>
        <source>Wants to open {site}</source>
        <translation>{site} を開こうとしています</translation>
    </message>
    <message>
        <source>This is not a web page, so Deskbell will not open it.</source>
        <translation>これはウェブページではないため、Deskbell は開きません。</translation>
    </message>
    <message>
        <source>This address is malformed, so Deskbell will not open it.</source>
        <translation>このアドレスは正しくないため、Deskbell は開きません。</translation>
    </message>
    <message>
        <source>The connection would not be encrypted, so Deskbell will not open it.</source>
        <translation>接続が暗号化されないため、Deskbell は開きません。</translation>
    </message>
    <message>
        <source>Careful: this address uses letters that look like others: {name}</source>
        <translation>注意: このアドレスには別の文字に見える文字が使われています: {name}</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>アドレス</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>Co&amp;py address</source>
        <translation>アドレスをコピー(&amp;P)</translation>
    </message>
    <message>
        <source>The address starts with a user name. This is often done to hide the real site.</source>
        <translation>アドレスがユーザー名で始まっています。本当のサイトを隠すためによく使われます。</translation>
    </message>
    <message>
        <source>The site has no name, only a number. Real services rarely do that.</source>
        <translation>サイトに名前がなく、番号だけです。本物のサービスではまれです。</translation>
    </message>
    <message>
        <source>The site&apos;s name mixes several scripts. This is often done to look like another site.</source>
        <translation>サイト名に複数の文字体系が混ざっています。別のサイトに見せかけるためによく使われます。</translation>
    </message>
    <message>
        <source>Careful: this address uses look-alike letters: {name}. It is not {other}.</source>
        <translation>注意: このアドレスにはよく似た別の文字が使われています: {name}。{other} ではありません。</translation>
    </message>
    <message>
        <source>This address uses an unusual port.</source>
        <translation>このアドレスは通常と異なるポートを使っています。</translation>
    </message>
</context>
<context>
    <name>WaitingCards</name>
    <message>
        <source>Waiting questions</source>
        <translation>待っている質問</translation>
    </message>
</context>
<context>
    <name>WaitingList</name>
    <message>
        <source>Waiting requests</source>
        <translation>待機中の依頼</translation>
    </message>
    <message>
        <source>Re&amp;fuse all</source>
        <translation>すべて拒否(&amp;F)</translation>
    </message>
    <message>
        <source>{count} requests are waiting for you</source>
        <translation>{count} 件の依頼が待っています</translation>
    </message>
    <message>
        <source>answer: {words}</source>
        <translation>回答: {words}</translation>
    </message>
</context>
<context>
    <name>WelcomeWindow</name>
    <message>
        <source>Welcome to Deskbell</source>
        <translation>Deskbell へようこそ</translation>
    </message>
    <message>
        <source>S&amp;kip setup</source>
        <translation>セットアップをスキップ(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;Back</source>
        <translation>戻る(&amp;B)</translation>
    </message>
    <message>
        <source>Skip this &amp;step</source>
        <translation>この手順をスキップ(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Ring the bell</source>
        <translation>ベルを鳴らす(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Continue</source>
        <translation>続ける(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Done</source>
        <translation>完了(&amp;D)</translation>
    </message>
    <message>
        <source>Step {number} of {count}</source>
        <translation>手順 {number}/{count}</translation>
    </message>
</context>
<context>
    <name>WrittenChangeSheet</name>
    <message>
        <source>What changed in {name}</source>
        <translation>{name} の変更点</translation>
    </message>
    <message>
        <source>What changed</source>
        <translation>変更点</translation>
    </message>
    <message>
        <source>Nothing else was changed. Switch the app off to get its file back exactly as it was.</source>
        <translation>ほかには何も変更していません。アプリをオフにすると、ファイルは完全に元どおりになります。</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>閉じる(&amp;C)</translation>
    </message>
</context>
<context>
    <name>app</name>
    <message>
        <source>Questions</source>
        <translation>質問</translation>
    </message>
    <message>
        <source>Servers</source>
        <translation>サーバー</translation>
    </message>
    <message>
        <source>AI apps</source>
        <translation>AI アプリ</translation>
    </message>
    <message>
        <source>Home</source>
        <translation>ホーム</translation>
    </message>
    <message>
        <source>Activity</source>
        <translation>アクティビティ</translation>
    </message>
    <message>
        <source>Approvals</source>
        <translation>承認</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>モデル</translation>
    </message>
    <message>
        <source>Bluesky</source>
        <translation>Bluesky</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>設定</translation>
    </message>
    <message>
        <source>Quit with a question waiting?</source>
        <translation>質問が待っていますが、終了しますか？</translation>
    </message>
    <message>
        <source>It will be cancelled, and the AI app will be told.</source>
        <translation>質問は取り消され、AI アプリに伝えられます。</translation>
    </message>
    <message>
        <source>Quit with {count} questions waiting?</source>
        <translation>{count} 件の質問が待っていますが、終了しますか？</translation>
    </message>
    <message>
        <source>They will be cancelled, and the AI apps will be told.</source>
        <translation>質問は取り消され、AI アプリに伝えられます。</translation>
    </message>
    <message>
        <source>What you typed is kept under Unsent drafts.</source>
        <translation>入力した内容は「未送信の下書き」に残ります。</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>終了(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>キャンセル(&amp;C)</translation>
    </message>
    <message>
        <source>Deskbell is already running without windows.</source>
        <translation>Deskbell はすでにウィンドウなしで動作しています。</translation>
    </message>
    <message>
        <source>AI apps are connected to it. If you take over, their connections end; restart them, and from then on their questions come here.</source>
        <translation>AI アプリが接続しています。引き継ぐと接続は切れます。アプリを再起動すると、以後の質問はここに届きます。</translation>
    </message>
    <message>
        <source>&amp;Take over</source>
        <translation>引き継ぐ(&amp;T)</translation>
    </message>
</context>
<context>
    <name>approvals</name>
    <message>
        <source>Allow</source>
        <translation>許可</translation>
    </message>
    <message>
        <source>Ask me first</source>
        <translation>先に確認</translation>
    </message>
    <message>
        <source>Deny</source>
        <translation>拒否</translation>
    </message>
    <message>
        <source>Every AI app</source>
        <translation>すべての AI アプリ</translation>
    </message>
    <message>
        <source>Read only</source>
        <translation>読み取りのみ</translation>
    </message>
    <message>
        <source>Can delete</source>
        <translation>削除の可能性</translation>
    </message>
    <message>
        <source>Makes changes</source>
        <translation>変更を行う</translation>
    </message>
    <message>
        <source>Allow all</source>
        <translation>すべて許可</translation>
    </message>
    <message>
        <source>Ask before changes that cannot be undone</source>
        <translation>元に戻せない変更の前に確認</translation>
    </message>
    <message>
        <source>Ask before changes</source>
        <translation>変更の前に確認</translation>
    </message>
    <message>
        <source>Always ask</source>
        <translation>常に確認</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>ブロック</translation>
    </message>
</context>
<context>
    <name>asking</name>
    <message>
        <source>&amp;Cancel</source>
        <translation>キャンセル(&amp;C)</translation>
    </message>
</context>
<context>
    <name>bridge</name>
    <message>
        <source>, locked by a passphrase</source>
        <translation> (パスフレーズでロック中)</translation>
    </message>
    <message>
        <source>, which cannot be used now</source>
        <translation> (いまは使えません)</translation>
    </message>
    <message>
        <source>, which waits for you to unlock it in a window of its own</source>
        <translation> (別のウィンドウでロック解除を待っています)</translation>
    </message>
    <message>
        <source>1 character</source>
        <translation>1 文字</translation>
    </message>
    <message>
        <source>1 item</source>
        <translation>1 件</translation>
    </message>
    <message>
        <source>@{handle} cannot be looked up</source>
        <translation>@{handle} を照会できません</translation>
    </message>
    <message>
        <source>@{handle} is not the handle of an account</source>
        <translation>@{handle} はアカウントのハンドルではありません</translation>
    </message>
    <message>
        <source>A handle looks like alice.bsky.social; a DID (did:plc:…) or the address of a profile page works too.</source>
        <translation>ハンドルは alice.bsky.social のような形です。DID (did:plc:…) やプロフィールページのアドレスも使えます。</translation>
    </message>
    <message>
        <source>Its command or address seems to contain a key, where others can see it. If the server can take the key from a variable or a header, enter it there: Deskbell can then store it in your keychain.</source>
        <translation>コマンドまたはアドレスに、ほかの人から見えるキーが含まれているようです。サーバーが変数やヘッダーからキーを受け取れるなら、そちらに入力してください。Deskbell がキーリングに保存できます。</translation>
    </message>
    <message>
        <source>A multiple of {number}.</source>
        <translation>{number} の倍数。</translation>
    </message>
    <message>
        <source>A part of it is missing. Set it again.</source>
        <translation>一部が欠けています。もう一度設定してください。</translation>
    </message>
    <message>
        <source>A quote is not closed</source>
        <translation>引用符が閉じられていません</translation>
    </message>
    <message>
        <source>A server needs a command or an address</source>
        <translation>サーバーにはコマンドかアドレスが必要です</translation>
    </message>
    <message>
        <source>Added {names}.</source>
        <translation>{names} を追加しました。</translation>
    </message>
    <message>
        <source>Another Deskbell is writing</source>
        <translation>別の Deskbell が書き込み中です</translation>
    </message>
    <message>
        <source>Another account answered</source>
        <translation>別のアカウントが応答しました</translation>
    </message>
    <message>
        <source>Another account signed in</source>
        <translation>別のアカウントでサインインされました</translation>
    </message>
    <message>
        <source>Another program is using the secrets</source>
        <translation>別のプログラムがシークレットを使用中です</translation>
    </message>
    <message>
        <source>Another program may manage it. Allow writing, or change it there.</source>
        <translation>別のプログラムが管理しているかもしれません。書き込みを許可するか、そちらで変更してください。</translation>
    </message>
    <message>
        <source>Another program uses it</source>
        <translation>別のプログラムが使っています</translation>
    </message>
    <message>
        <source>Asking {host} for a sign-in page…</source>
        <translation>{host} にサインインページを要求しています…</translation>
    </message>
    <message>
        <source>At least {low} characters.</source>
        <translation>{low} 文字以上。</translation>
    </message>
    <message>
        <source>At most {high} characters.</source>
        <translation>{high} 文字以下。</translation>
    </message>
    <message>
        <source>At {place}: {reason}</source>
        <translation>{place}: {reason}</translation>
    </message>
    <message>
        <source>Byte {place} is wrong. {remedy}</source>
        <translation>{place} バイト目が正しくありません。{remedy}</translation>
    </message>
    <message>
        <source>Change it first, on the page Approvals or in config.toml.</source>
        <translation>先に「承認」ページか config.toml でそれを変更してください。</translation>
    </message>
    <message>
        <source>Changed {name}.</source>
        <translation>{name} を変更しました。</translation>
    </message>
    <message>
        <source>Check how it is spelled.</source>
        <translation>つづりをご確認ください。</translation>
    </message>
    <message>
        <source>Check your connection, and try again.</source>
        <translation>接続を確認して、もう一度お試しください。</translation>
    </message>
    <message>
        <source>Choose another name, or change that first, on the page AI apps or in config.toml.</source>
        <translation>別の名前にするか、先に「AI アプリ」のページか config.toml でそちらを変更してください。</translation>
    </message>
    <message>
        <source>Choose another name.</source>
        <translation>別の名前を選んでください。</translation>
    </message>
    <message>
        <source>Choose one of: {names}.</source>
        <translation>次から選んでください: {names}。</translation>
    </message>
    <message>
        <source>Close it, or put it into other quotes.</source>
        <translation>閉じるか、別の引用符で囲んでください。</translation>
    </message>
    <message>
        <source>Connect it without --http.</source>
        <translation>--http なしで接続してください。</translation>
    </message>
    <message>
        <source>Could not reach {server}: {why}</source>
        <translation>{server} に接続できませんでした: {why}</translation>
    </message>
    <message>
        <source>Could not sign in to {server}: {why}</source>
        <translation>{server} にサインインできませんでした: {why}</translation>
    </message>
    <message>
        <source>Could not start {server}</source>
        <translation>{server} を起動できませんでした</translation>
    </message>
    <message>
        <source>Could not start {server}: {why}. Check its command.</source>
        <translation>{server} を起動できませんでした: {why}。コマンドをご確認ください。</translation>
    </message>
    <message>
        <source>DESKBELL_PORT cannot be used</source>
        <translation>DESKBELL_PORT を使えません</translation>
    </message>
    <message>
        <source>Deskbell cannot listen at {path}</source>
        <translation>Deskbell は {path} で待ち受けできません</translation>
    </message>
    <message>
        <source>Deskbell cannot listen on 127.0.0.1</source>
        <translation>Deskbell は 127.0.0.1 で待ち受けできません</translation>
    </message>
    <message>
        <source>Deskbell keeps no secrets</source>
        <translation>Deskbell はシークレットを保存しません</translation>
    </message>
    <message>
        <source>Deskbell does not know the AI app {name}</source>
        <translation>{name} という AI アプリには対応していません</translation>
    </message>
    <message>
        <source>Deskbell takes app passwords only, NOT your main password. Nothing was sent or kept. Create an app password at {address} – it looks like xxxx-xxxx-xxxx-xxxx. Better still, sign in with your browser (OAuth): that is the strongly recommended way.</source>
        <translation>Deskbell が受け付けるのはアプリパスワードだけで、メインのパスワードではありません。何も送信も保存もしていません。{address} でアプリパスワードを作成してください (xxxx-xxxx-xxxx-xxxx の形です)。できればブラウザーでのサインイン (OAuth) を強くお勧めします。</translation>
    </message>
    <message>
        <source>Deskbell {newer} is available; you have {here}.</source>
        <translation>Deskbell {newer} が利用できます。現在は {here} です。</translation>
    </message>
    <message>
        <source>Deskbell&apos;s port is another one at each start</source>
        <translation>Deskbell のポートは起動のたびに変わります</translation>
    </message>
    <message>
        <source>Does not belong here: {names}.</source>
        <translation>ここには使えません: {names}。</translation>
    </message>
    <message>
        <source>Done.</source>
        <translation>完了しました。</translation>
    </message>
    <message>
        <source>Exactly {low} characters.</source>
        <translation>ちょうど {low} 文字。</translation>
    </message>
    <message>
        <source>Finishing the sign-in…</source>
        <translation>サインインを完了しています…</translation>
    </message>
    <message>
        <source>Give it: {command}</source>
        <translation>入力してください: {command}</translation>
    </message>
    <message>
        <source>Give one command, one address, or settings as an AI app has them.</source>
        <translation>コマンド、アドレス、または AI アプリの設定を 1 つ入力してください。</translation>
    </message>
    <message>
        <source>Give one of them.</source>
        <translation>どちらか一方を入力してください。</translation>
    </message>
    <message>
        <source>HTTP status {code}</source>
        <translation>HTTP ステータス {code}</translation>
    </message>
    <message>
        <source>Install and start it once. To write {path} all the same, add --create.</source>
        <translation>インストールして一度起動してください。それでも {path} に書くには --create を付けてください。</translation>
    </message>
    <message>
        <source>It begins with http:// or https://</source>
        <translation>http:// または https:// で始まります</translation>
    </message>
    <message>
        <source>A command begins with the program to start.</source>
        <translation>起動するものを先頭に書いてください。</translation>
    </message>
    <message>
        <source>It does not say where to sign in with a browser. Use an app password there.</source>
        <translation>ブラウザーでのサインイン先が示されていません。アプリパスワードをお使いください。</translation>
    </message>
    <message>
        <source>It has locked {path}.</source>
        <translation>{path} をロックしています。</translation>
    </message>
    <message>
        <source>Give a number of seconds above 0.</source>
        <translation>0 より大きい秒数を指定してください。</translation>
    </message>
    <message>
        <source>It is encrypted with {key}, which is not there. Put it back.</source>
        <translation>{key} で暗号化されていますが、その鍵がありません。元の場所に戻してください。</translation>
    </message>
    <message>
        <source>It does not contain a table of settings.</source>
        <translation>設定の表ではありません。</translation>
    </message>
    <message>
        <source>It is not this Deskbell. Rename it in {path}, then try again.</source>
        <translation>この Deskbell ではありません。{path} で名前を変えてから、もう一度お試しください。</translation>
    </message>
    <message>
        <source>It is started again in {seconds} s.</source>
        <translation>{seconds} 秒後に再び起動します。</translation>
    </message>
    <message>
        <source>It is disabled there, so it will be disabled here too.</source>
        <translation>元のアプリでオフになっているため、ここでもオフになります。</translation>
    </message>
    <message>
        <source>It is tried again in {seconds} s.</source>
        <translation>{seconds} 秒後に再び試します。</translation>
    </message>
    <message>
        <source>It supports did:plc and did:web.</source>
        <translation>対応しているのは did:plc と did:web です。</translation>
    </message>
    <message>
        <source>Choose one of: {known}.</source>
        <translation>次から選んでください: {known}。</translation>
    </message>
    <message>
        <source>It leads to {did}, which calls itself @{handle}. Use that handle, or the DID.</source>
        <translation>これは {did} につながりますが、そちらは @{handle} と名乗っています。そのハンドルか DID をお使いください。</translation>
    </message>
    <message>
        <source>It may be asking you to unlock it. Unlock it, and try again.</source>
        <translation>ロック解除を求めているかもしれません。ロックを解除して、もう一度お試しください。</translation>
    </message>
    <message>
        <source>It may have been closed.</source>
        <translation>閉鎖されたのかもしれません。</translation>
    </message>
    <message>
        <source>It must be {what}, not {value}.</source>
        <translation>{what} が必要です ({value} は使えません)。</translation>
    </message>
    <message>
        <source>It must be {what}.</source>
        <translation>{what} が必要です。</translation>
    </message>
    <message>
        <source>It must begin with https:// (http:// is for this computer only).</source>
        <translation>https:// で始まる必要があります (http:// はこのコンピューターだけ)。</translation>
    </message>
    <message>
        <source>It sent no code.</source>
        <translation>コードが送られてきませんでした。</translation>
    </message>
    <message>
        <source>It uses {sign}, which Deskbell cannot fill in. Please enter the value.</source>
        <translation>{sign} が使われていますが、Deskbell では置き換えられません。値を入力してください。</translation>
    </message>
    <message>
        <source>It waits for you to sign in.</source>
        <translation>サインインを待っています。</translation>
    </message>
    <message>
        <source>It was not called, and nobody said no: asking again later, when the person is there, makes sense.</source>
        <translation>呼び出されていません。誰かが断ったわけではないので、人がいるときにもう一度試してください。</translation>
    </message>
    <message>
        <source>It is changing {path}. Try again.</source>
        <translation>{path} を処理しています。もう一度お試しください。</translation>
    </message>
    <message>
        <source>Item {place}: {reason}</source>
        <translation>{place} 件目: {reason}</translation>
    </message>
    <message>
        <source>Deskbell cannot understand its answer. Try again; if the problem stays, tell the people who run it.</source>
        <translation>応答を Deskbell が理解できません。もう一度お試しください。続くようなら運営者にお知らせください。</translation>
    </message>
    <message>
        <source>Its document names no PDS; the account may be closed.</source>
        <translation>ドキュメントに PDS がありません。アカウントが閉鎖されているかもしれません。</translation>
    </message>
    <message>
        <source>Its {header} comes from the variable {variable}: please give it.</source>
        <translation>{header} は変数 {variable} の値です。入力してください。</translation>
    </message>
    <message>
        <source>Kept in memory only: gone when Deskbell ends.</source>
        <translation>メモリのみ。Deskbell の終了で消えます。</translation>
    </message>
    <message>
        <source>Less than {number}.</source>
        <translation>{number} 未満。</translation>
    </message>
    <message>
        <source>Letters, digits, _ . / and - make a name, at most 128; it cannot begin with . / or -.</source>
        <translation>名前に使えるのは英数字と _ . / - で、128 文字までです。. / - では始められません。</translation>
    </message>
    <message>
        <source>Letters, digits, _ . / and - make a name, such as {example}.</source>
        <translation>名前に使えるのは英数字と _ . / - です (例: {example})。</translation>
    </message>
    <message>
        <source>Looking up {who}…</source>
        <translation>{who} を照会しています…</translation>
    </message>
    <message>
        <source>Missing: {names}.</source>
        <translation>不足しています: {names}。</translation>
    </message>
    <message>
        <source>More than {count} KiB.</source>
        <translation>{count} KiB を超えています。</translation>
    </message>
    <message>
        <source>More than {count} MiB.</source>
        <translation>{count} MiB を超えています。</translation>
    </message>
    <message>
        <source>Files larger than {most} bytes are not read.</source>
        <translation>{most} バイトを超えるものは読みません。</translation>
    </message>
    <message>
        <source>More than {number}.</source>
        <translation>{number} より大きい値。</translation>
    </message>
    <message>
        <source>Move first: {command}</source>
        <translation>先に移動してください: {command}</translation>
    </message>
    <message>
        <source>Move it away, then start Deskbell again.</source>
        <translation>別の場所へ移してから、Deskbell を起動し直してください。</translation>
    </message>
    <message>
        <source>Move them: {command}. Or set {line} again.</source>
        <translation>移動するには {command} を実行するか、{line} に戻してください。</translation>
    </message>
    <message>
        <source>Moved 1 secret.</source>
        <translation>シークレットを 1 件移動しました。</translation>
    </message>
    <message>
        <source>Moved {count} secrets.</source>
        <translation>シークレットを {count} 件移動しました。</translation>
    </message>
    <message>
        <source>No browser could be opened. Open this address yourself: {address}</source>
        <translation>ブラウザーを開けませんでした。このアドレスを自分で開いてください: {address}</translation>
    </message>
    <message>
        <source>No valid settings are known: every call is denied until this is fixed.</source>
        <translation>正しい設定が分からないため、直るまですべての呼び出しを拒否します。</translation>
    </message>
    <message>
        <source>The sign-in to {server} was not approved.</source>
        <translation>{server} へのサインインに同意が得られませんでした。</translation>
    </message>
    <message>
        <source>The sign-in to {server} was not finished.</source>
        <translation>{server} へのサインインが完了しませんでした。</translation>
    </message>
    <message>
        <source>Could not check for a new version: {why}</source>
        <translation>新しいバージョンを確認できませんでした: {why}</translation>
    </message>
    <message>
        <source>An earlier renewal is still under way. Try again in a minute.</source>
        <translation>以前の更新がまだ進行中です。1 分後にもう一度お試しください。</translation>
    </message>
    <message>
        <source>Another program uses it: {program}</source>
        <translation>別のプログラムが使用しています: {program}</translation>
    </message>
    <message>
        <source>Check the app password – NOT your main password – or create a new one at {address}. Better still, sign in with your browser (OAuth): that is the strongly recommended way.</source>
        <translation>アプリパスワード（メインのパスワードではありません）を確認するか、{address} で新しく作成してください。ブラウザーでのサインイン（OAuth）のほうが優れており、強くお勧めします。</translation>
    </message>
    <message>
        <source>Could not download Deskbell {version}: {why}</source>
        <translation>Deskbell {version} をダウンロードできませんでした: {why}</translation>
    </message>
    <message>
        <source>Could not start {server}: Too many applications and servers are connected. Close some, and try again.</source>
        <translation>{server} を起動できませんでした: 接続中のアプリとサーバーが多すぎます。いくつか閉じて、もう一度お試しください。</translation>
    </message>
    <message>
        <source>Deskbell was updated or moved. Quit it and start it again.</source>
        <translation>Deskbell が更新または移動されました。終了して、もう一度起動してください。</translation>
    </message>
    <message>
        <source>Deskbell {version} could not be put in place: {why}</source>
        <translation>Deskbell {version} をインストールできませんでした: {why}</translation>
    </message>
    <message>
        <source>Deskbell {version} did not stay in place</source>
        <translation>Deskbell {version} は元に戻されました</translation>
    </message>
    <message>
        <source>Deskbell {version} failed its self-test here: {why}</source>
        <translation>Deskbell {version} はこのコンピューターで自己診断に失敗しました: {why}</translation>
    </message>
    <message>
        <source>Deskbell {version} was changed on the disk</source>
        <translation>ディスク上の Deskbell {version} が書き換えられています</translation>
    </message>
    <message>
        <source>Install it or edit the command.</source>
        <translation>インストールするか、コマンドを編集してください。</translation>
    </message>
    <message>
        <source>It asks for the context of other servers, which is not sent.</source>
        <translation>ほかのサーバーのコンテキストも求めていますが、送信されません。</translation>
    </message>
    <message>
        <source>It contains unusual characters: {characters}</source>
        <translation>見慣れない文字が含まれています: {characters}</translation>
    </message>
    <message>
        <source>It is encrypted. While you are logged in, programs that run as you can read it.</source>
        <translation>暗号化されています。ログイン中は、あなたの権限で動作するプログラムから読み取れます。</translation>
    </message>
    <message>
        <source>It looks like {example}</source>
        <translation>形式: {example}</translation>
    </message>
    <message>
        <source>It would get your secrets: {names}</source>
        <translation>あなたのシークレットを受け取ります: {names}</translation>
    </message>
    <message>
        <source>Look closely where its address leads: {address}</source>
        <translation>アドレスの行き先をよく確認してください: {address}</translation>
    </message>
    <message>
        <source>Its own key lies beside it ({key}), so programs that run as you, and whoever gets the whole disk, can read it. A passphrase protects more: deskbell secrets protect</source>
        <translation>ファイルの鍵は隣に置かれているため（{key}）、あなたの権限で動作するプログラムや、ディスク全体を入手した人は読み取れます。パスフレーズの方が安全です: deskbell secrets protect</translation>
    </message>
    <message>
        <source>Its name must end with {endings}.</source>
        <translation>名前の末尾は {endings} のいずれかにしてください。</translation>
    </message>
    <message>
        <source>Nobody signed in within {count} minutes. Start again when you are ready.</source>
        <translation>{count} 分以内にサインインがありませんでした。準備ができたらもう一度始めてください。</translation>
    </message>
    <message>
        <source>Nobody unlocked the {store}</source>
        <translation>{store}のロックが解除されませんでした</translation>
    </message>
    <message>
        <source>Not in a keychain: {why}.</source>
        <translation>キーリングではありません: {why}。</translation>
    </message>
    <message>
        <source>Not signed in</source>
        <translation>サインインしていません</translation>
    </message>
    <message>
        <source>Nothing can be undone in {app}</source>
        <translation>{app} には元に戻せるものがありません</translation>
    </message>
    <message>
        <source>Nothing on the internet may lead there. If it is yours, name it as `service` in config.toml.</source>
        <translation>インターネットからそこへは誘導できません。ご自身のものなら config.toml の `service` に指定してください。</translation>
    </message>
    <message>
        <source>Nothing was changed.</source>
        <translation>何も変更していません。</translation>
    </message>
    <message>
        <source>Nothing was moved.</source>
        <translation>何も移動していません。</translation>
    </message>
    <message>
        <source>Nothing was written.</source>
        <translation>何も書き込んでいません。</translation>
    </message>
    <message>
        <source>Nothing was written. Review the new change.</source>
        <translation>何も書き込んでいません。もう一度ご確認ください。</translation>
    </message>
    <message>
        <source>Please change it by hand.</source>
        <translation>手動で変更してください。</translation>
    </message>
    <message>
        <source>Please choose at least {count}.</source>
        <translation>{count} 件以上選んでください。</translation>
    </message>
    <message>
        <source>Please choose at most {count}.</source>
        <translation>{count} 件以内で選んでください。</translation>
    </message>
    <message>
        <source>Please choose each option once.</source>
        <translation>同じ選択肢は 1 回だけ選んでください。</translation>
    </message>
    <message>
        <source>Please choose from the options.</source>
        <translation>選択肢から選んでください。</translation>
    </message>
    <message>
        <source>Please choose from what is offered.</source>
        <translation>用意されたものから選んでください。</translation>
    </message>
    <message>
        <source>Please choose one of the options.</source>
        <translation>選択肢のいずれかを選んでください。</translation>
    </message>
    <message>
        <source>Please choose one.</source>
        <translation>1 つ選んでください。</translation>
    </message>
    <message>
        <source>Please choose yes or no.</source>
        <translation>「はい」か「いいえ」を選んでください。</translation>
    </message>
    <message>
        <source>Please edit it by hand.</source>
        <translation>手動で編集してください。</translation>
    </message>
    <message>
        <source>Please enter a date as YYYY-MM-DD, such as 2026-03-31.</source>
        <translation>日付を YYYY-MM-DD の形で入力してください(例: 2026-03-31)。</translation>
    </message>
    <message>
        <source>Please enter a full address, such as https://example.org/page.</source>
        <translation>完全なアドレスを入力してください(例: https://example.org/page)。</translation>
    </message>
    <message>
        <source>Please enter a multiple of {number}.</source>
        <translation>{number} の倍数を入力してください。</translation>
    </message>
    <message>
        <source>Please enter a number, such as 3.5.</source>
        <translation>数値を入力してください(例: 3.5)。</translation>
    </message>
    <message>
        <source>Please enter a number.</source>
        <translation>数値を入力してください。</translation>
    </message>
    <message>
        <source>Please enter a whole number, such as 3.</source>
        <translation>整数を入力してください(例: 3)。</translation>
    </message>
    <message>
        <source>Please enter a whole number.</source>
        <translation>整数を入力してください。</translation>
    </message>
    <message>
        <source>Please enter an email address, such as ann@example.org.</source>
        <translation>メールアドレスを入力してください(例: ann@example.org)。</translation>
    </message>
    <message>
        <source>Please enter at least {count}; there are {length}.</source>
        <translation>{count}以上入力してください(現在 {length})。</translation>
    </message>
    <message>
        <source>Please enter at least {count}; this has {length}.</source>
        <translation>{count}以上入力してください(現在 {length})。</translation>
    </message>
    <message>
        <source>Please enter at most {count}; there are {length}.</source>
        <translation>{count}以内で入力してください(現在 {length})。</translation>
    </message>
    <message>
        <source>Please enter at most {count}; this has {length}.</source>
        <translation>{count}以内で入力してください(現在 {length})。</translation>
    </message>
    <message>
        <source>Please enter date, time and offset, such as 2026-03-31T14:30:00+02:00 or 2026-03-31T12:30:00Z.</source>
        <translation>日付、時刻、時差を入力してください(例: 2026-03-31T14:30:00+09:00 または 2026-03-31T12:30:00Z)。</translation>
    </message>
    <message>
        <source>Please enter each item once.</source>
        <translation>同じものは 1 回だけ入力してください。</translation>
    </message>
    <message>
        <source>Please enter less than {number}.</source>
        <translation>{number} より小さい値を入力してください。</translation>
    </message>
    <message>
        <source>Please enter more than {number}.</source>
        <translation>{number} より大きい値を入力してください。</translation>
    </message>
    <message>
        <source>Please enter {number} or less.</source>
        <translation>{number} 以下の値を入力してください。</translation>
    </message>
    <message>
        <source>Please enter {number} or more.</source>
        <translation>{number} 以上の値を入力してください。</translation>
    </message>
    <message>
        <source>Please fill this in.</source>
        <translation>入力してください。</translation>
    </message>
    <message>
        <source>Please look at them again.</source>
        <translation>もう一度ご確認ください。</translation>
    </message>
    <message>
        <source>Please sign in again as @{handle}. {why}</source>
        <translation>@{handle} としてもう一度サインインしてください。{why}</translation>
    </message>
    <message>
        <source>Port {port} cannot be used</source>
        <translation>ポート {port} を使えません</translation>
    </message>
    <message>
        <source>Put it in quotes to pass it to the program, or leave it out.</source>
        <translation>プログラム自体に渡す場合は引用符で囲み、そうでなければ取り除いてください。</translation>
    </message>
    <message>
        <source>Put the servers into {key} first, then connect again.</source>
        <translation>先にサーバーを {key} の中に移してから、もう一度接続してください。</translation>
    </message>
    <message>
        <source>Remove it first.</source>
        <translation>先にそれを削除してください。</translation>
    </message>
    <message>
        <source>Removed {name}, its sign-in and its secrets.</source>
        <translation>{name} をサインインとシークレットごと削除しました。</translation>
    </message>
    <message>
        <source>Removed {name}.</source>
        <translation>{name} を削除しました。</translation>
    </message>
    <message>
        <source>Secrets cannot be moved to {store}</source>
        <translation>シークレットを {store} に移動できません</translation>
    </message>
    <message>
        <source>See the [servers] of {path}.</source>
        <translation>{path} の [servers] をご覧ください。</translation>
    </message>
    <message>
        <source>See {command}.</source>
        <translation>{command} をご覧ください。</translation>
    </message>
    <message>
        <source>Set `port` in config.toml first.</source>
        <translation>先に config.toml で `port` を設定してください。</translation>
    </message>
    <message>
        <source>Sign in again.</source>
        <translation>もう一度サインインしてください。</translation>
    </message>
    <message>
        <source>Sign in: {command}</source>
        <translation>サインイン: {command}</translation>
    </message>
    <message>
        <source>Signed out of {name}, which has ended the sign-in too.</source>
        <translation>{name} からサインアウトしました。相手側のサインインも終了しました。</translation>
    </message>
    <message>
        <source>Signed out of {name}. It may still list Deskbell among the apps you allowed.</source>
        <translation>{name} からサインアウトしました。相手側では Deskbell がまだ許可済みアプリに残っているかもしれません。</translation>
    </message>
    <message>
        <source>Signing in at {host}…</source>
        <translation>{host} にサインインしています…</translation>
    </message>
    <message>
        <source>Somebody or something changed it. Nothing was written to it; restore it from a backup.</source>
        <translation>誰かまたは何かが変更しました。書き込みはしていません。バックアップから復元してください。</translation>
    </message>
    <message>
        <source>Start one (such as gnome-keyring or KWallet), or store keys in an encrypted file (Settings, Advanced).</source>
        <translation>キーリング（gnome-keyring や KWallet など）を起動するか、「設定」›「詳細設定」でキーを暗号化ファイルに保存してください。</translation>
    </message>
    <message>
        <source>There is something else in its place. {remedy}</source>
        <translation>そこには別のものがあります。{remedy}</translation>
    </message>
    <message>
        <source>{why}. Choose another one in Settings, under Advanced, or by --port.</source>
        <translation>{why}。「設定」›「詳細設定」または --port で別のポートを選んでください。</translation>
    </message>
    <message>
        <source>Something is missing or misspelt in line {line}.</source>
        <translation>{line} 行目に抜けかつづりの誤りがあります。</translation>
    </message>
    <message>
        <source>Something is missing or misspelt in this text.</source>
        <translation>このテキストに抜けかつづりの誤りがあります。</translation>
    </message>
    <message>
        <source>Start again.</source>
        <translation>もう一度始めてください。</translation>
    </message>
    <message>
        <source>Switched {name} off.</source>
        <translation>{name} をオフにしました。</translation>
    </message>
    <message>
        <source>Switched {name} on.</source>
        <translation>{name} をオンにしました。</translation>
    </message>
    <message>
        <source>That is not an app password</source>
        <translation>アプリパスワードではありません</translation>
    </message>
    <message>
        <source>That is not the passphrase</source>
        <translation>パスフレーズが違います</translation>
    </message>
    <message>
        <source>That is not the current passphrase</source>
        <translation>これまでのパスフレーズと違います</translation>
    </message>
    <message>
        <source>That number is too large or too small.</source>
        <translation>数値が大きすぎるか小さすぎます。</translation>
    </message>
    <message>
        <source>That number is too large.</source>
        <translation>数値が大きすぎます。</translation>
    </message>
    <message>
        <source>That number is too long.</source>
        <translation>数値が長すぎます。</translation>
    </message>
    <message>
        <source>The account has moved to {host}.</source>
        <translation>アカウントは {host} に移転しました。</translation>
    </message>
    <message>
        <source>The account is on another server</source>
        <translation>アカウントは別のサーバーにあります</translation>
    </message>
    <message>
        <source>The address of {server} is not a web address. Edit it so that it begins with https://.</source>
        <translation>{server} のアドレスが Web アドレスではありません。https:// で始まるように編集してください。</translation>
    </message>
    <message>
        <source>The answer of {server} cannot be read: {why}.</source>
        <translation>{server} の応答を読み取れません: {why}。</translation>
    </message>
    <message>
        <source>The app password no longer works</source>
        <translation>アプリパスワードはもう使えません</translation>
    </message>
    <message>
        <source>The browser came back from {where}.</source>
        <translation>ブラウザーは {where} から戻ってきました。</translation>
    </message>
    <message>
        <source>The content must be a JSON object.</source>
        <translation>内容は JSON オブジェクトでなければなりません。</translation>
    </message>
    <message>
        <source>The document of {did} cannot be read</source>
        <translation>{did} のドキュメントを読み取れません</translation>
    </message>
    <message>
        <source>The export was stopped</source>
        <translation>書き出しを中止しました</translation>
    </message>
    <message>
        <source>The folder is not yours to write to.</source>
        <translation>このフォルダーには書き込めません。</translation>
    </message>
    <message>
        <source>The form cannot be read. {reason}</source>
        <translation>フォームを読み取れません。{reason}</translation>
    </message>
    <message>
        <source>The form does not describe an object.</source>
        <translation>フォームがオブジェクトを表していません。</translation>
    </message>
    <message>
        <source>The form has more than {count} fields.</source>
        <translation>フォームの項目が {count} を超えています。</translation>
    </message>
    <message>
        <source>The form has no such field.</source>
        <translation>フォームにその項目はありません。</translation>
    </message>
    <message>
        <source>The form is larger than 1 MiB.</source>
        <translation>フォームが 1 MiB を超えています。</translation>
    </message>
    <message>
        <source>The form is nested too deeply.</source>
        <translation>フォームの入れ子が深すぎます。</translation>
    </message>
    <message>
        <source>The form refers to a schema elsewhere; such references are never fetched.</source>
        <translation>フォームが外部のスキーマを参照しています。そのような参照は取得しません。</translation>
    </message>
    <message>
        <source>The form&apos;s properties are not an object.</source>
        <translation>フォームのプロパティがオブジェクトではありません。</translation>
    </message>
    <message>
        <source>The handle and the app password do not belong together</source>
        <translation>ハンドルとアプリパスワードが一致しません</translation>
    </message>
    <message>
        <source>The header {header} of {server} cannot be sent. Edit it.</source>
        <translation>{server} のヘッダー {header} を送信できません。編集してください。</translation>
    </message>
    <message>
        <source>The history cannot be written ({why}). It is kept in memory and tried again.</source>
        <translation>履歴を書き込めません ({why})。メモリに保持し、もう一度試みます。</translation>
    </message>
    <message>
        <source>The keychain cannot be used</source>
        <translation>キーリングを使えません</translation>
    </message>
    <message>
        <source>The keychain does not return what is stored in it</source>
        <translation>キーリングが渡したものを保存しません</translation>
    </message>
    <message>
        <source>The keychain is locked</source>
        <translation>キーリングがロックされています</translation>
    </message>
    <message>
        <source>The last good settings are in force, from {file}.</source>
        <translation>{file} にある、最後に正しかった設定が有効です。</translation>
    </message>
    <message>
        <source>The last good settings stay in force.</source>
        <translation>最後に正しかった設定が引き続き有効です。</translation>
    </message>
    <message>
        <source>The last time, Deskbell was ended in the middle of its work. Calls that were cut short: {count}. Activity shows them.</source>
        <translation>前回、Deskbell は作業の途中で終了しました。中断された呼び出し: {count} 件。「アクティビティ」で確認できます。</translation>
    </message>
    <message>
        <source>The model {model} cannot call tools.</source>
        <translation>モデル {model} はツールを呼び出せません。</translation>
    </message>
    <message>
        <source>The model {model} does not accept the key: {said}. Enter its key again under Models.</source>
        <translation>モデル {model} がキーを受け付けません: {said}。「モデル」でキーを入力し直してください。</translation>
    </message>
    <message>
        <source>The model {model} failed: {said}. Try again later.</source>
        <translation>モデル {model} が失敗しました: {said}。後でもう一度お試しください。</translation>
    </message>
    <message>
        <source>The model {model} is asked too often: {said}. Try again later.</source>
        <translation>モデル {model} への要求が多すぎます: {said}。後でもう一度お試しください。</translation>
    </message>
    <message>
        <source>The model {model} is out of credit: {said}. Add credit at its provider.</source>
        <translation>モデル {model} の残高がありません: {said}。提供元で追加してください。</translation>
    </message>
    <message>
        <source>The model {model} refused the request: {said}. Another model may take it.</source>
        <translation>モデル {model} が要求を拒否しました: {said}。別のモデルなら受け付けるかもしれません。</translation>
    </message>
    <message>
        <source>The model {model} was not found: {said}. Check its name and address.</source>
        <translation>モデル {model} が見つかりません: {said}。名前とアドレスを確認してください。</translation>
    </message>
    <message>
        <source>The model {model}: {why}</source>
        <translation>モデル {model}: {why}</translation>
    </message>
    <message>
        <source>The passphrase was not given. Give it by {command}.</source>
        <translation>パスフレーズが入力されませんでした。{command} で入力してください。</translation>
    </message>
    <message>
        <source>The rule for {pattern} matches only {old} or {new}</source>
        <translation>{pattern} のルールは {old} か {new} の一方にしか当てはまりません</translation>
    </message>
    <message>
        <source>The rule for {pattern} also matches {other}</source>
        <translation>{pattern} のルールは {other} にも当てはまります</translation>
    </message>
    <message>
        <source>The rules could not be changed.</source>
        <translation>ルールを変更できませんでした。</translation>
    </message>
    <message>
        <source>The rules were changed meanwhile</source>
        <translation>その間にルールが変更されました</translation>
    </message>
    <message>
        <source>The server expects this pattern: {pattern}</source>
        <translation>サーバーが求めるパターン: {pattern}</translation>
    </message>
    <message>
        <source>The server&apos;s reply to the handshake is not valid.</source>
        <translation>サーバーの初期応答を理解できません。</translation>
    </message>
    <message>
        <source>The settings of {server} were changed. Try again.</source>
        <translation>{server} の設定が変わりました。もう一度お試しください。</translation>
    </message>
    <message>
        <source>The sign-in could not be renewed</source>
        <translation>サインインを更新できませんでした</translation>
    </message>
    <message>
        <source>The sign-in has ended</source>
        <translation>サインインの期限が切れました</translation>
    </message>
    <message>
        <source>The sign-in has ended. {why}</source>
        <translation>サインインの期限が切れました。{why}</translation>
    </message>
    <message>
        <source>The saved sign-in is missing</source>
        <translation>サインイン情報がありません</translation>
    </message>
    <message>
        <source>The sign-in of @{handle} could not be stored yet. {why}</source>
        <translation>@{handle} のサインイン情報をまだ保存できていません。{why}</translation>
    </message>
    <message>
        <source>The sign-in to {server} failed: {why}</source>
        <translation>{server} へのサインインに失敗しました: {why}</translation>
    </message>
    <message>
        <source>The sign-in took too long</source>
        <translation>サインインに時間がかかりすぎました</translation>
    </message>
    <message>
        <source>The sign-in was not finished.</source>
        <translation>サインインが完了していません。</translation>
    </message>
    <message>
        <source>The system&apos;s keychain cannot be read</source>
        <translation>システムのキーリングを読み取れません</translation>
    </message>
    <message>
        <source>This time limit is not valid</source>
        <translation>制限時間として使えません</translation>
    </message>
    <message>
        <source>The tools of {package} cannot be used: {why}.</source>
        <translation>{package} のツールを使えません: {why}。</translation>
    </message>
    <message>
        <source>The {store} did not answer</source>
        <translation>{store}が応答しませんでした</translation>
    </message>
    <message>
        <source>The {store} does not return what is stored in it</source>
        <translation>{store}は、渡したものを保持しません</translation>
    </message>
    <message>
        <source>The {store} has no passphrase of Deskbell&apos;s</source>
        <translation>{store}には Deskbell のパスフレーズがありません</translation>
    </message>
    <message>
        <source>The {store} store has nothing for this account.</source>
        <translation>このアカウントの情報が保存先 ({store}) にありません。</translation>
    </message>
    <message>
        <source>There is already a server named {name}</source>
        <translation>{name} という名前のサーバーはすでにあります</translation>
    </message>
    <message>
        <source>There is no account @{handle}</source>
        <translation>@{handle} というアカウントはありません</translation>
    </message>
    <message>
        <source>There is no account {did}</source>
        <translation>{did} というアカウントはありません</translation>
    </message>
    <message>
        <source>There is no address to check at. Set `url` in [updates] of config.toml.</source>
        <translation>確認先のアドレスがありません。config.toml の [updates] に `url` を指定してください。</translation>
    </message>
    <message>
        <source>There is no file {path}</source>
        <translation>ファイル {path} がありません</translation>
    </message>
    <message>
        <source>There is no keychain on this computer</source>
        <translation>このコンピューターにキーリングがありません</translation>
    </message>
    <message>
        <source>There is no model named {name}</source>
        <translation>{name} という名前のモデルはありません</translation>
    </message>
    <message>
        <source>This line names no program</source>
        <translation>この行にプログラムがありません</translation>
    </message>
    <message>
        <source>There is no secret named {name}</source>
        <translation>{name} というシークレットはありません</translation>
    </message>
    <message>
        <source>There is no server in this text.</source>
        <translation>このテキストにサーバーはありません。</translation>
    </message>
    <message>
        <source>There is no server named {name}</source>
        <translation>{name} という名前のサーバーはありません</translation>
    </message>
    <message>
        <source>There is no server named {name} in the settings</source>
        <translation>設定に {name} というサーバーはありません</translation>
    </message>
    <message>
        <source>Commands are started without a shell, so {mark} has no effect</source>
        <translation>{mark} を解釈するシェルはありません</translation>
    </message>
    <message>
        <source>There is no such address, or no connection to the internet.</source>
        <translation>そのアドレスが存在しないか、インターネットに接続されていません。</translation>
    </message>
    <message>
        <source>There is no such setting.</source>
        <translation>そのような設定はありません。</translation>
    </message>
    <message>
        <source>This is more than one line</source>
        <translation>複数行あります</translation>
    </message>
    <message>
        <source>This account may not use it</source>
        <translation>このユーザーには使う権限がありません</translation>
    </message>
    <message>
        <source>This call has reached its limit of requests to a model: {count} so far.</source>
        <translation>この呼び出しは、モデルへの要求の上限に達しました（これまでに {count} 回）。</translation>
    </message>
    <message>
        <source>This cannot be read as settings</source>
        <translation>設定として読み取れません</translation>
    </message>
    <message>
        <source>This cannot be the name of a secret</source>
        <translation>シークレットの名前にできません</translation>
    </message>
    <message>
        <source>This can no longer be undone</source>
        <translation>もう元に戻せません</translation>
    </message>
    <message>
        <source>This does not have the form the server expects: {pattern}</source>
        <translation>サーバーが求める形式に合っていません: {pattern}</translation>
    </message>
    <message>
        <source>This file is larger than {limit} MB.</source>
        <translation>このファイルは {limit} MB を超えています。</translation>
    </message>
    <message>
        <source>This holds a character that cannot be sent.</source>
        <translation>送信できない文字が含まれています。</translation>
    </message>
    <message>
        <source>This is missing.</source>
        <translation>これがありません。</translation>
    </message>
    <message>
        <source>This is neither JSON, TOML nor YAML.</source>
        <translation>JSON、TOML、YAML のいずれでもありません。</translation>
    </message>
    <message>
        <source>This is not a file.</source>
        <translation>ファイルではありません。</translation>
    </message>
    <message>
        <source>This is not the address of a server</source>
        <translation>サーバーのアドレスではありません</translation>
    </message>
    <message>
        <source>This answer is not from {host}</source>
        <translation>{host} の応答ではありません</translation>
    </message>
    <message>
        <source>This is not valid JSON ({reason}).</source>
        <translation>正しい JSON ではありません({reason})。</translation>
    </message>
    <message>
        <source>This link names no server</source>
        <translation>このリンクにはサーバーが書かれていません</translation>
    </message>
    <message>
        <source>This must be JSON of type {types}.</source>
        <translation>型が {types} の JSON でなければなりません。</translation>
    </message>
    <message>
        <source>This must be a list.</source>
        <translation>リストでなければなりません。</translation>
    </message>
    <message>
        <source>This must be text.</source>
        <translation>テキストでなければなりません。</translation>
    </message>
    <message>
        <source>This must be {types}.</source>
        <translation>{types} でなければなりません。</translation>
    </message>
    <message>
        <source>This must keep the rule {name}: {rule}</source>
        <translation>規則 {name} を守る必要があります: {rule}</translation>
    </message>
    <message>
        <source>This text is too long.</source>
        <translation>テキストが長すぎます。</translation>
    </message>
    <message>
        <source>Too many questions wait already, and this one was not asked. Try again when some are answered.</source>
        <translation>待っている質問が多すぎるため、この質問は表示されませんでした。いくつか回答してからもう一度お試しください。</translation>
    </message>
    <message>
        <source>Too many sign-ins. Try again later.</source>
        <translation>サインインの回数が多すぎます。後でもう一度お試しください。</translation>
    </message>
    <message>
        <source>Try again.</source>
        <translation>もう一度お試しください。</translation>
    </message>
    <message>
        <source>Undone.</source>
        <translation>元に戻しました。</translation>
    </message>
    <message>
        <source>Unlock it, and try again.</source>
        <translation>ロックを解除して、もう一度お試しください。</translation>
    </message>
    <message>
        <source>Unlock them: deskbell secrets unlock.</source>
        <translation>ロック解除: deskbell secrets unlock</translation>
    </message>
    <message>
        <source>Until then it is {address}.</source>
        <translation>それまでは {address} です。</translation>
    </message>
    <message>
        <source>Up to {high} lines</source>
        <translation>{high} 行まで</translation>
    </message>
    <message>
        <source>Use an app password instead.</source>
        <translation>代わりにアプリパスワードをお使いください。</translation>
    </message>
    <message>
        <source>Use letters, digits, - and _, at most 64.</source>
        <translation>英字、数字、-、_ を 64 文字以内で使ってください。</translation>
    </message>
    <message>
        <source>Use letters, digits, - and _, at most 64; {taken} are taken.</source>
        <translation>英数字、-、_ を 64 文字まで使えます。{taken} は使用済みです。</translation>
    </message>
    <message>
        <source>Use that one.</source>
        <translation>そちらをお使いください。</translation>
    </message>
    <message>
        <source>Waiting for you to sign in with your browser…</source>
        <translation>ブラウザーでのサインインを待っています…</translation>
    </message>
    <message>
        <source>The saved sign-in of this account cannot be read</source>
        <translation>このアカウントの保存情報を読み取れません</translation>
    </message>
    <message>
        <source>You are not signed in to {server}</source>
        <translation>{server} にサインインしていません</translation>
    </message>
    <message>
        <source>You declined the sign-in to {server}.</source>
        <translation>{server} へのサインインを断りました。</translation>
    </message>
    <message>
        <source>You did not allow the sign-in to {server}.</source>
        <translation>{server} へのサインインを許可しませんでした。</translation>
    </message>
    <message>
        <source>You declined on the sign-in page. Nothing was changed.</source>
        <translation>サインインページで拒否されました。何も変更していません。</translation>
    </message>
    <message>
        <source>You wanted @{handle}. Choose that account on the sign-in page.</source>
        <translation>指定されたのは @{handle} です。サインインページでそのアカウントを選んでください。</translation>
    </message>
    <message>
        <source>You were asked and did not allow it, or could not be asked. Add the server to config.toml.</source>
        <translation>確認で許可されなかったか、確認できませんでした。サーバーを config.toml に追加してください。</translation>
    </message>
    <message>
        <source>The PATH of your login shell is not known yet: try again in a minute.</source>
        <translation>ログインシェルがまだ PATH を返していません。1 分ほどしてからもう一度お試しください。</translation>
    </message>
    <message>
        <source>Your secrets are in the {store}, but config.toml says {setting}</source>
        <translation>シークレットは{store}にありますが、config.toml の指定は {setting} です</translation>
    </message>
    <message>
        <source>Your secrets are in {keyring}, which does not answer: {why}</source>
        <translation>シークレットは {keyring} にありますが、応答がありません: {why}</translation>
    </message>
    <message>
        <source>Your secrets are locked</source>
        <translation>シークレットがロックされています</translation>
    </message>
    <message>
        <source>Your secrets are locked by a passphrase</source>
        <translation>シークレットはパスフレーズでロックされています</translation>
    </message>
    <message>
        <source>Your secrets are locked. Unlock them?</source>
        <translation>シークレットがロックされています。解除しますか？</translation>
    </message>
    <message>
        <source>`{command}` is a batch file, and the argument {argument} contains {found}, which Windows would run as a command. Leave it out, or name the program itself (an .exe).</source>
        <translation>`{command}` はバッチファイルで、引数 {argument} に {found} が含まれています。Windows がコマンドとして実行してしまいます。取り除くか、プログラム自体 (.exe) を指定してください。</translation>
    </message>
    <message>
        <source>`{command}` was not found.</source>
        <translation>`{command}` が見つかりませんでした。</translation>
    </message>
    <message>
        <source>a colon is missing</source>
        <translation>コロンがありません</translation>
    </message>
    <message>
        <source>a comma or {mark} is missing</source>
        <translation>コンマまたは {mark} がありません</translation>
    </message>
    <message>
        <source>a folder or a list of folders, such as {example}</source>
        <translation>フォルダーまたはフォルダーのリスト (例: {example})</translation>
    </message>
    <message>
        <source>a language, such as &quot;de&quot;</source>
        <translation>言語 (例: &quot;de&quot;)</translation>
    </message>
    <message>
        <source>a list of patterns, such as {example}</source>
        <translation>パターンのリスト (例: {example})</translation>
    </message>
    <message>
        <source>a list of texts, such as {example}</source>
        <translation>文字列のリスト (例: {example})</translation>
    </message>
    <message>
        <source>a list of up to three languages, such as {example}</source>
        <translation>最大3つの言語のリスト（例: {example}）</translation>
    </message>
    <message>
        <source>a list of {names}</source>
        <translation>{names} のリスト</translation>
    </message>
    <message>
        <source>a name in double quotes is missing</source>
        <translation>二重引用符で囲んだ名前がありません</translation>
    </message>
    <message>
        <source>a number of days, or 0 for never</source>
        <translation>日数 (0 で残さない)</translation>
    </message>
    <message>
        <source>a number of days, or 0 for no history</source>
        <translation>日数 (0 で履歴なし)</translation>
    </message>
    <message>
        <source>a number of seconds above 0</source>
        <translation>0 より大きい秒数</translation>
    </message>
    <message>
        <source>a number of seconds above 0, &quot;auto&quot; or &quot;none&quot;</source>
        <translation>0 より大きい秒数、&quot;auto&quot; または &quot;none&quot;</translation>
    </message>
    <message>
        <source>a port number from 0 to 65535</source>
        <translation>0 から 65535 までのポート番号</translation>
    </message>
    <message>
        <source>a price of a million tokens</source>
        <translation>100 万トークンあたりの価格</translation>
    </message>
    <message>
        <source>a public key of minisign, 56 letters that begin with RW</source>
        <translation>minisign の公開鍵 (RW で始まる 56 文字)</translation>
    </message>
    <message>
        <source>a table</source>
        <translation>表</translation>
    </message>
    <message>
        <source>a table of texts named {names}</source>
        <translation>{names} という名前の文字列の表</translation>
    </message>
    <message>
        <source>a table of texts, such as {example}</source>
        <translation>文字列の表 (例: {example})</translation>
    </message>
    <message>
        <source>a text is not ended</source>
        <translation>文字列が閉じられていません</translation>
    </message>
    <message>
        <source>a value is missing</source>
        <translation>値がありません</translation>
    </message>
    <message>
        <source>a whole number, or 0 for no limit</source>
        <translation>整数 (0 で無制限)</translation>
    </message>
    <message>
        <source>an address that begins with http:// or https://</source>
        <translation>http:// または https:// で始まるアドレス</translation>
    </message>
    <message>
        <source>an address that begins with https:// (http:// on this computer only)</source>
        <translation>https:// で始まるアドレス (http:// はこのコンピューターだけ)</translation>
    </message>
    <message>
        <source>an unnamed server</source>
        <translation>名前のないサーバー</translation>
    </message>
    <message>
        <source>and {count} more</source>
        <translation>ほか {count} 件</translation>
    </message>
    <message>
        <source>autoreply has no saved accounts here.</source>
        <translation>autoreply が保存したアカウントはここにありません。</translation>
    </message>
    <message>
        <source>it did not end within {count} seconds</source>
        <translation>{count} 秒以内に終わりませんでした</translation>
    </message>
    <message>
        <source>it is signed with another key</source>
        <translation>別の鍵で署名されています</translation>
    </message>
    <message>
        <source>it uses HTTP+SSE, which is old and not supported</source>
        <translation>古い接続方式 HTTP+SSE を使っていて、対応していません</translation>
    </message>
    <message>
        <source>its signature cannot be read</source>
        <translation>署名を読み取れません</translation>
    </message>
    <message>
        <source>its signature does not fit: somebody has changed it</source>
        <translation>署名が一致しません。内容が書き換えられています</translation>
    </message>
    <message>
        <source>keys, such as &quot;Meta+Alt+A&quot;, or &quot;none&quot;</source>
        <translation>&quot;Meta+Alt+A&quot; のようなキー、または &quot;none&quot;</translation>
    </message>
    <message>
        <source>the archive cannot be read</source>
        <translation>アーカイブを読み取れません</translation>
    </message>
    <message>
        <source>the file is not the one that was published</source>
        <translation>公開されたファイルと一致しません</translation>
    </message>
    <message>
        <source>the file is incomplete</source>
        <translation>ファイルが不完全です</translation>
    </message>
    <message>
        <source>the list of files cannot be read</source>
        <translation>ファイル一覧を読み取れません</translation>
    </message>
    <message>
        <source>the list of files is older than one that was seen before</source>
        <translation>ファイル一覧が以前に確認したものより古くなっています</translation>
    </message>
    <message>
        <source>the list of files is out of date</source>
        <translation>ファイル一覧の有効期限が切れています</translation>
    </message>
    <message>
        <source>there is no file for this kind of installation</source>
        <translation>このインストール方法向けのファイルがありません</translation>
    </message>
    <message>
        <source>this is not a public key of minisign</source>
        <translation>minisign の公開鍵ではありません</translation>
    </message>
    <message>
        <source>{address} is not an https address.</source>
        <translation>{address} は https のアドレスではありません。</translation>
    </message>
    <message>
        <source>{address} is not for a server on the internet to name.</source>
        <translation>{address} はインターネット上のサーバーが指定できるアドレスではありません。</translation>
    </message>
    <message>
        <source>{host} answered HTTP {status}.</source>
        <translation>{host} が HTTP {status} を返しました。</translation>
    </message>
    <message>
        <source>{low} lines</source>
        <translation>{low} 行</translation>
    </message>
    <message>
        <source>{low} to {high} lines</source>
        <translation>{low}～{high} 行</translation>
    </message>
    <message>
        <source>{low}–{high}</source>
        <translation>{low}～{high}</translation>
    </message>
    <message>
        <source>{name} is stored in your keychain.</source>
        <translation>{name} をキーリングに保存しました。</translation>
    </message>
    <message>
        <source>config.toml says vault = &quot;refuse&quot;. Choose another, such as &quot;auto&quot;.</source>
        <translation>config.toml に vault = &quot;refuse&quot; とあります。&quot;auto&quot; などを選んでください。</translation>
    </message>
    <message>
        <source>At least {low} lines</source>
        <translation>{low} 行以上</translation>
    </message>
    <message>
        <source>Choose at least {low}</source>
        <translation>{low} 個以上選択</translation>
    </message>
    <message>
        <source>Choose up to {high}</source>
        <translation>{high} 個まで選択</translation>
    </message>
    <message>
        <source>Choose {low}</source>
        <translation>{low} 個選択</translation>
    </message>
    <message>
        <source>Choose {low} to {high}</source>
        <translation>{low}～{high} 個選択</translation>
    </message>
    <message>
        <source>Keys are stored in an encrypted file</source>
        <translation>キーは暗号化ファイルに保存されます</translation>
    </message>
    <message>
        <source>Keys are stored in memory</source>
        <translation>キーはメモリに保存されます</translation>
    </message>
    <message>
        <source>Keys are stored in your system keychain</source>
        <translation>キーはシステムのキーリングに保存されます</translation>
    </message>
    <message>
        <source>No keys are stored</source>
        <translation>キーは保存されません</translation>
    </message>
    <message>
        <source>No keys are stored yet</source>
        <translation>まだキーは保存されていません</translation>
    </message>
    <message>
        <source>None of your models can answer this. Choose one under Models, and you will not be asked.</source>
        <translation>これに答えられるモデルがありません。「モデル」で選ぶと、質問されなくなります。</translation>
    </message>
    <message>
        <source>Your passphrase encrypts it. While it is unlocked, programs that run as you can read it.</source>
        <translation>パスフレーズで暗号化されています。ロック解除中は、あなたの権限で動作するプログラムから読み取れます。</translation>
    </message>
    <message>
        <source>config.toml says {setting}.</source>
        <translation>config.toml では {setting} です。</translation>
    </message>
    <message>
        <source>file</source>
        <translation>ファイル</translation>
    </message>
    <message>
        <source>it broke off</source>
        <translation>途中で切れました</translation>
    </message>
    <message>
        <source>it calls itself {name}</source>
        <translation>{name} と名乗っています</translation>
    </message>
    <message>
        <source>it has neither a command nor an address</source>
        <translation>コマンドもアドレスもありません</translation>
    </message>
    <message>
        <source>it is Deskbell itself</source>
        <translation>Deskbell 自身です</translation>
    </message>
    <message>
        <source>it is a part of that application, not a server</source>
        <translation>サーバーではなく、そのアプリの一部です</translation>
    </message>
    <message>
        <source>it is badly packed</source>
        <translation>圧縮が壊れています</translation>
    </message>
    <message>
        <source>it is no HTTP</source>
        <translation>HTTP ではありません</translation>
    </message>
    <message>
        <source>it is not an object</source>
        <translation>オブジェクトではありません</translation>
    </message>
    <message>
        <source>it is there already, as {name}</source>
        <translation>すでに {name} として追加されています</translation>
    </message>
    <message>
        <source>it wants one of your secrets</source>
        <translation>あなたのシークレットを要求しています</translation>
    </message>
    <message>
        <source>its address cannot be read</source>
        <translation>アドレスを読み取れません</translation>
    </message>
    <message>
        <source>its address does not begin with http:// or https://</source>
        <translation>アドレスが http:// または https:// で始まっていません</translation>
    </message>
    <message>
        <source>its folder {path} does not exist. Edit the server&apos;s folder.</source>
        <translation>フォルダー {path} がありません。サーバーのフォルダーを編集してください。</translation>
    </message>
    <message>
        <source>its headers are too long</source>
        <translation>ヘッダーが長すぎます</translation>
    </message>
    <message>
        <source>keychain</source>
        <translation>キーリング</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>メモリ</translation>
    </message>
    <message>
        <source>no Content-Type</source>
        <translation>Content-Type なし</translation>
    </message>
    <message>
        <source>no longer knew this connection</source>
        <translation>この接続はもう無効でした</translation>
    </message>
    <message>
        <source>no route</source>
        <translation>経路がありません</translation>
    </message>
    <message>
        <source>no secure connection to {host} could be made.</source>
        <translation>{host} と安全に接続できませんでした。</translation>
    </message>
    <message>
        <source>nothing listens at {host}. Is it running?</source>
        <translation>{host} では何も待ち受けていません。起動していますか？</translation>
    </message>
    <message>
        <source>nothing may follow here</source>
        <translation>ここには何も続けられません</translation>
    </message>
    <message>
        <source>secret store</source>
        <translation>シークレットの保存先</translation>
    </message>
    <message>
        <source>set it by {command}.</source>
        <translation>{command} で設定してください。</translation>
    </message>
    <message>
        <source>text in quotes</source>
        <translation>引用符で囲んだ文字列</translation>
    </message>
    <message>
        <source>the answer is not JSON</source>
        <translation>応答が JSON ではありません</translation>
    </message>
    <message>
        <source>the answer names no version</source>
        <translation>応答にバージョンがありません</translation>
    </message>
    <message>
        <source>the answer of {host} cannot be read: {why}.</source>
        <translation>{host} の応答を読み取れません: {why}。</translation>
    </message>
    <message>
        <source>the answer was not for this sign-in.</source>
        <translation>このサインインへの応答ではありませんでした。</translation>
    </message>
    <message>
        <source>the certificate of {host} is not trusted.</source>
        <translation>{host} の証明書は信頼されていません。</translation>
    </message>
    <message>
        <source>the proxy does not let us through. Check HTTP_PROXY and HTTPS_PROXY.</source>
        <translation>プロキシを通過できません。HTTP_PROXY と HTTPS_PROXY をご確認ください。</translation>
    </message>
    <message>
        <source>the proxy is reached by https, which Deskbell cannot do. Give its address as http://…</source>
        <translation>プロキシへの接続は https ですが、Deskbell は対応していません。アドレスを http://… で指定してください</translation>
    </message>
    <message>
        <source>the request could not be made. Check the server&apos;s address, its headers and the proxy.</source>
        <translation>リクエストを送れませんでした。サーバーのアドレス、ヘッダー、プロキシをご確認ください。</translation>
    </message>
    <message>
        <source>the server&apos;s answer is not valid.</source>
        <translation>サーバーの応答を理解できません。</translation>
    </message>
    <message>
        <source>there is more than one</source>
        <translation>2 つ以上あります</translation>
    </message>
    <message>
        <source>this is nested too deeply</source>
        <translation>入れ子が深すぎます</translation>
    </message>
    <message>
        <source>true or false</source>
        <translation>true または false</translation>
    </message>
    <message>
        <source>what is asked before tools of {server} are called</source>
        <translation>{server} のツールを呼び出す前に確認する内容</translation>
    </message>
    <message>
        <source>which servers {host} may use</source>
        <translation>{host} が使えるサーバー</translation>
    </message>
    <message>
        <source>which tools {host} may use</source>
        <translation>{host} が使えるツール</translation>
    </message>
    <message>
        <source>Deskbell sends no request to {address}</source>
        <translation>{address} は Deskbell が問い合わせるアドレスではありません</translation>
    </message>
    <message>
        <source>{address} is on this computer or in the network around it</source>
        <translation>{address} はこのコンピューターか周辺のネットワークにあります</translation>
    </message>
    <message>
        <source>{app} already has another server named {name}</source>
        <translation>{app} には {name} という別のサーバーがすでにあります</translation>
    </message>
    <message>
        <source>{app} cannot be given an address</source>
        <translation>{app} にはアドレスを設定できません</translation>
    </message>
    <message>
        <source>{app} was not found on this computer</source>
        <translation>{app} がこのコンピューターに見つかりません</translation>
    </message>
    <message>
        <source>{did} has no server</source>
        <translation>{did} にはサーバーがありません</translation>
    </message>
    <message>
        <source>Deskbell does not support the DID {did}</source>
        <translation>{did} は Deskbell が対応している DID ではありません</translation>
    </message>
    <message>
        <source>{file} cannot be read ({why}). Changes of allowed tools are noticed from now on only.</source>
        <translation>{file} を読み込めません ({why})。許可したツールの変更は、これ以降のものだけ検出します。</translation>
    </message>
    <message>
        <source>{file} could not be read ({why}); it is now {aside}.</source>
        <translation>{file} を読み込めませんでした ({why})。現在は {aside} です。</translation>
    </message>
    <message>
        <source>{file}, line {line}, column {column}</source>
        <translation>{file} の {line} 行 {column} 列</translation>
    </message>
    <message>
        <source>{file}, line {line}: {what}</source>
        <translation>{file} {line} 行目: {what}</translation>
    </message>
    <message>
        <source>{first}
{rest}</source>
        <translation>{first}
{rest}</translation>
    </message>
    <message>
        <source>{host} broke off the connection.</source>
        <translation>{host} が接続を切りました。</translation>
    </message>
    <message>
        <source>{host} cannot be reached</source>
        <translation>{host} に接続できません</translation>
    </message>
    <message>
        <source>{host} cannot sign you in</source>
        <translation>{host} でサインインできません</translation>
    </message>
    <message>
        <source>{host} could not be told: {why}</source>
        <translation>{host} に伝えられませんでした: {why}</translation>
    </message>
    <message>
        <source>{host} did not accept a connection within {limit} s.</source>
        <translation>{host} は {limit} 秒以内に接続を受け付けませんでした。</translation>
    </message>
    <message>
        <source>{host} did not answer</source>
        <translation>{host} が応答しませんでした</translation>
    </message>
    <message>
        <source>{host} did not end the sign-in</source>
        <translation>{host} がサインインを終了しませんでした</translation>
    </message>
    <message>
        <source>{host} did not finish the sign-in</source>
        <translation>{host} がサインインを完了しませんでした</translation>
    </message>
    <message>
        <source>{host} did not renew the sign-in</source>
        <translation>{host} はサインインを更新しませんでした</translation>
    </message>
    <message>
        <source>{host} did not sign you in</source>
        <translation>{host} にサインインできませんでした</translation>
    </message>
    <message>
        <source>{host} does not offer OAuth</source>
        <translation>{host} は OAuth に対応していません</translation>
    </message>
    <message>
        <source>{host} is not the server of @{handle}.</source>
        <translation>{host} は @{handle} を扱っていません。</translation>
    </message>
    <message>
        <source>{host} cannot be reached ({why}).</source>
        <translation>{host} に届きません ({why})。</translation>
    </message>
    <message>
        <source>{host} may use a server named {new}, and not {old}</source>
        <translation>{host} は {new} という名前のサーバーを使えますが、{old} は使えません</translation>
    </message>
    <message>
        <source>{host} refused a question without showing it. Its questions now appear on your desktop. To let {host} show them again, use the page AI apps or {command}.</source>
        <translation>{host} は質問を表示せずに拒否しました。質問は今後デスクトップに表示されます。再び {host} に表示させるには、「AI アプリ」ページか {command} を使ってください。</translation>
    </message>
    <message>
        <source>{host} refused the sign-in</source>
        <translation>{host} がサインインを拒否しました</translation>
    </message>
    <message>
        <source>{host} renewed {did}.</source>
        <translation>{host} は {did} を更新しました。</translation>
    </message>
    <message>
        <source>{host} sent too much</source>
        <translation>{host} からの送信が大きすぎます</translation>
    </message>
    <message>
        <source>{host} signed in {did}.</source>
        <translation>{host} は {did} をサインインさせました。</translation>
    </message>
    <message>
        <source>{host} wants you to wait</source>
        <translation>{host} がしばらく待つよう求めています</translation>
    </message>
    <message>
        <source>{host} was not found. Check the address and the network.</source>
        <translation>{host} が見つかりませんでした。アドレスとネットワークをご確認ください。</translation>
    </message>
    <message>
        <source>{keyring} is set up, which does not keep secrets safe. {remedy}</source>
        <translation>設定されている {keyring} ではシークレットを安全に保管できません。{remedy}</translation>
    </message>
    <message>
        <source>{key} cannot be {value}</source>
        <translation>{key} を {value} にはできません</translation>
    </message>
    <message>
        <source>{key} could not be changed. {why}</source>
        <translation>{key} を変更できませんでした。{why}</translation>
    </message>
    <message>
        <source>{key} is kept by that application: please set it in env.</source>
        <translation>{key} はそのアプリが保管しています。env に設定してください。</translation>
    </message>
    <message>
        <source>{key} is not a setting; it is ignored.</source>
        <translation>{key} という設定はないため、無視します。</translation>
    </message>
    <message>
        <source>{key} is not its key, or one was altered. Restore both from one backup.</source>
        <translation>{key} はこのファイルの鍵ではないか、どちらかが変更されています。両方を同じバックアップから復元してください。</translation>
    </message>
    <message>
        <source>{key} must be {what}.</source>
        <translation>{key} は {what} でなければなりません。</translation>
    </message>
    <message>
        <source>{key} must have a name of letters, digits, - and _, at most 64.</source>
        <translation>{key} の名前に使えるのは英数字と - と _ で、64 文字までです。</translation>
    </message>
    <message>
        <source>{key} must have another name: this is a built-in server&apos;s.</source>
        <translation>{key} は別の名前にしてください。組み込みサーバーの名前です。</translation>
    </message>
    <message>
        <source>{key} must have either a command or a url.</source>
        <translation>{key} には command か url のどちらか一方が必要です。</translation>
    </message>
    <message>
        <source>{key} must have {names}.</source>
        <translation>{key} には {names} が必要です。</translation>
    </message>
    <message>
        <source>{key} uses {reference} where it is not filled in: only env and headers are secret.</source>
        <translation>{key} の {reference} は、そこでは置き換えられません。秘密にできるのは env と headers だけです。</translation>
    </message>
    <message>
        <source>{low} to {high} characters.</source>
        <translation>{low}～{high} 文字。</translation>
    </message>
    <message>
        <source>{name} cannot be a model&apos;s name</source>
        <translation>{name} はモデルの名前にできません</translation>
    </message>
    <message>
        <source>{name} cannot be a server&apos;s name</source>
        <translation>{name} はサーバー名にできません</translation>
    </message>
    <message>
        <source>{name} cannot be the name of a secret</source>
        <translation>{name} はシークレットの名前にできません</translation>
    </message>
    <message>
        <source>{name} is damaged in the keychain</source>
        <translation>キーリングの {name} が壊れています</translation>
    </message>
    <message>
        <source>{name} is deleted.</source>
        <translation>{name} を削除しました。</translation>
    </message>
    <message>
        <source>{name} is empty, long or unprintable.</source>
        <translation>{name} は空か、長すぎるか、印字できない文字を含みます。</translation>
    </message>
    <message>
        <source>{number} characters</source>
        <translation>{number} 文字</translation>
    </message>
    <message>
        <source>{number} items</source>
        <translation>{number} 件</translation>
    </message>
    <message>
        <source>{number} or less.</source>
        <translation>{number} 以下。</translation>
    </message>
    <message>
        <source>{number} or more.</source>
        <translation>{number} 以上。</translation>
    </message>
    <message>
        <source>{old} is called {new} now; so are its tools.</source>
        <translation>{old} は {new} になりました。ツール名も変わります。</translation>
    </message>
    <message>
        <source>{others} or {last}</source>
        <translation>{others} または {last}</translation>
    </message>
    <message>
        <source>{path} cannot be changed by Deskbell without touching more than its own entry</source>
        <translation>{path} は、Deskbell の項目だけを変更することができません</translation>
    </message>
    <message>
        <source>{path} cannot be deleted</source>
        <translation>{path} を削除できません</translation>
    </message>
    <message>
        <source>{path} cannot be edited by Deskbell</source>
        <translation>{path} は Deskbell では編集できません</translation>
    </message>
    <message>
        <source>{path} cannot be opened</source>
        <translation>{path} を開けません</translation>
    </message>
    <message>
        <source>{path} cannot be read</source>
        <translation>{path} を読み込めません</translation>
    </message>
    <message>
        <source>{path} cannot be used</source>
        <translation>{path} を使えません</translation>
    </message>
    <message>
        <source>{path} cannot be written</source>
        <translation>{path} に書き込めません</translation>
    </message>
    <message>
        <source>{path} has changed since.</source>
        <translation>{path} はその後変更されています。</translation>
    </message>
    <message>
        <source>{path} has no table of servers where it should be</source>
        <translation>{path} のあるべき場所にサーバーの表がありません</translation>
    </message>
    <message>
        <source>{path} has servers outside {key}</source>
        <translation>{path} の {key} の外にサーバーがあります</translation>
    </message>
    <message>
        <source>{path} is damaged</source>
        <translation>{path} が壊れています</translation>
    </message>
    <message>
        <source>{path} is in the way</source>
        <translation>{path} があるため作成できません</translation>
    </message>
    <message>
        <source>Deskbell has not changed {path}, or another program has changed it since.</source>
        <translation>Deskbell は {path} を変更していないか、その後に別のプログラムが変更しました。</translation>
    </message>
    <message>
        <source>{path} is not written in UTF-8</source>
        <translation>{path} は UTF-8 ではありません</translation>
    </message>
    <message>
        <source>{path} is too large</source>
        <translation>{path} は大きすぎます</translation>
    </message>
    <message>
        <source>{path} is write-protected</source>
        <translation>{path} は書き込み禁止です</translation>
    </message>
    <message>
        <source>{path} is not valid</source>
        <translation>{path} の内容が読み取れません</translation>
    </message>
    <message>
        <source>{path} has a mistake at line {line}, column {column}</source>
        <translation>{path} の {line} 行 {column} 列が読み取れません</translation>
    </message>
    <message>
        <source>{path} was changed by another program meanwhile</source>
        <translation>{path} はその間に別のプログラムによって変更されました</translation>
    </message>
    <message>
        <source>{path} was deleted while Deskbell runs: nothing is saved any more. Quit Deskbell and start it again.</source>
        <translation>Deskbell の実行中に {path} が削除されました。これ以上何も保存されません。Deskbell を終了して、もう一度起動してください。</translation>
    </message>
    <message>
        <source>{path} was written by a newer Deskbell</source>
        <translation>{path} は新しい Deskbell が書いたものです</translation>
    </message>
    <message>
        <source>{preset} is not one of the choices</source>
        <translation>{preset} というプリセットはありません</translation>
    </message>
    <message>
        <source>{problem} {remedy}</source>
        <translation>{problem} {remedy}</translation>
    </message>
    <message>
        <source>{program} may not have the secret {name}</source>
        <translation>{program} にシークレット {name} は渡せません</translation>
    </message>
    <message>
        <source>{program} wants your secret {name}. May it have it, now and later?</source>
        <translation>{program} がシークレット {name} を求めています。今後も含めて渡してよいですか？</translation>
    </message>
    <message>
        <source>{reference} names no secret</source>
        <translation>{reference} はシークレットの名前ではありません</translation>
    </message>
    <message>
        <source>{rule}</source>
        <translation>{rule}</translation>
    </message>
    <message>
        <source>{rule} of {host}</source>
        <translation>{host} の {rule}</translation>
    </message>
    <message>
        <source>{said}. Try again later.</source>
        <translation>{said}。後でもう一度お試しください。</translation>
    </message>
    <message>
        <source>{said}. Try again.</source>
        <translation>{said}。もう一度お試しください。</translation>
    </message>
    <message>
        <source>{server} accepted the request and left it unanswered.</source>
        <translation>{server} は要求を受け取ったまま応答しませんでした。</translation>
    </message>
    <message>
        <source>{server} answered another request than this one.</source>
        <translation>{server} は別のリクエストに応答しました。</translation>
    </message>
    <message>
        <source>{server} answered with more than 64 MiB.</source>
        <translation>{server} の応答が 64 MiB を超えました。</translation>
    </message>
    <message>
        <source>{server} sent an answer that is not MCP.</source>
        <translation>{server} の応答は MCP ではありません。</translation>
    </message>
    <message>
        <source>{server} answered with {kind}. Is this its MCP address?</source>
        <translation>{server} の応答は {kind} です。MCP のアドレスは正しいですか？</translation>
    </message>
    <message>
        <source>{server} answered {told}.</source>
        <translation>{server} が {told} を返しました。</translation>
    </message>
    <message>
        <source>{server} asked something in the middle of the call</source>
        <translation>{server} が呼び出しの途中で質問しました</translation>
    </message>
    <message>
        <source>{server} asks as before.</source>
        <translation>{server} の確認はこれまでどおりです。</translation>
    </message>
    <message>
        <source>{server} broke off its answer.</source>
        <translation>{server} の応答が途中で切れました。</translation>
    </message>
    <message>
        <source>{server} closed the connection and kept running</source>
        <translation>{server} が接続を閉じたまま動き続けました</translation>
    </message>
    <message>
        <source>{server} did not answer within {limit} seconds.</source>
        <translation>{server} が {limit} 秒以内に応答しませんでした。</translation>
    </message>
    <message>
        <source>{server} denies access. It answered HTTP {status}.</source>
        <translation>{server} にアクセスを拒否されました。HTTP {status} が返されました。</translation>
    </message>
    <message>
        <source>{server} does not read what it is sent: more than 64 MiB are waiting. It was stopped.</source>
        <translation>{server} が送信内容を読み取らず、64 MiB を超えて溜まったため停止しました。</translation>
    </message>
    <message>
        <source>{server} ended its answer before the result.</source>
        <translation>{server} の応答が結果の前に終わりました。</translation>
    </message>
    <message>
        <source>{server} ended with code {code}</source>
        <translation>{server} がコード {code} で終了しました</translation>
    </message>
    <message>
        <source>{server} has reached its limit of requests within an hour: {count} so far.</source>
        <translation>{server} は、1 時間あたりの要求の上限に達しました（これまでに {count} 回）。</translation>
    </message>
    <message>
        <source>{server} has moved to {address}. If you trust that address, edit the server and enter it.</source>
        <translation>{server} は {address} に移転しました。そのアドレスを信頼するなら、サーバーを編集して入力してください。</translation>
    </message>
    <message>
        <source>{server} has used {count} tokens today.</source>
        <translation>{server} は今日 {count} トークンを使いました。</translation>
    </message>
    <message>
        <source>{server} is closed.</source>
        <translation>{server} は閉じられています。</translation>
    </message>
    <message>
        <source>{server} needs you to sign in: {command}</source>
        <translation>{server} へのサインインが必要です: {command}</translation>
    </message>
    <message>
        <source>{server} no longer knows this connection (HTTP {status}).</source>
        <translation>{server} ではこの接続はもう無効です (HTTP {status})。</translation>
    </message>
    <message>
        <source>{server} redirects in circles.</source>
        <translation>{server} の転送が循環しています。</translation>
    </message>
    <message>
        <source>{server} redirects to an invalid address.</source>
        <translation>{server} の転送先のアドレスが正しくありません。</translation>
    </message>
    <message>
        <source>{server} refuses you although you have signed in.</source>
        <translation>サインインしているのに {server} に拒否されました。</translation>
    </message>
    <message>
        <source>{server} sent a list of more than {most}.</source>
        <translation>{server} が {most} を超える一覧を送信しました。</translation>
    </message>
    <message>
        <source>{server} sent an answer that cannot be read: {why}.</source>
        <translation>{server} の応答を読み取れません: {why}。</translation>
    </message>
    <message>
        <source>{server} sent an invalid answer: {why}.</source>
        <translation>{server} の応答を理解できません: {why}。</translation>
    </message>
    <message>
        <source>{server} sent an event of more than 64 MiB.</source>
        <translation>{server} が 64 MiB を超えるイベントを送りました。</translation>
    </message>
    <message>
        <source>{server} sent more than 64 MiB in one line. It was stopped.</source>
        <translation>{server} が 1 行で 64 MiB を超えて送りました。停止しました。</translation>
    </message>
    <message>
        <source>{server} wants you to sign in (HTTP 401).</source>
        <translation>{server} がサインインを求めています (HTTP 401)。</translation>
    </message>
    <message>
        <source>{server} wants you to sign in. Deskbell then acts for you there, until you sign out.</source>
        <translation>{server} がサインインを求めています。サインアウトするまで、Deskbell がそこであなたの代わりに操作します。</translation>
    </message>
    <message>
        <source>{server} was ended by signal {number}</source>
        <translation>{server} がシグナル {number} で終了させられました</translation>
    </message>
    <message>
        <source>{server} was ended by {signal}</source>
        <translation>{server} が {signal} で終了させられました</translation>
    </message>
    <message>
        <source>{server} was restarted. Try again.</source>
        <translation>{server} は再起動されました。もう一度お試しください。</translation>
    </message>
    <message>
        <source>{server} could not be connected: {reason}</source>
        <translation>{server} に接続できませんでした: {reason}</translation>
    </message>
    <message>
        <source>{setting} names a SOCKS proxy, which Deskbell cannot use. Set HTTPS_PROXY to an HTTP proxy, or add {host} to NO_PROXY.</source>
        <translation>{setting} は SOCKS プロキシですが、Deskbell では使用できません。HTTPS_PROXY に HTTP プロキシを設定するか、{host} を NO_PROXY に追加してください。</translation>
    </message>
    <message>
        <source>{text} is not a Bluesky account</source>
        <translation>{text} は Bluesky のアカウントではありません</translation>
    </message>
    <message>
        <source>{title}.</source>
        <translation>{title}。</translation>
    </message>
    <message>
        <source>{title}. {message}</source>
        <translation>{title}。{message}</translation>
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
        <translation>{tool} の「常に許可」を保存できませんでした。</translation>
    </message>
    <message>
        <source>{tool} is still allowed.</source>
        <translation>{tool} は許可されたままです。</translation>
    </message>
    <message>
        <source>{tool} of {server} needs an approval</source>
        <translation>{server} の {tool} には承認が必要です</translation>
    </message>
    <message>
        <source>{what}, and nobody answered in time.</source>
        <translation>{what}が、時間内に誰も回答しませんでした。</translation>
    </message>
    <message>
        <source>{what}, and nobody answered within {seconds} s.</source>
        <translation>{what}が、{seconds} 秒以内に回答がありませんでした。</translation>
    </message>
    <message>
        <source>{what}. Fix it, then try again.</source>
        <translation>{what}。直してから、もう一度お試しください。</translation>
    </message>
    <message>
        <source>{where}{state}.</source>
        <translation>{where}{state}。</translation>
    </message>
    <message>
        <source>{why}. Delete it to get a new one.</source>
        <translation>{why}。削除すると新しく作られます。</translation>
    </message>
    <message>
        <source>{why}. It lists the names of your secrets; restore it from a backup.</source>
        <translation>{why}。シークレットの名前の一覧です。バックアップから復元してください。</translation>
    </message>
    <message>
        <source>{why}. Set DESKBELL_HOME to a folder of your own.</source>
        <translation>{why}。DESKBELL_HOME に自分のフォルダーを指定してください。</translation>
    </message>
    <message>
        <source>{why}. Unlock it, and try again.</source>
        <translation>{why}。ロックを解除して、もう一度お試しください。</translation>
    </message>
    <message>
        <source>{why}. Your browser could not report back.</source>
        <translation>{why}。ブラウザーからの戻りを受け取れません。</translation>
    </message>
    <message>
        <source>⚠️ {reason}</source>
        <translation>⚠️ {reason}</translation>
    </message>
    <message>
        <source>✓ Logged in as @{handle}</source>
        <translation>✓ @{handle} としてサインインしました</translation>
    </message>
</context>
<context>
    <name>form</name>
    <message>
        <source>a file of {size} kB</source>
        <translation>{size} kB のファイル</translation>
    </message>
</context>
<context>
    <name>history</name>
    <message>
        <source>Yesterday</source>
        <translation>昨日</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>今日</translation>
    </message>
    <message>
        <source>An AI app</source>
        <translation>AI アプリ</translation>
    </message>
    <message>
        <source>You answered {server}: {sent}</source>
        <translation>{server} に回答しました: {sent}</translation>
    </message>
    <message>
        <source>You agreed: {words}</source>
        <translation>同意しました: {words}</translation>
    </message>
    <message>
        <source>You opened a page for {server}: {words}</source>
        <translation>{server} のためにページを開きました: {words}</translation>
    </message>
    <message>
        <source>Answered in {app}: {words}</source>
        <translation>{app} で回答しました: {words}</translation>
    </message>
    <message>
        <source>{server} asked: {words}</source>
        <translation>{server} からの質問: {words}</translation>
    </message>
    <message>
        <source>Yes</source>
        <translation>はい</translation>
    </message>
    <message>
        <source>No</source>
        <translation>いいえ</translation>
    </message>
    <message>
        <source>You declined {server}: {words}</source>
        <translation>{server} の質問を断りました: {words}</translation>
    </message>
    <message>
        <source>You closed a question from {server}: {words}</source>
        <translation>{server} の質問を閉じました: {words}</translation>
    </message>
    <message>
        <source>You missed a question from {server}: {words}</source>
        <translation>{server} の質問に間に合いませんでした: {words}</translation>
    </message>
    <message>
        <source>No one was there to answer {server}: {words}</source>
        <translation>{server} に回答する人がいませんでした: {words}</translation>
    </message>
    <message>
        <source>{server} withdrew its question: {words}</source>
        <translation>{server} が質問を取り下げました: {words}</translation>
    </message>
    <message>
        <source>Muted, so declined: {server} asked {words}</source>
        <translation>ミュート中のため断りました: {server} の質問 {words}</translation>
    </message>
    <message>
        <source>Too many questions from {server}: {words}</source>
        <translation>{server} の質問が多すぎます: {words}</translation>
    </message>
    <message>
        <source>You allowed {app} to use {tool} ({server})</source>
        <translation>{app} に {tool} の使用を許可しました ({server})</translation>
    </message>
    <message>
        <source>You always allow {app} to use {tool} ({server})</source>
        <translation>{app} に {tool} の使用を常に許可しています ({server})</translation>
    </message>
    <message>
        <source>You didn&apos;t allow {app} to use {tool} ({server})</source>
        <translation>{app} に {tool} の使用を許可しませんでした ({server})</translation>
    </message>
    <message>
        <source>You missed a request: {app} wanted to use {tool} ({server})</source>
        <translation>確認に間に合いませんでした: {app} が {tool} を使おうとしました ({server})</translation>
    </message>
    <message>
        <source>{app} wanted to use {tool} ({server})</source>
        <translation>{app} が {tool} を使おうとしました ({server})</translation>
    </message>
    <message>
        <source>{app} used {tool} ({server})</source>
        <translation>{app} が {tool} を使いました ({server})</translation>
    </message>
    <message>
        <source>{tool} failed for {app} ({server})</source>
        <translation>{app} の {tool} が失敗しました ({server})</translation>
    </message>
    <message>
        <source>Blocked: {app} wanted to use {tool} ({server})</source>
        <translation>ブロックしました: {app} が {tool} を使おうとしました ({server})</translation>
    </message>
    <message>
        <source>You stopped {tool} for {app} ({server})</source>
        <translation>{app} の {tool} を中止しました ({server})</translation>
    </message>
    <message>
        <source>{app} cancelled {tool} ({server})</source>
        <translation>{app} が {tool} を取り消しました ({server})</translation>
    </message>
    <message>
        <source>{tool} was interrupted: Deskbell ended ({server})</source>
        <translation>{tool} が中断されました: Deskbell が終了しました ({server})</translation>
    </message>
    <message>
        <source>{app} called {tool} ({server})</source>
        <translation>{app} が {tool} を呼び出しました ({server})</translation>
    </message>
    <message>
        <source>{app} used {server} {count} times: {tools}</source>
        <translation>{app} が {server} を {count} 回使いました: {tools}</translation>
    </message>
    <message>
        <source>{server} stopped: {words}</source>
        <translation>{server} が停止しました: {words}</translation>
    </message>
    <message>
        <source>{server} stopped</source>
        <translation>{server} が停止しました</translation>
    </message>
    <message>
        <source>You snoozed questions</source>
        <translation>質問をスヌーズしました</translation>
    </message>
    <message>
        <source>Questions resumed</source>
        <translation>質問を再開しました</translation>
    </message>
    <message>
        <source>You muted {server}</source>
        <translation>{server} をミュートしました</translation>
    </message>
    <message>
        <source>You unmuted {server}</source>
        <translation>{server} のミュートを解除しました</translation>
    </message>
    <message>
        <source>{server} asked too often: {words}</source>
        <translation>{server} の質問が多すぎました: {words}</translation>
    </message>
</context>
<context>
    <name>hosts</name>
    <message>
        <source>Use Deskbell in {name}</source>
        <translation>{name} で Deskbell を使う</translation>
    </message>
    <message>
        <source>Settings cannot be read</source>
        <translation>設定を読み込めません</translation>
    </message>
    <message>
        <source>Connected to a different Deskbell</source>
        <translation>別の Deskbell に接続されています</translation>
    </message>
    <message>
        <source>Access removed</source>
        <translation>アクセスは取り消されました</translation>
    </message>
    <message>
        <source>Connected · {count} tools</source>
        <translation>接続済み · ツール {count} 個</translation>
    </message>
    <message>
        <source>Connected</source>
        <translation>接続済み</translation>
    </message>
    <message>
        <source>Connected · 1 tool</source>
        <translation>接続済み · ツール 1 個</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>オフ</translation>
    </message>
    <message>
        <source>On · last connected {time}</source>
        <translation>オン · 最終接続 {time}</translation>
    </message>
    <message>
        <source>On · not connected yet</source>
        <translation>オン · 未接続</translation>
    </message>
    <message>
        <source>Restart {name} for the change to take effect.</source>
        <translation>変更を反映するには {name} を再起動してください。</translation>
    </message>
    <message>
        <source>It takes effect in {name}&apos;s next conversation.</source>
        <translation>{name} の次の会話から有効になります。</translation>
    </message>
    <message>
        <source>Press Refresh in {name}&apos;s list of servers.</source>
        <translation>{name} のサーバー一覧で Refresh を押してください。</translation>
    </message>
    <message>
        <source>No restart needed.</source>
        <translation>再起動は不要です。</translation>
    </message>
    <message>
        <source>{name} is set up.</source>
        <translation>{name} を設定しました。</translation>
    </message>
    <message>
        <source>{name} no longer uses Deskbell. Its settings are as before.</source>
        <translation>{name} は Deskbell を使わなくなりました。設定は元どおりです。</translation>
    </message>
    <message>
        <source>Done. {name}&apos;s servers now ask you through Deskbell.</source>
        <translation>完了しました。{name} のサーバーは Deskbell を通じて質問します。</translation>
    </message>
    <message>
        <source>{name}&apos;s servers are as they were.</source>
        <translation>{name} のサーバーは元どおりです。</translation>
    </message>
    <message>
        <source>The last change in {name} is undone.</source>
        <translation>{name} の最後の変更を元に戻しました。</translation>
    </message>
    <message>
        <source>In {name} when possible</source>
        <translation>できれば {name}</translation>
    </message>
    <message>
        <source>Always in Deskbell</source>
        <translation>常に Deskbell</translation>
    </message>
    <message>
        <source>Always in {name}</source>
        <translation>常に {name}</translation>
    </message>
    <message>
        <source>Waits for your answer as long as it takes</source>
        <translation>回答をいつまでも待ちます</translation>
    </message>
    <message>
        <source>Waits up to {count} minutes for an answer</source>
        <translation>回答を最大 {count} 分待ちます</translation>
    </message>
    <message>
        <source>Waits up to {count} seconds for an answer</source>
        <translation>回答を最大 {count} 秒待ちます</translation>
    </message>
</context>
<context>
    <name>inputs</name>
    <message>
        <source>Yes</source>
        <translation>はい</translation>
    </message>
    <message>
        <source>No</source>
        <translation>いいえ</translation>
    </message>
    <message>
        <source>Skip</source>
        <translation>スキップ</translation>
    </message>
</context>
<context>
    <name>missed</name>
    <message>
        <source>You missed a question from {server}</source>
        <translation>{server} の質問に間に合いませんでした</translation>
    </message>
    <message>
        <source>You missed {count} questions from {servers}</source>
        <translation>{servers} の質問 {count} 件に間に合いませんでした</translation>
    </message>
    <message>
        <source>Nobody answered in time. Run it again to be asked again.</source>
        <translation>時間内に回答がありませんでした。もう一度実行すると、再び質問されます。</translation>
    </message>
    <message>
        <source>{app} was told that nobody answered. Ask it to try again.</source>
        <translation>回答がなかったことを {app} に伝えました。もう一度試すよう頼んでください。</translation>
    </message>
</context>
<context>
    <name>models</name>
    <message>
        <source>OpenAI-compatible</source>
        <translation>OpenAI 互換</translation>
    </message>
</context>
<context>
    <name>one press</name>
    <message>
        <source>Yes</source>
        <translation>はい</translation>
    </message>
    <message>
        <source>No</source>
        <translation>いいえ</translation>
    </message>
    <message>
        <source>Skip</source>
        <translation>スキップ</translation>
    </message>
    <message>
        <source>Y</source>
        <comment>key for Yes</comment>
        <translation>Y</translation>
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
        <translation>表示できない画像({kind})です。</translation>
    </message>
    <message>
        <source>Picture, {width} × {height}</source>
        <translation>画像、{width} × {height}</translation>
    </message>
</context>
<context>
    <name>readable data</name>
    <message>
        <source>yes</source>
        <translation>はい</translation>
    </message>
    <message>
        <source>no</source>
        <translation>いいえ</translation>
    </message>
</context>
<context>
    <name>sampling</name>
    <message>
        <source>on this computer</source>
        <translation>このコンピューター</translation>
    </message>
    <message>
        <source>about {count} tokens, at most {most} back</source>
        <translation>約 {count} トークン、回答は最大 {most}</translation>
    </message>
    <message>
        <source>about {count} tokens</source>
        <translation>約 {count} トークン</translation>
    </message>
    <message>
        <source>may cost {price}</source>
        <translation>費用は約 {price}</translation>
    </message>
</context>
<context>
    <name>servers</name>
    <message>
        <source>Signing in…</source>
        <translation>サインイン中…</translation>
    </message>
    <message>
        <source>Paused until {time} after failures</source>
        <translation>失敗が続いたため {time} まで休止</translation>
    </message>
    <message>
        <source>Idle</source>
        <translation>待機中</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>起動中…</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>実行中</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失敗</translation>
    </message>
    <message>
        <source>Sign-in needed</source>
        <translation>サインインが必要</translation>
    </message>
    <message>
        <source>Needs a key</source>
        <translation>キーが必要</translation>
    </message>
    <message>
        <source>Switched off</source>
        <translation>オフ</translation>
    </message>
    <message>
        <source>program</source>
        <translation>プログラム</translation>
    </message>
    <message>
        <source>web</source>
        <translation>Web</translation>
    </message>
    <message>
        <source>built in</source>
        <translation>組み込み</translation>
    </message>
</context>
<context>
    <name>snooze</name>
    <message>
        <source>For &amp;30 minutes</source>
        <translation>30 分間(&amp;3)</translation>
    </message>
    <message>
        <source>For &amp;1 hour</source>
        <translation>1 時間(&amp;1)</translation>
    </message>
    <message>
        <source>For &amp;8 hours</source>
        <translation>8 時間(&amp;8)</translation>
    </message>
    <message>
        <source>&amp;Until I resume</source>
        <translation>再開するまで(&amp;U)</translation>
    </message>
</context>
</TS>
