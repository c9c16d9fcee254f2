// Runs `fictc lsp` for .fict files; restarts it when the setting `fictc.command` changes.

const path = require("path");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

function command() {
  const set = vscode.workspace.getConfiguration("fictc").get("command") || "fictc";
  const folder = (vscode.workspace.workspaceFolders || [])[0];
  return /^\.{1,2}[\\/]/.test(set) && folder ? path.join(folder.uri.fsPath, set) : set;
}

async function start() {
  const server = { command: command(), args: ["lsp"] };
  client = new LanguageClient("fictc", "FiCT", server, {
    documentSelector: [{ language: "fict" }],
    synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*.{fict,txt}") },
  });
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    const hint = "Run pipx install '.[lsp]' in a clone of fictc, or set its path in fictc.command.";
    vscode.window.showErrorMessage(`${server.command} lsp does not start. ${hint}`);
  }
}

async function stop() {
  const running = client;
  client = undefined;
  if (running) await running.stop();
}

async function restart() {
  await stop();
  await start();
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("fictc.restart", restart),
    vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration("fictc.command") && restart()),
  );
  await start();
}

module.exports = { activate, deactivate: stop };
