// node compile.js msmq.ksy DIRECTORY LANGUAGE...: writes the readers that the Kaitai compiler generates.
const fs = require("fs");
const path = require("path");
const compiler = require("kaitai-struct-compiler");
const yaml = require("js-yaml");

const [description, directory, ...languages] = process.argv.slice(2);
const tree = yaml.load(fs.readFileSync(description, "utf8"));

async function main() {
  for (const language of languages) {
    const files = await compiler.compile(language, tree, null, false);
    for (const [name, source] of Object.entries(files)) {
      const target = path.join(directory, name);
      fs.mkdirSync(path.dirname(target), { recursive: true });
      fs.writeFileSync(target, source);
    }
  }
}

main().catch((error) => {
  console.error(String(error.message || error));
  process.exit(1);
});
