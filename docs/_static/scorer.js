// What a search finds, in the order of use: how-tos and tutorials, the reference, then how the
// project is built. `result` is [document, title, anchor, description, score, file, kind].
const SEARCH_WEIGHTS = [["how-to/", 12], ["tutorials/", 10], ["start", 10], ["reference/api/", -4],
  ["reference/messages/", -4], ["project/", -12]];
var Scorer = { // searchtools.js declares it, too
  score: (result) => {
    const [document, , , , score] = result;
    const match = SEARCH_WEIGHTS.find(([folder]) => document.startsWith(folder));
    return score + (match ? match[1] : 0);
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
