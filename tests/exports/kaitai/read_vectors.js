// node read_vectors.js Msmq.js vectors.json.gz: reads each vector, and prints as JSON what was read and what differs.
const fs = require("fs");
const path = require("path");
const zlib = require("zlib");
const { KaitaiStream } = require("kaitai-struct");
const { Msmq } = require(path.resolve(process.argv[2]));

const words = (name) => name.replace(/([a-z0-9])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, (_, a, b, c) => (a ? `${a}_${b}` : `${c}_`));
const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);
const parts = (name) => words(name).toLowerCase().split("_");
const typeName = (name) => parts(name).map(capital).join("");

function fieldName(name) {
  const [first, ...rest] = parts(name);
  const joined = first + rest.map(capital).join("");
  return ["and", "as", "do", "if", "in", "is", "not", "or"].includes(joined) ? `${joined}Field` : joined;
}

function valueAt(object, fieldPath) {
  for (const step of fieldPath.replace(/\[(\d+)\]/g, ".$1").split(".").slice(1)) {
    object = /^\d+$/.test(step) ? object[Number(step)] : object[fieldName(step)];
  }
  return object;
}

const isBytes = (value) => value instanceof Uint8Array;
const report = { read: 0, refused: [], numbers: 0, bytes: 0, differences: [], unreadable: 0, misread: [] };
const vectors = JSON.parse(zlib.gunzipSync(fs.readFileSync(process.argv[3]))).groups.flatMap((group) => group.vectors);
for (const vector of vectors) {
  const Type = Msmq[typeName(vector.reads_as || vector.structure)];
  if (Type === undefined) continue; // a property value, or bytes of an unknown kind
  const data = Buffer.from(vector.bytes, "hex");
  let record;
  try {
    record = new Type(new KaitaiStream(data.buffer.slice(data.byteOffset, data.byteOffset + data.length)));
  } catch (error) {
    if (vector.result === "unreadable") report.unreadable += 1;
    else report.refused.push(`${vector.name}: ${error.message}`);
    continue;
  }
  if (vector.result === "unreadable") {
    if (record._io.isEof()) report.misread.push(vector.name); // else bytes are left over
    continue;
  }
  report.read += 1;
  for (const [fieldPath, offset, size, number] of vector.fields || []) {
    if (!fieldPath.includes(".")) continue; // the structure itself
    let value = valueAt(record, fieldPath);
    if (value && isBytes(value.raw)) value = value.raw;
    if (number !== null && typeof value !== "object") {
      if (Number(value) === number) report.numbers += 1;
      else report.differences.push(`${vector.name}: ${fieldPath} is ${value}, not ${number}`);
    } else if (isBytes(value)) {
      const expected = data.subarray(offset, offset + value.length);
      if (Buffer.compare(Buffer.from(value), expected) === 0) report.bytes += 1;
      else report.differences.push(`${vector.name}: ${fieldPath}`);
    } else if (value === undefined) report.differences.push(`${vector.name}: no ${fieldPath}`);
  }
}
console.log(JSON.stringify(report));
