"""The visual system: colours, sizes, widget style, icons, motion. What it looks like: docs/design.md.

Nothing here knows a page or a question. Install once, then use widgets as they are:

    theme.appearance.install(app)            style and palette; Theme follows the system, light and dark
    theme.colours.current()                  Colours in use: .text .muted .surface .accent .error_ground …
    theme.colours.contrast(one, other)       WCAG ratio
    theme.metrics                            GRID 8, CONTROL 32, ROW 28, RADIUS 6, TITLE, SMALL, scaled_font
    theme.painting.ButtonKind, set_kind(b, k)      PLAIN, PRIMARY (filled), QUIET (a link), DANGER
    theme.symbols.symbol("bell")             QIcon of Lucide that follows light and dark
    theme.symbols.symbol_pixmap(…), logo_pixmap("cursor", 32)
    theme.motion.animate(owner, 0, 1, step)  stands still where the system asks for less motion

Fields:   `field.setProperty("wrong", True)` and update(): red edge.
Buttons:  `make_button("send", "Send", act, kind=ButtonKind.PRIMARY, icon="send")`; one PRIMARY in a window,
          the others PLAIN or QUIET; DANGER for what cannot be undone. Focus is a ring in another colour.
Text:     `Label("…", tone=Tone.MUTED, scale=SMALL)`; tones: PLAIN MUTED WARNING ERROR SUCCESS INFO.

Widgets built on it, in desktop/widgets:

    avatar.py       Avatar(name, size=32, server="github", app="cursor", path="…")  icon, logo, file, monogram
    card.py         Card(name, clickable=True)      a surface with hover, `clicked`, set_selected
    chip.py         Chip("Running", Tone.SUCCESS, dot=True)
    switch.py       Switch(name, spoken, act)       an on/off switch; a QAbstractButton with role check box
    page_head.py    PageHead("Servers", "What it is for", buttons…)   title, subtitle, actions: one per page
    empty_state.py  EmptyState(name, "server", "No servers yet", "One sentence.", button)
    message_bar.py  MessageBar(name, words, buttons, tone)   a coloured bar with icon
"""
