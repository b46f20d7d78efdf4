// Writes kaitai_msmq.py from msmq.ksy; msmq.ksy says how to run it.
const fs = require("fs");
const compiler = require("kaitai-struct-compiler");
const yaml = require("js-yaml");
const text = fs.readFileSync(__dirname + "/msmq.ksy", "utf8");
compiler.compile("python", yaml.load(text), null, false).then((files) => {
  for (const [name, source] of Object.entries(files)) {
    fs.writeFileSync(__dirname + "/" + name, source.replace("# type: ignore\n", ""));
  }
});
