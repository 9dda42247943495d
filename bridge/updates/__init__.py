"""Newer versions of Deskbell: asks for them if the person wants it, and puts them in place where no package
manager owns the files.

`check` asks once a day at a `source`. `manifest` reads what is published there, `minisign` proves who
published it. `installation` tells how this Deskbell was installed. `download` fetches a newer one, verifies
it and runs its self-test; it is `staged` until `swap` puts it in place at the next start.
"""
