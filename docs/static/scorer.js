/* The order of search results: names with fewer parts first, and lists of everything last. */
var Scorer = {
  score: ([docname, title, anchor, descr, score, filename, kind]) => {
    if (kind === "object") return score - title.split(".").length / 10;
    const lists = ["changelog", "reference/benchmarks", "reference/conformance", "reference/coverage", "reference/errata"];
    return lists.includes(docname) ? score - 4 : score;
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: {0: 15, 1: 5, 2: -5},
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
