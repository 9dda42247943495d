// What Claude Desktop starts: finds the Deskbell on this computer and carries bytes between the two.
// No shell, and nothing of a message is looked at. The first place that has the program wins.

import { spawn } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";

const WINDOWS = process.platform === "win32";
const NAMES = WINDOWS ? ["deskbell-mcp.exe", "deskbell.exe"] : ["deskbell-mcp", "deskbell"];

function folders() {
  const { env } = process;
  const local = env.LOCALAPPDATA ?? join(homedir(), "AppData", "Local");
  const installed = WINDOWS
    ? [join(local, "Programs", "Deskbell"), join(env.ProgramFiles ?? "C:\\Program Files", "Deskbell")]
    : ["/Applications/Deskbell.app/Contents/MacOS", join(homedir(), "Applications/Deskbell.app/Contents/MacOS")];
  const people = WINDOWS ? [] : [join(homedir(), ".local/bin"), "/opt/homebrew/bin", "/usr/local/bin", "/usr/bin"];
  return [...installed, ...(env.PATH ?? "").split(delimiter).filter(Boolean), ...people];
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function find() {
  const chosen = process.env.DESKBELL_COMMAND ?? "";
  if (chosen && !chosen.startsWith("${")) return chosen; // "${…}": nothing was chosen
  for (const folder of folders()) {
    for (const name of NAMES) {
      const path = join(folder, name);
      if (isProgram(path)) return path;
    }
  }
  return "";
}

function giveUp(words) {
  process.stderr.write(`deskbell: ${words}\n`);
  process.exit(1);
}

const command = find();
if (!command) giveUp("it is not installed here, or not where one looks. Name the program in this extension's settings.");
const { DESKBELL_COMMAND: _, ...env } = process.env;
const child = spawn(command, ["stdio", "--host-name", "claude-ai"], { env, windowsHide: true });
child.on("error", (error) => giveUp(`${command} could not be started: ${error.message}`));
child.on("exit", (code, signal) => {
  process.exitCode = signal ? 1 : code;
  process.stdin.destroy();
});
process.stdin.pipe(child.stdin).on("error", () => {});
child.stdout.pipe(process.stdout);
child.stderr.pipe(process.stderr);
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
