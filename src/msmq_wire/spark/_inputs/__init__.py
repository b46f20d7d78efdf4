"""The input: options, the files that they select, and new files since an earlier run."""
