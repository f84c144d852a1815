#!/bin/sh
# Starts the backend with the Node that is bundled, named in grafana.ini (node_path) or installed here.
# Builtins of the shell only: Grafana passes on no PATH. `exec` keeps the process id that Grafana watches.
folder="${0%/*}"
for node in "$folder/rt/node" "$GF_PLUGIN_NODE_PATH" /usr/local/bin/node /usr/bin/node /opt/homebrew/bin/node "@BUILD_NODE@"; do
  if [ -n "$node" ] && [ -x "$node" ]; then
    exec "$node" @HEAP_FLAGS@ "$folder/backend.cjs"
  fi
done
echo "[ERROR] No Node found: install Node 20 or newer, or name it as node_path in the plugin's section of grafana.ini." >&2
exit 1
