"""The texts that make a program at home on a Linux desktop: the .desktop file, the AppStream metainfo."""

from __future__ import annotations

import re
import time
from xml.sax.saxutils import escape

from release import Release

_HEADING = re.compile(r"^#.*$", re.MULTILINE)
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_MARK = re.compile(r"\*\*|`|(?<!\w)\*(?=\w)|(?<=\w)\*(?!\w)")
_NOTES = 12  # of a release; the changelog has all


def desktop_entry(release: Release, program: str) -> str:
    """Return the .desktop file; a link `deskbell:…` comes as the argument."""
    keys = {
        "Type": "Application",
        "Version": "1.1",
        "Name": release.title,
        "GenericName": "Questions from AI apps",
        "Comment": release.summary,
        "Exec": f"{program} %u",
        "Icon": release.name,
        "Terminal": "false",
        "Categories": "".join(f"{one};" for one in release.categories),
        "Keywords": "".join(f"{one};" for one in release.keywords),
        "MimeType": f"x-scheme-handler/{release.scheme};",
        "StartupNotify": "false",
        "StartupWMClass": release.title,
        "X-GNOME-SingleWindow": "true",
    }
    return "[Desktop Entry]\n" + "".join(f"{key}={value}\n" for key, value in keys.items())


def metainfo(release: Release, moment: int) -> str:
    """Return the AppStream component; `moment`: Unix time of the release."""
    paragraphs = "".join(f"    <p>{escape(text)}</p>\n" for text in release.description)
    pictures = "".join(
        f"    <screenshot{' type=' + chr(34) + 'default' + chr(34) if not place else ''}>\n"
        f"      <caption>{escape(caption)}</caption>\n"
        f"      <image>{release.homepage}/pictures/{name}.png</image>\n    </screenshot>\n"
        for place, (name, caption) in enumerate(release.screenshots.items())
    )
    words = "".join(f"    <keyword>{escape(one)}</keyword>\n" for one in release.keywords)
    kinds = "".join(f"    <category>{escape(one)}</category>\n" for one in release.categories)
    day = time.strftime("%Y-%m-%d", time.gmtime(moment))
    notes = "".join(f"          <li>{escape(one)}</li>\n" for one in plain_notes(release.notes)[:_NOTES])
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<component type="desktop-application">
  <id>{release.id}</id>
  <metadata_license>{release.metadata_licence}</metadata_license>
  <project_license>{release.licence}</project_license>
  <name>{release.title}</name>
  <summary>{escape(release.summary)}</summary>
  <developer_name>{escape(release.authors)}</developer_name>
  <description>
{paragraphs}  </description>
  <launchable type="desktop-id">{release.name}.desktop</launchable>
  <icon type="stock">{release.name}</icon>
  <url type="homepage">{release.homepage}</url>
  <screenshots>
{pictures}  </screenshots>
  <categories>
{kinds}  </categories>
  <keywords>
{words}  </keywords>
  <provides>
    <binary>{release.name}</binary>
    <mediatype>x-scheme-handler/{release.scheme}</mediatype>
  </provides>
  <content_rating type="oars-1.1"/>
  <supports>
    <control>pointing</control>
    <control>keyboard</control>
  </supports>
  <releases>
    <release version="{release.version}" date="{day}">
      <description>
        <ul>
{notes}        </ul>
      </description>
    </release>
  </releases>
</component>
"""


def plain_notes(markdown: str) -> list[str]:
    """Return the list items of Markdown, each on one line and without marks."""
    items = re.split(r"^- ", _HEADING.sub("", markdown), flags=re.MULTILINE)[1:]
    return [" ".join(_MARK.sub("", _LINK.sub(r"\1", item)).split()) for item in items]
