// An editor that writes down what an extension asks of it: start it, change its setting, stop it.
// node editor.js EXTENSION.js '{"settings": {"command": "…"}, "fails": false}'

const Module = require("module");
const [extension, given] = process.argv.slice(2);
const { settings, fails } = JSON.parse(given);
const seen = { started: [], stopped: 0, messages: [] };
let changed;

class LanguageClient {
  constructor(id, name, server) {
    this.server = server;
  }
  async start() {
    if (fails) throw new Error("not found");
    seen.started.push([this.server.command, ...this.server.args]);
  }
  async stop() {
    seen.stopped += 1;
  }
}

const stubs = {
  vscode: {
    workspace: {
      workspaceFolders: [{ uri: { fsPath: "/folder" } }],
      getConfiguration: () => ({ get: (name) => settings[name] }),
      createFileSystemWatcher: () => ({}),
      onDidChangeConfiguration: (listener) => ((changed = listener), {}),
    },
    commands: { registerCommand: () => ({}) },
    window: { showErrorMessage: (message) => seen.messages.push(message) },
  },
  "vscode-languageclient/node": { LanguageClient },
};
const load = Module._load;
Module._load = (name, ...rest) => stubs[name] || load(name, ...rest);

(async () => {
  const { activate, deactivate } = require(extension);
  await activate({ subscriptions: [] });
  await changed({ affectsConfiguration: (name) => name === "fictc.command" });
  await deactivate();
  process.stdout.write(JSON.stringify(seen));
})();
