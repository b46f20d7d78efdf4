#!/bin/bash -eu
# Builds every target the way public fuzzing services expect it: programs, seed corpora and dictionaries in $OUT.
cd "$SRC/msmq_wire"
python3 -m pip install --quiet ".[captures,cli,crypto,testing]" "lupa>=2"
export PYTHONPATH="tests/support:tests/fuzz"
python3 tests/fuzz/seeds.py "$WORK/seeds"
for target in tests/fuzz/fuzz_*.py; do
  name=$(basename -s .py "$target")
  compile_python_fuzzer "$target" --paths tests/fuzz --collect-submodules msmq_wire
  zip --quiet --junk-paths "$OUT/${name}_seed_corpus.zip" "$WORK/seeds/${name}_seed_corpus"/*
  cp "$WORK/seeds/$name.dict" "$OUT/$name.dict"
done
