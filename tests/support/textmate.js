// Texts on standard input, as a JSON array, to the scopes of each of their characters, by VS Code's own engine.
// node textmate.js NODE_MODULES GRAMMAR

const fs = require("fs");
const path = require("path");
const [modules, grammarPath] = process.argv.slice(2);
const textmate = require(path.join(modules, "vscode-textmate"));
const oniguruma = require(path.join(modules, "vscode-oniguruma"));

async function main() {
  await oniguruma.loadWASM(fs.readFileSync(path.join(modules, "vscode-oniguruma", "release", "onig.wasm")).buffer);
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async () => textmate.parseRawGrammar(fs.readFileSync(grammarPath, "utf8"), grammarPath),
  });
  const grammar = await registry.loadGrammar("source.fict");
  const texts = JSON.parse(fs.readFileSync(0, "utf8"));
  process.stdout.write(JSON.stringify(texts.map((text) => scopes(grammar, text))));
}

function scopes(grammar, text) {
  let stack = textmate.INITIAL;
  const found = [];
  for (const line of text.split(/(?<=\n)/)) {
    const bare = line.replace(/\n$/, "");
    const result = grammar.tokenizeLine(bare, stack);
    stack = result.ruleStack;
    const last = result.tokens[result.tokens.length - 1];
    for (let at = 0; at < bare.length; at++) {
      found.push(result.tokens.find((token) => token.startIndex <= at && at < token.endIndex).scopes);
    }
    if (bare !== line) found.push(last.scopes);
  }
  return found;
}

main();
